#include "devices.h"

#include <omp.h>

#include "../cores.h"
#include "../processes/ranks.h"
#include "task.h"
#include "terminal.h"

void choose_threads(const struct settings *settings)
{
    struct cores cores = cores_find("");
    int free_cores = cores_free(&cores, ranks()->host_size);
    if (settings->threads > 0)
        omp_set_num_threads(settings->threads);
    else if (!cores_threads_are_set() && omp_get_max_threads() > free_cores)
        omp_set_num_threads(free_cores);
}

void check_cpu(struct job *job)
{
    bool on_cpu = false;
    for (int i = 0; i < job->plan.num_runs; i++)
        on_cpu = on_cpu || job->plan.runs[i].on == DEVICE_CPU;
    if (!on_cpu)
        return;
    struct cores cores = cores_find("");
    int threads = omp_get_max_threads(), processes = ranks()->host_size;
    warn_of_threads(&job->of_machine, threads, cores_free(&cores, processes));
    warn_of_load(&job->of_machine, cores_wanted("", processes), processes, threads, cores.online);
    for (int i = 0; i < job->of_machine.count; i++)
        notice("warning: %s", job->of_machine.text[i]);
}

int open_gpus(struct job *job, struct error *error)
{
    const char *family = job->plan.family->name;
    if (!job->task->shares_sources)
        return error_set(error, STATUS_INPUT,
                         "--gpus is for --algo closeness and --pairs: a trial of %s runs on one GPU", family);
    for (int i = 0; i < job->plan.num_runs; i++) {
        const struct planned_run *run = &job->plan.runs[i];
        if (run->on == DEVICE_CPU)
            return error_set(
                error, STATUS_INPUT,
                "--gpus: %s %s runs on the CPU, on all its cores; leave out --gpus, or name a variant for "
                "the GPU (gtrav --list)",
                family, run->algorithm->variant);
        if (run->on != job->plan.runs[0].on)
            return error_set(error, STATUS_INPUT, "--gpus: not all variants run on one kind of device here");
    }
    return machine_open_team(&job->machine, job->plan.runs[0].on, job->settings->gpus, error);
}

int choose_devices(struct job *job, const struct planned_run *run, struct bench_request *request, struct error *error)
{
    struct machine *machine = &job->machine;
    request->device = machine->team != NULL ? machine->team : machine_device(machine, run->on);
    request->num_devices = machine->team != NULL ? machine->team_size : 1;
    if (request->device == NULL)
        *error = machine->errors[run->on];
    return error->status;
}
