/* sample.h: a sample of searches, from which `msbfs auto` and `dfs auto` predict how long algorithms take. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND::automatic_msbfs
{

#define SAMPLED_SEARCHES 32u   /* largest number of sampled searches; each is a bit of a word */
#define SAMPLED_LEVELS   1024u /* maximal number of levels that a sampled search follows */

/* Properties of a BFS of the graph: means over the sampled searches. The source is level 0. */
struct estimate_of_searches {
    double vertices, edges; /* numbers of vertices and edges of the graph */
    uint32_t num_searches;  /* number of sampled searches */
    vertex_t sources[SAMPLED_SEARCHES];
    uint32_t num_levels;              /* number of levels that the deepest sampled search followed */
    double mean_levels;               /* mean number of levels of a search, including levels beyond num_levels */
    double found[SAMPLED_LEVELS];     /* number of vertices in each level */
    double left[SAMPLED_LEVELS];      /* number of their out-edges */
    double alive[SAMPLED_LEVELS];     /* share of the searches that find a vertex in the level */
    double levels_beyond;             /* levels expected after num_levels; 0 if all searches have ended */
    double found_beyond, left_beyond; /* expected `found` and `left` of each of these levels */
};

/* Follows up to `most` searches, at most SAMPLED_SEARCHES, for some levels, from vertices that have out-neighbours,
 * spread over the graph. host: the same graph on the host. Needs 24 bytes per vertex on the device until it returns.
 * Takes about 5 us per level, and 10 ps per edge and search. Returns the status of error. */
int searches_sample(const struct graph *host, const struct gpu_graph *graph, uint32_t most,
                    struct estimate_of_searches *estimate, struct error *error);
/* Sets the expected values after the levels in the estimate. alive: share of the searches that have not ended. */
void searches_expect(struct estimate_of_searches *estimate, double alive);

/* Returns the sum of `found` or `left` over all levels. beyond: the value of each level after num_levels. */
static inline double searches_sum(const struct estimate_of_searches *estimate, const double *of_level, double beyond)
{
    double sum = estimate->levels_beyond * beyond;
    for (uint32_t l = 0; l < estimate->num_levels; l++)
        sum += of_level[l];
    return sum;
}

} // namespace BACKEND::automatic_msbfs
