/* gpu_sum_nccl.c: gpu_sum.h with NCCL. The values pass through a buffer on each GPU, in parts. */
#include "../../src/processes/gpu_sum.h"

#include <cuda_runtime.h>
#include <nccl.h>

#define BUFFER_BYTES ((size_t)64 << 20)

struct gpu_sum {
    ncclComm_t among;
    cudaStream_t stream;
    void *buffer; /* BUFFER_BYTES */
    int device, rank;
};

_Static_assert(sizeof(ncclUniqueId) == GPU_SUM_ID_BYTES, "NCCL's id has another size");

static int check_nccl(ncclResult_t code, const char *what, struct error *error)
{
    if (code == ncclSuccess)
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE, "NCCL: %s failed: %s", what, ncclGetErrorString(code));
}

static int check_cuda(cudaError_t code, const char *what, struct error *error)
{
    if (code == cudaSuccess)
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE, "GPU: %s failed: %s", what, cudaGetErrorString(code));
}

int gpu_sum_make_id(unsigned char id[GPU_SUM_ID_BYTES], struct error *error)
{
    ncclUniqueId made;
    if (check_nccl(ncclGetUniqueId(&made), "making an id", error) == STATUS_OK)
        memcpy(id, &made, sizeof made);
    return error->status;
}

/* Connects the GPUs. NCCL does so at the first exchange, and it takes longer than the sums. */
static int connect_gpus(struct gpu_sum *sum, struct error *error)
{
    const ncclDataType_t types[] = {ncclUint64, ncclUint32};
    const size_t sizes[] = {sizeof(uint64_t), sizeof(uint32_t)};
    check_cuda(cudaMemset(sum->buffer, 0, BUFFER_BYTES), "clearing", error);
    for (int i = 0; i < 2 && error->status == STATUS_OK; i++)
        check_nccl(ncclReduce(sum->buffer, sum->buffer, BUFFER_BYTES / sizes[i], types[i], ncclSum, 0, sum->among,
                              sum->stream),
                   "connecting the GPUs", error);
    return error->status == STATUS_OK ? check_cuda(cudaStreamSynchronize(sum->stream), "connecting the GPUs", error)
                                      : error->status;
}

int gpu_sum_open(struct gpu_sum **sum, const unsigned char id[GPU_SUM_ID_BYTES], int device, int rank, int size,
                 struct error *error)
{
    ncclUniqueId wanted;
    memcpy(&wanted, id, sizeof wanted);
    if (allocate_zeroed(sum, 1, sizeof **sum, "the sums of GPUs", error) != STATUS_OK)
        return error->status;
    (*sum)->device = device;
    (*sum)->rank = rank;
    if (check_cuda(cudaSetDevice(device), "selecting the device", error) == STATUS_OK &&
        check_cuda(cudaMalloc(&(*sum)->buffer, BUFFER_BYTES), "allocating for sums", error) == STATUS_OK &&
        check_cuda(cudaStreamCreate(&(*sum)->stream), "making a stream", error) == STATUS_OK &&
        check_nccl(ncclCommInitRank(&(*sum)->among, size, wanted, rank), "joining the GPUs", error) == STATUS_OK &&
        connect_gpus(*sum, error) == STATUS_OK)
        return STATUS_OK;
    gpu_sum_close(*sum);
    *sum = NULL;
    return error->status;
}

void gpu_sum_close(struct gpu_sum *sum)
{
    if (sum == NULL)
        return;
    cudaSetDevice(sum->device);
    if (sum->among != NULL)
        ncclCommDestroy(sum->among);
    if (sum->stream != NULL)
        cudaStreamDestroy(sum->stream);
    cudaFree(sum->buffer);
    free(sum);
}

static int add_part(struct gpu_sum *sum, void *values, size_t count, size_t size, struct error *error)
{
    ncclDataType_t type = size == sizeof(uint64_t) ? ncclUint64 : ncclUint32;
    if (check_cuda(cudaMemcpyAsync(sum->buffer, values, count * size, cudaMemcpyHostToDevice, sum->stream),
                   "copying the summands", error) != STATUS_OK ||
        check_nccl(ncclReduce(sum->buffer, sum->buffer, count, type, ncclSum, 0, sum->among, sum->stream), "summing",
                   error) != STATUS_OK)
        return error->status;
    if (sum->rank == 0 &&
        check_cuda(cudaMemcpyAsync(values, sum->buffer, count * size, cudaMemcpyDeviceToHost, sum->stream),
                   "copying the sum", error) != STATUS_OK)
        return error->status;
    return check_cuda(cudaStreamSynchronize(sum->stream), "summing", error);
}

int gpu_sum_add(struct gpu_sum *sum, void *values, size_t count, size_t size, struct error *error)
{
    size_t most = BUFFER_BYTES / size;
    check_cuda(cudaSetDevice(sum->device), "selecting the device", error);
    for (size_t first = 0; first < count && error->status == STATUS_OK; first += most)
        add_part(sum, (char *)values + first * size, count - first < most ? count - first : most, size, error);
    return error->status;
}
