/* crew.h: runs work on several devices of this machine, with one host thread per device. */
#ifndef GTRAV_CREW_H
#define GTRAV_CREW_H

#include "../device.h"

struct crew {
    struct crew_member *members; /* size, one for each device */
    int size;
};

/* Makes a crew for an array of devices. Call crew_close() in every case. */
int crew_open(struct crew *crew, struct device *devices, int size, struct error *error);
void crew_close(struct crew *crew);

/* Calls work(number, context, own_error) once for each device, numbered from 0. The calls run at the same time,
 * each in a thread that has made the device its current one; the OpenMP teams of these threads share the host's
 * processors. Returns when all calls have returned. If one fails, no more work is handed out (ranks_stop()), and
 * *error is its error. own_error is valid until crew_close(), so engines may keep the pointer. With a single device
 * and a single rank, the caller's own thread does the work; with several ranks the caller stays free to answer
 * them. Allocates no memory, so it always completes what it began. */
int crew_run(struct crew *crew, int (*work)(int number, void *context, struct error *own_error), void *context,
             struct error *error);

#endif
