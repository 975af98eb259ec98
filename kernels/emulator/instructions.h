/* emulator/instructions.h: the names of cuda/instructions.h, on the emulator. */
#pragma once

#define MOST_POLLS emulator::most_polls

/* ---- launches ---- */

template <typename... parameters>
static cudaError_t start_kernel(bool persistent, void (*kernel)(parameters...), struct grid grid, size_t shared_bytes,
                                parameters... arguments)
{
    emulator::shape shape = {grid.blocks, grid.threads, persistent ? grid.cluster : 1, shared_bytes, persistent};
    return emulator::run((const void *)kernel, shape, [=]() EMULATED_INSIDE { kernel(arguments...); });
}

static inline unsigned largest_cluster(const void *, unsigned, size_t, unsigned most)
{
    return most < 4 ? most : 4;
}

using emulator::set_schedule;
using emulator::start_together;

/* ---- shared memory ---- */

template <typename type>
static type *block_shared(void)
{
    return (type *)emulator::shared_memory();
}

/* ---- ordered accesses ---- */

template <typename type>
EMULATED_INSIDE static inline type load_acquire(const type *address)
{
    emulator::wait_turn(); /* since callers poll */
    emulator::check_access(address, sizeof *address, false, false);
    return *address;
}

#define load_acquire_system(address)         load_acquire(address)
#define store_release_system(address, value) (store_release(address, value), emulator::release_stores())
#define add_acquire_release(address, value)  atomicAdd(address, value)
#define store_release(address, value)        ((void)atomicExch(address, value))
#define load_relaxed(address)                __ldcg(address)
#define store_relaxed(address, value)        __stcg(address, value)

/* ---- two words at once ---- */

/* Another thread may run between the two loads. */
EMULATED_INSIDE static inline void load_pair(const uint64_t *address, uint64_t (&words)[2])
{
    emulator::wait_turn(); /* since callers poll */
    emulator::check_access(address, 2 * sizeof *address, false, false);
    words[0] = __ldcg(&address[0]);
    words[1] = __ldcg(&address[1]);
}

EMULATED_INSIDE static inline void store_pair(uint64_t *address, uint64_t first, uint64_t second)
{
    emulator::check_access(address, 2 * sizeof *address, true, false);
    __stcg(&address[0], first);
    __stcg(&address[1], second);
}

/* ---- prefetching ---- */

EMULATED_INSIDE static inline void prefetch(const void *from, unsigned bytes)
{
    if (bytes > 0)
        emulator::check_access(from, 1, false, false);
}

/* ---- accesses by the lanes whose condition holds ---- */

static inline uint32_t compare_and_swap_if(bool condition, uint32_t *address, uint32_t expected, uint32_t value)
{
    return condition ? atomicCAS(address, expected, value) : 0;
}

#define or_into(address, bits) ((void)atomicOr(address, bits))

#define ATOMIC_IF(name, atomic, other)                                                                                 \
    static inline uint32_t name(bool condition, uint32_t *address, uint32_t value)                                     \
    {                                                                                                                  \
        return condition ? atomic(address, value) : other;                                                             \
    }
ATOMIC_IF(exchange_if, atomicExch, 0)
ATOMIC_IF(or_if, atomicOr, UINT32_MAX)
ATOMIC_IF(min_if, atomicMin, 0)
#undef ATOMIC_IF

#define LOAD_WORD_IF(name, load, type, other)                                                                          \
    static inline type name(bool condition, const type *address)                                                       \
    {                                                                                                                  \
        return condition ? load(address) : other;                                                                      \
    }
LOAD_WORD_IF(load_relaxed_if, __ldcg, uint32_t, UINT32_MAX)
LOAD_WORD_IF(load_relaxed_or_zero_if, __ldcg, uint32_t, 0)
LOAD_WORD_IF(load_cached_if, __ldcg, uint32_t, UINT32_MAX)
LOAD_WORD_IF(load_if, __ldg, uint32_t, UINT32_MAX)
LOAD_WORD_IF(load_if, __ldg, uint64_t, UINT64_MAX)
LOAD_WORD_IF(load_wide_if, __ldg, uint32_t, UINT32_MAX)
#undef LOAD_WORD_IF

static inline void load_four_if(bool condition, const uint32_t *address, uint32_t *words)
{
    for (unsigned i = 0; i < 4; i++)
        words[i] = condition ? __ldg(&address[i]) : UINT32_MAX;
}

static inline uint4 stream_four_if(bool condition, const uint4 *address)
{
    return condition ? __ldg(address) : uint4{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
}

/* ---- time ---- */

#define nanoseconds() ((uint64_t)clock64())

/* ---- clusters ---- */

#define HAS_CLUSTERS 1

using emulator::cluster_rank;
using emulator::cluster_size;

static inline void cluster_wait(HERE)
{
    emulator::cluster_barrier(where);
}

template <typename type>
static type *cluster_shared(type *own, unsigned rank)
{
    return (type *)emulator::shared_memory_of(own, rank);
}

/* ---- bulk copies ---- */

struct bulk_barrier {
    uint64_t word; /* phases whose loads have started */
};

static inline void bulk_init(struct bulk_barrier *barrier)
{
    __stcg(&barrier->word, 0u);
}

static inline void bulk_load(struct bulk_barrier *barrier, void *to, const void *from, unsigned bytes)
{
    emulator::defer_copy(barrier, to, from, bytes);
    atomicAdd(&barrier->word, 1u);
}

static inline bool bulk_wait(struct bulk_barrier *barrier, unsigned phase)
{
    while (__ldcg(&barrier->word) <= phase)
        emulator::wait_turn();
    emulator::finish_copies(barrier);
    return true;
}

#define bulk_store(to, from, bytes) emulator::defer_copy(&emulator::here(), to, from, bytes)
#define bulk_store_wait()           emulator::finish_copies(&emulator::here())

/* ---- tensor cores ---- */

static inline void binary_mma(int (&sums)[2], uint32_t a, uint32_t b, HERE)
{
    uint64_t products = emulator::meet(0xffffffffu, meet_binary_mma, a, b, where);
    sums[0] += (int)(uint32_t)products;
    sums[1] += (int)(products >> 32);
}
