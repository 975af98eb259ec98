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
    double time = 0, kernel = 0, squares = 0, mteps = 0, inverse = 0;
    int with_edges = 0;
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
    return algorithm->outputs | (request->parents ? algorithm->on_request & OUTPUT_PARENT : 0);
}

static int allocate_outputs(const struct bench_request *request, struct traversal *outputs, struct error *error)
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
    free(outputs->trace);
    *outputs = (struct traversal){0};
}

/* Where the algorithm must write every entry, what it does not write is seen. */
static void poison_outputs(const struct graph *graph, struct traversal *outputs)
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
    outputs->num_ordered = 0;
    outputs->num_blocks = 0;
    outputs->unordered = false;
    free(outputs->trace);
    outputs->trace = NULL;
    outputs->num_trace = 0;
}

/* Checks a trial's result, and looks at the tree of a right one; a wrong one is noted in *result and does not end the
 * run. */
static int verify_trial(const struct bench_request *request, struct trial *trial, struct bench_result *result,
                        struct error *error)
{
    struct error found = {0};
    const struct family *family = family_of(request->algorithm->family);
    family->verify(request->graph, trial->source, request->algorithm, &result->last, &found);
    trial->verdict = found.status == STATUS_OK ? VERIFIED : VERIFY_FAILED;
    if (found.status == STATUS_OK)
        return tree_quality(request->graph, trial->source, &result->last, &trial->quality, error);
    if (found.status != STATUS_OK && found.status != STATUS_WRONG)
        return error_set(error, found.status, "%s", found.text);
    if (found.status == STATUS_WRONG && result->wrong[0] == '\0') {
        size_t length =
            (size_t)snprintf(result->wrong, sizeof result->wrong, "%s %s on %.128s", request->algorithm->family,
                             request->algorithm->variant, request->graph->name);
        if (family->has_sources)
            length += (size_t)snprintf(result->wrong + length, sizeof result->wrong - length, " from source %u",
                                       trial->source);
        snprintf(result->wrong + length, sizeof result->wrong - length, ": %.256s", found.text);
    }
    return STATUS_OK;
}

/* The algorithm's result, in the input's ids. */
static int fetch_result(const struct bench_request *request, struct run *run, struct translation *translation,
                        struct traversal *result)
{
    struct traversal *to = request->reordered != NULL ? &translation->fetched : result;
    poison_outputs(request->graph, to);
    int status = request->algorithm->fetch(run, to);
    if (status == STATUS_OK && request->reordered != NULL)
        translate_result(translation, result);
    return status;
}

static int run_trial(const struct bench_request *request, struct run *run, struct translation *translation,
                     bool verify, struct trial *trial, struct bench_result *result, struct error *error)
{
    struct device *device = request->device;
    struct query query = {translate_source(translation, trial->source)};
    device->mark(device, MARK_BEGIN);
    int status = request->algorithm->traverse(run, &query);
    device->mark(device, MARK_END);
    if (status != STATUS_OK)
        return status;
    if (device->elapsed(device, &trial->time_ms, &trial->kernel_ms, error) != STATUS_OK)
        return error->status;
    if (fetch_result(request, run, translation, &result->last) != STATUS_OK)
        return error->status;
    trial->verdict = NOT_VERIFIED;
    if (verify && verify_trial(request, trial, result, error) != STATUS_OK)
        return error->status;
    count_reached(request->graph, &result->last, &trial->reached, &trial->edges);
    trial->mteps = trial->kernel_ms > 0 ? (double)trial->edges / trial->kernel_ms * 1e-3 : 0;
    return STATUS_OK;
}

/* Runs every trial that records do not hold. *done counts the trials from the first on that have a result. tasks: the
 * file for those of every block, or NULL. */
static int run_trials(const struct bench_request *request, struct run *run, struct translation *translation,
                      struct bench_result *result, int *done, FILE *tasks, struct error *error)
{
    bool warm = false;
    char phase[128];
    snprintf(phase, sizeof phase, "%s %s", request->algorithm->family, request->algorithm->variant);
    progress_begin(phase, (uint64_t)result->num_trials);
    for (*done = 0; *done < result->num_trials && error->status == STATUS_OK; progress_set((uint64_t)*done)) {
        struct trial *trial = &result->trials[*done];
        bool verify = request->verify == VERIFY_ALL || (request->verify == VERIFY_FIRST && *done == 0);
        if (trial->resumed) {
            ++*done;
            continue;
        }
        if (stop_requested()) {
            error_set(error, STATUS_INTERRUPTED, "interrupted");
        } else if (!warm) {
            struct trial warm_up = *trial;
            run_trial(request, run, translation, false, &warm_up, result, error);
            warm = true;
        } else if (run_trial(request, run, translation, verify, trial, result, error) == STATUS_OK) {
            ++*done;
            if (tasks != NULL)
                records_tasks(request, &result->last, trial->source, tasks);
            else if (request->records != NULL && records_append(request, trial, error) == STATUS_OK)
                trace_append(request, trial, &result->last, error);
        }
    }
    progress_end();
    return error->status;
}

/* The tasks of a run that is cut off, or wrong, are not kept. */
static int run_trials_for_tasks(const struct bench_request *request, struct run *run, struct translation *translation,
                                struct bench_result *result, int *done, struct error *error)
{
    struct new_file file;
    char path[TASKS_PATH_BYTES];
    if (records_tasks_begin(request, &file, path, error) != STATUS_OK)
        return error->status;
    if (run_trials(request, run, translation, result, done, file.file, error) == STATUS_OK &&
        result->wrong[0] == '\0')
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

static int prepare_and_run(const struct bench_request *request, struct bench_result *result, int *done,
                           struct error *error)
{
    const struct algorithm *algorithm = request->algorithm;
    const struct graph *graph = request->reordered != NULL ? request->reordered : request->graph;
    struct run run = {.graph = graph, .device = request->device, .outputs = outputs_of(request), .error = error};
    for (int i = 0; i < result->num_trials; i++)
        run.num_trials += !result->trials[i].resumed;
    struct translation translation;
    memcpy(run.options, request->options, sizeof run.options);
    if (translation_init(&translation, request, error) != STATUS_OK ||
        allocate_outputs(request, &result->last, error) != STATUS_OK ||
        (request->reordered != NULL && allocate_outputs(request, &translation.fetched, error) != STATUS_OK))
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
    if (status == STATUS_OK && request->tasks != NULL)
        run_trials_for_tasks(request, &run, &translation, result, done, error);
    else if (status == STATUS_OK)
        run_trials(request, &run, &translation, result, done, NULL, error);
    result->device_bytes = peak_of_memory(request->device);
    if (result->device_bytes > result->peak_device_bytes)
        result->peak_device_bytes = result->device_bytes;
    algorithm->release(&run);
end:
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
