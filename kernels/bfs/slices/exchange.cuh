/* exchange.cuh: all blocks run levels of hundreds to thousands of vertices. They need no barrier and no bitmap of
 * marks, because they send each other the vertices that they have claimed (device/mailbox.cuh). Vertex i of a block
 * goes to block (i + rotation) % blocks, which expands it. So the vertices are spread evenly over the blocks.
 *
 * A message also carries two numbers of its block: the vertices claimed and the slices read. So all blocks know the
 * same sums and choose the next kind of level alike.
 *
 * A message carries one vertex; a sender's other vertices go through an overflow area. The sender executes a fence
 * after it has written them, so that they arrive before the message. The receiver executes a fence after it has read
 * the message. Otherwise the loads from the area could come first and return vertices of two epochs ago, since their
 * addresses do not depend on the message. device/mailbox.cuh says why epochs of the same parity may reuse the area.
 *
 * When another level of this kind follows, no block has received more vertices than its list holds (set_rules in
 * slices.cu limits them). After a larger level, the remaining vertices are in search.resumed, and the grid takes
 * over.
 *
 * Claims need no fence. The order of the atomics on a word of `visited` decides who claims a vertex. Apart from that
 * word and the messages, the next level reads nothing that this level wrote. A level of the grid, which reads
 * bitmaps, comes only after a barrier. */
#pragma once

#include "listed.cuh"

namespace BACKEND::slices
{

#define EXCHANGE_UNROLL 5u /* messages that a lane polls together */

/* After this many consecutive levels that suit one block ("thin" levels), block 0 continues alone. Frontiers that the
 * grid hands over shrink, as a rule, so that one such level suffices. Others may soon be too large for one block. */
#define THIN_LEVELS            2u
#define THIN_LEVELS_AFTER_GRID 1u

enum exchange_flag { EXCHANGE_SPILLED = 1, EXCHANGE_HIGH_DEGREE = 2 };

/* Returns the index, in the sender's list, of the first vertex that block `from` sends to block `to`. */
DEVICE uint32_t index_for(unsigned from, unsigned to, uint32_t epoch)
{
    uint32_t first = rotation(from, epoch % 1024) % gridDim.x; /* % 1024 keeps rotation() from wrapping around */
    return to >= first ? to - first : to + gridDim.x - first;
}

DEVICE uint32_t *overflow_of(const struct search &search, uint32_t epoch, unsigned from)
{
    return search.overflow + ((size_t)(epoch % 2) * gridDim.x + from) * LIST_VERTICES;
}

/* The words of a message: fields and their widths in bits
 *   vertex 32 | vertices claimed 16 | flags 8 | tag 8
 *   slices read 32 | unused 24 | tag 8
 * Threads `first` and above send the vertices that the block has claimed. first_index: the result of index_for() for
 * the thread's first receiver; the caller computes it while loads are in flight. */
DEVICE void send(const any_block auto &block, const uint32_t *vertices, unsigned first, uint32_t first_index)
{
    const struct exchange_counts *counts = &block.shared->exchange[block.epoch % 2];
    const uint32_t found = counts->found.vertices, read = counts->read, number = listed(block.rules, found);
    const uint32_t flags = (has_spilled(block.rules, found) ? EXCHANGE_SPILLED : 0) |
                           (found & FOUND_HIGH_DEGREE ? EXCHANGE_HIGH_DEGREE : 0);
    for (unsigned to = threadIdx.x - first; to < gridDim.x; to += blockDim.x - first) {
        uint32_t i = to == threadIdx.x - first ? first_index : index_for(blockIdx.x, to, block.epoch);
        uint32_t vertex = i < number ? vertices[i] : NO_VERTEX;
        if (number > gridDim.x)
            __threadfence(); /* the overflow area must be written before the message */
        store_pair(slot_of(block.search.mailboxes, block.epoch, to, blockIdx.x),
                   (uint64_t)vertex << 32 | number << 16 | flags << TAG_BITS | tag_of(block.epoch),
                   (uint64_t)read << 32 | tag_of(block.epoch));
    }
}

/* Stores the vertices that do not fit into the mailboxes (one per receiver) in the overflow area. All threads of the
 * block must call it. */
DEVICE void store_overflow(const any_block auto &block, const uint32_t *vertices)
{
    const uint32_t number = listed(block.rules, block.shared->exchange[block.epoch % 2].found.vertices);
    if (number <= gridDim.x)
        return;
    for (uint32_t i = gridDim.x + threadIdx.x; i < number; i += blockDim.x)
        __stcg(&overflow_of(block.search, block.epoch, blockIdx.x)[i], vertices[i]);
    __syncthreads();
}

/* Appends the vertices that a message announces to the list. i: the index of the first one in the sender's list. */
DEVICE void take_message(const any_block auto &block, unsigned from, uint32_t i, const uint64_t (&words)[2],
                         uint32_t *vertices)
{
    const uint32_t number = (uint32_t)words[0] >> 16;
    uint32_t vertex = (uint32_t)(words[0] >> 32);
    if (i >= number)
        return;
    if (number > gridDim.x)
        __threadfence(); /* the message must be read before the overflow area */
    for (; i < number; i += gridDim.x) {
        if (i >= gridDim.x)
            vertex = __ldcg(&overflow_of(block.search, block.epoch, from)[i]);
        append_claimed(block, vertex / WARP_SIZE, bit_of(vertex),
                       {vertices, &block.shared->exchange[block.epoch % 2].received});
    }
}

/* The sums over the messages of all blocks in an epoch. */
struct exchange_sums {
    uint32_t vertices, slices; /* vertices claimed, slices read */
    uint32_t flags;            /* all blocks' flags, or'ed */
};

/* Receives the messages of all blocks and appends their vertices to the list. A lane polls EXCHANGE_UNROLL messages
 * together. One warp calls it. Returns false if a message did not come. */
DEVICE bool receive(const any_block auto &block, uint32_t *vertices, struct exchange_sums *sums)
{
    bool works = true;
    *sums = {0, 0, 0};
    for (unsigned first = 0; first < gridDim.x; first += EXCHANGE_UNROLL * WARP_SIZE) {
        uint64_t words[EXCHANGE_UNROLL][2];
        uint32_t index[EXCHANGE_UNROLL];
#pragma unroll
        for (unsigned k = 0; k < EXCHANGE_UNROLL; k++) /* computed while the messages are in flight */
            index[k] = index_for(first + k * WARP_SIZE + lane_id(), blockIdx.x, block.epoch);
        works = wait_for_some<EXCHANGE_UNROLL>(block.search.mailboxes, first + lane_id(), block.epoch, words) && works;
#pragma unroll
        for (unsigned k = 0; k < EXCHANGE_UNROLL; k++) {
            unsigned from = first + k * WARP_SIZE + lane_id();
            if (from >= gridDim.x || !works)
                continue;
            take_message(block, from, index[k], words[k], vertices);
            sums->vertices += (uint32_t)words[k][0] >> 16;
            sums->flags |= (uint32_t)words[k][0] >> TAG_BITS & 0xff;
            sums->slices += (uint32_t)(words[k][1] >> 32);
        }
    }
    *sums = {__reduce_add_sync(WHOLE_WARP, sums->vertices), __reduce_add_sync(WHOLE_WARP, sums->slices),
             __reduce_or_sync(WHOLE_WARP, sums->flags)};
    return __all_sync(WHOLE_WARP, works);
}

/* ---- levels ---- */

/* Returns whether all levels from the frontier on go top-down. left: the slices that no level has read. If they are
 * few (rules.few_slices), so are those of every frontier to come, and no turn needs to count them. */
DEVICE bool stays_top_down(const struct rules &rules, uint32_t left)
{
    return rules.alpha == 0 || left <= rules.few_slices;
}

/* Chooses the kind of the next level after an exchange, and updates *at. One thread calls it. thin: consecutive
 * levels so far that were small enough for one block. at->from: where the first of these exchanges found its
 * frontier, as long as exchanges follow. Returns whether the next level is also an exchange. */
DEVICE bool choose_kind(const struct rules &rules, const struct exchange_sums &sums, uint32_t thin, struct progress *at)
{
    at->vertices = sums.vertices;
    at->slices = sums.slices >> rules.sum_shift;
    at->left -= min(at->left, at->slices);
    at->level++;
    if (sums.flags & EXCHANGE_HIGH_DEGREE) {
        at->kind = HIGH_DEGREE;
    } else if (sums.vertices == 0) {
        at->kind = DONE;
    } else if ((sums.flags & EXCHANGE_SPILLED) || sums.vertices > rules.exchange_vertices ||
               sums.slices > rules.exchange_slices ||
               (!stays_top_down(rules, at->left) && sums.vertices > rules.single_block_vertices &&
                (uint64_t)sums.vertices * rules.mean_slices * rules.alpha > (uint64_t)at->left << rules.sum_shift)) {
        at->kind = stays_top_down(rules, at->left) ? MARKS : COUNTS;
    } else if (thin >= (at->from == IN_LIST ? THIN_LEVELS : THIN_LEVELS_AFTER_GRID)) {
        at->kind = SINGLE_BLOCK;
    }
    if (at->kind == EXCHANGE)
        return true;
    at->from = at->kind == SINGLE_BLOCK ? IN_LIST : IN_RESUMED;
    return false;
}

/* Ends an exchange: receives the messages and chooses the next kind. One warp calls it. *thin: see choose_kind. */
DEVICE void end_exchange(const any_block auto &block, uint32_t *vertices, uint32_t *thin)
{
    struct shared *shared = block.shared;
    struct exchange_sums sums;
    bool works = receive(block, vertices, &sums);
    *thin = sums.vertices <= block.rules.single_block_vertices / 4 * 3 ? *thin + 1 : 0;
    __syncwarp();
    if (lane_id() > 0)
        return;
    shared->own = listed(block.rules, load_volatile(&shared->exchange[block.epoch % 2].received.vertices));
    shared->at.epoch = block.epoch;
    shared->goes_on = choose_kind(block.rules, sums, *thin, &shared->at) && works;
    if (!works)
        shared->at.kind = BROKEN;
}

/* Puts the block's part of the frontier into list 0: every gridDim.x-th vertex of search.list, or the vertices in the
 * words it owns. Clears the counts of the next epoch. Returns the number of vertices. */
DEVICE uint32_t take_vertices(const any_block auto &block, const struct progress &at)
{
    struct shared *shared = block.shared;
    struct exchange_counts *last = &shared->exchange[block.epoch % 2], *next = &shared->exchange[(block.epoch + 1) % 2];
    const bool in_list = at.from == IN_LIST;
    const uint32_t own = at.vertices > blockIdx.x ? (at.vertices - blockIdx.x - 1) / gridDim.x + 1 : 0;
    if (threadIdx.x == 0)
        *last = *next = {};
    __syncthreads();
    if (in_list)
        for (uint32_t i = threadIdx.x; i < own; i += blockDim.x)
            shared->lists[0][i] = __ldcg(&block.search.list[i * gridDim.x + blockIdx.x]);
    else
        for (uint32_t slot = threadIdx.x; slot < block.rules.words_a_block; slot += blockDim.x)
            append_claimed(block, block.own_word(slot), block.fresh[slot], {shared->lists[0], &last->received});
    __syncthreads();
    return in_list ? own : listed(block.rules, load_volatile(&last->received.vertices));
}

/* Runs levels until the frontier is empty or another kind of level is faster. At the start the frontier is in
 * search.list or `fresh`; after the next barrier it is in search.list or search.resumed. */
DEVICE void run_exchange(any_block auto &block)
{
    struct shared *shared = block.shared;
    const unsigned senders = blockDim.x > WARP_SIZE ? WARP_SIZE : 0; /* the first sending thread */
    uint32_t thin = 0, own = take_vertices(block, shared->at);
    do {
        struct exchange_counts *counts = &shared->exchange[++block.epoch % 2];
        const uint32_t first_index = index_for(blockIdx.x, (threadIdx.x - senders) % gridDim.x, block.epoch);
        uint32_t slices =
            expand_vertices<false, false>(block, shared->lists[0], own, {shared->lists[1], &counts->found});
        slices = __reduce_add_sync(WHOLE_WARP, slices);
        if (lane_id() == 0 && slices > 0)
            atomicAdd_block(&counts->read, slices);
        __syncthreads();
        if (threadIdx.x == 0)
            shared->exchange[(block.epoch + 1) % 2] = {};
        store_overflow(block, shared->lists[1]);
        if (threadIdx.x >= senders)
            send(block, shared->lists[1], senders, first_index);
        if (threadIdx.x < WARP_SIZE)
            end_exchange(block, shared->lists[0], &thin);
        __syncthreads();
        own = load_volatile(&shared->own);
        block.level++;
        trace_level(block, block.level, EXCHANGE);
    } while (load_volatile(&shared->goes_on));
    if (shared->at.kind == SINGLE_BLOCK)
        list_for_grid(block, shared->lists[0], own);
    else if (shared->at.kind < DONE)
        resume_vertices(block, shared->lists[0], own);
}

} // namespace BACKEND::slices
