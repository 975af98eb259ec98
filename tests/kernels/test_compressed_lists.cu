/* test_compressed_lists.cu: lists compressed in pieces and read again, on the GPU or on the emulator. */
#include <algorithm>

#include "../../kernels/device/edge_queue.cuh"
#include "../../kernels/device/find_neighbour.cuh"
#include "../../kernels/graph/compressed_lists.cuh"
#include "checks.h"

namespace BACKEND
{

using std::vector;
typedef vector<vector<vertex_t>> lists_t;

#define BLOCKS  2u
#define THREADS 128u

/* Writes all groups, four targets each. A lane in five asks for nothing, and must get nothing. */
__global__ void read_groups(struct compressed_targets targets, uint64_t num_groups, vertex_t *to)
{
    for (uint64_t base = thread_of_grid() - lane_id(); base < num_groups; base += threads_of_grid()) {
        vertex_t some[GROUP_TARGETS], none[GROUP_TARGETS];
        bool there[GROUP_TARGETS];
        uint64_t group = base + lane_id();
        load_unit(targets, group, group < num_groups, some, there);
        load_unit(targets, group, group < num_groups && group % 5 > 0, none, there);
        for (unsigned i = 0; i < GROUP_TARGETS && group < num_groups; i++)
            to[group * GROUP_TARGETS + i] = none[i] == (group % 5 > 0 ? some[i] : NO_VERTEX) ? some[i] : 0;
    }
}

/* Finds in each list a neighbour that is at least `wanted`, as stage 3 of `bfs dobfs` does. */
__global__ void find_in_lists(struct compressed_csr lists, vertex_t wanted, vertex_t *found)
{
    for (uint64_t base = thread_of_grid() - lane_id(); base < lists.num_vertices; base += threads_of_grid()) {
        bool has = base + lane_id() < lists.num_vertices;
        edge_t group = has ? lists.offsets[base + lane_id()] : 0, end = has ? lists.offsets[base + lane_id() + 1] : 0;
        uint32_t steps = UINT32_MAX;
        vertex_t match = find_neighbour(
            lists.targets, group, end, wanted, steps, [](vertex_t neighbour) { return neighbour; },
            [](vertex_t neighbour, uint32_t, uint32_t least) { return neighbour >= least; });
        if (has)
            found[base + lane_id()] = match;
    }
}

/* A queue of all lists, in their order. */
struct all_lists {
    struct entry {
        edge_t before, shift;
    };
    const edge_t *offsets;
    __device__ edge_t before_at(uint64_t i) const
    {
        return offsets[i];
    }
    __device__ entry load(uint64_t i) const
    {
        return {offsets[i], 0};
    }
};

/* Adds to each list's sum its number of neighbours << 40, and the neighbours. */
__global__ void sum_lists(struct compressed_csr lists, uint64_t *sums)
{
    const struct all_lists queue = {lists.offsets};
    for_each_edge<2 * GROUP_TARGETS>(
        lists.targets, queue, (uint64_t)lists.num_vertices, lists.offsets[lists.num_vertices], spread_warps(),
        [&](const auto &edges, uint64_t first, const auto &) {
            for (unsigned i = 0; i < 2 * GROUP_TARGETS; i++)
                if (edges.has[i])
                    atomicAdd(&sums[first + edges.owner[i]], (uint64_t)1 << 40 | edges.target[i]);
            return false;
        });
}

/* Where check_lists() keeps the lists: MOVED: in host memory, and half of their values on the device. */
enum place { ON_DEVICE, IN_HOST, MOVED, ALL_IN_HOST, NUM_PLACES };
static const char *const place_words[] = {"on the device", "in host memory", "moved", "all in host memory"};

/* Compresses the lists in pieces of so many, and compares what is read. */
static void check_lists(const char *name, const lists_t &lists, size_t lists_per_piece, enum place place = ON_DEVICE)
{
    struct test_memory memory, host;
    struct compressed_lists compressed;
    struct gpu_arena *for_lists = place == ON_DEVICE ? &memory.arena : &host.arena;
    struct gpu_arena *for_offsets = place == ALL_IN_HOST ? &host.arena : &memory.arena;
    edge_t num_targets = 0, wrong = 0;
    for (const auto &list : lists)
        num_targets += list.size();
    host.arena.in_host = true;
    compressed_lists_begin((vertex_t)lists.size(), num_targets, {&memory.arena, for_offsets, for_lists}, &compressed,
                           &memory.error);
    for (size_t first = 0; first < lists.size(); first += lists_per_piece) {
        vector<edge_t> offsets(1, 0);
        vector<vertex_t> targets;
        for (size_t i = first; i < std::min(lists.size(), first + lists_per_piece); i++) {
            targets.insert(targets.end(), lists[i].begin(), lists[i].end());
            offsets.push_back(targets.size());
        }
        struct built_lists piece = {(vertex_t)first, (vertex_t)offsets.size() - 1, targets.size(), memory.put(offsets),
                                    memory.put(targets)};
        compressed_lists_append(&compressed, &piece, &memory.error);
    }
    const uint64_t half = compressed.value_bytes / 2;
    if (place == MOVED)
        compressed_lists_move(&compressed, half, &memory.error);
    wrong += compressed.moved_bytes > half || (compressed.moved_bytes > 0 && place != MOVED);
    const struct compressed_csr csr = compressed_csr_of(&compressed);
    const size_t n = lists.size(), room = compressed.num_groups * GROUP_TARGETS;
    vertex_t *groups = memory.room<vertex_t>(room), *found = memory.room<vertex_t>(n);
    uint64_t *sums = memory.room<uint64_t>(n);
    const vertex_t wanted = n > 3 ? (vertex_t)n - 3 : 0;
    gpu_launch(read_groups, {BLOCKS, THREADS}, 0, &memory.error, csr.targets, compressed.num_groups, groups);
    gpu_launch(find_in_lists, {BLOCKS, THREADS}, 0, &memory.error, csr, wanted, found);
    gpu_launch(sum_lists, {BLOCKS, THREADS}, 0, &memory.error, csr, sums);
    vector<vertex_t> targets = memory.get(groups, room), matches = memory.get(found, n);
    vector<uint64_t> all_sums = memory.get(sums, n);
    vector<edge_t> offsets = memory.get(compressed.offsets, n + 1);
    for (size_t i = 0; memory.error.status == STATUS_OK && i < n; i++) {
        vector<vertex_t> list;
        uint64_t sum = (uint64_t)lists[i].size() << 40;
        for (size_t at = offsets[i] * GROUP_TARGETS; at < offsets[i + 1] * GROUP_TARGETS; at++)
            if (targets[at] != NO_VERTEX)
                list.push_back(targets[at]);
        for (vertex_t target : lists[i])
            sum += target;
        bool any = !list.empty() && list.back() >= wanted;
        wrong +=
            list != lists[i] || sum != all_sums[i] ||
            (any ? matches[i] < wanted || !std::count(list.begin(), list.end(), matches[i]) : matches[i] != NO_VERTEX);
    }
    char what[96];
    snprintf(what, sizeof what, "%s, %zu lists a piece, %s", name, lists_per_piece, place_words[place]);
    memory.check(wrong == 0, what, "%llu of %zu lists differ", (unsigned long long)wrong, n);
}

/* Lists of many lengths, and of ids near and far. */
static lists_t random_lists(size_t number, uint64_t state)
{
    lists_t lists(number);
    auto draw = [&](uint64_t below) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return (state >> 33) % below;
    };
    for (auto &list : lists) {
        uint64_t next = draw(1u << draw(20)), longest = draw(1u << draw(9));
        unsigned gap_bits = (unsigned)draw(28);
        for (; list.size() < longest && next < NO_VERTEX; next += 1 + draw(1ull << draw(gap_bits + 1)))
            list.push_back((vertex_t)next);
    }
    return lists;
}

static void check_all(struct device *)
{
    const vertex_t last = NO_VERTEX - 1; /* the largest id; after id 0, a gap of 2^32 - 2 */
    lists_t ends = {{}, {0}, {}, {last}, {0, last}, {last - 1, last}, {0, 1, 2, 3, last}, {0, 1, last - 1, last}, {}};
    lists_t hub(40);
    for (vertex_t v = 0; v < 3000; v++)
        hub[7].push_back(v * 3);
    for (vertex_t v = 8; v < 40; v++)
        hub[v] = {7};
    for (size_t per_piece : {100, 4, 1}) {
        check_lists("both ends of the ids", ends, per_piece);
        check_lists("a hub", hub, per_piece);
    }
    check_lists("no neighbours", lists_t(50), 50);
    check_lists("one list of one neighbour", {{5}}, 1);
    for (uint64_t number = 0; number < 6; number++)
        for (unsigned place = ON_DEVICE; place < NUM_PLACES; place++)
            check_lists("random lists", random_lists(200, number), number % 2 == 0 ? 200 : 37, (enum place)place);
}

} // namespace BACKEND
