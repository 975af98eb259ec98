/* check_ranks.c: checks that the processes that were started can share this job. */
#include <stdio.h>

#include "../processes/ranks.h"
#include "../processes/share_graph.h"
#include "../records/identity.h"
#include "checks.h"
#include "streams.h"
#include "task.h"

/* A hash of what must be the same for all ranks: the version, since its messages are of its own, and the task. Their
 * devices may differ, and the builds for these. */
static uint64_t hash_job(const struct job *job)
{
    const struct settings *settings = job->settings;
    const char *const texts[] = {settings->algo,         settings->reorder,      settings->source,
                                 settings->sources_file, settings->pairs,        settings->output,
                                 settings->checkpoint,   settings->pair_columns, build_version()};
    char numbers[128];
    snprintf(numbers, sizeof numbers, "%d %d %d %d %d", settings->sources, settings->paths, settings->verify,
             settings->graphs.count, job->plan.num_runs);
    uint64_t hash = hash_text(load_options_hash(&settings->load), numbers);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        hash = hash_text(hash, texts[i]);
    for (int i = 0; i < settings->graphs.count; i++)
        hash = hash_text(hash, settings->graphs.items[i]);
    return hash;
}

/* Whether several ranks can share the job: its task shares sources, and it does nothing else. */
static bool can_share(const struct job *job)
{
    return job->task != NULL && job->task->shares_sources && job->settings->write == NULL;
}

int check_ranks(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (ranks()->size > 1 && error->status == STATUS_OK && !can_share(job))
        error_set(error, STATUS_INPUT,
                  "%d processes: only --algo closeness and --pairs share work out among several; leave out mpirun",
                  ranks()->size);
    if (ranks()->size > 1 && streams_use_stdin(settings))
        error_set(error, STATUS_INPUT, "%d processes cannot share standard input; name a file instead of -",
                  ranks()->size);
    bool emulated = job->machine.team != NULL && job->machine.team->kind == DEVICE_EMULATOR; /* one for each rank */
    if (ranks()->host_size > 1 && settings->gpus != NULL && !emulated)
        error_set(
            error, STATUS_INPUT,
            "--gpus under mpirun is for one process a machine, and here are %d; leave it out: each takes a GPU of "
            "its own",
            ranks()->host_size);
    if (ranks_agree(error) == STATUS_OK && !ranks_have_same(hash_job(job)))
        error_set(error, STATUS_INPUT,
                  "the processes were started for different tasks, or are of different versions of gtrav; --algo, "
                  "--graph, --reorder, sources, --pairs, --output, the number of variants and the version "
                  "must be the same for all");
    return error->status;
}
