/* test_backend.cu: every primitive of the backend against plain expectations, on the GPU and on the emulator.
 *
 *     test_backend_emulated [SEED]    SEED: of the schedule, 0: round-robin
 *     test_backend_cuda
 *
 * Every kernel has one parameter, an array of 64-bit words that the host fills before and compares after. */
#include <stdlib.h>
#include <string.h>

#include <functional>
#include <vector>

#include "../../kernels/backend/backend.h"
#include "checks.h"

namespace BACKEND
{

using std::vector;
typedef unsigned long long word_t; /* as CUDA's atomics and loads want it */
typedef void (*kernel_t)(word_t *);
typedef std::function<uint64_t(size_t)> rule_t; /* the value of a word */

/* ---- running a kernel and comparing ---- */

enum launch { PERSISTENT, PLAIN };

static rule_t zeros(void)
{
    return [](size_t) { return 0; };
}

/* The words after the kernel; empty, with the message in error, if it failed. */
static vector<word_t> run_kernel(kernel_t kernel, enum launch launch, struct grid grid, size_t shared_bytes,
                                 size_t num_words, const rule_t &before, struct error *error)
{
    vector<word_t> words(num_words);
    word_t *device_words = NULL;
    for (size_t i = 0; i < num_words; i++)
        words[i] = before(i);
    size_t bytes = num_words * sizeof words[0];
    if (gpu_allocate(&device_words, num_words, "the words", error) == STATUS_OK &&
        gpu_check(cudaMemcpy(device_words, words.data(), bytes, cudaMemcpyHostToDevice), "filling", error) ==
            STATUS_OK &&
        gpu_check(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (int)shared_bytes),
                  "sizing", error) == STATUS_OK) {
        if (launch == PERSISTENT)
            gpu_launch_persistent(kernel, grid, shared_bytes, error, device_words);
        else
            gpu_launch(kernel, grid, shared_bytes, error, device_words);
        gpu_download(words.data(), device_words, num_words, error);
    }
    gpu_free(device_words);
    if (error->status != STATUS_OK)
        words.clear();
    return words;
}

static void expect(const char *what, kernel_t kernel, struct grid grid, size_t shared_bytes, size_t num_words,
                   const rule_t &before, const rule_t &after, enum launch launch = PERSISTENT)
{
    struct error error = {};
    vector<word_t> words = run_kernel(kernel, launch, grid, shared_bytes, num_words, before, &error);
    size_t i = 0;
    while (i < words.size() && words[i] == after(i))
        i++;
    if (words.empty())
        check(false, what, "%s", error.text);
    else
        check(i == words.size(), what, "word %zu is %llx, not %llx", i, i < words.size() ? words[i] : 0,
              i < words.size() ? (word_t)after(i) : 0);
}

/* Some value with bits everywhere: single bits, none, all, then random ones. */
static __host__ __device__ word_t sample(uint64_t i)
{
    if (i < 66)
        return i < 64 ? 1ull << i : i == 64 ? 0 : ~0ull;
    word_t bits = (i + 1) * 0x9e3779b97f4a7c15ull;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
    return bits ^ bits >> 31;
}

static __device__ unsigned thread_in_grid(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* ---- who am I ---- */

__global__ void positions(word_t *words)
{
    word_t *mine = words + 8 * thread_in_grid();
    mine[0] = threadIdx.x;
    mine[1] = blockIdx.x;
    mine[2] = blockDim.x;
    mine[3] = gridDim.x;
    mine[4] = threadIdx.y + threadIdx.z + blockIdx.y + blockIdx.z;
    mine[5] = blockDim.y * blockDim.z * gridDim.y * gridDim.z;
    mine[6] = lane_id();
    mine[7] = cluster_size() * 100 + cluster_rank();
}

static void check_positions(enum launch launch, const char *what)
{
    const unsigned blocks = 3, threads = 96;
    expect(
        what, positions, {blocks, threads}, 0, 8 * blocks * threads, zeros(),
        [](size_t i) -> uint64_t {
            size_t thread = i / 8;
            const uint64_t is[] = {
                thread % threads, thread / threads, threads, blocks, 0, 1, thread % WARP_SIZE, 100};
            return is[i % 8];
        },
        launch);
}

/* ---- blocks ---- */

__global__ void shared_reversed(word_t *words)
{
    word_t *shared = block_shared<word_t>();
    shared[threadIdx.x] = thread_in_grid();
    __syncthreads();
    words[thread_in_grid()] = shared[blockDim.x - 1 - threadIdx.x];
}

#define LARGE_SHARED ((size_t)100 << 10)

__global__ void shared_large(word_t *words)
{
    word_t *shared = block_shared<word_t>();
    const unsigned length = LARGE_SHARED / sizeof *shared;
    for (unsigned i = threadIdx.x; i < length; i += blockDim.x)
        shared[i] = blockIdx.x * length + i;
    __syncthreads();
    word_t sum = 0;
    for (unsigned i = threadIdx.x; i < length; i += blockDim.x)
        sum += shared[length - 1 - i];
    atomicAdd(&words[blockIdx.x], sum);
}

#define ROUNDS 20u

/* Three predicates of a round: all rounds but some have threads that differ. */
static __host__ __device__ bool ballot_of(unsigned round, unsigned thread)
{
    return round % 4 == 0 || (round % 4 == 1 ? false : (sample(100 + round * 1000 + thread) & round) != 0);
}

__global__ void block_votes(word_t *words)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        bool mine = ballot_of(round, threadIdx.x);
        int some = __syncthreads_or(mine ? 4 : 0), all = __syncthreads_and(mine ? -1 : 0);
        int count = __syncthreads_count(mine ? 2 : 0);
        words[thread_in_grid() * ROUNDS + round] = (some != 0) + 2 * (all != 0) + 4 * (unsigned)count;
    }
}

static uint64_t block_votes_of(unsigned round, unsigned threads)
{
    unsigned count = 0;
    for (unsigned t = 0; t < threads; t++)
        count += ballot_of(round, t);
    return (count > 0) + 2 * (count == threads) + 4 * count;
}

/* Threads that have exited are not waited for. */
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
    expect("block_shared, __syncthreads", shared_reversed, {4, 160}, 160 * sizeof(word_t), 4 * 160, zeros(),
           [](size_t i) { return i / 160 * 160 + 159 - i % 160; });
    expect("block_shared of 100 KB", shared_large, {2, 64}, LARGE_SHARED, 2, zeros(), [](size_t i) -> uint64_t {
        const uint64_t length = LARGE_SHARED / sizeof(word_t);
        return length * (2 * i * length + length - 1) / 2;
    });
    expect("__syncthreads_or, _and, _count", block_votes, {2, 128}, 0, 2 * 128 * ROUNDS, zeros(),
           [](size_t i) { return block_votes_of(i % ROUNDS, 128); });
    expect("__syncthreads_or, _and, _count of a partial warp", block_votes, {1, 40}, 0, 40 * ROUNDS, zeros(),
           [](size_t i) { return block_votes_of(i % ROUNDS, 40); });
    expect("__syncthreads does not wait for threads that have exited", barrier_without_exited, {2, 128},
           64 * sizeof(word_t), 2 * 128, zeros(), [](size_t i) -> uint64_t {
               return i % 128 >= 64 ? 0 : 100 * ROUNDS * (ROUNDS + 1) / 2 + ROUNDS * ((i % 128 + 37) % 64);
           });
}

/* ---- warps ---- */

#define EVEN_LANES 0x55555555u

__global__ void warp_barriers(word_t *words)
{
    word_t *shared = block_shared<word_t>() + threadIdx.x / WARP_SIZE * WARP_SIZE, sum = 0;
    for (unsigned round = 1; round <= ROUNDS; round++) {
        shared[lane_id()] = round * 100 + lane_id();
        __syncwarp();
        sum += shared[(lane_id() + 5) % WARP_SIZE];
        __syncwarp();
    }
    if (lane_id() % 2 == 0) {
        shared[lane_id()] = lane_id();
        __syncwarp(EVEN_LANES);
        sum += shared[(lane_id() + 2) % WARP_SIZE];
    }
    words[thread_in_grid()] = sum;
}

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

#define WARP_WORDS 28u

/* Everything that lanes of a mask decide together: with the whole warp, then with four groups of lanes apart, then
 * with some lanes in a branch. */
__global__ void warp_primitives(word_t *words)
{
    unsigned lane = lane_id(), value = (unsigned)sample(1000 + threadIdx.x);
    int number = (int)value;
    word_t *mine = words + thread_in_grid() * WARP_WORDS;
    const unsigned masks[2] = {WHOLE_WARP, 0xffu << lane / 8 * 8};
    for (unsigned i = 0; i < 2; i++, mine += 13) {
        unsigned mask = masks[i];
        int same32 = 0;
        mine[0] = __ballot_sync(mask, value % 3 == 0 ? -1 : 0);
        mine[1] = __any_sync(mask, value % 16 == 0) != 0;
        mine[2] = __all_sync(mask, value % 16 != 1) != 0;
        mine[3] = __match_any_sync(mask, value % 4);
        mine[4] = __match_any_sync(mask, (word_t)(value % 4) << 33);
        mine[5] = __match_all_sync(mask, lane / 8 * (i ^ 1), &same32) + ((word_t)(same32 != 0) << 32);
        mine[6] = __reduce_add_sync(mask, value);
        mine[7] = ((word_t)__reduce_min_sync(mask, value) << 32) + __reduce_max_sync(mask, value);
        mine[8] = ((word_t)__reduce_and_sync(mask, value | 0xffff) << 32) + __reduce_or_sync(mask, value & 0xffff);
        mine[9] = __reduce_xor_sync(mask, value);
        mine[10] = (unsigned)__reduce_add_sync(mask, number / 64);
        mine[11] = (unsigned)__reduce_min_sync(mask, number);
        mine[12] = (unsigned)__reduce_max_sync(mask, number);
    }
    if (lane % 2 == 0) {
        mine[0] = __ballot_sync(EVEN_LANES, lane % 8 == 4);
        mine[1] = __shfl_sync(EVEN_LANES, value, (int)(lane + 2));
    }
}

static uint64_t warp_primitive(unsigned thread, unsigned which)
{
    unsigned lane = thread % WARP_SIZE, warp_first = thread - lane;
    if (which >= 26) {
        uint64_t value = which == 26 ? 0x10101010u : (unsigned)sample(1000 + warp_first + (lane + 2) % WARP_SIZE);
        return lane % 2 == 0 ? value : 0;
    }
    bool groups = which >= 13;
    unsigned first = groups ? lane / 8 * 8 : 0, end = groups ? first + 8 : WARP_SIZE, own = 0;
    unsigned ballot = 0, any = 0, all = 1, match = 0, sum = 0, least = UINT32_MAX, most = 0, ands = UINT32_MAX,
             ors = 0, xors = 0, mask = 0;
    int signed_sum = 0, signed_least = INT32_MAX, signed_most = INT32_MIN;
    own = (unsigned)sample(1000 + thread);
    for (unsigned i = first; i < end; i++) {
        unsigned value = (unsigned)sample(1000 + warp_first + i);
        int number = (int)value;
        mask |= 1u << i;
        ballot |= value % 3 == 0 ? 1u << i : 0;
        any |= value % 16 == 0;
        all &= value % 16 != 1;
        match |= value % 4 == own % 4 ? 1u << i : 0;
        sum += value;
        least = value < least ? value : least;
        most = value > most ? value : most;
        ands &= value | 0xffff;
        ors |= value & 0xffff;
        xors ^= value;
        signed_sum += number / 64;
        signed_least = number < signed_least ? number : signed_least;
        signed_most = number > signed_most ? number : signed_most;
    }
    const uint64_t is[13] = {ballot,
                             any,
                             all,
                             match,
                             match,
                             groups ? mask + (1ull << 32) : 0,
                             sum,
                             ((uint64_t)least << 32) + most,
                             ((uint64_t)ands << 32) + ors,
                             xors,
                             (unsigned)signed_sum,
                             (unsigned)signed_least,
                             (unsigned)signed_most};
    return is[which % 13];
}

static void check_warps(void)
{
    expect("__syncwarp, whole and half warps", warp_barriers, {2, 64}, 64 * sizeof(word_t), 2 * 64, zeros(),
           [](size_t i) -> uint64_t {
               unsigned lane = i % WARP_SIZE;
               uint64_t sum = 100 * ROUNDS * (ROUNDS + 1) / 2 + ROUNDS * ((lane + 5) % WARP_SIZE);
               return lane % 2 == 0 ? sum + (lane + 2) % WARP_SIZE : sum;
           });
    check_shuffles<int>("__shfl_sync, _up, _down, _xor of every width: int");
    check_shuffles<unsigned>("the same: unsigned");
    check_shuffles<long long>("the same: long long");
    check_shuffles<word_t>("the same: unsigned long long");
    check_shuffles<float>("the same: float");
    check_shuffles<double>("the same: double");
    expect("ballot, any, all, match_any, match_all, reduce of whole warps, groups and branches", warp_primitives,
           {2, 64}, 0, (size_t)2 * 64 * WARP_WORDS, zeros(),
           [](size_t i) { return warp_primitive(i / WARP_WORDS % 64, i % WARP_WORDS); });
}

/* ---- bits ---- */

#define BIT_WORDS 8u

__global__ void bits(word_t *words)
{
    word_t value = sample(thread_in_grid()), *mine = words + BIT_WORDS * thread_in_grid();
    mine[0] = (word_t)__popc((unsigned)value);
    mine[1] = (word_t)__popcll(value);
    mine[2] = (word_t)__ffs((int)value);
    mine[3] = (word_t)__ffsll((long long)value);
    mine[4] = (word_t)__clz((int)value);
    mine[5] = (word_t)__clzll((long long)value);
    mine[6] = min((unsigned)value, 77u) + max((unsigned)value, 77u);
    mine[7] = (word_t)(min((long long)value, -3ll) ^ max((long long)value, -3ll));
}

static uint64_t bits_of(uint64_t value, unsigned which)
{
    unsigned size = which % 2 == 0 ? 32 : 64, ones = 0, first = 0, zeros = size;
    for (unsigned i = 0; i < size; i++)
        if (value >> i & 1) {
            ones++;
            first = first > 0 ? first : i + 1;
            zeros = size - 1 - i;
        }
    switch (which / 2) {
    case 0:
        return ones;
    case 1:
        return first;
    case 2:
        return zeros;
    default:
        return which == 6 ? (unsigned)value + 77u : value ^ (uint64_t)-3ll;
    }
}

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
    if constexpr (scope == OF_GRID) {
        atomicAdd(&at[0], value);
        atomicMin(&at[1], value);
        atomicMax(&at[2], value);
        atomicAnd(&at[3], (type) ~((type)1 << thread % 31));
        atomicOr(&at[4], (type)((type)1 << thread % (8 * sizeof(type) - 2)));
        atomicXor(&at[5], value);
        atomicAdd(&at[6], atomicExch(&at[7], value));
        for (type old = 0, seen = 1; old != seen;) {
            old = seen;
            seen = atomicCAS(&at[8], old, (type)(old + 3));
        }
        atomicCAS(&at[9], (type)1234, (type)5);
    } else {
        atomicAdd_block(&at[0], value);
        atomicMin_block(&at[1], value);
        atomicMax_block(&at[2], value);
        atomicAnd_block(&at[3], (type) ~((type)1 << thread % 31));
        atomicOr_block(&at[4], (type)((type)1 << thread % (8 * sizeof(type) - 2)));
        atomicXor_block(&at[5], value);
        atomicAdd_block(&at[6], atomicExch_block(&at[7], value));
        for (type old = 0, seen = 1; old != seen;) {
            old = seen;
            seen = atomicCAS_block(&at[8], old, (type)(old + 3));
        }
        atomicCAS_block(&at[9], (type)1234, (type)5);
    }
    /* Each old value comes once: their sum and the sum of their squares tell. */
    type old = scope == OF_GRID ? atomicAdd(&at[10], (type)1) : atomicAdd_block(&at[10], (type)1);
    atomicAdd(&at[11], old);
    atomicAdd(&at[12], (type)(old * old));
    if constexpr (sizeof(type) == 4) {
        if constexpr (scope == OF_GRID)
            atomicSub(&at[13], value);
        else
            atomicSub_block(&at[13], value);
    }
}

/* The words: of type, each in a word_t of its own on the host's side. */
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
    at[6] = chain; /* of what was exchanged, but for the last, which is anyone's: the host adds it */
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
    uint32_t first = swap_if(mine, &shared[2], 7, bit), looked = look_if(mine, &shared[3]);
    uint32_t loaded = load_if(mine, &shared[3]);
    bool right =
        mine ? !(held & bit) && looked == 9 && loaded == 9
             : exchanged == 0 && held == UINT32_MAX && first == 0 && looked == UINT32_MAX && loaded == UINT32_MAX;
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
        "exchange_if, or_if, swap_if, look_if, load_if", predicated, {1, 32}, 0, 4,
        [](size_t i) -> uint64_t { return i == 1 ? 9ull << 32 | 7 : 0; },
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

/* ---- clusters ---- */

#define CLUSTER_THREADS 32u

__global__ void has_clusters(word_t *words)
{
    words[0] = HAS_CLUSTERS;
}

/* Every block reads and changes the shared memory of all blocks of its cluster, in rounds. */
__global__ void cluster_rounds(word_t *words)
{
    word_t *shared = block_shared<word_t>(), *sum = shared + CLUSTER_THREADS, *mine = words + 4 * thread_in_grid();
    unsigned rank = cluster_rank(), size = cluster_size(), errors = 0;
    *(threadIdx.x == 0 ? sum : &shared[threadIdx.x]) = 0;
    for (unsigned round = 1; round <= ROUNDS; round++) {
        shared[threadIdx.x] = round * 1000 + rank * 100 + threadIdx.x;
        cluster_wait();
        for (unsigned other = 0; other < size; other++)
            errors += cluster_shared(shared, other)[threadIdx.x] != round * 1000 + other * 100 + threadIdx.x;
        atomicAdd(cluster_shared(sum, (rank + round) % size), 1ull);
        cluster_wait();
    }
    mine[0] = rank;
    mine[1] = size;
    mine[2] = errors;
    mine[3] = *sum;
    cluster_wait(); /* a block must not end while others may read its shared memory */
}

static void check_clusters(void)
{
    struct error error = {};
    vector<word_t> has = run_kernel(has_clusters, PLAIN, {1, 1}, 0, 1, zeros(), &error);
    for (unsigned size = 1; size <= 8; size *= 2) {
        char what[64];
        snprintf(what, sizeof what, "clusters of %u", size);
        if (size > 1 && (has.empty() || has[0] == 0)) {
            printf("none %s: compute capability below 9.0\n", what);
            continue;
        }
        expect(what, cluster_rounds, {16, CLUSTER_THREADS, size}, (CLUSTER_THREADS + 1) * sizeof(word_t),
               (size_t)4 * 16 * CLUSTER_THREADS, zeros(), [size](size_t i) -> uint64_t {
                   const uint64_t is[] = {i / 4 / CLUSTER_THREADS % size, size, 0, ROUNDS * CLUSTER_THREADS};
                   return is[i % 4];
               });
    }
}

/* ---- bulk copies ---- */

#define PHASES     7u
#define CHUNK      96u /* words */
#define CHUNK_SIZE (CHUNK * sizeof(word_t))

struct bulk_shared {
    alignas(16) word_t in[2][CHUNK], out[2][CHUNK];
    struct bulk_barrier barriers[2];
};

/* Loads run ahead by two, into two buffers; stores by one. What came in goes out reversed. */
__global__ void bulk_copies(word_t *words)
{
    struct bulk_shared *shared = block_shared<struct bulk_shared>();
    const word_t *from = words + blockIdx.x * PHASES * CHUNK;
    word_t *to = words + (gridDim.x + blockIdx.x) * PHASES * CHUNK, *failed = words + 2 * gridDim.x * PHASES * CHUNK;
    if (threadIdx.x == 0) {
        for (unsigned i = 0; i < 2; i++)
            bulk_init(&shared->barriers[i]);
        for (unsigned i = 0; i < 2; i++)
            bulk_load(&shared->barriers[i], shared->in[i], from + i * CHUNK, CHUNK_SIZE);
    }
    __syncthreads();
    for (unsigned phase = 0; phase < PHASES; phase++) {
        unsigned which = phase % 2;
        if (!bulk_wait(&shared->barriers[which], phase / 2))
            atomicAdd(failed, 1ull);
        for (unsigned i = threadIdx.x; i < CHUNK; i += blockDim.x)
            shared->out[which][i] = ~shared->in[which][CHUNK - 1 - i];
        __syncthreads();
        if (threadIdx.x == 0) {
            bulk_store(to + phase * CHUNK, shared->out[which], CHUNK_SIZE);
            if (phase + 2 < PHASES)
                bulk_load(&shared->barriers[which], shared->in[which], from + (phase + 2) * CHUNK, CHUNK_SIZE);
            if (which == 1)
                bulk_store_wait();
        }
        if (which == 1)
            __syncthreads();
    }
    if (threadIdx.x == 0)
        bulk_store_wait();
}

static void check_bulk_copies(void)
{
    const size_t blocks = 3, half = blocks * PHASES * CHUNK;
    expect(
        "bulk_init, bulk_load, bulk_wait, bulk_store, bulk_store_wait", bulk_copies, {blocks, 64},
        sizeof(struct bulk_shared), 2 * half + 1, [=](size_t i) { return i < half ? sample(200 + i) : 0; },
        [=](size_t i) -> uint64_t {
            size_t place = i - half, first = place / CHUNK * CHUNK;
            return i == 2 * half ? 0 : i < half ? sample(200 + i) : ~sample(200 + first + CHUNK - 1 - place % CHUNK);
        });
}

/* ---- tensor cores ---- */

#define MMA_STEPS 3u

/* Four words of each row of A, then of each column of B. */
static __host__ __device__ uint32_t mma_word(unsigned warp, unsigned step, unsigned matrix, unsigned row,
                                             unsigned word)
{
    return (uint32_t)(sample(4000 + (((warp * MMA_STEPS + step) * 2 + matrix) * 8 + row) * 4 + word) >> 11);
}

__global__ void mma(word_t *words)
{
    unsigned warp = threadIdx.x / WARP_SIZE, row = lane_id() / 4, part = lane_id() % 4;
    int sums[2] = {(int)lane_id(), -(int)lane_id()};
    for (unsigned step = 0; step < MMA_STEPS; step++)
        binary_mma(sums, mma_word(warp, step, 0, row, part), mma_word(warp, step, 1, row, part));
    words[2 * threadIdx.x] = (word_t)sums[0];
    words[2 * threadIdx.x + 1] = (word_t)sums[1];
}

static uint64_t mma_sum(unsigned thread, unsigned i)
{
    unsigned warp = thread / WARP_SIZE, lane = thread % WARP_SIZE, row = lane / 4, column = 2 * (lane % 4) + i;
    int sum = i == 0 ? (int)lane : -(int)lane;
    for (unsigned step = 0; step < MMA_STEPS; step++)
        for (unsigned bit = 0; bit < 128; bit++)
            sum += mma_word(warp, step, 0, row, bit / 32) >> bit % 32 &
                   mma_word(warp, step, 1, column, bit / 32) >> bit % 32 & 1;
    return (uint64_t)sum;
}

/* ---- launches, memory, events: the host's side ---- */

__global__ void count_threads(word_t *words)
{
    atomicAdd(&words[0], 1ull);
}

static void check_launches(void)
{
    struct grid wide = gpu_wide_grid();
    expect(
        "start_kernel on the wide grid", count_threads, wide, 0, 1, zeros(),
        [wide](size_t) { return wide.blocks * wide.threads; }, PLAIN);
    expect(
        "start_kernel: 300 blocks", count_threads, {300, 32}, 0, 1, zeros(), [](size_t) { return 9600; }, PLAIN);
    struct error error = {};
    run_kernel(count_threads, PLAIN, {1, 2048}, 0, 1, zeros(), &error);
    check(error.status == STATUS_DEVICE, "a launch of 2048 threads a block is refused", "status %d", error.status);
    error = {};
    run_kernel(count_threads, PERSISTENT, {0, 32}, 0, 1, zeros(), &error);
    check(error.status == STATUS_DEVICE, "a launch of no block is refused", "status %d", error.status);
    cudaGetLastError();
    expect("the device works after a refused launch", count_threads, {2, 32}, 0, 1, zeros(),
           [](size_t) { return 64; });
}

/* Copies and fills of odd sizes and offsets, at once and through a stream. */
static void check_copies(bool async)
{
    const size_t size = 1000;
    unsigned char host[size], back[size], wanted[size];
    unsigned char *a = NULL, *b = NULL;
    struct error error = {};
    cudaStream_t stream;
    for (size_t i = 0; i < size; i++)
        host[i] = wanted[i] = (unsigned char)(i * 7);
    memset(back, 0xee, size);
    memset(wanted + 101, 0xab, 333);
    memmove(wanted + 600, host + 7, 301);
    gpu_allocate(&a, size, "a", &error);
    gpu_allocate(&b, size, "b", &error);
    gpu_check(cudaStreamCreate(&stream), "a stream", &error);
    if (async) {
        gpu_check(cudaMemcpyAsync(a, host, size, cudaMemcpyHostToDevice, stream), "to the device", &error);
        gpu_check(cudaMemcpyAsync(b, a, size, cudaMemcpyDeviceToDevice, stream), "on the device", &error);
        gpu_check(cudaMemsetAsync(b + 101, 0xab, 333, stream), "filling", &error);
        gpu_check(cudaMemcpyAsync(b + 600, a + 7, 301, cudaMemcpyDeviceToDevice, stream), "on the device", &error);
        gpu_check(cudaMemcpyAsync(back, b, size, cudaMemcpyDeviceToHost, stream), "to the host", &error);
        gpu_check(cudaStreamSynchronize(stream), "waiting", &error);
    } else {
        gpu_check(cudaMemcpy(a, host, size, cudaMemcpyHostToDevice), "to the device", &error);
        gpu_check(cudaMemcpy(b, a, size, cudaMemcpyDeviceToDevice), "on the device", &error);
        gpu_check(cudaMemset(b + 101, 0xab, 333), "filling", &error);
        gpu_check(cudaMemcpy(b + 600, a + 7, 301, cudaMemcpyDeviceToDevice), "on the device", &error);
        gpu_check(cudaMemcpy(back, b, size, cudaMemcpyDeviceToHost), "to the host", &error);
        gpu_check(cudaMemcpy(back, b, 0, cudaMemcpyDeviceToHost), "nothing", &error);
    }
    gpu_check(cudaStreamDestroy(stream), "a stream", &error);
    check(error.status == STATUS_OK && memcmp(back, wanted, size) == 0,
          async ? "cudaMemcpyAsync, cudaMemsetAsync, streams" : "cudaMemcpy, cudaMemset", "%s", error.text);
    gpu_free(a);
    gpu_free(b);
    gpu_free(NULL);
}

static void check_memory(const struct device_memory *in_use)
{
    const size_t bytes = (size_t)64 << 20;
    char *memory = NULL;
    struct error error = {};
    size_t before = 0, during = 0, after = 0, total = 0;
    gpu_check(cudaMemGetInfo(&before, &total), "asking", &error);
    const struct device_memory first = *in_use;
    gpu_allocate(&memory, bytes, "64 MB", &error);
    const struct device_memory then = *in_use;
    gpu_check(cudaMemGetInfo(&during, &total), "asking", &error);
    gpu_free(memory);
    check(then.bytes == first.bytes + bytes && then.peak_bytes >= then.bytes && in_use->bytes == first.bytes &&
              in_use->peak_bytes == then.peak_bytes,
          "memory in use is counted", "%llu, %llu, %llu bytes", (unsigned long long)first.bytes,
          (unsigned long long)then.bytes, (unsigned long long)in_use->bytes);
    gpu_check(cudaMemGetInfo(&after, &total), "asking", &error);
    check(error.status == STATUS_OK && total >= before && before >= during + bytes && after >= during + bytes,
          "cudaMemGetInfo", "%zu, %zu, %zu of %zu; %s", before, during, after, total, error.text);
    gpu_allocate(&memory, (size_t)1 << 50, "a petabyte", &error);
    check(error.status == STATUS_DEVICE && memory == NULL && strstr(error.text, "needed for a petabyte") != NULL,
          "memory that does not fit: the message says so", "status %d: %s", error.status, error.text);
    check(in_use->bytes == first.bytes, "and it is not counted", "%llu bytes", (unsigned long long)in_use->bytes);
    error = {};
    check(gpu_allocate(&memory, 0, "nothing", &error) == STATUS_OK && memory != NULL,
          "an empty allocation, after one that failed", "%s", error.text);
    gpu_free(memory);
}

static void check_events(void)
{
    cudaEvent_t from, to;
    struct error error = {};
    float ms = -1, none = -1;
    word_t *word = NULL;
    gpu_check(cudaEventCreate(&from), "an event", &error);
    gpu_check(cudaEventCreate(&to), "an event", &error);
    gpu_allocate(&word, 1, "a word", &error);
    gpu_check(cudaMemset(word, 0, sizeof *word), "clearing", &error);
    gpu_check(cudaEventRecord(from), "recording", &error);
    for (unsigned i = 0; i < 10; i++)
        gpu_launch(count_threads, {64, 64}, 0, &error, word);
    gpu_check(cudaEventRecord(to), "recording", &error);
    gpu_check(cudaEventSynchronize(to), "waiting", &error);
    gpu_check(cudaEventElapsedTime(&ms, from, to), "timing", &error);
    gpu_check(cudaEventElapsedTime(&none, from, from), "timing", &error);
    gpu_check(cudaDeviceSynchronize(), "waiting", &error);
    check(error.status == STATUS_OK && ms > 0 && ms < 60000 && none == 0, "events", "%g ms, %g ms; %s", (double)ms,
          (double)none, error.text);
    gpu_check(cudaEventDestroy(from), "an event", &error);
    gpu_check(cudaEventDestroy(to), "an event", &error);
    gpu_free(word);
}

static void check_all(const struct device *device)
{
    check_positions(PERSISTENT, "threadIdx, blockIdx, blockDim, gridDim: persistent kernel");
    check_positions(PLAIN, "threadIdx, blockIdx, blockDim, gridDim: plain kernel");
    check_blocks();
    check_warps();
    expect("popc, ffs, clz, min, max", bits, {4, 64}, 0, 4 * 64 * BIT_WORDS, zeros(),
           [](size_t i) { return bits_of(sample(i / BIT_WORDS), i % BIT_WORDS); });
    check_flags();
    check_all_atomics();
    check_clusters();
    check_bulk_copies();
    expect("binary_mma", mma, {1, 64}, 0, 128, zeros(), [](size_t i) { return mma_sum(i / 2, i % 2); });
    check_launches();
    check_copies(false);
    check_copies(true);
    check_memory(device->memory);
    check_events();
}

} // namespace BACKEND

using namespace BACKEND;

int main(int argc, char **argv)
{
    struct error error = {};
    struct device device;
    if (OPEN_DEVICE(&device, 0, &error) != STATUS_OK) {
        printf("%s\n", error.text);
        return 1;
    }
    set_schedule(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
    printf("on %s, seed %s\n", device.name, argc > 1 ? argv[1] : "0");
    check_all(&device);
    device.close(&device);
    return summary();
}
