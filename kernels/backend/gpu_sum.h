/* gpu_sum.h: sums over the GPUs of one machine, one GPU to a process: by NCCL (gpu_sum_nccl.c), or in a build without
 * it by nobody (gpu_sum_none.c), which every function says. */
#ifndef GTRAV_GPU_SUM_H
#define GTRAV_GPU_SUM_H

#include <stddef.h>

#include "../../src/device.h"

struct gpu_sum;

#define GPU_SUM_ID_BYTES 128

/* What one of the processes makes and gives to the others, for all to join by. */
int gpu_sum_make_id(unsigned char id[GPU_SUM_ID_BYTES], struct error *error);

/* By all `size` processes; device: the number of the GPU of process `rank`, another for each. *sum is NULL on
 * failure. gpu_sum_close takes NULL. */
int gpu_sum_open(struct gpu_sum **sum, const unsigned char id[GPU_SUM_ID_BYTES], int device, int rank, int size,
                 struct error *error);
void gpu_sum_close(struct gpu_sum *sum);

/* By all: process 0 gets of each place the sum of count unsigned integers of `size` bytes (4 or 8), in host memory;
 * the others keep theirs. */
int gpu_sum_add(struct gpu_sum *sum, void *values, size_t count, size_t size, struct error *error);

#endif
