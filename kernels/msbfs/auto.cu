/* auto.cu: `msbfs auto`, searches from many sources for users who do not want to choose a design. It follows some
 * sampled searches through the graph. From their levels and edges it predicts which of four designs is the fastest
 * for the given sources:
 *
 * - bitparallel: all searches of a batch together, level by level (bitparallel/bitparallel.cu). A level of many edges
 *   reads the graph once, whatever the number of searches. But every level takes at least a few microseconds.
 * - perblock: each search by itself, in a block (perblock/perblock.cu). A level takes a microsecond. But each search
 *   reads all edges that it meets, on one multiprocessor.
 * - single: one search after another by `bfs auto`. Each has the whole GPU, and `bfs auto` switches directions. This
 *   is best for few searches.
 * - ibfs: 1,024 searches together, each until it finds its destinations (ibfs/ibfs.cu). It gives lengths of paths
 *   only. It is best for 1,000 pairs and more on graphs of few levels and up to about 3 million edges.
 *
 * So bitparallel wins if edges are many and levels few, and perblock in the opposite case: bitparallel reads each
 * edge once per heavy level, perblock once per search, both at about the same rate. A graph with a core and long
 * tails (web graphs, citations, histories) has few heavy levels. Bitparallel wins there even if the tails are long,
 * up to some thousand levels. In a mesh, the levels of any 256 searches together are heavy from the first to the
 * last. Perblock wins there from some hundred levels on.
 *
 * If the predictions of two designs are close and many sources follow, both are prepared and run one or more batches,
 * and the faster one is kept (autotune/autotune.h). */
#include "auto.h"

#include <float.h>

#include "../autotune/autotune.h"
#include "../bfs/engines.h"
#include "../device/warp.cuh"
#include "model.cuh"

GPU_ALGORITHM(msbfs_bitparallel);
GPU_ALGORITHM(msbfs_perblock);
GPU_ALGORITHM(msbfs_ibfs_auto);
extern "C" const struct algorithm msbfs_adaptive;

namespace BACKEND
{

/* The prepare steps of these designs, for a graph that is on the device; run->graph is the same graph on the
 * host. The state takes over the graph. The caller frees anything left in *graph, and always calls release. */
namespace bitparallel
{
int prepare(struct run *run, struct gpu_graph *graph);
}
namespace perblock
{
int prepare(struct run *run, struct gpu_graph *graph);
}
namespace ibfs
{
int prepare(struct run *run, struct gpu_graph *graph);
}

} // namespace BACKEND

namespace BACKEND::automatic_msbfs
{

/* A design is measured if its predicted time is at most this multiple of the best. The quotient of two predictions is
 * wrong by a factor of up to 2.5, unless one design is many times faster. */
#define UNSURE_FACTOR 3.0
#define PAIRS_FOR_CPU 16   /* up to this number of pairs, the CPU is faster: results/nvidia-h200/call_model.csv */
#define BUDGET_MS     30.0 /* total time that may be spent on measuring designs that are not chosen */
/* Free memory that two designs need together, per vertex: levels of a batch, planes, and the blocks' queues. */
#define BYTES_OF_VERTEX 4096.0

/* ---- choosing ---- */

enum { ENGINE, BATCH, MEASURE };
enum { ENGINE_AUTO, ENGINE_FIRST }; /* engine of a design: ENGINE_FIRST + design */
static const struct option_spec msbfs_auto_options[] = {
    CHOICE_OPTION("engine", ENGINE_AUTO, "auto|bitparallel|perblock|single|ibfs",
                  "how searches run; auto: chosen by a sample of them, the number of sources, and measurement; "
                  "single: one after another, levels only; ibfs: lengths of paths only"),
    NUMBER_OPTION("batch", 0, 0, 4096, "most sources of a batch; 0: as many as the engine chooses"),
    CHOICE_OPTION("measure", MEASURE_AUTO, "auto|0|1",
                  "run batches with several engines while preparing; auto: if the model is unsure, within a budget; "
                  "1: with all"),
    {},
};

/* The algorithm of each design. */
static const struct {
    const struct algorithm *algorithm;
    int (*prepare)(struct run *run, struct gpu_graph *graph);
} engines[NUM_DESIGNS] = {
    {&BACKEND_NAME(msbfs_bitparallel), bitparallel::prepare},
    {&BACKEND_NAME(msbfs_perblock), perblock::prepare},
    {&BACKEND_NAME(bfs_auto), automatic_bfs::prepare},
    {&BACKEND_NAME(msbfs_ibfs_auto), ibfs::prepare},
};

static struct use_of_searches use_of(const struct run *run, struct error *error)
{
    size_t shared_bytes = 0;
    gpu_shared_limit(&shared_bytes, error);
    return {run->num_sources > 1 ? (double)run->num_sources : 1, run->outputs, (double)gpu_multiprocessors(error),
            (double)shared_bytes};
}

/* Returns the value of bitparallel's option `batch` (auto, 32, 64, ...): the least width that holds the batch. */
static double batch_of_bitparallel(double batch)
{
    double value = batch > 0;
    for (double room = WARP_SIZE; batch > 0 && room < batch && room < MOST_TOGETHER; room *= 2)
        value++;
    return value;
}

/* The option `batch` goes to the designs that have one. */
static void set_up_design(const struct run *run, enum msbfs_design design, struct delegate *delegate)
{
    double batch = run->options[BATCH];
    delegate_begin(delegate, designs[design].name, engines[design].algorithm, engines[design].prepare);
    delegate_set(delegate, "batch", design == DESIGN_BITPARALLEL ? batch_of_bitparallel(batch) : batch);
}

static void add_candidate(const struct run *run, const struct estimate_of_searches *estimate,
                          const struct use_of_searches *use, enum msbfs_design design, struct autotune *tuning)
{
    struct candidate *candidate = &tuning->candidates[tuning->number++];
    set_up_design(run, design, &candidate->delegate);
    candidate->build_ms = build_ms(design, estimate);
    candidate->search_ms = searches_ms(design, estimate, use) * tuning->num_sources / use->num_sources;
}

/* Returns whether to measure designs, which needs memory for two at the same time. For path lengths measuring does
 * not pay off, since the time of the whole call counts. */
static bool measures(const struct run *run, const struct estimate_of_searches *estimate)
{
    int measure = (int)run->options[MEASURE];
    return estimate->edges > 0 && estimate->vertices * BYTES_OF_VERTEX <= (double)gpu_memory_left(run->error) &&
           (measure == MEASURE_YES ||
            (measure == MEASURE_AUTO && run->num_sources >= MANY_SOURCES && !(run->outputs & OUTPUT_LENGTH)));
}

/* Lists the candidates, first the design that the model prefers. If designs are measured, the others are those that
 * may be faster if the model is wrong; otherwise all others, in case the first cannot be prepared. */
static void list_candidates(const struct run *run, const struct estimate_of_searches *estimate,
                            const struct use_of_searches *use, struct autotune *tuning)
{
    enum msbfs_design first = msbfs_fastest(estimate, use);
    double batch = run->options[BATCH], together = fmin(use->num_sources, MOST_TOGETHER);
    bool all = (int)run->options[MEASURE] == MEASURE_YES;
    tuning->num_sources = (uint32_t)(batch > 0 ? fmin(batch, together) : together);
    double most_ms = all ? DBL_MAX : UNSURE_FACTOR * searches_ms(first, estimate, use);
    unsigned may_win = 0;
    for (unsigned i = 0; i < NUM_DESIGNS; i++)
        may_win += searches_ms((enum msbfs_design)i, estimate, use) <= most_ms;
    tuning->sources_to_come = use->num_sources;
    tuning->foreseen = INFINITY;
    tuning->budget_ms = all ? INFINITY : BUDGET_MS;
    tuning->measures = may_win > 1 && measures(run, estimate);
    add_candidate(run, estimate, use, first, tuning);
    for (unsigned i = 0; i < NUM_DESIGNS; i++)
        if (i != (unsigned)first &&
            searches_ms((enum msbfs_design)i, estimate, use) <= (tuning->measures ? most_ms : DBL_MAX))
            add_candidate(run, estimate, use, (enum msbfs_design)i, tuning);
}

/* Writes the reason for the choice, and the run's note: what the engine that the options name lacks, properties of
 * the sample, the least predicted times, and what was measured. */
static void explain(struct run *run, const struct estimate_of_searches *estimate, const struct use_of_searches *use,
                    struct autotune *tuning)
{
    struct candidate *winner = autotune_winner(tuning);
    unsigned first = msbfs_fastest(estimate, use), second = first == 0 ? 1 : 0;
    double ms[NUM_DESIGNS];
    unsigned asked = (unsigned)run->options[ENGINE];
    char measured[128], lacking[64] = "";
    if (asked != ENGINE_AUTO)
        snprintf(lacking, sizeof lacking, " (%s gives only %s)", designs[asked - ENGINE_FIRST].name,
                 designs[asked - ENGINE_FIRST].only_in_words);
    for (unsigned i = 0; i < NUM_DESIGNS; i++)
        ms[i] = msbfs_predicted_ms((enum msbfs_design)i, estimate, use);
    for (unsigned i = 0; i < NUM_DESIGNS; i++)
        second = i != first && ms[i] < ms[second] ? i : second;
    char *reason = winner->delegate.reason;
    size_t size = sizeof winner->delegate.reason;
    int length = snprintf(
        reason, size,
        "%s%s for %.0f levels of %u sampled searches and %.1f edges per vertex, predicted %s %.3g ms, %s %.3g",
        winner->delegate.name, lacking, estimate->num_levels + estimate->levels_beyond, estimate->num_searches,
        estimate->edges / estimate->vertices, designs[first].name, ms[first], designs[second].name, ms[second]);
    autotune_print(tuning, measured, sizeof measured);
    if (measured[0] != '\0')
        snprintf(reason + length, size - (size_t)length, "; %s%s",
                 winner->outcome == OUTCOME_MEASURED ? "measured " : "", measured);
    delegate_report(&winner->delegate, run);
}

/* Prepares the design that the options name if it gives the outputs, or the fastest one. */
static int choose(struct run *run, struct gpu_graph *graph, struct autotune *tuning)
{
    struct estimate_of_searches estimate;
    unsigned asked = (unsigned)run->options[ENGINE];
    if (asked != ENGINE_AUTO && gives((enum msbfs_design)(asked - ENGINE_FIRST), run->outputs)) {
        struct delegate *delegate = &tuning->candidates[tuning->number++].delegate;
        set_up_design(run, (enum msbfs_design)(asked - ENGINE_FIRST), delegate);
        snprintf(delegate->reason, sizeof delegate->reason, "%s as asked for", designs[asked - ENGINE_FIRST].name);
        return autotune_run(tuning, run, graph);
    }
    struct use_of_searches use = use_of(run, run->error);
    gpu_time_build(run, [&] { searches_sample(run->graph, graph, SAMPLED_SEARCHES, &estimate, run->error); });
    if (run->error->status != STATUS_OK)
        return run->error->status;
    list_candidates(run, &estimate, &use, tuning);
    if (autotune_run(tuning, run, graph) == STATUS_OK)
        explain(run, &estimate, &use, tuning);
    return run->error->status;
}

/* ---- the algorithm ---- */

/* Returns the CPU algorithm if pairs are few, since copying the graph to the GPU would take longer; else NULL. */
static const struct algorithm *hands_over(const double *options, uint64_t num_pairs)
{
    return (int)options[ENGINE] == ENGINE_AUTO && num_pairs <= PAIRS_FOR_CPU ? &msbfs_adaptive : NULL;
}

static int prepare(struct run *run, struct gpu_graph *graph)
{
    uint32_t most = (uint32_t)run->options[BATCH];
    choose(run, graph, (struct autotune *)run->state);
    run->batch_size = most > 0 && run->batch_size > most ? most : run->batch_size;
    return run->error->status;
}

GPU_ALGORITHM(msbfs_auto) = {
    .family = "msbfs",
    .variant = "auto",
    .title = "gtrav, bitparallel, perblock, ibfs or single searches, by model and measurement",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FARNESS | OUTPUT_LENGTH,
    .options = msbfs_auto_options,
    .state_bytes = sizeof(struct autotune),
    .prepare = uploaded<prepare>,
    .traverse = autotune_traverse,
    .fetch = autotune_fetch,
    .release = autotune_free,
    .hands_over = hands_over,
};

} // namespace BACKEND::automatic_msbfs
