/* test_device.cu: the shared device parts (kernels/device), each against the host. */
#include <string.h>

#include <numeric>

#include "../../kernels/device/bitmap.cuh"
#include "../../kernels/device/find_neighbour.cuh"
#include "../../kernels/device/grid_barrier.cuh"
#include "../../kernels/device/ids.cuh"
#include "../../kernels/device/narrow_levels.cuh"
#include "../../kernels/device/warp.cuh"
#include "words.h"

namespace BACKEND
{

#define BLOCKS  3u
#define WARPS   4u /* of a block */
#define THREADS (WARPS * WARP_SIZE)

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

/* Runs a kernel of several blocks on a test that begins with zeros. */
static struct barrier_test run_barrier(void (*kernel)(struct barrier_test *), const char *name, struct grid *grid,
                                       struct test_memory *memory)
{
    gpu_plan_grid((const void *)kernel, 64, 2, sizeof(uint32_t), grid, &memory->error);
    const size_t num_slots = 2 * (size_t)grid->blocks * grid->threads;
    char *test = memory->room<char>(sizeof(struct barrier_test) + num_slots * sizeof(uint32_t));
    gpu_launch_persistent(kernel, *grid, sizeof(uint32_t), &memory->error, (struct barrier_test *)test);
    struct barrier_test now = memory->get((struct barrier_test *)test, 1)[0];
    gpu_check_barrier((struct grid_barrier *)test, name, &memory->error);
    return now;
}

static void check_barrier(void)
{
    struct grid grid = {};
    struct test_memory memory, broken;
    struct barrier_test now = run_barrier(wait_in_rounds, "wait_in_rounds", &grid, &memory);
    memory.check(now.errors == 0 && now.barrier.arrived == (uint64_t)ROUNDS * grid.blocks,
                 "grid_wait, count_of: many rounds", "%u errors, %llu arrivals of %u blocks", now.errors,
                 (word_t)now.barrier.arrived, grid.blocks);
    now = run_barrier(wait_at_broken, "wait_at_broken", &grid, &broken);
    check(now.broken == grid.blocks - 1, "grid_wait: once broken, all blocks return", "%u of %u blocks", now.broken,
          grid.blocks - 1);
    check(broken.error.status == STATUS_DEVICE && strstr(broken.error.text, "wait_at_broken") != NULL,
          "gpu_check_barrier", "status %d: %s", broken.error.status, broken.error.text);
}

/* ---- warp.cuh ---- */

#define ELEMENTS 3u /* that a lane may append at a time */

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

/* ---- find_neighbour.cuh ---- */

#define BY_LANE (STEPS_BY_LANE * TRIED_AT_ONCE) /* edges that a lane tries before its warp helps */
#define BY_WARP (TRIED_AT_ONCE * WARP_SIZE)     /* edges of a step of the warp */
#define LONGEST (BY_LANE + 3 * BY_WARP)

/* What a lane searches: its list, where a neighbour that fits stands in it; and what it found. */
struct lane_search {
    uint32_t edge, end, wanted;
    uint32_t match, steps;
};

__global__ void search_lists(const vertex_t *targets, struct lane_search *searches, uint32_t steps)
{
    struct lane_search mine = searches[lane_id()];
    mine.match = find_neighbour(
        targets, mine.edge, mine.end, mine.wanted, steps,
        [](vertex_t neighbour) { return neighbour == NO_VERTEX ? 0 : neighbour + 1; },
        [](vertex_t, uint32_t word, uint32_t wanted) { return word == wanted + 1; });
    mine.steps = steps;
    searches[lane_id()] = mine;
}

/* Runs the search of a warp whose lists have `length` edges. Lane i wants the neighbour at place_of(i); from `length`
 * on there is none. wrong(search, found, lane) says whether the lane found something wrong. The target of edge e is
 * e, so each neighbour stands once. */
template <typename place_t, typename wrong_t>
static void check_lists(const char *what, uint32_t length, uint32_t steps, place_t place_of, wrong_t wrong)
{
    struct test_memory memory;
    vector<lane_search> searches(WARP_SIZE);
    vector<vertex_t> edges(WARP_SIZE * LONGEST);
    std::iota(edges.begin(), edges.end(), 0);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t edge = lane * LONGEST, place = place_of(lane);
        searches[lane] = {edge, edge + length, place < length ? edge + place : UINT32_MAX - 1, 0, 0};
    }
    struct lane_search *lanes = memory.put(searches);
    gpu_launch(search_lists, {1, WARP_SIZE}, 0, &memory.error, memory.put(edges), lanes, steps);
    vector<lane_search> found = memory.get(lanes, WARP_SIZE);
    uint32_t num_wrong = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        num_wrong += wrong(searches[lane], found[lane], lane);
    memory.check(num_wrong == 0, what, "%u lanes are wrong", num_wrong);
}

/* With steps to spare, a lane finds its neighbour if there is one, and otherwise tries its whole list. */
static bool is_incomplete(const struct lane_search &search, const struct lane_search &found, uint32_t)
{
    bool there = search.wanted < search.end;
    return found.match != (there ? search.wanted : NO_VERTEX) || (!there && found.edge < search.end);
}

static void check_find_neighbour(void)
{
    static const struct {
        const char *what;
        uint32_t length;
        uint32_t (*place_of)(uint32_t lane);
    } complete[] = {
        {"empty lists", 0, [](uint32_t) { return UINT32_MAX; }},
        {"lists that a lane searches", BY_LANE, [](uint32_t lane) { return lane % (BY_LANE + 1); }},
        {"lists one edge longer", BY_LANE + 1, [](uint32_t) { return BY_LANE; }},
        {"lists that the warp searches", LONGEST, [](uint32_t lane) { return lane * (LONGEST / 31); }},
        {"the last edge", LONGEST - 3, [](uint32_t) { return LONGEST - 4; }},
        {"a neighbour that is nowhere", LONGEST - 1, [](uint32_t) { return UINT32_MAX; }},
    };
    for (const auto &lists : complete)
        check_lists(lists.what, lists.length, UINT32_MAX, lists.place_of, is_incomplete);
    check_lists(
        "no steps: each lane stops after its own edges", LONGEST, 0, [](uint32_t) { return LONGEST - 1; },
        [](const lane_search &search, const lane_search &found, uint32_t) {
            return found.match != NO_VERTEX || found.edge != search.edge + BY_LANE;
        });
    /* The lists of the first two lanes take three steps each, so four steps end within the second. */
    check_lists(
        "four steps: the first lanes' lists", LONGEST, 4, [](uint32_t) { return UINT32_MAX; },
        [](const lane_search &search, const lane_search &found, uint32_t lane) {
            const uint32_t tried[] = {LONGEST, BY_LANE + BY_WARP, BY_LANE};
            return found.edge != search.edge + tried[lane < 2 ? lane : 2] || found.steps != 0;
        });
}

/* ---- narrow_levels.cuh ---- */

#define NUM_SEARCHES 3u
#define NUM_VERTICES 200u

/* Copies the levels of each search: 0, the highest that fit, unreached, and others. */
template <typename from_t, typename to_t>
static void check_copies(const char *what)
{
    const uint32_t most = highest_level(sizeof(from_t));
    vector<from_t> levels(NUM_SEARCHES * NUM_VERTICES);
    uint32_t wrong = 0;
    for (size_t i = 0; i < levels.size(); i++)
        levels[i] = i % 5 == 0 ? NO_LEVEL<from_t> : (from_t)(i % 5 == 1 ? most - i % 7 : i % 5 == 2 ? 0 : i % 99);
    struct test_memory memory;
    from_t *from = memory.put(levels);
    to_t *to = memory.room<to_t>(NUM_VERTICES);
    for (uint32_t search = 0; search < NUM_SEARCHES; search++) {
        with_levels(from, sizeof(from_t), [&]<typename level_t>(const level_t *typed) {
            gpu_launch(copy_levels<level_t, to_t, strided>, gpu_wide_grid(NUM_VERTICES), 0, &memory.error, typed,
                       NUM_VERTICES, {search, NUM_SEARCHES}, to);
        });
        vector<to_t> copies = memory.get(to, NUM_VERTICES);
        for (uint32_t v = 0; v < NUM_VERTICES; v++) {
            from_t level = levels[v * NUM_SEARCHES + search];
            wrong += copies[v] != (level == (from_t)~0ull ? (to_t)~0ull : level);
        }
    }
    memory.check(wrong == 0, what, "%u of %zu are wrong", wrong, levels.size());
}

static void check_narrow_levels(void)
{
    const uint64_t widths[][2] = {{0, 1}, {254, 1}, {255, 2}, {65534, 2}, {65535, 4}, {UNREACHED - 1, 4}};
    for (auto [level, bytes] : widths)
        check(bytes_for_level(level) == bytes, "bytes_for_level", "%u for %llu", bytes_for_level(level), (word_t)level);
    check_copies<uint8_t, uint16_t>("copy_levels: 1 byte to 2");
    check_copies<uint8_t, uint32_t>("copy_levels: 1 byte to 4");
    check_copies<uint16_t, uint32_t>("copy_levels: 2 bytes to 4");
    check_copies<uint32_t, uint32_t>("copy_levels: 4 bytes to 4");
}

static void check_all(struct device *)
{
    check_barrier();
    check_warps();
    check_bitmap();
    check_find_neighbour();
    check_narrow_levels();
}

} // namespace BACKEND
