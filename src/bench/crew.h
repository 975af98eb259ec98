/* crew.h: several devices of this machine at work, each by a thread of the host of its own. */
#ifndef GTRAV_CREW_H
#define GTRAV_CREW_H

#include "../device.h"

/* Calls work(number, context, error) once for each device, by numbers from 0, at the same time, in threads that use
 * the device and share the host's processors out among their OpenMP teams; returns when all are done. Where one fails
 * nothing more is handed out (ranks_stop()), and *error is its. One device of one process is used by the caller's own
 * thread; that of several ranks keeps the caller free to answer them. */
int crew_run(struct device *devices, int num_devices, int (*work)(int number, void *context, struct error *error),
             void *context, struct error *error);

#endif
