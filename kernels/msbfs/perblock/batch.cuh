/* batch.cuh: a batch of searches on the device, and the search of one block. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../device/narrow_levels.cuh"

namespace BACKEND::perblock
{

#define UNIT             4u /* words of a record that a lane loads */
#define WORD_BITS        32u
#define SPAN_LANES       4u  /* lanes that share the neighbours after a long record */
#define MOST_HIGH_DEGREE 32u /* maximal number of vertices on a block's list of high-degree vertices */
#define MOST_THREADS     1024u
#define COUNT_BITS                                                                                                     \
    13 /* width of the number in a word of farness: a batch has fewer than 2^13 sources; the rest is a sum */

/* State that the blocks of a batch share while they run. Zero at the start. */
struct progress {
    uint32_t next;     /* number of the next source to take */
    uint32_t too_deep; /* 1: the batch needs more bits per level */
};

struct batch {
    vertex_t num_vertices;
    uint32_t num_sources;
    const vertex_t *sources; /* num_sources */
    const uint4 *records;    /* num_vertices x units */
    const vertex_t *targets; /* targets of the CSR */
    struct progress *progress;
    uint32_t num_words;           /* words of a bitmap; a multiple of WARP_SIZE */
    uint32_t room;                /* entries of each queue that are in shared memory */
    uint32_t *bitmaps;            /* num_words per block; NULL if bitmaps are in shared memory */
    vertex_t *rings;              /* ring_size per block */
    uint32_t ring_size;           /* num_vertices, or twice the number of junctions */
    void *level;                  /* num_sources x num_vertices of level_t; NULL if not wanted */
    struct source_sums *sums;     /* num_sources */
    uint64_t *farness;            /* num_vertices; sum of the batch's levels << COUNT_BITS | their number; or NULL */
    const vertex_t *destinations; /* grouped by source; NULL: every search runs to its end */
    const uint64_t *first_destination; /* num_sources + 1; index of each source's first destination */
    uint32_t *length;                  /* by destination; UNREACHED until found */
};

/* Consecutive edges in the CSR. */
struct span {
    edge_t edge, end;
};

/* The number of vertices with long records that a warp visits together. Before each step, fewer have been put aside;
 * the step adds at most one per lane. */
#define LONG_TOGETHER (WARP_SIZE / SPAN_LANES)
#define LATER_ROOM    (LONG_TOGETHER + WARP_SIZE)

/* The start of a block's shared memory. Two queues, the bitmap and the spare words follow it. */
struct __align__(16) shared
{
    uint32_t which; /* number of the block's source */
    uint32_t count[NUM_COUNTS], num_high_degree[NUM_COUNTS];
    uint32_t least[NUM_COUNTS]; /* least distance of the junctions that a round queues */
    uint64_t first_destination, end_of_destinations;
    struct span high_degree[MOST_HIGH_DEGREE];
    vertex_t later[MOST_THREADS / WARP_SIZE][LATER_ROOM]; /* per warp: vertices with long records, put aside */
};

/* The search of a block. All threads hold the same values. */
template <typename level_t>
struct search {
    uint32_t *bitmap;
    uint32_t *spare;        /* the lane's word of set bits in shared memory, for atomics without effect */
    vertex_t *queues;       /* 2 x room */
    uint32_t taken, filled; /* offsets in `queues` of the last complete level and the next one: 0 or room */
    vertex_t *ring;         /* ring_size */
    uint64_t spilled, next; /* first spilled entry in the ring, of this level and of the next */
    level_t *levels;        /* num_vertices; NULL if not wanted */
    uint32_t level;         /* the level that is being found */
};

static size_t bytes_of_shared(uint32_t room, uint32_t num_words)
{
    return sizeof(struct shared) + (2 * (size_t)room + num_words + WARP_SIZE) * sizeof(uint32_t);
}

} // namespace BACKEND::perblock
