/* rounds.cuh: the traversal with the index: one persistent kernel whose rounds advance k levels each.
 *
 * As in delta-stepping, levels are divided into buckets; the current bucket holds the levels base .. base + k -
 * 1. A round expands the due items: those whose level is in the current bucket. The items that it pushes have
 * levels below base + 2k. A block keeps items that are not due yet. When no item is due in any block, base
 * advances by k, and all kept items are due. If every radius is k, all items have levels that are multiples of
 * k. Then every round advances to the next bucket, a vertex is pushed once, and inner entries (never multiples
 * of k) and outer entries never have the same level.
 *
 * Too many items. A block that cannot keep an item drops it and reports this in its next message (LOST). In
 * that epoch, all blocks drop all their items and sweep: they scan the levels and expand every vertex whose
 * level is in the current bucket. They sweep once more in the next bucket. The sweeps find the vertex of every
 * dropped item, because its level is in one of these two buckets. Items of earlier buckets are done. Later
 * writes are above the level that they expand, so they do not lower the vertex below the current bucket.
 * Expanding a vertex unnecessarily changes nothing. So the length of the lists only affects speed, and no graph
 * is too wide. */
#pragma once

#include "expand.cuh"
#include "mailbox.cuh"

namespace BACKEND::khop
{

/* Expands the items due. */
template <typename word_t, unsigned unroll, bool filter>
static __device__ __forceinline__ void expand_listed(const struct ball_index<word_t> &index,
                                                     const struct search &search, struct shared *shared,
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
                                        index.entries + (size_t)item.first * ENTRIES_OF_UNIT<word_t> + begin,
                                        number});
    }
}

/* Expands all vertices whose level is in the current bucket. */
template <typename word_t, unsigned unroll, bool filter>
static __device__ __forceinline__ void sweep(const struct ball_index<word_t> &index, const struct search &search,
                                             struct shared *shared, const struct round &round)
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
                                               {(vertex_t)(first + (unsigned)owner), owner_level,
                                                radius_of(owner_row), entries + begin,
                                                (uint32_t)min(length - begin, (uint64_t)piece_entries)});
        }
    }
}

/* Resets the levels and the block's shared memory. The first block pushes the source. */
template <typename word_t>
static __device__ __forceinline__ void reset(const struct ball_index<word_t> &index, const struct search &search,
                                             struct shared *shared, const struct round &round, vertex_t source)
{
    const unsigned number = sizeof(uint4) / sizeof(uint32_t);
    for (uint64_t i = thread_of_grid(); i * number < search.num_vertices; i += threads_of_grid()) {
        uint32_t to_source = i == source / number ? source % number : number;
        uint4 levels = {to_source == 0 ? 0 : UNREACHED, to_source == 1 ? 0 : UNREACHED,
                        to_source == 2 ? 0 : UNREACHED, to_source == 3 ? 0 : UNREACHED};
        ((uint4 *)search.level)[i] = levels;
    }
    if (threadIdx.x < 2) {
        shared->outgoing[threadIdx.x] = {0, 0};
        shared->received[threadIdx.x] = 0;
        shared->counts[threadIdx.x][0] = shared->counts[threadIdx.x][1] = 0;
    }
    __threadfence(); /* the levels before the first message */
    __syncthreads();
    if (is_first_thread())
        push(index, search, shared, round, source, index.rows[source], 0);
}

/* Who changes which words of the block's shared memory, and when. S, R and E are the phases of an epoch e:
 * sending; receiving, which ends in a block barrier; and expanding, which ends at the next block barrier.
 *
 *   pushed, outgoing[e % 2]   Written in E of e - 1; outgoing[e % 2].flags also in R of e - 1. Read in S of e.
 *                             Thread 0 clears them in E of e, so before R of e + 1, which writes them again.
 *
 *   received[e % 2]           Written in R of e, read behind its barrier. Thread 0 clears it in S of e + 1.
 *
 *   lists, counts             Written in R of e, read in E of e. From then on, the list that E expands uses its other
 *                             count. So thread 0 may clear this one in S of e + 1 while other threads are in R. */
template <typename word_t, unsigned unroll, bool filter>
__global__ void __launch_bounds__(THREADS, 1)
    rounds_kernel(struct ball_index<word_t> index, struct search search, vertex_t source)
{
    struct shared *shared = block_shared<struct shared>();
    struct round round = {*(volatile uint32_t *)search.mailboxes.epoch, 0, 0, 0, 0, false};
    reset(index, search, shared, round, source);
    for (bool is_first = true;; is_first = false) {
        __syncthreads();
        round.epoch++;
        if (threadIdx.x == 0) {
            shared->received[(round.epoch + 1) % 2] = 0;
            shared->counts[0][~round.in_use & 1] = 0;
            shared->counts[1][~round.in_use >> 1 & 1] = 0;
        }
        send(search, shared, round);
        uint32_t flags = receive<word_t, unroll>(search, shared, round);
        if (RARELY(is_first))
            __threadfence(); /* the messages before the levels */
        if (!(flags & ANY) || (flags & BROKEN))
            break;
        if (threadIdx.x == 0)
            shared->outgoing[round.epoch % 2] = {0, 0};
        bool sweeps = flags & LOST;
        if (!(flags & (DUE | LOST))) {
            round.base += search.k;
            round.due ^= 1;
            sweeps = round.base < round.sweep_until;
        }
        if (RARELY(flags & LOST))
            round.sweep_until = round.base + 2 * search.k;
        unsigned kept = round.due ^ 1;
        uint32_t count = *count_of(shared, round, round.due);
        bool overflowed = count >> TASK_COUNT_BITS > search.list_size; /* items were dropped, so all are */
        uint32_t num_tasks = overflowed ? 0 : count & TASK_COUNT_MASK;
        round.keeps = *count_of(shared, round, kept) > 0 || round.base + search.k < round.sweep_until;
        round.in_use ^= 1u << round.due;
        if (RARELY(sweeps)) {
            round.in_use ^= 1u << kept;
            sweep<word_t, unroll, filter>(index, search, shared, round);
        } else {
            expand_listed<word_t, unroll, filter>(index, search, shared, round, num_tasks);
        }
    }
    if (is_first_thread())
        *search.mailboxes.epoch = round.epoch;
}

} // namespace BACKEND::khop
