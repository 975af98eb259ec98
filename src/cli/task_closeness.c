/* task_closeness.c: the task that computes the closeness centrality of every vertex. */
#include "../run/closeness.h"

#include <unistd.h>

#include "../processes/ranks.h"
#include "../records/records.h"
#include "job.h"
#include "output.h"
#include "terminal.h"

struct state {
    char *checkpoint; /* the checkpoint file's name; NULL: none */
    struct closeness_request request;
    struct closeness_result result;
};

static int check(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (settings->pairs != NULL || settings->aggregates || settings->output_parents)
        return error_set(error, STATUS_INPUT,
                         "closeness cannot be combined with --pairs, --aggregates or --output-parents");
    if (settings->repeats > 1)
        return error_set(error, STATUS_INPUT, "closeness is not repeated: with gtrav compare, give --repeats 1");
    return check_outputs(&job->plan, OUTPUT_SUMS | OUTPUT_FARNESS, "closeness",
                         "gives no farness; gtrav --list --long shows which do", error);
}

/* Returns the file of --checkpoint, or else a name beside the output if that is a file. */
static int name_checkpoint(const struct settings *settings, char **name, struct error *error)
{
    bool beside = settings->output != NULL && !file_is_stream(settings->output);
    *name = NULL;
    if ((settings->checkpoint == NULL && !beside) ||
        asprintf(name, "%s%s", settings->checkpoint != NULL ? settings->checkpoint : settings->output,
                 settings->checkpoint != NULL ? "" : ".checkpoint") >= 0)
        return STATUS_OK;
    *name = NULL;
    return error_set(error, STATUS_INPUT, "out of memory: the checkpoint's name");
}

/* Reports how many sources earlier runs completed, and, if this run ends early, how many are completed now. */
static void report_progress(const struct work *work, const struct state *state, int status)
{
    const struct bench_request *bench = work->request;
    const struct closeness_result *result = &state->result;
    const char *checkpoint = state->checkpoint;
    if (result->num_resumed > 0)
        notice("%s: %llu of %d sources were done earlier, according to %s", bench->graph->name,
               (unsigned long long)result->num_resumed, bench->num_sources, checkpoint);
    if (status == STATUS_INTERRUPTED || (status != STATUS_OK && checkpoint != NULL && result->num_done > 0))
        notice("%s: %llu of %d sources done%s%s", bench->graph->name, (unsigned long long)result->num_done,
               bench->num_sources, checkpoint != NULL ? "; the same command goes on from " : "",
               checkpoint != NULL ? checkpoint : "");
}

static void report_result(const struct bench_request *bench, const struct closeness_result *result)
{
    char devices[32];
    report_preparation(bench, &result->figures.setup);
    notice("%s: closeness from %d sources%s%s: %.3f s, %.3f GTEPS, kernel %.3f s; verified: %s", bench->graph->name,
           bench->num_sources, describe_devices(bench, devices), ranks_have_joined_gpus() ? " joined by NCCL" : "",
           1e-3 * result->all_time_ms, 1e-3 * result->figures.summary.search_mteps.mean, 1e-3 * result->all_kernel_ms,
           result->figures.summary.verified);
}

/* Writes the results, then removes the checkpoint. */
static void write_result(const struct work *work, const struct state *state)
{
    const struct settings *settings = work->job->settings;
    const struct bench_request *bench = work->request;
    const struct closeness_result *result = &state->result;
    struct error unwritten = {0};
    if (results_add(work->results, bench, &result->figures, &state->request, result, &unwritten) != STATUS_OK ||
        (settings->output != NULL &&
         output_write_reals(settings->output, bench->graph, "closeness", result->closeness, &unwritten) != STATUS_OK) ||
        (settings->csv != NULL && records_summary(bench, &result->figures, &unwritten) != STATUS_OK)) {
        job_failed(work->job, &unwritten);
        return;
    }
    if (settings->csv != NULL)
        job_recorded(work->job, bench);
    if (state->checkpoint != NULL)
        unlink(state->checkpoint);
}

static void report(const struct work *work, struct state *state, const struct error *error)
{
    report_progress(work, state, error->status);
    if (is_first() && (error->status == STATUS_OK || error->status == STATUS_WRONG)) {
        report_result(work->request, &state->result);
        if (work->request->algorithm->device == DEVICE_CPU)
            state->result.figures.warnings = work->job->of_machine;
        warn_of_clocks(&state->result.figures.warnings, state->result.figures.setup.state.clock_limits);
        report_warnings(work, &state->result.figures.warnings);
        write_result(work, state);
    }
    if (error->status != STATUS_OK)
        job_failed(work->job, error);
}

static void run(const struct work *work)
{
    const struct settings *settings = work->job->settings;
    struct state state = {0};
    struct error error = {0};
    name_checkpoint(settings, &state.checkpoint, &error);
    state.request = (struct closeness_request){
        .bench = work->request, .checkpoint = state.checkpoint, .checkpoint_seconds = settings->checkpoint_every};
    if (ranks_agree(&error) == STATUS_OK)
        closeness_run(&state.request, &state.result, &error);
    record_failure(work->request, &error);
    report(work, &state, &error);
    closeness_release(&state.result);
    free(state.checkpoint);
}

const struct task closeness_task = {.shares_sources = true, .has_checkpoint = true, .check = check, .run = run};
