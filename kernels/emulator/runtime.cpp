/* runtime.cpp: the functions of CUDA's runtime that host code calls, on the emulator. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "emulator.h"
#include "memory.h"

using namespace emulator;

struct emulated_event {
    double at_ms;
    int device;
    uint64_t submitted; /* number of the device's copies before it */
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
    case cudaErrorCooperativeLaunchTooLarge:
        return "too many blocks in cooperative launch";
    case cudaErrorNotSupported:
        return "operation not supported";
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
    device_in_use = device;
    use_machine(device);
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = device_in_use;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    snprintf(properties->name, sizeof properties->name, "emulator");
    return cudaSuccess;
}

/* Returns a number from an environment variable, at least 1; `otherwise` if it is not set. */
static int number_of(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    int number = text != nullptr ? atoi(text) : otherwise;
    return number > 0 ? number : otherwise;
}
static const int multiprocessors = number_of("GTRAV_EMULATOR_SMS", 3);
static const int CACHE_BYTES = 1 << 16;                                               /* of no effect */
static const int max_shared_bytes = number_of("GTRAV_EMULATOR_SHARED_KB", 227) << 10; /* default as on Hopper */
const uint32_t emulator::most_polls = (uint32_t)number_of("GTRAV_EMULATOR_POLLS", INT_MAX);

/* Returns whether the device can do what this environment variable names; 0: it cannot. */
static bool can(const char *variable)
{
    const char *text = getenv(variable);
    return text == nullptr || strcmp(text, "0") != 0;
}
static const char *const COOPERATIVE = "GTRAV_EMULATOR_COOPERATIVE";

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    *value = attribute == cudaDevAttrMultiProcessorCount  ? multiprocessors
             : attribute == cudaDevAttrMaxThreadsPerBlock ? MAX_THREADS_PER_BLOCK
             : attribute == cudaDevAttrCooperativeLaunch  ? (int)can(COOPERATIVE)
             : attribute == cudaDevAttrL2CacheSize        ? CACHE_BYTES
                                                          : max_shared_bytes;
    return cudaSuccess;
}

/* ---- kernels ---- */

/* The largest dynamic shared memory of a kernel's launches on a device. */
static std::mutex kernels_lock;
static std::map<std::pair<int, const void *>, int> shared_bytes_of;

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute, int value)
{
    if (value < 0 || value > max_shared_bytes)
        return noted(cudaErrorInvalidValue);
    std::lock_guard<std::mutex> guard(kernels_lock);
    shared_bytes_of[{device_in_use, kernel}] = value;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel)
{
    constexpr int unless_set = 48 << 10;
    std::lock_guard<std::mutex> guard(kernels_lock);
    auto found = shared_bytes_of.find({device_in_use, kernel});
    attributes->maxDynamicSharedSizeBytes = found != shared_bytes_of.end() ? found->second : unless_set;
    return cudaSuccess;
}

/* Returns the blocks of a kernel that a multiprocessor runs at once, as on Hopper: at most 32 blocks or 2,048
 * threads, and 1 KB of shared memory per block is reserved. 0: a launch may not have this much shared memory. */
static unsigned resident_blocks(const void *kernel, unsigned threads, size_t shared_bytes)
{
    constexpr size_t own = 1024;
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
    if (shared_bytes > (size_t)attributes.maxDynamicSharedSizeBytes)
        return 0;
    return std::min({32u, 2048 / threads, (unsigned)(((size_t)max_shared_bytes + own) / (shared_bytes + own))});
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads,
                                                          size_t shared_bytes)
{
    *blocks = std::min((int)resident_blocks(kernel, (unsigned)threads, shared_bytes), BLOCKS_PER_MULTIPROCESSOR);
    return cudaSuccess;
}

/* A cluster runs on as many multiprocessors as it has blocks, even if that is more than the device has. */
cudaError_t emulator::check_launch(const void *kernel, const shape &shape)
{
    if (shape.blocks == 0 || shape.threads == 0 || shape.threads > 1024 || shape.cluster == 0 ||
        shape.blocks % shape.cluster != 0)
        return cudaErrorInvalidValue;
    uint64_t resident = resident_blocks(kernel, shape.threads, shape.shared_bytes);
    if (shape.together && !can(COOPERATIVE))
        return cudaErrorNotSupported;
    if (shape.together && shape.blocks > resident * std::max((unsigned)multiprocessors, shape.cluster))
        return cudaErrorCooperativeLaunchTooLarge;
    return resident > 0 ? cudaSuccess : cudaErrorInvalidValue;
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

cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int other)
{
    *can_access = device != other && can("GTRAV_EMULATOR_PEERS");
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned)
{
    int can_access;
    cudaDeviceCanAccessPeer(&can_access, device_in_use, other);
    if (!can_access)
        return noted(cudaErrorInvalidValue);
    return enable_peer(other) ? noted(cudaErrorPeerAccessAlreadyEnabled) : cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    memory_left(free_bytes, total_bytes);
    return cudaSuccess;
}

/* The host memory that is pinned, by address. */
static std::mutex pinned_lock;
static std::map<const char *, size_t> pinned;

bool emulator::is_pinned(const volatile void *address, size_t bytes)
{
    const char *from = (const char *)address;
    std::lock_guard<std::mutex> guard(pinned_lock);
    auto after = pinned.upper_bound(from);
    return after != pinned.begin() && (--after, from + bytes <= after->first + after->second);
}

/* Returns whether the device reaches these bytes: its own memory and pinned host memory, which have one range of
 * addresses. */
static bool is_reached(const void *address, size_t bytes)
{
    return is_device(address) ? is_allocated(address, bytes) : is_pinned(address, bytes);
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t count, cudaStream_t)
{
    do_copies();
    if (!is_reached(memory, count))
        return noted(cudaErrorInvalidValue);
    memset(memory, byte, count);
    if (is_device(memory))
        mark_written(memory, count);
    return cudaSuccess;
}

/* ---- copies ---- */

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    *memory = can("GTRAV_EMULATOR_PINNED") ? malloc(bytes) : nullptr;
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

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory)
{
    attributes->type = is_device(memory)      ? cudaMemoryTypeDevice
                       : is_pinned(memory, 1) ? cudaMemoryTypeHost
                                              : cudaMemoryTypeUnregistered;
    return cudaSuccess;
}

struct submitted_copy {
    void *to;
    const void *from;
    size_t count;
    cudaMemcpyKind kind;
};

/* The copies of a device that are submitted and not yet done. */
struct submitted_copies {
    std::deque<submitted_copy> copies;
    uint64_t done;
};
static struct submitted_copies submitted[DEVICES];

static cudaError_t copy_now(void *to, const void *from, size_t count, cudaMemcpyKind kind)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (count > 0 && ((!to_device && is_device(to)) || (!from_device && is_device(from)) ||
                      (to_device && !is_reached(to, count)) || (from_device && !is_reached(from, count))))
        return noted(cudaErrorInvalidValue);
    if (is_device(from) && !is_written(from, count))
        return noted(cudaErrorUnwrittenMemory);
    memmove(to, from, count);
    if (is_device(to) && count > 0)
        mark_written(to, count);
    return cudaSuccess;
}

/* Does the submitted copies of a device up to the one with this number. */
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
    do_copies_of(&submitted[device_in_use], UINT64_MAX);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count, cudaMemcpyKind kind)
{
    do_copies();
    return copy_now(to, from, count, kind);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t count)
{
    if (!is_of(to, to_device) || !is_of(from, from_device))
        return noted(cudaErrorInvalidValue);
    do_copies_of(&submitted[to_device], UINT64_MAX);
    do_copies_of(&submitted[from_device], UINT64_MAX);
    return copy_now(to, from, count, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, cudaMemcpyKind kind, cudaStream_t)
{
    const void *host = kind == cudaMemcpyHostToDevice ? from : to;
    if (kind == cudaMemcpyDeviceToDevice || !is_pinned(host, 1))
        return cudaMemcpy(to, from, count, kind);
    submitted[device_in_use].copies.push_back({to, from, count, kind});
    return cudaSuccess;
}

/* ---- streams and events ---- */

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    do_copies();
    return last_error;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = (cudaEvent_t)calloc(1, sizeof **event);
    return *event != nullptr ? cudaSuccess : noted(cudaErrorMemoryAllocation);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    const struct submitted_copies *copies = &submitted[device_in_use];
    event->device = device_in_use;
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
