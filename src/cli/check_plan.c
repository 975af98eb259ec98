/* check_plan.c: checks that the options fit the family, the variants and the task. */
#include <unistd.h>

#include "../new_file.h"
#include "checks.h"
#include "devices.h"
#include "output.h"
#include "task.h"

/* Finds out before the graph is loaded that a file cannot be read. */
static int check_input(const char *path, struct error *error)
{
    if (path == NULL || is_stdin(path) || access(path, R_OK) == 0)
        return error->status;
    return error_errno(error, "%s: cannot open", path);
}

static int check_sources(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (!job->plan.family->has_sources && (settings->source != NULL || settings->sources_file != NULL))
        return error_set(error, STATUS_INPUT,
                         "%s covers the whole graph and takes no sources; --sources K sets the number of trials",
                         settings->algo);
    return STATUS_OK;
}

static int check_checkpoint(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    bool kept = job->task->has_checkpoint;
    if (settings->checkpoint != NULL && (!kept || settings->graphs.count * job->plan.num_runs > 1))
        return error_set(error, STATUS_INPUT, "--checkpoint is for closeness, of one graph by one variant");
    if (settings->checkpoint_every > 0 && (!kept || (settings->checkpoint == NULL && settings->output == NULL)))
        return error_set(error, STATUS_INPUT,
                         "--checkpoint-every is for closeness with --output or --checkpoint, which name the file");
    return STATUS_OK;
}

static int check_output(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    int num_results = settings->graphs.count * job->plan.num_runs;
    if (num_results > 1)
        return error_set(error, STATUS_INPUT, "--output takes one result, and %d graphs by %d variants give %d",
                         settings->graphs.count, job->plan.num_runs, num_results);
    return output_check(settings->output, settings->pairs != NULL, error);
}

static int check_time_limit(const struct job *job, struct error *error)
{
    if (job->task == &pairs_task || (job->task == &trials_task && job->settings->output == NULL))
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "--time-limit leaves trials out; it is not for closeness or --output, which need all");
}

int check_plan(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (check_input(settings->pairs, error) != STATUS_OK || check_input(settings->sources_file, error) != STATUS_OK ||
        check_sources(job, error) != STATUS_OK || job->task->check(job, error) != STATUS_OK ||
        check_checkpoint(job, error) != STATUS_OK)
        return error->status;
    if (settings->time_limit > 0 && check_time_limit(job, error) != STATUS_OK)
        return error->status;
    if (settings->gpus != NULL && open_gpus(job, error) != STATUS_OK)
        return error->status;
    return settings->output != NULL ? check_output(job, error) : STATUS_OK;
}
