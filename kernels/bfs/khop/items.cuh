/* items.cuh: items of work, lists of them in a block's shared memory, and how blocks exchange items without a barrier
 * and without a queue in global memory.
 *
 * Blocks send each other messages (device/mailbox.cuh). A message says how many items the block has pushed, and
 * carries one of them: item i goes to block (i + rotation) % blocks. Items beyond one per block go through an
 * overflow area that the receivers read. After an exchange, all blocks have the same flags. So they decide alike
 * whether to advance to the next bucket and when to stop.
 *
 * Epochs of the same parity reuse the overflow area; device/mailbox.cuh says why this is safe.
 *
 * Memory order. The index is constant, and a thread may read an outdated level (rounds.cuh). So only two things must
 * be visible before a message: its items in the overflow area and, in an ordered epoch, all levels that the block
 * wrote earlier. Then sender and receiver execute a fence each. */
#pragma once

#include "../../device/mailbox.cuh"
#include "../engines.h"
#include "index.cuh"

namespace BACKEND::khop
{

#define MAX_PIECES  16u /* maximal number of tasks per item */
#define RADIUS_BITS 5
#define RADIUS_MASK ((1u << RADIUS_BITS) - 1)

/* A vertex to expand, or a part of a high-degree vertex's row. */
struct __align__(16) item
{
    vertex_t vertex;
    uint32_t first;        /* first unit of its entries in the index */
    uint32_t units_radius; /* units << RADIUS_BITS | radius */
    uint32_t level;
};

template <typename word_t>
constexpr uint32_t UNITS_OF_ITEM = LARGEST_BALL / ENTRIES_OF_UNIT<word_t>; /* largest number of units; at most 255 */

/* Flags in a message, about the sending block. */
enum flag {
    ANY = 1,   /* the block has items, pushed or kept */
    DUE = 2,   /* the block has pushed items of the current bucket */
    LOST = 4,  /* the block has dropped items, so all blocks sweep */
    BROKEN = 8 /* a wait took too long; not sent in messages */
};

#define PIECE_BITS 4

/* Items, divided into tasks for one warp each. A task is item << PIECE_BITS | piece. */
struct item_list {
    struct item items[MAX_LIST_SIZE];
    uint16_t tasks[MAX_LIST_SIZE * MAX_PIECES];
};

/* A count packs two numbers: items << TASK_COUNT_BITS | tasks. Neither overflows: received items may exceed the
 * length of the list, but only for one epoch; then all items are dropped. */
#define TASK_COUNT_BITS 16
#define TASK_COUNT_MASK ((1u << TASK_COUNT_BITS) - 1)

struct outgoing {
    uint32_t number, flags; /* number of pushed items, including those that did not fit */
};

/* Shared memory of a block. Arrays of two are indexed by the parity of the epoch, unless noted. rounds.cuh says who
 * changes which words when. */
struct shared {
    struct outgoing outgoing[2]; /* indexed by the parity of the epoch that sends them */
    uint32_t received[2];        /* all blocks' flags, or'ed; by the parity of the receiving epoch */
    uint32_t counts[2][2];       /* two counts for each list, used alternately */
    struct item pushed[MAX_LIST_SIZE];
    struct item_list lists[2]; /* due items and kept items; the lists swap roles */
};

/* The tasks of the last list end the struct. Shorter lists leave the struct's end unused, so devices with less shared
 * memory do not allocate it. A list of list_size items has room for their tasks, since take() drops further items. */
#define TASK_BYTES_OF_ITEM (MAX_PIECES * sizeof(uint16_t))
static_assert(offsetof(struct shared, lists[1].tasks) + MAX_LIST_SIZE * TASK_BYTES_OF_ITEM == sizeof(struct shared),
              "the tasks of the last list come last");

/* Device memory of a traversal. blocks: number of blocks in the grid. */
struct search {
    uint32_t *level; /* num_vertices, rounded up to a multiple of four */
    struct mailboxes mailboxes;
    uint64_t *overflow; /* 2 * blocks * MAX_LIST_SIZE * 2; by parity and sender: items beyond one per block */
    vertex_t num_vertices;
    unsigned k;
    uint32_t list_size;      /* length of a block's lists, in items */
    struct level_end *trace; /* num_vertices + 2, by bucket; NULL without --profile */
};

/* The state of a block in the current epoch. All its threads hold the same values. */
struct round {
    uint32_t epoch;
    uint32_t base;        /* first level of the current bucket */
    unsigned due;         /* lists[due] holds the due items, the other list the kept ones */
    unsigned in_use;      /* bit i tells which of the two counts[i] is in use; the other is spare */
    uint32_t sweep_until; /* buckets that begin below this level are swept */
    bool keeps;           /* the block keeps items that are not due, or may have dropped some */
    bool ordered;         /* messages also order the writes to levels */
};

DEVICE unsigned other_list(unsigned list)
{
    return list ^ 1;
}

DEVICE uint32_t *count_of(struct shared *shared, const struct round &round, unsigned list)
{
    return &shared->counts[list][round.in_use >> list & 1];
}

DEVICE uint32_t *spare_count_of(struct shared *shared, const struct round &round, unsigned list)
{
    return &shared->counts[list][~round.in_use >> list & 1];
}

/* Empties a list by switching to its spare count, which is 0. Threads may still read the other count. */
DEVICE void empty_list(struct round &round, unsigned list)
{
    round.in_use ^= 1u << list;
}

/* Pushes a vertex with its row: one item, or several for a high-degree vertex. Sets LOST if they do not fit. */
template <typename word_t>
DEVICE void push(const struct ball_index<word_t> &index, const struct search &search, struct shared *shared,
                 const struct round &round, vertex_t vertex, row_t row, uint32_t level)
{
    const uint32_t most = UNITS_OF_ITEM<word_t>;
    struct outgoing *outgoing = &shared->outgoing[(round.epoch + 1) % 2];
    uint32_t units = units_of(row), first = first_of(row), number = units <= most ? 1 : (units + most - 1) / most;
    if (units == 0) /* the vertex has no out-edges */
        return;
    uint32_t at = atomicAdd_block(&outgoing->number, number);
    uint32_t flags = (at + number > search.list_size ? LOST : 0) | (level - round.base < search.k ? DUE : 0);
    if (RARELY(flags != 0)) {
        atomicOr_block(&outgoing->flags, flags);
        if (flags & LOST)
            return;
    }
    for (;; at++) {
        uint32_t part = min(units, most);
        shared->pushed[at] = {vertex, first, part << RADIUS_BITS | radius_of(row), level};
        prefetch(index.entries + (size_t)first * ENTRIES_OF_UNIT<word_t>, part * UNIT_BYTES);
        if (!RARELY(units > most))
            break;
        first += part;
        units -= part;
    }
}

/* Appends a received item to the due or the kept items, and divides it into tasks. Sets LOST if it does not fit. */
template <typename word_t, unsigned unroll>
DEVICE void take(const struct search &search, struct shared *shared, const struct round &round, const struct item &item)
{
    const uint32_t piece_units = unroll * WARP_SIZE / ENTRIES_OF_UNIT<word_t>;
    unsigned which = item.level - round.base < search.k ? round.due : other_list(round.due);
    uint32_t pieces = ((item.units_radius >> RADIUS_BITS) + piece_units - 1) / piece_units;
    static_assert(MAX_PIECES * piece_units >= UNITS_OF_ITEM<word_t> && MAX_LIST_SIZE << PIECE_BITS <= 1u << 16,
                  "a task has 16 bits");
    uint32_t count = atomicAdd_block(count_of(shared, round, which), 1u << TASK_COUNT_BITS | pieces);
    uint32_t place = count >> TASK_COUNT_BITS, task = count & TASK_COUNT_MASK;
    if (RARELY(place >= search.list_size)) {
        atomicOr_block(&shared->outgoing[(round.epoch + 1) % 2].flags, (uint32_t)LOST);
        return;
    }
    struct item_list *list = &shared->lists[which];
    list->items[place] = item;
    for (uint32_t piece = 0; piece < pieces; piece++)
        list->tasks[task + piece] = (uint16_t)(place << PIECE_BITS | piece);
}

/* Returns item i of `block` in the overflow area. */
DEVICE uint64_t *overflow_of(const struct search &search, uint32_t epoch, unsigned block, uint32_t i)
{
    return search.overflow + (((size_t)(epoch % 2) * gridDim.x + block) * MAX_LIST_SIZE + i) * 2;
}

/* The two words of a message: fields and their widths in bits
 *   vertex 32 | number pushed 16 | flags 8 | tag 8
 *   first unit 32 | units 8 | radius 8 | level - base 8 | tag 8 */
DEVICE uint64_t first_word(const struct item &item, uint32_t number, uint32_t flags, uint32_t epoch)
{
    return (uint64_t)item.vertex << 32 | number << 16 | flags << 8 | tag_of(epoch);
}

DEVICE uint64_t second_word(const struct item &item, uint32_t base, uint32_t epoch)
{
    return (uint64_t)item.first << 32 | item.units_radius >> RADIUS_BITS << 24 |
           (item.units_radius & RADIUS_MASK) << 16 | (item.level - base) << 8 | tag_of(epoch);
}

DEVICE struct item item_in(const uint64_t (&words)[2], uint32_t base)
{
    uint32_t low = (uint32_t)words[1];
    return {(vertex_t)(words[0] >> 32), (uint32_t)(words[1] >> 32),
            low >> 24 << RADIUS_BITS | (low >> 16 & RADIUS_MASK), base + (low >> 8 & 0xff)};
}

/* Sends this block's pushed items to all blocks. */
DEVICE void send(const struct search &search, struct shared *shared, const struct round &round)
{
    uint32_t epoch = round.epoch, number = shared->outgoing[epoch % 2].number;
    uint32_t flags = shared->outgoing[epoch % 2].flags;
    number = flags & LOST ? 0 : number;
    flags |= number > 0 || round.keeps || (flags & LOST) ? ANY : 0;
    const struct item none = {NO_VERTEX, 0, 0, round.base};
    if (RARELY(number > gridDim.x)) {
        for (uint32_t i = gridDim.x + threadIdx.x; i < number; i += blockDim.x) {
            const struct item item = shared->pushed[i];
            store_pair(overflow_of(search, epoch, blockIdx.x, i), first_word(item, 0, 0, epoch),
                       second_word(item, round.base, epoch));
        }
        __syncthreads();
    }
    for (unsigned to = threadIdx.x; to < gridDim.x; to += blockDim.x) {
        uint32_t i = (to - rotation(blockIdx.x, epoch)) & (gridDim.x - 1);
        struct item item = none;
        if (i < number)
            item = shared->pushed[i];
        if (RARELY(number > gridDim.x || round.ordered))
            __threadfence(); /* makes the overflow area and the levels visible before the message */
        store_pair(slot_of(search.mailboxes, epoch, to, blockIdx.x), first_word(item, number, flags, epoch),
                   second_word(item, round.base, epoch));
    }
}

/* Takes this block's items from a message and from the overflow area. Returns the message's flags. */
template <typename word_t, unsigned unroll>
DEVICE uint32_t take_message(const struct search &search, struct shared *shared, const struct round &round,
                             unsigned from, uint64_t (&words)[2])
{
    uint32_t number = (uint32_t)words[0] >> 16, flags = (uint32_t)words[0] >> 8 & 0xff;
    uint32_t i = (blockIdx.x - rotation(from, round.epoch)) & (gridDim.x - 1);
    if (i < number)
        take<word_t, unroll>(search, shared, round, item_in(words, round.base));
    if (RARELY(number > gridDim.x)) {
        __threadfence(); /* orders the message before the loads of the overflow area */
        for (i += gridDim.x; i < number; i += gridDim.x) {
            const uint64_t *item = overflow_of(search, round.epoch, from, i);
            words[0] = __ldcg(&item[0]);
            words[1] = __ldcg(&item[1]);
            take<word_t, unroll>(search, shared, round, item_in(words, round.base));
        }
    }
    return flags;
}

/* Receives the messages of all blocks. Returns the union of their flags to all threads. */
template <typename word_t, unsigned unroll>
DEVICE uint32_t receive(const struct search &search, struct shared *shared, const struct round &round)
{
    uint32_t *received = &shared->received[round.epoch % 2], flags = 0;
    unsigned warp_first = threadIdx.x - lane_id();
    for (unsigned first = warp_first; first < gridDim.x; first += blockDim.x) {
        uint64_t words[1][2];
        unsigned from = first + lane_id();
        if (!wait_for_some(search.mailboxes, from, round.epoch, words))
            flags |= BROKEN;
        else if (from < gridDim.x)
            flags |= take_message<word_t, unroll>(search, shared, round, from, words[0]);
    }
    if (warp_first < gridDim.x) {
        if (RARELY(round.ordered))
            __threadfence(); /* orders the messages before loads of levels, for the whole block with the barrier */
        flags = __reduce_or_sync(WHOLE_WARP, flags);
        if (lane_id() == 0 && flags != 0)
            atomicOr_block(received, flags);
    }
    __syncthreads();
    return *received;
}

} // namespace BACKEND::khop
