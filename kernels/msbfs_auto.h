/* msbfs_auto.h: what msbfs_auto.cu samples of searches, and its choice by that, for the tests. */
#ifndef GTRAV_MSBFS_AUTO_H
#define GTRAV_MSBFS_AUTO_H

#include "backend/backend.h"

namespace BACKEND
{

#define SAMPLED_SEARCHES 32u   /* a bit each */
#define SAMPLED_LEVELS   1024u /* that they are followed for */

/* What a BFS of the graph is like, in the mean over those sampled. The source is a level, too. */
struct outlook_of_searches {
    double vertices, arcs; /* of the graph */
    uint32_t num_searches; /* sampled */
    vertex_t sources[SAMPLED_SEARCHES];
    uint32_t num_levels;              /* of the deepest of them, as far as they were followed */
    double mean_levels;               /* of a search, those beyond counted */
    double found[SAMPLED_LEVELS];     /* vertices of each level */
    double left[SAMPLED_LEVELS];      /* arcs out of them */
    double levels_beyond;             /* that are expected after num_levels; 0: the searches have ended */
    double found_beyond, left_beyond; /* of each of these */
};

/* What it is to be used for, and on. */
struct use_of_searches {
    double num_sources; /* all that are to come */
    unsigned outputs;
    double multiprocessors, shared_bytes; /* of the device; of a multiprocessor */
};

enum msbfs_design { DESIGN_ROWS, DESIGN_BLOCK, DESIGN_SINGLE, NUM_DESIGNS };

/* Follows searches from vertices that have out-neighbours, spread over the graph (which host is, too), for some
 * levels. It needs 24 bytes a vertex on the device for the time being, and takes about 5 us a level, and where many
 * vertices are found 10 ps an arc. */
int searches_sample(const struct graph *host, const struct gpu_graph *graph, struct outlook_of_searches *outlook,
                    struct error *error);
/* Sets what is beyond the levels that are in the outlook already, if searches have not ended there; alive: share of
 * the searches. */
void searches_expect(struct outlook_of_searches *outlook, double alive);

/* Milliseconds for all sources on an H200, by rough models; preparing included where sources are few. HUGE_VAL: it
 * cannot give the outputs. */
double msbfs_predicted_ms(enum msbfs_design design, const struct outlook_of_searches *outlook,
                          const struct use_of_searches *use);
/* The design that is predicted to be fastest; of equals the first. */
enum msbfs_design msbfs_fastest(const struct outlook_of_searches *outlook, const struct use_of_searches *use);

} // namespace BACKEND

#endif
