/* runtime.cpp: the part of CUDA's runtime that host code calls, on the emulator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <deque>
#include <map>
#include <mutex>

#include "emulator.h"
#include "memory.h"

using namespace emulator;

struct emulated_event {
    double at_ms;
    int device;
    uint64_t submitted; /* copies of the device before it */
};

static thread_local cudaError_t last_error = cudaSuccess;

static cudaError_t noted(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorLaunchFailure:
        return fault_text();
    case cudaErrorUnwrittenMemory:
        return "the host reads device memory that nobody has written";
    default:
        return "invalid argument";
    }
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = DEVICES;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= DEVICES)
        return noted(cudaErrorInvalidValue);
    use_memory(device);
    use_machine(device);
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = memory_in_use();
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    snprintf(properties->name, sizeof properties->name, "emulator");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    *value = attribute == cudaDevAttrMultiProcessorCount  ? MULTIPROCESSORS
             : attribute == cudaDevAttrMaxThreadsPerBlock ? MAX_THREADS_PER_BLOCK
                                                          : MAX_SHARED_BYTES;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int, size_t)
{
    *blocks = BLOCKS_PER_MULTIPROCESSOR;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int value)
{
    return value <= MAX_SHARED_BYTES ? cudaSuccess : noted(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize(void)
{
    do_copies();
    return last_error;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = take_memory(bytes);
    return *memory != nullptr ? cudaSuccess : noted(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void *memory)
{
    do_copies();
    return memory == nullptr || give_back_memory(memory) ? cudaSuccess : noted(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    memory_left(free_bytes, total_bytes);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int byte, size_t count)
{
    do_copies();
    if (!is_allocated(memory, count))
        return noted(cudaErrorInvalidValue);
    memset(memory, byte, count);
    mark_written(memory, count);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t count, cudaStream_t)
{
    return cudaMemset(memory, byte, count);
}

/* ---- copies ---- */

/* The host memory that is pinned, by address. */
static std::mutex pinned_lock;
static std::map<const char *, size_t> pinned;

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    const char *may = getenv("GTRAV_EMULATOR_PINNED");
    *memory = may == nullptr || strcmp(may, "0") != 0 ? malloc(bytes) : nullptr;
    if (*memory == nullptr)
        return noted(cudaErrorMemoryAllocation);
    std::lock_guard<std::mutex> guard(pinned_lock);
    pinned[(const char *)*memory] = bytes;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
    do_copies();
    std::lock_guard<std::mutex> guard(pinned_lock);
    if (memory != nullptr && pinned.erase((const char *)memory) == 0)
        return noted(cudaErrorInvalidValue);
    free(memory);
    return cudaSuccess;
}

static bool is_pinned(const void *address)
{
    std::lock_guard<std::mutex> guard(pinned_lock);
    auto after = pinned.upper_bound((const char *)address);
    return after != pinned.begin() && (--after, (const char *)address < after->first + after->second);
}

struct submitted_copy {
    void *to;
    const void *from;
    size_t count;
    cudaMemcpyKind kind;
};

/* The copies of a device that are submitted and not done. */
struct submitted_copies {
    std::deque<submitted_copy> copies;
    uint64_t done;
};
static struct submitted_copies submitted[DEVICES];

static cudaError_t copy_now(void *to, const void *from, size_t count, cudaMemcpyKind kind);

/* Does the copies of a device up to the one with this number. */
static cudaError_t do_copies_of(struct submitted_copies *of, uint64_t last)
{
    cudaError_t error = cudaSuccess;
    for (; !of->copies.empty() && of->done < last; of->done++) {
        struct submitted_copy copy = of->copies.front();
        of->copies.pop_front();
        cudaError_t failed = copy_now(copy.to, copy.from, copy.count, copy.kind);
        error = error != cudaSuccess ? error : failed;
    }
    return error;
}

void emulator::do_copies(void)
{
    do_copies_of(&submitted[memory_in_use()], UINT64_MAX);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count, cudaMemcpyKind kind)
{
    do_copies();
    return copy_now(to, from, count, kind);
}

static cudaError_t copy_now(void *to, const void *from, size_t count, cudaMemcpyKind kind)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (count > 0 && ((to_device != is_device(to)) || (from_device != is_device(from)) ||
                      (to_device && !is_allocated(to, count)) || (from_device && !is_allocated(from, count))))
        return noted(cudaErrorInvalidValue);
    if (from_device && !is_written(from, count))
        return noted(cudaErrorUnwrittenMemory);
    memmove(to, from, count);
    if (to_device && count > 0)
        mark_written(to, count);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, cudaMemcpyKind kind, cudaStream_t)
{
    const void *host = kind == cudaMemcpyHostToDevice ? from : to;
    if (kind == cudaMemcpyDeviceToDevice || !is_pinned(host))
        return cudaMemcpy(to, from, count, kind);
    submitted[memory_in_use()].copies.push_back({to, from, count, kind});
    return cudaSuccess;
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = nullptr;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    do_copies();
    return last_error;
}

cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = (cudaEvent_t)calloc(1, sizeof **event);
    return *event != nullptr ? cudaSuccess : noted(cudaErrorMemoryAllocation);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    const struct submitted_copies *copies = &submitted[memory_in_use()];
    event->device = memory_in_use();
    event->submitted = copies->done + copies->copies.size();
    event->at_ms = now_ms();
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return do_copies_of(&submitted[event->device], event->submitted);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    *milliseconds = (float)(to->at_ms - from->at_ms);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}
