/* paper.cuh: the kernels of mode=paper: algorithms 2, 3 and 4 as in the paper and its authors' code, to measure what
 * gtrav's changes gain. The queue holds VSSs, and virtualToReal gives their sets. All three use a bitmap as frontier.
 * A level has three grid barriers. In bottom-up levels, a lane goes through its vertex's in-edges alone. */
#pragma once

#include "search.cuh"

namespace BACKEND::blest
{

/* Why the races are harmless. Algorithm 2 reads and writes levels without atomics, like eager.cuh. A thread may find
 * an outdated UNREACHED in L1, but no level of an earlier search, since the acquire of a barrier invalidates L1.
 * Several threads may find vertices of one set. For exactly one of them, atomicOr returns a word in which the set's
 * byte is clear; this thread queues the set. In algorithms 3 and 4, a word of V_curr and of the frontier belongs to
 * one thread, and V_next changes by reductions.
 *
 * Why the counts are safe. Level k adds to counts[k % 2] and reads counts[(k - 1) % 2]. A count is cleared only after
 * a barrier that its last readers have passed, and before the next barrier. */
DEVICE uint64_t *paper_count(const struct search &search, uint32_t level)
{
    return &search.counts[level % 2];
}

/* Calls use(rows, masks, alpha) for this warp's VSSs of the queue (lines 12 to 18 of algorithm 2). Lanes beyond the
 * last tile of a VSS get empty masks. */
DEVICE void for_each_queued(const struct bvss &bvss, const uint32_t *frontier, const uint32_t *queue, uint32_t size,
                            struct team team, auto use)
{
    for (uint64_t i = team.rank; i < size; i += team.size) {
        uint32_t vss = queue[i];
        uint32_t alpha = ((const unsigned char *)frontier)[bvss.virtual_to_real[vss]], masks = 0;
        uint64_t tile = (uint64_t)vss * WARP_SIZE, end = tile + WARP_SIZE;
        uint4 rows = {};
        if (bvss.tile_ptrs != NULL) {
            tile = bvss.tile_ptrs[vss];
            end = bvss.tile_ptrs[vss + 1];
        }
        if (tile + lane_id() < end) {
            rows = __ldg(&bvss.row_ids[tile + lane_id()]);
            masks = __ldg(&bvss.masks[tile + lane_id()]);
        }
        use(rows, masks, alpha);
    }
}

/* Runs lines 28 to 36 of algorithm 2 for one row with a non-zero product. */
DEVICE void update_row(const struct bvss &bvss, const struct search &search, vertex_t row, uint32_t level,
                       uint32_t *next_frontier, uint32_t *next_queue)
{
    if (level >= search.level[row])
        return;
    search.level[row] = level;
    uint32_t set = row / SIGMA, old = atomicOr(bitmap_word(next_frontier, row), bit_of(row));
    if ((old >> set % SETS_OF_WORD * SIGMA & COLUMN_MASK) != 0)
        return;
    uint32_t first = bvss.real_ptrs[set], length = bvss.real_ptrs[set + 1] - first;
    uint64_t place = atomicAdd(paper_count(search, level), length);
    for (uint32_t i = 0; i < length; i++)
        next_queue[place + i] = first + i;
}

/* Runs algorithm 2. */
template <enum layout layout>
__global__ void __launch_bounds__(MOST_THREADS, EAGER_BLOCKS) paper_eager_kernel(struct bvss bvss, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps(), threads = grid_threads();
    uint32_t num_words = bitmap_words(bvss.num_vertices);
    uint32_t *queue = search.vss_queue, *next_queue = search.next_vss_queue;
    uint32_t *frontier = search.frontier, *next_frontier = search.next_frontier;
    uint64_t now = first_count(search, shared);
    trace_level(search, 0, LEVEL_TOP_DOWN);
    for (uint32_t level = 1; now != 0; level++) {
        const uint64_t *count = paper_count(search, level);
        for_each_queued(bvss, frontier, queue, (uint32_t)now, team, [&](uint4 rows, uint32_t masks, uint32_t alpha) {
            const vertex_t row[THETA] = {rows.x, rows.y, rows.z, rows.w};
            pull_and_update<layout>(
                masks, alpha, [&](unsigned c) { update_row(bvss, search, row[c], level, next_frontier, next_queue); });
        });
        now = grid_wait(search.barrier, count, &shared->broadcast);
        swap_values(queue, next_queue);
        swap_values(frontier, next_frontier);
        if (now == UINT64_MAX || grid_wait(search.barrier, count, &shared->broadcast) == UINT64_MAX)
            return;
        if (is_first_thread())
            *paper_count(search, level + 1) = 0;
        for (uint64_t word = threads.rank; word < num_words; word += threads.size)
            next_frontier[word] = 0;
        if (grid_wait(search.barrier, count, &shared->broadcast) == UINT64_MAX)
            return;
        trace_level(search, level, LEVEL_TOP_DOWN);
    }
}

/* Runs stage 1 of algorithm 3. */
template <enum layout layout>
DEVICE void mark_top_down(const struct bvss &bvss, const struct search &search, const uint32_t *queue, uint32_t size,
                          struct team team)
{
    for_each_queued(bvss, search.frontier, queue, size, team, [&](uint4 rows, uint32_t masks, uint32_t alpha) {
        const vertex_t row[THETA] = {rows.x, rows.y, rows.z, rows.w};
        pull_and_update<layout>(masks, alpha, [&](unsigned c) { set_bit(search.marked, row[c]); });
    });
}

/* Runs stage 1 of algorithm 4: a lane reads the in-edges of its unvisited vertex until a source is in the
 * frontier. */
template <typename offset_t>
DEVICE void mark_bottom_up(const csr<offset_t> &in_edges, const struct search &search, uint32_t num_words,
                           struct team team)
{
    for (uint64_t word = team.rank; word < num_words; word += team.size) {
        if (search.visited[word] >> lane_id() & 1) /* vertices beyond the last one count as visited */
            continue;
        uint32_t vertex = (uint32_t)word * WARP_SIZE + lane_id();
        for (offset_t edge = in_edges.offsets[vertex]; edge < in_edges.offsets[vertex + 1]; edge++) {
            vertex_t neighbour = in_edges.targets[edge];
            if (!has_bit(*bitmap_word(search.frontier, neighbour), neighbour))
                continue;
            atomicOr(&search.marked[word], 1u << lane_id());
            break;
        }
    }
}

/* Runs stage 2 of algorithms 3 and 4: replaces the frontier by the next one in place. The warp makes one atomic
 * addition for all sets that it queues. */
DEVICE void finalize_words(const struct bvss &bvss, const struct search &search, uint32_t num_words, uint32_t level,
                           uint32_t *next_queue, struct team team)
{
    for (uint64_t base = (uint64_t)team.rank * WARP_SIZE; base < num_words; base += team.size * WARP_SIZE) {
        uint64_t word = base + lane_id(), mine = 0;
        bool has = word < num_words;
        uint32_t next = has ? search.marked[word] : 0, fresh = has ? search.visited[word] ^ next : 0;
        if (has)
            search.frontier[word] = fresh;
        if (fresh != 0)
            search.visited[word] = next;
        for (uint32_t left = fresh; left != 0; left &= left - 1)
            search.level[word * WARP_SIZE + (uint32_t)__ffs((int)left) - 1] = level;
        struct range sets[SETS_OF_WORD] = {};
#pragma unroll
        for (unsigned i = 0; i < SETS_OF_WORD; i++)
            if ((fresh >> i * SIGMA & COLUMN_MASK) != 0) {
                uint32_t set = (uint32_t)word * SETS_OF_WORD + i;
                sets[i] = {set, bvss.real_ptrs[set], bvss.real_ptrs[set + 1]};
                mine += sets[i].end - sets[i].first;
            }
        uint64_t end = warp_inclusive_sum(mine + ((uint64_t)__popc(fresh) << 32)), before = 0;
        if (lane_id() == WARP_SIZE - 1 && end != 0)
            before = atomicAdd(paper_count(search, level), end);
        uint32_t place = (uint32_t)__shfl_sync(WHOLE_WARP, before, WARP_SIZE - 1) + (uint32_t)(end - mine);
#pragma unroll
        for (unsigned i = 0; i < SETS_OF_WORD; i++)
            for (uint32_t vss = sets[i].first; vss < sets[i].end; vss++)
                next_queue[place++] = vss;
    }
}

/* Runs algorithm 3. Its levels go bottom-up by algorithm 4 while unvisited < eta * |Q|. eta: 0 means no bottom-up
 * levels; in_edges is then not used. */
template <enum layout layout, typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS, LAZY_BLOCKS)
    paper_lazy_kernel(csr<offset_t> in_edges, struct bvss bvss, struct search search, uint32_t eta)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = grid_warps();
    uint32_t num_words = bitmap_words(bvss.num_vertices), unvisited = bvss.num_vertices;
    uint32_t *queue = search.vss_queue, *next_queue = search.next_vss_queue;
    uint64_t now = first_count(search, shared);
    trace_level(search, 0, LEVEL_TOP_DOWN);
    for (uint32_t level = 1; (uint32_t)now != 0; level++) {
        uint64_t *count = paper_count(search, level);
        unvisited -= (uint32_t)(now >> 32);
        enum level_mode mode = unvisited < (uint64_t)eta * (uint32_t)now ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN;
        if (mode == LEVEL_BOTTOM_UP)
            mark_bottom_up(in_edges, search, num_words, team);
        else
            mark_top_down<layout>(bvss, search, queue, (uint32_t)now, team);
        if (is_first_thread())
            *count = 0;
        if (grid_wait(search.barrier, paper_count(search, level - 1), &shared->broadcast) == UINT64_MAX)
            return;
        finalize_words(bvss, search, num_words, level, next_queue, team);
        now = grid_wait(search.barrier, count, &shared->broadcast);
        swap_values(queue, next_queue);
        if (now == UINT64_MAX || grid_wait(search.barrier, count, &shared->broadcast) == UINT64_MAX)
            return;
        trace_level(search, level, mode);
    }
}

} // namespace BACKEND::blest
