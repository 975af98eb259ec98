/* test_backend.cu: positions, blocks, warps, bits, clusters, bulk copies and tensor cores against plain expectations,
 * on the GPU and on the emulator. */
#include "words.h"

namespace BACKEND
{

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

#define BIT_WORDS 9u

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
    mine[8] = __funnelshift_r((unsigned)value, (unsigned)(value >> 32), (unsigned)(value >> 7));
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
    case 4:
        return (uint32_t)(value >> (value >> 7) % 32);
    default:
        return which == 6 ? (unsigned)value + 77u : value ^ (uint64_t)-3ll;
    }
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

static void check_all(struct device *)
{
    check_positions(PERSISTENT, "threadIdx, blockIdx, blockDim, gridDim: persistent kernel");
    check_positions(PLAIN, "threadIdx, blockIdx, blockDim, gridDim: plain kernel");
    check_blocks();
    check_warps();
    expect("popc, ffs, clz, min, max, funnelshift", bits, {4, 64}, 0, 4 * 64 * BIT_WORDS, zeros(),
           [](size_t i) { return bits_of(sample(i / BIT_WORDS), i % BIT_WORDS); });
    check_clusters();
    check_bulk_copies();
    expect("binary_mma", mma, {1, 64}, 0, 128, zeros(), [](size_t i) { return mma_sum(i / 2, i % 2); });
}

} // namespace BACKEND
