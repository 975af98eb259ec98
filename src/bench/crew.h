/* crew.h: several devices of this machine at work, each by a thread of the host of its own. */
#ifndef GTRAV_CREW_H
#define GTRAV_CREW_H

#include "../device.h"

struct crew {
    struct device *devices; /* size */
    int size;
    struct error *errors; /* of each device's thread, from crew_open() to crew_close(): engines may keep a pointer */
};

/* crew_close() in every case. */
int crew_open(struct crew *crew, struct device *devices, int size, struct error *error);
void crew_close(struct crew *crew);

/* Calls work(number, context, error) once for each device, by numbers from 0, at the same time, in threads that use
 * the device and share the host's processors out among their OpenMP teams; returns when all are done. Where one fails
 * nothing more is handed out (ranks_stop()), and *error is its. One device of one process is used by the caller's own
 * thread; that of several ranks keeps the caller free to answer them. */
int crew_run(struct crew *crew, int (*work)(int number, void *context, struct error *error), void *context,
             struct error *error);

#endif
