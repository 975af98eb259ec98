/* checks.h: whether what the user asked for can be done, before a graph is loaded. */
#ifndef GTRAV_CLI_CHECKS_H
#define GTRAV_CLI_CHECKS_H

#include "job.h"

/* Refuses options that do not fit the plan and its task, and opens the devices of --gpus: STATUS_INPUT, or
 * STATUS_DEVICE where a device cannot be opened. In check_plan.c. */
int check_plan(struct job *job, struct error *error);

/* Refuses several ranks for a task that cannot share work, and ranks that were started for different tasks. error: it
 * may hold this rank's error already; then all ranks get one. All ranks call it. In check_ranks.c. */
int check_ranks(const struct job *job, struct error *error);

#endif
