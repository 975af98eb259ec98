/* memory.cu: errors of CUDA, device memory, and memory for results. */
#include <stdlib.h>

#include "../../device/narrow_levels.cuh"
#include "host.h"

namespace BACKEND
{

int gpu_check(cudaError_t code, const char *what, struct error *error)
{
    if (code != cudaSuccess && stop_requested()) /* the emulator has stopped the kernel */
        error_set(error, STATUS_INTERRUPTED, "interrupted");
    else if (code != cudaSuccess)
        error_set(error, STATUS_DEVICE, "GPU: %s failed: %s", what, cudaGetErrorString(code));
    return error->status;
}

int gpu_wait(const char *what, struct error *error)
{
    return error->status != STATUS_OK ? error->status : gpu_check(cudaDeviceSynchronize(), what, error);
}

/* ---- allocating ---- */

struct gpu_block {
    void *memory;
    size_t bytes;
    bool in_host;
    struct gpu_block *next;
};

/* The allocations on a device. Only the thread that uses the device accesses them. */
struct holdings {
    struct gpu_arena loose; /* blocks that belong to no other arena */
    struct device_memory in_use;
};
static struct holdings holdings[MAX_DEVICES];

struct device_memory *memory_of_device(int device)
{
    return &holdings[device].in_use;
}

/* Returns the record of the device that this thread uses. */
static struct holdings *own_holdings(void)
{
    int device = 0;
    cudaGetDevice(&device);
    return &holdings[device];
}

struct device_memory *gpu_counting(void)
{
    return counting_memory;
}

int gpu_cannot_count(struct error *error)
{
    gpu_counting()->is_unknown = true;
    return error_set(error, STATUS_DEVICE, "its memory depends on what it finds in the graph");
}

/* Returns how far the memory in use is below the limit. */
static uint64_t below_limit(void)
{
    const struct device_memory *in_use = &own_holdings()->in_use;
    const uint64_t limit = in_use->limit != 0 ? in_use->limit : UINT64_MAX;
    return in_use->bytes < limit ? limit - in_use->bytes : 0;
}

uint64_t gpu_memory_left(struct error *error)
{
    size_t free_bytes = 0, all_bytes = 0;
    const uint64_t counted = own_holdings()->in_use.counted_bytes, allowed = below_limit();
    if (error->status != STATUS_OK ||
        gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "querying the free memory", error) != STATUS_OK)
        return 0;
    uint64_t left = free_bytes > counted ? free_bytes - counted : 0;
    return left < allowed ? left : allowed;
}

static void refuse(size_t bytes, const char *what, struct error *error)
{
    struct error ignored = {};
    memory_refuse(bytes, what, gpu_memory_left(&ignored), error);
}

void *allocate_on_device(size_t bytes, const char *what, struct error *error)
{
    void *memory = NULL;
    cudaError_t code = cudaMalloc(&memory, bytes);
    if (code == cudaSuccess)
        return memory;
    if (code != cudaErrorMemoryAllocation) {
        gpu_check(code, what, error);
        return NULL;
    }
    cudaGetLastError(); /* clears the error: the device is still usable */
    refuse(bytes, what, error);
    return NULL;
}

/* Takes pinned host memory, or only counts it. NULL after an error. */
static void *take_host_block(struct gpu_block *block, size_t bytes, const char *what, struct error *error)
{
    struct device_memory *in_use = &own_holdings()->in_use;
    void *memory = block;
    if (!gpu_counting() && cudaMallocHost(&memory, bytes) != cudaSuccess) {
        cudaGetLastError(); /* clears the error: the device is still usable */
        error_set(error, STATUS_DEVICE, "GPU: cannot pin %.1f MB of host memory for %s", 1e-6 * (double)bytes, what);
        return NULL;
    }
    in_use->host_bytes += bytes;
    in_use->peak_host_bytes =
        in_use->host_bytes > in_use->peak_host_bytes ? in_use->host_bytes : in_use->peak_host_bytes;
    return memory;
}

/* Takes a block's memory, or only counts it; a counted block's address is that of the struct. NULL after an error. */
static void *take_block(struct gpu_block *block, size_t bytes, const char *what, struct error *error)
{
    struct device_memory *in_use = &own_holdings()->in_use;
    const bool counts = gpu_counting() != NULL;
    void *memory = block;
    if (!counts && bytes > below_limit())
        refuse(bytes, what, error);
    if (!counts)
        memory = error->status == STATUS_OK ? allocate_on_device(bytes, what, error) : NULL;
    in_use->counted_bytes += counts ? bytes : 0;
    in_use->bytes += memory != NULL ? bytes : 0;
    in_use->peak_bytes = in_use->bytes > in_use->peak_bytes ? in_use->bytes : in_use->peak_bytes;
    return memory;
}

void *gpu_take_bytes(struct gpu_arena *arena, size_t count, size_t size, const char *what, struct error *error)
{
    struct gpu_block *block;
    size_t bytes = (count > 0 ? count : 1) * size;
    if (error->status != STATUS_OK || allocate(&block, 1, sizeof *block, what, error) != STATUS_OK)
        return NULL;
    auto take = arena->in_host ? take_host_block : take_block;
    *block = {take(block, bytes, what, error), bytes, arena->in_host, arena->latest};
    if (block->memory == NULL) {
        free(block);
        return NULL;
    }
    arena->latest = block;
    return block->memory;
}

/* Frees the block that *link points to, and removes it from its list. */
static void free_block(struct gpu_block **link)
{
    struct gpu_block *block = *link;
    struct device_memory *in_use = &own_holdings()->in_use;
    *(block->in_host ? &in_use->host_bytes : &in_use->bytes) -= block->bytes;
    *link = block->next;
    if (block->memory != block)
        block->in_host ? cudaFreeHost(block->memory) : cudaFree(block->memory);
    else if (!block->in_host)
        in_use->counted_bytes -= block->bytes;
    free(block);
}

void gpu_arena_free(struct gpu_arena *arena)
{
    while (arena->latest != NULL)
        free_block(&arena->latest);
}

int gpu_allocate_bytes(void **memory, size_t count, size_t size, const char *what, struct error *error)
{
    *memory = gpu_take_bytes(&own_holdings()->loose, count, size, what, error);
    return error->status;
}

void gpu_free(const void *memory)
{
    struct gpu_block **link = &own_holdings()->loose.latest;
    while (*link != NULL && (*link)->memory != memory)
        link = &(*link)->next;
    if (*link != NULL)
        free_block(link);
}

/* ---- filling ---- */

int gpu_fill_bytes(void *memory, int byte, size_t bytes, struct error *error)
{
    if (error->status != STATUS_OK || memory == NULL || gpu_counting())
        return error->status;
    ++*gpu_work();
    return gpu_check(cudaMemsetAsync(memory, byte, bytes), "filling memory", error);
}

/* ---- memory for results, on the device or pinned (struct device_arrays) ---- */

static void *take(size_t bytes, bool on_device, struct error *error)
{
    void *memory = NULL;
    if (on_device)
        gpu_allocate_bytes(&memory, bytes, 1, "a result", error);
    else
        gpu_check(cudaMallocHost(&memory, bytes), "pinning memory", error);
    return memory;
}

static void give(void *memory, bool on_device)
{
    if (on_device)
        gpu_free(memory);
    else
        cudaFreeHost(memory);
}

/* Writes levels as bytes. Raises *highest, which is at least 254, to the highest level. */
__global__ void narrow_levels(const uint32_t *from, size_t count, uint8_t *to, uint32_t *highest)
{
    for (uint64_t i = thread_of_grid(); i < count; i += threads_of_grid()) {
        uint32_t level = from[i];
        to[i] = (uint8_t)level; /* UNREACHED becomes 0xff */
        if (level != UNREACHED && level > highest_level(1))
            atomicMax(highest, level);
    }
}

static int narrow(uint8_t *to, uint32_t *levels, size_t count, uint32_t *highest, struct error *error)
{
    uint8_t *bytes = (uint8_t *)&levels[count + 1];
    *highest = highest_level(1);
    gpu_upload(&levels[count], highest, 1, error);
    gpu_launch(narrow_levels, gpu_wide_grid(count), 0, error, levels, count, bytes, &levels[count]);
    gpu_download(highest, &levels[count], 1, error);
    return gpu_fetch(to, bytes, count, error);
}

const struct device_arrays gpu_arrays = {take, give, gpu_fetch_bytes, narrow};

} // namespace BACKEND
