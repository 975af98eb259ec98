/* crew.h: several devices of this machine at work, each by a thread of the host of its own. */
#ifndef GTRAV_CREW_H
#define GTRAV_CREW_H

#include "../device.h"

struct crew {
    struct crew_member *members; /* size: one for each device */
    int size;
};

/* Of devices that lie one after the other. crew_close() in every case. */
int crew_open(struct crew *crew, struct device *devices, int size, struct error *error);
void crew_close(struct crew *crew);

/* Calls work(number, context, own_error) once for each device, by numbers from 0, at the same time, in threads that
 * use the device and share the host's processors out among their OpenMP teams; returns when all are done. Where one
 * fails nothing more is handed out (ranks_stop()), and *error is its. own_error is a member's until crew_close():
 * engines may keep the pointer. One device of one process is used by the caller's own thread; that of several ranks
 * keeps the caller free to answer them. Takes no memory, so that it can end what it began. */
int crew_run(struct crew *crew, int (*work)(int number, void *context, struct error *own_error), void *context,
             struct error *error);

#endif
