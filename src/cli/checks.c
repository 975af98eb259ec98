/* checks.c: checks that the options fit the family, the variants, the task and the number of processes. */
#include <unistd.h>

#include "../graph/hash.h"
#include "../new_file.h"
#include "../processes/ranks.h"
#include "../records/identity.h"
#include "job.h"
#include "output.h"

/* ---- the plan ---- */

/* Checks, before the graph is loaded, that an input file can be read. */
static int check_input(const char *path, struct error *error)
{
    if (path == NULL || is_stdin(path) || access(path, R_OK) == 0)
        return error->status;
    return error_errno(error, "%s: cannot open", path);
}

static int check_output(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    int num_results = settings->graphs.count * job->plan.choices.count;
    if (num_results > 1)
        return error_set(error, STATUS_INPUT, "--output takes one result, but %d graphs and %d variants give %d",
                         settings->graphs.count, job->plan.choices.count, num_results);
    return output_check(settings->output, settings->pairs != NULL, error);
}

static int open_gpus(struct job *job, struct error *error)
{
    const char *family = job->plan.family->name;
    for (int i = 0; i < job->plan.choices.count; i++) {
        const struct choice *run = &job->plan.choices.items[i];
        if (run->on == DEVICE_CPU)
            return error_set(error, STATUS_INPUT,
                             "--gpus: %s %s runs on the CPU, on all its cores; leave out --gpus, or name a variant "
                             "for the GPU (gtrav --list)",
                             family, run->algorithm->variant);
        if (run->on != job->plan.choices.items[0].on)
            return error_set(error, STATUS_INPUT,
                             "--gpus: these variants run on different kinds of devices; name fewer");
    }
    return machine_open_team(&job->machine, job->plan.choices.items[0].on, job->settings->gpus, error);
}

/* Checks, before anything runs, that every variant runs on a device with an energy meter. */
static int check_meters(struct job *job, struct error *error)
{
    for (int i = 0; i < job->plan.choices.count; i++) {
        const struct choice *run = &job->plan.choices.items[i];
        struct device *device = machine_device(&job->machine, run->on);
        if (device != NULL && (device->millijoules == NULL || device->millijoules(device) == 0))
            return error_set(error, STATUS_DEVICE,
                             "--energy: %s %s runs on a device without an energy meter (%s); leave out --energy, or "
                             "name variants for an NVIDIA GPU with NVML",
                             run->algorithm->family, run->algorithm->variant, device->name);
    }
    return STATUS_OK;
}

/* Rejects options that do not fit the family or the task. */
static int check_fit(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    const struct family *family = job->plan.family;
    bool trials = job->task == &trials_task, kept = job->task->has_checkpoint;
    bool names_sources = settings->source != NULL || settings->sources_file != NULL;
    const struct rule rules[] = {
        {!family->has_sources && names_sources,
         "%s needs no sources, as it covers the whole graph; --sources K sets the number of trials"},
        {settings->load.weights != NULL && !family->weighted && !settings->info && settings->write == NULL,
         "--weights: %s would ignore them, as it counts edges; leave it out, or take --algo sssp"},
        {settings->checkpoint != NULL && (!kept || settings->graphs.count * job->plan.choices.count > 1),
         "--checkpoint needs --algo closeness, with one graph and one variant"},
        {settings->checkpoint_every > 0 && (!kept || (settings->checkpoint == NULL && settings->output == NULL)),
         "--checkpoint-every is for closeness with --output or --checkpoint"},
        {settings->time_limit > 0 && job->task != &pairs_task && !(trials && settings->output == NULL),
         "--time-limit cannot be combined with closeness or --output, which need all trials"},
        {settings->output != NULL && trials && family->has_sources && !family->sums_sources && !names_sources &&
             settings->sources == 0,
         "--output writes the results of all sources; name them with --source V[,V...], or take GAP's first K with "
         "--sources K"},
        {settings->gpus != NULL && trials && (settings->cold || settings->energy),
         "--cold and --energy are about one GPU; leave out --gpus"},
        {0},
    };
    return check_rules(rules, settings->algo, error);
}

int check_plan(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (check_input(settings->pairs, error) != STATUS_OK || check_input(settings->sources_file, error) != STATUS_OK ||
        job->task->check(job, error) != STATUS_OK || check_fit(job, error) != STATUS_OK)
        return error->status;
    const char *of_trials = settings->trials    ? "trials"
                            : settings->cold    ? "cold"
                            : settings->energy  ? "energy"
                            : settings->profile ? "profile"
                                                : NULL;
    if (of_trials != NULL && job->task != &trials_task)
        return error_set(error, STATUS_INPUT, "--%s: closeness, graph500 and --pairs have no trials; leave it out",
                         of_trials);
    if (settings->energy && check_meters(job, error) != STATUS_OK)
        return error->status;
    if (settings->gpus != NULL && open_gpus(job, error) != STATUS_OK)
        return error->status;
    return settings->output != NULL ? check_output(job, error) : STATUS_OK;
}

/* ---- several ranks ---- */

/* A hash of what must be equal on all ranks: the task, and the version, since each version has its own format of
 * messages. Devices, and the builds for them, may differ. */
static uint64_t hash_job(const struct job *job)
{
    const struct settings *settings = job->settings;
    const char *const texts[] = {settings->algo,         settings->reorder,      settings->source,
                                 settings->sources_file, settings->pairs,        settings->output,
                                 settings->checkpoint,   settings->pair_columns, build_version()};
    char numbers[128];
    snprintf(numbers, sizeof numbers, "%d %d %d %d %d", settings->sources, settings->paths, settings->verify,
             settings->graphs.count, job->plan.choices.count);
    uint64_t hash = hash_text(load_options_hash(&settings->load), numbers);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        hash = hash_text(hash, texts[i]);
    for (int i = 0; i < settings->graphs.count; i++)
        hash = hash_text(hash, settings->graphs.items[i]);
    return hash;
}

int check_ranks(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    bool can_share = job->task != NULL && job->task->shares_sources && settings->write == NULL;
    if (ranks()->size > 1 && error->status == STATUS_OK && !can_share)
        error_set(error, STATUS_INPUT,
                  "%d processes: only --algo closeness and --pairs share their work among several; leave out mpirun",
                  ranks()->size);
    if (ranks()->size > 1 && streams_of_stdin(settings) > 0)
        error_set(error, STATUS_INPUT, "%d processes cannot share standard input; name a file instead of -",
                  ranks()->size);
    bool emulated = job->machine.team != NULL && job->machine.team->kind == DEVICE_EMULATOR; /* one for each rank */
    if (ranks()->host_size > 1 && settings->gpus != NULL && !emulated)
        error_set(error, STATUS_INPUT,
                  "--gpus under mpirun needs one process for each machine, and this one has %d; leave out --gpus: "
                  "then each process takes one GPU",
                  ranks()->host_size);
    if (ranks_agree(error) == STATUS_OK && !ranks_have_same(hash_job(job)))
        error_set(error, STATUS_INPUT,
                  "the processes were started for different tasks, or are of different versions of gtrav; --algo, "
                  "--graph, --reorder, sources, --pairs, --output, the number of variants and the version "
                  "must be the same for all");
    return error->status;
}
