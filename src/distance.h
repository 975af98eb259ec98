/* distance.h: the arithmetic of weighted distances.
 *
 * A distance has the type of the graph's weights; a double holds it exactly. A sum is rounded to that type (rounding
 * the double sum of two floats gives the float sum), and saturates at the type's largest number. So sums are monotone:
 * a <= b implies a + w <= b + w, and a <= a + w. Every search that adds a path's weights from the source on therefore
 * finds the same distances as Dijkstra's algorithm, bit by bit. As a final distance the largest number is an error,
 * since it may stand for a longer distance. */
#pragma once

#include <float.h>
#include <math.h>

#include "graph/graph.h"

C_NAMES_BEGIN

#define NO_PATH INFINITY /* distance of a vertex that the source does not reach */

static inline double largest_distance(enum weight_type type)
{
    return type == WEIGHTS_UINT32 ? UINT32_MAX - 1 : type == WEIGHTS_FLOAT ? FLT_MAX : DBL_MAX;
}

/* Returns the distance over one more edge. distance: not NO_PATH. */
static inline double distance_sum(enum weight_type type, double distance, double weight)
{
    double sum = distance + weight, largest = largest_distance(type);
    if (type == WEIGHTS_FLOAT)
        sum = (double)(float)sum;
    return sum < largest ? sum : largest;
}

static inline double distance_over(const struct graph *graph, double distance, edge_t e)
{
    return distance_sum(graph->weight_type, distance, graph_weight(graph, e));
}

/* Returns whether a graph is like a road network: many levels, each of little work. */
static inline bool is_flat(const struct graph *graph)
{
    const double flat_degree = 4;
    return (double)graph->num_edges < flat_degree * graph->num_vertices;
}

/* Returns the mean weight divided by the mean degree, times `times` on flat graphs: a width of buckets. It is 1 if all
 * weights are 0, or there are none. In distance.c. */
double mean_delta(const struct graph *graph, double times);

C_NAMES_END
