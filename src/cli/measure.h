/* measure.h: one graph of a job: its input, and the runs of algorithms on it. */
#pragma once

#include "../session/orders.h"
#include "job.h"

struct input {
    struct graph graph; /* the graph in its own order */
    struct order order; /* the order of --reorder or of the file; empty if that is the graph's own */
    double load_ms;
};

/* Loads the graph that a --graph argument names, and carries out --info, --reorder and --write. With several ranks,
 * rank 0 does this with all processors of its machine, and the others get copies. All ranks call it. Call
 * input_release() in every case. */
int input_open(struct job *job, const char *spec, struct input *input, struct error *error);
void input_release(struct input *input);

/* Runs the job's task with each algorithm of its plan, and prints the results. If a run fails, reports it and begins
 * the next one. Returns an error only if no run could begin. All ranks call it. */
int measure(struct job *job, const struct input *input, struct error *error);
