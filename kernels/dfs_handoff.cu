/* dfs_handoff.cu: depth-first search by hand-off, and the reachability traversal built on it.
 *
 *   dfs v5         what comes after DiggerBees v4 (dfs_diggerbees.cu). A walker claims one neighbour, goes there, and
 *                  leaves the rest of the row on its warp's stack: a lone walker builds an exact DFS tree.
 *
 *   reach handoff  The same walkers, but a step claims all neighbours: faster, and no longer depth-first.
 *
 * DiggerBees' idle warps look for victims, and find too few: stacks of high-diameter graphs are short, and a thief
 * that comes between two steps gets nothing. Here nobody steals. A stack belongs to its warp alone, so that push and
 * pop are plain shared-memory accesses; a warp that has more than it needs hands its oldest entries over: to an idle
 * warp of its block, whose ring it writes and whose mailbox it sets, or into a queue from which idle blocks have
 * drawn tickets.
 *
 * A walker is a group of `lanes` lanes; a warp has 32 / lanes of them on one stack. A walker has a batch of arcs of
 * its vertex in hand, a few a lane. In a step it claims the first unvisited of these neighbours (reach: all of them)
 * by atomicOr on the bitmap of visited vertices, and goes to one that it won. There are two kinds of rows:
 *
 *   packed  where degrees are small. A vertex's neighbours stand in a record, which is loaded while the claim is out;
 *           an entry of the stack carries the neighbours themselves, and what a walker leaves goes to an idle walker
 *           of its warp in the same step. So a step is one access of L2 deep. A row that does not fit is a hub: its
 *           record says where it is in graph.targets, to be read there batch by batch.
 *
 *   plain   read in graph.targets, two arcs a lane. Where most neighbours are visited, a look spares the claim (from
 *           L1, so perhaps old: it errs only towards unvisited).
 *
 * Stack. A warp's ring holds entries bottom .. top - 1; bottom and top only grow, and are masked to index. When the
 * ring fills, its oldest entries move to the warp's cold area in global memory, and from a full one to the queue;
 * they come back when the ring is empty. Ring and cold area are written and read by the owner alone, but for the
 * mailbox.
 *
 * Mailbox. Words: post.idle, a bit for each warp that waits; post.mail[w]. A warp sets its own bit when its stack is
 * empty. Who wants to give clears the bit with atomicAnd and, if it was set, alone may write the ring of that warp,
 * then its mail (a fence between the two). The waiting warp reads its mail until it is set, and then its ring
 * (fence); its ring is empty and it touches it no more from when it set its bit. To leave for the queue instead it
 * must clear its own bit, and stays if someone else did: so a warp is given work by one at a time, and none is given
 * to a warp that does not look.
 *
 * Queue. A ring of chunks of up to 32 entries. Giving: one fetch-add on queue.tail_licences takes the next position;
 * the chunk is written, and its sequence number set to position + 1 with release. Taking: a fetch-add on queue.head
 * draws a ticket; the drawer alone waits, with acquire, until its chunk's sequence number is ticket + 1, reads it,
 * and sets ticket + capacity with release, which frees the slot for the next round. A position is given once and
 * drawn once, so no entry is lost or done twice. Capacity: an entry stands for the rest of one row (or half of one
 * that was split), so all entries at once, in full chunks, fit; chunks that are not full go to blocks that wait, and
 * are no more than those and the warps that give at the same moment. Waiting for a slot is bounded all the same.
 *
 * Licences end the traversal. A chunk carries a licence: the fetch-add that takes a position also raises the count in
 * the same word. Who takes a chunk adds its licence to those of its block (post.busy: licences, and warps at work) in
 * the same instruction that counts it as at work. A warp that hands an entry to an idle one counts that one as at
 * work first. The warp that brings its block's warps at work to 0 takes all its licences out of post.busy in the same
 * compare-and-swap and gives them back to the queue's count; who brings that to 0 says that all is done. So while any
 * entry exists its licence is counted, in a block at work or in a chunk on its way: the count is 0 only after the
 * last entry, and no work can come into being without one. */
#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"

namespace BACKEND
{

#define MAX_WARPS    32u /* of a block */
#define CHUNK        32u /* entries, one a lane: of a chunk of the queue, of a hand-over, of a move to the cold area */
#define LONG_ROW     512u        /* arcs; longer ranges are split, and the second half is left on the stack */
#define PACKED_LANES 4u          /* of a walker where rows are packed, and words of a record */
#define HUB          0xfffffffeu /* first word of a row that is not packed; first arc (two words) and number follow */
#define POLL_HUNGRY  2u          /* visits of the stack between two looks at the queue while blocks wait for chunks */
#define POLL_FED     8u          /* and while none did */

/* What is left to do at a vertex; a stack has entries of one kind. */
struct __align__(8) packed_entry
{
    vertex_t vertex, parent;
    vertex_t hand[PACKED_LANES]; /* neighbours, NO_VERTEX where there is none; or HUB and which arcs */
};
template <typename offset_t>
struct __align__(sizeof(offset_t) == 4 ? 16 : 8) plain_entry
{
    vertex_t vertex, parent;
    offset_t from, to; /* arcs from .. to - 1 */
};

/* The queue's words; all entries of one traversal pass through a warp's stack or a chunk. */
struct queue_words {
    uint64_t tail_licences; /* positions given << 32 | licences */
    uint32_t head;          /* tickets drawn */
    uint32_t broken;        /* which wait took too long (enum broken) */
    uint32_t padding[28];
    uint32_t done; /* on a line of its own: all idle blocks read it */
};
enum broken { WAITED_FOR_WORK = 1, WAITED_FOR_ROOM };

template <typename entry_t>
struct queue {
    struct queue_words *words;
    uint32_t *sequence; /* capacity */
    entry_t *entries;   /* capacity * CHUNK; what stands behind a chunk's last has NO_VERTEX */
    uint32_t capacity;  /* a power of two */
};

template <typename entry_t>
struct search {
    uint32_t *visited;             /* a bit for each vertex */
    vertex_t *parent;              /* num_vertices */
    const vertex_t *records;       /* num_vertices * PACKED_LANES, or NULL */
    uint32_t lanes;                /* of a walker */
    uint32_t least_row;            /* arcs; a shorter row leads nowhere but back */
    uint32_t look;                 /* plain rows: before a claim */
    uint32_t keep;                 /* entries that a warp keeps for itself when it hands some over */
    uint32_t tickets;              /* that a block may have drawn and not been served */
    long long patience;            /* clock cycles that a warp waits at most, for others that may have all the work */
    entry_t *cold;                 /* cold_size for each warp */
    uint32_t cold_size, ring_size; /* entries; ring_size is a power of two */
    struct queue<entry_t> queue;
};

/* Shared memory of a block, followed by the rings of its warps. */
struct post {
    unsigned long long busy; /* licences << 32 | warps at work */
    uint32_t idle;           /* bit w: warp w waits for mail */
    uint32_t seekers;        /* warps that hold a ticket, or are about to draw one */
    uint32_t done;
    uint32_t mail[MAX_WARPS]; /* entries that lie in warp w's ring for it */
    uint32_t padding[3];      /* the rings are aligned to an entry */
};
#define LICENCE (1ull << 32)

/* What a warp knows of itself; the same in all lanes, but for the first three. */
template <typename entry_t>
struct warp {
    unsigned place, base; /* of this lane in its walker; first lane of the walker */
    unsigned walker_mask; /* lanes of the walker */
    unsigned leaders;     /* first lanes of all walkers */
    unsigned index;       /* of the warp in its block */
    bool calm;            /* packed rows: the stack is empty, and walkers have neighbours in hand or nothing at all */
    struct post *post;
    entry_t *rings, *ring, *cold;
    uint32_t top, bottom, num_cold;
    uint32_t polls; /* until the queue is looked at again */
    bool hungry;    /* blocks wait for chunks, as of the last look */
};

/* 64-bit words that another block wrote. */
static __device__ __forceinline__ uint64_t load_from_l2(const uint64_t *address)
{
    return __ldcg((const unsigned long long *)address);
}

static __device__ __forceinline__ uint32_t bit_of(vertex_t v)
{
    return 1u << (v % 32);
}

/* A record's words for a row that is not packed, or for a part of it. */
static __device__ __forceinline__ vertex_t hub_word(unsigned place, edge_t from, uint32_t count)
{
    return place == 0   ? HUB
           : place == 1 ? (uint32_t)from
           : place == 2 ? (uint32_t)(from >> 32)
           : place == 3 ? count
                        : NO_VERTEX;
}

/* ---- the queue ---- */

/* Ends the traversal because a wait took too long. */
static __device__ void give_up(struct queue_words *words, enum broken why)
{
    atomicCAS(&words->broken, 0u, (uint32_t)why);
    poke(&words->done, 1u);
}

/* Moves the warp's `count` oldest entries, at most CHUNK, into the queue. */
template <typename entry_t>
static __device__ void give_to_queue(const struct search<entry_t> &search, struct warp<entry_t> &warp, uint32_t count)
{
    const struct queue<entry_t> &queue = search.queue;
    uint32_t position = 0;
    bool free = false;
    if (lane_id() == 0) {
        position = (uint32_t)(atomicAdd((unsigned long long *)&queue.words->tail_licences, LICENCE + 1) >> 32);
        for (long long start = clock64(); !free;) {
            free = load_acquire(&queue.sequence[position & (queue.capacity - 1)]) == position;
            if (!free && (clock64() - start > BARRIER_LIMIT || peek(&queue.words->broken))) {
                give_up(queue.words, WAITED_FOR_ROOM);
                break;
            }
        }
    }
    position = __shfl_sync(WHOLE_WARP, position, 0);
    uint32_t slot = position & (queue.capacity - 1);
    if (__shfl_sync(WHOLE_WARP, (int)free, 0)) {
        entry_t *entry = &queue.entries[(size_t)slot * CHUNK + lane_id()];
        if (lane_id() < count)
            *entry = warp.ring[(warp.bottom + lane_id()) & (search.ring_size - 1)];
        else
            entry->vertex = NO_VERTEX;
        __syncwarp();
        if (lane_id() == 0)
            store_release(&queue.sequence[slot], position + 1);
    }
    warp.bottom += count; /* without room they are lost, and the traversal is broken off */
    __syncwarp();
}

/* Reads the chunk of a served ticket into the ring, which is empty. */
template <typename entry_t>
static __device__ void take_from_queue(const struct search<entry_t> &search, struct warp<entry_t> &warp,
                                       uint32_t ticket)
{
    const struct queue<entry_t> &queue = search.queue;
    uint32_t slot = ticket & (queue.capacity - 1);
    const uint64_t *from = (const uint64_t *)&queue.entries[(size_t)slot * CHUNK + lane_id()];
    uint64_t *to = (uint64_t *)&warp.ring[lane_id()];
#pragma unroll
    for (unsigned i = 0; i < sizeof(entry_t) / sizeof(uint64_t); i++)
        to[i] = load_from_l2(&from[i]);
    warp.bottom = 0;
    warp.top = (uint32_t)__popc(__ballot_sync(WHOLE_WARP, warp.ring[lane_id()].vertex != NO_VERTEX));
    if (lane_id() == 0)
        store_release(&queue.sequence[slot], ticket + queue.capacity);
}

/* ---- work for a warp that has none ---- */

/* Takes the warp off its block's count of those at work, by one lane; the last one returns the block's licences. */
static __device__ void leave_work(struct post *post, struct queue_words *words)
{
    unsigned long long old = peek(&post->busy);
    for (;;) {
        bool is_last = (uint32_t)old == 1;
        unsigned long long found = atomicCAS(&post->busy, old, is_last ? 0 : old - 1);
        if (found == old) {
            if (!is_last)
                return;
            unsigned long long licences = old >> 32;
            __threadfence();
            unsigned long long before = atomicAdd((unsigned long long *)&words->tail_licences, 0 - licences);
            if ((uint32_t)before == licences)
                poke(&words->done, 1u);
            return;
        }
        old = found;
    }
}

/* Whether the waiting warp, by one lane, may draw a ticket: its block has not drawn enough, and nobody has taken its
 * bit to give it something. */
static __device__ bool may_seek(struct post *post, uint32_t tickets, unsigned index)
{
    if (peek(&post->seekers) >= tickets)
        return false;
    if (atomicAdd(&post->seekers, 1u) < tickets && (atomicAnd(&post->idle, ~(1u << index)) >> index & 1))
        return true;
    atomicSub(&post->seekers, 1u);
    return false;
}

/* Waits until there are entries in the ring of the warp, whose stack is empty. False: the traversal is over. */
template <typename entry_t>
static __device__ bool wait_for_work(const struct search<entry_t> &search, struct warp<entry_t> &warp)
{
    enum { NOTHING, MAIL, CHUNK_SERVED, OVER } found = NOTHING;
    struct post *post = warp.post;
    const struct queue<entry_t> &queue = search.queue;
    uint32_t ticket = 0;
    bool seeking = false;
    __syncwarp();
    if (lane_id() == 0) {
        __threadfence_block();
        atomicOr(&post->idle, 1u << warp.index);
        for (long long start = clock64(); found == NOTHING;) {
            if (!seeking && peek(&post->mail[warp.index]) != 0)
                found = MAIL;
            else if (!seeking && peek(&post->done))
                found = OVER;
            else if (!seeking && may_seek(post, search.tickets, warp.index)) {
                seeking = true;
                ticket = atomicAdd(&queue.words->head, 1u);
            } else if (seeking && load_acquire(&queue.sequence[ticket & (queue.capacity - 1)]) == ticket + 1) {
                atomicAdd(&post->busy, LICENCE + 1);
                atomicSub(&post->seekers, 1u);
                found = CHUNK_SERVED;
            } else if (seeking && peek(&queue.words->done)) {
                poke(&post->done, 1u);
                found = OVER;
            } else if (clock64() - start > search.patience) {
                give_up(queue.words, WAITED_FOR_WORK);
                poke(&post->done, 1u);
            } else {
                __nanosleep(seeking ? 20 : 50);
            }
        }
    }
    int what = __shfl_sync(WHOLE_WARP, (int)found, 0);
    if (what == CHUNK_SERVED) {
        take_from_queue(search, warp, __shfl_sync(WHOLE_WARP, ticket, 0));
    } else if (what == MAIL) {
        warp.bottom = 0;
        warp.top = __shfl_sync(WHOLE_WARP, lane_id() == 0 ? peek(&post->mail[warp.index]) : 0, 0);
        __threadfence_block();
        if (lane_id() == 0)
            poke(&post->mail[warp.index], 0u);
    }
    __syncwarp();
    return what != OVER;
}

/* ---- the stack ---- */

template <typename entry_t>
static __device__ __forceinline__ bool is_empty(const struct warp<entry_t> &warp)
{
    return warp.top == warp.bottom && warp.num_cold == 0;
}

/* Makes an entry for each lane in `pushing`, the same in all lanes, and returns the one of lane `owner`. It may be
 * read after the next __syncwarp. */
template <typename entry_t>
static __device__ __forceinline__ entry_t *push(const struct search<entry_t> &search, struct warp<entry_t> &warp,
                                                unsigned pushing, unsigned owner)
{
    uint32_t at = warp.top + (uint32_t)__popc(pushing & lanes_below(owner));
    warp.top += (uint32_t)__popc(pushing);
    return &warp.ring[at & (search.ring_size - 1)];
}

/* Takes the newest entries for the walkers whose first lanes are in `wanting`, as far as there are any: the one of
 * this lane's walker, to be read before the next __syncwarp, or NULL. */
template <typename entry_t>
static __device__ __forceinline__ const entry_t *pop(const struct search<entry_t> &search, struct warp<entry_t> &warp,
                                                     unsigned wanting)
{
    if (warp.top == warp.bottom && warp.num_cold > 0) { /* refill */
        uint32_t count = warp.num_cold < CHUNK ? warp.num_cold : CHUNK;
        warp.num_cold -= count;
        if (lane_id() < count)
            warp.ring[(warp.top + lane_id()) & (search.ring_size - 1)] = warp.cold[warp.num_cold + lane_id()];
        warp.top += count;
        __syncwarp();
    }
    uint32_t count = warp.top - warp.bottom, wanted = (uint32_t)__popc(wanting), newest = warp.top - 1;
    uint32_t rank = (uint32_t)__popc(wanting & lanes_below(warp.base));
    warp.top -= wanted < count ? wanted : count;
    if (!(wanting >> warp.base & 1) || rank >= count)
        return NULL;
    return &warp.ring[(newest - rank) & (search.ring_size - 1)];
}

/* Lays the oldest `count` entries, at most CHUNK, into the rings of warps that wait, as evenly as they come. */
template <typename entry_t>
static __device__ void give_to_neighbours(const struct search<entry_t> &search, struct warp<entry_t> &warp,
                                          uint32_t idle, uint32_t count)
{
    struct post *post = warp.post;
    uint32_t walkers = WARP_SIZE / search.lanes, wanted = (count + walkers - 1) / walkers; /* warps to serve */
    bool asks = (idle >> lane_id() & 1) && (uint32_t)__popc(idle & lanes_below(lane_id())) < wanted;
    bool serves = asks && (atomicAnd(&post->idle, ~(1u << lane_id())) >> lane_id() & 1);
    unsigned served = __ballot_sync(WHOLE_WARP, serves);
    uint32_t num_served = (uint32_t)__popc(served), first = 0, size = 0, mail = 0;
    if (num_served == 0)
        return;
    if (lane_id() == 0)
        atomicAdd(&post->busy, (unsigned long long)num_served);
    for (uint32_t rank = 0; rank < num_served; rank++, served &= served - 1, first += size) {
        unsigned to = (unsigned)__ffs((int)served) - 1;
        size = (count - first) / (num_served - rank);
        if (lane_id() < size)
            warp.rings[to * search.ring_size + lane_id()] =
                warp.ring[(warp.bottom + first + lane_id()) & (search.ring_size - 1)];
        mail = lane_id() == to ? size : mail;
    }
    __threadfence_block();
    __syncwarp();
    if (serves)
        poke(&post->mail[lane_id()], mail);
    warp.bottom += count;
}

/* Whether some block has drawn a ticket that no chunk was given for. */
static __device__ __forceinline__ bool is_hungry(const struct queue_words *words)
{
    uint32_t tail = (uint32_t)(peek(&words->tail_licences) >> 32);
    return (int32_t)(tail - peek(&words->head)) < 0;
}

/* After a step: hands over what others wait for, and makes room for most_pushed entries. */
template <typename entry_t>
static __device__ __forceinline__ void tend_stack(const struct search<entry_t> &search, struct warp<entry_t> &warp,
                                                  uint32_t most_pushed)
{
    uint32_t count = warp.top - warp.bottom;
    if (count <= search.keep)
        return;
    uint32_t spare = count - search.keep < CHUNK ? count - search.keep : CHUNK;
    uint32_t idle = __shfl_sync(WHOLE_WARP, peek(&warp.post->idle), 0);
    if (idle != 0) {
        give_to_neighbours(search, warp, idle, spare);
    } else {
        if (warp.polls-- == 0) {
            warp.hungry = __shfl_sync(WHOLE_WARP, lane_id() == 0 && is_hungry(search.queue.words), 0);
            warp.polls = warp.hungry ? POLL_HUNGRY : POLL_FED;
        }
        if (warp.hungry) {
            give_to_queue(search, warp, spare);
            warp.hungry = false;
        }
    }
    while (warp.top - warp.bottom > search.ring_size - most_pushed) { /* flush */
        if (warp.num_cold + CHUNK > search.cold_size) {
            give_to_queue(search, warp, CHUNK);
            continue;
        }
        warp.cold[warp.num_cold + lane_id()] = warp.ring[(warp.bottom + lane_id()) & (search.ring_size - 1)];
        warp.num_cold += CHUNK;
        warp.bottom += CHUNK;
        __syncwarp();
    }
}

/* ---- packed rows ---- */

/* The same in all lanes of a walker, but for hand. */
struct packed_walker {
    vertex_t vertex, parent;
    vertex_t hand;   /* a neighbour, or NO_VERTEX */
    edge_t from, to; /* a hub's arcs beyond those in hand */
};

/* Whether there is a neighbour in hand that is not known to be visited. */
static __device__ __forceinline__ bool is_candidate(const struct packed_walker &walker)
{
    return walker.hand != NO_VERTEX && walker.hand != walker.parent;
}

/* Leaves arcs from .. to - 1 of the walker's vertex, a hub, on the stack. */
static __device__ __forceinline__ void push_arcs(const struct search<packed_entry> &search,
                                                 struct warp<packed_entry> &warp, bool has,
                                                 const struct packed_walker &walker, edge_t from, edge_t to)
{
    unsigned pushing = __ballot_sync(WHOLE_WARP, has) & warp.leaders;
    struct packed_entry *entry = push(search, warp, pushing, warp.base);
    if (has) {
        entry->vertex = walker.vertex;
        entry->parent = walker.parent;
        entry->hand[warp.place] = hub_word(warp.place, from, (uint32_t)(to - from));
    }
}

/* Takes the first arcs of those hubs in hand whose words have just come into hand. Of a long row, half is left. */
static __device__ void open_hubs(const vertex_t *targets, const struct search<packed_entry> &search,
                                 struct warp<packed_entry> &warp, struct packed_walker &walker)
{
    bool is_hub = __shfl_sync(WHOLE_WARP, walker.hand, (int)warp.base) == HUB;
    edge_t low = __shfl_sync(WHOLE_WARP, walker.hand, (int)warp.base + 1);
    edge_t high = __shfl_sync(WHOLE_WARP, walker.hand, (int)warp.base + 2);
    uint32_t count = __shfl_sync(WHOLE_WARP, walker.hand, (int)warp.base + 3);
    edge_t from = high << 32 | low, to = from + count;
    bool is_long = is_hub && count > LONG_ROW;
    if (__any_sync(WHOLE_WARP, is_long)) {
        edge_t middle = from + count / 2;
        push_arcs(search, warp, is_long, walker, middle, to);
        to = is_long ? middle : to;
    }
    if (is_hub) {
        walker.hand = load_if(from + warp.place < to, &targets[from + warp.place]);
        walker.from = from + PACKED_LANES;
        walker.to = to;
    }
}

/* Pairs what is `spare` (lanes) with walkers that have nothing (takers: first lanes), in order, so that it need not
 * go through the stack. Returns, for a walker that takes, the lane it takes from, else `owner`; what is left over
 * stays in spare. */
template <typename entry_t>
static __device__ __forceinline__ unsigned pair_up(const struct warp<entry_t> &warp, unsigned &spare, unsigned takers,
                                                   unsigned owner)
{
    for (; spare != 0 && takers != 0; spare &= spare - 1, takers &= takers - 1)
        if (warp.base == (unsigned)__ffs((int)takers) - 1)
            owner = (unsigned)__ffs((int)spare) - 1;
    return owner;
}

/* Before a step: idle walkers turn to the stack. Sets more: the walker has arcs beyond those in hand. False: there is
 * nothing to do for any walker. */
static __device__ bool turn_to_stack(const vertex_t *targets, const struct search<packed_entry> &search,
                                     struct warp<packed_entry> &warp, struct packed_walker &walker, bool &more)
{
    more = walker.from < walker.to;
    bool is_idle = (__ballot_sync(WHOLE_WARP, is_candidate(walker)) & warp.walker_mask) == 0 && !more;
    unsigned idle = __ballot_sync(WHOLE_WARP, is_idle) & warp.leaders;
    if (is_empty(warp))
        return idle != warp.leaders;
    if (idle != 0) {
        const struct packed_entry *entry = pop(search, warp, idle);
        if (entry != NULL)
            walker = {entry->vertex, entry->parent, entry->hand[warp.place], 0, 0};
        __syncwarp();
        if (__any_sync(WHOLE_WARP, walker.hand == HUB))
            open_hubs(targets, search, warp, walker);
        more = walker.from < walker.to;
    }
    return true;
}

/* After a step of which some walker met a hub, or left something on the stack, or that found nothing. */
static __device__ void come_to_rest(const vertex_t *targets, const struct search<packed_entry> &search,
                                    struct warp<packed_entry> &warp, struct packed_walker &walker, bool goes_on)
{
    if (goes_on) { /* in a hub's row */
        walker.hand = load_if(walker.from + warp.place < walker.to, &targets[walker.from + warp.place]);
        walker.from += PACKED_LANES;
    }
    if (__any_sync(WHOLE_WARP, walker.hand == HUB))
        open_hubs(targets, search, warp, walker);
    warp.calm = is_empty(warp) && !__any_sync(WHOLE_WARP, walker.from < walker.to) &&
                __any_sync(WHOLE_WARP, is_candidate(walker));
    __syncwarp();
}

/* One step of all walkers of a warp, each of which claims the first neighbour in hand; false: there was nothing to
 * do. */
static __device__ __forceinline__ bool step_one(const vertex_t *targets, const struct search<packed_entry> &search,
                                                struct warp<packed_entry> &warp, struct packed_walker &walker)
{
    bool more = false;
    if (!warp.calm && !turn_to_stack(targets, search, warp, walker, more))
        return false;
    bool candidate = is_candidate(walker);
    unsigned mine = __ballot_sync(WHOLE_WARP, candidate) & warp.walker_mask;
    unsigned owner = mine != 0 ? (unsigned)__ffs((int)mine) - 1 : lane_id();
    vertex_t next = __shfl_sync(WHOLE_WARP, walker.hand, (int)owner);
    bool claims = candidate & (lane_id() == owner);
    uint32_t *visited = &search.visited[walker.hand / 32], bit = bit_of(walker.hand);
    uint32_t old = or_if(claims, visited, bit);
    uint32_t seen = look_if(candidate & !claims, visited);
    vertex_t word = load_wide_if(mine != 0, &search.records[(size_t)next * PACKED_LANES + warp.place]);
    bool leads_on = (word != NO_VERTEX) & (word != walker.vertex);
    unsigned open = __ballot_sync(WHOLE_WARP, leads_on) & warp.walker_mask;
    bool won = claims & !(old & bit), left = candidate & !claims & !(seen & bit);
    unsigned winner = __ballot_sync(WHOLE_WARP, won), rest = __ballot_sync(WHOLE_WARP, left) & warp.walker_mask;
    bool moves = (winner & warp.walker_mask) != 0 && open != 0;
    unsigned irregular = __ballot_sync(WHOLE_WARP, moves & ((rest != 0) | more | (word == HUB)));
    if (won)
        search.parent[walker.hand] = walker.vertex;
    walker.hand = left ? walker.hand : NO_VERTEX; /* a walker that does not move stays with these */
    if (irregular != 0) {
        if (__any_sync(WHOLE_WARP, moves && more))
            push_arcs(search, warp, moves && more, walker, walker.from, walker.to);
        unsigned spare = __ballot_sync(WHOLE_WARP, moves && rest != 0) & warp.leaders;
        unsigned takers = __ballot_sync(WHOLE_WARP, !moves && rest == 0 && !more) & warp.leaders;
        unsigned from = pair_up(warp, spare, takers, warp.base);
        struct packed_walker given = {__shfl_sync(WHOLE_WARP, walker.vertex, (int)from),
                                      __shfl_sync(WHOLE_WARP, walker.parent, (int)from),
                                      __shfl_sync(WHOLE_WARP, walker.hand, (int)(from + warp.place)), 0, 0};
        struct packed_entry *entry = push(search, warp, spare, warp.base);
        if (spare >> warp.base & 1) {
            entry->vertex = walker.vertex;
            entry->parent = walker.parent;
            entry->hand[warp.place] = walker.hand;
        }
        if (from != warp.base)
            walker = given;
    }
    if (moves)
        walker = {next, walker.vertex, word, 0, 0};
    if (!warp.calm || irregular != 0 || winner == 0)
        come_to_rest(targets, search, warp, walker, more && mine == 0);
    return true;
}

/* The same, but a walker claims all neighbours in hand. */
static __device__ __forceinline__ bool step_all(const vertex_t *targets, const struct search<packed_entry> &search,
                                                struct warp<packed_entry> &warp, struct packed_walker &walker)
{
    bool more = false;
    if (!warp.calm && !turn_to_stack(targets, search, warp, walker, more))
        return false;
    bool candidate = is_candidate(walker);
    uint32_t old = or_if(candidate, &search.visited[walker.hand / 32], bit_of(walker.hand));
    vertex_t record[PACKED_LANES];
    load_four_if(candidate, &search.records[(size_t)walker.hand * PACKED_LANES], record);
    bool won = candidate & !(old & bit_of(walker.hand));
    unsigned winners = __ballot_sync(WHOLE_WARP, won), mine = winners & warp.walker_mask;
    unsigned owner = mine != 0 ? (unsigned)__ffs((int)mine) - 1 : lane_id();
    bool moves = (mine != 0) & !more, keeps = (lane_id() == owner) & !more; /* keeps: the walker goes there */
    unsigned irregular = __ballot_sync(WHOLE_WARP, won & (!keeps | (record[0] == HUB)));
    vertex_t parent = walker.vertex;
    if (won)
        search.parent[walker.hand] = walker.vertex;
    if (irregular != 0) {
        unsigned spare = __ballot_sync(WHOLE_WARP, won && !keeps);
        unsigned takers = __ballot_sync(WHOLE_WARP, !moves && !more) & warp.leaders;
        unsigned from = pair_up(warp, spare, takers, owner);
        moves = moves || (from != owner);
        owner = from;
        parent = __shfl_sync(WHOLE_WARP, walker.vertex, (int)owner);
        struct packed_entry *entry = push(search, warp, spare, lane_id());
        if (spare >> lane_id() & 1) {
            entry->vertex = walker.hand;
            entry->parent = walker.vertex;
#pragma unroll
            for (unsigned i = 0; i < PACKED_LANES; i++)
                entry->hand[i] = record[i];
        }
    }
    vertex_t next = __shfl_sync(WHOLE_WARP, walker.hand, (int)owner), word = NO_VERTEX;
#pragma unroll
    for (unsigned i = 0; i < PACKED_LANES; i++) {
        vertex_t owners = __shfl_sync(WHOLE_WARP, record[i], (int)owner);
        word = warp.place == i ? owners : word;
    }
    walker.hand = NO_VERTEX;
    if (moves)
        walker = {next, parent, word, 0, 0};
    if (!warp.calm || irregular != 0 || winners == 0)
        come_to_rest(targets, search, warp, walker, more);
    return true;
}

/* ---- plain rows ---- */

#define UNROLL 2u /* arcs that a lane has in hand */

/* The same in all lanes of a walker, but for hand. A walker without a vertex has nothing in hand, and from = to. */
template <typename offset_t>
struct plain_walker {
    vertex_t vertex, parent;
    offset_t from, to;     /* the first arc in hand; the end of the row */
    vertex_t hand[UNROLL]; /* neighbours from + i * lanes + place; NO_VERTEX beyond the end, and where visited */
};

/* Loads the batch of arcs from `from` on. */
template <typename offset_t>
static __device__ __forceinline__ void take_in_hand(const vertex_t *targets, uint32_t lanes, unsigned place,
                                                    offset_t from, offset_t to, vertex_t (&hand)[UNROLL])
{
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        hand[i] = load_if(from + i * lanes + place < to, &targets[from + i * lanes + place]);
}

/* The place in the batch of the first neighbour whose bit is set, or the batch's size; masks[i]: of hand[i]. */
static __device__ __forceinline__ uint32_t first_place(uint32_t lanes, unsigned base, const unsigned (&masks)[UNROLL])
{
    uint32_t place = UNROLL * lanes;
#pragma unroll
    for (unsigned i = UNROLL; i-- > 0;)
        if (masks[i] != 0)
            place = i * lanes + (unsigned)__ffs((int)masks[i]) - 1 - base;
    return place;
}

/* Of values that stand beside hand: the one at a place in the batch, which lane `owner` has. */
template <typename type>
static __device__ __forceinline__ type of_place(uint32_t lanes, uint32_t place, unsigned owner,
                                                const type (&values)[UNROLL])
{
    type value = values[0];
#pragma unroll
    for (unsigned i = 1; i < UNROLL; i++)
        value = place >= i * lanes ? values[i] : value;
    return __shfl_sync(WHOLE_WARP, value, (int)owner);
}

/* As for packed rows. */
template <bool depth_first, typename offset_t>
static __device__ __forceinline__ bool
step(const csr<offset_t> &graph, const struct search<plain_entry<offset_t>> &search,
     struct warp<plain_entry<offset_t>> &warp, struct plain_walker<offset_t> &walker)
{
    const uint32_t lanes = search.lanes, batch = UNROLL * lanes;

    /* Which neighbours in hand to claim. */
    bool candidate[UNROLL], claims[UNROLL];
    unsigned masks[UNROLL];
    uint32_t old[UNROLL];
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        candidate[i] = (walker.hand[i] != NO_VERTEX) & (walker.hand[i] != walker.parent);
        old[i] = 0;
        if (search.look)
            old[i] = glance_if(candidate[i], &search.visited[walker.hand[i] / 32]);
    }
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        claims[i] = candidate[i] = candidate[i] & !(old[i] & bit_of(walker.hand[i]));
    if (depth_first) {
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            masks[i] = __ballot_sync(WHOLE_WARP, candidate[i]) & warp.walker_mask;
        uint32_t first = first_place(lanes, warp.base, masks);
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            claims[i] = candidate[i] & (warp.place + i * lanes == first);
    }

    /* The claims, and, while they are on their way, where the rows of those neighbours are. */
    offset_t row_from[UNROLL], row_to[UNROLL];
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        old[i] = or_if(claims[i], &search.visited[walker.hand[i] / 32], bit_of(walker.hand[i]));
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        row_from[i] = load_if(claims[i], &graph.offsets[walker.hand[i]]);
        row_to[i] = load_if(claims[i], &graph.offsets[walker.hand[i]] + 1);
    }

    /* What they brought: a walker goes to the first neighbour that it won and that leads on. */
    bool won[UNROLL];
    unsigned winners[UNROLL];
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        won[i] = claims[i] & !(old[i] & bit_of(walker.hand[i]));
        if (won[i])
            search.parent[walker.hand[i]] = walker.vertex;
        won[i] = won[i] & (row_to[i] - row_from[i] >= search.least_row);
        winners[i] = __ballot_sync(WHOLE_WARP, won[i]) & warp.walker_mask;
    }
    uint32_t chosen = first_place(lanes, warp.base, winners);
    unsigned owner = warp.base + (chosen & (lanes - 1));
    vertex_t next = of_place(lanes, chosen, owner, walker.hand);
    offset_t from = of_place(lanes, chosen, owner, row_from), to = of_place(lanes, chosen, owner, row_to);
    bool more = walker.to - walker.from > batch;
    bool moves = chosen < batch, stays = false, goes_on;
    if (depth_first) {
        /* What is left of the row goes to the stack; a walker that did not move stays with it. */
        bool has_rest = false;
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            unsigned claimed = __ballot_sync(WHOLE_WARP, claims[i]);
            masks[i] &= ~claimed;
            has_rest = has_rest | (masks[i] != 0);
            walker.hand[i] = candidate[i] & !claims[i] ? walker.hand[i] : NO_VERTEX;
        }
        stays = !moves & has_rest;
        goes_on = !moves & !has_rest & more;
        bool leaves = moves & (has_rest | more);
        unsigned pushing = __ballot_sync(WHOLE_WARP, leaves) & warp.leaders;
        if (pushing != 0) {
            struct plain_entry<offset_t> *entry = push(search, warp, pushing, warp.base);
            if (leaves & (warp.place == 0))
                *entry = {walker.vertex, walker.parent, walker.from + first_place(lanes, warp.base, masks),
                          walker.to};
        }
    } else {
        /* The others that it won go to the stack, and all of them if its row has not ended. */
        goes_on = more;
        moves = moves & !more;
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            bool leaves = won[i] & !(moves & (warp.place + i * lanes == chosen));
            unsigned pushing = __ballot_sync(WHOLE_WARP, leaves);
            if (pushing != 0) {
                struct plain_entry<offset_t> *entry = push(search, warp, pushing, lane_id());
                if (leaves)
                    *entry = {walker.hand[i], walker.vertex, row_from[i], row_to[i]};
            }
        }
    }

    /* On: there, or further in the row, or to an entry of the stack. */
    bool is_idle = !(moves | stays | goes_on);
    unsigned idle = __ballot_sync(WHOLE_WARP, is_idle) & warp.leaders;
    if (moves) {
        walker.parent = walker.vertex;
        walker.vertex = next;
        walker.from = from;
        walker.to = to;
    }
    if (goes_on)
        walker.from += batch;
    if (idle != 0) {
        if (is_idle)
            walker.from = walker.to = 0;
        __syncwarp();
        if (is_empty(warp)) {
            if (idle == warp.leaders)
                return false;
        } else {
            const struct plain_entry<offset_t> *entry = pop(search, warp, idle);
            if (entry != NULL) {
                walker.vertex = entry->vertex;
                walker.parent = entry->parent;
                walker.from = entry->from;
                walker.to = entry->to;
            }
            __syncwarp();
        }
    }
    bool is_long = walker.to - walker.from > LONG_ROW;
    unsigned splitting = __ballot_sync(WHOLE_WARP, is_long) & warp.leaders;
    if (splitting != 0) {
        offset_t middle = walker.from + (walker.to - walker.from) / 2;
        struct plain_entry<offset_t> *entry = push(search, warp, splitting, warp.base);
        if (is_long & (warp.place == 0))
            *entry = {walker.vertex, walker.parent, middle, walker.to};
        walker.to = is_long ? middle : walker.to;
    }
    if (!stays)
        take_in_hand(graph.targets, lanes, warp.place, walker.from, walker.to, walker.hand);
    __syncwarp();
    return true;
}

/* ---- kernels ---- */

#define MOST_PUSHED                                                                                                  \
    ((UNROLL + 1) * WARP_SIZE) /* in a step: neighbours won, or rests of rows; halves of long rows                   \
                                */

/* The warp's place in the block, and the block's post; for all threads of the block. */
template <typename entry_t>
static __device__ struct warp<entry_t> set_up(const struct search<entry_t> &search) {
    struct post *post = block_shared<struct post>();
    struct warp<entry_t> warp = {
    };
    warp.place = lane_id() & (search.lanes - 1);
    warp.base = lane_id() - warp.place;
    warp.walker_mask = (WHOLE_WARP >> (WARP_SIZE - search.lanes)) << warp.base;
    warp.leaders = __ballot_sync(WHOLE_WARP, warp.place == 0);
    warp.index = threadIdx.x / WARP_SIZE;
    warp.post = post;
    warp.rings = (entry_t *)(post + 1);
    warp.ring = warp.rings + warp.index * search.ring_size;
    warp.cold = search.cold + (size_t)(blockIdx.x * (blockDim.x / WARP_SIZE) + warp.index) * search.cold_size;
    if (threadIdx.x < MAX_WARPS)
        post->mail[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        post->busy = blockIdx.x == 0 ? LICENCE + 1 : 0;
        post->idle = post->seekers = post->done = 0;
    }
    __syncthreads();
    return warp;
}

template <bool depth_first>
__global__ void __launch_bounds__(MAX_WARPS *WARP_SIZE, 1)
    packed_kernel(const vertex_t *__restrict__ targets, struct search<packed_entry> search, vertex_t source)
{
    struct warp<packed_entry> warp = set_up(search);
    bool has_work = blockIdx.x == 0 && warp.index == 0;
    if (has_work) {
        if (lane_id() < PACKED_LANES)
            warp.ring[0].hand[lane_id()] = search.records[(size_t)source * PACKED_LANES + lane_id()];
        if (lane_id() == 0)
            warp.ring[0].vertex = warp.ring[0].parent = source;
        warp.top = 1;
        __syncwarp();
    }
    while (has_work || wait_for_work(search, warp)) {
        struct packed_walker walker = {NO_VERTEX, NO_VERTEX, NO_VERTEX, 0, 0};
        warp.calm = false;
        while (depth_first ? step_one(targets, search, warp, walker) : step_all(targets, search, warp, walker))
            tend_stack(search, warp, MOST_PUSHED);
        if (lane_id() == 0)
            leave_work(warp.post, search.queue.words);
        has_work = false;
    }
}

template <bool depth_first, typename offset_t>
__global__ void __launch_bounds__(MAX_WARPS *WARP_SIZE, 1)
    plain_kernel(csr<offset_t> graph, struct search<plain_entry<offset_t>> search, vertex_t source)
{
    struct warp<plain_entry<offset_t>> warp = set_up(search);
    bool has_work = blockIdx.x == 0 && warp.index == 0;
    if (has_work) {
        if (lane_id() == 0)
            warp.ring[0] = {source, source, graph.offsets[source], graph.offsets[source + 1]};
        warp.top = 1;
        __syncwarp();
    }
    while (has_work || wait_for_work(search, warp)) {
        struct plain_walker<offset_t> walker = {
        };
        walker.hand[0] = walker.hand[1] = NO_VERTEX;
        while (step<depth_first>(graph, search, warp, walker))
            tend_stack(search, warp, MOST_PUSHED);
        if (lane_id() == 0)
            leave_work(warp.post, search.queue.words);
        has_work = false;
    }
}

/* ---- preparation ---- */

/* The rows as records. */
template <typename offset_t>
__global__ void pack_records(csr<offset_t> graph, vertex_t *records)
{
    size_t num_words = (size_t)graph.num_vertices * PACKED_LANES, stride = (size_t)gridDim.x * blockDim.x;
    for (size_t word = (size_t)blockIdx.x * blockDim.x + threadIdx.x; word < num_words; word += stride) {
        vertex_t v = (vertex_t)(word / PACKED_LANES);
        uint32_t place = (uint32_t)(word % PACKED_LANES);
        edge_t from = graph.offsets[v], degree = graph.offsets[v + 1] - from;
        if (degree > PACKED_LANES)
            records[word] = hub_word(place, from, (uint32_t)degree);
        else
            records[word] = place < degree ? graph.targets[from + place] : NO_VERTEX;
    }
}

/* An empty queue with block 0's licence, and the source, visited. */
__global__ void seed(uint32_t *sequence, uint32_t capacity, struct queue_words *words, uint32_t *visited,
                     vertex_t *parent, vertex_t source)
{
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    for (uint32_t slot = thread; slot < capacity; slot += stride)
        sequence[slot] = slot;
    if (thread == 0) {
        *words = {};
        words->tail_licences = 1;
        visited[source / 32] = bit_of(source);
        parent[source] = source;
    }
}

/* ---- host side ---- */

enum { LANES, ROWS, LOOK, WARPS_PER_BLOCK, KEEP, TICKETS, RING_SIZE, COLD_SIZE, OFFSET_BITS };
static const struct option_spec options[] = {
    {"lanes", 0, 0, 32, NULL, "of a walker, a power of two; 0: by the mean degree; packed rows: 4"},
    {"rows", 0, 0, 0, "auto|plain|packed", "how rows are read: in place, or side by side in records"},
    {"look", 0, 0, 0, "auto|no|yes", "plain rows: whether a neighbour is visited, before it is claimed"},
    {"warps-per-block", 0, 0, MAX_WARPS, NULL, "warps of a block, one block a multiprocessor; 0: by the mean degree"},
    {"keep", 0, 0, 31, NULL, "entries that a warp keeps when it hands others over"},
    {"tickets", 2, 1, MAX_WARPS, NULL, "warps of a block that may wait for another block's work"},
    {"ring-size", 256, 128, 1024, NULL, "entries of a warp's stack in shared memory, a power of two"},
    {"cold-size", 0, 0, 1 << 12, NULL, "entries of a warp's stack in global memory; 0: twice its share of the graph"},
    {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},
    {},
};

struct state {
    struct gpu_graph graph;
    uint32_t *visited;
    vertex_t *parent, *records;
    uint32_t lanes, look, ring_size, cold_size, capacity;
    void *cold, *chunks; /* of entries */
    uint32_t *sequence;
    struct queue_words *words;
    struct grid grid;
    size_t shared_bytes;
    size_t num_words; /* of visited */
};

static bool is_power_of_two(uint32_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

#define SPARSE      4.5  /* mean degree up to which a record holds most rows */
#define LESS_SPARSE 8.0  /* up to which four lanes, two arcs each, do */
#define DENSE       16.0 /* from which all warps of a multiprocessor have work, and most neighbours are visited */

#define SPARSE_WARPS 8u  /* of a block: more only wait, and slow each other down; */
#define LARGE_WARPS  12u /* but in a graph of LARGE vertices there is more to do */
#define LARGE        (8u << 20)

enum rows { ROWS_AUTO, ROWS_PLAIN, ROWS_PACKED };

/* Rows, lanes, warps, look: as set, or by the graph's mean degree. */
static int choose(struct run *run, struct state *state, bool depth_first, uint32_t *warps)
{
    const struct graph *graph = run->graph;
    double degree = (double)graph->num_edges / graph->num_vertices;
    uint32_t lanes = (uint32_t)run->options[LANES];
    enum rows rows = (enum rows)run->options[ROWS];
    if (rows == ROWS_AUTO)
        rows = degree <= SPARSE && (lanes == 0 || lanes == PACKED_LANES) ? ROWS_PACKED : ROWS_PLAIN;
    if (lanes == 0)
        lanes = rows == ROWS_PACKED ? PACKED_LANES : degree <= LESS_SPARSE ? 4 : 8;
    if (!is_power_of_two(lanes))
        return error_set(run->error, STATUS_INPUT, "--set lanes=%u: expected a power of two", lanes);
    if (rows == ROWS_PACKED && lanes != PACKED_LANES)
        return error_set(run->error, STATUS_INPUT, "--set lanes=%u: packed rows take %u", lanes, PACKED_LANES);
    *warps = (uint32_t)run->options[WARPS_PER_BLOCK];
    if (*warps == 0)
        *warps = rows == ROWS_PACKED ? (graph->num_vertices < LARGE ? SPARSE_WARPS : LARGE_WARPS)
                 : degree <= DENSE   ? MAX_WARPS / 2
                                     : MAX_WARPS;
    state->lanes = lanes;
    bool looks = rows == ROWS_PLAIN && (depth_first || degree > DENSE);
    state->look = run->options[LOOK] != 0 ? run->options[LOOK] == 2 : looks;
    snprintf(run->note, sizeof run->note,
             "mean degree %.1f: walkers of %u lanes, %u warps a multiprocessor, rows %s, %s", degree, lanes, *warps,
             rows == ROWS_PLAIN ? "read in place" : "packed in records",
             state->look ? "a look before a claim" : "claims without a look");
    if (rows == ROWS_PLAIN)
        return STATUS_OK;
    return gpu_allocate(&state->records, (size_t)graph->num_vertices * PACKED_LANES, "the records", run->error);
}

/* Fills the records on the device. */
static int prepare_records(struct run *run, const struct state *state)
{
    const struct gpu_graph *graph = &state->graph;
    if (graph->wide)
        gpu_launch(pack_records<edge_t>, gpu_wide_grid(), 0, run->error, csr_of<edge_t>(graph), state->records);
    else
        gpu_launch(pack_records<uint32_t>, gpu_wide_grid(), 0, run->error, csr_of<uint32_t>(graph), state->records);
    return gpu_check(cudaDeviceSynchronize(), "packing records", run->error);
}

/* The queue holds every entry that there can be at once: one for each vertex and each half of a split row, in full
 * chunks, and one chunk that is not full for every warp. */
static uint32_t queue_capacity(const struct graph *graph, uint32_t num_warps)
{
    uint64_t chunks = graph->num_vertices / CHUNK + graph->num_edges / LONG_ROW * 2 / CHUNK + 2 * num_warps + 1;
    uint32_t capacity = 1;
    while (capacity < chunks)
        capacity *= 2;
    return capacity;
}

/* What differs between the kinds of rows. */
struct kind {
    const void *kernel;
    size_t entry_size;
};

template <bool depth_first>
static struct kind kind_of(const struct state *state)
{
    if (state->records != NULL)
        return {(const void *)packed_kernel<depth_first>, sizeof(struct packed_entry)};
    if (state->graph.wide)
        return {(const void *)plain_kernel<depth_first, edge_t>, sizeof(struct plain_entry<edge_t>)};
    return {(const void *)plain_kernel<depth_first, uint32_t>, sizeof(struct plain_entry<uint32_t>)};
}

template <bool depth_first>
static int prepare(struct run *run)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    const struct graph *graph = run->graph;
    size_t n = graph->num_vertices, shared_limit;
    uint32_t warps;
    state->ring_size = (uint32_t)run->options[RING_SIZE];
    if (!is_power_of_two(state->ring_size))
        return error_set(run->error, STATUS_INPUT, "--set ring-size=%u: expected a power of two", state->ring_size);
    if (gpu_graph_upload(graph, run->options[OFFSET_BITS] != 0, &state->graph, run->error) != STATUS_OK ||
        choose(run, state, depth_first, &warps) != STATUS_OK ||
        (state->records != NULL && prepare_records(run, state) != STATUS_OK) ||
        gpu_shared_limit(&shared_limit, run->error) != STATUS_OK)
        return run->error->status;
    struct kind kind = kind_of<depth_first>(state);
    for (;; state->ring_size /= 2) { /* as much of the ring as fits */
        state->shared_bytes = sizeof(struct post) + warps * state->ring_size * kind.entry_size;
        if (state->shared_bytes <= shared_limit || state->ring_size <= 128)
            break;
    }
    if (gpu_plan_grid(kind.kernel, warps * WARP_SIZE, 1, state->shared_bytes, &state->grid, run->error) != STATUS_OK)
        return run->error->status;
    uint32_t num_warps = state->grid.blocks * (state->grid.threads / WARP_SIZE);
    state->cold_size = (uint32_t)run->options[COLD_SIZE];
    if (state->cold_size == 0)
        state->cold_size = (uint32_t)(2 * n / num_warps + 4 * CHUNK);
    state->capacity = queue_capacity(graph, num_warps);
    state->num_words = (n + 31) / 32;
    gpu_allocate(&state->visited, state->num_words, "the visited vertices", run->error);
    gpu_allocate(&state->parent, n, "the parents", run->error);
    gpu_allocate(&state->sequence, state->capacity, "the queue", run->error);
    gpu_allocate(&state->words, 1, "the queue", run->error);
    gpu_allocate_bytes(&state->chunks, (size_t)state->capacity * CHUNK, kind.entry_size, "the queue", run->error);
    gpu_allocate_bytes(&state->cold, (size_t)num_warps * state->cold_size, kind.entry_size, "the stacks", run->error);
    if (run->error->status == STATUS_OK) /* chunks that are not full are read to their end */
        gpu_check(cudaMemset(state->chunks, 0xff, (size_t)state->capacity * CHUNK * kind.entry_size), "the queue",
                  run->error);
    return run->error->status;
}

static int reset(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    cudaMemsetAsync(state->parent, 0xff, run->graph->num_vertices * sizeof *state->parent); /* NO_VERTEX */
    cudaMemsetAsync(state->visited, 0, state->num_words * sizeof *state->visited);
    return gpu_launch(seed, gpu_wide_grid(), 0, run->error, state->sequence, state->capacity, state->words,
                      state->visited, state->parent, source);
}

#define CYCLES_PER_ARC 8192 /* several times what a lone walker takes */

template <typename entry_t>
static struct search<entry_t> search_of(const struct run *run) {
    const struct state *state = (const struct state *)run->state;
    return {
        .visited = state->visited,
        .parent = state->parent,
        .records = state->records,
        .lanes = state->lanes,
        .least_row = run->graph->symmetric ? 2u : 1u,
        .look = state->look,
        .keep = (uint32_t)run->options[KEEP],
        .tickets = (uint32_t)run->options[TICKETS],
        .patience = BARRIER_LIMIT + (long long)(run->graph->num_vertices + run->graph->num_edges) * CYCLES_PER_ARC,
        .cold = (entry_t *)state->cold,
        .cold_size = state->cold_size,
        .ring_size = state->ring_size,
        .queue = {state->words, state->sequence, (entry_t *)state->chunks, state->capacity},
    };
}

template <typename entry_t, typename rows_t>
static int launch(struct run *run, void (*kernel)(rows_t, struct search<entry_t>, vertex_t), rows_t rows,
                  vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    run_kernel_begin(run);
    gpu_launch_persistent(kernel, state->grid, state->shared_bytes, run->error, rows, search_of<entry_t>(run),
                          source);
    run_kernel_end(run);
    return run->error->status;
}

template <bool depth_first>
static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct gpu_graph *graph = &state->graph;
    const vertex_t *targets = graph->targets;
    vertex_t source = query->source;
    if (reset(run, source) != STATUS_OK)
        return run->error->status;
    if (state->records != NULL)
        return launch(run, packed_kernel<depth_first>, targets, source);
    if (graph->wide)
        return launch(run, plain_kernel<depth_first, edge_t>, csr_of<edge_t>(graph), source);
    return launch(run, plain_kernel<depth_first, uint32_t>, csr_of<uint32_t>(graph), source);
}

static int fetch(struct run *run, struct traversal *result)
{
    static const char *const waits[] = {"", "a warp waited too long for work",
                                        "a warp waited too long for the queue"};
    const struct state *state = (const struct state *)run->state;
    struct queue_words words;
    uint32_t *bits = NULL;
    if (gpu_download(&words, state->words, 1, run->error) != STATUS_OK)
        return run->error->status;
    if (words.broken != 0)
        return error_set(
            run->error, STATUS_DEVICE, "GPU: hand-off: %s (%u chunks given, %u drawn, %u licences left); stopped",
            waits[words.broken], (uint32_t)(words.tail_licences >> 32), words.head, (uint32_t)words.tail_licences);
    if (gpu_download(result->parent, state->parent, run->graph->num_vertices, run->error) == STATUS_OK &&
        allocate(&bits, state->num_words, sizeof *bits, "the visited vertices", run->error) == STATUS_OK &&
        gpu_download(bits, state->visited, state->num_words, run->error) == STATUS_OK) {
#pragma omp parallel for
        for (vertex_t v = 0; v < run->graph->num_vertices; v++)
            result->visited[v] = bits[v / 32] >> (v % 32) & 1;
    }
    free(bits);
    return run->error->status;
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const void *const arrays[] = {state->visited, state->parent,   state->records, state->cold,
                                      state->chunks,  state->sequence, state->words};
        for (const void *array : arrays)
            gpu_free(array);
        gpu_graph_free(&state->graph);
    }
    free(state);
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(dfs_v5) = {
    .family = "dfs",
    .variant = "v5",
    .title = "DFS by hand-off, one claim a step",
    .citation = "gtrav, after DiggerBees (Niu et al. 2026)",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_VISITED | OUTPUT_PARENT,
    .options = options,
    .prepare = prepare<true>,
    .traverse = traverse<true>,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(reach_handoff) = {
    .family = "reach",
    .variant = "handoff",
    .title = "Spanning tree by hand-off, all neighbours claimed at once: not depth-first",
    .citation = "gtrav, after DiggerBees (Niu et al. 2026)",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_VISITED | OUTPUT_PARENT,
    .options = options,
    .prepare = prepare<false>,
    .traverse = traverse<false>,
    .fetch = fetch,
    .release = release,
};
