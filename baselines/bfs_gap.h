/* bfs_gap.h: the search of bfs_gap.c, which msbfs_adaptive.c runs for many sources side by side. */
#pragma once

#include "limits.h"

/* A search and its arrays; whoever makes it owns them, and sets the fields before depth. */
struct gap_search {
    const struct graph *out, *in; /* in: in-neighbours; equal to out if symmetric; NULL: every step pushes */
    uint32_t *level;              /* num_vertices */
    vertex_t *parent;             /* num_vertices; NULL: not wanted */
    vertex_t *queue;              /* num_vertices */
    uint64_t *visited, *found;    /* gap_words() each: before the bottom-up step, after it */
    const uint64_t *candidates;   /* gap_words(): vertices with in-neighbours */
    edge_t alpha;                 /* bottom-up if the frontier has more than 1/alpha of the unexplored edges */
    vertex_t beta;                /* top-down again once a step finds fewer than 1/beta of the vertices */
    edge_t narrow;                /* one thread takes a step of at most so many edges */
    bool alone;                   /* this thread takes every step */
    uint32_t depth;               /* depth of the last search: the highest level */
    const struct query *query;
    struct limits limits;
    bool complete;    /* the queue has all vertices reached, not only those of top-down steps */
    vertex_t reached; /* so many, by the last search; num_vertices if the queue is not complete */
};

#define GAP_ALPHA  15 /* alpha and beta of the GAP Benchmark Suite */
#define GAP_BETA   18
#define GAP_NARROW 4096 /* edges: waking all threads takes longer than scanning so many */

/* A transpose costs as much as so many searches: 17 ns for an edge of kron:18:16, a search 2.5. */
#define GAP_SEARCHES_A_TRANSPOSE 8u

/* Words of a bitmap of vertices. */
static inline size_t gap_words(const struct graph *graph)
{
    return ((size_t)graph->num_vertices + 63) / 64;
}

/* Sets the bits of the vertices with in-neighbours; all bits are 0 before. */
void gap_find_candidates(const struct graph *in, uint64_t *candidates);

/* Runs a search. Before it, all levels are UNREACHED and all parents NO_VERTEX. The query must live until the search
 * ends. Error: STATUS_INTERRUPTED, the search was abandoned. */
int gap_run(struct gap_search *search, const struct query *query, struct error *error);
