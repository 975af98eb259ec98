/* main.c: the program gtrav: reads the command line, loads the graphs, runs the job. */
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../cores.h"
#include "../graph/reorder.h"
#include "../pipe_output.h"
#include "../processes/ranks.h"
#include "compare.h"
#include "help.h"
#include "measure.h"
#include "report.h"
#include "terminal.h"

/* Before the first run, counts the cores that other programs keep busy. If a run uses the CPU, also warns of
 * conditions that make its times unreliable, and keeps the warnings. */
static void check_machine(struct job *job)
{
    struct cores cores = cores_find("");
    int threads = omp_get_max_threads(), processes = ranks()->host_size;
    int wanted = cores_wanted("", processes), others = wanted > processes ? wanted - processes : 0;
    bool on_cpu = false;
    job->cores = cores.online;
    job->busy_cores = others < cores.online ? others : cores.online;
    for (int i = 0; i < job->plan.choices.count; i++)
        on_cpu = on_cpu || job->plan.choices.items[i].on == DEVICE_CPU;
    if (!on_cpu)
        return;
    warn_of_threads(&job->of_machine, threads, cores_free(&cores, processes));
    warn_of_load(&job->of_machine, wanted, processes, threads, cores.online);
    for (int i = 0; i < job->of_machine.count; i++)
        notice("warning: %s", job->of_machine.text[i]);
}

static const struct task *pick_task(const struct settings *settings, const struct family *family)
{
    if (strcmp(family->name, "closeness") == 0)
        return &closeness_task;
    if (strncmp(family->name, "graph500", strlen("graph500")) == 0)
        return &graph500_task;
    return settings->pairs != NULL ? &pairs_task : &trials_task;
}

/* Determines what to do, and rejects what cannot be done. All ranks call it. */
static int prepare_job(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    struct reorder order;
    job->out = streams_report(settings);
    if (streams_check(settings, error) != STATUS_OK)
        return error->status;
    if (settings->write != NULL)
        graph_write_check(settings->write, error);
    if (settings->reorder != NULL)
        reorder_parse(settings->reorder, &order, error);
    if (settings->algo != NULL && error->status == STATUS_OK &&
        plan_make(settings, &job->machine, &job->plan, error) == STATUS_OK) {
        job->task = pick_task(settings, job->plan.family);
        check_plan(job, error);
    }
    return check_ranks(job, error);
}

static void work_on_graph(struct job *job, const char *spec)
{
    struct input input;
    struct error error = {0};
    if (input_open(job, spec, &input, &error) == STATUS_OK && job->task != NULL) {
        const struct algorithm *first = job->plan.choices.items[0].algorithm;
        if (job->plan.falls_back)
            notice("no GPU here (gtrav --list says why): %s %s runs on the CPU", first->family, first->variant);
        job->plan.falls_back = false;
        measure(job, &input, &error);
    }
    if (error.status != STATUS_OK)
        job_failed(job, &error);
    input_release(&input);
}

static int work_on_graphs(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (prepare_job(job, error) != STATUS_OK)
        return error->status;
    check_machine(job);
    for (int i = 0; i < settings->graphs.count && !shall_stop(); i++)
        work_on_graph(job, settings->graphs.items[i]);
    job_end_documents(job);
    report_records(job);
    if (shall_stop() && job->worst != STATUS_INTERRUPTED) /* interrupted between two runs; not reported yet */
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    return job->worst;
}

static int list(const struct settings *settings, struct machine *machine, struct error *error)
{
    const struct family *family = NULL;
    if (settings->algo != NULL && find_family(settings->algo, &family, error) != STATUS_OK)
        return error->status;
    return report_list(stdout, settings, family, machine, error);
}

static int obey(const struct settings *settings, struct error *error)
{
    struct job job = {.settings = settings};
    int status = STATUS_OK;
    omp_set_num_threads(settings->threads > 0 ? settings->threads : cores_default_threads(ranks()->host_size));
    if (settings->help != NULL)
        status = print_topic(stdout, settings->help, error);
    else if (settings->version)
        print_version(stdout);
    else if (settings->list)
        status = list(settings, &job.machine, error);
    else
        status = work_on_graphs(&job, error);
    choices_release(&job.plan.choices);
    machine_close(&job.machine);
    return status;
}

/* Opens the standard streams that the caller closed, so that no other file gets their descriptors. Standard output is
 * opened for reading only: then writing to it fails, and close_stdout() reports that. */
static void occupy_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

/* Closes standard output, but only flushes a pipe, because libraries flush it once more when they are unloaded. */
static int close_stdout(struct error *error)
{
    if (fflush(stdout) != 0 || ferror(stdout) || (!is_pipe(STDOUT_FILENO) && fclose(stdout) != 0))
        return error_errno(error, "cannot write to standard output");
    return STATUS_OK;
}

static int run_program(int argc, char **argv)
{
    struct settings settings = {0};
    struct error error = {0}, lost = {0};
    cores_bound_spinning(argv);
    setenv("XDG_RUNTIME_DIR", "/nonexistent", 0); /* WebGPU's drivers print a complaint if it is not set */
    occupy_standard_streams();
    int status = ranks_open(&error);
    if (!is_first() && freopen("/dev/null", "w", stdout) == NULL)
        status = error_errno(&error, "/dev/null: cannot open");
    bool compares = argc > 1 && strcmp(argv[1], "compare") == 0;
    if (status == STATUS_OK && !compares)
        settings_parse(argc, argv, &settings, &error);
    status = ranks_agree(&error);
    if (status == STATUS_OK) {
        terminal_open(settings.quiet || !is_first());
        status = compares ? compare_main(argc - 1, argv + 1, &error) : obey(&settings, &error);
        terminal_close();
    }
    settings_release(&settings);
    if (error.status != STATUS_OK && is_first())
        report_error(&error);
    if (close_stdout(&lost) != STATUS_OK) {
        if (lost.status != STATUS_INTERRUPTED || status != STATUS_INTERRUPTED) /* an interruption is reported once */
            report_error(&lost);
        status = status > lost.status ? status : lost.status;
    }
    status = terminal_status(status);
    ranks_close(status);
    return status;
}

#define STACK_BYTES ((size_t)8 << 20)

struct program {
    int argc;
    char **argv;
    int status;
};

static void *run_on_stack(void *argument)
{
    struct program *program = argument;
    program->status = run_program(program->argc, program->argv);
    return NULL;
}

/* Runs the program, in a thread with the usual stack if `ulimit -s` allows less. Its threads get that stack, too. */
int main(int argc, char **argv)
{
    struct program program = {argc, argv, 0};
    struct rlimit stack;
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= STACK_BYTES)
        return run_program(argc, argv);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_setattr_default_np(&attributes);
    if (pthread_create(&thread, &attributes, run_on_stack, &program) != 0)
        return run_program(argc, argv);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL); /* so that the thread receives Ctrl-C */
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return program.status;
}
