/* device_threads.h: runs work on several devices of this machine, with one host thread per device. */
#pragma once

#include "../device.h"

struct device_threads {
    struct device_thread *members; /* size: one per device */
    int size;
};

/* Prepares the threads for `size` devices. The caller calls device_threads_close() in every case. */
int device_threads_open(struct device_threads *threads, struct device *devices, int size, struct error *error);
void device_threads_close(struct device_threads *threads);

/* Calls work(number, context, own_error) once for each device, numbered from 0. The calls run at the same time,
 * each in a thread that has made the device its current one; the OpenMP teams of these threads share the host's
 * processors. Returns when all calls have returned. If a call fails, no more work is handed out (ranks_stop()), and
 * *error becomes that call's error. own_error is valid until device_threads_close(), so engines may keep the pointer.
 * With a single device and a single rank, the caller's own thread does the work; with several ranks the caller stays
 * free to answer them. The function allocates no memory, so it always completes. */
int device_threads_run(struct device_threads *threads, int (*work)(int number, void *context, struct error *own_error),
                       void *context, struct error *error);
