/* task_trials.c: the task that measures an algorithm by trials, a traversal from each source. */
#include "../graph/sources.h"
#include "../run/trials.h"
#include "job.h"
#include "output.h"
#include "terminal.h"

/* STATUS_INPUT unless every algorithm of the plan can write a profile. */
static int check_profile(const struct plan *plan, struct error *error)
{
    for (int i = 0; i < plan->choices.count; i++) {
        const struct algorithm *algorithm = plan->choices.items[i].algorithm;
        if (strcmp(algorithm->family, "dfs") == 0)
            return error_set(error, STATUS_INPUT,
                             "--profile: a DFS has no levels; for dfs v1 to v4, --set tasks=1 writes what blocks did");
        if (!algorithm->profiled)
            return error_set(error, STATUS_INPUT,
                             "--profile: %s %s cannot be profiled; gtrav --list --json shows which can",
                             algorithm->family, algorithm->variant);
    }
    return STATUS_OK;
}

static int check(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    const struct plan *plan = &job->plan;
    if (settings->profile)
        check_profile(plan, error);
    if (settings->output_parents)
        check_outputs(plan, OUTPUT_PARENT, "--output-parents", "gives no parents; gtrav --list --long shows which do",
                      error);
    if (settings->aggregates)
        check_outputs(plan, OUTPUT_SUMS | OUTPUT_FARNESS, "--aggregates",
                      "gives no sums; gtrav --list --long shows which give sums or farness", error);
    return error->status;
}

static int report_result(const struct work *work, const struct trials_result *result, struct error *error)
{
    const struct bench_request *request = work->request;
    const struct energy *energy = &result->energy;
    if (result->summary.trials == 0)
        return STATUS_OK;
    int resumed = num_resumed(result);
    if (resumed > 0)
        notice("%s %s on %s: %d trial%s reused from %s of %s", request->algorithm->family, request->algorithm->variant,
               request->graph->name, resumed, resumed == 1 ? "" : "s", result->resumed_version, result->resumed_date);
    if (result->time_limit_s > 0)
        notice("%s %s on %s: the time limit of %d s ended the run after %d of %d trials", request->algorithm->family,
               request->algorithm->variant, request->graph->name, result->time_limit_s, result->summary.trials,
               request->num_sources);
    if (energy->searches > 0)
        notice("%s %s on %s: %.4g J a search, %.4g MTEPS/W (GPU alone), from %.0f searches in %.1f s; idle %.1f W",
               request->algorithm->family, request->algorithm->variant, request->graph->name, energy->joules_per_search,
               energy->mteps_per_watt, energy->searches, energy->seconds, energy->idle_watts);
    report_warnings(work, &result->warnings);
    return results_add(work->results, request, result, NULL, NULL, error);
}

/* Adds names to trials_run's message and reports it. */
static void report_failure(const struct work *work, const struct trials_result *result, const struct error *error)
{
    struct error named = {0};
    const struct algorithm *algorithm = work->request->algorithm;
    const char *graph = work->request->graph->name;
    if (error->status == STATUS_WRONG)
        error_set(&named, STATUS_WRONG, "wrong result: %.900s", result->wrong);
    else if (error->status == STATUS_INTERRUPTED)
        error_set(&named, STATUS_INTERRUPTED, "interrupted: %s %s on %s: %d of %d trials measured", algorithm->family,
                  algorithm->variant, graph, result->summary.trials, work->request->num_sources);
    else if (strstr(error->text, graph) != NULL)
        error_set(&named, error->status, "%s %s: %.900s", algorithm->family, algorithm->variant, error->text);
    else
        error_set(&named, error->status, "%s %s on %s: %.900s", algorithm->family, algorithm->variant, graph,
                  error->text);
    job_failed(work->job, &named);
}

static void report(const struct work *work, const struct trials_result *result, const struct error *error)
{
    bool complete = error->status == STATUS_OK || error->status == STATUS_WRONG;
    struct error unreported = {0};
    report_preparation(work->request, &result->setup);
    if (complete && work->request->records != NULL)
        job_recorded(work->job, work->request);
    if ((complete || error->status == STATUS_INTERRUPTED) && report_result(work, result, &unreported) != STATUS_OK)
        job_failed(work->job, &unreported);
    if (error->status != STATUS_OK)
        report_failure(work, result, error);
}

static void run(const struct work *work)
{
    const char *path = work->job->settings->output;
    struct output_file output;
    struct trials_result result;
    struct error error = {0}, unwritten = {0};
    if (path != NULL && output_open(&output, path, work->request, &unwritten) == STATUS_OK)
        work->request->sink = &output.sink;
    if (unwritten.status == STATUS_OK) {
        trials_run(work->request, &result, &error);
        record_failure(work->request, &error);
        report(work, &result, &error);
        trials_release(&result);
    }
    if (work->request->sink != NULL)
        output_close(&output, error.status == STATUS_OK || error.status == STATUS_WRONG, &unwritten);
    work->request->sink = NULL;
    if (unwritten.status != STATUS_OK)
        job_failed(work->job, &unwritten);
}

const struct task trials_task = {.check = check, .pick_sources = pick_sources, .run = run};
