/* task_graph500.c: the task that runs the Graph500 benchmark by its rules. */
#include "../new_file.h"
#include "../run/graph500_run.h"
#include "job.h"
#include "terminal.h"

static int check(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (settings->pairs != NULL || settings->aggregates || settings->csv != NULL || settings->json ||
        settings->verify == VERIFY_NONE || settings->repeats > 0 ||
        (settings->output != NULL && !has_suffix(settings->output, ".npy")))
        return error_set(error, STATUS_INPUT,
                         "%s validates every search and prints one block; leave out --pairs, --aggregates, "
                         "--csv, --json, --repeats, --verify none; --output takes a .npy file, for all parents",
                         settings->algo);
    return check_outputs(&job->plan, OUTPUT_PARENT, settings->algo,
                         "gives no parents; gtrav --list --long shows which do", error);
}

static void run(const struct work *work)
{
    const char *trees = work->job->settings->output;
    struct setup setup = {0};
    struct error error = {0}, named = {0};
    job_begin_document(work->job);
    graph500_run(work->request, trees, &setup, work->job->out, &error);
    fflush(work->job->out);
    report_preparation(work->request, &setup);
    if (error.status == STATUS_OK && trees != NULL)
        notice("%s: the parents in %d trees", trees, work->request->num_sources);
    if (error.status == STATUS_OK)
        return;
    error_set(&named, error.status, "%s by %s on %s: %.900s", work->job->settings->algo,
              work->request->algorithm->variant, work->request->graph->name, error.text);
    job_failed(work->job, &named);
}

const struct task graph500_task = {.check = check, .pick_sources = graph500_keys, .run = run};
