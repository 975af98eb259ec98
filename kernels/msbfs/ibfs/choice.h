/* choice.h: chooses the scheme of ibfs-auto. Plain C, so that tests/unit/test_ibfs_choice.c can check it against
 * every committed record. */
#pragma once

#include <stdint.h>

enum ibfs_scheme { IBFS_AUTO, IBFS_WORKGROUP, IBFS_COALESCED, IBFS_BOTTOM_UP };

/* Fitted to the records in results/nvidia-h200 (docs/ibfs.md). IBFS_WORKGROUP is fastest for
 * up to two instances (64 searches), and below scale factor 10 for up to four, which run at the same time. Direction
 * switching always pays off on the SNB graphs, which have at least 41 edges per vertex, but not on cnr-2000, which
 * has 10. */
#define IBFS_FEW_SEARCHES     64
#define IBFS_FOUR_INSTANCES   128
#define IBFS_SNB_10_EDGES     4609902ull /* counted in both directions; table 5.1 counts each edge once */
#define IBFS_BOTTOM_UP_DEGREE 16

/* The rule of the thesis (section 5.2): workgroups below 1000 pairs; direction switching from scale factor 30 on. */
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
