/* state.cuh: device memory of an NVG search. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::nvg
{

#define NO_OFFER     UINT64_MAX
#define MOST_THREADS 1024 /* per block; limits the registers per thread */

/* What a round does with each edge. */
enum phase {
    REACH, /* counts edges, to tell later if a target is ready; a target's first edge puts it in the next frontier */
    OFFER_READY,   /* makes an offer; a target's last edge puts it in the next frontier */
    OFFER_SMALLER, /* makes an offer smaller than the target's path; the first puts the target in the next frontier */
    LIST,          /* puts the target in the next frontier if the edge belongs to the tree */
};

struct frontier {
    vertex_t *vertices;
    uint32_t size;
};

/* Where a vertex's path is stored, its length, and the width of a child's position. */
struct path {
    uint64_t start; /* first word in the pool */
    uint32_t bits;  /* a path of 2^32 bits would need 2^27 prefixes in the pool, which never fit */
    uint32_t width; /* bits of a child's position */
};

/* Words that must be zero when a phase begins. */
struct progress {
    uint32_t counts[NUM_COUNTS];
    uint32_t exhausted;               /* 1: the pool is too small, and the result is invalid */
    uint32_t num_rounds, num_reached; /* set when the phase ends */
    uint32_t paused;                  /* correct.cuh: 1 if the round is the launch's last */
    uint32_t next_round, size;        /* where the next launch continues; size 0: nothing is left to do */
    uint64_t pool_used;               /* words */
};

struct search {
    vertex_t *parent;     /* num_vertices; NO_VERTEX until the vertex is expanded; the source is its own parent */
    vertex_t *frontier;   /* num_vertices; all frontiers, one after another */
    vertex_t *changed[2]; /* num_vertices each; round r writes the next frontier to changed[r % 2];
                             NULL on a graph without a cycle */
    uint64_t *best;       /* num_vertices; best offer: parent << 32 | position */
    struct path *paths;   /* num_vertices; valid if parent is set */
    struct path
        *accepted;  /* num_vertices; paths of this round, not yet in paths; without a cycle the same array as paths */
    uint32_t *pool; /* pool_words */
    uint64_t pool_words;
    struct progress *progress;
    struct grid_barrier *barrier;
    uint32_t *waiting;     /* num_vertices; edges from reached vertices that have not been followed */
    uint32_t *round_begin; /* num_vertices + 1; where each round begins in frontier, and the end of the last round */
    uint32_t *below;       /* num_vertices; number of descendants in the tree */
    uint32_t *before;      /* num_vertices; size of earlier siblings' subtrees; later: vertices finished before entry */
    uint32_t *depth;       /* num_vertices; depth in the tree */
    vertex_t *order, *finish; /* num_vertices each */
};

struct shared {
    uint32_t broadcast;
};

} // namespace BACKEND::nvg
