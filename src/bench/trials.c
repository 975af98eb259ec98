/* trials.c: the one trial loop. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../graph/write.h"
#include "../progress.h"
#include "bench.h"
#include "translate.h"

/* ---- statistics ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int median(const struct trial *trials, int count, double *middle, struct error *error)
{
    double *sorted;
    if (allocate(&sorted, (size_t)count, sizeof *sorted, "the median", error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < count; i++)
        sorted[i] = trials[i].kernel_ms;
    qsort(sorted, (size_t)count, sizeof *sorted, compare_doubles);
    *middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return STATUS_OK;
}

const char *verified_word(const struct trial *trials, int count)
{
    int verified = 0;
    for (int i = 0; i < count; i++) {
        if (trials[i].verdict == VERIFY_FAILED)
            return "FAILED";
        verified += trials[i].verdict == VERIFIED;
    }
    return count > 0 && verified == count ? "all" : verified > 0 ? "first" : "none";
}

int summarize(const struct trial *trials, int count, struct summary *summary, struct error *error)
{
    *summary = (struct summary){.trials = count, .verified = verified_word(trials, count)};
    if (count == 0)
        return STATUS_OK;
    double time = 0, kernel = 0, squares = 0, mteps = 0, inverse = 0, batch_kernel = 0;
    int with_edges = 0, in_batches = 0;
    summary->min_kernel_ms = INFINITY;
    for (int i = 0; i < count; i++) {
        time += trials[i].time_ms;
        kernel += trials[i].kernel_ms;
        mteps += trials[i].mteps;
        summary->min_kernel_ms = fmin(summary->min_kernel_ms, trials[i].kernel_ms);
        summary->max_kernel_ms = fmax(summary->max_kernel_ms, trials[i].kernel_ms);
        if (trials[i].mteps > 0) {
            inverse += 1 / trials[i].mteps;
            with_edges++;
        }
        if (trials[i].quality.known) {
            summary->trees++;
            summary->mean_tree_depth += trials[i].quality.tree_depth;
            summary->mean_cross_share += trials[i].quality.cross_share;
        }
    }
    if (summary->trees > 0) {
        summary->mean_tree_depth /= summary->trees;
        summary->mean_cross_share /= summary->trees;
    }
    for (int i = 0; i < count; i++)
        if (trials[i].batch > summary->batch_sources)
            summary->batch_sources = trials[i].batch;
    for (int i = 0; i < count; i++) /* a mean over the sources of the largest batches, times their size */
        if (trials[i].batch == summary->batch_sources) {
            batch_kernel += trials[i].kernel_ms * trials[i].batch;
            in_batches++;
        }
    summary->batch_kernel_ms = batch_kernel / in_batches;
    summary->mean_time_ms = time / count;
    summary->mean_kernel_ms = kernel / count;
    summary->mean_mteps = mteps / count;
    summary->harmonic_mean_mteps = with_edges > 0 ? with_edges / inverse : 0;
    for (int i = 0; i < count; i++) {
        double distance = trials[i].kernel_ms - summary->mean_kernel_ms;
        squares += distance * distance;
    }
    if (count > 1 && summary->mean_kernel_ms > 0)
        summary->kernel_spread = sqrt(squares / (count - 1)) / summary->mean_kernel_ms;
    return median(trials, count, &summary->median_kernel_ms, error);
}

/* ---- trials ---- */

static unsigned outputs_of(const struct bench_request *request)
{
    const struct algorithm *algorithm = request->algorithm;
    unsigned all = algorithm->outputs | algorithm->on_request;
    if (request->aggregates)
        return all & OUTPUT_SUMS ? OUTPUT_SUMS : all & OUTPUT_FAR;
    return algorithm->outputs | (request->parents ? algorithm->on_request & OUTPUT_PARENT : 0);
}

/* batch_size: sources that one traversal takes at most. */
static int allocate_outputs(const struct bench_request *request, uint32_t batch_size, struct traversal *outputs,
                            struct error *error)
{
    unsigned wanted = outputs_of(request);
    size_t n = request->graph->num_vertices;
    if (wanted & OUTPUT_VISITED)
        allocate(&outputs->visited, n, sizeof *outputs->visited, "the result", error);
    if (wanted & OUTPUT_PARENT)
        allocate(&outputs->parent, n, sizeof *outputs->parent, "the result", error);
    if (wanted & OUTPUT_LEVEL)
        allocate(&outputs->level, n, sizeof *outputs->level, "the result", error);
    if (wanted & OUTPUT_ORDER)
        allocate(&outputs->order, n, sizeof *outputs->order, "the result", error);
    if (wanted & OUTPUT_TASKS)
        allocate(&outputs->tasks, MAX_BLOCKS, sizeof *outputs->tasks, "the result", error);
    if (wanted & OUTPUT_FINISH)
        allocate(&outputs->finish, n, sizeof *outputs->finish, "the result", error);
    if (wanted & OUTPUT_SUMS)
        allocate(&outputs->sums, batch_size, sizeof *outputs->sums, "the result", error);
    if (wanted & OUTPUT_FAR) {
        allocate(&outputs->far, n, sizeof *outputs->far, "the result", error);
        allocate(&outputs->far_count, n, sizeof *outputs->far_count, "the result", error);
    }
    return error->status;
}

static void release_outputs(struct traversal *outputs)
{
    free(outputs->visited);
    free(outputs->parent);
    free(outputs->level);
    free(outputs->order);
    free(outputs->tasks);
    free(outputs->finish);
    free(outputs->sums);
    free(outputs->far);
    free(outputs->far_count);
    free(outputs->trace);
    *outputs = (struct traversal){0};
}

/* Where the algorithm must write every entry, what it does not write is seen. */
static void poison_outputs(const struct graph *graph, uint32_t batch_size, struct traversal *outputs)
{
    size_t n = graph->num_vertices;
    if (outputs->visited != NULL)
        memset(outputs->visited, 0xa5, n * sizeof *outputs->visited);
    if (outputs->parent != NULL)
        memset(outputs->parent, 0xa5, n * sizeof *outputs->parent);
    if (outputs->level != NULL)
        memset(outputs->level, 0xa5, n * sizeof *outputs->level);
    if (outputs->order != NULL)
        memset(outputs->order, 0xa5, n * sizeof *outputs->order);
    if (outputs->tasks != NULL)
        memset(outputs->tasks, 0xa5, MAX_BLOCKS * sizeof *outputs->tasks);
    if (outputs->finish != NULL)
        memset(outputs->finish, 0xa5, n * sizeof *outputs->finish);
    if (outputs->sums != NULL)
        memset(outputs->sums, 0xa5, batch_size * sizeof *outputs->sums);
    if (outputs->far != NULL) {
        memset(outputs->far, 0xa5, n * sizeof *outputs->far);
        memset(outputs->far_count, 0xa5, n * sizeof *outputs->far_count);
    }
    outputs->num_ordered = 0;
    outputs->num_blocks = 0;
    outputs->unordered = false;
    free(outputs->trace);
    outputs->trace = NULL;
    outputs->num_trace = 0;
}

/* What the trial loop works with. */
struct loop {
    const struct bench_request *request;
    struct bench_result *result;
    struct run *run;
    struct translation *translation;
    vertex_t *sources; /* num_trials, in the ids of the graph that the algorithm is given */
    uint32_t batch_size;
    struct reach reach; /* where results are aggregates */
    FILE *tasks;        /* file for those of every block, or NULL */
};

static bool must_verify(const struct bench_request *request, int trial)
{
    return request->verify == VERIFY_ALL || (request->verify == VERIFY_FIRST && trial == 0);
}

static void note_wrong(const struct loop *loop, const struct trial *trial, const struct error *found)
{
    struct bench_result *result = loop->result;
    const struct algorithm *algorithm = loop->request->algorithm;
    if (result->wrong[0] != '\0')
        return;
    size_t length = (size_t)snprintf(result->wrong, sizeof result->wrong, "%s %s on %.128s", algorithm->family,
                                     algorithm->variant, loop->request->graph->name);
    if (family_of(algorithm->family)->has_sources)
        length +=
            (size_t)snprintf(result->wrong + length, sizeof result->wrong - length, " from source %u", trial->source);
    snprintf(result->wrong + length, sizeof result->wrong - length, ": %.256s", found->text);
}

/* Checks a trial's result, and looks at the tree of a right one; a wrong one is noted in the result and does not end
 * the run. first: the first of the trial's batch of num_sources. */
static int verify_trial(struct loop *loop, struct trial *trial, int first, uint32_t num_sources, struct error *error)
{
    const struct bench_request *request = loop->request;
    struct traversal *last = &loop->result->last;
    struct error found = {0};
    if (last->sums != NULL)
        verify_sums(request->graph, trial->source, last, &found);
    else if (last->far != NULL)
        verify_far(request->graph, request->sources + first, (int)num_sources, last, &found);
    else
        family_of(request->algorithm->family)
            ->verify(request->graph, trial->source, request->algorithm, last, &found);
    trial->verdict = found.status == STATUS_OK ? VERIFIED : VERIFY_FAILED;
    if (found.status == STATUS_OK)
        return tree_quality(request->graph, trial->source, last, &trial->quality, error);
    if (found.status != STATUS_WRONG)
        return error_set(error, found.status, "%s", found.text);
    note_wrong(loop, trial, &found);
    return STATUS_OK;
}

/* The algorithm's result, of a batch that of source number which, in the input's ids. What tells of the whole batch
 * comes with the first and stays. */
static int fetch_result(struct loop *loop, uint32_t which, uint32_t num_sources)
{
    bool reordered = loop->request->reordered != NULL;
    struct traversal *result = &loop->result->last, *to = reordered ? &loop->translation->fetched : result;
    struct traversal wanted = *to;
    wanted.which = which;
    if (which > 0) {
        wanted.sums = NULL;
        wanted.far = NULL;
        wanted.far_count = NULL;
    }
    poison_outputs(loop->request->graph, num_sources, &wanted);
    int status = loop->request->algorithm->fetch(loop->run, &wanted);
    wanted.sums = to->sums;
    wanted.far = to->far;
    wanted.far_count = to->far_count;
    *to = wanted;
    if (status == STATUS_OK && reordered)
        translate_result(loop->translation, num_sources, result);
    return status;
}

/* The result of one trial of a batch: fetched where it is more than what came with the batch's first, checked,
 * counted. */
static int take_result(struct loop *loop, int first, uint32_t which, uint32_t num_sources, bool verify,
                       struct error *error)
{
    const struct bench_request *request = loop->request;
    struct trial *trial = &loop->result->trials[first + (int)which];
    struct traversal *last = &loop->result->last;
    last->which = which;
    if ((which == 0 || !request->aggregates) && fetch_result(loop, which, num_sources) != STATUS_OK)
        return error->status;
    trial->verdict = NOT_VERIFIED;
    if (verify && verify_trial(loop, trial, first, num_sources, error) != STATUS_OK)
        return error->status;
    if (!request->aggregates)
        count_reached(request->graph, last, &trial->reached, &trial->edges);
    else if (reach_count(request->graph, trial->source, &loop->reach, &trial->reached, &trial->edges, error) !=
             STATUS_OK)
        return error->status;
    trial->mteps = trial->kernel_ms > 0 ? (double)trial->edges / trial->kernel_ms * 1e-3 : 0;
    return STATUS_OK;
}

/* One traversal, from num_sources sources, and its results; the trials are those from number first on. */
static int run_batch(struct loop *loop, int first, uint32_t num_sources, bool verify, struct error *error)
{
    struct device *device = loop->request->device;
    const vertex_t *sources = loop->sources + first;
    struct query query = {.source = sources[0], .sources = sources, .num_sources = num_sources};
    double time_ms, kernel_ms;
    device->mark(device, MARK_BEGIN);
    int status = loop->request->algorithm->traverse(loop->run, &query);
    device->mark(device, MARK_END);
    if (status != STATUS_OK || device->elapsed(device, &time_ms, &kernel_ms, error) != STATUS_OK)
        return error->status;
    for (uint32_t which = 0; which < num_sources && error->status == STATUS_OK; which++) {
        int number = first + (int)which;
        struct trial *trial = &loop->result->trials[number];
        trial->resumed = false;
        trial->time_ms = time_ms / num_sources;
        trial->kernel_ms = kernel_ms / num_sources;
        trial->batch = family_of(loop->request->algorithm->family)->has_batches ? num_sources : 0;
        take_result(loop, first, which, num_sources, verify && must_verify(loop->request, number), error);
        progress_set((uint64_t)number + 1);
    }
    return error->status;
}

/* Each of a batch's trials is resumed, from a batch of that size. */
static bool is_resumed(const struct loop *loop, int first, uint32_t num_sources)
{
    bool batches = family_of(loop->request->algorithm->family)->has_batches;
    for (uint32_t which = 0; which < num_sources; which++) {
        const struct trial *trial = &loop->result->trials[first + (int)which];
        if (!trial->resumed || (batches && trial->batch != num_sources))
            return false;
    }
    return true;
}

static uint32_t size_of_batch(const struct loop *loop, int first)
{
    uint32_t left = (uint32_t)(loop->result->num_trials - first);
    return left < loop->batch_size ? left : loop->batch_size;
}

/* A batch is measured whole: where records hold but a part of it, or hold it from a batch of another size, that is
 * given up. */
static int give_up_parts(struct loop *loop, struct error *error)
{
    const struct bench_request *request = loop->request;
    bool any = false;
    uint32_t size;
    for (int first = 0; first < loop->result->num_trials; first += (int)size) {
        size = size_of_batch(loop, first);
        if (is_resumed(loop, first, size))
            continue;
        for (uint32_t which = 0; which < size; which++) {
            struct trial *trial = &loop->result->trials[first + (int)which];
            any = any || trial->resumed;
            *trial = (struct trial){.source = trial->source};
        }
    }
    return any ? records_give_up(request, loop->result, error) : STATUS_OK;
}

/* Runs every trial that records do not hold. *done counts the trials from the first on that have a result. */
static int run_trials(struct loop *loop, int *done, struct error *error)
{
    const struct bench_request *request = loop->request;
    struct bench_result *result = loop->result;
    bool warm = false;
    char phase[128];
    snprintf(phase, sizeof phase, "%s %s", request->algorithm->family, request->algorithm->variant);
    progress_begin(phase, (uint64_t)result->num_trials);
    for (*done = 0; *done < result->num_trials && error->status == STATUS_OK; progress_set((uint64_t)*done)) {
        struct trial *trial = &result->trials[*done];
        uint32_t size = size_of_batch(loop, *done);
        if (trial->resumed) {
            *done += (int)size;
        } else if (stop_requested()) {
            error_set(error, STATUS_INTERRUPTED, "interrupted");
        } else if (!warm) {
            run_batch(loop, *done, size, false, error);
            warm = true;
        } else if (run_batch(loop, *done, size, true, error) == STATUS_OK) {
            *done += (int)size;
            if (loop->tasks != NULL)
                records_tasks(request, &result->last, trial->source, loop->tasks);
            else if (request->records != NULL && records_append(request, trial, size, error) == STATUS_OK)
                trace_append(request, trial, &result->last, error);
        }
    }
    progress_end();
    return error->status;
}

/* The tasks of a run that is cut off, or wrong, are not kept. */
static int run_trials_for_tasks(struct loop *loop, int *done, struct error *error)
{
    struct new_file file;
    char path[TASKS_PATH_BYTES];
    if (records_tasks_begin(loop->request, &file, path, error) != STATUS_OK)
        return error->status;
    loop->tasks = file.file;
    if (run_trials(loop, done, error) == STATUS_OK && loop->result->wrong[0] == '\0')
        return file_commit(&file, error);
    file_discard(&file);
    return error->status;
}

static int check_request(const struct bench_request *request, struct error *error)
{
    const struct algorithm *algorithm = request->algorithm;
    bool has_sources = family_of(algorithm->family)->has_sources;
    if (has_sources && request->graph->num_vertices == 0)
        return error_set(error, STATUS_INPUT, "%s: the graph has no vertices; nothing to traverse",
                         request->graph->name);
    if (has_sources && (algorithm->outputs & OUTPUT_ORDER) && request->reordered != NULL) /* lexicographic DFS */
        return error_set(error, STATUS_INPUT,
                         "%s: the order it promises is that of the graph's own ids; run it with --reorder natural",
                         request->graph->name);
    return STATUS_OK;
}

/* The most memory that was in use on the device since the last call. */
static uint64_t peak_of_memory(const struct device *device)
{
    struct device_memory *memory = device->memory;
    uint64_t peak = memory != NULL ? memory->peak_bytes : 0;
    if (memory != NULL)
        memory->peak_bytes = memory->bytes;
    return peak;
}

/* Where the results go, and the sources in the algorithm's ids; the batches are cut. */
static int begin_loop(struct loop *loop, struct error *error)
{
    const struct bench_request *request = loop->request;
    struct bench_result *result = loop->result;
    loop->batch_size = loop->run->batch_size > 0 ? loop->run->batch_size : 1;
    uint32_t room = size_of_batch(loop, 0);
    if (allocate_outputs(request, room, &result->last, error) != STATUS_OK ||
        (request->reordered != NULL &&
         allocate_outputs(request, room, &loop->translation->fetched, error) != STATUS_OK) ||
        allocate(&loop->sources, (size_t)result->num_trials, sizeof *loop->sources, "the sources", error) !=
            STATUS_OK)
        return error->status;
    for (int i = 0; i < result->num_trials; i++)
        loop->sources[i] = translate_source(loop->translation, result->trials[i].source);
    return request->records != NULL && request->tasks == NULL ? give_up_parts(loop, error) : STATUS_OK;
}

static int prepare_and_run(const struct bench_request *request, struct bench_result *result, int *done,
                           struct error *error)
{
    const struct algorithm *algorithm = request->algorithm;
    const struct graph *graph = request->reordered != NULL ? request->reordered : request->graph;
    struct run run = {.graph = graph, .device = request->device, .outputs = outputs_of(request), .error = error};
    bool batches = family_of(algorithm->family)->has_batches; /* whose size must not hang on what records hold */
    for (int i = 0; i < result->num_trials; i++)
        run.num_trials += batches || !result->trials[i].resumed;
    struct translation translation;
    struct loop loop = {.request = request, .result = result, .run = &run, .translation = &translation};
    memcpy(run.options, request->options, sizeof run.options);
    if (translation_init(&translation, request, error) != STATUS_OK)
        goto end;
    progress_begin("preparing", 0);
    peak_of_memory(request->device);
    double begin = now_ms();
    int status = algorithm->prepare(&run);
    result->prepare_ms = now_ms() - begin;
    result->build_ms = run.build_ms;
    result->peak_device_bytes = peak_of_memory(request->device);
    memcpy(result->note, run.note, sizeof result->note);
    progress_end();
    if (status == STATUS_OK && begin_loop(&loop, error) == STATUS_OK)
        (request->tasks != NULL ? run_trials_for_tasks : run_trials)(&loop, done, error);
    result->device_bytes = peak_of_memory(request->device);
    if (result->device_bytes > result->peak_device_bytes)
        result->peak_device_bytes = result->device_bytes;
    algorithm->release(&run);
end:
    free(loop.sources);
    reach_release(&loop.reach);
    release_outputs(&translation.fetched);
    translation_release(&translation);
    return error->status;
}

int bench_run(const struct bench_request *request, struct bench_result *result, struct error *error)
{
    int done = 0;
    bool complete = false, recorded = request->records != NULL && request->tasks == NULL;
    *result = (struct bench_result){.load_ms = request->load_ms, .reorder_ms = request->reorder_ms};
    if (check_request(request, error) != STATUS_OK ||
        allocate_zeroed(&result->trials, (size_t)request->num_sources, sizeof *result->trials, "the trials", error) !=
            STATUS_OK)
        return error->status;
    result->num_trials = request->num_sources;
    for (int i = 0; i < result->num_trials; i++)
        result->trials[i].source = request->sources != NULL ? request->sources[i] : NO_VERTEX;
    if (recorded && records_resume(request, result, &complete, error) != STATUS_OK)
        result->num_trials = 0;
    else if (complete)
        done = result->num_trials;
    else
        prepare_and_run(request, result, &done, error);
    result->num_trials = done;
    summarize(result->trials, result->num_trials, &result->summary, error);
    if (error->status == STATUS_OK && recorded && !complete)
        records_summary(request, result, error);
    if (error->status == STATUS_OK && result->wrong[0] != '\0')
        return error_set(error, STATUS_WRONG, "%s", result->wrong);
    return error->status;
}

void bench_release(struct bench_result *result)
{
    free(result->trials);
    release_outputs(&result->last);
    *result = (struct bench_result){0};
}
