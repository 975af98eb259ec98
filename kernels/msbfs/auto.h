/* auto.h: the sample of searches in auto.cu and the model of designs in model.cuh, for the tests. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND::automatic_msbfs
{

#define SAMPLED_SEARCHES 32u   /* one bit each */
#define SAMPLED_LEVELS   1024u /* at most, of a sampled search */

/* Properties of a BFS of the graph: means over the sampled searches. The source is level 0. */
struct estimate_of_searches {
    double vertices, edges; /* of the graph */
    uint32_t num_searches;  /* sampled */
    vertex_t sources[SAMPLED_SEARCHES];
    uint32_t num_levels;              /* levels of the deepest sampled search, as far as it was followed */
    double mean_levels;               /* mean levels of a search, with the levels beyond */
    double found[SAMPLED_LEVELS];     /* vertices of each level */
    double left[SAMPLED_LEVELS];      /* edges out of them */
    double alive[SAMPLED_LEVELS];     /* share of the searches that find any vertex of the level */
    double levels_beyond;             /* expected after num_levels; 0 if the searches have ended */
    double found_beyond, left_beyond; /* of each level beyond */
};

/* The searches to come, and the device that runs them. */
struct use_of_searches {
    double num_sources; /* sources of all searches to come */
    unsigned outputs;
    double multiprocessors, shared_bytes; /* of the device; of a multiprocessor */
};

enum msbfs_design { DESIGN_BITPARALLEL, DESIGN_PERBLOCK, DESIGN_SINGLE, NUM_DESIGNS };

/* Follows searches from vertices that have out-neighbours, spread over the graph, for some levels. host is
 * the same graph on the host. Needs 24 bytes per vertex on the device until it returns. Takes about 5 us per
 * level, and 10 ps per edge on levels that find many vertices. Returns the status of error. */
int searches_sample(const struct graph *host, const struct gpu_graph *graph, struct estimate_of_searches *estimate,
                    struct error *error);
/* Sets the expectations beyond the levels in the estimate. alive: share of the searches that have not ended
 * there. */
void searches_expect(struct estimate_of_searches *estimate, double alive);

/* The sum over all levels of found or left in the estimate; beyond: of each level beyond. */
static inline double searches_sum(const struct estimate_of_searches *estimate, const double *of_level, double beyond)
{
    double sum = estimate->levels_beyond * beyond;
    for (uint32_t l = 0; l < estimate->num_levels; l++)
        sum += of_level[l];
    return sum;
}

/* Predicts the milliseconds for all sources on an H200 by rough models. Includes preparing if sources are
 * few. HUGE_VAL if the design cannot give the outputs. */
double msbfs_predicted_ms(enum msbfs_design design, const struct estimate_of_searches *estimate,
                          const struct use_of_searches *use);
/* The design with the least predicted time; the first of equals. */
enum msbfs_design msbfs_fastest(const struct estimate_of_searches *estimate, const struct use_of_searches *use);

} // namespace BACKEND::automatic_msbfs
