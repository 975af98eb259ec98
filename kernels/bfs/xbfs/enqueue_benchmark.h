/* enqueue_benchmark.h: times the two ways in which XBFS fills a frontier queue. The program is enqueue.c. */
#pragma once

#include "../../../src/device.h"

C_NAMES_BEGIN

struct enqueue_times {
    uint64_t found;                  /* number of frontiers in the array */
    double atomic_ms, prefix_sum_ms; /* time of the fastest run, divided by its number of rounds */
};

/* Fills an array with `size` random statuses (1 to 2^32 - 1); one in `one_in` is a frontier. Times how long the
 * device takes to queue the frontiers by one scan with atomics, and by two scans with a prefix sum (figure 5 of
 * XBFS). runs: the number of runs of each kind, at least 1. Errors: STATUS_WRONG if a queue does not hold exactly the
 * frontiers of the array; STATUS_DEVICE if the device fails or has too little memory. Frees all its device memory. */
int enqueue_benchmark(struct device *device, uint64_t size, uint32_t one_in, unsigned runs, struct enqueue_times *times,
                      struct error *error);
int enqueue_benchmark_emulated(struct device *device, uint64_t size, uint32_t one_in, unsigned runs,
                               struct enqueue_times *times, struct error *error);

C_NAMES_END
