/* tail.h: whether a graph is scale-free-like, by the rule in Blest's paper and by the rule in its authors' code. */
#pragma once

#include "graph.h"

struct degree_tail {
    double top1_share, top10_share; /* shares of the total degree that the top 1% and 10% of the vertices have */
    double fit_slope, fit_r2;       /* of the log-log fit of the degree histogram; 0 where too few degrees occur */
    bool heavy;
};

C_NAMES_BEGIN

/* Judges the out-degrees of a graph; pass the transpose for in-degrees. */
int examine_tail(const struct graph *graph, struct degree_tail *tail, struct error *error);

/* Sets *yes to whether the graph is scale-free-like: its out-degrees or its in-degrees are heavy-tailed (Blest,
 * section 4.2, footnote 2), or it has more than `mean_degree` edges per vertex, unless mean_degree is 0. A directed
 * graph is transposed for it. Returns a status and sets the error. */
int is_scale_free_like(const struct graph *graph, uint64_t mean_degree, bool *yes, struct error *error);

/* The authors' code (delbek/blest, SOCIAL_THRESHOLD) also calls a graph scale-free-like if it has more than so many
 * edges per vertex. By this tables II and VII call GAP-urand and nlpkkt240 so; footnote 2 does not. */
#define AUTHORS_MEAN_DEGREE 18

C_NAMES_END
