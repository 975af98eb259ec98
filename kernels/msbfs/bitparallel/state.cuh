/* state.cuh: the device memory of a batch of searches, and its layout.
 *
 * A plane has a row of K bits for every vertex. Bit s is set if search s has seen the vertex. Rows are indexed by
 * relabelled id (graph/degree_order.h), which the code calls `row`. A pull makes plane i + 1 from plane i. So planes
 * are nested, and the first plane that has a bit tells the bit's level. There is no frontier, and no level is written
 * before the end. Sparse levels change the top plane itself, and list the bits that they set with their levels. */
#pragma once

#include "../../device/bitmap.cuh"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::bitparallel
{

#define MOST_WORDS      8u /* maximal number of words per row: 256 searches */
#define MOST_PLANES     7u /* maximal number of planes; three bits count how many planes lack a bit */
#define LEAST_PLANES    2u
#define EDGE_BITS       44u        /* width of the edges in a count: pairs << EDGE_BITS | edges */
#define MOST_EDGES      (1u << 24) /* maximal number of edges that a pair counts; a level with more is not pushed */
#define MOST_PAIRS      ((1u << (64 - EDGE_BITS)) - 1) /* maximal number of pairs in a listed level */
#define MOST_STEPS      64u
#define SOURCE_BITS     8u /* a pair's tag: search, plane, and level since the last materialising step */
#define PLANE_BITS      4u
#define RELATIVE_LEVELS (1u << (32 - SOURCE_BITS - PLANE_BITS))
static_assert((uint64_t)MOST_EDGES * (MOST_PAIRS + 1) == 1ull << EDGE_BITS,
              "a level's edges are counted without overflow");

/* What handles the batch next:
 *
 *     PHASE_SEARCH <---> PHASE_MATERIALISE ---> PHASE_FINISHED
 *          ^                     |
 *          +--- PHASE_WIDEN <----+ */
enum phase {
    PHASE_SEARCH,      /* the kernel for control.mode finds the next level */
    PHASE_MATERIALISE, /* the materialising kernels */
    PHASE_WIDEN,       /* the host widens the array of levels */
    PHASE_FINISHED     /* nothing: all levels are materialised */
};

/* How the next level is found. One launch of the sparse kernel runs START, PUSH, MARK and COLLECT as long as one of
 * them follows.
 *
 *     START, PUSH, COLLECT ---> PUSH      if the last level has few edges
 *                          ---> MARK      if it has more, and is the first such level
 *                          ---> a pull    if it has even more
 *                          ---> ENDED     if it is empty
 *     MARK                 ---> a pull
 *     a pull               ---> a pull    if it has found many bits
 *                          ---> COLLECT   if it has found few
 *                          ---> ENDED     if it has found none, or no row lacks a bit
 *
 * A pull is FILTERED, PULL, or several of RANGE (choose_pull). */
enum mode {
    MODE_START,    /* lists the sources */
    MODE_PUSH,     /* lists the next level, using the list of the last one */
    MODE_MARK,     /* marks the next level in the top plane only, using the list of the last one */
    MODE_COLLECT,  /* lists the bits that the last pull found; finds no level */
    MODE_FILTERED, /* pulls with a bitmap of non-empty rows */
    MODE_PULL,     /* pulls */
    MODE_RANGE,    /* pulls one range */
    MODE_ENDED     /* does nothing: there is no next level */
};

/* A launch that had work to do. A query records these steps, and the next query launches them first. */
enum step { STEP_SPARSE, STEP_FILTERED, STEP_PULL, STEP_RANGE, STEP_MATERIALISE };

struct control {
    uint32_t phase, mode;
    uint32_t level, base;  /* the last complete level; the level at the last materialising step */
    uint32_t first, top;   /* index of plane 0 in the ring of planes; number of the top plane */
    uint32_t materialised; /* 1: the bits of plane 0 have been materialised */
    uint32_t range;        /* next range of a pull by ranges */
    uint32_t round;        /* rounds of the sparse kernel so far (counts) */
    uint32_t num_steps;    /* steps done so far */
    /* Positions in the list, counted from the beginning of the query: its end, its first entry that is not
     * materialised, and the first entry of the last level. */
    uint64_t head, tail, frontier;
    uint64_t size, edges;              /* pairs and out-edges of the last level if it is listed */
    uint64_t incomplete;               /* rows that still lacked bits after the last pull */
    uint32_t plane_level[MOST_PLANES]; /* level of the unlisted bits of each plane */
    uint32_t alive[MOST_WORDS];        /* searches that found something in the last level */
    /* Totals of a launch: */
    uint64_t found, remaining; /* new bits; rows, or parts of rows, that still lack bits of alive searches */
    uint32_t alive_next[MOST_WORDS];
    uint32_t arrived; /* number of blocks that have finished */
};

#define LIST_ALIGNMENT    4u  /* neighbour lists of `in` begin at multiples of this, so at 16 bytes */
#define HIGH_DEGREE_POWER 12u /* vertices of high degree have at least 2^12 in-edges, */
#define MEDIUM_POWER      7u  /* those of medium degree at least 2^7 */

/* The prepared graph. The neighbour lists of `in` are padded (graph/degree_order.h). */
template <typename offset_t>
struct relabelled_graph {
    vertex_t num_vertices, num_rows; /* only the first num_rows ids have edges */
    vertex_t num_high_degree;        /* number of high-degree rows; these come first, */
    vertex_t num_not_small;          /* then rows of medium degree, which end here */
    csr<offset_t> in, out;
    const vertex_t *id_of, *input_of; /* NULL: ids are input ids */
    const uint2 *high_degree_parts;   /* num_high_degree_parts; (high-degree vertex, number of the part) */
    uint32_t num_high_degree_parts;
    const offset_t *splits; /* (num_ranges - 1) * num_rows; first edge of a row into each range except the first */
};

struct search {
    struct control *control;
    uint32_t *steps;  /* MOST_STEPS; the steps that did work, as enum step */
    uint32_t *planes; /* num_planes * plane_words */
    size_t plane_words;
    uint32_t *filled;              /* bitmap of the non-empty rows of plane 0 */
    uint32_t *high_degree_found;   /* num_high_degree rows */
    uint32_t *high_degree_arrived; /* num_high_degree */
    uint4 *list;                   /* list_capacity; (row, tag, edges of the level's earlier pairs, unused) */
    uint64_t *counts;              /* NUM_COUNTS */
    struct grid_barrier *barrier;
    const vertex_t *sources;
    void *levels;             /* num_vertices * K, by input id; NULL if not wanted */
    uint64_t *farness;        /* num_vertices, by relabelled id; sum of levels; NULL if not wanted */
    uint32_t *farness_count;  /* num_vertices, by relabelled id; number of levels; NULL if not wanted */
    struct source_sums *sums; /* K; NULL if not wanted */
    uint64_t *plane_counts;   /* MOST_PLANES * K; number of unlisted bits */
};

struct rules {
    uint32_t num_sources, num_planes, num_ranges;
    bool filters; /* the first pull tests the bitmap `filled` */
    uint32_t push_edges, mark_edges;
    uint64_t collect_pairs; /* after a pull that found at most this many bits, the next level is sparse */
    uint64_t list_capacity; /* a power of two */
    uint32_t level_limit;   /* highest level that the array of levels can hold */
};

/* What the host reads back after each chain of launches. */
struct progress {
    struct control control;
    struct grid_barrier barrier;
};

/* The words that a query sets, copied to the device in one transfer. */
struct beginning {
    struct progress progress;
    uint64_t counts[NUM_COUNTS];
    vertex_t sources[MOST_WORDS * WARP_SIZE];
};

DEVICE uint32_t *plane_of(const struct search &search, const struct rules &rules, const struct control &control,
                          uint32_t plane)
{
    return search.planes + (control.first + plane) % rules.num_planes * search.plane_words;
}

DEVICE vertex_t input_of_row(const vertex_t *input_of, uint64_t row)
{
    return input_of != NULL ? __ldg(&input_of[row]) : (vertex_t)row;
}

} // namespace BACKEND::bitparallel
