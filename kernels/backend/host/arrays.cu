/* arrays.cu: memory for results, on the device or pinned, and levels as bytes (struct device_arrays). */
#include "../../device/narrow_levels.cuh"
#include "host.h"

namespace BACKEND
{

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
