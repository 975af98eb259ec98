/* lazy.cuh: lazy updates, algorithm 3 (section 5.2): stage 1 of a level marks rows, and stage 2 makes the next
 * frontier from the marks. Bottom-up levels on CUDA cores, algorithm 4 (section 5.3): unvisited vertices look for an
 * in-neighbour in the frontier. The kernel below switches between the two.
 *
 * Why the races are harmless. Stage 1 changes only `marked`, by reductions whose results no thread waits for. In
 * stage 2 and in bottom-up levels, each word of visited, marked and the next frontier belongs to one lane. The other
 * words that a stage reads (the frontier, the queue) are not written before the next barrier.
 *
 * Parents. Stage 1 of level k reads a row's word of `marked` before it marks the row. If the bit is clear, the row
 * has no level yet, since the rows of earlier levels were marked before a barrier; so it gets level k, and the thread
 * writes a column of the frontier, of level k - 1, as its parent. If the bit is set, the row has a level, or a thread
 * of this stage marks it and writes its parent. Several threads may find the bit clear: each of them writes a right
 * parent, and a store of four bytes is atomic. In bottom-up levels one lane writes both the level and the parent.
 *
 * A level has two grid barriers. The paper has a third one, after it has cleared the next frontier and the length of
 * the queue. Here stage 2 writes every word of the next frontier, and the counts are used in rotation
 * (vss_queue.cuh). */
#pragma once

#include "../../device/find_neighbour.cuh"
#include "search.cuh"

namespace BACKEND::blest
{

/* ---- bottom-up levels ---- */

#define STEPS_ALONE 16u /* steps of four edges that a lane tries before its warp helps */

/* Returns an in-neighbour of the lane's vertex that is in the frontier; NO_VERTEX if there is none, or if the lane
 * has no vertex. All lanes of the warp must call it. */
template <typename offset_t>
DEVICE vertex_t pull_by_edges(const csr<offset_t> &in_edges, const uint32_t *frontier, bool asks, uint32_t vertex)
{
    offset_t edge = asks ? in_edges.offsets[vertex] : 0, end = asks ? in_edges.offsets[vertex + 1] : 0;
    uint32_t steps = UINT32_MAX;
    return find_neighbour<STEPS_ALONE>(
        in_edges.targets, edge, end, 0, steps,
        [&](vertex_t neighbour) { return neighbour != NO_VERTEX ? *bitmap_word(frontier, neighbour) : 0; },
        [](vertex_t neighbour, uint32_t word, uint32_t) { return has_bit(word, neighbour); });
}

/* Runs a bottom-up level. Each bitmap word belongs to one warp, so the search and the update of a word need no
 * barrier between them. A warp takes up to 32 words, one after another, or fewer if other warps would get none. The
 * words of a warp are far apart, since unvisited vertices form clusters. */
template <bool parents, typename offset_t>
DEVICE void go_bottom_up(const csr<offset_t> &in_edges, const struct bvss &bvss, const struct search &search,
                         uint32_t num_words, const uint32_t *frontier, const struct found &to, struct team team)
{
    uint32_t words_of_warp = min(max(num_words / team.size, 1u), WARP_SIZE);
    uint32_t stride = (num_words + words_of_warp - 1) / words_of_warp;
    for (uint32_t first = team.rank; first < stride; first += team.size) {
        uint64_t word = first + (uint64_t)lane_id() * stride;
        bool has = lane_id() < words_of_warp && word < num_words;
        uint32_t visited = has ? __ldcg(&search.visited[word]) : UINT32_MAX, fresh = 0;
        for (unsigned left = __ballot_sync(WHOLE_WARP, visited != UINT32_MAX); left != 0; left &= left - 1) {
            int owner = __ffs((int)left) - 1;
            bool asks = !(__shfl_sync(WHOLE_WARP, visited, owner) >> lane_id() & 1);
            uint32_t vertex = (first + (uint32_t)owner * stride) * WARP_SIZE + lane_id();
            vertex_t parent = pull_by_edges(in_edges, frontier, asks, vertex);
            bool found = parent != NO_VERTEX;
            unsigned all_found = __ballot_sync(WHOLE_WARP, found);
            if (found)
                __stcg(&search.level[vertex], to.level);
            if (parents && found)
                __stcg(&search.parent[vertex], parent);
            if ((int)lane_id() == owner)
                fresh = all_found;
        }
        if (has)
            __stcg(&to.next_frontier[word], fresh);
        if (fresh != 0) {
            __stcg(&search.visited[word], visited | fresh);
            __stcg(&search.marked[word], visited | fresh);
        }
        enqueue_word(bvss, to.next_queue, to.count, (uint32_t)word, fresh);
    }
}

/* ---- lazy updates ---- */

/* Marks the hit rows of a tile that are not marked, and records their parents. hits: bit c for row[c]. */
DEVICE void mark_with_parents(const struct search &search, const struct tile &tile, const vertex_t (&row)[THETA],
                              uint32_t frontier, unsigned hits)
{
    uint32_t marked[THETA];
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        marked[c] = load_relaxed_if(hits >> c & 1, bitmap_word(search.marked, row[c]));
#pragma unroll
    for (unsigned c = 0; c < THETA; c++)
        if ((hits >> c & 1) && !has_bit(marked[c], row[c])) {
            set_bit(search.marked, row[c]);
            record_parent(search, tile, frontier, c, row[c]);
        }
}

/* Runs stage 1: marks every row, visited or not, that has a neighbour in the frontier. */
template <enum layout layout, bool parents>
DEVICE void mark_lazily(const struct bvss &bvss, const struct search &search, const uint32_t *frontier,
                        const uint2 *queue, uint32_t size, struct team team)
{
    for_each_vss(
        bvss, queue, size, team, [&](uint32_t set) -> uint32_t { return ((const unsigned char *)frontier)[set]; },
        [&](const struct tile &tile) {
            const vertex_t row[THETA] = {tile.rows.x, tile.rows.y, tile.rows.z, tile.rows.w};
            uint32_t alpha = __shfl_sync(WHOLE_WARP, tile.frontier, 0);
            if (parents)
                mark_with_parents(search, tile, row, alpha, pull<layout>(tile.masks, alpha));
            else
                pull_and_update<layout>(tile.masks, alpha, [&](unsigned c) { set_bit(search.marked, row[c]); });
        });
}

/* Runs stage 2: the newly marked rows become the next frontier. Each lane takes one word. */
DEVICE void finalize(const struct bvss &bvss, const struct search &search, uint32_t num_words, const struct found &to,
                     struct team team)
{
    for (uint64_t base = (uint64_t)team.rank * WARP_SIZE; base < num_words; base += team.size * WARP_SIZE) {
        uint64_t word = base + lane_id();
        bool has = word < num_words;
        uint32_t marked = has ? __ldcg(&search.marked[word]) : 0, visited = has ? __ldcg(&search.visited[word]) : 0;
        uint32_t fresh = marked ^ visited;
        if (has)
            __stcg(&to.next_frontier[word], fresh);
        if (fresh != 0)
            __stcg(&search.visited[word], marked);
        for (unsigned words = __ballot_sync(WHOLE_WARP, fresh != 0); words != 0; words &= words - 1) {
            int owner = __ffs((int)words) - 1; /* all lanes write the levels of this lane's 32 vertices */
            if (__shfl_sync(WHOLE_WARP, fresh, owner) >> lane_id() & 1)
                __stcg(&search.level[(base + (unsigned)owner) * WARP_SIZE + lane_id()], to.level);
        }
        enqueue_word(bvss, to.next_queue, to.count, (uint32_t)word, fresh);
    }
}

/* Runs all levels of a search, with lazy updates. eta: 0 means no bottom-up levels; in_edges is then not used. */
template <enum layout layout, bool parents, typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS, LAZY_BLOCKS)
    blest_lazy_kernel(csr<offset_t> in_edges, struct bvss bvss, struct search search, uint32_t eta)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    uint32_t num_words = bitmap_words(bvss.num_vertices), unvisited = bvss.num_vertices;
    uint2 *queue = search.queue, *next_queue = search.next_queue;
    uint32_t *frontier = search.frontier, *next_frontier = search.next_frontier;
    uint64_t now = first_count(search, shared);
    trace_level(search, 0, LEVEL_TOP_DOWN);
    for (uint32_t level = 1; (uint32_t)now != 0; level++) {
        uint64_t *count = count_of(search.counts, level);
        uint32_t size = (uint32_t)now;
        unvisited -= (uint32_t)(now >> 32);
        enum level_mode mode = unvisited < (uint64_t)eta * size ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN;
        const struct found to = {level, next_frontier, next_queue, count};
        if (mode == LEVEL_BOTTOM_UP) {
            go_bottom_up<parents>(in_edges, bvss, search, num_words, frontier, to, team);
        } else {
            mark_lazily<layout, parents>(bvss, search, frontier, queue, size, team);
            if (grid_wait(search.barrier, count_of(search.counts, level - 1), &shared->broadcast) == UINT64_MAX)
                return;
            finalize(bvss, search, num_words, to, team);
        }
        if (is_first_thread())
            *count_of(search.counts, level + 1) = 0;
        swap_values(queue, next_queue);
        swap_values(frontier, next_frontier);
        now = grid_wait(search.barrier, count, &shared->broadcast);
        if (now == UINT64_MAX)
            return;
        trace_level(search, level, mode);
    }
}

} // namespace BACKEND::blest
