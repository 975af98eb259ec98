/* betweenness.h: the definition of betweenness, for the algorithms that compute it and for the check of results.
 *
 * For each pair (s, t) of other vertices, v gets the share of the shortest paths from s to t that lead through v;
 * betweenness(v) is the sum of these shares. betweenness(e) is the same for paths along the edge e, over all pairs
 * (Freeman 1977, Brandes 2008). On a symmetric graph (s, t) and (t, s) are one pair, so vertices' sums are halved.
 * Edges' sums are not: the stored edge from u to v gets only the paths in that direction, which are half. With K of
 * the n vertices as sources s, sums are scaled by n / K (Brandes and Pich 2007). Nothing is normalised.
 *
 * Brandes (2001) sums up, for each s, the dependencies delta(v) = sigma(v) c(v), where sigma(v) is the number of
 * shortest paths from s to v, and c(v) the sum of 1 / sigma(w) + c(w) over the successors w of v: its out-neighbours
 * one level further. Along the edge to w the dependency is sigma(v) (1 / sigma(w) + c(w)). */
#pragma once

#include "../algorithm.h"

C_NAMES_BEGIN

#define MOST_PATHS 0x1p1000 /* most shortest paths to a vertex; with far more, sigma or 1 / sigma loses bits */

/* Sets the error that more than MOST_PATHS shortest paths lead to a vertex: STATUS_INPUT. */
int betweenness_refuse(const struct graph *graph, struct error *error);

/* Turns sums of dependencies from num_sources sources into betweenness, in place. Either array may be NULL. */
void betweenness_finish(const struct graph *graph, uint32_t num_sources, double *vertex, double *edge);

/* Compares a result with a serial search from each source. A function for struct output_array. */
int verify_betweenness(const struct graph *graph, const vertex_t *sources, uint32_t num_sources,
                       const struct traversal *result, struct error *error);

C_NAMES_END
