/* measure.h: runs the algorithms of a job on one graph. */
#pragma once

#include "input.h"

/* Runs the job's task by each algorithm of its plan, and prints the results. If a run fails, it is reported and the
 * next one begins. Returns an error only if no run could begin. All ranks call it. */
int measure(struct job *job, const struct input *input, struct error *error);
