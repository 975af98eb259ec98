/* sorted_rows.h: a graph on the device as searches want it that look for neighbours others have reached: vertices by
 * descending degree, each one's most connected neighbours first.
 *
 * A vertex of the input has a row: its number here. If relabelled, rows are in order of the class of their in-degree
 * (of powers of two), highest first, then those with out-neighbours alone, then the isolated ones, in the input's
 * order inside a class; else rows are the input's ids. A row's neighbours are rows, ascending. Those of `in` are
 * padded with the row itself to multiples of ROW_ALIGNMENT, and begin at such. */
#ifndef GTRAV_SORTED_ROWS_H
#define GTRAV_SORTED_ROWS_H

#include "backend/backend.h"

namespace BACKEND
{

#define ROW_ALIGNMENT 4u /* neighbours of 16 bytes */
#define HUB_DEGREE    4096u
#define MEDIUM_DEGREE 128u

enum relabelling { RELABEL_AUTO, RELABEL_NO, RELABEL_YES };

struct sorted_rows {
    struct gpu_graph in;  /* in-neighbours; num_edges counts the padding, too */
    struct gpu_graph out; /* out-neighbours; empty where the graph is symmetric: `in` is it */
    bool relabelled;
    vertex_t num_rows; /* rows from here on are isolated, if relabelled; else num_vertices */
    vertex_t num_hubs,
        num_not_small; /* rows of at least HUB_DEGREE in-neighbours, of MEDIUM_DEGREE; 0 if not relabelled */
    vertex_t *row_of, *input_of; /* num_vertices: a vertex's row and its inverse; NULL if not relabelled */
};

/* Builds them; host is the same graph there, whose transpose is made and uploaded if it is not symmetric. Takes the
 * graph over: *graph is empty afterwards, whatever is returned. Besides the result it needs 16 bytes for each of up
 * to 2^28 edges at a time. RELABEL_AUTO: where the vertices of four times the mean degree have a quarter of the
 * edges, or there are hubs. sorted_rows_free in any case. */
int sorted_rows_build(const struct graph *host, struct gpu_graph *graph, enum relabelling relabelling,
                      struct sorted_rows *rows, struct error *error);
void sorted_rows_free(struct sorted_rows *rows);

} // namespace BACKEND

#endif
