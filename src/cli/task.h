/* task.h: the tasks for which algorithms run: measuring trials, answering pairs, computing closeness. main.c
 * selects one by the options and the family. Each task has a file of its own, task_*.c. */
#pragma once

#include "job.h"

/* One algorithm on one graph. */
struct work {
    struct job *job;
    const struct bench_request *request;
    struct results *results; /* of all algorithms on this graph */
};

struct task {
    bool shares_sources; /* several GPUs, and several ranks, share the sources of one run */
    bool has_checkpoint; /* --checkpoint keeps its state */
    size_t state_bytes;  /* size of the state that run() passes to report() and release(); zeroed before run() */

    /* Rejects options that do not fit the task, and algorithms that cannot perform it: STATUS_INPUT. */
    int (*check)(const struct job *job, struct error *error);

    /* Draws sources if the user named none. wanted: the K of --sources, 0 if it is not given. The caller frees
     * *sources. NULL: the task needs no sources. */
    int (*draw_sources)(const struct graph *graph, int wanted, vertex_t **sources, int *count, struct error *error);

    /* Runs the algorithm. All ranks call it, and report() and release() after it, in every case. */
    void (*run)(const struct work *work, void *state, struct error *error);

    /* Prints and writes the results of run(). error: the error of run(), which report() also prints. */
    void (*report)(const struct work *work, void *state, const struct error *error);

    /* The number of pairs that run() was asked for, for the record of a failure; NULL: the task is not about pairs.
     */
    uint64_t (*num_pairs)(const void *state);

    void (*release)(void *state);
};
extern const struct task trials_task, pairs_task, closeness_task;

/* For all tasks: prints a notice of what the algorithm chose for the graph and what it built. */
void report_preparation(const struct bench_request *request, const struct bench_result *result);

/* ", on 4 devices"; "" for one. */
const char *describe_devices(const struct bench_request *request, char text[32]);

/* STATUS_INPUT unless each algorithm of the plan can give one of these outputs (enum output, or'ed). what: the option
 * or task that needs it; lacks: what follows the algorithm's name, "gives no levels". */
int check_outputs(const struct plan *plan, unsigned outputs, const char *what, const char *lacks,
                  struct error *error);
