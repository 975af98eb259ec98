/* model.cuh: a rough model of the time that each design takes for the given searches on an H200. */
#pragma once

#include <math.h>

#include "auto.h"

namespace BACKEND::automatic_msbfs
{

#define MANY_SOURCES      16     /* from this number of sources on, preparing does not count, as in bfs auto */
#define MOST_TOGETHER     256.0  /* most sources of a batch of bitparallel, and of a measured batch */
#define IBFS_TOGETHER     1024.0 /* sources in a batch of ibfs */
#define MOST_BLOCKS_OF_SM 4.0
#define PERBLOCK_QUEUES   (64.0 * 1024) /* bytes of a block's queues */
#define LEAST_QUEUES      (10.0 * 1024)

/* Milliseconds on an H200. */
#define BITPARALLEL_BATCH_MS      0.06    /* bitparallel: a batch */
#define BITPARALLEL_LEVEL_MS      8e-3    /* a level */
#define BITPARALLEL_PUSH_EDGES    1e6     /* most edges of a pushed level, over all searches */
#define BITPARALLEL_PUSH_MS       2.5e-8  /* an edge of a pushed level */
#define BITPARALLEL_WORD_MS       3e-9    /* a word of a row, in a pulled level */
#define BITPARALLEL_EDGE_MS       3.5e-9  /* an edge of a pulled level */
#define BITPARALLEL_GATHER_MS     0.5e-9  /* a word read for an edge of a pulled level */
#define BITPARALLEL_WRITE_MS      4.5e-10 /* a level written to the result */
#define PERBLOCK_BATCH_MS         0.02    /* perblock: launching a batch */
#define PERBLOCK_LEVEL_MS         1e-3    /* a level */
#define PERBLOCK_GLOBAL           1.7     /* factor for a level if bitmaps are in global memory */
#define PERBLOCK_EDGE_MS          0.55e-6 /* an edge */
#define PERBLOCK_WRITE_MS         2e-9    /* a level written to the result or added to farness */
#define IBFS_LEVEL_MS             0.045   /* ibfs: a level of a batch */
#define IBFS_VERTEX_MS            6e-8    /* a vertex, in each level: reads and writes the words of all searches */
#define IBFS_EDGE_MS              5e-8    /* an edge of a level, for all searches of a batch */
#define SINGLE_SEARCH_MS          0.05    /* a single search: its launch */
#define SINGLE_LEVEL_MS           3.5e-3  /* a level */
#define SINGLE_EDGE_MS            1e-9    /* an edge */
#define BITPARALLEL_BUILD_MS      1.0     /* preparing bitparallel: per graph */
#define BITPARALLEL_BUILD_EDGE_MS 6e-8    /* per edge */
#define PERBLOCK_BUILD_MS         0.3     /* preparing perblock: per graph */
#define PERBLOCK_BUILD_VERTEX_MS  2e-6    /* per vertex */
#define SINGLE_BUILD_MS           1.0     /* preparing bfs auto: its sample */
#define IBFS_BUILD_MS             0.3     /* preparing ibfs: per graph */

/* Returns the time of a level with `words` words per row. left: out-edges of the level, over all searches.
 * incomplete: share of the rows that some search has not found yet. */
static double bitparallel_level_ms(const struct estimate_of_searches *estimate, double words, double left,
                                   double incomplete)
{
    if (left <= fmin(BITPARALLEL_PUSH_EDGES, estimate->edges))
        return BITPARALLEL_LEVEL_MS + left * BITPARALLEL_PUSH_MS;
    return BITPARALLEL_LEVEL_MS + estimate->vertices * words * BITPARALLEL_WORD_MS +
           estimate->edges * incomplete * (BITPARALLEL_EDGE_MS + words * BITPARALLEL_GATHER_MS);
}

static double bitparallel_ms(const struct estimate_of_searches *estimate, const struct use_of_searches *use)
{
    double batches = ceil(use->num_sources / MOST_TOGETHER), searches = use->num_sources / batches, words = 1;
    double ms = BITPARALLEL_BATCH_MS, before = 0, all = searches_sum(estimate, estimate->found, estimate->found_beyond);
    while (words * WARP_SIZE < searches)
        words *= 2;
    for (uint32_t l = 0; l < estimate->num_levels; l++) {
        before += estimate->found[l];
        double incomplete = 1 - pow(fmin(before / all, 1), searches);
        ms += bitparallel_level_ms(estimate, words, searches * estimate->left[l], incomplete);
    }
    ms += estimate->levels_beyond * bitparallel_level_ms(estimate, words, searches * estimate->left_beyond, 1);
    if (use->outputs & (OUTPUT_LEVEL | OUTPUT_LENGTH))
        ms += estimate->vertices * words * WARP_SIZE * BITPARALLEL_WRITE_MS;
    return batches * ms;
}

/* Returns the out-edges of all vertices found by a search that lasts as long as the longest one. */
static double edges_of_longest(const struct estimate_of_searches *estimate)
{
    double edges = 0, alive = 1;
    for (uint32_t l = 0; l < estimate->num_levels; l++) {
        alive = estimate->alive[l];
        edges += estimate->left[l] / alive;
    }
    return fmin(edges + estimate->levels_beyond * estimate->left_beyond / alive, estimate->edges);
}

/* Returns the factor by which the busiest multiprocessor takes longer than the mean one, if each runs this many
 * searches. In a directed graph some searches reach the core and others end at once. A multiprocessor's number of
 * long searches is binomial, and the greatest of m such numbers exceeds their mean by about sqrt(2 ln m) standard
 * deviations. */
static double imbalance(const struct estimate_of_searches *estimate, double searches, double multiprocessors)
{
    double mean_edges = searches_sum(estimate, estimate->left, estimate->left_beyond);
    double longest = edges_of_longest(estimate);
    if (mean_edges <= 0 || mean_edges >= longest)
        return 1;
    double share = mean_edges / longest, mean = searches * share;
    return fmin(mean + sqrt(2 * log(multiprocessors) * mean * (1 - share)), searches) / mean;
}

/* Returns the time of perblock. The blocks of a multiprocessor run in parallel but share its rate of edges. */
static double perblock_ms(const struct estimate_of_searches *estimate, const struct use_of_searches *use)
{
    double rounds = ceil(use->num_sources / use->multiprocessors), bitmap = estimate->vertices / 8;
    bool in_shared = bitmap + LEAST_QUEUES <= use->shared_bytes;
    double blocks = in_shared ? fmax(floor(use->shared_bytes / (bitmap + PERBLOCK_QUEUES)), 1) : 2;
    double together = fmin(fmin(blocks, MOST_BLOCKS_OF_SM), rounds);
    double edges = searches_sum(estimate, estimate->left, estimate->left_beyond);
    double found = searches_sum(estimate, estimate->found, estimate->found_beyond);
    double written = use->outputs & OUTPUT_LEVEL ? estimate->vertices : use->outputs & OUTPUT_FARNESS ? found : 0;
    double busiest = imbalance(estimate, rounds, fmin(use->multiprocessors, use->num_sources));
    return PERBLOCK_BATCH_MS +
           (ceil(rounds / together) * estimate->mean_levels * PERBLOCK_LEVEL_MS + rounds * edges * PERBLOCK_EDGE_MS) *
               busiest * (in_shared ? 1 : PERBLOCK_GLOBAL) +
           use->num_sources * written * PERBLOCK_WRITE_MS;
}

static double single_ms(const struct estimate_of_searches *estimate, const struct use_of_searches *use)
{
    return use->num_sources * (SINGLE_SEARCH_MS + estimate->mean_levels * SINGLE_LEVEL_MS +
                               searches_sum(estimate, estimate->left, estimate->left_beyond) * SINGLE_EDGE_MS);
}

/* Returns the time of ibfs's coalesced schemes. A level reads each edge once, or fewer if all searches together find
 * few vertices. */
static double ibfs_ms(const struct estimate_of_searches *estimate, const struct use_of_searches *use)
{
    double batches = ceil(use->num_sources / IBFS_TOGETHER), searches = use->num_sources / batches;
    double levels = estimate->num_levels + estimate->levels_beyond;
    double edges = estimate->levels_beyond * fmin(searches * estimate->left_beyond, estimate->edges);
    for (uint32_t l = 0; l < estimate->num_levels; l++)
        edges += fmin(searches * estimate->left[l], estimate->edges);
    return batches * (levels * (IBFS_LEVEL_MS + estimate->vertices * IBFS_VERTEX_MS) + edges * IBFS_EDGE_MS);
}

static const struct design {
    const char *name;
    unsigned only; /* the only outputs that it gives; 0: it gives all of msbfs */
    const char *only_in_words;
    double (*search_ms)(const struct estimate_of_searches *estimate, const struct use_of_searches *use);
    double build_ms, build_vertex_ms, build_edge_ms; /* time to prepare: a constant, per vertex and per edge */
} designs[NUM_DESIGNS] = {
    {"bitparallel", 0, "", bitparallel_ms, BITPARALLEL_BUILD_MS, 0, BITPARALLEL_BUILD_EDGE_MS},
    {"perblock", 0, "", perblock_ms, PERBLOCK_BUILD_MS, PERBLOCK_BUILD_VERTEX_MS, 0},
    {"single", OUTPUT_LEVEL, "levels", single_ms, SINGLE_BUILD_MS, 0, 0},
    {"ibfs", OUTPUT_LENGTH, "lengths of paths", ibfs_ms, IBFS_BUILD_MS, 0, 0},
};

static bool gives(enum msbfs_design design, unsigned outputs)
{
    return designs[design].only == 0 || designs[design].only == outputs;
}

static double build_ms(enum msbfs_design design, const struct estimate_of_searches *estimate)
{
    const struct design *of = &designs[design];
    return of->build_ms + estimate->vertices * of->build_vertex_ms + estimate->edges * of->build_edge_ms;
}

static double searches_ms(enum msbfs_design design, const struct estimate_of_searches *estimate,
                          const struct use_of_searches *use)
{
    return gives(design, use->outputs) ? designs[design].search_ms(estimate, use) : HUGE_VAL;
}

double msbfs_predicted_ms(enum msbfs_design design, const struct estimate_of_searches *estimate,
                          const struct use_of_searches *use)
{
    bool counts = use->num_sources < MANY_SOURCES; /* preparing counts */
    return searches_ms(design, estimate, use) + (counts ? build_ms(design, estimate) : 0);
}

enum msbfs_design msbfs_fastest(const struct estimate_of_searches *estimate, const struct use_of_searches *use)
{
    unsigned best = 0;
    double least_ms = HUGE_VAL;
    for (unsigned i = 0; i < NUM_DESIGNS; i++) {
        double ms = msbfs_predicted_ms((enum msbfs_design)i, estimate, use);
        best = ms < least_ms ? i : best;
        least_ms = fmin(ms, least_ms);
    }
    return (enum msbfs_design)best;
}

} // namespace BACKEND::automatic_msbfs
