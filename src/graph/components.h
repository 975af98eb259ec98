/* components.h: the weakly connected components of a graph. */
#pragma once

#include "graph.h"

C_NAMES_BEGIN

/* Sets label[v] to the smallest vertex of v's component: the vertices that edges join, in whatever direction.
 * label: num_vertices. in: the transpose of out; out itself if that is symmetric; NULL: the transpose is not there,
 * and every edge is read. Parallel. After stop_requested() the labels are undefined. */
void label_components(const struct graph *out, const struct graph *in, vertex_t *label);

C_NAMES_END
