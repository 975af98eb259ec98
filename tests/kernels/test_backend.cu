/* test_backend.cu: what CUDA's functions promise and our kernels do not all rely on: votes, shuffles, reductions
 * and bits; atomics; and accesses with a condition. On the GPU and on the emulator. Barriers, clusters,
 * bulk copies, tensor cores, waits and messages are in every run of the conformance test. */
#include <string.h>

#include "words.h"

namespace BACKEND
{

/* ---- blocks ---- */

#define ROUNDS 20u

/* Two predicates of a round: all rounds but some have threads that differ. */
static __host__ __device__ bool ballot_of(unsigned round, unsigned thread)
{
    return round % 4 == 0 || (round % 4 == 1 ? false : (sample(100 + round * 1000 + thread) & round) != 0);
}

__global__ void block_votes(word_t *words)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        bool mine = ballot_of(round, threadIdx.x);
        int some = __syncthreads_or(mine ? 4 : 0), all = __syncthreads_and(mine ? -1 : 0);
        words[thread_in_grid() * ROUNDS + round] = (some != 0) + 2 * (all != 0);
    }
}

static uint64_t block_votes_of(unsigned round, unsigned threads)
{
    unsigned count = 0;
    for (unsigned t = 0; t < threads; t++)
        count += ballot_of(round, t);
    return (count > 0) + 2 * (count == threads);
}

/* A barrier does not wait for threads that have exited. */
__global__ void barrier_without_exited(word_t *words)
{
    word_t *shared = block_shared<word_t>();
    if (threadIdx.x >= 64)
        return;
    for (unsigned round = 1; round <= ROUNDS; round++) {
        shared[threadIdx.x] = round * 100 + threadIdx.x;
        __syncthreads();
        words[thread_in_grid()] += shared[(threadIdx.x + 37) % 64];
        __syncthreads();
    }
}

static void check_blocks(void)
{
    expect("__syncthreads_or, _and", block_votes, {2, 128}, 0, 2 * 128 * ROUNDS, zeros(),
           [](size_t i) { return block_votes_of(i % ROUNDS, 128); });
    expect("__syncthreads_or, _and of a partial warp", block_votes, {1, 40}, 0, 40 * ROUNDS, zeros(),
           [](size_t i) { return block_votes_of(i % ROUNDS, 40); });
    expect("__syncthreads does not wait for threads that have exited", barrier_without_exited, {2, 128},
           64 * sizeof(word_t), 2 * 128, zeros(), [](size_t i) -> uint64_t {
               return i % 128 >= 64 ? 0 : 100 * ROUNDS * (ROUNDS + 1) / 2 + ROUNDS * ((i % 128 + 37) % 64);
           });
}

/* ---- warps ---- */

#define EVEN_LANES 0x55555555u

#define NUM_WIDTHS   6u
#define SHUFFLES     5u
#define SHUFFLE_STEP 3u

template <typename type>
static __host__ __device__ type lane_value(unsigned lane)
{
    return (type)((lane + 1) * (sizeof(type) == 8 ? 0x100000001ull : 1));
}

/* What every lane gets from __shfl_sync (in two ways), _up, _down and _xor, for every width. */
template <typename type>
__global__ void shuffles(word_t *words)
{
    type mine = lane_value<type>(lane_id());
    for (unsigned w = 0; w < NUM_WIDTHS; w++) {
        int width = 1 << w;
        type got[SHUFFLES] = {
            __shfl_sync(WHOLE_WARP, mine, 9, width), __shfl_sync(WHOLE_WARP, mine, (int)(lane_id() * 5 + 2), width),
            __shfl_up_sync(WHOLE_WARP, mine, SHUFFLE_STEP, width),
            __shfl_down_sync(WHOLE_WARP, mine, SHUFFLE_STEP, width), __shfl_xor_sync(WHOLE_WARP, mine, 5, width)};
        for (unsigned i = 0; i < SHUFFLES; i++)
            words[(threadIdx.x * NUM_WIDTHS + w) * SHUFFLES + i] = (word_t)got[i];
    }
}

static unsigned shuffle_source(unsigned which, unsigned lane, unsigned width)
{
    unsigned first = lane / width * width, last = first + width - 1;
    switch (which) {
    case 0:
        return first + 9 % width;
    case 1:
        return first + (lane * 5 + 2) % width;
    case 2:
        return lane >= first + SHUFFLE_STEP ? lane - SHUFFLE_STEP : lane;
    case 3:
        return lane + SHUFFLE_STEP <= last ? lane + SHUFFLE_STEP : lane;
    default:
        return (lane ^ 5) <= last ? lane ^ 5 : lane;
    }
}

template <typename type>
static void check_shuffles(const char *what)
{
    expect(what, shuffles<type>, {1, 64}, 0, 64 * NUM_WIDTHS * SHUFFLES, zeros(), [](size_t i) -> uint64_t {
        unsigned lane = i / SHUFFLES / NUM_WIDTHS % WARP_SIZE, width = 1u << i / SHUFFLES % NUM_WIDTHS;
        return (uint64_t)lane_value<type>(shuffle_source(i % SHUFFLES, lane, width));
    });
}

#define WARP_WORDS 14u

/* Everything that lanes of a mask decide together: with the whole warp, then with four groups of lanes apart, then
 * with some lanes in a branch. */
__global__ void warp_primitives(word_t *words)
{
    unsigned lane = lane_id(), value = (unsigned)sample(1000 + threadIdx.x);
    word_t *mine = words + thread_in_grid() * WARP_WORDS;
    const unsigned masks[2] = {WHOLE_WARP, 0xffu << lane / 8 * 8};
    for (unsigned i = 0; i < 2; i++, mine += 6) {
        unsigned mask = masks[i];
        mine[0] = __ballot_sync(mask, value % 3 == 0 ? -1 : 0);
        mine[1] = __any_sync(mask, value % 16 == 0) != 0;
        mine[2] = __all_sync(mask, value % 16 != 1) != 0;
        mine[3] = __reduce_add_sync(mask, value);
        mine[4] = ((word_t)__reduce_min_sync(mask, value) << 32) + __reduce_max_sync(mask, value);
        mine[5] = __reduce_or_sync(mask, value & 0xffff);
    }
    if (lane % 2 == 0) {
        mine[0] = __ballot_sync(EVEN_LANES, lane % 8 == 4);
        mine[1] = __shfl_sync(EVEN_LANES, value, (int)(lane + 2));
    }
}

static uint64_t warp_primitive(unsigned thread, unsigned which)
{
    unsigned lane = thread % WARP_SIZE, warp_first = thread - lane;
    if (which >= 12) {
        uint64_t value = which == 12 ? 0x10101010u : (unsigned)sample(1000 + warp_first + (lane + 2) % WARP_SIZE);
        return lane % 2 == 0 ? value : 0;
    }
    bool groups = which >= 6;
    unsigned first = groups ? lane / 8 * 8 : 0, end = groups ? first + 8 : WARP_SIZE;
    unsigned ballot = 0, any = 0, all = 1, sum = 0, least = UINT32_MAX, most = 0, ors = 0;
    for (unsigned i = first; i < end; i++) {
        unsigned value = (unsigned)sample(1000 + warp_first + i);
        ballot |= value % 3 == 0 ? 1u << i : 0;
        any |= value % 16 == 0;
        all &= value % 16 != 1;
        sum += value;
        least = value < least ? value : least;
        most = value > most ? value : most;
        ors |= value & 0xffff;
    }
    const uint64_t is[6] = {ballot, any, all, sum, ((uint64_t)least << 32) + most, ors};
    return is[which % 6];
}

static void check_warps(void)
{
    check_shuffles<int>("__shfl_sync, _up, _down, _xor of every width: int");
    check_shuffles<word_t>("the same: unsigned long long");
    expect("ballot, any, all, reduce of whole warps, groups and branches", warp_primitives, {2, 64}, 0,
           (size_t)2 * 64 * WARP_WORDS, zeros(),
           [](size_t i) { return warp_primitive(i / WARP_WORDS % 64, i % WARP_WORDS); });
}

/* ---- bits ---- */

#define BIT_WORDS 5u

__global__ void bits(word_t *words)
{
    word_t value = sample(thread_in_grid()), *mine = words + BIT_WORDS * thread_in_grid();
    mine[0] = (word_t)__popc((unsigned)value);
    mine[1] = (word_t)__ffs((int)value);
    mine[2] = (word_t)__clz((int)value);
    mine[3] = min((unsigned)value, 77u) + max((unsigned)value, 77u);
    mine[4] = __funnelshift_r((unsigned)value, (unsigned)(value >> 32), (unsigned)(value >> 7));
}

static uint64_t bits_of(uint64_t value, unsigned which)
{
    unsigned ones = 0, first = 0, zeros = 32;
    for (unsigned i = 0; i < 32; i++)
        if (value >> i & 1) {
            ones++;
            first = first > 0 ? first : i + 1;
            zeros = 31 - i;
        }
    const uint64_t is[BIT_WORDS] = {ones, first, zeros, (unsigned)value + 77u, (uint32_t)(value >> (value >> 7) % 32)};
    return is[which];
}

/* ---- atomics ---- */

#define ATOMIC_WORDS   16u
#define ATOMIC_THREADS 128u

template <typename type>
static __host__ __device__ type atomic_sample(unsigned thread)
{
    const long long range = 4000000; /* half of it below 0, where type has that; sums do not overflow an int */
    return (type)((long long)(sample(500 + thread) >> 7) % range - range / 2);
}

/* CUDA's atomics of one type, by every thread of the grid on the same words. */
template <typename type>
__global__ void atomics(word_t *words)
{
    type *at = (type *)words, value = atomic_sample<type>(thread_in_grid());
    unsigned thread = thread_in_grid();
    atomicAdd(&at[0], value);
    atomicMin(&at[1], value);
    atomicMax(&at[2], value);
    atomicAnd(&at[3], (type) ~((type)1 << thread % 31));
    atomicOr(&at[4], (type)((type)1 << thread % (8 * sizeof(type) - 2)));
    atomicAdd(&at[6], atomicExch(&at[7], value));
    for (type old = 0, seen = 1; old != seen;) {
        old = seen;
        seen = atomicCAS(&at[8], old, (type)(old + 3));
    }
    atomicCAS(&at[9], (type)1234, (type)5);
    /* Each old value comes once: their sum and the sum of their squares tell. */
    type old = atomicAdd(&at[10], (type)1);
    atomicAdd(&at[11], old);
    atomicAdd(&at[12], (type)(old * old));
    if constexpr (sizeof(type) == 4)
        atomicSub(&at[13], value);
}

/* The words as the kernel leaves them. */
template <typename type>
static vector<word_t> atomic_results(unsigned threads)
{
    type at[ATOMIC_WORDS] = {}, chain = 0;
    at[1] = at[3] = (type)0x7fffffff;
    for (unsigned t = 0; t < threads; t++) {
        type value = atomic_sample<type>(t);
        at[0] = (type)(at[0] + value);
        at[1] = value < at[1] ? value : at[1];
        at[2] = value > at[2] ? value : at[2];
        at[3] &= (type) ~((type)1 << t % 31);
        at[4] |= (type)((type)1 << t % (8 * sizeof(type) - 2));
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

template <typename type>
static void check_atomics(const char *what)
{
    const unsigned blocks = 2;
    struct error error = {};
    vector<word_t> before = atomic_results<type>(0);
    vector<word_t> after = atomic_results<type>(blocks * ATOMIC_THREADS);
    vector<word_t> words = run_kernel(
        atomics<type>, PERSISTENT, {blocks, ATOMIC_THREADS}, 0, ATOMIC_WORDS, [&](size_t i) { return before[i]; },
        &error);
    if (words.empty()) {
        check(false, what, "%s", error.text);
        return;
    }
    type *got = (type *)words.data();
    got[6] = (type)(got[6] + got[7]);
    got[7] = 0;
    for (unsigned i = 0; i < ATOMIC_WORDS; i++)
        if (got[i] != ((type *)after.data())[i]) {
            check(false, what, "word %u is %llx, not %llx", i, (word_t)got[i], (word_t)((type *)after.data())[i]);
            return;
        }
    check(true, what, " ");
}

/* ---- accesses with a condition ---- */

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

static void check_all(struct device *)
{
    check_blocks();
    check_warps();
    expect("popc, ffs, clz, min, max, funnelshift", bits, {4, 64}, 0, 4 * 64 * BIT_WORDS, zeros(),
           [](size_t i) { return bits_of(sample(i / BIT_WORDS), i % BIT_WORDS); });
    check_atomics<int>("atomics: int");
    check_atomics<unsigned>("atomics: unsigned");
    check_atomics<word_t>("atomics: unsigned long long");
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
}

} // namespace BACKEND
