/* closeness.c: the driver: hands out batches of sources, sums up, checkpoints.
 *
 * A batch is the next sources that nobody has taken: each engine takes one when it is done with the last, so that a
 * slow one holds up nobody. What an engine sums up (far) stays with it until a checkpoint is due; then it is fetched
 * and added to the totals, and only then are the sources that it came from marked done: the totals are at any time
 * those of the sources marked, and a checkpoint is a copy of both. */
#include "closeness.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../graph/radix.h"
#include "../graph/random.h"
#include "../graph/write.h"
#include "../progress.h"
#include "engine.h"

#define CHECKPOINT_MS 1000.0
#define MAGIC         "GTRAVCLO"
#define VERSION       1u
#define WORD_BITS     64u
#define MAX_PENDING   (1u << 20) /* sources: their numbers take eight bytes each */
#define TOP_VERTICES  10         /* in the JSON */

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

/* ---- the work ---- */

/* What all workers share; each touches it in the critical section closeness_work alone, but for what is never written
 * while they are at it. */
struct work {
    const struct closeness_request *request;
    struct closeness_result *result; /* far, far_count, num_done: of the sources that are done */
    unsigned outputs;                /* OUTPUT_FAR or OUTPUT_SUMS */
    uint64_t num_sources;
    uint64_t *done;       /* a bit for each source: in the totals */
    uint64_t next;        /* sources before it are done or handed out */
    uint64_t num_taken;   /* handed out in this run */
    uint64_t num_batches; /* the same */
    double saved_ms;      /* when the last checkpoint was written */
    struct checkpoint *state;
    struct error *error;
};

/* One engine at work. */
struct worker {
    struct work *work;
    struct engine engine;
    uint64_t *pending; /* num_pending numbers of sources that the engine has summed up and not given yet */
    uint64_t num_pending, pending_capacity;
    vertex_t *batch;          /* sources of the batch at work */
    struct traversal fetched; /* far and far_count of the pending ones, or sums of the last batch */
};

static bool is_done(const struct work *work, uint64_t source)
{
    return work->done[source / WORD_BITS] >> (source % WORD_BITS) & 1;
}

/* The next sources that are left, pending with this worker from now on: how many. 0: none are. */
static uint32_t take_batch(struct worker *worker)
{
    struct work *work = worker->work;
    const vertex_t *sources = work->request->bench->sources;
    uint32_t count = 0;
#pragma omp critical(closeness_work)
    {
        for (; work->next < work->num_sources && count < worker->engine.batch_size; work->next++)
            if (!is_done(work, work->next)) {
                worker->pending[worker->num_pending++] = work->next;
                worker->batch[count++] = sources[work->next];
            }
        work->num_taken += count;
    }
    return count;
}

/* What a worker has fetched goes into the totals. Sums a source are, on a symmetric graph, the source's own far. */
static void add_fetched(struct worker *worker)
{
    struct work *work = worker->work;
    struct closeness_result *result = work->result;
    const struct traversal *fetched = &worker->fetched;
    const vertex_t *sources = work->request->bench->sources;
    if (fetched->far != NULL) {
#pragma omp parallel for
        for (vertex_t v = 0; v < work->request->bench->graph->num_vertices; v++) {
            result->far[v] += fetched->far[v];
            result->far_count[v] += fetched->far_count[v];
        }
    }
    for (uint64_t i = 0; i < worker->num_pending; i++) {
        uint64_t source = worker->pending[i];
        if (fetched->sums != NULL) {
            result->far[sources[source]] = fetched->sums[i].level_sum;
            result->far_count[sources[source]] = (uint32_t)fetched->sums[i].reached;
        }
        work->done[source / WORD_BITS] |= 1ull << (source % WORD_BITS);
    }
    result->num_done += worker->num_pending;
}

/* Adds what the engine has summed up to the totals. */
static int add_pending(struct worker *worker)
{
    if (worker->num_pending == 0)
        return STATUS_OK;
    if (engine_fetch(&worker->engine, (uint32_t)worker->num_pending, &worker->fetched) != STATUS_OK)
        return worker->engine.run.error->status;
#pragma omp critical(closeness_work)
    add_fetched(worker);
    worker->num_pending = 0;
    return STATUS_OK;
}

/* ---- checkpoints ---- */

/* Followed by the bits of the sources done, far, and far_count. Little-endian, as .gtrav files. */
struct checkpoint {
    char magic[8];
    uint32_t version, batch_sources;
    uint64_t num_vertices, num_edges, graph_hash, num_sources, sources_hash;
    uint64_t num_done;
    double time_ms, kernel_ms;
    uint64_t payload_hash;
};

/* Order-free, so that all threads can add to it. */
static uint64_t hash_words(const uint64_t *words, uint64_t count)
{
    uint64_t hash = 0;
#pragma omp parallel for reduction(+ : hash)
    for (uint64_t i = 0; i < count; i++)
        hash += random_bits(random_bits(words[i]) + i);
    return hash;
}

static uint64_t hash_vertices(const vertex_t *vertices, uint64_t count)
{
    uint64_t hash = 0;
#pragma omp parallel for reduction(+ : hash)
    for (uint64_t i = 0; i < count; i++)
        hash += random_bits(random_bits(vertices[i]) + i);
    return hash;
}

static struct checkpoint describe(const struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    const struct closeness_result *result = work->result;
    struct checkpoint state = {.version = VERSION,
                               .num_vertices = bench->graph->num_vertices,
                               .num_edges = bench->graph->num_edges,
                               .num_sources = work->num_sources,
                               .num_done = result->num_done,
                               .time_ms = result->all_time_ms,
                               .kernel_ms = result->all_kernel_ms};
    memcpy(state.magic, MAGIC, sizeof state.magic);
    state.graph_hash = hash_words(bench->graph->offsets, (uint64_t)bench->graph->num_vertices + 1) ^
                       hash_vertices(bench->graph->targets, bench->graph->num_edges);
    state.sources_hash = hash_vertices(bench->sources, work->num_sources);
    return state;
}

static uint64_t bit_words(uint64_t num_sources)
{
    return (num_sources + WORD_BITS - 1) / WORD_BITS;
}

static uint64_t hash_payload(const struct work *work)
{
    uint64_t n = work->request->bench->graph->num_vertices;
    return hash_words(work->done, bit_words(work->num_sources)) ^ random_bits(hash_words(work->result->far, n)) ^
           random_bits(hash_vertices(work->result->far_count, n) + 1);
}

/* The graph's hash is made once. */
static int save(struct work *work)
{
    struct checkpoint *state = work->state;
    const char *path = work->request->checkpoint;
    const struct closeness_result *result = work->result;
    uint64_t n = state->num_vertices, words = bit_words(work->num_sources);
    struct new_file file;
    state->num_done = result->num_done;
    state->time_ms = result->all_time_ms;
    state->kernel_ms = result->all_kernel_ms;
    state->payload_hash = hash_payload(work);
    if (file_create(&file, path, work->error) != STATUS_OK)
        return work->error->status;
    if (fwrite(state, sizeof *state, 1, file.file) == 1 &&
        fwrite(work->done, sizeof *work->done, words, file.file) == words &&
        fwrite(result->far, sizeof *result->far, n, file.file) == n &&
        fwrite(result->far_count, sizeof *result->far_count, n, file.file) == n) {
        work->saved_ms = now_ms();
        return file_commit(&file, work->error);
    }
    error_errno(work->error, "%s: cannot write", path);
    file_discard(&file);
    return work->error->status;
}

/* Takes up the state that an earlier run left, if it left one. */
static int take_up(struct work *work, struct checkpoint *state)
{
    const char *path = work->request->checkpoint;
    struct closeness_result *result = work->result;
    uint64_t n = state->num_vertices, words = bit_words(work->num_sources), marked = 0;
    struct checkpoint found;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return errno == ENOENT ? STATUS_OK : error_errno(work->error, "%s: cannot open", path);
    bool whole = fread(&found, sizeof found, 1, file) == 1 && memcmp(found.magic, MAGIC, sizeof found.magic) == 0;
    if (!whole || found.version != VERSION) {
        error_set(work->error, STATUS_INPUT, "%s: not a checkpoint of this gtrav; name another file, or remove it",
                  path);
    } else if (found.num_vertices != n || found.num_edges != state->num_edges ||
               found.graph_hash != state->graph_hash || found.num_sources != state->num_sources ||
               found.sources_hash != state->sources_hash) {
        error_set(work->error, STATUS_INPUT,
                  "%s: checkpoint of another graph, or of other sources; name another file, or remove it", path);
    } else {
        whole = fread(work->done, sizeof *work->done, words, file) == words &&
                fread(result->far, sizeof *result->far, n, file) == n &&
                fread(result->far_count, sizeof *result->far_count, n, file) == n && fgetc(file) == EOF;
        for (uint64_t w = 0; w < words; w++)
            marked += (uint64_t)__builtin_popcountll(work->done[w]);
        if (!whole || marked != found.num_done || found.payload_hash != hash_payload(work))
            error_set(work->error, STATUS_INPUT, "%s: damaged checkpoint; remove it to begin anew", path);
        result->num_done = result->num_resumed = found.num_done;
        state->batch_sources = found.batch_sources;
        result->all_time_ms = found.time_ms;
        result->all_kernel_ms = found.kernel_ms;
    }
    fclose(file);
    return work->error->status;
}

void closeness_forget(const struct closeness_request *request)
{
    if (request->checkpoint != NULL)
        unlink(request->checkpoint);
}

/* ---- the loop ---- */

static int run_batch(struct worker *worker, uint32_t count)
{
    struct work *work = worker->work;
    struct query query = {.sources = worker->batch, .num_sources = count};
    double time_ms, kernel_ms;
    if (engine_traverse(&worker->engine, &query, &time_ms, &kernel_ms) != STATUS_OK)
        return worker->engine.run.error->status;
#pragma omp critical(closeness_work)
    {
        work->result->all_time_ms += time_ms;
        work->result->all_kernel_ms += kernel_ms;
        work->result->figures.trials[work->num_batches++] = (struct trial){
            .source = worker->batch[0], .time_ms = time_ms / count, .kernel_ms = kernel_ms / count, .batch = count};
        progress_set(work->num_taken);
    }
    return STATUS_OK;
}

/* Keeps the state if it is time, or now. */
static int keep(struct worker *worker, bool now)
{
    struct work *work = worker->work;
    int status = STATUS_OK;
    bool due;
#pragma omp critical(closeness_work)
    due = work->request->checkpoint != NULL && (now || now_ms() - work->saved_ms >= CHECKPOINT_MS);
    if (!due)
        return STATUS_OK;
    if (add_pending(worker) != STATUS_OK)
        return worker->engine.run.error->status;
#pragma omp critical(closeness_work)
    status = save(work);
    return status;
}

static int run_batches(struct worker *worker)
{
    struct work *work = worker->work;
    struct error *error = worker->engine.run.error;
    uint32_t count;
    while (error->status == STATUS_OK && !stop_requested() && (count = take_batch(worker)) > 0) {
        if (run_batch(worker, count) != STATUS_OK)
            break;
        bool full = worker->num_pending + worker->engine.batch_size > worker->pending_capacity;
        if ((full || work->outputs & OUTPUT_SUMS) && add_pending(worker) != STATUS_OK)
            break;
        keep(worker, false);
    }
    if (error->status == STATUS_OK && add_pending(worker) == STATUS_OK)
        keep(worker, true);
    return error->status;
}

/* ---- what comes of it ---- */

static int make_closeness(const struct work *work)
{
    const struct graph *graph = work->request->bench->graph;
    struct closeness_result *result = work->result;
    struct reach reach = {0};
    double n = graph->num_vertices, sampled = (double)work->num_sources;
    bool exact = work->num_sources == graph->num_vertices;
    if (allocate(&result->closeness, graph->num_vertices, sizeof *result->closeness, "closeness", work->error) !=
        STATUS_OK)
        return work->error->status;
    for (vertex_t v = 0; v < graph->num_vertices && work->error->status == STATUS_OK; v++) {
        uint64_t reached = 0, edges;
        double count = result->far_count[v], far = (double)result->far[v], reaching = count;
        result->edges += result->far_count[v] * graph_degree(graph, v);
        if (!exact && graph->symmetric && reach_count(graph, v, &reach, &reached, &edges, work->error) == STATUS_OK)
            reaching = (double)reached;
        else if (!exact)
            reaching = count * n / sampled;
        double others = reaching - 1;
        result->closeness[v] = far > 0 && others > 0 ? others / (n - 1) * (others / (far * reaching / count)) : 0;
    }
    reach_release(&reach);
    return work->error->status;
}

static int verify_closeness(const struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    const struct closeness_result *result = work->result;
    struct traversal found = {.far = result->far, .far_count = result->far_count};
    vertex_t most = 0;
    if (bench->verify == VERIFY_NONE || bench->graph->num_vertices == 0)
        return STATUS_OK;
    if (bench->verify == VERIFY_ALL)
        return verify_far(bench->graph, bench->sources, bench->num_sources, &found, work->error);
    for (vertex_t v = 0; v < bench->graph->num_vertices; v++)
        most = graph_degree(bench->graph, v) > graph_degree(bench->graph, most) ? v : most;
    return verify_far_of(bench->graph, bench->sources, bench->num_sources, most, &found, work->error);
}

/* The figures as records tell them: of a source, the means over all batches, the rest over those that ran here; where
 * none did, the checkpoint tells of them. */
static int make_figures(const struct work *work)
{
    static const char *const words[] = {[VERIFY_NONE] = "none", [VERIFY_FIRST] = "first", [VERIFY_ALL] = "all"};
    struct closeness_result *result = work->result;
    struct bench_result *figures = &result->figures;
    figures->num_trials = (int)work->num_batches;
    if (summarize(figures->trials, figures->num_trials, &figures->summary, work->error) != STATUS_OK)
        return work->error->status;
    struct summary *summary = &figures->summary;
    summary->trials = (int)result->num_done;
    summary->mean_time_ms = result->num_done > 0 ? result->all_time_ms / (double)result->num_done : 0;
    summary->mean_kernel_ms = result->num_done > 0 ? result->all_kernel_ms / (double)result->num_done : 0;
    if (work->num_batches == 0) {
        summary->median_kernel_ms = summary->min_kernel_ms = summary->max_kernel_ms = summary->mean_kernel_ms;
        summary->batch_sources =
            work->state->batch_sources < result->num_done ? work->state->batch_sources : (uint32_t)result->num_done;
        summary->batch_kernel_ms = summary->batch_sources * summary->mean_kernel_ms;
    }
    figures->summary.mean_mteps =
        result->all_kernel_ms > 0 ? (double)result->edges / result->all_kernel_ms * 1e-3 : 0;
    figures->summary.harmonic_mean_mteps = figures->summary.mean_mteps;
    figures->summary.verified = words[work->request->bench->verify];
    return STATUS_OK;
}

/* far is preferred: of a batch it needs no look at what single sources found. */
static int choose_outputs(struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    unsigned all = bench->algorithm->outputs | bench->algorithm->on_request;
    bool exact = work->num_sources == bench->graph->num_vertices;
    work->outputs = all & OUTPUT_FAR ? OUTPUT_FAR : all & OUTPUT_SUMS;
    if (work->outputs == OUTPUT_SUMS && !(exact && bench->graph->symmetric))
        return error_set(
            work->error, STATUS_INPUT,
            "%s gives sums a source and no far values: enough for all sources of an undirected graph only; "
            "gtrav --list tells who gives far",
            bench->algorithm->variant);
    return STATUS_OK;
}

/* The same source twice would count twice. */
static int check_sources(const struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    uint8_t *is;
    if (allocate_zeroed(&is, bench->graph->num_vertices, 1, "closeness", work->error) != STATUS_OK)
        return work->error->status;
    for (int i = 0; i < bench->num_sources; i++)
        if (is[bench->sources[i]]++ > 0) {
            error_set(work->error, STATUS_INPUT, "closeness takes each source once; %llu is there twice",
                      (unsigned long long)graph_id(bench->graph, bench->sources[i]));
            break;
        }
    free(is);
    return work->error->status;
}

static int begin_work(struct work *work)
{
    const struct graph *graph = work->request->bench->graph;
    struct closeness_result *result = work->result;
    struct error *error = work->error;
    uint64_t n = graph->num_vertices;
    allocate_zeroed(&work->done, bit_words(work->num_sources), sizeof *work->done, "closeness", error);
    allocate_zeroed(&result->far, n, sizeof *result->far, "closeness", error);
    allocate_zeroed(&result->far_count, n, sizeof *result->far_count, "closeness", error);
    return error->status;
}

static int begin_worker(struct worker *worker)
{
    struct work *work = worker->work;
    struct error *error = work->error;
    uint32_t size = worker->engine.batch_size;
    worker->pending_capacity = MAX_PENDING > size ? MAX_PENDING : size;
    if (work->result->num_done < work->num_sources) /* else the checkpoint tells */
        work->state->batch_sources = size;
    allocate(&worker->pending, worker->pending_capacity, sizeof *worker->pending, "closeness", error);
    allocate(&worker->batch, size, sizeof *worker->batch, "closeness", error);
    allocate(&work->result->figures.trials, work->num_sources / size + 1, sizeof(struct trial), "closeness", error);
    return outputs_allocate(work->request->bench->graph, work->outputs, size, &worker->fetched, error);
}

static void end_worker(struct worker *worker)
{
    free(worker->pending);
    free(worker->batch);
    outputs_release(&worker->fetched);
}

/* All that is left, by one engine. */
static int do_work(struct work *work)
{
    const struct bench_request *bench = work->request->bench;
    struct bench_result *figures = &work->result->figures;
    struct worker worker = {.work = work};
    char phase[128];
    int status = engine_open(&worker.engine, bench, work->outputs, bench->num_sources, work->error);
    snprintf(phase, sizeof phase, "closeness %s", bench->algorithm->variant);
    progress_begin(phase, work->num_sources - work->result->num_done);
    work->saved_ms = now_ms();
    if (status == STATUS_OK && begin_worker(&worker) == STATUS_OK)
        run_batches(&worker);
    progress_end();
    engine_close(&worker.engine);
    figures->prepare_ms = worker.engine.prepare_ms;
    figures->build_ms = worker.engine.run.build_ms;
    figures->device_bytes = worker.engine.device_bytes;
    figures->peak_device_bytes = worker.engine.peak_device_bytes;
    memcpy(figures->note, worker.engine.run.note, sizeof figures->note);
    end_worker(&worker);
    if (work->error->status == STATUS_OK && work->result->num_done < work->num_sources)
        return error_set(work->error, STATUS_INTERRUPTED, "interrupted");
    return work->error->status;
}

int closeness_run(const struct closeness_request *request, struct closeness_result *result, struct error *error)
{
    const struct bench_request *bench = request->bench;
    struct checkpoint state = {0};
    struct work work = {.request = request,
                        .result = result,
                        .num_sources = (uint64_t)bench->num_sources,
                        .state = &state,
                        .error = error};
    struct bench_result *figures = &result->figures;
    *result = (struct closeness_result){.figures = {.load_ms = bench->load_ms, .reorder_ms = bench->reorder_ms}};
    if (choose_outputs(&work) != STATUS_OK || check_sources(&work) != STATUS_OK || begin_work(&work) != STATUS_OK)
        goto end;
    if (request->checkpoint != NULL) {
        state = describe(&work);
        if (take_up(&work, &state) != STATUS_OK)
            goto end;
    }
    if (do_work(&work) == STATUS_OK && make_closeness(&work) == STATUS_OK && make_figures(&work) == STATUS_OK &&
        verify_closeness(&work) == STATUS_WRONG) {
        figures->summary.verified = "FAILED";
        snprintf(figures->wrong, sizeof figures->wrong, "closeness %s on %.128s: %.256s", bench->algorithm->variant,
                 bench->graph->name, error->text);
    }
end:
    free(work.done);
    return error->status;
}

void closeness_release(struct closeness_result *result)
{
    free(result->closeness);
    free(result->far);
    free(result->far_count);
    bench_release(&result->figures);
    *result = (struct closeness_result){0};
}

/* ---- JSON ---- */

/* The vertices of highest closeness, the lower number first; returns how many there are. */
static int find_top(const struct closeness_result *result, vertex_t num_vertices, vertex_t top[TOP_VERTICES])
{
    int count = 0;
    for (vertex_t v = 0; v < num_vertices; v++) {
        int place = count;
        while (place > 0 && result->closeness[v] > result->closeness[top[place - 1]])
            place--;
        if (place == TOP_VERTICES)
            continue;
        count += count < TOP_VERTICES;
        memmove(&top[place + 1], &top[place], (size_t)(count - 1 - place) * sizeof *top);
        top[place] = v;
    }
    return count;
}

void json_closeness(FILE *file, const struct closeness_request *request, const struct closeness_result *result)
{
    const struct bench_request *bench = request->bench;
    const struct bench_result *figures = &result->figures;
    vertex_t top[TOP_VERTICES];
    int count = find_top(result, bench->graph->num_vertices, top);
    json_head(file, bench, figures);
    fprintf(file,
            ",\n  \"sources\": %d, \"exact\": %s, \"resumed\": %" PRIu64 ", \"batch_sources\": %" PRIu32
            ", \"batch_kernel_ms\": %.6f, \"time_ms\": %.6f, \"kernel_ms\": %.6f, \"edges\": %" PRIu64
            ", \"mteps\": %.3f, \"verified\": \"%s\",\n  \"top\": [",
            bench->num_sources, (vertex_t)bench->num_sources == bench->graph->num_vertices ? "true" : "false",
            result->num_resumed, figures->summary.batch_sources, figures->summary.batch_kernel_ms,
            result->all_time_ms, result->all_kernel_ms, result->edges, figures->summary.mean_mteps,
            figures->summary.verified);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s{\"vertex\": %" PRIu64 ", \"closeness\": %.17g}", i > 0 ? ", " : "",
                graph_id(bench->graph, top[i]), result->closeness[top[i]]);
    fputs("]\n}", file);
}
