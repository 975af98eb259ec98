/* checks.h: checks, before a graph is loaded, that the user's request can be carried out. */
#pragma once

#include "job.h"

/* Rejects options that do not fit the plan and its task, and opens the devices of --gpus: STATUS_INPUT, or
 * STATUS_DEVICE if a device cannot be opened. */
int check_plan(struct job *job, struct error *error);

/* Rejects several ranks for a task that cannot share work, and ranks that were started for different tasks. If
 * `error` is already set on any rank, all ranks get an error. All ranks call it. */
int check_ranks(const struct job *job, struct error *error);
