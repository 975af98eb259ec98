/* test_edge_queue.cu: queues whose edges all warps share evenly (kernels/device/edge_queue.cuh), against the host. */
#include <algorithm>
#include <numeric>

#include "../../kernels/device/edge_queue.cuh"
#include "checks.h"

namespace BACKEND
{

using std::vector;

#define EDGE_BITS 44u
#define BLOCKS    3u
#define THREADS   128u
#define NUM_WARPS (BLOCKS * THREADS / WARP_SIZE)

/* ---- last_up_to ---- */

__global__ void search_all(const uint32_t *numbers, uint32_t size, uint32_t most, uint32_t *found)
{
    const struct team team = spread_warps();
    for (uint32_t wanted = team.rank; wanted <= most; wanted += team.size) {
        uint32_t last = last_up_to(size, wanted, [&](uint32_t i) { return __ldg(&numbers[i]); });
        if (lane_id() == 0)
            found[wanted] = last;
    }
}

/* Ascending numbers from 0, most of them several times. */
static void check_search(uint32_t size)
{
    vector<uint32_t> numbers(size);
    for (uint32_t i = 1; i < size; i++)
        numbers[i] = numbers[i - 1] + (i % 3 == 0) * (i % 7);
    uint32_t most = numbers.back() + 2, wrong = 0;
    struct test_memory memory;
    uint32_t *results = memory.room<uint32_t>(most + 1);
    gpu_launch(search_all, {BLOCKS, THREADS}, 0, &memory.error, memory.put(numbers), size, most, results);
    vector<uint32_t> found = memory.get(results, most + 1);
    for (uint32_t wanted = 0; wanted <= most; wanted++)
        wrong += found[wanted] + 1 != std::upper_bound(numbers.begin(), numbers.end(), wanted) - numbers.begin();
    char what[64];
    snprintf(what, sizeof what, "last_up_to: %u numbers", size);
    memory.check(wrong == 0, what, "%u of %u are wrong", wrong, most + 1);
}

/* ---- append_entries and for_each_edge ---- */

/* A queue of some of the lists of a CSR. */
template <typename count_t>
struct list_queue {
    struct entry {
        count_t before, shift;
        uint32_t list;
    };
    count_t *before, *shift;
    uint32_t *list;
    __device__ count_t before_at(uint64_t i) const
    {
        return __ldcg(&before[i]);
    }
    __device__ entry load(uint64_t i) const
    {
        return {__ldcg(&before[i]), __ldcg(&shift[i]), __ldcg(&list[i])};
    }
};

static __host__ __device__ bool is_queued(uint32_t list)
{
    return list % 5 != 3;
}

/* Queues lists, two per lane. first_place[i]: what append_entries returned for lists 2i and 2i + 1. */
template <typename count_t>
__global__ void append_lists(const count_t *offsets, uint32_t num_lists, list_queue<count_t> queue, uint64_t *count,
                             uint64_t *first_place)
{
    const struct team team = grid_threads();
    for (uint32_t base = team.rank - lane_id(); base < (num_lists + 1) / 2; base += team.size) {
        bool has[2];
        count_t edges[2] = {}, first[2] = {};
        for (unsigned i = 0; i < 2; i++) {
            uint32_t list = 2 * (base + lane_id()) + i;
            has[i] = list < num_lists && is_queued(list);
            if (has[i]) {
                first[i] = offsets[list];
                edges[i] = offsets[list + 1] - first[i];
            }
        }
        uint64_t place = append_entries(count, EDGE_BITS, has, edges, [&](unsigned i, uint64_t at, uint64_t before) {
            __stcg(&queue.before[at], (count_t)before);
            __stcg(&queue.shift[at], (count_t)(first[i] - before));
            __stcg(&queue.list[at], 2 * (base + lane_id()) + i);
        });
        if (has[0] || has[1])
            first_place[base + lane_id()] = place;
    }
}

/* What the reading warps have seen. */
struct sightings {
    uint32_t *times, *list; /* by edge: how often it was used, and the list that owned it */
    uint32_t *cut;          /* by list: some warp skipped the rest of it */
    uint32_t *errors;
};

/* Uses the edges of the queue. The target of an edge is its own number. */
template <unsigned unroll, bool skips, typename count_t>
__global__ void use_edges(const vertex_t *targets, list_queue<count_t> queue, const uint64_t *count,
                          struct sightings seen)
{
    uint64_t size = *count >> EDGE_BITS, edges = *count & ((1ull << EDGE_BITS) - 1);
    for_each_edge<unroll>(
        targets, queue, size, (count_t)edges, spread_warps(),
        [&](const lane_edges<unroll> &some, uint64_t first, const typename list_queue<count_t>::entry &mine) {
            uint32_t list = 0;
            for (unsigned i = 0; i < unroll; i++) {
                list = __shfl_sync(WHOLE_WARP, mine.list, (int)some.owner[i]);
                if (some.has[i] != (some.target[i] != NO_VERTEX) ||
                    (some.has[i] && list != queue.list[first + some.owner[i]]))
                    atomicAdd(seen.errors, 1u);
                if (!some.has[i])
                    continue;
                atomicAdd(&seen.times[some.target[i]], 1u);
                __stcg(&seen.list[some.target[i]], list);
            }
            if (skips && lane_id() == WARP_SIZE - 1)
                atomicOr(&seen.cut[list], 1u);
            return skips;
        });
}

/* Lists of many lengths: often empty, also the first and the last; one longer than all shares of warps. */
template <typename count_t>
static vector<count_t> make_offsets(uint32_t num_lists)
{
    vector<count_t> offsets(1, 0);
    for (uint32_t list = 0; list < num_lists; list++) {
        uint32_t hash = list * 2654435761u >> 16, length = hash % 4 == 0 ? 0 : hash % 4 == 1 ? hash % 150 : hash % 6;
        offsets.push_back(offsets.back() + (list == num_lists / 2 ? 9000 : length));
    }
    return offsets;
}

/* "" or what is wrong with the queue. */
template <typename count_t>
static const char *compare_queue(const vector<count_t> &offsets, const vector<count_t> &before,
                                 const vector<count_t> &shift, const vector<uint32_t> &list,
                                 const vector<uint64_t> &first_place, uint64_t count)
{
    uint64_t edges = 0, num_queued = 0;
    vector<uint64_t> place_of(list.size(), UINT64_MAX);
    for (uint32_t l = 0; l < list.size(); l++)
        num_queued += is_queued(l);
    if (count >> EDGE_BITS != num_queued)
        return "the number of entries";
    for (uint64_t i = 0; i < num_queued; i++) {
        uint32_t l = list[i];
        if (l >= list.size() || !is_queued(l) || place_of[l] != UINT64_MAX)
            return "an entry's list";
        if (before[i] != edges || (count_t)(before[i] + shift[i]) != offsets[l])
            return "an entry's edges";
        place_of[l] = i;
        edges += offsets[l + 1] - offsets[l];
    }
    for (uint32_t l = 0; l < list.size(); l++)
        if (is_queued(l) && place_of[l] != first_place[l / 2] + (l % 2 == 1 && is_queued(l - 1)))
            return "a returned place";
    return (count & ((1ull << EDGE_BITS) - 1)) == edges ? "" : "the number of edges";
}

/* "" or what is wrong with the edges seen. */
template <typename count_t>
static const char *compare_edges(const vector<count_t> &offsets, bool skips, unsigned unroll,
                                 const vector<uint32_t> &times, const vector<uint32_t> &list,
                                 const vector<uint32_t> &cut)
{
    for (uint32_t l = 0; l < cut.size(); l++) {
        count_t seen = 0, length = offsets[l + 1] - offsets[l];
        for (count_t edge = offsets[l]; edge < offsets[l + 1]; edge++) {
            if (times[edge] > 1 || (times[edge] == 1 && list[edge] != l))
                return "an edge is used twice, or belongs to another list";
            seen += times[edge];
        }
        if (!is_queued(l) && seen > 0)
            return "an edge of a list that is not queued";
        if (is_queued(l) && !cut[l] && seen < length)
            return "an edge was left out";
        if (skips && seen > NUM_WARPS * WARP_SIZE * unroll)
            return "the rest of a list was not skipped";
    }
    return "";
}

template <unsigned unroll, bool skips, typename count_t>
static void check_queue(uint32_t num_lists)
{
    const vector<count_t> offsets = make_offsets<count_t>(num_lists);
    const size_t num_edges = offsets.back(), num_places = (num_lists + 1) / 2;
    vector<vertex_t> targets(num_edges);
    std::iota(targets.begin(), targets.end(), 0);
    struct test_memory memory;
    const list_queue<count_t> queue = {memory.room<count_t>(num_lists), memory.room<count_t>(num_lists),
                                       memory.room<uint32_t>(num_lists)};
    const struct sightings seen = {memory.room<uint32_t>(num_edges), memory.room<uint32_t>(num_edges),
                                   memory.room<uint32_t>(num_lists), memory.room<uint32_t>(1)};
    uint64_t *count = memory.room<uint64_t>(1), *places = memory.room<uint64_t>(num_places);
    gpu_launch(append_lists<count_t>, {BLOCKS, THREADS}, 0, &memory.error, memory.put(offsets), num_lists, queue, count,
               places);
    gpu_launch(use_edges<unroll, skips, count_t>, {BLOCKS, THREADS}, 0, &memory.error, memory.put(targets), queue,
               count, seen);
    char what[96];
    snprintf(what, sizeof what, "append_entries: %u lists, %zu-bit numbers", num_lists, 8 * sizeof(count_t));
    const char *wrong =
        compare_queue(offsets, memory.get(queue.before, num_lists), memory.get(queue.shift, num_lists),
                      memory.get(queue.list, num_lists), memory.get(places, num_places), memory.get(count, 1)[0]);
    memory.check(wrong[0] == '\0', what, "%s", wrong);
    snprintf(what, sizeof what, "for_each_edge: %u lists, %u edges per lane%s", num_lists, unroll,
             skips ? ", with skips" : "");
    wrong = compare_edges(offsets, skips, unroll, memory.get(seen.times, num_edges), memory.get(seen.list, num_edges),
                          memory.get(seen.cut, num_lists));
    wrong = memory.get(seen.errors, 1)[0] > 0 ? "an edge's owner" : wrong;
    memory.check(wrong[0] == '\0', what, "%s", wrong);
}

static void check_all(struct device *)
{
    for (uint32_t size : {1, 2, 31, 32, 33, 1024, 1025, 3000})
        check_search(size);
    for (uint32_t num_lists : {1, 2, 64, 700}) {
        check_queue<4, false, uint32_t>(num_lists);
        check_queue<2, true, uint32_t>(num_lists);
        check_queue<4, true, uint64_t>(num_lists);
        check_queue<1, false, uint64_t>(num_lists);
    }
}

} // namespace BACKEND
