/* gpu_sum_none.c: gpu_sum.h in a build without CUDA or NCCL. */
#include "../../src/processes/gpu_sum.h"

static int no_nccl(struct error *error)
{
    return error_set(error, STATUS_DEVICE, "this gtrav was built without NCCL");
}

int gpu_sum_make_id(unsigned char id[GPU_SUM_ID_BYTES], struct error *error)
{
    (void)id;
    return no_nccl(error);
}

int gpu_sum_open(struct gpu_sum **sum, const unsigned char id[GPU_SUM_ID_BYTES], int device, int rank, int size,
                 struct error *error)
{
    (void)id, (void)device, (void)rank, (void)size;
    *sum = NULL;
    return no_nccl(error);
}

void gpu_sum_close(struct gpu_sum *sum)
{
    (void)sum;
}

int gpu_sum_add(struct gpu_sum *sum, void *values, size_t count, size_t size, struct error *error)
{
    (void)sum, (void)values, (void)count, (void)size;
    return no_nccl(error);
}
