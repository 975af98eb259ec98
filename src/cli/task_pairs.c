/* task_pairs.c: the task of --pairs: finds lengths, and paths, from sources to destinations. */
#include "../run/pairs.h"

#include "../new_file.h"
#include "../processes/ranks.h"
#include "../records/records.h"
#include "job.h"
#include "terminal.h"

struct state {
    struct pair_list list;
    struct pairs_request request;
    struct pairs_result result;
};

static int check(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    int num_runs = job->plan.choices.count;
    if (settings->graphs.count > 1 || (num_runs > 1 && settings->csv == NULL))
        return error_set(error, STATUS_INPUT,
                         "--pairs takes one graph and one variant (with --csv several, of which only times are "
                         "kept); %d graphs and %d variants are given",
                         settings->graphs.count, num_runs);
    return check_outputs(&job->plan, OUTPUT_LEVEL | OUTPUT_LENGTH, "--pairs",
                         "gives no levels; use --algo msbfs, or --algo bfs for one source at a time", error);
}

/* Answers the pairs; a few go to the CPU if gtrav may choose the device. Records name the request's algorithm. */
static void answer(const struct work *work, struct state *state, struct error *error)
{
    struct pairs_request *request = &state->request;
    struct bench_request runs = *work->request;
    struct choice choice = *work->choice;
    if (work->job->settings->device == CHOICE_AUTO && num_devices(&runs) == 1 && ranks()->size == 1 &&
        hand_over_pairs(&choice, request->num_pairs, error) != STATUS_OK)
        return;
    if (choice.algorithm != runs.algorithm) {
        runs.algorithm = choice.algorithm;
        runs.options = choice.options;
        runs.device = machine_device(&work->job->machine, choice.on);
    }
    request->bench = &runs;
    pairs_run(request, &state->result, error);
    note_handover(work->request->algorithm, runs.algorithm, state->result.setup.note);
    request->bench = work->request;
}

static void read_and_answer(const struct work *work, struct state *state, struct error *error)
{
    state->request.bench = work->request;
    state->request.paths = work->job->settings->paths;
    state->request.repeats = (unsigned)work->job->settings->repeats;
    const struct settings *settings = work->job->settings;
    if (read_pairs(work->request->graph, settings->pairs, settings->pair_columns, &state->list, error) == STATUS_OK)
        notice("%s: read as: %s", settings->pairs, state->list.read_as);
    state->request.pairs = state->list.pairs;
    state->request.num_pairs = work->request->num_pairs = state->list.count;
    state->request.absent = state->list.absent;
    state->request.num_absent = state->list.num_absent;
    state->result.verified = "none";
    if (ranks_agree(error) == STATUS_OK && state->list.count > 0)
        answer(work, state, error);
}

static void report_result(const struct bench_request *bench, const struct pairs_request *request,
                          const struct pairs_result *result)
{
    char devices[32];
    notice("%s %s on %s: %llu pair%s, %llu search%s%s in %llu batch%s of up to %u%s: %.3f ms, of it reset %.3f ms, "
           "kernel %.3f ms; verified: %s%s%s",
           bench->algorithm->family, bench->algorithm->variant, bench->graph->name,
           (unsigned long long)request->num_pairs, request->num_pairs == 1 ? "" : "s",
           (unsigned long long)result->num_sources, result->num_sources == 1 ? "" : "es",
           result->swapped ? " from the destinations" : "", (unsigned long long)result->num_batches,
           result->num_batches == 1 ? "" : "es", result->batch_sources, describe_devices(bench, devices),
           result->times.time_ms, result->times.reset_ms, result->times.kernel_ms, result->verified,
           result->setup.note[0] != '\0' ? "; " : "", result->setup.note);
    if (result->time_limit_s > 0)
        notice("%s %s on %s: the time limit of %d s ended the run after %u of %u repeats", bench->algorithm->family,
               bench->algorithm->variant, bench->graph->name, result->time_limit_s, result->repeats, request->repeats);
}

/* All variants give the same lengths. So with several variants only their records or their JSON are written. */
static void write_answers(struct job *job, const struct state *state)
{
    const struct settings *settings = job->settings;
    struct error unwritten = {0};
    if (settings->json) {
        job_begin_document(job);
        json_pairs(job->out, &state->request, &state->result);
    }
    bool writes = job->plan.choices.count == 1 && (settings->output != NULL || !settings->json);
    uint64_t num_pairs = state->list.count + state->list.num_absent;
    bool records = settings->csv != NULL && state->list.count > 0;
    if ((writes && pairs_write(&state->request, &state->result, settings->output, &unwritten) != STATUS_OK) ||
        (records && records_pairs(&state->request, &state->result, &unwritten) != STATUS_OK)) {
        job_failed(job, &unwritten);
        return;
    }
    if (records)
        job_recorded(job, state->request.bench);
    if (writes && settings->output != NULL && !file_is_stdout(settings->output))
        notice("%s: %llu length%s", settings->output, (unsigned long long)num_pairs, num_pairs == 1 ? "" : "s");
}

static void report(const struct work *work, const struct state *state, const struct error *error)
{
    const struct graph *graph = work->request->graph;
    const struct pair_list *list = &state->list;
    if (is_first() && (error->status == STATUS_OK || error->status == STATUS_WRONG)) {
        struct warnings warnings = {0};
        warn_of_clocks(&warnings, state->result.setup.state.clock_limits);
        report_result(work->request, &state->request, &state->result);
        report_warnings(work, &warnings);
        if (list->num_absent > 0)
            notice("%llu of %llu pairs name a vertex that is not in %s (%u vertices, %s): their length is -1",
                   (unsigned long long)list->num_absent, (unsigned long long)(list->num_absent + list->count),
                   graph->name, graph->num_vertices, graph_has_ids(graph) ? "with ids of its file" : "numbered from 0");
        write_answers(work->job, state);
    }
    if (error->status != STATUS_OK)
        job_failed(work->job, error);
}

static void run(const struct work *work)
{
    struct state state = {0};
    struct error error = {0};
    read_and_answer(work, &state, &error);
    record_failure(work->request, &error);
    report(work, &state, &error);
    pairs_release(&state.result);
    pair_list_release(&state.list);
}

const struct task pairs_task = {.shares_sources = true, .check = check, .run = run};
