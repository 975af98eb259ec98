/* top_down.cuh: a top-down level by all warps of the grid (Beamer et al., SC 2012, top-down step).
 *
 * A level of few edges claims the vertices that it finds and queues them. A level of more than rules.mark_above edges
 * only marks them in the visited bitmap; a bottom-up level follows, which needs no queue. */
#pragma once

#include "queues.cuh"

namespace BACKEND::dobfs
{

#define FILTER_FROM 20000u /* a level of more edges reads the bitmap before each atomic */

/* Where a level stores the vertices that it finds. */
template <typename queue_t, typename offset_t>
struct discovery {
    const offset_t *offsets; /* offsets of the out-edges in the CSR */
    uint32_t *visited;
    uint8_t *bytes, byte;   /* level bytes of all ids; the byte of this level */
    vertex_t *parent_by_id; /* NULL unless parents are recorded */
    queue_t queue;
    uint64_t *count;
    unsigned edge_bits;
    bool checks_first = false; /* read the bitmap before each atomic */
};

template <typename queue_t, typename csr_t>
DEVICE discovery<queue_t, offset_of<csr_t>>
discovery_of(const prepared_graph<csr_t> &graph, const struct search &search, const struct rules &rules,
             const struct progress &at, uint32_t *visited, const queue_t &queue, uint64_t *count)
{
    return {.offsets = graph.out.offsets,
            .visited = visited,
            .bytes = search.bytes,
            .byte = (uint8_t)(at.level + 1 - at.base),
            .parent_by_id = search.parent_by_id,
            .queue = queue,
            .count = count,
            .edge_bits = rules.edge_bits};
}

/* Returns the source of the lane's edge number i. mine: the entry that this lane holds. The whole warp calls it. */
template <unsigned unroll>
DEVICE vertex_t owner_of(const lane_edges<unroll> &edges, unsigned i, const auto &mine)
{
    return __shfl_sync(WHOLE_WARP, mine.id, (int)edges.owner[i]);
}

/* Claims the unvisited neighbours, writes their level bytes and parents, and queues them. A thread claims a neighbour
 * if its atomic returns the neighbour's bit unset. mine: the entry that this lane holds. All lanes of the warp must
 * call it. */
template <bool parents, unsigned unroll, typename queue_t, typename offset_t>
DEVICE void claim(const discovery<queue_t, offset_t> &to, const lane_edges<unroll> &edges, const auto &mine)
{
    const vertex_t(&neighbours)[unroll] = edges.target;
    bool fresh[unroll];
    uint32_t word[unroll];
    offset_t first[unroll], end[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        word[i] = load_cached_if(edges.has[i] && to.checks_first, bitmap_word(to.visited, neighbours[i]));
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        fresh[i] = edges.has[i] && !(to.checks_first && (word[i] & bit_of(neighbours[i])));
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) { /* loads offsets while the atomics are in flight */
        vertex_t id = neighbours[i];
        word[i] = set_bit_if(fresh[i], to.visited, id);
        first[i] = load_if(fresh[i], &to.offsets[id]);
        end[i] = load_if(fresh[i], &to.offsets[(size_t)id + 1]);
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        fresh[i] = fresh[i] && !(word[i] & bit_of(neighbours[i]));
        if (fresh[i])
            to.bytes[neighbours[i]] = to.byte;
        if constexpr (parents) {
            vertex_t owner = owner_of(edges, i, mine);
            if (fresh[i])
                to.parent_by_id[neighbours[i]] = owner;
        }
    }
    append(to.queue, to.count, to.edge_bits, fresh, neighbours, first, end);
}

/* Marks the unvisited neighbours in the bitmap. Writes the parents of the neighbours that this thread is the first to
 * mark. checks_first: reads the bitmap before each atomic. mine: the entry that this lane holds. All lanes of the
 * warp must call it. */
template <bool parents, unsigned unroll>
DEVICE void mark(uint32_t *visited, vertex_t *parent_by_id, bool checks_first, const lane_edges<unroll> &edges,
                 const auto &mine)
{
    const vertex_t(&neighbours)[unroll] = edges.target;
    uint32_t word[unroll];
    bool fresh[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        word[i] = load_cached_if(edges.has[i] && checks_first, bitmap_word(visited, neighbours[i]));
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        fresh[i] = edges.has[i] && !(checks_first && (word[i] & bit_of(neighbours[i])));
        if constexpr (parents)
            word[i] = set_bit_if(fresh[i], visited, neighbours[i]);
        else if (fresh[i])
            set_bit(visited, neighbours[i]);
    }
    if constexpr (parents)
#pragma unroll
        for (unsigned i = 0; i < unroll; i++) {
            vertex_t owner = owner_of(edges, i, mine);
            if (fresh[i] && !(word[i] & bit_of(neighbours[i])))
                parent_by_id[neighbours[i]] = owner;
        }
}

/* Runs the level. marks: the level only marks and leaves *count unchanged. */
template <bool parents, typename csr_t>
DEVICE void go_top_down(const prepared_graph<csr_t> &graph, const struct search &search, const struct rules &rules,
                        const struct progress &at, bool marks, uint64_t *count)
{
    typedef offset_of<csr_t> offset_t;
    const auto current = typed<offset_t, parents>(current_queue(search, at), rules);
    const auto next = typed<offset_t, parents>(next_queue(search, at), rules);
    uint32_t *visited = visited_bitmap(search, at);
    offset_t edges = (offset_t)at.edges;
    if (marks) {
        for_each_edge<UNROLL>(graph.out.targets, current, at.size, edges, spread_warps(),
                              [&](const lane_edges<UNROLL> &some, uint64_t, const auto &mine) {
                                  mark<parents>(visited, search.parent_by_id, rules.filters_marks, some, mine);
                                  return false;
                              });
        return;
    }
    auto found = discovery_of(graph, search, rules, at, visited, next, count);
    found.checks_first = at.edges > FILTER_FROM;
    for_each_edge<UNROLL>(graph.out.targets, current, at.size, edges, spread_warps(),
                          [&](const lane_edges<UNROLL> &some, uint64_t, const auto &mine) {
                              claim<parents>(found, some, mine);
                              return false;
                          });
}

#define UNROLL_SINGLE_BLOCK 2u /* smaller than UNROLL: these levels have few edges */

/* ---- consecutive levels of few edges, run by block 0 alone while the others wait ----
 *
 * The queues and counts lie in shared memory, so a level costs a block barrier instead of a grid barrier. */

DEVICE bool fits_single_block(const struct progress &at, const struct rules &rules)
{
    return at.edges <= rules.single_block_edges && at.size <= rules.single_block_edges &&
           at.level + 1 - at.base < rules.level_limit;
}

/* Runs levels while they are small enough for one block. Puts the last frontier into the grid's next queue and its
 * count into *count, and the level and the number of unvisited vertices into search.handover. Only block 0 may call
 * it, with all its threads. */
template <bool parents, bool profiled, typename csr_t>
DEVICE void run_single_block(const prepared_graph<csr_t> &graph, const struct search &search, const struct rules &rules,
                             struct shared *shared, struct progress at, uint32_t unreachable, uint64_t *count)
{
    typedef offset_of<csr_t> offset_t;
    const unsigned unit = units_of<decltype(graph.out.targets)>::targets;
    const unsigned unroll = unit > UNROLL_SINGLE_BLOCK ? unit : UNROLL_SINGLE_BLOCK;
    const uint32_t capacity = rules.single_block_edges * unit; /* a level finds no more */
    offset_t *scratch = (offset_t *)(shared + 1);
    vertex_t *ids = (vertex_t *)(scratch + 4 * capacity); /* used only if parents are recorded */
    shared_queue<offset_t, parents> current{{scratch, scratch + capacity}, ids};
    shared_queue<offset_t, parents> next{{scratch + 2 * capacity, scratch + 3 * capacity}, ids + capacity};
    const auto from = typed<offset_t, parents>(current_queue(search, at), rules);
    const auto to = typed<offset_t, parents>(next_queue(search, at), rules);
    uint32_t *visited = visited_bitmap(search, at);
    for (uint32_t i = threadIdx.x; i < at.size; i += blockDim.x)
        current.put(i, from.load(i));
    if (threadIdx.x < NUM_COUNTS)
        shared->counts[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t round = 0; fits_single_block(at, rules) && !is_done(at, unreachable); round++) {
        uint64_t *next_count = count_of(shared->counts, round + 1);
        if (threadIdx.x == 0)
            *count_of(shared->counts, round + 2) = 0;
        const auto found = discovery_of(graph, search, rules, at, visited, next, next_count);
        for_each_edge<unroll>(graph.out.targets, current, at.size, (offset_t)at.edges, block_warps(),
                              [&](const lane_edges<unroll> &some, uint64_t, const auto &mine) {
                                  claim<parents>(found, some, mine);
                                  return false;
                              });
        __syncthreads();
        read_count(&at, rules, *(volatile uint64_t *)next_count);
        at.level++;
        if (profiled && threadIdx.x == 0)
            end_level(search.trace, at.level, LEVEL_TOP_DOWN, BY_SINGLE_BLOCK);
        at.unvisited -= (uint32_t)at.size;
        swap_values(current, next);
    }
    for (uint32_t i = threadIdx.x; i < at.size; i += blockDim.x)
        to.put(i, current.load(i));
    if (threadIdx.x == 0) {
        search.handover->level = at.level, search.handover->unvisited = at.unvisited;
        __stcg(count, at.size << rules.edge_bits | at.edges);
    }
}

} // namespace BACKEND::dobfs
