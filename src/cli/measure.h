/* measure.h: one graph of a job: its input, and the runs of algorithms on it. */
#pragma once

#include "job.h"

struct input {
    struct graph graph;         /* in its own order */
    struct graph reordered;     /* in the order of --reorder or of the file; empty if that is the own order */
    double load_ms, reorder_ms; /* times of loading and reordering */
};

/* Loads the graph that a --graph argument names, and carries out --info, --reorder and --write. With several ranks,
 * rank 0 does this with all processors of its machine, and the others get copies. All ranks call it. Call
 * input_release() in every case. */
int input_open(struct job *job, const char *spec, struct input *input, struct error *error);
void input_release(struct input *input);

/* Returns the graph in the order of --reorder or of the file; NULL: that is the graph's own order. */
const struct graph *reordered_input(const struct input *input);

/* Runs the job's task with each algorithm of its plan, and prints the results. If a run fails, reports it and begins
 * the next one. Returns an error only if no run could begin. All ranks call it. */
int measure(struct job *job, const struct input *input, struct error *error);
