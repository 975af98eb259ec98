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

/* ---- planted faults: what a kernel does, where that takes more than an expression ---- */

static bool am(unsigned block, unsigned thread)
{
    return blockIdx.x == block && threadIdx.x == thread;
}
static struct bulk_shared *bulk(void)
{
    return block_shared<struct bulk_shared>();
}

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

__global__ void shared_unwritten(uint32_t *memory)
{
    uint32_t *shared = block_shared<uint32_t>();
    if (threadIdx.x != 5)
        shared[threadIdx.x] = 1;
    __syncthreads();
    if (am(1, 3))
        memory[0] = shared[5];
}

__global__ void barriers_in_branches(uint32_t *memory)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    memory[0] = 1;
}
__global__ void mask_of_ended(uint32_t *memory)
{
    if (threadIdx.x % 32 != 3)
        return;
    while (clock64() < 100000)
        memory[2] = __ldcg(&memory[0]);
    memory[1] = __ballot_sync(WHOLE_WARP, 1);
}
__global__ void two_places(uint32_t *memory)
{
    if (threadIdx.x % 32 < 16)
        memory[threadIdx.x] = __shfl_sync(WHOLE_WARP, 1u, 0);
    else
        memory[threadIdx.x] = __shfl_sync(WHOLE_WARP, 2u, 0);
}

template <unsigned to, unsigned from, unsigned bytes>
__global__ void bulk_of(uint32_t *memory)
{
    if (!am(1, 3))
        return;
    bulk_init(&bulk()->barrier);
    bulk_load(&bulk()->barrier, bulk()->words + to, memory + from, bytes);
    bulk_wait(&bulk()->barrier, 0);
}

/* ---- planted faults: what must be said ---- */

enum memory { WRITTEN, UNWRITTEN, FREED, OF_HOST, PINNED };

static void *const host_memory = calloc(NUM_WORDS, sizeof(uint32_t));
static struct gpu_arena pinned = {.in_host = true};

/* Memory as wanted, NUM_WORDS and a few more words of it; error if there is none. */
static uint32_t *take(enum memory kind, unsigned more, struct error *error)
{
    uint32_t *memory = NULL;
    size_t words = NUM_WORDS + more;
    if (kind == OF_HOST)
        return (uint32_t *)host_memory;
    if (kind == PINNED)
        return gpu_take_zeroed<uint32_t>(&pinned, words, "the memory", error);
    if (gpu_allocate(&memory, words, "the memory", error) != STATUS_OK)
        return NULL;
    if (kind != UNWRITTEN)
        gpu_clear(memory, words, error);
    if (kind == FREED)
        gpu_free(memory);
    return memory;
}

__global__ void nothing_wrong(uint32_t *memory)
{
    atomicAdd(&memory[threadIdx.x], 1u);
    __syncthreads();
}

#define THIRD "block 1, thread 3: "

/* A kernel, of two blocks of 32 threads, and what must be said of it. */
struct fault {
    const char *name;
    void (*kernel)(uint32_t *memory);
    const char *what, *who = THIRD; /* who: NULL: any thread, of blocks of 64 */
    enum memory kind = WRITTEN;
    unsigned cluster = 1;
    unsigned more = 0; /* words of the memory beyond NUM_WORDS */
};

/* A kernel of which one thread does something. The program has no symbol for it, so messages call it "kernel". */
template <auto what>
__global__ void by_one(uint32_t *memory)
{
    if (am(1, 3))
        what(memory);
}
#define BY_ONE(...)                                                                                                    \
    "kernel", by_one<[](uint32_t *memory) {                                                                            \
        __VA_ARGS__;                                                                                                   \
        (void)memory;                                                                                                  \
    }>
/* The same by all threads. */
template <auto what>
__global__ void by_all(uint32_t *memory)
{
    what(memory);
}
#define BY_ALL(...)                                                                                                    \
    "kernel", by_all<[](uint32_t *memory) {                                                                            \
        __VA_ARGS__;                                                                                                   \
        (void)memory;                                                                                                  \
    }>
/* A kernel in which all threads wait for what never comes. */
template <auto goes_on>
__global__ void poll(uint32_t *memory)
{
    while (goes_on(memory))
        ;
}
#define POLL(...)     "kernel", poll<[](uint32_t *memory) -> bool { return __VA_ARGS__; }>
#define NAMED(kernel) #kernel, kernel

/* Without a seed and with one. */
static void find(const struct fault &fault)
{
    for (uint64_t seed = 0; seed < 8; seed += 5) {
        struct error setup = {}, error = {}, after = {};
        char suffix[32];
        const struct grid grid = {2, fault.who == NULL ? 64u : 32u, fault.cluster};
        uint32_t *good = take(WRITTEN, 0, &setup), *memory = take(fault.kind, fault.more, &setup);
        set_schedule(seed);
        gpu_launch_persistent(fault.kernel, grid, sizeof(struct bulk_shared), &error, memory);
        gpu_launch_persistent(nothing_wrong, {2, 64}, 0, &after, good);
        std::string who = std::string(", ") + (fault.who != NULL ? fault.who : "block "), text = error.text;
        snprintf(suffix, sizeof suffix, "(seed %llu)", (word_t)seed);
        if (fault.kind != OF_HOST && fault.kind != PINNED && fault.kind != FREED)
            gpu_free(memory);
        gpu_free(good);
        bool right = text.find(fault.name) != text.npos && text.find(who) != text.npos &&
                     text.find(fault.what) != text.npos && text.find(suffix) != text.npos &&
                     text.find(", thread ") != text.npos;
        check(right && setup.status == STATUS_OK && error.status == STATUS_DEVICE && after.status == STATUS_OK,
              fault.what, "seed %llu, wanted '%s%s...%s': %s%s", (word_t)seed, fault.name, who.c_str(), fault.what,
              error.text, after.text);
    }
}

#define OUTSIDE   "outside of any allocation"
#define NOT_ITS   "that are not the device's"
#define NOBODY    "that nobody has written"
#define NOT_ALIGN "that is not aligned"

static const struct fault memory_faults[] = {
    {BY_ONE(memory[0] = memory[NUM_WORDS]), "read of 4 bytes " OUTSIDE},
    {BY_ONE(memory[0] = memory[-1]), "read of 4 bytes " OUTSIDE},
    {BY_ONE(memory[0] = memory[1u << 28]), "read of 4 bytes " OUTSIDE},
    {BY_ONE(memory[NUM_WORDS] = 1), "write of 4 bytes " OUTSIDE},
    {BY_ONE(memory[1u << 28] = 1), "write of 4 bytes " OUTSIDE},
    /* The allocation ends after 4 of the 8 bytes. */
    {BY_ONE(*(word_t *)&memory[NUM_WORDS] = 1), "write of 8 bytes " OUTSIDE, THIRD, WRITTEN, 1, 1},
    {BY_ONE(*(volatile uint32_t *)&memory[NUM_WORDS] = 1), "write of 4 bytes " OUTSIDE},
    {BY_ONE(memory[0] = __ldcg(&memory[NUM_WORDS])), "read of 4 bytes " OUTSIDE},
    {BY_ONE(__stcg(&memory[NUM_WORDS], 1u)), "write of 4 bytes " OUTSIDE},
    {BY_ONE(atomicAdd(&memory[NUM_WORDS], 1u)), "atomic access of 4 bytes " OUTSIDE},
    {BY_ONE(*(struct bulk_shared *)&memory[4] = {}), OUTSIDE},
    {BY_ONE(memory[5] = 1), "write of 4 bytes " OUTSIDE, THIRD, FREED},
    {BY_ONE(atomicAdd(&memory[5], 1u)), "atomic access of 4 bytes " OUTSIDE, THIRD, FREED},
    {BY_ONE(memory[5] = 1), "write of 4 bytes " NOT_ITS, THIRD, OF_HOST},
    {BY_ONE(atomicAdd(&memory[5], 1u)), "atomic access of 4 bytes " NOT_ITS, THIRD, OF_HOST},
    {BY_ONE(memory[0] = __ldcg(&memory[7])), "read of 4 bytes " NOT_ITS, THIRD, OF_HOST},
    {BY_ONE(memory[NUM_WORDS] = memory[5]), "write of 4 bytes " NOT_ITS, THIRD, PINNED},
    {BY_ONE(memory[5] = memory[-1]), "read of 4 bytes " NOT_ITS, THIRD, PINNED},
    {BY_ONE(atomicAdd(&memory[5], 1u)), "atomic access of 4 bytes in host memory", THIRD, PINNED},
    {BY_ONE(*(uint32_t *)((char *)memory + 2) = 1), "misaligned write of 4 bytes", THIRD, PINNED},
    {BY_ONE(block_shared<uint32_t>()[sizeof(struct bulk_shared) / sizeof(uint32_t)] = memory[0]),
     "write of 4 bytes " OUTSIDE},
    {NAMED(shared_of_other), "read of 4 bytes in the shared memory of block 0, which is in another cluster"},
    {NAMED(shared_of_ended), "read of 4 bytes in the shared memory of block 0, which has ended", THIRD, WRITTEN, 2},
    {BY_ONE(memory[0] = *cluster_shared(block_shared<uint32_t>(), 2)), "shared memory of block 2 in a cluster of 2",
     THIRD, WRITTEN, 2},
    {BY_ONE(memory[0] = (uint32_t) * (word_t *)&memory[5]), "misaligned read of 8 bytes"},
    {BY_ONE(*(uint32_t *)((char *)memory + 2) = 1), "misaligned write of 4 bytes"},
    {BY_ONE(atomicAdd((word_t *)&memory[5], 1u)), "misaligned atomic access of 8 bytes"},
    {BY_ONE(memory[0] = memory[7]), "read of 4 bytes " NOBODY, THIRD, UNWRITTEN},
    {BY_ONE(memory[0] = __ldcg(&memory[7])), "read of 4 bytes " NOBODY, THIRD, UNWRITTEN},
    {BY_ONE(atomicAdd(&memory[5], 1u)), "atomic access of 4 bytes " NOBODY, THIRD, UNWRITTEN},
    {NAMED(shared_unwritten), "read of 4 bytes " NOBODY},
    {BY_ONE(atomicOr(&block_shared<uint32_t>()[5], memory[0])), "atomic access of 4 bytes " NOBODY},
};

static const struct fault meeting_faults[] = {
    {NAMED(barriers_in_branches), "diverged: it is at a block barrier in line", NULL},
    {BY_ALL(if (threadIdx.x == 3) __syncwarp(); __syncthreads()), "deadlock: it waits at", NULL},
    {BY_ONE(__syncwarp(0xf7 + 0 * memory[0])), "__syncwarp with a mask (000000f7) that leaves out the caller"},
    {NAMED(mask_of_ended), "with a mask (ffffffff) that names lanes which have ended", NULL},
    {BY_ALL(if (!am(1, 3)) __syncwarp()), "it ends while lanes of its warp wait for it at __syncwarp"},
    {BY_ALL(memory[1] = am(1, 3) ? __ballot_sync(WHOLE_WARP, 1) : __shfl_sync(WHOLE_WARP, 1u, 0)),
     "diverged: it is at a", NULL},
    {NAMED(two_places), "diverged: it is at a shuffle in line", NULL},
    {BY_ALL(__syncwarp(lane_id() == 3 ? WHOLE_WARP : 0xffu << lane_id() / 8 * 8)),
     "diverged: it is at __syncwarp (mask", NULL},
    {BY_ALL(if (am(1, 3) || am(1, 5)) memory[0] = __shfl_sync(0x28u, threadIdx.x, 6)),
     "a shuffle from lane 6, which is not in its mask (00000028)", "block 1, thread "},
    {BY_ALL(if (blockIdx.x != 1) grid_wait((struct grid_barrier *)memory, &memory[8], block_shared<uint32_t>())),
     "deadlock: it polls", "block 0, thread 0: "},
    /* A block barrier with nobody, while all others wait for the thread. */
    {BY_ALL(if (am(1, 3)) __syncthreads(); cluster_wait()), "deadlock: it waits at", "block ", WRITTEN, 2},
    {POLL(*(volatile uint32_t *)&memory[0] == 0), "deadlock: it polls", NULL},
    {POLL(__nanosleep(10), __ldcg(&memory[0]) == 0), "deadlock: it polls", NULL},
    {POLL(atomicCAS(&memory[0], 1u, 2u) != 1), "deadlock: it polls", NULL},
    {POLL(load_acquire((const uint64_t *)memory) == 0), "deadlock: it polls", NULL},
    {POLL(!__any_sync(WHOLE_WARP, lane_id() == 0 ? __ldcg(&memory[0]) : 0)), "deadlock: it ", NULL},
    {POLL(!__syncthreads_or(threadIdx.x == 0 ? __ldcg(&memory[0]) : 0)), "deadlock: it ", NULL},
};

static const struct fault bulk_faults[] = {
    {"bulk_of<2u, 0u, 16u>", bulk_of<2, 0, 16>, "a bulk copy of 16 bytes " NOT_ALIGN},
    {"bulk_of<0u, 1u, 16u>", bulk_of<0, 1, 16>, "a bulk copy of 16 bytes " NOT_ALIGN},
    {"bulk_of<0u, 0u, 20u>", bulk_of<0, 0, 20>, "a bulk copy of 20 bytes " NOT_ALIGN},
    {"bulk_of<0u, 60u, 32u>", bulk_of<0, 60, 32>, OUTSIDE},
    {"bulk_of<60u, 0u, 64u>", bulk_of<60, 0, 64>, OUTSIDE},
    {"bulk_of<0u, 0u, 16u>", bulk_of<0, 0, 16>, NOT_ITS, THIRD, OF_HOST},
    {"bulk_of<0u, 0u, 32u>", bulk_of<0, 0, 32>, NOBODY, THIRD, UNWRITTEN},
    {BY_ONE(bulk_init(&bulk()->barrier); bulk_load(&bulk()->barrier, bulk()->words, memory, sizeof bulk()->words);
            memory[0] = bulk()->words[7]),
     "read of 4 bytes " NOBODY},
    {BY_ONE(bulk_init(&bulk()->barrier); bulk_wait(&bulk()->barrier, 0)), "deadlock: it polls"},
    {BY_ONE(for (int i = 0; i < 4; i++) bulk()->words[i] = 1; bulk_store(memory, bulk()->words, 16)),
     "it ends before a bulk store of 16 bytes"},
};

/* What the host does wrong. */
static void find_host_faults(void)
{
    struct error error = {};
    uint32_t host[NUM_WORDS] = {};
    const size_t bytes = sizeof host;
    uint32_t *memory = take(WRITTEN, 0, &error), *fresh = take(UNWRITTEN, 0, &error), *gone = take(FREED, 0, &error);
    struct call {
        const char *what;
        cudaError_t code, wanted = cudaErrorInvalidValue;
    };
    const struct call calls[] = {
        {"copy to the host's memory as the device's", cudaMemcpy(host, host, bytes, cudaMemcpyHostToDevice)},
        {"copy from the host's memory as the device's", cudaMemcpy(host, host, bytes, cudaMemcpyDeviceToHost)},
        {"copy the device's memory as the host's", cudaMemcpy(memory, memory, bytes, cudaMemcpyHostToDevice)},
        {"copy beyond the end, to the device", cudaMemcpy(memory + 1, host, bytes, cudaMemcpyHostToDevice)},
        {"copy beyond the end, to the host", cudaMemcpyAsync(host, memory + 1, bytes, cudaMemcpyDeviceToHost)},
        {"copy beyond the end, on the device", cudaMemcpy(memory, memory + 1, bytes, cudaMemcpyDeviceToDevice)},
        {"copy to freed memory", cudaMemcpy(gone, host, bytes, cudaMemcpyHostToDevice)},
        {"copy of unwritten memory", cudaMemcpy(host, fresh, bytes, cudaMemcpyDeviceToHost), cudaErrorUnwrittenMemory},
        {"fill beyond the end", cudaMemsetAsync(memory, 0, bytes + 1)},
        {"fill the host's memory", cudaMemsetAsync(host, 0, bytes)},
        {"free what is freed", cudaFree(gone)},
        {"free the middle", cudaFree(memory + 1)},
    };
    for (const auto &call : calls)
        check(error.status == STATUS_OK && call.code == call.wanted, call.what, "code %d", (int)call.code);
    cudaGetLastError();
    gpu_free(memory);
    gpu_free(fresh);
}

static void check_all(struct device *)
{
    for (const struct fault &fault : memory_faults)
        find(fault);
    for (const struct fault &fault : meeting_faults)
        find(fault);
    for (const struct fault &fault : bulk_faults)
        find(fault);
    find_host_faults();
    free(host_memory);
    gpu_arena_free(&pinned);
}

} // namespace BACKEND
