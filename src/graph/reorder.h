/* reorder.h: other orders of a graph's vertices, and graphs put into them.
 *
 * A reordered graph is the same graph with other ids: its vertex k is vertex permutation[k] of the input (struct
 * graph). Whoever runs on it answers in the input's ids, by way of that array. */
#ifndef GTRAV_REORDER_H
#define GTRAV_REORDER_H

#include "graph.h"

struct reordering {
    const char *name;
    const char *syntax; /* "jaccard[:W]" */
    const char *help;
    uint64_t preset, minimum, maximum; /* of its parameter; maximum 0: it takes none */
    /* order[k] becomes the vertex that stands k-th, for all k < num_vertices; the same on any number of threads.
     * NULL: another one is taken, as the graph is (auto). */
    int (*arrange)(const struct graph *graph, uint64_t parameter, vertex_t *order, struct error *error);
};
extern const struct reordering reorderings[]; /* ends with a NULL name */

/* A reordering with its parameter. */
struct reorder {
    const struct reordering *how;
    uint64_t parameter;
};

/* "jaccard:4096" -> *reorder. A name that is none, a parameter that is out of range: STATUS_INPUT. */
int reorder_parse(const char *spec, struct reorder *reorder, struct error *error);
/* The spec that says all of it: "rcm", "jaccard:65536". Fits in struct graph's reordering. */
void reorder_format(const struct reorder *reorder, char *text, size_t size);
/* Whether reorder_format() could have said so of a reordered graph. */
bool is_reordering(const char *text);
/* False: natural, the graph stays as it is. */
bool reorder_changes(const struct reorder *reorder);

/* The graph in the new order, as a graph of its own (graph_release()) with name, permutation and reordering set; auto
 * is settled first. The input must be in its own order. Needs room for the second graph, and up to 40 bytes an arc of
 * every window at work (jaccard), 10 bytes a vertex (rcm; of a directed graph, and the graph with the reverse of
 * every arc). STATUS_INTERRUPTED on Ctrl-C. */
int graph_reorder(const struct graph *graph, const struct reorder *reorder, struct graph *reordered,
                  struct error *error);

/* The input of a reordered graph, as a graph of its own. */
int graph_restore(const struct graph *reordered, struct graph *graph, struct error *error);

/* *yes: whether order holds each of 0 .. count - 1 once. */
int test_permutation(const vertex_t *order, vertex_t count, bool *yes, struct error *error);

#endif
