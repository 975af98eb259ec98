/* gpu_sum_none.c: gpu_sum.h in a build without CUDA or NCCL. */
#include "../../src/processes/gpu_sum.h"

static int no_nccl(struct error *error)
{
    return error_set(error, STATUS_DEVICE, "this gtrav was built without NCCL");
}

int gpu_sum_make_id(UNUSED unsigned char id[GPU_SUM_ID_BYTES], struct error *error)
{
    return no_nccl(error);
}

int gpu_sum_open(struct gpu_sum **sum, UNUSED const unsigned char id[GPU_SUM_ID_BYTES], UNUSED int device,
                 UNUSED int rank, UNUSED int size, struct error *error)
{
    *sum = NULL;
    return no_nccl(error);
}

void gpu_sum_close(UNUSED struct gpu_sum *sum)
{
}

int gpu_sum_add(UNUSED struct gpu_sum *sum, UNUSED void *values, UNUSED size_t count, UNUSED size_t size,
                struct error *error)
{
    return no_nccl(error);
}
