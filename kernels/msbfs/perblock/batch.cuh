/* batch.cuh: a batch of searches on the device, and the search of one block. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../device/narrow_levels.cuh"

namespace BACKEND::perblock
{

#define UNIT             4u /* words that a lane loads of a record */
#define WORD_BITS        32u
#define SPAN_LANES       4u  /* lanes that share the neighbours beyond a record */
#define MOST_HIGH_DEGREE 32u /* on the block's list */
#define MOST_THREADS     1024u
#define COUNT_BITS                                                                                                   \
    13 /* bits of the count in a word of farness: a batch has fewer than 2^13 sources, a sum needs fewer bits */

/* State that the blocks of a batch share while they run; zero before. */
struct progress {
    uint32_t next;     /* the next source to take */
    uint32_t too_deep; /* 1: levels need more bits */
};

struct batch {
    vertex_t num_vertices;
    uint32_t num_sources;
    const vertex_t *sources; /* num_sources */
    const uint4 *records;    /* num_vertices x units of records */
    const vertex_t *targets; /* targets of the CSR */
    struct progress *progress;
    uint32_t num_words;       /* number of words of a bitmap, a multiple of WARP_SIZE */
    uint32_t room;            /* entries of a queue that lie in shared memory */
    uint32_t *bitmaps;        /* num_words per block; NULL: in shared memory */
    vertex_t *rings;          /* ring_size per block */
    uint32_t ring_size;       /* num_vertices, or twice the number of junctions */
    void *level;              /* num_sources x num_vertices of level_t; NULL: not wanted */
    struct source_sums *sums; /* num_sources */
    uint64_t *farness; /* num_vertices: sum of this batch's levels << COUNT_BITS | their number; NULL: not wanted */
    const vertex_t *destinations;      /* in order of sources; NULL: every search runs to its end */
    const uint64_t *first_destination; /* num_sources + 1: first destination of each source */
    uint32_t *length;                  /* length of each destination; UNREACHED until found */
};

/* Consecutive edges of the CSR. */
struct span {
    edge_t edge, end;
};

/* The number of long records that a warp visits together. Before a step, a warp has fewer put aside; the
 * step adds at most one per lane. */
#define LONG_TOGETHER (WARP_SIZE / SPAN_LANES)
#define LATER_ROOM    (LONG_TOGETHER + WARP_SIZE)

/* The head of a block's shared memory. The two queues, the bitmap and the spare words lie behind it. */
struct __align__(16) shared
{
    uint32_t which; /* number of the block's source */
    uint32_t count[NUM_COUNTS], num_high_degree[NUM_COUNTS];
    uint32_t least[NUM_COUNTS]; /* least distance of the junctions that a round queues */
    uint64_t first_destination, end_of_destinations;
    struct span high_degree[MOST_HIGH_DEGREE];
    vertex_t later[MOST_THREADS / WARP_SIZE][LATER_ROOM]; /* per warp: vertices with long records */
};

/* The search of a block, the same in all threads. */
template <typename level_t>
struct search {
    uint32_t *bitmap;
    uint32_t *spare;        /* the lane's word in shared memory for atomics that shall change nothing: all bits set */
    vertex_t *queues;       /* 2 x room */
    uint32_t taken, filled; /* where the queues of the last complete level and of the next one begin: 0 or room */
    vertex_t *ring;         /* ring_size */
    uint64_t spilled, next; /* first spilled entry of this level in the ring, and of the next */
    level_t *levels;        /* num_vertices; NULL: not wanted */
    uint32_t level;         /* the level that is being found */
};

static size_t bytes_of_shared(uint32_t room, uint32_t num_words)
{
    return sizeof(struct shared) + (2 * (size_t)room + num_words + WARP_SIZE) * sizeof(uint32_t);
}

} // namespace BACKEND::perblock
