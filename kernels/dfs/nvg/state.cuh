/* state.cuh: device memory of an NVG search. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/grid_barrier.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::nvg
{

#define NO_OFFER     UINT64_MAX
#define MOST_THREADS 1024 /* per block; this bounds the registers of a thread */

/* What a round does with an edge. */
enum phase {
    REACH, /* counts edges, to tell when a target is ready; a target's first edge puts it in the next frontier */
    OFFER_READY,   /* makes an offer; a target's last edge puts it in the next frontier */
    OFFER_SMALLER, /* makes an offer that is smaller than the target's path; the first puts it in the next frontier */
    LIST,          /* puts the target in the next frontier if the edge belongs to the tree */
};

struct frontier {
    vertex_t *vertices;
    uint32_t size;
};

/* The place and the length of a vertex's path, and the width of the next position. */
struct path {
    uint64_t start; /* word of the pool */
    uint32_t bits;  /* fewer than 2^32: a path of 2^32 bits would need 2^27 prefixes in the pool, which never fit */
    uint32_t width; /* bits of a child's position */
};

/* Words that are zero when a phase begins. */
struct progress {
    uint32_t counts[NUM_COUNTS];
    uint32_t exhausted;               /* 1: the pool is too small; the result is void */
    uint32_t num_rounds, num_reached; /* set when the phase has ended */
    uint32_t paused;                  /* correct.cuh: 1: the round is the launch's last */
    uint32_t next_round, size;        /* with which the next launch goes on; size 0: there is no more to do */
    uint64_t pool_used;               /* words */
};

struct search {
    vertex_t *parent;     /* num_vertices; NO_VERTEX until the vertex is expanded; the source is its own parent */
    vertex_t *frontier;   /* num_vertices: all frontiers, one after the other */
    vertex_t *changed[2]; /* num_vertices each: round r writes changed[r % 2], the frontier of the round after it;
                             NULL on a graph without a cycle */
    uint64_t *best;       /* num_vertices: parent << 32 | position */
    struct path *paths;   /* num_vertices; set if parent is set */
    struct path
        *accepted;  /* num_vertices: paths of this round, not yet in paths; on a graph without a cycle: paths */
    uint32_t *pool; /* pool_words */
    uint64_t pool_words;
    struct progress *progress;
    struct grid_barrier *barrier;
    uint32_t *waiting;     /* num_vertices: edges from reached vertices that have not been followed */
    uint32_t *round_begin; /* num_vertices + 1: where each round begins in frontier; then the end of the last round */
    uint32_t *below;       /* num_vertices: descendants of each vertex in the tree */
    uint32_t *before; /* num_vertices: size of the earlier siblings' subtrees; then vertices finished before entry */
    uint32_t *depth;  /* num_vertices: depth of each vertex in the tree */
    vertex_t *order, *finish; /* num_vertices each */
};

struct shared {
    uint32_t broadcast;
};

} // namespace BACKEND::nvg
