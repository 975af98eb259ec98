/* test_faults.cu: does the emulator find what is wrong with a kernel? Planted faults, each of which it must name with
 * kernel, block, thread and seed. */
#include <stdlib.h>

#include <string>

#include "../../kernels/device/grid_barrier.cuh"
#include "checks.h"

namespace BACKEND
{

typedef unsigned long long word_t;

#define NUM_WORDS 64u /* of the memory that a kernel gets */

/* Every kernel has as much shared memory. */
struct bulk_shared {
    alignas(16) uint32_t words[NUM_WORDS];
    struct bulk_barrier barrier;
};

/* ---- planted faults: what a kernel does ---- */

static bool am(unsigned block, unsigned thread)
{
    return blockIdx.x == block && threadIdx.x == thread;
}

/* A kernel of which one thread does something. */
#define BY_ONE(name, what)                                                                                           \
    __global__ void name(uint32_t *memory)                                                                           \
    {                                                                                                                \
        if (am(1, 3))                                                                                                \
            what;                                                                                                    \
    }

BY_ONE(read_just_past, memory[0] = memory[NUM_WORDS])
BY_ONE(read_before, memory[0] = memory[-1])
BY_ONE(read_far_past, memory[0] = memory[1u << 28])
BY_ONE(write_just_past, memory[NUM_WORDS] = 1)
BY_ONE(write_far_past, memory[1u << 28] = 1)
BY_ONE(write_half_past, *(word_t *)&memory[NUM_WORDS] = 1) /* of an allocation that ends after 4 of the 8 bytes */
BY_ONE(volatile_past, *(volatile uint32_t *)&memory[NUM_WORDS] = 1)
BY_ONE(ldcg_past, memory[0] = __ldcg(&memory[NUM_WORDS]))
BY_ONE(stcg_past, __stcg(&memory[NUM_WORDS], 1u))
BY_ONE(atomic_past, atomicAdd(&memory[NUM_WORDS], 1u))

__global__ void struct_past(uint32_t *memory)
{
    struct lines {
        uint32_t words[NUM_WORDS];
    };
    if (am(1, 3))
        *(struct lines *)&memory[4] = {};
}

BY_ONE(touch, memory[5] = 1) /* the fault is in the memory */
BY_ONE(fetch, atomicAdd(&memory[5], 1u))

BY_ONE(shared_past, block_shared<uint32_t>()[sizeof(struct bulk_shared) / sizeof(uint32_t)] = memory[0])

__global__ void shared_of_other(uint32_t *memory)
{
    uint32_t *shared = block_shared<uint32_t>();
    shared[threadIdx.x] = 1;
    if (am(0, 0))
        atomicExch((word_t *)memory, (word_t)(uintptr_t)shared);
    if (am(1, 3)) {
        word_t address;
        while ((address = __ldcg((word_t *)memory)) == 0)
            ;
        memory[4] = *(uint32_t *)(uintptr_t)address;
    }
    while (__ldcg(&memory[4]) == 0) /* nobody ends before */
        ;
}
__global__ void shared_of_ended(uint32_t *memory)
{
    uint32_t *shared = block_shared<uint32_t>();
    shared[threadIdx.x] = 1;
    cluster_wait();
    if (blockIdx.x == 0) {
        atomicAdd(&memory[0], 1u);
        return;
    }
    while (am(1, 3) && memory[1] != 2)
        memory[1] = cluster_shared(shared, 0)[0];
}

BY_ONE(cluster_rank_wrong, memory[0] = *cluster_shared(block_shared<uint32_t>(), 2))

BY_ONE(misaligned_read, memory[0] = (uint32_t) * (word_t *)&memory[5])
BY_ONE(misaligned_write, *(uint32_t *)((char *)memory + 2) = 1)
BY_ONE(misaligned_atomic, atomicAdd((word_t *)&memory[5], 1u))

BY_ONE(read_unwritten, memory[0] = memory[7])
BY_ONE(ldcg_unwritten, memory[0] = __ldcg(&memory[7]))

__global__ void shared_unwritten(uint32_t *memory)
{
    uint32_t *shared = block_shared<uint32_t>();
    if (threadIdx.x != 5)
        shared[threadIdx.x] = 1;
    __syncthreads();
    if (am(1, 3))
        memory[0] = shared[5];
}

BY_ONE(shared_atomic_unwritten, atomicOr(&block_shared<uint32_t>()[5], memory[0]))

__global__ void barriers_in_branches(uint32_t *memory)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    memory[0] = 1;
}
__global__ void barrier_against_warp(uint32_t *)
{
    if (threadIdx.x == 3)
        __syncwarp();
    __syncthreads();
}
__global__ void mask_without_caller(uint32_t *)
{
    if (am(1, 3))
        __syncwarp(0xf7);
}
__global__ void mask_of_ended(uint32_t *memory)
{
    if (threadIdx.x % 32 != 3)
        return;
    while (clock64() < 100000)
        memory[2] = __ldcg(&memory[0]);
    memory[1] = __ballot_sync(WHOLE_WARP, 1);
}
__global__ void ends_while_awaited(uint32_t *)
{
    if (!am(1, 3))
        __syncwarp();
}
__global__ void two_primitives(uint32_t *memory)
{
    memory[threadIdx.x] = threadIdx.x == 3 ? __ballot_sync(WHOLE_WARP, 1) : __shfl_sync(WHOLE_WARP, 1u, 0);
}
__global__ void two_places(uint32_t *memory)
{
    if (threadIdx.x % 32 < 16)
        memory[threadIdx.x] = __shfl_sync(WHOLE_WARP, 1u, 0);
    else
        memory[threadIdx.x] = __shfl_sync(WHOLE_WARP, 2u, 0);
}
__global__ void two_masks(uint32_t *)
{
    __syncwarp(threadIdx.x % 32 == 3 ? WHOLE_WARP : 0xffu << threadIdx.x % 32 / 8 * 8);
}
__global__ void shuffle_outside(uint32_t *memory)
{
    if (am(1, 3) || am(1, 5))
        memory[threadIdx.x] = __shfl_sync(0x28u, threadIdx.x, 6);
}

__global__ void block_missing(uint32_t *memory)
{
    if (blockIdx.x != 1)
        grid_wait((struct grid_barrier *)memory, &memory[8], block_shared<uint32_t>());
}
__global__ void cluster_missing(uint32_t *)
{
    if (am(1, 3))
        __syncthreads(); /* with nobody, while all others wait for it */
    cluster_wait();
}

/* A kernel in which all threads wait for what never comes. */
#define POLL(name, while_this)                                                                                       \
    __global__ void name(uint32_t *memory)                                                                           \
    {                                                                                                                \
        while (while_this)                                                                                           \
            ;                                                                                                        \
    }

POLL(poll_volatile, *(volatile uint32_t *)&memory[0] == 0)
__global__ void poll_ldcg(uint32_t *memory)
{
    while (__ldcg(&memory[0]) == 0)
        __nanosleep(10);
}
POLL(poll_atomic, atomicCAS(&memory[0], 1u, 2u) != 1)
POLL(poll_acquire, load_acquire((const uint64_t *)memory) == 0)
POLL(poll_as_warp, !__any_sync(WHOLE_WARP, lane_id() == 0 ? __ldcg(&memory[0]) : 0))
POLL(poll_as_block, !__syncthreads_or(threadIdx.x == 0 ? __ldcg(&memory[0]) : 0))

template <unsigned to, unsigned from, unsigned bytes>
__global__ void bulk_of(uint32_t *memory)
{
    struct bulk_shared *shared = block_shared<struct bulk_shared>();
    if (!am(1, 3))
        return;
    bulk_init(&shared->barrier);
    bulk_load(&shared->barrier, shared->words + to, memory + from, bytes);
    bulk_wait(&shared->barrier, 0);
}
__global__ void bulk_not_waited(uint32_t *memory)
{
    struct bulk_shared *shared = block_shared<struct bulk_shared>();
    if (!am(1, 3))
        return;
    bulk_init(&shared->barrier);
    bulk_load(&shared->barrier, shared->words, memory, sizeof shared->words);
    memory[0] = shared->words[7];
}
__global__ void bulk_never_started(uint32_t *)
{
    struct bulk_shared *shared = block_shared<struct bulk_shared>();
    if (!am(1, 3))
        return;
    bulk_init(&shared->barrier);
    bulk_wait(&shared->barrier, 0);
}
__global__ void bulk_store_not_waited(uint32_t *memory)
{
    struct bulk_shared *shared = block_shared<struct bulk_shared>();
    if (!am(1, 3))
        return;
    shared->words[0] = shared->words[1] = shared->words[2] = shared->words[3] = 1;
    bulk_store(memory, shared->words, 16);
}

/* ---- planted faults: what must be said ---- */

enum memory { WRITTEN, UNWRITTEN, FREED, OF_HOST };

static void *const host_memory = calloc(NUM_WORDS, sizeof(uint32_t));

/* Memory as wanted, NUM_WORDS and a few more words of it; error if there is none. */
static uint32_t *take(enum memory kind, unsigned more, struct error *error)
{
    uint32_t *memory = NULL;
    size_t words = NUM_WORDS + more;
    if (kind == OF_HOST)
        return (uint32_t *)host_memory;
    if (gpu_allocate(&memory, words, "the memory", error) != STATUS_OK)
        return NULL;
    if (kind != UNWRITTEN)
        gpu_check(cudaMemset(memory, 0, words * sizeof *memory), "clearing", error);
    if (kind == FREED)
        gpu_free(memory);
    return memory;
}

__global__ void nothing_wrong(uint32_t *memory)
{
    atomicAdd(&memory[threadIdx.x], 1u);
    __syncthreads();
}

/* The kernel, of two blocks of 32 threads, must be stopped with this message without a seed and with one. who: "block
 * 1, thread 3: "; NULL: any. */
static void finds(const char *name, void (*kernel)(uint32_t *), const char *what,
                  const char *who = "block 1, thread 3: ", enum memory kind = WRITTEN, unsigned cluster = 1,
                  unsigned more = 0)
{
    for (uint64_t seed = 0; seed < 8; seed += 5) {
        struct error setup = {}, error = {}, after = {};
        char suffix[32];
        const struct grid grid = {2, who == NULL ? 64u : 32u, cluster};
        uint32_t *good = take(WRITTEN, 0, &setup), *memory = take(kind, more, &setup);
        set_schedule(seed);
        gpu_launch_persistent(kernel, grid, sizeof(struct bulk_shared), &error, memory);
        gpu_launch_persistent(nothing_wrong, {2, 64}, 0, &after, good);
        std::string start = std::string(name) + ", " + (who != NULL ? who : "block "), text = error.text;
        snprintf(suffix, sizeof suffix, "(seed %llu)", (word_t)seed);
        if (kind != OF_HOST && kind != FREED)
            gpu_free(memory);
        gpu_free(good);
        if (setup.status != STATUS_OK || error.status != STATUS_DEVICE || after.status != STATUS_OK ||
            text.find(start) == text.npos || text.find(what) == text.npos || text.find(suffix) == text.npos ||
            text.find(", thread ") == text.npos) {
            check(false, name, "seed %llu, wanted '%s...%s': %s%s", (word_t)seed, start.c_str(), what, error.text,
                  after.text);
            return;
        }
    }
    check(true, name, " ");
}
#define FINDS(kernel, ...) finds(#kernel, kernel, __VA_ARGS__)

static void find_memory_faults(void)
{
    const char *const anyone = "block 1, thread 3: ";
    FINDS(read_just_past, "read of 4 bytes outside of any allocation");
    FINDS(read_before, "read of 4 bytes outside of any allocation");
    FINDS(read_far_past, "read of 4 bytes outside of any allocation");
    FINDS(write_just_past, "write of 4 bytes outside of any allocation");
    FINDS(write_far_past, "write of 4 bytes outside of any allocation");
    FINDS(write_half_past, "write of 8 bytes outside of any allocation", anyone, WRITTEN, 1, 1);
    FINDS(volatile_past, "write of 4 bytes outside of any allocation");
    FINDS(ldcg_past, "read of 4 bytes outside of any allocation");
    FINDS(stcg_past, "write of 4 bytes outside of any allocation");
    FINDS(atomic_past, "atomic access of 4 bytes outside of any allocation");
    FINDS(struct_past, "outside of any allocation");
    FINDS(touch, "write of 4 bytes outside of any allocation", anyone, FREED);
    FINDS(fetch, "atomic access of 4 bytes outside of any allocation", anyone, FREED);
    FINDS(touch, "write of 4 bytes that are not the device's", anyone, OF_HOST);
    FINDS(fetch, "atomic access of 4 bytes that are not the device's", anyone, OF_HOST);
    FINDS(ldcg_unwritten, "read of 4 bytes that are not the device's", anyone, OF_HOST);
    FINDS(shared_past, "write of 4 bytes outside of any allocation");
    FINDS(shared_of_other, "read of 4 bytes in the shared memory of block 0, which is in another cluster");
    FINDS(shared_of_ended, "read of 4 bytes in the shared memory of block 0, which has ended", anyone, WRITTEN, 2);
    FINDS(cluster_rank_wrong, "shared memory of block 2 in a cluster of 2", anyone, WRITTEN, 2);
    FINDS(misaligned_read, "misaligned read of 8 bytes");
    FINDS(misaligned_write, "misaligned write of 4 bytes");
    FINDS(misaligned_atomic, "misaligned atomic access of 8 bytes");
    FINDS(read_unwritten, "read of 4 bytes that nobody has written", anyone, UNWRITTEN);
    FINDS(ldcg_unwritten, "read of 4 bytes that nobody has written", anyone, UNWRITTEN);
    FINDS(fetch, "atomic access of 4 bytes that nobody has written", anyone, UNWRITTEN);
    FINDS(shared_unwritten, "read of 4 bytes that nobody has written");
    FINDS(shared_atomic_unwritten, "atomic access of 4 bytes that nobody has written");
}

static void find_meeting_faults(void)
{
    const char *const anyone = NULL, *const third = "block 1, thread 3: ";
    FINDS(barriers_in_branches, "diverged: it is at a block barrier in line", anyone);
    FINDS(barrier_against_warp, "deadlock: it waits at", anyone);
    FINDS(mask_without_caller, "__syncwarp with a mask (000000f7) that leaves out the caller");
    FINDS(mask_of_ended, "with a mask (ffffffff) that names lanes which have ended", anyone);
    FINDS(ends_while_awaited, "it ends while lanes of its warp wait for it at __syncwarp", third);
    FINDS(two_primitives, "diverged: it is at a", anyone);
    FINDS(two_places, "diverged: it is at a shuffle in line", anyone);
    FINDS(two_masks, "diverged: it is at __syncwarp (mask", anyone);
    FINDS(shuffle_outside, "a shuffle from lane 6, which is not in its mask (00000028)", "block 1, thread ");
    FINDS(block_missing, "deadlock: it polls", "block 0, thread 0: ");
    FINDS(cluster_missing, "deadlock: it waits at", "block ", WRITTEN, 2);
    FINDS(poll_volatile, "deadlock: it polls", anyone);
    FINDS(poll_ldcg, "deadlock: it polls", anyone);
    FINDS(poll_atomic, "deadlock: it polls", anyone);
    FINDS(poll_acquire, "deadlock: it polls", anyone);
    FINDS(poll_as_warp, "deadlock: it ", anyone);
    FINDS(poll_as_block, "deadlock: it ", anyone);
}

static void find_bulk_faults(void)
{
    finds("bulk_of<2u, 0u, 16u>", bulk_of<2, 0, 16>, "a bulk copy of 16 bytes that is not aligned");
    finds("bulk_of<0u, 1u, 16u>", bulk_of<0, 1, 16>, "a bulk copy of 16 bytes that is not aligned");
    finds("bulk_of<0u, 0u, 20u>", bulk_of<0, 0, 20>, "a bulk copy of 20 bytes that is not aligned");
    finds("bulk_of<0u, 60u, 32u>", bulk_of<0, 60, 32>, "outside of any allocation");
    finds("bulk_of<60u, 0u, 64u>", bulk_of<60, 0, 64>, "outside of any allocation");
    finds("bulk_of<0u, 0u, 16u>", bulk_of<0, 0, 16>, "that are not the device's", "block 1, thread 3: ", OF_HOST);
    finds("bulk_of<0u, 0u, 32u>", bulk_of<0, 0, 32>, "that nobody has written", "block 1, thread 3: ", UNWRITTEN);
    FINDS(bulk_not_waited, "read of 4 bytes that nobody has written");
    FINDS(bulk_never_started, "deadlock: it polls");
    FINDS(bulk_store_not_waited, "it ends before a bulk store of 16 bytes");
}

/* What the host does wrong. */
static void find_host_faults(void)
{
    struct error error = {};
    uint32_t host[NUM_WORDS] = {};
    const size_t bytes = sizeof host;
    uint32_t *memory = take(WRITTEN, 0, &error), *fresh = take(UNWRITTEN, 0, &error), *gone = take(FREED, 0, &error);
    const struct {
        const char *what;
        cudaError_t code, wanted;
    } calls[] = {
        {"copy to the host's memory as the device's", cudaMemcpy(host, host, bytes, cudaMemcpyHostToDevice),
         cudaErrorInvalidValue},
        {"copy from the host's memory as the device's", cudaMemcpy(host, host, bytes, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue},
        {"copy the device's memory as the host's", cudaMemcpy(memory, memory, bytes, cudaMemcpyHostToDevice),
         cudaErrorInvalidValue},
        {"copy beyond the end, to the device", cudaMemcpy(memory + 1, host, bytes, cudaMemcpyHostToDevice),
         cudaErrorInvalidValue},
        {"copy beyond the end, to the host", cudaMemcpyAsync(host, memory + 1, bytes, cudaMemcpyDeviceToHost),
         cudaErrorInvalidValue},
        {"copy beyond the end, on the device", cudaMemcpy(memory, memory + 1, bytes, cudaMemcpyDeviceToDevice),
         cudaErrorInvalidValue},
        {"copy to freed memory", cudaMemcpy(gone, host, bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue},
        {"copy of unwritten memory", cudaMemcpy(host, fresh, bytes, cudaMemcpyDeviceToHost),
         cudaErrorUnwrittenMemory},
        {"fill beyond the end", cudaMemsetAsync(memory, 0, bytes + 1), cudaErrorInvalidValue},
        {"fill the host's memory", cudaMemset(host, 0, bytes), cudaErrorInvalidValue},
        {"free what is freed", cudaFree(gone), cudaErrorInvalidValue},
        {"free the middle", cudaFree(memory + 1), cudaErrorInvalidValue},
    };
    for (const auto &call : calls)
        check(error.status == STATUS_OK && call.code == call.wanted, call.what, "code %d", (int)call.code);
    cudaGetLastError();
    gpu_free(memory);
    gpu_free(fresh);
}

static void check_all(struct device *)
{
    find_memory_faults();
    find_meeting_faults();
    find_bulk_faults();
    find_host_faults();
    free(host_memory);
}

} // namespace BACKEND
