/* reorder.h: orders of a graph's vertices, and graphs in such an order.
 *
 * A reordered graph is the same graph with other ids: its vertex k is vertex permutation[k] of the input (struct
 * graph). That array translates results on it to the input's ids. */
#pragma once

#include "graph.h"

struct reordering {
    const char *name;
    const char *syntax; /* "jaccard[:W]" */
    const char *help;
    uint64_t preset, minimum, maximum; /* of its parameter; maximum 0: it has none */
    /* Sets order[k] to the vertex at place k, for all k < num_vertices. The result does not depend on the number of
     * threads. NULL: picks another reordering by the graph (auto). */
    int (*arrange)(const struct graph *graph, uint64_t parameter, vertex_t *order, struct error *error);
};
extern const struct reordering reorderings[]; /* ends with a NULL name */

/* A reordering with its parameter. */
struct reorder {
    const struct reordering *how;
    uint64_t parameter;
};

/* Parses a spec such as "jaccard:4096". STATUS_INPUT for an unknown name or a parameter that is out of range. */
int reorder_parse(const char *spec, struct reorder *reorder, struct error *error);
/* Writes the complete spec: "rcm", "jaccard:65536". It fits into struct graph's reordering. */
void reorder_format(const struct reorder *reorder, char *text, size_t size);
/* Whether reorder_format() could have written this for a reordered graph. */
bool is_reordering(const char *text);
/* Returns false for natural, which leaves the graph as it is. */
bool reorder_changes(const struct reorder *reorder);

/* Makes a new graph in the new order, with name, permutation and reordering set; the caller frees it with
 * graph_release(). auto is resolved first. The input must not be reordered. Needs memory for the second graph; for
 * jaccard up to 40 bytes per edge of every window in work; for rcm 10 bytes per vertex, and for a directed graph also
 * a graph with the reverse of every edge. STATUS_INTERRUPTED on Ctrl-C. */
int graph_reorder(const struct graph *graph, const struct reorder *reorder, struct graph *reordered,
                  struct error *error);

/* Makes a new graph: the input of a reordered graph. */
int graph_restore(const struct graph *reordered, struct graph *graph, struct error *error);

/* Sets *yes to whether order holds each of 0 .. count - 1 once. */
int test_permutation(const vertex_t *order, vertex_t count, bool *yes, struct error *error);

/* ---- the files that find an order for reorder.c, which applies it ---- */

/* reorder_rcm.c */
int arrange_rcm(const struct graph *graph, uint64_t parameter, vertex_t *order, struct error *error);

/* reorder_jaccard.c; the parameter is the window's width */
int arrange_jaccard(const struct graph *graph, uint64_t window_width, vertex_t *order, struct error *error);
