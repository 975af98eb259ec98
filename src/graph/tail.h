/* tail.h: whether a graph's degree distribution is heavy-tailed, by Blest's rule. */
#ifndef GTRAV_TAIL_H
#define GTRAV_TAIL_H

#include "graph.h"

struct degree_tail {
    double top1_share, top10_share; /* of the total degree, that of the top 1% and 10% of the vertices */
    double fit_slope, fit_r2;       /* of the log-log fit of the degree histogram; 0 where too few degrees occur */
    bool heavy;
};

/* Judges the out-degrees of a graph; pass the transpose for in-degrees. */
int examine_tail(const struct graph *graph, struct degree_tail *tail, struct error *error);

#endif
