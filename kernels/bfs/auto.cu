/* auto.cu: chooses the BFS for the graph and the number of sources: the k-ball BFS (kball/) or the streaming
 * BFS (stream/). It also chooses how much that BFS prepares, and gives the reason in the run's note.
 *
 * Phases: sample how balls grow, estimate the number of BFS levels, choose, then hand the graph to the chosen BFS.
 *
 * Growth. In a graph of high diameter, balls grow as in a space of few dimensions: |B(r)| = c r^p. Two radii give p.
 * From p follows the radius at which the ball is the whole graph; a BFS has about twice as many levels. In random
 * graphs each shell is a constant factor larger than the one before, so balls grow exponentially. If the balls exceed
 * the sampling bound after one step, the graph has few levels.
 *
 * Preparing. From MANY_TRIALS sources on, the fastest traversal is chosen regardless of preparation time. With
 * fewer sources, both times count. The streaming BFS is then left unprepared: its preparation takes as long as
 * it saves in about a hundred traversals. The k-ball BFS gets the index radius, or no index, whichever
 * minimises the total time in the model below. The constants of the model are rounded measurements on an H200. */
#include "auto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../common/plan.h"
#include "kball/kball.h"
#include "stream/stream.h"

GPU_ALGORITHM(bfs_kball);
GPU_ALGORITHM(bfs_stream);

namespace BACKEND::automatic_bfs
{

#define DEEP_LEVELS    50.0 /* from this many levels on, the k-ball BFS may win */
#define SHALLOW_LEVELS 10.0 /* assumed for a graph whose balls exceed the bound after one step */
#define SAMPLES        256u
#define SAMPLED_BALL   500u /* vertices: the bound up to which a sampled ball is counted */
#define MOST_SHARE_CUT 0.1  /* if a larger share of the sampled balls exceeds the bound, the mean is not used */
#define MANY_TRIALS    16

/* Balls grow exponentially if each shell is at least SHELL_FACTOR times the one before, and that factor is at least
 * STEADY_FACTOR times the previous factor. In a space of dimension p the factor is only (r / (r - 1))^(p - 1).
 * The quotient of successive factors is 0.8 to 1 in random, web and citation graphs, and at most 0.3 in meshes with
 * as few levels. */
#define SHELL_FACTOR  1.5
#define STEADY_FACTOR 0.7

/* Milliseconds. Building an index: a constant, a cost per vertex and level of its ball, and a cost per edge and
 * entry of the mean ball. A round with the index: a constant and a cost per entry of the mean ball. Without an
 * index: a cost per level and a cost per edge. */
#define BUILD_MS         1.0
#define BUILD_LEVEL_MS   0.75e-6
#define BUILD_EDGE_MS    8e-9
#define ROUND_MS         2.9e-3
#define ROUND_ENTRY_MS   8e-6
#define CLUSTER_LEVEL_MS 2.2e-3
#define CLUSTER_EDGE_MS  32e-9
#define STREAM_LEVEL_MS  5e-3

/* ---- estimating the number of levels ---- */

struct outlook {
    double vertices, edges;
    double levels; /* of a BFS, estimated from the growth */
    struct kball::ball_growth growth;
};

/* The largest radius whose mean ball size is reliable. */
static unsigned counted_radius(const struct kball::ball_growth *growth)
{
    unsigned radius = 1;
    while (radius < SAMPLED_RADIUS && growth->share_over[radius + 1] <= MOST_SHARE_CUT)
        radius++;
    return radius;
}

/* If balls grow exponentially: the size of the shell at `radius` divided by that of the shell before; else 0.
 * radius is at least 2. */
static double factor_of_shells(const struct kball::ball_growth *growth, unsigned radius)
{
    double shells[3] = {1, 0, 0}; /* number of vertices at distance radius - 2, radius - 1, radius */
    for (unsigned i = 0; i < 3; i++)
        if (radius + i > 2)
            shells[i] = growth->mean_entries[radius + i - 2] - growth->mean_entries[radius + i - 3];
    double before = shells[1] / shells[0], factor = shells[2] / shells[1];
    return factor >= SHELL_FACTOR && factor >= STEADY_FACTOR * before ? factor : 0;
}

static double expected_levels(const struct kball::ball_growth *growth, double vertices)
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

/* Samples the balls and fills *outlook. Adds the time to run->build_ms. Returns a status and fills run->error. */
static int look_ahead(struct run *run, const struct gpu_graph *graph, struct outlook *outlook)
{
    struct device *device = run->device;
    double kernel_ms;
    *outlook = {(double)graph->num_vertices, (double)graph->num_edges, 0, {}};
    device->mark(device, MARK_BEGIN);
    kball::ball_growth_sample(graph, SAMPLES, SAMPLED_BALL, &outlook->growth, run->error);
    device->mark(device, MARK_END);
    device->elapsed(device, &run->build_ms, &kernel_ms, run->error);
    outlook->levels = expected_levels(&outlook->growth, outlook->vertices);
    return run->error->status;
}

/* Predicted time of preparation and `trials` traversals with balls of radius k; k = 0: without an index. */
static double total_ms(const struct outlook *outlook, unsigned k, int trials)
{
    if (k == 0)
        return trials * (outlook->levels * CLUSTER_LEVEL_MS +
                         outlook->edges * (outlook->edges / outlook->vertices) * CLUSTER_EDGE_MS);
    double ball = outlook->growth.mean_entries[k];
    double build = BUILD_MS + outlook->vertices * (k * BUILD_LEVEL_MS) + outlook->edges * ball * BUILD_EDGE_MS;
    return build + trials * outlook->levels / k * (ROUND_MS + ball * ROUND_ENTRY_MS);
}

/* The radius that minimises total_ms; 0: no index. */
static unsigned cheapest_radius(const struct outlook *outlook, int trials)
{
    unsigned best = 0, most = counted_radius(&outlook->growth);
    for (unsigned k = 1; k <= most && k <= LARGEST_RADIUS; k++)
        if (total_ms(outlook, k, trials) < total_ms(outlook, best, trials))
            best = k;
    return best;
}

/* ---- choosing ---- */

enum { ENGINE, PREPARED, K, INDEX_MB };
enum engine_choice { ENGINE_AUTO, ENGINE_KBALL, ENGINE_STREAM };
enum { PREPARED_AUTO, PREPARED_NO, PREPARED_YES };
static const struct option_spec auto_options[] = {
    {"engine", ENGINE_AUTO, 0, 0, "auto|kball|stream",
     "which BFS; auto: kball if balls grow slowly, or if k or index-mb is set"},
    {"prepare", PREPARED_AUTO, 0, 0, "auto|0|1", "whether that BFS may prepare; auto: by the number of sources"},
    {"k", 0, 0, LARGEST_RADIUS, NULL, "radius of kball's balls; 0: by the growth of balls and the number of sources"},
    {"index-mb", -1, -1, 1 << 20, NULL,
     "device memory for kball's index in MB; 0: none; -1: a quarter of the free memory"},
    {},
};

static void explain(const struct run *run, const struct outlook *outlook, const char *engine, struct plan *plan)
{
    snprintf(plan->reason, sizeof plan->reason, "%s for about %.0f levels and %d trial%s", engine, outlook->levels,
             run->num_trials, run->num_trials == 1 ? "" : "s");
}

/* Plans the k-ball BFS. If the index options are set, they decide on the index, otherwise the number of trials
 * does. */
static void plan_kball(const struct run *run, const struct outlook *outlook, struct plan *plan)
{
    int prepared = (int)run->options[PREPARED];
    double k = run->options[K], index_mb = run->options[INDEX_MB];
    plan_begin(plan, &BACKEND_NAME(bfs_kball), kball::prepare);
    if (prepared == PREPARED_AUTO && k == 0 && index_mb < 0 && run->num_trials < MANY_TRIALS) {
        k = cheapest_radius(outlook, run->num_trials);
        index_mb = k == 0 ? 0 : index_mb;
    }
    plan_set(plan, "k", k);
    plan_set(plan, "index-mb", prepared == PREPARED_NO ? 0 : index_mb);
    explain(run, outlook, "kball", plan);
}

static void plan_stream(const struct run *run, const struct outlook *outlook, struct plan *plan)
{
    int prepared = (int)run->options[PREPARED];
    plan_begin(plan, &BACKEND_NAME(bfs_stream), stream::prepare);
    if (prepared == PREPARED_AUTO)
        prepared = run->num_trials >= MANY_TRIALS ? PREPARED_YES : PREPARED_NO;
    plan_set(plan, "prepare", prepared == PREPARED_YES);
    explain(run, outlook, "stream", plan);
}

/* Whether the k-ball BFS is expected to win: the graph is deep, and there are either many trials, or enough
 * levels that the k-ball BFS wins although it builds its index for a few trials or uses none. */
static bool is_for_kball(const struct outlook *outlook, int trials)
{
    return outlook->levels >= DEEP_LEVELS &&
           (trials >= MANY_TRIALS ||
            total_ms(outlook, cheapest_radius(outlook, trials), trials) < trials * outlook->levels * STREAM_LEVEL_MS);
}

static void choose(const struct run *run, const struct outlook *outlook, struct plan *plan)
{
    int engine = (int)run->options[ENGINE];
    bool for_kball = run->options[K] > 0 || run->options[INDEX_MB] >= 0 || is_for_kball(outlook, run->num_trials);
    if (engine == ENGINE_KBALL || (engine == ENGINE_AUTO && for_kball))
        plan_kball(run, outlook, plan);
    else
        plan_stream(run, outlook, plan);
}

/* ---- the algorithm ---- */

static int traverse(struct run *run, const struct query *query)
{
    return plan_traverse((struct plan *)run->state, query);
}

static int fetch(struct run *run, struct traversal *result)
{
    return plan_fetch((struct plan *)run->state, result);
}

static void release(struct run *run)
{
    if (run->state != NULL)
        plan_release((struct plan *)run->state);
    free(run->state);
}

int bfs_auto_prepare(struct run *run, struct gpu_graph *graph)
{
    struct outlook outlook;
    if (allocate_zeroed(&run->state, 1, sizeof(struct plan), "the GPU's state", run->error) != STATUS_OK ||
        look_ahead(run, graph, &outlook) != STATUS_OK)
        return run->error->status;
    struct plan *plan = (struct plan *)run->state;
    choose(run, &outlook, plan);
    return plan_prepare(plan, run, graph);
}

GPU_ALGORITHM(bfs_auto) = {
    .family = "bfs",
    .variant = "auto",
    .title = "gtrav, k-ball or streaming, by graph and number of sources",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = auto_options,
    .prepare = uploaded<bfs_auto_prepare>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};

} // namespace BACKEND::automatic_bfs
