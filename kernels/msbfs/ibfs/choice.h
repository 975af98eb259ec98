/* choice.h: which scheme ibfs-auto takes. Plain C, so that a test can ask it about every committed record
 * (tests/unit/test_ibfs_choice.c). */
#pragma once

#include <stdint.h>

enum ibfs_scheme { IBFS_AUTO, IBFS_WORKGROUP, IBFS_COALESCED, IBFS_BOTTOM_UP };

/* From the records in results/nvidia-h200 (docs/ibfs.md). Two instances of 32 searches are best left to workgroups.
 * On graphs below scale factor 10 so are four, which workgroups take at once. Direction switching always pays on
 * SNB's graphs, which have 41 edges for each vertex and more; it does not on cnr-2000, which has 10. */
#define IBFS_FEW_SEARCHES     64
#define IBFS_FOUR_INSTANCES   128
#define IBFS_SNB_10_EDGES     4609902ull /* in both directions: table 5.1 counts each edge once */
#define IBFS_BOTTOM_UP_DEGREE 16

/* The thesis (section 5.2): workgroups below 1000 pairs; direction switching from scale factor 30 on. */
#define IBFS_PAPER_SEARCHES 1000
#define IBFS_SNB_30_EDGES   13761168ull

static inline enum ibfs_scheme ibfs_choose_scheme(uint64_t searches, uint64_t vertices, uint64_t edges)
{
    if (searches <= (edges < IBFS_SNB_10_EDGES ? IBFS_FOUR_INSTANCES : IBFS_FEW_SEARCHES))
        return IBFS_WORKGROUP;
    return edges / IBFS_BOTTOM_UP_DEGREE < vertices ? IBFS_COALESCED : IBFS_BOTTOM_UP;
}

static inline enum ibfs_scheme ibfs_choose_paper_scheme(uint64_t searches, uint64_t edges)
{
    if (searches < IBFS_PAPER_SEARCHES)
        return IBFS_WORKGROUP;
    return edges < IBFS_SNB_30_EDGES ? IBFS_COALESCED : IBFS_BOTTOM_UP;
}
