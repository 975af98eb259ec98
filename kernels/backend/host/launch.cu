/* launch.cu: plans the grid of a kernel. */
#include <mutex>

#include "host.h"

namespace BACKEND
{

/* Returns a property of the device in use; 0 if *error is set. */
static int attribute(enum cudaDeviceAttr which, struct error *error)
{
    int device = 0, value = 0;
    if (error->status == STATUS_OK && gpu_check(cudaGetDevice(&device), "finding the device", error) == STATUS_OK)
        gpu_check(cudaDeviceGetAttribute(&value, which, device), "querying the device", error);
    return value;
}

uint64_t *gpu_work(void)
{
    static thread_local uint64_t work;
    return &work;
}

unsigned gpu_block_size(double value, struct error *error)
{
    unsigned threads = (unsigned)value;
    if (threads % WARP_SIZE != 0)
        error_set(error, STATUS_INPUT, "--set block-size=%u: expected a multiple of 32", threads);
    return threads;
}

/* Allows launches of the kernel on this device to have this much shared memory, or more if an earlier plan asked for
 * more. All plans of a kernel share the attribute, and a larger graph may still need its plan's size. CUDA keeps the
 * attribute for each device, so no copy is kept here. Only this function sets it. The lock keeps another thread from
 * raising it between the check and the change, which would then lower it. */
static int allow_shared_memory(const void *kernel, size_t bytes, struct error *error)
{
    static std::mutex lock;
    std::lock_guard<std::mutex> guard(lock);
    cudaFuncAttributes now = {};
    size_t limit;
    if (gpu_shared_limit(&limit, error) == STATUS_OK && bytes > limit)
        return error_set(error, STATUS_DEVICE,
                         "GPU: too little shared memory: a block needs %zu bytes, there are %zu; choose smaller "
                         "settings or another variant",
                         bytes, limit);
    if (error->status == STATUS_OK &&
        gpu_check(cudaFuncGetAttributes(&now, kernel), "sizing a kernel", error) == STATUS_OK &&
        bytes > (size_t)now.maxDynamicSharedSizeBytes)
        gpu_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
                  "sizing a kernel", error);
    return error->status;
}

int gpu_plan_blocks(const void *kernel, unsigned threads, unsigned blocks_per_sm, size_t shared_bytes,
                    struct grid *grid, struct error *error)
{
    int fit = 0;
    *grid = {};
    unsigned multiprocessors = gpu_multiprocessors(error);
    unsigned most_threads = (unsigned)attribute(cudaDevAttrMaxThreadsPerBlock, error);
    threads = threads < most_threads ? threads : most_threads;
    if (allow_shared_memory(kernel, shared_bytes, error) != STATUS_OK ||
        gpu_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, (int)threads, shared_bytes),
                  "sizing a kernel", error) != STATUS_OK)
        return error->status;
    if (fit == 0)
        return error_set(error, STATUS_DEVICE, "GPU: a block of %u threads does not fit; choose a smaller block-size",
                         threads);
    *grid = {multiprocessors * ((unsigned)fit < blocks_per_sm ? (unsigned)fit : blocks_per_sm), threads};
    return STATUS_OK;
}

int gpu_plan_grid(const void *kernel, unsigned threads, unsigned blocks_per_sm, size_t shared_bytes, struct grid *grid,
                  struct error *error)
{
    if (attribute(cudaDevAttrCooperativeLaunch, error) == 0)
        error_set(error, STATUS_DEVICE,
                  "GPU: no cooperative launches: this variant's blocks wait for each other, so all must run at once");
    return gpu_plan_blocks(kernel, threads, blocks_per_sm, shared_bytes, grid, error);
}

int gpu_plan_cluster(const void *kernel, unsigned threads, unsigned most, size_t shared_bytes, struct grid *grid,
                     struct error *error)
{
    if (gpu_plan_grid(kernel, threads, 1, shared_bytes, grid, error) != STATUS_OK)
        return error->status;
    unsigned cluster = largest_cluster(kernel, grid->threads, shared_bytes, most);
    *grid = {cluster, grid->threads, cluster};
    return STATUS_OK;
}

int gpu_shared_limit(size_t *bytes, struct error *error)
{
    *bytes = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, error);
    return error->status;
}

unsigned gpu_multiprocessors(struct error *error)
{
    return (unsigned)attribute(cudaDevAttrMultiProcessorCount, error);
}

struct grid gpu_wide_grid(uint64_t num_threads)
{
    const unsigned waves = 8;
    struct error ignored = {};
    unsigned most_threads = (unsigned)attribute(cudaDevAttrMaxThreadsPerBlock, &ignored);
    unsigned threads = most_threads < 256 ? most_threads : 256;
    unsigned most_blocks = waves * gpu_multiprocessors(&ignored);
    uint64_t blocks = num_threads / threads + (num_threads % threads != 0);
    return {blocks < 1 ? 1 : blocks < most_blocks ? (unsigned)blocks : most_blocks, threads};
}

} // namespace BACKEND
