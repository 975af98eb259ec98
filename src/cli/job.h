/* job.h: a job, which is one command that loads graphs, and the tasks for which its algorithms run. */
#pragma once

#include "../records/record_key.h"
#include "plan.h"
#include "results.h"

/* What the paths of a job's records contain; "*" stands for several names. */
struct recorded {
    int num_runs;
    const char *device, *variant;
    char graph[RECORD_NAME_BYTES + 1];
};

struct job {
    const struct settings *settings;
    const struct task *task; /* the task for which the algorithms run; NULL without --algo */
    struct machine machine;
    struct plan plan;           /* empty without --algo */
    struct warnings of_machine; /* warnings about the machine that hold for every run on its CPU */
    int cores, busy_cores;      /* as in struct bench_request */
    FILE *out;                  /* stream for tables and JSON; not owned */
    struct recorded recorded;
    int documents; /* JSON documents, or tables, printed so far */
    int worst;     /* the highest status so far; the command exits with it */
};

/* One algorithm on one graph. */
struct work {
    struct job *job;
    const struct choice *choice;   /* the algorithm, its device and options */
    struct bench_request *request; /* run() may set num_pairs */
    struct results *results;       /* results of all algorithms on this graph */
};

/* A task: measuring trials, answering pairs, computing closeness, or running Graph500. main.c selects it by the
 * options and the family. Each task has a file, task_*.c. */
struct task {
    bool shares_sources; /* several GPUs, and several ranks, share the sources of one run */
    bool has_checkpoint; /* --checkpoint saves its state */

    /* Returns STATUS_INPUT if an option does not fit the task, or if an algorithm cannot perform it. */
    int (*check)(const struct job *job, struct error *error);

    /* Picks `count` sources if the user named none. NULL: draw_vertices() does. */
    int (*pick_sources)(const struct graph *graph, int count, vertex_t *sources, struct error *error);

    /* Runs the algorithm, prints and writes its results, and reports its error. All ranks call it. */
    void (*run)(const struct work *work);
};
extern const struct task trials_task, pairs_task, closeness_task, graph500_task;

/* Whether this is rank 0, the only one that prints and writes. */
bool is_first(void);

/* Whether any rank was interrupted. Then all ranks stop. All ranks call it. */
bool shall_stop(void);

/* Records that an algorithm failed, if it did. If that fails too, only the first failure is reported. */
void record_failure(const struct bench_request *request, const struct error *error);

/* Reports an error and keeps its status. The job continues with its next piece of work. */
void job_failed(struct job *job, const struct error *error);

/* Notes that a run was recorded. After the last run, report_records() prints where the records are. */
void job_recorded(struct job *job, const struct bench_request *request);
void report_records(const struct job *job);

/* Separate the documents on job->out: tables by blank lines, JSON objects as elements of one array. Call
 * job_begin_document() before each table or JSON object, and job_end_documents() after the last. */
void job_begin_document(struct job *job);
void job_end_documents(const struct job *job);

/* Prints the runs on one graph, as a table or as JSON. */
void job_print_results(struct job *job, struct results *results, const struct graph *graph);

/* Prints a notice of what the algorithm chose for the graph and what it built. */
void report_preparation(const struct bench_request *request, const struct setup *setup);

/* Prints the warnings of a run. On a CPU the first ones are about the machine; check_machine() has printed those. */
void report_warnings(const struct work *work, const struct warnings *warnings);

/* ", on 4 devices"; "" for one. */
const char *describe_devices(const struct bench_request *request, char text[32]);

/* STATUS_INPUT unless each algorithm of the plan can give one of these outputs (enum output, or'ed). The message is
 * "WHAT: FAMILY VARIANT LACKS"; what: the option or task; lacks: such as "gives no levels". */
int check_outputs(const struct plan *plan, unsigned outputs, const char *what, const char *lacks, struct error *error);

/* ---- checks.c: before a graph is loaded ---- */

/* Rejects options that do not fit the plan and its task, and opens the devices of --gpus: STATUS_INPUT, or
 * STATUS_DEVICE if a device cannot be opened. */
int check_plan(struct job *job, struct error *error);

/* Rejects several ranks for a task that cannot share work, and ranks that were started for different tasks. If
 * `error` is already set on any rank, all ranks get an error. All ranks call it. */
int check_ranks(const struct job *job, struct error *error);
