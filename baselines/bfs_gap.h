/* bfs_gap.h: the search of bfs_gap.c. msbfs_adaptive.c runs several of them in parallel. */
#pragma once

#include "limits.h"

/* A search and its arrays. The caller owns the arrays, and sets the members before `depth`. */
struct gap_search {
    const struct graph *out, *in; /* in: the transpose; equal to out if symmetric; NULL: all steps push */
    uint32_t *level;              /* num_vertices */
    vertex_t *parent;             /* num_vertices; NULL if not wanted */
    vertex_t *queue;              /* num_vertices */
    uint64_t *visited, *found;    /* gap_words() each: vertices visited before a bottom-up step, and after it */
    const uint64_t *candidates;   /* gap_words(); bitmap of the vertices with in-neighbours */
    edge_t alpha;                 /* bottom-up if the frontier has over 1/alpha of the unexplored edges */
    vertex_t beta;                /* top-down after a step that finds fewer than 1/beta of the vertices */
    edge_t narrow;                /* one thread runs a step of at most this many edges */
    bool alone;                   /* the calling thread runs every step */
    uint32_t depth;               /* highest level of the last search */
    const struct query *query;
    struct limits limits;
    bool complete;    /* the queue holds all vertices reached, not only those of top-down steps */
    vertex_t reached; /* vertices reached by the last search; num_vertices if the queue is not complete */
};

#define GAP_ALPHA  15 /* alpha and beta as in the GAP Benchmark Suite */
#define GAP_BETA   18
#define GAP_NARROW 4096 /* edges: waking all threads takes longer than scanning this many */

/* A transpose takes as long as this many searches: 17 ns per edge of kron:18:16; a search takes 2.5 ns. */
#define GAP_SEARCHES_A_TRANSPOSE 8u

/* Returns the number of words in a bitmap of vertices. */
static inline size_t gap_words(const struct graph *graph)
{
    return ((size_t)graph->num_vertices + 63) / 64;
}

/* Sets the bits of the vertices with in-neighbours. All bits must be 0 before. */
void gap_find_candidates(const struct graph *in, uint64_t *candidates);

/* Runs a search. Before it, all levels must be UNREACHED and all parents NO_VERTEX. The query must live until the
 * search ends. Error: STATUS_INTERRUPTED if the search was abandoned. */
int gap_run(struct gap_search *search, const struct query *query, struct error *error);
