/* search.cuh: the arrays of a traversal, and the functions that both schemes share.
 *
 * Who writes what. Identify writes words of the BSAK that only its own thread or warp reads, the levels of the same
 * words, and places in the JFQ, which it takes by an atomic. It reads the BSA and the masks. Top-down, expand writes
 * the BSAK by reductions. Bottom-up, it writes the words of vertices that its warp took from the JFQ, which has each
 * vertex once. It reads the BSA and the JFQ. There is a grid barrier between identify and expand, and one after
 * expand.
 *
 * Destinations are checked in the BSA at the beginning of expand. A destination is always checked by the same thread,
 * which alone writes its length. It clears masks by atomics while other threads expand. A search that ends at level k
 * has all its levels up to k, since identify saw it active all the time. A thread that expands may still see the
 * search as active and spread some of its bits. This is harmless: the search is masked from the next barrier on, and
 * searches share no bits.
 *
 * Lengths of the JFQs are used in rotation, by iteration (../../device/grid_barrier.cuh). */
#pragma once

#include "../../backend/backend.h"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::ibfs
{

#define INSTANCE_SEARCHES   32u /* the thesis's omega: searches, and bits of a word */
#define COALESCED_INSTANCES 32u /* one per lane of a warp */
#define MOST_INSTANCES      4u  /* maximal number of instances in the workgroup scheme */
#define MOST_THREADS        512 /* maximal number of threads per block */
#define MANY_BLOCKS         3   /* blocks of MOST_THREADS per multiprocessor */

/* The strides of an array, in words: from vertex to vertex, and from instance to instance. */
struct layout {
    size_t per_vertex, per_instance;
};

static __host__ __device__ __forceinline__ size_t word_of(struct layout layout, vertex_t vertex, uint32_t instance)
{
    return vertex * layout.per_vertex + instance * layout.per_instance;
}

/* Lengths of the JFQs. any: 1 if one of them is not empty (workgroups only). */
struct queue_lengths {
    uint32_t length[MOST_INSTANCES], any;
};

/* Device memory of a traversal. num_words = num_vertices * instances. */
struct search {
    struct layout layout, level_layout; /* strides of bsa and bsak; of `level`, in units of INSTANCE_SEARCHES words */
    uint32_t *bsa, *bsak;               /* num_words */
    vertex_t *jfq;                      /* num_vertices; in the workgroup scheme, num_vertices per instance */
    struct queue_lengths *counts;       /* NUM_COUNTS */
    uint32_t *mask;                     /* one word per instance: its active searches */
    uint32_t *open;                     /* one entry per search: number of destinations not found yet */
    uint32_t *level;                    /* UNREACHED until found; NULL if not wanted */
    const struct destination *destinations;
    uint32_t *length; /* num_destinations; UNREACHED until found */
    uint64_t num_destinations;
    uint32_t num_instances;
    struct grid_barrier *barrier;
};

struct shared {
    uint32_t broadcast;
};

/* ---- identify ---- */

/* Appends the vertices of the lanes that join to a queue of length *length. All lanes of the warp must call it. */
DEVICE void join(vertex_t *jfq, uint32_t *length, vertex_t vertex, bool joins)
{
    warp_append(length, {joins}, [&](unsigned, uint32_t place) { __stcg(&jfq[place], vertex); });
}

/* Writes the iteration as the level of the lane's vertex, for the searches in `found`. row: index of the vertex's
 * levels. The warp writes the levels of one lane at a time. All lanes must call it. */
DEVICE void note_levels(uint32_t *level, uint64_t row, uint32_t found, uint32_t iteration)
{
    for (unsigned left = __ballot_sync(WHOLE_WARP, found != 0); left != 0; left &= left - 1) {
        int owner = __ffs((int)left) - 1;
        uint32_t searches = __shfl_sync(WHOLE_WARP, found, owner);
        uint64_t row_of_owner = __shfl_sync(WHOLE_WARP, row, owner);
        if (searches >> lane_id() & 1)
            __stcg(&level[row_of_owner * INSTANCE_SEARCHES + lane_id()], iteration);
    }
}

/* Writes the length of each destination that its search has reached. A search without any left becomes inactive. */
DEVICE void watch_destinations(const struct search &search, const uint32_t *bsa, uint32_t iteration)
{
    struct team team = grid_threads();
    for (uint64_t i = team.rank; i < search.num_destinations; i += team.size) {
        struct destination destination = search.destinations[i];
        uint32_t instance = destination.which / INSTANCE_SEARCHES, bit = 1u << destination.which % INSTANCE_SEARCHES;
        if (__ldcg(&search.length[i]) != UNREACHED ||
            !(__ldcg(&bsa[word_of(search.layout, destination.vertex, instance)]) & bit))
            continue;
        __stcg(&search.length[i], iteration);
        if (atomicSub(&search.open[destination.which], 1u) == 1)
            atomicAnd(&search.mask[instance], ~bit);
    }
}

DEVICE void clear_next_counts(const struct search &search, uint32_t iteration)
{
    if (is_first_thread())
        *count_of(search.counts, iteration + 1) = {};
}

} // namespace BACKEND::ibfs
