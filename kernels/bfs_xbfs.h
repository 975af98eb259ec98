/* bfs_xbfs.h: XBFS's two ways to fill a frontier queue, for who measures them by themselves (bench/enqueue.c). */
#ifndef GTRAV_BFS_XBFS_H
#define GTRAV_BFS_XBFS_H

#include "../src/device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct enqueue_times {
    uint64_t found;                  /* frontiers in the array */
    double atomic_ms, prefix_sum_ms; /* the fastest of all runs */
};

/* Fills an array of `size` random statuses, of which one in `one_in` is a frontier's, and times how long the device
 * takes to queue these by one scan and atomics, and by two scans and a prefix sum: figure 5 of XBFS. size: 1 to 2^32
 * - 1. STATUS_WRONG where the two ways do not find the same. */
int enqueue_benchmark(struct device *device, uint64_t size, uint32_t one_in, unsigned runs,
                      struct enqueue_times *times, struct error *error);
int enqueue_benchmark_emulated(struct device *device, uint64_t size, uint32_t one_in, unsigned runs,
                               struct enqueue_times *times, struct error *error);

#ifdef __cplusplus
}
#endif
#endif
