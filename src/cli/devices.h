/* devices.h: the devices and CPU cores that a job runs on. */
#pragma once

#include "job.h"

/* Uses a thread for each of the CPU's free cores at most, unless --threads or the environment sets the number. */
void choose_threads(const struct settings *settings);

/* Before the first run on the CPU, warns of conditions that make its times unreliable, and keeps the warnings in
 * job->of_machine. */
void check_cpu(struct job *job);

/* Opens the GPUs that --gpus names. STATUS_INPUT if the task or a variant cannot use several. */
int open_gpus(struct job *job, struct error *error);

/* Sets the request's devices to those that the run uses on this rank. */
int choose_devices(struct job *job, const struct planned_run *run, struct bench_request *request,
                   struct error *error);
