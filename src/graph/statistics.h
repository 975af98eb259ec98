/* statistics.h: statistics of a graph, for `gtrav --info`. */
#pragma once

#include "graph.h"

#define DEGREE_BINS 34 /* bin 0: degree 0; bin k: degrees 2^(k-1) .. 2^k - 1 */

struct graph_statistics {
    uint64_t histogram[DEGREE_BINS];        /* vertices by out-degree */
    edge_t max_degree;                      /* of out-degrees */
    uint64_t isolated;                      /* vertices without any edge, in or out */
    uint64_t sum_squared_degrees;           /* of out-degrees */
    uint64_t components, largest_component; /* weakly connected; vertices of the largest */
    uint64_t pseudo_diameter; /* a lower bound of the largest component's diameter, with edges in both directions */
    bool acyclic;             /* no directed cycle (an undirected edge is one) */
    bool scale_free;          /* Blest, footnote 2 */
    double top1_share, top10_share; /* of the total degree, that of the top 1% and 10% of the vertices, by
                                       out- or in-degree: whichever share is larger */
    double fit_slope, fit_r2;       /* of the log-log fit of the degree histogram for degrees >= 5, out or in:
                                       whichever fits better; both 0 where there are no three such degrees */
};

/* Parallel. Needs about 12 bytes per vertex, and the transpose of a directed graph. STATUS_INTERRUPTED on Ctrl-C. */
int graph_statistics(const struct graph *graph, struct graph_statistics *statistics, struct error *error);
