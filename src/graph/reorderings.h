/* reorderings.h: between reorder.c, which applies an order, and the files that find one. */
#pragma once

#include "reorder.h"

/* The vertices by degree (of a directed graph: out-degree), those of the same degree by id. reorder.c */
int sort_by_degree(const struct graph *graph, bool descending, vertex_t *order, struct error *error);

/* reorder_rcm.c */
int arrange_rcm(const struct graph *graph, uint64_t parameter, vertex_t *order, struct error *error);

/* reorder_jaccard.c; the parameter is the window's width */
int arrange_jaccard(const struct graph *graph, uint64_t window_width, vertex_t *order, struct error *error);
