/* input.h: a graph as a job uses it: loaded, shown, put in order, written. */
#ifndef GTRAV_CLI_INPUT_H
#define GTRAV_CLI_INPUT_H

#include "job.h"

struct input {
    struct graph graph;         /* in its own order */
    struct graph reordered;     /* in the order of --reorder or of the file; empty if that is the graph's own */
    double load_ms, reorder_ms; /* what loading and reordering took */
};

/* Loads the graph that a --graph argument names, and does what --info, --reorder and --write ask for. Of several
 * ranks, rank 0 does so with all processors of its machine, and the others get copies. All ranks call it.
 * input_release() in every case. */
int input_open(struct job *job, const char *spec, struct input *input, struct error *error);
void input_release(struct input *input);

/* The graph in the order in which it is used. */
const struct graph *input_in_use(const struct input *input);

#endif
