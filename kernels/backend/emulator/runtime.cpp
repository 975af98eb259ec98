/* runtime.cpp: the part of CUDA's runtime that host code calls, on the emulator. */
#include <stdio.h>
#include <stdlib.h>

#include "emulator.h"
#include "memory.h"

using namespace emulator;

struct emulated_event {
    double at_ms;
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
    return last_error;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = take_memory(bytes);
    return *memory != nullptr ? cudaSuccess : noted(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void *memory)
{
    return memory == nullptr || give_back_memory(memory) ? cudaSuccess : noted(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    memory_left(free_bytes, total_bytes);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int byte, size_t count)
{
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

cudaError_t cudaMemcpy(void *to, const void *from, size_t count, cudaMemcpyKind kind)
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
    return cudaMemcpy(to, from, count, kind);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = nullptr;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
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
    event->at_ms = now_ms();
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
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
