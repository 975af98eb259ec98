/* plain.cuh: steps on plain rows.
 *
 * Rows are read in graph.targets, two arcs a lane. Where most neighbours are visited, a look at the bitmap saves the
 * claim. The look may read a stale word from L1; this is harmless, since it can only take a visited vertex for
 * unvisited, never the reverse. */
#pragma once

#include "stack.cuh"
#include "termination.cuh"
#include "wait.cuh"

namespace BACKEND::handoff
{

/* The rest of the work at a vertex. */
template <typename offset_t>
struct __align__(sizeof(offset_t) == 4 ? 16 : 8) plain_entry
{
    vertex_t vertex, parent;
    offset_t from, to; /* arcs from .. to - 1 */
};

/* All lanes of a walker have the same values, except for hand. A walker without a vertex has nothing in hand, and
 * from = to. */
template <typename offset_t>
struct plain_walker {
    vertex_t vertex, parent;
    offset_t from, to;     /* the first arc in hand; the end of the row */
    vertex_t hand[UNROLL]; /* neighbours from + i * lanes + place; NO_VERTEX beyond the end, and where visited */
};

/* Loads the batch of arcs that starts at `from`. */
template <typename offset_t>
static __device__ __forceinline__ void take_in_hand(const vertex_t *targets, uint32_t lanes, unsigned place,
                                                    offset_t from, offset_t to, vertex_t (&hand)[UNROLL])
{
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        hand[i] = load_if(from + i * lanes + place < to, &targets[from + i * lanes + place]);
}

/* The place in the batch of the first neighbour whose bit is set, or the size of the batch; masks[i] belongs to
 * hand[i].
 */
static __device__ __forceinline__ uint32_t first_place(uint32_t lanes, unsigned base, const unsigned (&masks)[UNROLL])
{
    uint32_t place = UNROLL * lanes;
#pragma unroll
    for (unsigned i = UNROLL; i-- > 0;)
        if (masks[i] != 0)
            place = i * lanes + (unsigned)__ffs((int)masks[i]) - 1 - base;
    return place;
}

/* Of values parallel to hand: the one at a place in the batch, which lane `owner` has. */
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
        plain_walker<offset_t> walker = {};
        walker.hand[0] = walker.hand[1] = NO_VERTEX;
        while (step<depth_first>(graph, search, warp, walker))
            tend_stack(search, warp, MOST_PUSHED);
        if (lane_id() == 0)
            leave_work(warp.post, search.queue.words);
        has_work = false;
    }
}

} // namespace BACKEND::handoff
