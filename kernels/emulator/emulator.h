/* emulator.h: the names of CUDA, implemented on the CPU, so that the kernels' own sources run and are tested without
 * a GPU.
 *
 * schedule.cpp runs all threads of a grid, each a fiber, in one thread of the host. With a seed it may switch before
 * every atomic, volatile or cache-bypassing access. accesses.cpp checks every access of device memory. Memory is
 * sequentially consistent here, so races that need a weaker order are not found, except for stores to the memory of
 * other devices (peers.cpp). */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <source_location>

#include "../../src/algorithm.h"

#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __shared__      static_assert(false, "shared memory comes from block_shared()")
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define EMULATED_INSIDE  __attribute__((no_sanitize("thread"))) /* marks accesses that are not a kernel's */

/* ---- the runtime's part of CUDA: what host code calls ---- */

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};
struct __align__(8) uint2
{
    unsigned x, y;
};
struct __align__(16) uint4
{
    unsigned x, y, z, w;
};

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801,
    cudaErrorUnwrittenMemory = 10001 /* only on the emulator; on a GPU such a read returns any value */
};
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMaxThreadsPerBlock,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrCooperativeLaunch,
    cudaDevAttrL2CacheSize
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
struct cudaFuncAttributes {
    int maxDynamicSharedSizeBytes;
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };
struct cudaPointerAttributes {
    cudaMemoryType type;
};
struct cudaDeviceProp {
    char name[256];
};
static inline uint2 make_uint2(unsigned x, unsigned y)
{
    return {x, y};
}
typedef struct emulated_event *cudaEvent_t;
typedef struct emulated_stream *cudaStream_t;

const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads,
                                                          size_t shared_bytes);
/* The attribute is kept for each kernel and device. As in CUDA, a launch with more shared memory fails. */
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int other); /* not with GTRAV_EMULATOR_PEERS=0 */
cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned flags);
cudaError_t cudaMallocHost(void **memory, size_t bytes); /* fails if GTRAV_EMULATOR_PINNED=0 is set */
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaMemsetAsync(void *memory, int byte, size_t count, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy(void *to, const void *from, size_t count, cudaMemcpyKind kind);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t count);
/* A copy from or to pinned memory is done as late as CUDA allows: before the next work of the device, or when the
 * host waits for it. So a host that forgets to wait sees wrong bytes. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
/* Other work is done as soon as it is submitted. */
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaEventDestroy(cudaEvent_t event);

/* ---- the machine under a kernel ---- */

namespace emulator
{

struct shape {
    unsigned blocks, threads, cluster; /* cluster: blocks that map each other's shared memory; 1: none */
    size_t shared_bytes;
    bool together; /* all blocks run at once: a cooperative launch */
};

/* Returns cudaSuccess, or why the device cannot launch a kernel in this shape. */
cudaError_t check_launch(const void *kernel, const shape &shape);

/* Runs a kernel's body once for every thread of the grid. A fault (fault_text()) stops it. */
cudaError_t run(const void *kernel, const shape &shape, const std::function<void(void)> &body);
/* The next `number` calls of run() by this host thread, each for another device, run their kernels together: in the
 * last of these calls, with the schedule of its device. */
void start_together(unsigned number);
/* Does the submitted copies of this host thread's device. */
void do_copies(void);

/* Returns a description of the last kernel's fault, with its name, block, thread and seed; "" if it had none. */
const char *fault_text(void);

/* Sets the device that this host thread uses from now on. */
void use_machine(int number);

/* Sets the seed of the schedule; 0: round-robin without preemption. */
void set_schedule(uint64_t seed);

struct position {
    dim3 thread, block, block_size, grid_size;
};
const position &here(void);

/* May switch to another thread. Called before every access that is visible to other threads. */
void preempt(void);
/* Reports a change of memory that other threads may poll. */
void note_change(void);
/* Yields to the other threads. For a thread that waits for them. */
void wait_turn(void);
/* Yields to the other threads for some time. */
void sleep(unsigned nanoseconds);
/* Checks an access of device memory by the running thread, and marks written bytes. */
void check_access(const volatile void *address, size_t bytes, bool is_write, bool is_atomic);

/* Makes visible to other devices what this device has stored in their memory; all of it, or that at an address. */
void release_stores(void);
void release_stores_to(volatile void *address, size_t bytes);

void *shared_memory(void);
void *shared_memory_of(const void *own, unsigned rank); /* the same place in another block of the cluster */
unsigned cluster_rank(void);
unsigned cluster_size(void);
void cluster_barrier(const std::source_location &where);

enum vote { VOTE_NONE, VOTE_OR, VOTE_AND };
int block_barrier(vote vote, int predicate, const std::source_location &where);

/* A meeting of all lanes of a mask. Each lane gives two words and gets one, which `combine` computes. */
struct meeting {
    const char *name;
    uint64_t (*combine)(const uint64_t (&given)[32][2], uint32_t mask, unsigned lane);
};
uint64_t meet(uint32_t mask, const meeting &meeting, uint64_t first, uint64_t second,
              const std::source_location &where);

/* Polls after which a kernel gives up a wait: more than needed to detect a deadlock. */
extern const uint32_t most_polls;

/* A bulk copy is done when a thread waits for its ticket, which may be any address. */
void defer_copy(const void *ticket, void *to, const void *from, size_t bytes);
void finish_copies(const void *ticket);
long long clock(void);

} // namespace emulator

#define threadIdx (emulator::here().thread)
#define blockIdx  (emulator::here().block)
#define blockDim  (emulator::here().block_size)
#define gridDim   (emulator::here().grid_size)

/* ---- device functions by CUDA's names ---- */

#define HERE const std::source_location &where = std::source_location::current()

static inline void __syncthreads(HERE)
{
    emulator::block_barrier(emulator::VOTE_NONE, 0, where);
}
#define EMULATED_VOTE(name, vote)                                                                                      \
    static inline int name(int predicate, HERE)                                                                        \
    {                                                                                                                  \
        return emulator::block_barrier(emulator::vote, predicate, where);                                              \
    }
EMULATED_VOTE(__syncthreads_or, VOTE_OR)
EMULATED_VOTE(__syncthreads_and, VOTE_AND)

extern const emulator::meeting meet_sync, meet_ballot, meet_shuffle, meet_reduce_add, meet_reduce_min, meet_reduce_max,
    meet_reduce_or, meet_binary_mma;

static inline void __syncwarp(uint32_t mask = 0xffffffffu, HERE)
{
    emulator::meet(mask, meet_sync, 0, 0, where);
}
static inline uint32_t __ballot_sync(uint32_t mask, int predicate, HERE)
{
    return (uint32_t)emulator::meet(mask, meet_ballot, predicate != 0, 0, where);
}
static inline int __any_sync(uint32_t mask, int predicate, HERE)
{
    return emulator::meet(mask, meet_ballot, predicate != 0, 0, where) != 0;
}
static inline int __all_sync(uint32_t mask, int predicate, HERE)
{
    return emulator::meet(mask, meet_ballot, predicate != 0, 0, where) == mask;
}

/* Converts a 32- or 64-bit value to its bits, and back. */
template <typename type>
static inline uint64_t to_bits(type value)
{
    static_assert(sizeof(type) <= 8);
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <typename type>
static inline type from_bits(uint64_t bits)
{
    type value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline unsigned emulated_lane(void)
{
    return emulator::here().thread.x % 32;
}
template <typename type>
static inline type emulated_shuffle(uint32_t mask, type value, unsigned source, HERE)
{
    return from_bits<type>(emulator::meet(mask, meet_shuffle, to_bits(value), source, where));
}
template <typename type>
static inline type __shfl_sync(uint32_t mask, type value, int source, int width = 32, HERE)
{
    unsigned first = emulated_lane() & ~(unsigned)(width - 1);
    return emulated_shuffle(mask, value, first + ((unsigned)source & (unsigned)(width - 1)), where);
}
template <typename type>
static inline type __shfl_up_sync(uint32_t mask, type value, unsigned delta, int width = 32, HERE)
{
    unsigned lane = emulated_lane(), first = lane & ~(unsigned)(width - 1);
    return emulated_shuffle(mask, value, lane - first >= delta ? lane - delta : lane, where);
}
template <typename type>
static inline type __shfl_down_sync(uint32_t mask, type value, unsigned delta, int width = 32, HERE)
{
    unsigned lane = emulated_lane(), end = (lane & ~(unsigned)(width - 1)) + (unsigned)width;
    return emulated_shuffle(mask, value, lane + delta < end ? lane + delta : lane, where);
}
template <typename type>
static inline type __shfl_xor_sync(uint32_t mask, type value, int lane_mask, int width = 32, HERE)
{
    unsigned lane = emulated_lane(), end = (lane & ~(unsigned)(width - 1)) + (unsigned)width;
    unsigned source = lane ^ (unsigned)lane_mask;
    return emulated_shuffle(mask, value, source < end ? source : lane, where);
}
#define EMULATED_REDUCE(name, meeting)                                                                                 \
    static inline uint32_t name(uint32_t mask, uint32_t value, HERE)                                                   \
    {                                                                                                                  \
        return (uint32_t)emulator::meet(mask, meeting, value, 0, where);                                               \
    }
EMULATED_REDUCE(__reduce_add_sync, meet_reduce_add)
EMULATED_REDUCE(__reduce_min_sync, meet_reduce_min)
EMULATED_REDUCE(__reduce_max_sync, meet_reduce_max)
EMULATED_REDUCE(__reduce_or_sync, meet_reduce_or)

#define __popc(bits)   __builtin_popcount(bits)
#define __popcll(bits) __builtin_popcountll(bits)
#define __ffs(bits)    __builtin_ffs(bits)
using std::max;
using std::min;

/* Returns the low word of high:low, shifted right by shift % 32 bits. */
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> shift % 32);
}
static inline int __clz(int bits)
{
    return bits == 0 ? 32 : __builtin_clz((unsigned)bits);
}
/* Returns four of the eight bytes of b:a, selected by the selector's nibbles. */
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    unsigned picked = 0;
    for (unsigned i = 0; i < 4; i++)
        picked |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return picked;
}
#define __threadfence()          emulator::preempt()
#define __threadfence_block()    emulator::preempt()
#define __nanosleep(nanoseconds) emulator::sleep(nanoseconds)
#define clock64()                emulator::clock()

/* A read-modify-write. The thread may lose its turn before it, but not during it. */
template <typename type, typename change_t>
EMULATED_INSIDE static inline type emulated_atomic(type *address, change_t change)
{
    emulator::preempt();
    emulator::check_access(address, sizeof *address, true, true);
    type old = *address, changed = change(old);
    if (changed != old)
        emulator::note_change();
    *address = changed;
    return old;
}
#define EMULATED_ATOMIC(name, change)                                                                                  \
    template <typename type>                                                                                           \
    static inline type name(type *address, std::type_identity_t<type> value)                                           \
    {                                                                                                                  \
        return emulated_atomic(address, [value](type old) -> type { return change; });                                 \
    }                                                                                                                  \
    template <typename type>                                                                                           \
    static inline type name##_block(type *address, std::type_identity_t<type> value)                                   \
    {                                                                                                                  \
        return name(address, value);                                                                                   \
    }                                                                                                                  \
    template <typename type>                                                                                           \
    static inline type name##_system(type *address, std::type_identity_t<type> value)                                  \
    {                                                                                                                  \
        type old = name(address, value);                                                                               \
        emulator::release_stores_to(address, sizeof *address);                                                         \
        return old;                                                                                                    \
    }
EMULATED_ATOMIC(atomicAdd, (type)(old + value))
EMULATED_ATOMIC(atomicSub, (type)(old - value))
EMULATED_ATOMIC(atomicExch, ((void)old, value))
EMULATED_ATOMIC(atomicMin, old < value ? old : value)
EMULATED_ATOMIC(atomicMax, old > value ? old : value)
EMULATED_ATOMIC(atomicAnd, (type)(old &value))
EMULATED_ATOMIC(atomicOr, (type)(old | value))
template <typename type>
static inline type atomicCAS(type *address, std::type_identity_t<type> expected, std::type_identity_t<type> value)
{
    return emulated_atomic(address, [expected, value](type old) -> type { return old == expected ? value : old; });
}
#define atomicCAS_block atomicCAS

/* Accesses that bypass L1. They touch data of other threads, so the thread may lose its turn before them. */
template <typename type>
EMULATED_INSIDE static inline type __ldcg(const type *address)
{
    emulator::preempt();
    emulator::check_access(address, sizeof *address, false, false);
    return *address;
}
#define __ldg(address) (*(address))
/* Accesses to data that is used once. Here they are ordinary accesses. */
#define __ldcs(address) (*(address))
template <typename type>
static inline void __stcs(type *address, std::type_identity_t<type> value)
{
    *address = value;
}
template <typename type>
EMULATED_INSIDE static inline void __stcg(type *address, std::type_identity_t<type> value)
{
    emulator::preempt();
    emulator::check_access(address, sizeof *address, true, false);
    *address = value;
}
