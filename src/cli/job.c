/* job.c: errors of a job, the documents that it prints, and functions that the tasks' reports share. */
#include "job.h"

#include "../processes/ranks.h"
#include "../progress.h"
#include "../records/records.h"
#include "terminal.h"

bool is_first(void)
{
    return ranks()->rank == 0;
}

bool shall_stop(void)
{
    return ranks_sum(stop_requested()) > 0;
}

void record_failure(const struct bench_request *request, const struct error *error)
{
    struct error unwritten = {0};
    if (error->of_algorithm && request->records != NULL && is_first())
        records_failure(request, error, &unwritten);
}

void job_failed(struct job *job, const struct error *error)
{
    if (is_first())
        report_error(error);
    if (error->status > job->worst)
        job->worst = error->status;
}

/* Returns the name if no run had another one so far, otherwise "*". */
static const char *common(bool first, const char *so_far, const char *name)
{
    return first || strcmp(so_far, name) == 0 ? name : "*";
}

void job_recorded(struct job *job, const struct bench_request *request)
{
    struct recorded *all = &job->recorded;
    char graph[RECORD_NAME_BYTES + 1];
    bool first = all->num_runs++ == 0;
    record_graph_name(request->graph->name, graph);
    all->device = common(first, all->device, request->device->slug);
    all->variant = common(first, all->variant, request->algorithm->variant);
    snprintf(all->graph, sizeof all->graph, "%s", common(first, all->graph, graph));
}

void report_records(const struct job *job)
{
    const struct recorded *all = &job->recorded;
    const char *ending = job->task == &pairs_task ? PAIRS_ENDING : SUMMARIES_ENDING;
    char trials[2 * RECORD_NAME_BYTES] = "", profiles[2 * RECORD_NAME_BYTES] = "";
    if (all->num_runs == 0)
        return;
    const char *family = job->plan.family->name;
    if (job->task == &trials_task)
        snprintf(trials, sizeof trials, " and trials/%s_%s_%s.csv", family, all->variant, all->graph);
    if (job->settings->profile)
        snprintf(profiles, sizeof profiles, " and traces/%s_%s_%s.csv", family, all->variant, all->graph);
    notice("records: %s/%s/%s_%s_%s%s%s", job->settings->csv, all->device, family, all->variant, ending, trials,
           profiles);
}

void job_begin_document(struct job *job)
{
    bool first = job->documents++ == 0;
    if (job->settings->json)
        fputs(first ? "[" : ",\n", job->out);
    else if (!first)
        fputc('\n', job->out);
}

void job_end_documents(const struct job *job)
{
    if (job->settings->json && job->documents > 0)
        fputs("]\n", job->out);
}

void job_print_results(struct job *job, struct results *results, const struct graph *graph)
{
    int documents = results->json || results->num_runs == 0 ? results->num_runs : 1;
    for (int i = 0; i < documents; i++) {
        job_begin_document(job);
        if (results->json)
            results_print_json(job->out, results, i);
        else
            results_print_table(job->out, results, graph);
    }
    fflush(job->out);
}

/* ---- for all tasks ---- */

void report_preparation(const struct bench_request *request, const struct setup *setup)
{
    char built[64] = "";
    if (setup->build_ms > 0)
        snprintf(built, sizeof built, "%sbuilt in %.2f ms, %.2f MB on the device", setup->note[0] != '\0' ? "; " : "",
                 setup->build_ms, 1e-6 * (double)setup->device_bytes);
    if (setup->note[0] != '\0' || built[0] != '\0')
        notice("%s %s on %s: %s%s", request->algorithm->family, request->algorithm->variant, request->graph->name,
               setup->note, built);
}

void report_warnings(const struct work *work, const struct warnings *warnings)
{
    const struct bench_request *request = work->request;
    int printed = request->algorithm->device == DEVICE_CPU ? work->job->of_machine.count : 0;
    for (int i = printed; i < warnings->count; i++)
        notice("warning: %s %s on %s: %s", request->algorithm->family, request->algorithm->variant,
               request->graph->name, warnings->text[i]);
}

const char *describe_devices(const struct bench_request *request, char text[32])
{
    snprintf(text, 32, ", on %d devices", num_devices(request));
    return num_devices(request) > 1 ? text : "";
}

int check_outputs(const struct plan *plan, unsigned outputs, const char *what, const char *lacks, struct error *error)
{
    for (int i = 0; i < plan->choices.count; i++) {
        const struct algorithm *algorithm = plan->choices.items[i].algorithm;
        if (!(all_outputs(algorithm) & outputs))
            return error_set(error, STATUS_INPUT, "%s: %s %s %s", what, algorithm->family, algorithm->variant, lacks);
    }
    return STATUS_OK;
}
