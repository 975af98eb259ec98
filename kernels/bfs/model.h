/* model.h: the model of `bfs auto`. Estimates the number of levels of a BFS, predicts the times of the k-hop BFS and
 * of level-by-level BFSs on an H200, and chooses. Plain C, so that tests/unit/test_bfs_model.c can check it on graphs
 * with measured times. auto.cu explains the ideas. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "khop/ball_growth.h"

#define DEEP_LEVELS    50.0 /* from this many levels on, a graph is deep */
#define SHALLOW_LEVELS 10.0 /* assumed number of levels if balls exceed the bound after one step */
#define MOST_SHARE_CUT 0.1  /* if a larger share of sampled balls exceeds the bound, the mean is not used */
#define MANY_TRIALS    16
/* khop is preferred if predicted to be so many times as fast. It is slow in graphs whose levels are wide or whose
 * balls differ much in size, which the model does not see. */
#define KHOP_FACTOR     2.0
#define KHOP_FACTOR_FEW 1.5 /* below MANY_TRIALS sources */

/* Balls grow exponentially if each shell is at least SHELL_FACTOR times the one before, and that factor is at least
 * STEADY_FACTOR times the previous factor. In a space of dimension p the factor is only (r / (r - 1))^(p - 1).
 * The quotient of successive factors is 0.8 to 1 in random, web and citation graphs, and at most 0.3 in meshes with
 * as few levels. */
#define SHELL_FACTOR  1.5
#define STEADY_FACTOR 0.7

/* Times in milliseconds on an H200. For each entry of a ball, an atomic lowers a level. */
#define BUILD_MS               1.0     /* building an index: fixed */
#define BUILD_LEVEL_MS         0.75e-6 /* per vertex and level of its ball */
#define BUILD_EDGE_MS          8e-9    /* per edge and entry of the mean ball; at radius 1 only per edge */
#define ROUND_MS               2.9e-3  /* a round with the index: fixed */
#define ROUND_ENTRY_MS         8e-6    /* per entry of the mean ball */
#define CACHED_VERTICES        13e6    /* number of vertices whose levels fit into the L2 cache */
#define CACHED_ENTRY_MS        6e-9    /* an entry, if its level is in L2 */
#define ENTRY_MS               35e-9   /* an entry otherwise */
#define SWEEP_VERTEX_MS        2e-9    /* per vertex, for a round with more items than the lists hold */
#define CLUSTER_LEVEL_MS       2.2e-3  /* without an index: per level */
#define CACHED_CLUSTER_EDGE_MS 32e-9   /* per edge, if levels are in L2 */
#define CLUSTER_EDGE_MS        190e-9  /* per edge otherwise */
#define SHALLOW_EDGE_MS        40e-9   /* with the index, if the graph is shallow: per edge */
#define DOBFS_LEVEL_MS         5e-3    /* a BFS level by level, with any engine: per level */
#define DOBFS_EDGE_MS          20e-9   /* per edge */
/* Levels count as wide if the mean level has at least this many vertices: khop's lists (1,024 items in each of 128
 * blocks) then overflow. The divisor allows for levels wider than the mean, and for a mean estimated too low because
 * the number of levels is estimated too high. */
#define WIDE_LEVEL (128 * 1024 / 8.0)

/* ---- estimating the number of levels ---- */

struct estimate {
    double vertices, edges;
    double levels; /* levels of a BFS, estimated from the growth or a sample of searches */
    bool near_ids; /* the ends of nearly all edges have near ids */
    struct ball_growth growth;
};

/* Returns the largest radius whose mean ball size is reliable. */
static inline unsigned counted_radius(const struct ball_growth *growth)
{
    unsigned radius = 1;
    while (radius < SAMPLED_RADIUS && growth->share_over[radius + 1] <= MOST_SHARE_CUT)
        radius++;
    return radius;
}

/* Returns by what factor the shell at `radius` >= 2 is larger than the one before; 0 if growth is not exponential. */
static inline double factor_of_shells(const struct ball_growth *growth, unsigned radius)
{
    double shells[3] = {1, 0, 0}; /* number of vertices at distance radius - 2, radius - 1, radius */
    for (unsigned i = 0; i < 3; i++)
        if (radius + i > 2)
            shells[i] = growth->mean_entries[radius + i - 2] - growth->mean_entries[radius + i - 3];
    double before = shells[1] / shells[0], factor = shells[2] / shells[1];
    return factor >= SHELL_FACTOR && factor >= STEADY_FACTOR * before ? factor : 0;
}

static inline double expected_levels(const struct ball_growth *growth, double vertices)
{
    unsigned radius = counted_radius(growth), half = (radius + 1) / 2;
    double ball = growth->mean_entries[radius], half_ball = growth->mean_entries[half];
    if (half == radius || half_ball <= 0 || ball <= half_ball) /* no ball was counted, or balls do not grow */
        return SHALLOW_LEVELS;
    double factor = factor_of_shells(growth, radius);
    if (factor > 0)
        return 2 * (radius + log(fmax(vertices / ball, 1)) / log(factor));
    double exponent = log(ball / half_ball) / log((double)radius / half);
    return 2 * radius * pow(fmax(vertices / ball, 1), 1 / exponent);
}

/* Returns whether a BFS has many levels, each with a small share of the edges. */
static inline bool is_deep(const struct estimate *estimate)
{
    return estimate->levels >= DEEP_LEVELS;
}

static inline bool has_wide_levels(const struct estimate *estimate)
{
    return estimate->vertices / estimate->levels >= WIDE_LEVEL;
}

/* ---- predicting times ---- */

/* Returns whether the levels that are accessed at one time fit into the L2 cache. */
static inline bool is_cached(const struct estimate *estimate)
{
    return estimate->vertices <= CACHED_VERTICES || estimate->near_ids;
}

/* Predicts the time of a traversal with balls of radius k, at least 1. */
static inline double khop_ms(const struct estimate *estimate, unsigned k)
{
    double ball = estimate->growth.mean_entries[k];
    double entry_ms = is_cached(estimate) ? CACHED_ENTRY_MS : ENTRY_MS;
    double sweep_ms = has_wide_levels(estimate) ? estimate->vertices * SWEEP_VERTEX_MS : 0;
    double round_ms = ROUND_MS + ball * ROUND_ENTRY_MS + sweep_ms;
    return estimate->levels / k * round_ms + estimate->vertices / k * ball * entry_ms;
}

/* Predicts the time of a traversal without an index. */
static inline double cluster_ms(const struct estimate *estimate)
{
    double edge_ms = is_cached(estimate) ? CACHED_CLUSTER_EDGE_MS : CLUSTER_EDGE_MS;
    return estimate->levels * CLUSTER_LEVEL_MS + estimate->edges * (estimate->edges / estimate->vertices) * edge_ms;
}

static inline double by_levels_ms(const struct estimate *estimate)
{
    return estimate->levels * DOBFS_LEVEL_MS + estimate->edges * DOBFS_EDGE_MS;
}

/* Predicts the time of preparing and `trials` traversals with balls of radius k; k = 0: without an index. */
static inline double total_ms(const struct estimate *estimate, unsigned k, int trials)
{
    if (k == 0)
        return trials * cluster_ms(estimate);
    double ball = estimate->growth.mean_entries[k], scanned = k == 1 ? 1 : ball;
    double build = BUILD_MS + estimate->vertices * (k * BUILD_LEVEL_MS) + estimate->edges * scanned * BUILD_EDGE_MS;
    return build + trials * khop_ms(estimate, k);
}

/* Returns the radius that minimises total_ms; 0: no index. */
static inline unsigned cheapest_radius(const struct estimate *estimate, int trials)
{
    unsigned best = 0, most = counted_radius(&estimate->growth);
    for (unsigned k = 1; k <= most && k <= LARGEST_RADIUS; k++)
        if (total_ms(estimate, k, trials) < total_ms(estimate, best, trials))
            best = k;
    return best;
}

/* Returns approximately the radius that khop chooses without limits (khop/build.cuh): of the radii at which no
 * sampled ball exceeds the bound, the one with the least round time per level. */
static inline unsigned usual_radius(const struct estimate *estimate)
{
    unsigned best = 1;
    double least = INFINITY;
    for (unsigned k = 1; k <= LARGEST_RADIUS && (k == 1 || estimate->growth.share_over[k] == 0); k++) {
        double ms = (ROUND_MS + estimate->growth.mean_entries[k] * ROUND_ENTRY_MS) / k;
        best = ms < least ? k : best;
        least = ms < least ? ms : least;
    }
    return best;
}

/* Returns khop's radius. With few trials, the time to build the index counts as well. */
static inline unsigned radius_for(const struct estimate *estimate, int trials)
{
    return trials < MANY_TRIALS ? cheapest_radius(estimate, trials) : usual_radius(estimate);
}

/* Predicts how many times as fast the k-hop BFS is as a level-by-level BFS; 0 if the graph is not deep. With few
 * trials, khop has no index, or the time to build it counts. */
static inline double lead_of_khop(const struct estimate *estimate, int trials)
{
    unsigned radius = radius_for(estimate, trials);
    double ms = trials < MANY_TRIALS ? total_ms(estimate, radius, trials) : trials * khop_ms(estimate, radius);
    return is_deep(estimate) ? trials * by_levels_ms(estimate) / ms : 0;
}

/* Returns whether the k-hop BFS is expected to win. */
static inline bool is_for_khop(const struct estimate *estimate, int trials)
{
    return lead_of_khop(estimate, trials) > (trials < MANY_TRIALS ? KHOP_FACTOR_FEW : KHOP_FACTOR);
}

/* Returns whether WarpNet's queue, with a thread per frontier vertex, is expected to win if khop is not. */
static inline bool is_for_queue(const struct estimate *estimate)
{
    return is_deep(estimate) && has_wide_levels(estimate);
}
