/* rounds.cuh: the traversal with the index. One persistent kernel runs rounds that advance k levels each.
 *
 * As in delta-stepping, levels are divided into buckets. The current bucket holds the levels base .. base + k - 1. A
 * round expands the due items, whose level is in the current bucket. This pushes items with levels below base + 2k. A
 * block keeps items that are not due yet. When no block has a due item, base advances by k, and all kept items become
 * due. If every radius is k, all items have levels that are multiples of k. Then every round advances to the next
 * bucket, and a vertex is pushed once. No level comes both from an inner entry (never a multiple of k) and from an
 * outer one.
 *
 * Too many items. A block that cannot keep an item drops it and says so in its next message (flag LOST). In that
 * epoch, all blocks drop all their items. In the next epoch, which is ordered, they sweep: they scan the levels and
 * expand every vertex whose level is in the current bucket. They sweep the next bucket too. The sweeps find the
 * vertex of every dropped item: its level is in one of these two buckets and was written before the ordered messages.
 * Items of earlier buckets are already expanded. Later writes set levels above the level that they expand, so they do
 * not lower the vertex below the current bucket. Expanding a vertex twice changes nothing. So short lists cost only
 * time, and no graph is too wide.
 *
 * Expanding vertex v of radius r at level L sets level[x] = min(level[x], L + d) for each entry (x, d) of its row. If
 * d < r (an inner entry), no thread waits for the result. If d = r (an outer entry), the atomic returns the old
 * level, and the thread that lowered the level pushes the item (x, L + r). The item is expanded later, unless x has a
 * lower level by then (the item is stale). The thread may read an outdated, higher level of x, since messages do not
 * order the writes to levels. Then it expands a stale item, which is harmless.
 *
 * Why the final levels are correct in any order. Let D(x) be the distance of x from the source. Every level written
 * is the length of a path, so it is never below D. Call u exactly expanded if it was expanded at level D(u); its
 * whole row was then expanded at that level. Suppose that expanding u at level L writes D(x) = L + d. Since D(x) <=
 * D(u) + d <= L + d, u was exactly expanded.
 *
 *   (1) When level[x] becomes D(x), an outer or an inner entry lowered it. An outer entry pushes x with D(x).
 *       Such an item is never stale, so x is exactly expanded. If it was an inner entry of u, then u was exactly
 *       expanded, and D(x) = D(u) + d with d < radius(u). x need not be pushed: we say that u covers it.
 *
 *   (2) Every reachable x gets level D(x), by induction over D. Let y precede x on a shortest path. If y is exactly
 *       expanded, x is in its row (radius >= 1) and gets at most D(y) + 1 = D(x). If u covers y at distance d, x is
 *       within d + 1 <= radius(u) steps of u. So x is in the row of u, at a distance of at most d + 1, and gets at
 *       most D(u) + d + 1 = D(x).
 *
 * So correctness does not depend on timing: the write of an inner entry may arrive late, an item may be expanded
 * twice, and a vertex may first get a level that is too high. A good order only saves work. */
#pragma once

#include "items.cuh"

namespace BACKEND::khop
{

/* A piece of a row, which one warp expands at once: at most unroll * WARP_SIZE entries. */
template <typename word_t>
struct row_piece {
    vertex_t vertex; /* the vertex whose row it is */
    uint32_t level;  /* the vertex's level when the item was pushed or the sweep read it */
    unsigned radius;
    const word_t *entries;
    uint32_t number; /* entries up to the end of the item or row; may exceed the piece */
};

/* Expands a piece, unless its vertex has a lower level by now. Lanes may read different levels while another thread
 * lowers the level. That thread pushes or covers the vertex, so each lane may use the level that it reads. */
template <typename word_t, unsigned unroll, bool filter>
DEVICE void expand(const struct ball_index<word_t> &index, const struct search &search, struct shared *shared,
                   const struct round &round, const struct row_piece<word_t> &piece)
{
    const word_t *entries = piece.entries;
    const uint32_t level = piece.level, number = piece.number;
    const unsigned radius = piece.radius;
    word_t entry[unroll];
    uint32_t target[unroll], old[unroll];
    vertex_t found[unroll];
    row_t row[unroll];
    bool inner[unroll], outer[unroll];
    uint32_t current = __ldcg(&search.level[piece.vertex]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        entry[i] = load_if(i * WARP_SIZE + lane_id() < number, &entries[i * WARP_SIZE + lane_id()]);
    if (RARELY(current < level))
        return;
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) {
        unsigned distance = (unsigned)entry[i] & ((1u << index.distance_bits) - 1);
        found[i] = (vertex_t)(entry[i] >> index.distance_bits);
        target[i] = level + distance;
        inner[i] = entry[i] != NO_ENTRY<word_t> && distance < radius;
        outer[i] = entry[i] != NO_ENTRY<word_t> && distance == radius;
    }
    if (filter) {
#pragma unroll
        for (unsigned i = 0; i < unroll; i++)
            old[i] = load_relaxed_if(inner[i] || outer[i], &search.level[found[i]]);
#pragma unroll
        for (unsigned i = 0; i < unroll; i++) {
            inner[i] = inner[i] && old[i] > target[i];
            outer[i] = outer[i] && old[i] > target[i];
        }
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) /* inner first: a covered vertex is then not pushed */
        if (inner[i])
            atomicMin(&search.level[found[i]], target[i]);
#pragma unroll
    for (unsigned i = 0; i < unroll; i++) { /* loads rows while the atomics are in flight */
        old[i] = min_if(outer[i], &search.level[found[i]], target[i]);
        row[i] = load_if(outer[i], &index.rows[found[i]]);
    }
#pragma unroll
    for (unsigned i = 0; i < unroll; i++)
        if (outer[i] && old[i] > target[i])
            push(index, search, shared, round, found[i], row[i], target[i]);
}

template <typename word_t, unsigned unroll, bool filter>
DEVICE void expand_listed(const struct ball_index<word_t> &index, const struct search &search, struct shared *shared,
                          const struct round &round, uint32_t num_tasks)
{
    const uint32_t piece_entries = unroll * WARP_SIZE;
    const struct item_list *list = &shared->lists[round.due];
    for (uint32_t i = threadIdx.x / WARP_SIZE; i < num_tasks; i += blockDim.x / WARP_SIZE) {
        uint32_t task = list->tasks[i], begin = (task & (MAX_PIECES - 1)) * piece_entries;
        const struct item item = list->items[task >> PIECE_BITS];
        uint32_t number = (item.units_radius >> RADIUS_BITS) * ENTRIES_OF_UNIT<word_t> - begin;
        expand<word_t, unroll, filter>(index, search, shared, round,
                                       {item.vertex, item.level, item.units_radius & RADIUS_MASK,
                                        index.entries + (size_t)item.first * ENTRIES_OF_UNIT<word_t> + begin, number});
    }
}

/* Expands all vertices whose level is in the current bucket. */
template <typename word_t, unsigned unroll, bool filter>
DEVICE void sweep(const struct ball_index<word_t> &index, const struct search &search, struct shared *shared,
                  const struct round &round)
{
    const uint32_t piece_entries = unroll * WARP_SIZE;
    for (uint64_t first = thread_of_grid() - lane_id(); first < search.num_vertices; first += threads_of_grid()) {
        uint64_t mine = first + lane_id();
        uint32_t level = load_relaxed_if(mine < search.num_vertices, &search.level[mine]);
        bool in_bucket = level != UNREACHED && level - round.base < search.k;
        row_t row = load_if(in_bucket, &index.rows[mine]);
        for (unsigned rest = __ballot_sync(WHOLE_WARP, in_bucket); rest != 0; rest &= rest - 1) {
            int owner = __ffs((int)rest) - 1;
            row_t owner_row = __shfl_sync(WHOLE_WARP, row, owner);
            uint32_t owner_level = __shfl_sync(WHOLE_WARP, level, owner);
            uint64_t length = (uint64_t)units_of(owner_row) * ENTRIES_OF_UNIT<word_t>;
            const word_t *entries = index.entries + (size_t)first_of(owner_row) * ENTRIES_OF_UNIT<word_t>;
            for (uint64_t begin = 0; begin < length; begin += piece_entries)
                expand<word_t, unroll, filter>(index, search, shared, round,
                                               {(vertex_t)(first + (unsigned)owner), owner_level, radius_of(owner_row),
                                                entries + begin,
                                                (uint32_t)min(length - begin, (uint64_t)piece_entries)});
        }
    }
}

/* Resets the levels and the block's shared memory. The first block pushes the source. */
template <typename word_t>
DEVICE void reset(const struct ball_index<word_t> &index, const struct search &search, struct shared *shared,
                  const struct round &round, vertex_t source)
{
    const unsigned number = sizeof(uint4) / sizeof(uint32_t);
    for (uint64_t i = thread_of_grid(); i * number < search.num_vertices; i += threads_of_grid()) {
        uint32_t to_source = i == source / number ? source % number : number;
        uint4 levels = {to_source == 0 ? 0 : UNREACHED, to_source == 1 ? 0 : UNREACHED, to_source == 2 ? 0 : UNREACHED,
                        to_source == 3 ? 0 : UNREACHED};
        ((uint4 *)search.level)[i] = levels;
    }
    if (threadIdx.x < 2) {
        shared->outgoing[threadIdx.x] = {0, 0};
        shared->received[threadIdx.x] = 0;
        shared->counts[threadIdx.x][0] = shared->counts[threadIdx.x][1] = 0;
    }
    __syncthreads();
    if (is_first_thread())
        push(index, search, shared, round, source, index.rows[source], 0);
}

/* Records the end of the current bucket. All levels up to base + k are now final. */
template <bool profiled>
DEVICE void end_bucket(const struct search &search, const struct round &round)
{
    if (profiled && is_first_thread()) /* sweeps may end after the last bucket */
        end_level(search.trace, min(round.base / search.k, search.num_vertices) + 1, LEVEL_TOP_DOWN);
}

/* When the words of the block's shared memory change. S, R and E are the phases of an epoch e: sending; receiving,
 * which ends with a block barrier; expanding, which ends at the next block barrier.
 *
 *   pushed, outgoing[e % 2]   Written in E of e - 1; outgoing[e % 2].flags also in R of e - 1. Read in S of e.
 *                             Thread 0 clears them in E of e, so before R of e + 1, which writes them again.
 *
 *   received[e % 2]           Written in R of e, read after its barrier. Thread 0 clears it in S of e + 1.
 *
 *   lists, counts             Written in R of e, read in E of e. Before E expands a list, it switches the list to the
 *                             other count. So thread 0 may clear the old count in S of e + 1 while others receive. */
template <typename word_t, unsigned unroll, bool filter, bool profiled>
__global__ void __launch_bounds__(THREADS, 1)
    rounds_kernel(struct ball_index<word_t> index, struct search search, vertex_t source)
{
    struct shared *shared = block_shared<struct shared>();
    struct round round = {*(volatile uint32_t *)search.mailboxes.epoch, 0, 0, 0, 0, false, true};
    reset(index, search, shared, round, source); /* precedes the messages of the first, ordered epoch */
    if (profiled && is_first_thread())
        end_level(search.trace, 0, LEVEL_TOP_DOWN);
    for (;;) {
        __syncthreads();
        round.epoch++;
        if (threadIdx.x == 0) {
            shared->received[(round.epoch + 1) % 2] = 0;
            *spare_count_of(shared, round, 0) = *spare_count_of(shared, round, 1) = 0;
        }
        send(search, shared, round);
        uint32_t flags = receive<word_t, unroll>(search, shared, round);
        if (!(flags & ANY) || (flags & BROKEN))
            break;
        if (threadIdx.x == 0)
            shared->outgoing[round.epoch % 2] = {0, 0};
        bool sweeps = round.ordered && round.base < round.sweep_until;
        round.ordered = flags & LOST;
        if (RARELY(flags & LOST)) {
            round.sweep_until = round.base + 2 * search.k;
            round.keeps = true;
            empty_list(round, 0);
            empty_list(round, 1);
            continue;
        }
        if (!sweeps && !(flags & DUE)) {
            end_bucket<profiled>(search, round);
            round.base += search.k;
            round.due = other_list(round.due);
            sweeps = round.base < round.sweep_until;
        }
        if (RARELY(sweeps))
            sweep<word_t, unroll, filter>(index, search, shared, round);
        unsigned kept = other_list(round.due);
        uint32_t count = *count_of(shared, round, round.due);
        bool overflowed = count >> TASK_COUNT_BITS > search.list_size; /* then all blocks drop all items */
        uint32_t num_tasks = overflowed ? 0 : count & TASK_COUNT_MASK;
        round.keeps = *count_of(shared, round, kept) > 0 || round.base + search.k < round.sweep_until;
        empty_list(round, round.due);
        expand_listed<word_t, unroll, filter>(index, search, shared, round, num_tasks);
    }
    end_bucket<profiled>(search, round);
    if (is_first_thread())
        *search.mailboxes.epoch = round.epoch;
}

} // namespace BACKEND::khop
