/* reorder.h: orders of a graph's vertices, and graphs in such an order.
 *
 * A reordered graph is the same graph with other ids: its vertex k is vertex permutation[k] of the input (struct
 * graph). The permutation translates results on the reordered graph to the input's ids. */
#pragma once

#include "graph.h"

struct reordering {
    const char *name;
    const char *syntax; /* "jaccard[:W]" */
    const char *help;
    uint64_t preset, minimum, maximum; /* default and range of the parameter; maximum 0: no parameter */
    /* Sets order[k] to the vertex at place k, for all k < num_vertices. The result does not depend on the number of
     * threads. NULL for auto, which chooses another row by the graph. */
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
/* Returns whether reorder_format() could have written the text for a reordered graph. */
bool is_reordering(const char *text);
/* Returns false for natural, which leaves the graph as it is. */
bool reorder_changes(const struct reorder *reorder);

/* Makes a new graph in the new order, and sets its name, permutation and reordering. The caller frees the graph with
 * graph_release(). The input must not be reordered. Besides the second graph, jaccard needs up to 40 bytes per edge
 * of each window in work. rcm needs 10 bytes per vertex and, if the graph is directed, a graph with the reverse of
 * every edge. STATUS_INTERRUPTED on Ctrl-C. */
int graph_reorder(const struct graph *graph, const struct reorder *reorder, struct graph *reordered,
                  struct error *error);

/* Makes a new graph: the one from which a reordered graph was made. */
int graph_restore(const struct graph *reordered, struct graph *graph, struct error *error);

/* Sets *yes to whether `order` holds each of the numbers 0 .. count - 1 once. */
int test_permutation(const vertex_t *order, vertex_t count, bool *yes, struct error *error);

/* ---- the files that find an order for reorder.c, which applies it ---- */

/* reorder_rcm.c */
int arrange_rcm(const struct graph *graph, uint64_t parameter, vertex_t *order, struct error *error);

/* reorder_jaccard.c; the parameter is the window's width */
int arrange_jaccard(const struct graph *graph, uint64_t window_width, vertex_t *order, struct error *error);
