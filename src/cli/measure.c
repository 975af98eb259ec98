#include "measure.h"

#include <stdlib.h>

#include "../processes/ranks.h"
#include "arrange.h"
#include "devices.h"
#include "task.h"

/* The sources of one graph, owned by the caller. NULL if the family or the task has none; then *count is the number
 * of trials. */
static int choose_sources(const struct job *job, const struct graph *graph, vertex_t **sources, int *count,
                          struct error *error)
{
    const struct settings *settings = job->settings;
    *sources = NULL;
    *count = settings->sources > 0 ? settings->sources : DEFAULT_SOURCES;
    if (!job->plan.family->has_sources || job->task->draw_sources == NULL)
        return STATUS_OK;
    if (settings->source != NULL)
        return parse_sources(graph, settings->source, sources, count, error);
    if (settings->sources_file != NULL)
        return read_sources(graph, settings->sources_file, sources, count, error);
    return job->task->draw_sources(graph, settings->sources, sources, count, error);
}

/* The graph that all runs get, and its order if that is not chosen yet. */
struct supply {
    gtrav_graph *graph;
    bool chosen;            /* the user or the file has named an order */
    struct arrangement own; /* else see arrange() */
};

/* Completes the request for one run: its algorithm, devices and order. */
static int prepare_request(struct job *job, const struct planned_run *run, struct supply *supply,
                           struct bench_request *request, struct error *error)
{
    request->algorithm = run->algorithm;
    request->options = run->options;
    choose_devices(job, run, request, error);
    if (ranks_agree(error) == STATUS_OK && !supply->chosen)
        arrange(job, supply->graph, request, &supply->own, error);
    if (ranks_agree(error) == STATUS_OK)
        request->all_devices = (int)ranks_sum((uint64_t)request->num_devices);
    return error->status;
}

/* Records that an algorithm failed. That the record cannot be written is not reported beside it. */
static void record_failure(const struct bench_request *request, const struct error *error)
{
    struct error unwritten = {0};
    if (error->of_algorithm && request->records != NULL && is_first())
        records_failure(request, error, &unwritten);
}

static void run_algorithm(struct job *job, const struct planned_run *run, struct supply *supply,
                          struct bench_request *request, struct results *results)
{
    const struct task *task = job->task;
    struct work work = {job, request, results};
    struct error error = {0};
    void *state = NULL;
    allocate_zeroed(&state, 1, task->state_bytes, "the task", &error);
    if (prepare_request(job, run, supply, request, &error) == STATUS_OK) {
        task->run(&work, state, &error);
        request->num_pairs = task->num_pairs != NULL ? task->num_pairs(state) : 0;
        record_failure(request, &error);
        task->report(&work, state, &error);
        task->release(state);
    } else {
        record_failure(request, &error);
        job_failed(job, &error);
    }
    free(state);
}

int measure(struct job *job, const struct input *input, struct error *error)
{
    const struct settings *settings = job->settings;
    const struct graph *graph = graph_of(input->graph);
    struct supply supply = {.graph = input->graph, .chosen = settings->reorder != NULL || input->reordered != NULL};
    struct results results = {0};
    vertex_t *sources;
    struct bench_request request = {.family = job->plan.family,
                                    .graph = graph,
                                    .reordered = input->reordered != NULL ? graph_of(input->reordered) : NULL,
                                    .reorder_ms = input->reorder_ms,
                                    .verify = (enum verify_mode)settings->verify,
                                    .time_limit_s = settings->time_limit,
                                    .load_ms = input->load_ms,
                                    .records = settings->csv};
    int status = choose_sources(job, graph, &sources, &request.num_sources, error);
    request.sources = sources;
    if (status == STATUS_OK)
        results_begin(&results, settings->json, settings->wide, job->plan.num_runs, error);
    status = ranks_agree(error);
    for (int i = 0; i < job->plan.num_runs && status == STATUS_OK && !shall_stop(); i++)
        run_algorithm(job, &job->plan.runs[i], &supply, &request, &results);
    if (status == STATUS_OK)
        job_print_results(job, &results, graph);
    results_release(&results);
    gtrav_graph_free(supply.own.graph);
    free(sources);
    return status;
}
