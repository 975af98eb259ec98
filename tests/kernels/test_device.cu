/* test_device.cu: the shared device parts (kernels/device), each against the host. */
#include <string.h>

#include "../../kernels/device/bitmap.cuh"
#include "../../kernels/device/edge_source.cuh"
#include "../../kernels/device/grid_barrier.cuh"
#include "../../kernels/device/ids.cuh"
#include "../../kernels/device/warp.cuh"
#include "words.h"

namespace BACKEND
{

/* ---- ids.cuh ---- */

#define BLOCKS  3u
#define WARPS   4u /* of a block */
#define THREADS (WARPS * WARP_SIZE)

/* What a member of a team of this size writes: its block, and its thread in the block. */
static __host__ __device__ uint32_t signature(uint32_t size, uint32_t block, uint32_t thread)
{
    return size << 16 | block << 8 | thread;
}

static __device__ void sign(uint32_t *words, struct team team)
{
    words[team.rank] = signature(team.size, blockIdx.x, threadIdx.x);
}

__global__ void sign_as_threads(uint32_t *words)
{
    const struct team in_64_bits = {(uint32_t)thread_of_grid(), (uint32_t)threads_of_grid()};
    sign(words, grid_threads());
    sign(words + BLOCKS * THREADS, in_64_bits);
    if (is_first_thread())
        sign(words + 2 * BLOCKS * THREADS, {0, 1});
}

__global__ void sign_as_warps(uint32_t *words)
{
    if (lane_id() == 0) {
        sign(words, grid_warps());
        sign(words + BLOCKS * WARPS, spread_warps());
        sign(words + 2 * BLOCKS * WARPS + WARPS * blockIdx.x, block_warps());
    }
}

static void check_ids(void)
{
    const uint32_t threads = BLOCKS * THREADS, warps = BLOCKS * WARPS;
    expect("grid_threads, thread_of_grid, is_first_thread", sign_as_threads, {BLOCKS, THREADS}, 0, 2 * threads + 1,
           zeros(), [=](size_t i) {
               uint32_t rank = (uint32_t)i % threads;
               return i == 2 * threads ? signature(1, 0, 0) : signature(threads, rank / THREADS, rank % THREADS);
           });
    expect("grid_warps, spread_warps, block_warps", sign_as_warps, {BLOCKS, THREADS}, 0, 3 * warps, zeros(),
           [=](size_t i) {
               uint32_t rank = (uint32_t)i % warps;
               if (i / warps == 1)
                   return signature(warps, rank % BLOCKS, rank / BLOCKS * WARP_SIZE);
               return signature(i / warps == 0 ? warps : WARPS, rank / WARPS, rank % WARPS * WARP_SIZE);
           });
}

/* ---- grid_barrier.cuh ---- */

#define ROUNDS 60u

struct barrier_test {
    struct grid_barrier barrier;
    uint32_t counts[NUM_COUNTS], errors, broken;
    uint32_t slots[1]; /* two per thread, for even and for odd rounds */
};

/* In each round every thread counts and leaves a word; after the barrier it checks the sum, and a word of another
 * block. It looks at a round's count once more at the end of the next round. */
__global__ void wait_in_rounds(struct barrier_test *test)
{
    uint32_t *broadcast = block_shared<uint32_t>();
    struct team team = grid_threads();
    uint32_t other = (team.rank + blockDim.x + 1) % team.size;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        uint32_t *slots = test->slots + round % 2 * team.size, *count = count_of(test->counts, round);
        atomicAdd(count, round);
        slots[team.rank] = round * 1000 + team.rank;
        if (is_first_thread())
            *count_of(test->counts, round + 1) = 0;
        bool kept = __ldcg(count_of(test->counts, round - 1)) == (round - 1) * team.size;
        uint32_t sum = grid_wait(&test->barrier, count, broadcast);
        if (sum == UINT32_MAX)
            return;
        if (!kept || sum != round * team.size || __ldcg(&slots[other]) != round * 1000 + other)
            atomicAdd(&test->errors, 1u);
    }
}

/* Block 0 leaves, as after a wait that took too long: every other block must get out. */
__global__ void wait_at_broken(struct barrier_test *test)
{
    uint32_t *broadcast = block_shared<uint32_t>();
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            __stcg(&test->barrier.broken, 1u);
        return;
    }
    for (unsigned round = 0; round < ROUNDS; round++)
        if (grid_wait(&test->barrier, test->counts, broadcast) == UINT32_MAX) {
            if (threadIdx.x == 0)
                atomicAdd(&test->broken, 1u);
            return;
        }
}

static void check_barrier(void)
{
    struct grid grid = {};
    struct error error = {};
    struct barrier_test *test = NULL, now = {};
    const char *what = "grid_wait, count_of: many rounds";
    if (gpu_plan_grid((const void *)wait_in_rounds, 64, 2, sizeof(uint32_t), &grid, &error) != STATUS_OK) {
        check(false, what, "%s", error.text);
        return;
    }
    size_t num_bytes = sizeof now + 2 * (size_t)grid.blocks * grid.threads * sizeof now.slots[0];
    gpu_allocate_bytes((void **)&test, num_bytes, 1, "the test", &error);
    gpu_check(cudaMemset(test, 0, num_bytes), "clearing", &error);
    gpu_launch_persistent(wait_in_rounds, grid, sizeof(uint32_t), &error, test);
    gpu_check_barrier(&test->barrier, "wait_in_rounds", &error);
    gpu_download(&now, test, 1, &error);
    check(error.status == STATUS_OK && now.errors == 0 && now.barrier.arrived == (uint64_t)ROUNDS * grid.blocks, what,
          "%u errors, %llu arrivals of %u blocks; %s", now.errors, (unsigned long long)now.barrier.arrived,
          grid.blocks, error.text);

    what = "grid_wait: once broken, all blocks return";
    error = {};
    gpu_check(cudaMemset(test, 0, num_bytes), "clearing", &error);
    gpu_launch_persistent(wait_at_broken, grid, sizeof(uint32_t), &error, test);
    gpu_download(&now, test, 1, &error);
    check(error.status == STATUS_OK && now.broken == grid.blocks - 1, what, "%u of %u blocks; %s", now.broken,
          grid.blocks - 1, error.text);
    gpu_check_barrier(&test->barrier, "wait_at_broken", &error);
    check(error.status == STATUS_DEVICE && strstr(error.text, "wait_at_broken") != NULL, "gpu_check_barrier",
          "status %d: %s", error.status, error.text);
    gpu_free(test);
}

/* ---- warp.cuh ---- */

#define SUM_WORDS 4u
#define ELEMENTS  3u /* that a lane may append at a time */

/* What a thread adds up: bits in both halves. */
static __host__ __device__ uint64_t summand(uint64_t thread)
{
    return (thread * thread % 97) << 32 | thread;
}

__global__ void sum_over_warps(uint32_t *words)
{
    uint64_t mine = summand(threadIdx.x), whole = warp_sum(mine), upto = warp_inclusive_sum(mine);
    words[SUM_WORDS * threadIdx.x] = (uint32_t)whole ^ (uint32_t)(whole >> 32);
    words[SUM_WORDS * threadIdx.x + 1] = (uint32_t)upto ^ (uint32_t)(upto >> 32);
    words[SUM_WORDS * threadIdx.x + 2] = warp_exclusive_sum(threadIdx.x + 1);
    words[SUM_WORDS * threadIdx.x + 3] = warp_sum<4>(threadIdx.x + 1);
}

static uint32_t sum_of(uint32_t thread, uint32_t which)
{
    uint32_t first = thread / WARP_SIZE * WARP_SIZE, group = thread / 4 * 4, small = 0;
    uint64_t sum = 0;
    for (uint32_t other = first; other < first + WARP_SIZE && (which == 0 || other <= thread); other++)
        sum += summand(other);
    for (uint32_t other = which == 2 ? first : group; other < (which == 2 ? thread : group + 4); other++)
        small += other + 1;
    return which < 2 ? (uint32_t)sum ^ (uint32_t)(sum >> 32) : small;
}

/* Whether a thread appends its element i in this round. In some rounds no lane of the first warp does. */
static __host__ __device__ bool appends(uint32_t thread, uint32_t round, uint32_t i)
{
    return (thread * 7 + round * 5 + i * 3) % 4 == 0 && (thread >= WARP_SIZE || round % 3 != 0);
}

/* words: the count; then how often each element is in the queue; then the queue. */
__global__ void append_by_warps(uint32_t *words)
{
    const uint32_t threads = grid_threads().size, thread = grid_threads().rank;
    uint32_t *queue = words + 1 + threads * ELEMENTS * WARPS;
    for (uint32_t round = 0; round < WARPS; round++) {
        bool has[ELEMENTS];
        for (unsigned i = 0; i < ELEMENTS; i++)
            has[i] = appends(thread, round, i);
        warp_append(words, has, [&](unsigned i, uint32_t place) {
            atomicAdd(&queue[place], 1u);
            words[1 + (round * threads + thread) * ELEMENTS + i] = 1 + lanes_before(1u << lane_id() | 1u);
        });
    }
}

static void check_warps(void)
{
    const uint32_t threads = BLOCKS * THREADS, elements = threads * ELEMENTS * WARPS;
    uint32_t size = 0;
    for (uint32_t e = 0; e < elements; e++)
        size += appends(e / ELEMENTS % threads, e / ELEMENTS / threads, e % ELEMENTS);
    expect("warp_sum, warp_inclusive_sum, warp_exclusive_sum", sum_over_warps, {1, THREADS}, 0, SUM_WORDS * THREADS,
           zeros(), [](size_t i) { return sum_of((uint32_t)i / SUM_WORDS, i % SUM_WORDS); });
    expect("warp_append, lanes_before: each element once, each place once", append_by_warps, {BLOCKS, THREADS}, 0,
           1 + 2 * elements, zeros(), [=](size_t i) -> uint32_t {
               uint32_t e = (uint32_t)i - 1, thread = e / ELEMENTS % threads;
               if (i == 0)
                   return size;
               if (e >= elements)
                   return e - elements < size;
               return appends(thread, e / ELEMENTS / threads, e % ELEMENTS) ? 1 + (thread % WARP_SIZE > 0) : 0;
           });
}

/* ---- bitmap.cuh ---- */

#define CLAIMED (3 * BLOCKS * THREADS / 2 + 5) /* elements; the last word is in use only in part */

/* All threads set the bits of all elements that are no multiple of three. words: two bitmaps; then how many threads
 * have found an element in the second one. */
__global__ void claim_elements(uint32_t *words)
{
    uint32_t *marked = words, *claimed = words + bitmap_words(CLAIMED), *found = claimed + bitmap_words(CLAIMED);
    uint32_t first = grid_threads().rank; /* another one in each thread */
    for (uint32_t i = 0; i < CLAIMED; i++) {
        uint32_t element = (first + i) % CLAIMED;
        if (element % 3 != 0)
            set_bit(marked, element);
        uint32_t old = set_bit_if(element % 3 != 0, claimed, element);
        if (!has_bit(old, element))
            atomicAdd(&found[element], 1u);
    }
}

static void check_bitmap(void)
{
    const size_t num_words = bitmap_words(CLAIMED);
    check(bitmap_words(0) == 0 && bitmap_words(1) == 1 && bitmap_words(32) == 1 && bitmap_words(33) == 2 &&
              bitmap_words(UINT32_MAX) == 1u << 27,
          "bitmap_words", "%u, %u, %u", bitmap_words(0), bitmap_words(32), bitmap_words(33));
    expect("set_bit, set_bit_if: one thread finds an element", claim_elements, {BLOCKS, THREADS}, 0,
           2 * num_words + CLAIMED, zeros(), [=](size_t i) -> uint32_t {
               if (i >= 2 * num_words)
                   return (i - 2 * num_words) % 3 != 0;
               uint32_t word = 0;
               for (uint32_t bit = 0; bit < 32; bit++) {
                   size_t element = i % num_words * 32 + bit;
                   word |= (uint32_t)(element < CLAIMED && element % 3 != 0) << bit;
               }
               return word;
           });
}

/* ---- edge_source.cuh ---- */

/* sources: of each edge, looked up among all vertices, and then among those from the source of the edge before to the
 * source of the edge after it. */
template <typename offset_t>
__global__ void look_up_sources(csr<offset_t> graph, edge_t num_edges, uint64_t *sources)
{
    for (uint64_t edge = thread_of_grid(); edge < num_edges; edge += threads_of_grid()) {
        uint64_t first = source_of(graph, edge > 0 ? edge - 1 : 0),
                 last = source_of(graph, min(edge + 1, num_edges - 1));
        sources[edge] = source_of(graph, edge);
        sources[num_edges + edge] = source_between(graph, edge, first, last);
    }
}

template <typename offset_t>
static void check_sources(const char *what, const vector<uint32_t> &degrees)
{
    vector<uint64_t> right, sources;
    vector<offset_t> offsets = {0};
    for (size_t v = 0; v < degrees.size(); v++) {
        right.insert(right.end(), degrees[v], v);
        offsets.push_back((offset_t)right.size());
    }
    const size_t number = right.size();
    struct error error = {};
    struct gpu_arena arena = {};
    offset_t *on_device = gpu_take<offset_t>(&arena, offsets.size(), "the offsets", &error);
    uint64_t *found = gpu_take<uint64_t>(&arena, 2 * number, "the sources", &error);
    gpu_upload(on_device, offsets.data(), offsets.size(), &error);
    gpu_launch(look_up_sources<offset_t>, {BLOCKS, THREADS}, 0, &error, {(vertex_t)degrees.size(), on_device, NULL},
               number, found);
    sources.resize(2 * number);
    gpu_download(sources.data(), found, 2 * number, &error);
    right.insert(right.end(), right.begin(), right.begin() + (ptrdiff_t)number);
    check(error.status == STATUS_OK && sources == right, what, "a source is wrong; %s", error.text);
    gpu_arena_free(&arena);
}

static void check_edge_sources(void)
{
    check_sources<uint32_t>("source_of: empty vertices first", {0, 0, 3, 1, 70});
    check_sources<uint32_t>("source_of: empty vertices last", {2, 5, 0, 0, 0});
    check_sources<uint64_t>("source_of: empty vertices in between", {1, 0, 0, 40, 0, 2, 1, 0, 600});
    check_sources<uint64_t>("source_of: one vertex", {5});
}

static void check_all(struct device *)
{
    check_ids();
    check_barrier();
    check_warps();
    check_bitmap();
    check_edge_sources();
}

} // namespace BACKEND
