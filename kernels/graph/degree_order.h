/* degree_order.h: a graph on the device, relabelled by descending degree. The order helps a search that looks for
 * neighbours which have been reached: each vertex has its neighbours of highest degree first.
 *
 * A row is the adjacency list of a vertex, and its number is the vertex's relabelled id. If the graph is relabelled,
 * ids follow the class of the in-degree (powers of two), highest first. Then come the vertices with out-neighbours
 * only, then the isolated ones. Inside a class the order of the input stays. If the graph is not relabelled, ids are
 * those of the input. Neighbours are relabelled ids, ascending. Each list of `in` begins at a multiple of
 * ROW_ALIGNMENT, and is padded with its own vertex to a multiple of ROW_ALIGNMENT. */
#ifndef GTRAV_DEGREE_ORDER_H
#define GTRAV_DEGREE_ORDER_H

#include "../backend/backend.h"

namespace BACKEND
{

#define ROW_ALIGNMENT 4u /* neighbours of 16 bytes */
#define HUB_DEGREE    4096u
#define MEDIUM_DEGREE 128u

enum relabelling { RELABEL_AUTO, RELABEL_NO, RELABEL_YES };

struct sorted_rows {
    struct gpu_graph in;  /* in-neighbours; num_edges includes the padding */
    struct gpu_graph out; /* out-neighbours; empty for a symmetric graph, whose out-neighbours are `in` */
    bool relabelled;
    vertex_t num_rows;           /* if relabelled, ids from here on are isolated; else num_vertices */
    vertex_t num_hubs;           /* ids with at least HUB_DEGREE in-neighbours; 0 if not relabelled */
    vertex_t num_not_small;      /* ids with at least MEDIUM_DEGREE in-neighbours; 0 if not relabelled */
    vertex_t *row_of, *input_of; /* num_vertices: from input id to relabelled id, and back; NULL if not relabelled */
};

/* Builds the rows of a graph on the device. `host` is the same graph in host memory; if it is not symmetric, its
 * transpose is made and uploaded. Takes ownership of the graph: *graph is empty afterwards, also after an error.
 * Besides the result it needs 16 bytes for each of up to 2^28 edges at a time. RELABEL_AUTO relabels if the graph has
 * hubs, or if vertices of at least four times the mean degree have a quarter of the edges. Errors: no memory on the
 * host or on the device. The caller frees the rows with sorted_rows_free, also after an error. */
int sorted_rows_build(const struct graph *host, struct gpu_graph *graph, enum relabelling relabelling,
                      struct sorted_rows *rows, struct error *error);
void sorted_rows_free(struct sorted_rows *rows);

} // namespace BACKEND

#endif
