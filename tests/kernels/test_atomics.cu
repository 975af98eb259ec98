/* test_atomics.cu: atomics, loads and stores past the caches, fences and flags, on the GPU and on the emulator. */
#include <string.h>

#include "words.h"

namespace BACKEND
{

#define ROUNDS 20u

/* ---- atomics ---- */

enum scope { SHARED, OF_BLOCK, OF_GRID }; /* where the words lie and who uses them */
#define ATOMIC_WORDS   16u
#define ATOMIC_THREADS 128u

template <typename type>
static __host__ __device__ type atomic_sample(unsigned thread)
{
    const long long range = 4000000; /* half of it below 0, where type has that; sums do not overflow an int */
    return (type)((long long)(sample(500 + thread) >> 7) % range - range / 2);
}

/* CUDA's atomics of one type: on a GPU they exist for some types only. */
template <typename type, enum scope scope>
static __device__ void atomics_on(type *at, unsigned thread)
{
    type value = atomic_sample<type>(thread);
#define IN_SCOPE(atomic, ...) (scope == OF_GRID ? atomic(__VA_ARGS__) : atomic##_block(__VA_ARGS__))
    IN_SCOPE(atomicAdd, &at[0], value);
    IN_SCOPE(atomicMin, &at[1], value);
    IN_SCOPE(atomicMax, &at[2], value);
    IN_SCOPE(atomicAnd, &at[3], (type) ~((type)1 << thread % 31));
    IN_SCOPE(atomicOr, &at[4], (type)((type)1 << thread % (8 * sizeof(type) - 2)));
    IN_SCOPE(atomicXor, &at[5], value);
    IN_SCOPE(atomicAdd, &at[6], IN_SCOPE(atomicExch, &at[7], value));
    for (type old = 0, seen = 1; old != seen;) {
        old = seen;
        seen = IN_SCOPE(atomicCAS, &at[8], old, (type)(old + 3));
    }
    IN_SCOPE(atomicCAS, &at[9], (type)1234, (type)5);
    /* Each old value comes once: their sum and the sum of their squares tell. */
    type old = IN_SCOPE(atomicAdd, &at[10], (type)1);
    atomicAdd(&at[11], old);
    atomicAdd(&at[12], (type)(old * old));
    if constexpr (sizeof(type) == 4)
        IN_SCOPE(atomicSub, &at[13], value);
#undef IN_SCOPE
}

/* A region has ATOMIC_WORDS words of the type, at the beginning of as many words of 64 bits. */
template <typename type, enum scope scope>
__global__ void atomics(word_t *words)
{
    unsigned thread = scope == OF_GRID ? thread_in_grid() : threadIdx.x;
    word_t *results = words + (scope == OF_GRID ? 0 : blockIdx.x * ATOMIC_WORDS);
    type *at = scope == SHARED ? block_shared<type>() : (type *)(results + 0);
    if (scope == SHARED && threadIdx.x < ATOMIC_WORDS)
        at[threadIdx.x] = threadIdx.x == 1 || threadIdx.x == 3 ? ((type)0x7fffffff) : 0;
    __syncthreads();
    atomics_on<type, scope>(at, thread);
    __syncthreads();
    if (scope == SHARED && threadIdx.x < ATOMIC_WORDS)
        ((type *)results)[threadIdx.x] = at[threadIdx.x];
}

/* The words of one region packed as the kernel leaves them. */
template <typename type>
static vector<word_t> atomic_results(unsigned threads, bool before)
{
    type at[ATOMIC_WORDS] = {}, chain = 0;
    at[1] = at[3] = (type)0x7fffffff;
    for (unsigned t = 0; t < threads && !before; t++) {
        type value = atomic_sample<type>(t);
        at[0] = (type)(at[0] + value);
        at[1] = value < at[1] ? value : at[1];
        at[2] = value > at[2] ? value : at[2];
        at[3] &= (type) ~((type)1 << t % 31);
        at[4] |= (type)((type)1 << t % (8 * sizeof(type) - 2));
        at[5] ^= value;
        chain = (type)(chain + value);
        at[8] = (type)(at[8] + 3);
        at[10]++;
        at[11] = (type)(at[11] + (type)t);
        at[12] = (type)(at[12] + (type)(t * t));
        at[13] = (type)(at[13] - (sizeof(type) == 4 ? value : 0));
    }
    at[6] = chain; /* the sum of what was exchanged; the host adds the last word, which may be any thread's */
    vector<word_t> words(ATOMIC_WORDS);
    memcpy(words.data(), at, sizeof at);
    return words;
}

template <typename type, enum scope scope>
static void check_atomics(const char *what)
{
    const unsigned blocks = 2, regions = scope == OF_GRID ? 1 : blocks;
    struct error error = {};
    vector<word_t> before = atomic_results<type>(0, true);
    vector<word_t> after = atomic_results<type>(scope == OF_GRID ? blocks * ATOMIC_THREADS : ATOMIC_THREADS, false);
    vector<word_t> words = run_kernel(
        atomics<type, scope>, PERSISTENT, {blocks, ATOMIC_THREADS}, ATOMIC_WORDS * sizeof(type),
        regions * ATOMIC_WORDS, [&](size_t i) { return before[i % ATOMIC_WORDS]; }, &error);
    if (words.empty()) {
        check(false, what, "%s", error.text);
        return;
    }
    for (unsigned region = 0; region < regions; region++) {
        type *got = (type *)&words[region * ATOMIC_WORDS], *wanted = (type *)after.data();
        got[6] = (type)(got[6] + got[7]);
        got[7] = 0;
        for (unsigned i = 0; i < ATOMIC_WORDS; i++)
            if (got[i] != wanted[i]) {
                check(false, what, "word %u of region %u is %llx, not %llx", i, region, (word_t)got[i],
                      (word_t)wanted[i]);
                return;
            }
    }
    check(true, what, " ");
}

/* atomicAdd of floating-point numbers: sums of small integers are exact. */
template <typename type>
__global__ void float_atomics(word_t *words)
{
    type *shared = block_shared<type>();
    if (threadIdx.x == 0)
        *shared = 0;
    __syncthreads();
    atomicAdd(shared, (type)threadIdx.x);
    atomicAdd((type *)words, (type)1);
    __syncthreads();
    if (threadIdx.x == 0)
        words[1 + blockIdx.x] = (word_t)*shared;
}

template <typename type>
static void check_float_atomics(const char *what)
{
    expect(what, float_atomics<type>, {2, 64}, sizeof(type), 3, zeros(), [](size_t i) -> uint64_t {
        type sum = 128;
        uint64_t bits = 0;
        memcpy(&bits, &sum, sizeof sum);
        return i == 0 ? bits : 63 * 64 / 2;
    });
}

static void check_all_atomics(void)
{
    check_atomics<int, OF_GRID>("atomics: int");
    check_atomics<unsigned, OF_GRID>("atomics: unsigned");
    check_atomics<word_t, OF_GRID>("atomics: unsigned long long");
    check_atomics<int, OF_BLOCK>("atomics with _block: int");
    check_atomics<unsigned, OF_BLOCK>("atomics with _block: unsigned");
    check_atomics<word_t, OF_BLOCK>("atomics with _block: unsigned long long");
    check_atomics<int, SHARED>("atomics in shared memory: int");
    check_atomics<unsigned, SHARED>("atomics in shared memory: unsigned");
    check_atomics<word_t, SHARED>("atomics in shared memory: unsigned long long");
    check_float_atomics<float>("atomicAdd: float");
    check_float_atomics<double>("atomicAdd: double");
}

/* ---- caches, fences, flags ---- */

/* A type's load and store, each thread its own; words[0..] is read, words[threads..] written. */
template <typename type>
__global__ void cached(word_t *words)
{
    const type *from = (const type *)words + threadIdx.x;
    type *to = (type *)(words + blockDim.x) + 4 * threadIdx.x;
    __stcg(&to[0], __ldcg(from));
    to[1] = __ldg(from);
    *(volatile type *)&to[2] = *(volatile const type *)from;
    __stcg(&to[3], __ldcv(from));
}

template <typename type>
static void check_cached(const char *what)
{
    const unsigned threads = 64, num_words = 5 * threads;
    auto before = [](size_t i) { return i < threads ? sample(300 + i) : 0; };
    type values[threads], after[4 * threads];
    for (unsigned i = 0; i < threads; i++) {
        word_t word = before(i * sizeof(type) / sizeof(word_t));
        memcpy(&values[i], (char *)&word + i * sizeof(type) % sizeof word, sizeof(type));
        after[4 * i] = after[4 * i + 1] = after[4 * i + 2] = after[4 * i + 3] = values[i];
    }
    expect(what, cached<type>, {1, threads}, 0, num_words, before, [&](size_t i) -> uint64_t {
        uint64_t word = 0;
        if ((i - threads) * sizeof word < sizeof after && i >= threads)
            memcpy(&word, (char *)after + (i - threads) * sizeof word, sizeof word);
        return i < threads ? before(i) : word;
    });
}

/* Plain loops that a compiler merges, widens or turns into memset and memcpy, at odd offsets. */
struct odd {
    uint32_t values[7];
};

__global__ void plain_loops(word_t *words)
{
    uint32_t *shared = block_shared<uint32_t>() + 37 * threadIdx.x, *out = (uint32_t *)words + 37 * threadIdx.x;
    unsigned char *bytes = (unsigned char *)(shared + 21);
    const unsigned few = blockDim.x / 9, all = blockDim.x - 27;
    for (unsigned i = 0; i < few; i++)
        shared[i] = 0;
    for (unsigned i = 0; i < 7; i++)
        shared[i + 7] = 1000 * threadIdx.x + i;
    *(struct odd *)(shared + 14) = *(struct odd *)(shared + 7);
    for (unsigned i = 0; i < 64; i++)
        bytes[i] = (unsigned char)i;
    for (unsigned i = 0; i < all; i++)
        out[i] = shared[i];
}

static uint32_t plain_loops_at(size_t i)
{
    uint32_t word = 0;
    size_t place = i % 37, first = 4 * (place - 21);
    for (unsigned byte = 0; byte < 4 && place >= 21; byte++)
        word |= (uint32_t)(first + byte) << 8 * byte;
    return place >= 21 ? word : place >= 7 ? (uint32_t)(1000 * (i / 37) + place % 7) : 0;
}

/* Two blocks in turn hand over a number beside a flag, by fences and volatile accesses. */
__global__ void ping_pong(word_t *words)
{
    if (threadIdx.x != 0)
        return;
    for (unsigned round = 1; round <= 2 * ROUNDS; round++) {
        if (round % 2 != blockIdx.x)
            continue;
        while (*(volatile word_t *)&words[0] != round - 1)
            ;
        __threadfence();
        words[1 + round] = __ldcg(&words[round]) + round;
        __threadfence();
        *(volatile word_t *)&words[0] = round;
    }
}

/* The same between two warps, in shared memory. */
struct mailbox {
    unsigned flag, number;
};

__global__ void ping_pong_shared(word_t *words)
{
    struct mailbox *box = block_shared<struct mailbox>();
    if (threadIdx.x == 0)
        *box = {0, 0};
    __syncthreads();
    for (unsigned round = 1; round <= ROUNDS && lane_id() == 0; round++) {
        if (round % 2 != threadIdx.x / WARP_SIZE)
            continue;
        while (*(volatile unsigned *)&box->flag != round - 1)
            __nanosleep(100);
        __threadfence_block();
        box->number += round;
        __threadfence_block();
        *(volatile unsigned *)&box->flag = round;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        words[0] = box->number;
    __threadfence_system();
}

/* A thread that is late sets what all others poll. */
__global__ void one_for_all(word_t *words)
{
    if (thread_in_grid() == 5)
        atomicExch(&words[0], 1ull);
    while (*(volatile word_t *)&words[0] == 0)
        ;
    while (atomicAdd(&words[0], 0ull) == 0)
        ;
    while (load_acquire((const uint64_t *)&words[0]) == 0)
        ;
    atomicAdd(&words[1], 1ull);
}

/* A lock that one thread of each block takes; what it guards is read and written plainly. */
__global__ void spin_lock(word_t *words)
{
    if (threadIdx.x != 0)
        return;
    for (unsigned round = 0; round < ROUNDS; round++) {
        while (atomicCAS(&words[0], 0ull, 1ull) != 0)
            ;
        __threadfence();
        __stcg(&words[1], __ldcg(&words[1]) + 1);
        __threadfence();
        atomicExch(&words[0], 0ull);
    }
}

__global__ void tickets(word_t *words)
{
    uint64_t ticket = add_acquire_release((uint64_t *)&words[0], 3);
    words[1 + ticket / 3] = 1 + ticket % 3;
}

/* Each of the accesses with a condition, by every second thread, on 32-bit words that all share: 0, 0, 7, 9. */
__global__ void predicated(word_t *words)
{
    uint32_t *shared = (uint32_t *)words, bit = 1u << threadIdx.x / 2;
    bool mine = threadIdx.x % 2 == 0;
    uint32_t exchanged = exchange_if(mine, &shared[0], bit), held = or_if(mine, &shared[1], bit);
    uint32_t first = compare_and_swap_if(mine, &shared[2], 7, bit), looked = load_relaxed_if(mine, &shared[3]);
    uint32_t loaded = load_if(mine, &shared[3]), or_zero = load_relaxed_or_zero_if(mine, &shared[3]);
    bool right = mine ? !(held & bit) && looked == 9 && loaded == 9 && or_zero == 9
                      : exchanged == 0 && held == UINT32_MAX && first == 0 && looked == UINT32_MAX &&
                            loaded == UINT32_MAX && or_zero == 0;
    atomicAdd(&words[2], (word_t)right << 40 | (word_t)(mine && first == 7) << 32 | exchanged);
    __syncthreads();
    if (threadIdx.x == 0) { /* what was exchanged, and what is there still: every bit once */
        words[2] += __ldcg(&shared[0]);
        words[3] = __popc(__ldcg(&shared[2]));
        shared[0] = shared[2] = 0;
    }
}

/* By every second thread; the first word's lower half starts at 1000. */
__global__ void minima(word_t *words)
{
    uint32_t *least = (uint32_t *)words, value = 50 + threadIdx.x;
    bool mine = threadIdx.x % 2 == 0;
    uint32_t old = min_if(mine, least, value);
    atomicAdd(&words[1], (word_t)(mine ? old == 1000 || (old >= 50 && old < 82 && old != value) : old == 0));
}

/* Two blocks answer each other's pairs; a word of one tells its round. */
__global__ void pairs(word_t *words)
{
    uint64_t *own = (uint64_t *)words + 2 * blockIdx.x, *other = (uint64_t *)words + 2 * (1 - blockIdx.x), got[2];
    if (threadIdx.x != 0)
        return;
    for (uint64_t turn = 1; turn <= ROUNDS; turn++) {
        if (blockIdx.x == 0)
            store_pair(own, turn, 2 * turn);
        do
            load_pair(other, got);
        while (got[0] != turn || got[1] != 2 * turn);
        if (blockIdx.x == 1)
            store_pair(own, turn, 2 * turn);
    }
}

static void check_flags(void)
{
    check_cached<unsigned char>("__ldcg, __ldg, __ldcv, __stcg, volatile: 8 bits");
    check_cached<unsigned short>("the same: 16 bits");
    check_cached<uint32_t>("the same: 32 bits");
    check_cached<int>("the same: int");
    check_cached<word_t>("the same: 64 bits");
    check_cached<float>("the same: float");
    check_cached<double>("the same: double");
    expect("plain loops and structs", plain_loops, {1, 64}, 64 * 37 * sizeof(uint32_t), 32 * 37, zeros(),
           [](size_t i) { return plain_loops_at(2 * i) | (uint64_t)plain_loops_at(2 * i + 1) << 32; });
    expect("volatile and __threadfence between blocks", ping_pong, {2, 32}, 0, 2 + 2 * ROUNDS, zeros(),
           [](size_t i) -> uint64_t { return i == 0 ? 2 * ROUNDS : i * (i - 1) / 2; });
    expect("volatile and __threadfence_block between warps, __nanosleep", ping_pong_shared, {1, 64},
           sizeof(struct mailbox), 1, zeros(), [](size_t) { return ROUNDS * (ROUNDS + 1) / 2; });
    expect("a flag that all poll", one_for_all, {4, 64}, 0, 2, zeros(), [](size_t i) { return i == 0 ? 1 : 256; });
    expect("a spin lock", spin_lock, {4, 32}, 0, 2, zeros(), [](size_t i) { return i == 0 ? 0 : 4 * ROUNDS; });
    expect(
        "exchange_if, or_if, compare_and_swap_if, load_relaxed_if, load_relaxed_or_zero_if, load_if", predicated,
        {1, 32}, 0, 4, [](size_t i) -> uint64_t { return i == 1 ? 9ull << 32 | 7 : 0; },
        [](size_t i) -> uint64_t {
            const uint64_t is[] = {0xffffull << 32, 9ull << 32, 32ull << 40 | 1ull << 32 | 0xffff, 1};
            return is[i];
        });
    expect(
        "min_if", minima, {1, 32}, 0, 2, [](size_t i) -> uint64_t { return i == 0 ? 1000 : 0; },
        [](size_t i) -> uint64_t { return i == 0 ? 50 : 32; });
    expect("load_pair, store_pair", pairs, {2, 32}, 0, 4, zeros(),
           [](size_t i) -> uint64_t { return (i % 2 + 1) * ROUNDS; });
    expect("add_acquire_release", tickets, {2, 64}, 0, 129, zeros(), [](size_t i) { return i == 0 ? 3 * 128 : 1; });
}

static void check_all(struct device *)
{
    check_flags();
    check_all_atomics();
}

} // namespace BACKEND
