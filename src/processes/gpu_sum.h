/* gpu_sum.h: sums over the GPUs of one machine, one GPU per process. gpu_sum_nccl.c uses NCCL. In a build without
 * NCCL, every function of gpu_sum_none.c fails and says so. */
#pragma once

#include "../device.h"

struct gpu_sum;

#define GPU_SUM_ID_BYTES 128

/* Makes the id by which all processes join. One process makes it and sends it to the others. */
int gpu_sum_make_id(unsigned char id[GPU_SUM_ID_BYTES], struct error *error);

/* Joins the sum; all `size` processes must call it. device: the GPU of process `rank`, a different one for each
 * process. *sum is NULL on failure. gpu_sum_close accepts NULL. */
int gpu_sum_open(struct gpu_sum **sum, const unsigned char id[GPU_SUM_ID_BYTES], int device, int rank, int size,
                 struct error *error);
void gpu_sum_close(struct gpu_sum *sum);

/* Adds up the arrays of all processes, element by element; all must call it. An array has count unsigned integers of
 * `size` bytes (4 or 8) in host memory. Process 0 receives the sums; the arrays of the others do not change. */
int gpu_sum_add(struct gpu_sum *sum, void *values, size_t count, size_t size, struct error *error);
