/* memory.cu: errors of CUDA, and device memory. */
#include <stdlib.h>

#include "host.h"

namespace BACKEND
{

int gpu_check(cudaError_t code, const char *what, struct error *error)
{
    if (code == cudaSuccess)
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE, "GPU: %s failed: %s", what, cudaGetErrorString(code));
}

struct allocation {
    const void *memory;
    size_t bytes;
    struct allocation *next;
};

/* What is allocated on a device, the latest allocation first. Only the one thread that uses the device accesses it.
 */
struct holdings {
    struct allocation *latest;
    struct device_memory in_use;
};
static struct holdings holdings[MAX_DEVICES];

struct device_memory *memory_of_device(int device)
{
    return &holdings[device].in_use;
}

/* The holdings of the device that this thread uses. */
static struct holdings *own_holdings(void)
{
    int device = 0;
    cudaGetDevice(&device);
    return &holdings[device];
}

static void note_allocation(struct allocation *allocation, const void *memory, size_t bytes)
{
    struct holdings *own = own_holdings();
    struct device_memory *in_use = &own->in_use;
    *allocation = {memory, bytes, own->latest};
    own->latest = allocation;
    in_use->bytes += bytes;
    in_use->peak_bytes = in_use->bytes > in_use->peak_bytes ? in_use->bytes : in_use->peak_bytes;
}

static void forget_allocation(const void *memory)
{
    struct holdings *own = own_holdings();
    struct allocation **link = &own->latest;
    while (*link != NULL && (*link)->memory != memory)
        link = &(*link)->next;
    struct allocation *found = *link;
    if (found == NULL)
        return;
    own->in_use.bytes -= found->bytes;
    *link = found->next;
    free(found);
}

int gpu_allocate_bytes(void **memory, size_t count, size_t size, const char *what, struct error *error)
{
    size_t bytes = (count > 0 ? count : 1) * size, free_bytes = 0, all_bytes = 0;
    struct allocation *allocation;
    *memory = NULL;
    if (allocate(&allocation, 1, sizeof *allocation, what, error) != STATUS_OK)
        return error->status;
    cudaError_t code = cudaMalloc(memory, bytes);
    if (code == cudaSuccess) {
        note_allocation(allocation, *memory, bytes);
        return STATUS_OK;
    }
    free(allocation);
    *memory = NULL;
    if (code != cudaErrorMemoryAllocation)
        return gpu_check(code, what, error);
    cudaGetLastError(); /* a failed allocation leaves the device usable */
    cudaMemGetInfo(&free_bytes, &all_bytes);
    return error_set(
        error, STATUS_DEVICE,
        "GPU out of memory: %.1f MB needed for %s, %.1f of %.1f MB free; use a smaller graph or a larger GPU",
        1e-6 * (double)bytes, what, 1e-6 * (double)free_bytes, 1e-6 * (double)all_bytes);
}

void gpu_free(const void *memory)
{
    forget_allocation(memory);
    cudaFree((void *)memory);
}

} // namespace BACKEND
