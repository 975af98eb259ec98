/* closeness.c: computes closeness: hands out batches of sources and sums their results.
 *
 * A batch consists of the next sources that no one has taken (ranks_take). Each engine takes a batch when it has
 * finished the previous one, so a slow engine delays no other. The sums of an engine (farness) stay in the engine
 * until the checkpoint writer needs them for a checkpoint (checkpoint_writer.h). Then, in one step, they are fetched
 * and added to the totals of this process, and their sources are marked done. At the end rank 0 gets all totals. */
#include "closeness.h"

#include <limits.h>
#include <math.h>

#include "../farness.h"
#include "../graph/radix.h"
#include "../graph/random.h"
#include "../processes/checkpoint_writer.h"
#include "../progress.h"
#include "../verify/verify.h"
#include "device_threads.h"
#include "engine.h"
#include "trials.h"

#define MAX_PENDING (1u << 20) /* the most sources of a worker whose sums are still in its engine; 4 bytes each */

int sample_vertices(const struct graph *graph, int count, vertex_t *vertices, struct error *error)
{
    struct radix radix = {0};
    if ((uint64_t)count > graph->num_vertices)
        return error_set(error, STATUS_INPUT, "--sources %d: %s has %u vertices; leave it out for all of them", count,
                         graph->name, graph->num_vertices);
    if (!radix_reserve(&radix, graph->num_vertices)) {
        radix_release(&radix);
        return error_set(error, STATUS_INPUT, "out of memory: drawing the sources");
    }
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        radix.keys[v] = random_bits((uint64_t)GAP_SEED << 32 | v) >> 32 << 32 | v;
    radix_sort(&radix, graph->num_vertices, 0, 64);
    for (int i = 0; i < count; i++)
        vertices[i] = (vertex_t)radix.keys[i];
    radix_release(&radix);
    return STATUS_OK;
}

int draw_vertices(const struct graph *graph, int wanted, vertex_t **sources, int *count, struct error *error)
{
    *sources = NULL;
    if (wanted == 0 && graph->num_vertices > INT_MAX)
        return error_set(error, STATUS_INPUT, "%s: too many vertices to search from each; add --sources K",
                         graph->name);
    *count = wanted > 0 ? wanted : (int)graph->num_vertices;
    if (allocate(sources, (size_t)*count, sizeof **sources, "the sources", error) != STATUS_OK)
        return error->status;
    if (wanted > 0)
        return sample_vertices(graph, wanted, *sources, error);
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        (*sources)[v] = v;
    return STATUS_OK;
}

/* ---- the work ---- */

/* State shared by the workers of this process. While they work, only `writer` changes. */
struct work {
    const struct closeness_request *request;
    struct closeness_result *result;
    unsigned outputs; /* OUTPUT_FARNESS or OUTPUT_SUMS */
    uint64_t num_sources;
    uint32_t *left; /* num_left: indices of the sources that no earlier run has done; workers take these */
    uint64_t num_left;
    struct checkpoint_writer writer; /* writes the totals (in the result) to the checkpoint */
    struct checkpoint checkpoint;
    struct worker *workers; /* num_workers: one per device of this process */
    int num_workers;
    struct device_threads threads;
    double earlier_kernel_ms; /* kernel time of earlier runs */
    char if_stopped[512];     /* the text of ranks_warn() */
    struct error *error;
};

/* A thread that runs batches on one engine. */
struct worker {
    struct work *work;
    struct engine *engine; /* the engine of the request, or else `own` */
    struct engine own;
    uint32_t *pending; /* num_pending: indices of the sources whose sums are still in the engine */
    uint64_t num_pending, pending_capacity;
    vertex_t *batch;          /* batch_size: the sources of the current batch */
    uint32_t batch_size;      /* the engine's batch size, or less so that each device gets a batch */
    struct traversal fetched; /* farness and farness_count of all pending sources, or sums of the last batch */
    struct trial *trials;     /* num_trials: one per batch */
    uint64_t num_trials, trials_capacity;
    double kernel_ms;   /* kernel time of all batches */
    double download_ms; /* time of all fetches */
};

/* Takes the next sources, and adds them to the worker's pending ones. Returns their number, or 0 if none is left. */
static uint32_t take_batch(struct worker *worker)
{
    const struct work *work = worker->work;
    const vertex_t *sources = work->request->bench->sources;
    uint32_t size = worker->batch_size;
    uint64_t first = ranks_take(size);
    uint32_t count = first >= work->num_left         ? 0
                     : work->num_left - first < size ? (uint32_t)(work->num_left - first)
                                                     : size;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t source = work->left[first + i];
        worker->pending[worker->num_pending++] = source;
        worker->batch[i] = sources[source];
    }
    return count;
}

/* Adds the values that a worker has fetched to the totals. On a symmetric graph a source's sum is its farness. */
static void add_fetched(struct worker *worker)
{
    struct work *work = worker->work;
    struct totals *totals = &work->writer.totals;
    const struct traversal *fetched = &worker->fetched;
    const vertex_t *sources = work->request->bench->sources;
    if (fetched->farness != NULL) {
#pragma omp parallel for
        for (vertex_t v = 0; v < work->request->bench->graph->num_vertices; v++) {
            totals->farness[v] += fetched->farness[v];
            totals->farness_count[v] += fetched->farness_count[v];
        }
    }
    for (uint64_t i = 0; i < worker->num_pending; i++) {
        uint32_t source = worker->pending[i];
        if (fetched->sums != NULL) {
            totals->farness[sources[source]] = fetched->sums[i].level_sum;
            totals->farness_count[sources[source]] = (uint32_t)fetched->sums[i].reached;
        }
        set_bit(totals->done, source);
    }
    totals->head->num_done += worker->num_pending;
    totals->head->kernel_ms = fmax(totals->head->kernel_ms, work->earlier_kernel_ms + worker->kernel_ms);
}

/* Fetches the engine's sums and adds them to the totals. */
static int add_pending(struct worker *worker)
{
    if (worker->num_pending == 0)
        return STATUS_OK;
    if (engine_fetch(worker->engine, (uint32_t)worker->num_pending, &worker->fetched) != STATUS_OK)
        return worker->engine->run.error->status;
    worker->download_ms += worker->engine->download_ms;
    pthread_mutex_lock(&worker->work->writer.lock);
    add_fetched(worker);
    pthread_mutex_unlock(&worker->work->writer.lock);
    worker->num_pending = 0;
    return STATUS_OK;
}

/* ---- the loop ---- */

static int run_batch(struct worker *worker, uint32_t count)
{
    struct query query = {.sources = worker->batch, .num_sources = count};
    struct search_times times;
    if (engine_traverse(worker->engine, &query, &times) != STATUS_OK)
        return worker->engine->run.error->status;
    worker->kernel_ms += times.kernel_ms;
    progress_set(ranks_taken());
    if (allocate_more(&worker->trials, worker->num_trials, 1, &worker->trials_capacity, sizeof *worker->trials,
                      "the batches", worker->engine->run.error) != STATUS_OK)
        return worker->engine->run.error->status;
    worker->trials[worker->num_trials++] = (struct trial){.source = worker->batch[0],
                                                          .time_ms = times.time_ms / count,
                                                          .reset_ms = times.reset_ms / count,
                                                          .kernel_ms = times.kernel_ms / count,
                                                          .download_ms = NOT_MEASURED,
                                                          .batch = count};
    return STATUS_OK;
}

/* The worker of one device: runs batches until no source is left. */
static int run_batches(int number, void *context, struct error *error)
{
    struct work *work = context;
    struct worker *worker = &work->workers[number];
    uint32_t count;
    while (error->status == STATUS_OK && !stop_requested() && (count = take_batch(worker)) > 0) {
        if (run_batch(worker, count) != STATUS_OK)
            break;
        bool full = worker->num_pending + worker->batch_size > worker->pending_capacity;
        if ((full || work->outputs & OUTPUT_SUMS) && add_pending(worker) != STATUS_OK)
            break;
        double began_ms = now_ms();
        if (checkpoint_writer_wants(&work->writer, number) && add_pending(worker) == STATUS_OK)
            checkpoint_writer_has_added(&work->writer, number, now_ms() - began_ms);
    }
    if (stop_requested())
        ranks_stop();
    if (error->status == STATUS_OK)
        add_pending(worker);
    checkpoint_writer_worker_ends(&work->writer, number);
    return error->status;
}

/* ---- results ---- */

static int make_closeness(const struct work *work)
{
    const struct graph *graph = work->request->bench->graph;
    struct closeness_result *result = work->result;
    const struct totals *totals = &result->totals;
    struct reach reach = {0};
    double n = graph->num_vertices, sampled = (double)work->num_sources;
    bool exact = work->num_sources == graph->num_vertices;
    if (allocate(&result->closeness, graph->num_vertices, sizeof *result->closeness, "closeness", work->error) !=
        STATUS_OK)
        return work->error->status;
    for (vertex_t v = 0; v < graph->num_vertices && work->error->status == STATUS_OK; v++) {
        uint64_t reached = 0, edges;
        double count = totals->farness_count[v], farness = (double)totals->farness[v], reaching = count;
        result->edges += totals->farness_count[v] * graph_degree(graph, v);
        if (work->request->harmonic) {
            result->closeness[v] = farness / (double)harmonic_one(graph->num_vertices) * n / sampled;
            continue;
        }
        if (!exact && graph->symmetric && reach_count(graph, v, &reach, &reached, &edges, work->error) == STATUS_OK)
            reaching = (double)reached;
        else if (!exact)
            reaching = count * n / sampled;
        double others = reaching - 1;
        result->closeness[v] =
            farness > 0 && others > 0 ? others / (n - 1) * (others / (farness * reaching / count)) : 0;
    }
    reach_release(&reach);
    return work->error->status;
}

static int verify_closeness(const struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    const struct totals *totals = &work->result->totals;
    struct traversal found = {.farness = totals->farness, .farness_count = totals->farness_count};
    vertex_t most = 0;
    if (bench->verify == VERIFY_NONE || bench->graph->num_vertices == 0)
        return STATUS_OK;
    if (bench->verify == VERIFY_ALL)
        return verify_farness(bench->graph, bench->sources, (uint32_t)bench->num_sources, &found, work->error);
    for (vertex_t v = 0; v < bench->graph->num_vertices; v++)
        most = graph_degree(bench->graph, v) > graph_degree(bench->graph, most) ? v : most;
    return verify_farness_of(bench->graph, bench->sources, bench->num_sources, most, work->outputs, &found,
                             work->error);
}

/* Returns the spread of a time of which only the mean is known. */
static struct spread only_mean(double mean_ms)
{
    return (struct spread){mean_ms, mean_ms, mean_ms, mean_ms, 0};
}

/* Fills in the figures of the records. The time is the elapsed time divided by the number of sources. This is one
 * value, so median, minimum and maximum equal it. Times of batches are no sample of it, since devices work at the
 * same time. Times of resets and batches are means over this run. Without a batch, the checkpoint has their size. */
static int make_figures(const struct work *work)
{
    struct closeness_result *result = work->result;
    struct trials_result *figures = &result->figures;
    if (summarize(figures->trials, figures->num_trials, &figures->summary, work->error) != STATUS_OK)
        return work->error->status;
    struct summary *summary = &figures->summary;
    double sources = result->num_done > 0 ? (double)result->num_done : 1;
    summary->trials = (int)result->num_done;
    summary->time = only_mean(result->all_time_ms / sources);
    summary->kernel = only_mean(result->all_kernel_ms / sources);
    if (figures->num_trials == 0) {
        uint64_t size = result->totals.head->batch_sources;
        summary->batch_sources = (uint32_t)(size < result->num_done ? size : result->num_done);
        summary->batch_time_ms = summary->batch_sources * summary->time.mean_ms;
        summary->batch_kernel_ms = summary->batch_sources * summary->kernel.mean_ms;
    }
    double search_mteps = mteps_of(result->edges, result->all_time_ms);
    double mteps = mteps_of(result->edges, result->all_kernel_ms);
    summary->search_mteps = (struct rate){search_mteps, search_mteps};
    summary->total_mteps = search_mteps;
    summary->mteps = (struct rate){mteps, mteps};
    summary->download_ms = result->num_done > 0 ? result->download_ms / (double)result->num_done : NOT_MEASURED;
    figures->total_ms = figures->setup.prepare_ms + result->all_time_ms;
    summary->verified = verify_word(work->request->bench->verify);
    return STATUS_OK;
}

/* Prefers farness to sums, because farness is not fetched for each source of a batch. */
unsigned closeness_outputs(const struct algorithm *algorithm)
{
    unsigned all = all_outputs(algorithm);
    return all & OUTPUT_FARNESS ? OUTPUT_FARNESS : all & OUTPUT_SUMS;
}

static int choose_outputs(struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    bool exact = work->num_sources == bench->graph->num_vertices;
    unsigned sums = closeness_outputs(bench->algorithm), harmonic = work->request->harmonic ? OUTPUT_HARMONIC : 0;
    work->outputs = sums | harmonic;
    if (sums == 0 || (harmonic & ~all_outputs(bench->algorithm)) != 0)
        return error_set(work->error, STATUS_INPUT, "%s gives no %s; gtrav --list --long shows which algorithms do",
                         bench->algorithm->variant, sums == 0 ? "farness" : "harmonic sums");
    if (work->outputs == OUTPUT_SUMS && !(exact && bench->graph->symmetric))
        return error_set(work->error, STATUS_INPUT,
                         "%s gives no farness; without it, closeness needs an undirected graph and all its vertices "
                         "as sources; gtrav --list --long shows which variants give farness",
                         bench->algorithm->variant);
    return STATUS_OK;
}

/* Rejects a source that occurs twice: its distances would count twice. */
static int check_sources(const struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    uint8_t *is;
    if (allocate_zeroed(&is, bench->graph->num_vertices, 1, "closeness", work->error) != STATUS_OK)
        return work->error->status;
    for (int i = 0; i < bench->num_sources; i++)
        if (is[bench->sources[i]]++ > 0) {
            error_set(work->error, STATUS_INPUT, "closeness takes each source once; %s is named twice",
                      graph_id(bench->graph, bench->sources[i], (char[ID_DIGITS]){0}));
            break;
        }
    free(is);
    return work->error->status;
}

static int begin_work(struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    struct closeness_result *result = work->result;
    struct error *error = work->error;
    totals_open(&result->totals, work->num_sources, bench->graph->num_vertices, error);
    allocate_zeroed(&work->workers, (size_t)work->num_workers, sizeof *work->workers, "closeness", error);
    allocate(&work->left, work->num_sources, sizeof *work->left, "closeness", error);
    device_threads_open(&work->threads, bench->device, work->num_workers, error);
    bool keeps = work->request->checkpoint != NULL, writes = keeps && ranks()->rank == 0;
    if (error->status == STATUS_OK)
        checkpoint_writer_open(&work->writer, &result->totals, writes ? &work->checkpoint : NULL, keeps,
                               work->num_workers, error);
    work->writer.shares_processors = bench->device->kind != DEVICE_GPU;
    if (writes && error->status == STATUS_OK)
        checkpoint_open(&work->checkpoint, work->request->checkpoint, bench->graph, bench->graph_hash, bench->sources,
                        work->num_sources);
    return error->status;
}

/* Sets which sources earlier runs have done, and which are left. Only rank 0 keeps the totals of earlier runs. */
static int find_left(struct work *work)
{
    struct totals *totals = &work->writer.totals;
    uint64_t *done = NULL; /* for each rank, its set of sources that are done */
    if (ranks_agree(work->error) != STATUS_OK)
        return work->error->status;
    if (work->writer.checkpoint != NULL)
        checkpoint_take_up(&work->checkpoint, totals, work->error);
    size_t bytes = bit_words(work->num_sources) * sizeof *done;
    if (allocate(&done, bytes, 1, "closeness", work->error) == STATUS_OK)
        memcpy(done, totals->done, bytes);
    if (ranks_agree(work->error) == STATUS_OK) {
        ranks_share(done, bytes);
        ranks_share(&totals->head->batch_sources, sizeof totals->head->batch_sources);
        totals->head->time_ms = ranks_most(totals->head->time_ms);
        totals->head->kernel_ms = ranks_most(totals->head->kernel_ms);
        work->earlier_kernel_ms = totals->head->kernel_ms;
        for (uint64_t source = 0; source < work->num_sources; source++)
            if (!has_bit(done, source))
                work->left[work->num_left++] = (uint32_t)source;
        work->result->num_resumed = work->num_sources - work->num_left;
    }
    free(done);
    return work->error->status;
}

static int begin_worker(int number, void *context, struct error *error)
{
    struct work *work = context;
    struct worker *worker = &work->workers[number];
    const struct bench_request *bench = work->request->bench;
    worker->work = work;
    uint64_t share = share_of_device(bench, work->num_left);
    worker->engine->run.error = error;
    if (worker->engine == &worker->own && engine_open(&worker->own, bench, &bench->device[number], work->outputs,
                                                      share > 0 ? (int)share : bench->num_sources, error) != STATUS_OK)
        return error->status;
    uint32_t size = worker->engine->batch_size;
    size = share < size && share > 0 ? (uint32_t)share : size;
    worker->batch_size = size;
    engine_note_before(worker->engine);
    worker->pending_capacity = MAX_PENDING > size ? MAX_PENDING : size;
    allocate(&worker->pending, worker->pending_capacity, sizeof *worker->pending, "closeness", error);
    allocate(&worker->batch, size, sizeof *worker->batch, "closeness", error);
    return outputs_allocate(bench->graph, work->outputs, size, &worker->fetched, error);
}

static int end_worker(int number, void *context, struct error *error)
{
    struct work *work = context;
    struct worker *worker = &work->workers[number];
    if (worker->work != NULL)
        engine_note_after(worker->engine);
    if (worker->work != NULL && worker->engine == &worker->own)
        engine_close(&worker->own);
    free(worker->pending);
    free(worker->batch);
    free(worker->trials);
    outputs_release(&worker->fetched);
    return error->status;
}

/* Sums up the totals of all ranks on rank 0, by MPI if a GPU has failed. */
static void collect(struct work *work)
{
    struct totals *totals = &work->writer.totals;
    if (work->error->status != STATUS_OK)
        ranks_leave_gpus();
    /* No two ranks do the same source, so the sum of the sets is their union. */
    ranks_add(totals->done, bit_words(totals->num_sources), sizeof *totals->done);
    ranks_add(totals->farness, totals->num_vertices, sizeof *totals->farness);
    ranks_add(totals->farness_count, totals->num_vertices, sizeof *totals->farness_count);
    totals->head->num_done = ranks_sum(totals->head->num_done);
    totals->head->kernel_ms = ranks_most(totals->head->kernel_ms);
}

/* Sets the text that a rank prints if mpirun stops it. Comes first, since mpirun may stop the work at any time. */
static void announce(struct work *work)
{
    const char *checkpoint = work->request->checkpoint;
    snprintf(work->if_stopped, sizeof work->if_stopped,
             "told to stop, as mpirun tells all processes when one has died; %s%.300s",
             checkpoint != NULL ? "the same command goes on from " : "nothing was kept (use --checkpoint FILE)",
             checkpoint != NULL ? checkpoint : "");
    ranks_warn(work->if_stopped);
}

/* Searches until no source is left, or the run is stopped. */
static void run_workers(struct work *work)
{
    struct checkpoint_writer *writer = &work->writer;
    char phase[128];
    snprintf(phase, sizeof phase, "closeness %s", work->request->bench->algorithm->variant);
    checkpoint_writer_begin(writer, work->request->checkpoint_seconds, work->error);
    progress_begin(phase, work->num_left);
    if (work->error->status == STATUS_OK)
        device_threads_run(&work->threads, run_batches, work, work->error);
    else
        ranks_stop();
    for (int i = 0; i < work->num_workers; i++) /* the worker of a failed device may have stopped early */
        checkpoint_writer_worker_ends(writer, i);
    checkpoint_writer_end(writer, work->error);
    progress_end();
}

/* Saves the sums, also after a failure, and collects those of all ranks on rank 0. A rank that was told to stop may
 * be killed at any time, so each first saves its own sums, then rank 0 the sums of all. */
static int save_and_collect(struct work *work)
{
    struct checkpoint_writer *writer = &work->writer;
    struct error unkept = {0};
    bool keeps = work->num_left > 0; /* otherwise the checkpoint has all sums */
    if (keeps && (stop_requested() || ranks_have_failed()))
        checkpoint_writer_save(writer, &unkept);
    ranks_agree(work->error);
    if (!ranks_have_failed())
        collect(work);
    checkpoint_writer_take_time(writer);
    work->result->num_done = writer->totals.head->num_done;
    if (keeps && !ranks_have_failed() && checkpoint_writer_save(writer, &unkept) != STATUS_OK)
        error_set(work->error, unkept.status, "%s", unkept.text);
    if (work->error->status == STATUS_OK && work->result->num_done < work->num_sources)
        error_set(work->error, STATUS_INTERRUPTED, "interrupted");
    return ranks_agree(work->error);
}

/* Searches from all remaining sources, with the engines of all ranks. */
static int search(struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    if (work->num_left > 0) /* otherwise the checkpoint has it */
        work->writer.totals.head->batch_sources = work->workers[0].batch_size;
    ranks_join_gpus(bench->num_devices == 1 ? bench->device : NULL);
    announce(work);
    run_workers(work);
    return save_and_collect(work);
}

/* Gathers the times of all ranks' batches on rank 0. */
static int gather(struct work *work)
{
    struct closeness_result *result = work->result;
    struct trials_result *figures = &result->figures;
    uint64_t num_trials = 0;
    struct trial *trials = NULL;
    void *all = NULL;
    size_t bytes = 0;
    result->all_time_ms = work->writer.totals.head->time_ms;
    result->all_kernel_ms = work->writer.totals.head->kernel_ms;
    for (int i = 0; i < work->num_workers; i++)
        num_trials += work->workers[i].num_trials;
    allocate(&trials, num_trials, sizeof *trials, "the batches", work->error);
    if (ranks_agree(work->error) == STATUS_OK) {
        num_trials = 0;
        for (int i = 0; i < work->num_workers; i++)
            for (uint64_t t = 0; t < work->workers[i].num_trials; t++)
                trials[num_trials++] = work->workers[i].trials[t];
        ranks_gather(trials, num_trials * sizeof *trials, &all, &bytes, work->error);
        figures->trials = all;
        figures->num_trials = (int)(bytes / sizeof *trials);
    }
    free(trials);
    return ranks_agree(work->error);
}

static int do_work(struct work *work)
{
    struct error ignored = {0};
    for (int i = 0; i < work->num_workers; i++)
        work->workers[i].engine = work->request->engine != NULL ? work->request->engine : &work->workers[i].own;
    device_threads_run(&work->threads, begin_worker, work, work->error);
    if (ranks_agree(work->error) == STATUS_OK && search(work) == STATUS_OK)
        gather(work);
    ranks_warn(NULL);
    device_threads_run(&work->threads, end_worker, work, &ignored);
    work->result->figures.setup = work->workers[0].engine->setup;
    for (int i = 0; i < work->num_workers; i++) {
        setup_join(&work->result->figures.setup, &work->workers[i].engine->setup);
        work->result->download_ms = fmax(work->result->download_ms, work->workers[i].download_ms);
    }
    return work->error->status;
}

int closeness_run(const struct closeness_request *request, struct closeness_result *result, struct error *error)
{
    const struct bench_request *bench = request->bench;
    struct work work = {.request = request,
                        .result = result,
                        .num_sources = (uint64_t)bench->num_sources,
                        .num_workers = bench->num_devices > 0 ? bench->num_devices : 1,
                        .error = error};
    *result = (struct closeness_result){0};
    if (choose_outputs(&work) == STATUS_OK && check_sources(&work) == STATUS_OK)
        begin_work(&work);
    if (find_left(&work) == STATUS_OK && do_work(&work) == STATUS_OK && ranks()->rank == 0 &&
        make_closeness(&work) == STATUS_OK && make_figures(&work) == STATUS_OK &&
        verify_closeness(&work) == STATUS_WRONG)
        result->figures.summary.verified = "FAILED";
    checkpoint_writer_close(&work.writer);
    device_threads_close(&work.threads);
    free(work.workers);
    free(work.left);
    return error->status;
}

void closeness_release(struct closeness_result *result)
{
    free(result->closeness);
    totals_close(&result->totals);
    trials_release(&result->figures);
    *result = (struct closeness_result){0};
}
