/* plain.cuh: steps on plain lists.
 *
 * Lists are read from graph.targets, two edges per lane. A step checks the bitmap first to save claims. The check may
 * read an outdated word from L1. This is harmless: a visited vertex may then look unvisited, but never the reverse.
 *
 * A leaf is a vertex whose list is empty, or contains only the vertex from which it was reached. A depth-first search
 * that visits a leaf comes back at once. So a step may claim all leaves in hand and then one more neighbour: this is
 * the order of a search that visits leaves first. This takes far fewer steps in graphs with long lists and many
 * leaves, such as histories and web graphs. A flag in each target says whether it is a leaf (flag_leaves), so the
 * lists of leaves are not looked up. */
#pragma once

#include "stack.cuh"
#include "termination.cuh"
#include "wait.cuh"

namespace BACKEND::handoff
{

#define LEAF 0x80000000u /* flag in a target; the vertex ids are below LEAF */

/* What is left to do at a vertex. */
template <typename offset_t>
struct __align__(sizeof(offset_t) == 4 ? 16 : 8) plain_entry
{
    vertex_t vertex, parent;
    offset_t from, to; /* the edges [from, to) */
};

/* A walker. All its lanes hold the same values, except for `hand`. A walker without a vertex has nothing in hand, and
 * from = to. */
template <typename offset_t>
struct plain_walker {
    vertex_t vertex, parent;
    offset_t from, to; /* from: the first edge in hand; to: the end of the list */
    /* Edge `from` + i * lanes + place: its target, with the flag; NO_VERTEX if visited or beyond the end. */
    vertex_t hand[UNROLL];
};

/* Loads the batch of edges that starts at edge `from`. */
template <typename offset_t>
DEVICE void take_in_hand(const vertex_t *targets, uint32_t lanes, unsigned place, offset_t from, offset_t to,
                         vertex_t (&hand)[UNROLL])
{
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        hand[i] = load_if(from + i * lanes + place < to, &targets[from + i * lanes + place]);
}

/* Returns the place in the batch of the first neighbour whose bit is set in masks[i] (for hand[i]); the size of the
 * batch if there is none. */
DEVICE uint32_t first_place(uint32_t lanes, unsigned base, const unsigned (&masks)[UNROLL])
{
    uint32_t place = UNROLL * lanes;
#pragma unroll
    for (unsigned i = UNROLL; i-- > 0;)
        if (masks[i] != 0)
            place = i * lanes + (unsigned)__ffs((int)masks[i]) - 1 - base;
    return place;
}

/* Returns the value at a place in the batch. values: parallel to hand; the value is in lane `owner`. */
template <typename type>
DEVICE type of_place(uint32_t lanes, uint32_t place, unsigned owner, const type (&values)[UNROLL])
{
    type value = values[0];
#pragma unroll
    for (unsigned i = 1; i < UNROLL; i++)
        value = place >= i * lanes ? values[i] : value;
    return __shfl_sync(WHOLE_WARP, value, (int)owner);
}

/* The batch of edges in hand during one step; element i belongs to hand[i]. */
template <typename offset_t>
struct batch {
    vertex_t vertex[UNROLL];                     /* the neighbour */
    bool candidate[UNROLL];                      /* the neighbour may be unvisited */
    bool claims[UNROLL];                         /* the step claims it */
    bool won[UNROLL];                            /* the claim succeeded, and the neighbour's list leads on */
    unsigned masks[UNROLL];                      /* lanes whose candidate is not a leaf and not yet claimed */
    offset_t list_from[UNROLL], list_to[UNROLL]; /* the list of a claimed neighbour */
    uint32_t chosen;                             /* place of the first neighbour won; batch size if none */
};

/* Chooses the neighbours in hand to claim: all leaves and the first other candidate. */
template <typename offset_t>
DEVICE void choose_claims(const struct search<plain_entry<offset_t>> &search,
                          const struct warp<plain_entry<offset_t>> &warp, const struct plain_walker<offset_t> &walker,
                          struct batch<offset_t> &batch)
{
    uint32_t old[UNROLL];
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        batch.vertex[i] = walker.hand[i] & ~search.leaf;
        batch.candidate[i] = (walker.hand[i] != NO_VERTEX) & (batch.vertex[i] != walker.parent);
        old[i] = load_cached_if(batch.candidate[i], bitmap_word(search.visited, batch.vertex[i]));
    }
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        batch.candidate[i] = batch.candidate[i] & !(old[i] & bit_of(batch.vertex[i]));
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        batch.masks[i] =
            __ballot_sync(WHOLE_WARP, batch.candidate[i] & !(walker.hand[i] & search.leaf)) & warp.walker_mask;
    uint32_t first = first_place(search.lanes, warp.base, batch.masks);
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        batch.claims[i] =
            batch.candidate[i] & (((walker.hand[i] & search.leaf) != 0) | (warp.place + i * search.lanes == first));
}

/* Claims the chosen neighbours, and looks up their lists while the claims are in flight. Chooses the first neighbour
 * that was won and leads on. */
template <typename offset_t>
DEVICE void claim(const csr<offset_t> &graph, const struct search<plain_entry<offset_t>> &search,
                  const struct warp<plain_entry<offset_t>> &warp, const struct plain_walker<offset_t> &walker,
                  struct batch<offset_t> &batch)
{
    uint32_t old[UNROLL];
    unsigned winners[UNROLL];
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        old[i] = set_bit_if(batch.claims[i], search.visited, batch.vertex[i]);
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) { /* the list of a leaf counts as empty and is not looked up */
        bool may_lead_on = batch.claims[i] & !(walker.hand[i] & search.leaf);
        batch.list_from[i] = load_if(may_lead_on, &graph.offsets[batch.vertex[i]]);
        batch.list_to[i] = load_if(may_lead_on, &graph.offsets[batch.vertex[i]] + 1);
    }
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        batch.won[i] = batch.claims[i] & !(old[i] & bit_of(batch.vertex[i]));
        if (batch.won[i])
            search.parent[batch.vertex[i]] = walker.vertex;
        batch.won[i] = batch.won[i] & (batch.list_to[i] - batch.list_from[i] >= search.least_list);
        winners[i] = __ballot_sync(WHOLE_WARP, batch.won[i]) & warp.walker_mask;
    }
    batch.chosen = first_place(search.lanes, warp.base, winners);
}

/* After the claims: keeps the unclaimed candidates in hand. Returns whether there are any. */
template <typename offset_t>
DEVICE bool keep_rest(struct plain_walker<offset_t> &walker, struct batch<offset_t> &batch)
{
    bool has_rest = false;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        unsigned claimed = __ballot_sync(WHOLE_WARP, batch.claims[i]);
        batch.masks[i] &= ~claimed;
        has_rest = has_rest | (batch.masks[i] != 0);
        walker.hand[i] = batch.candidate[i] & !batch.claims[i] ? walker.hand[i] : NO_VERTEX;
    }
    return has_rest;
}

/* A walker that leaves its vertex pushes the rest of the list on the stack. */
template <typename offset_t>
DEVICE void push_rest(const struct search<plain_entry<offset_t>> &search, struct warp<plain_entry<offset_t>> &warp,
                      const struct plain_walker<offset_t> &walker, const struct batch<offset_t> &batch, bool leaves)
{
    unsigned pushing = __ballot_sync(WHOLE_WARP, leaves) & warp.leaders;
    if (pushing != 0) {
        struct plain_entry<offset_t> *entry = push(search, warp, pushing, warp.base);
        if (leaves & (warp.place == 0))
            *entry = {walker.vertex, walker.parent, walker.from + first_place(search.lanes, warp.base, batch.masks),
                      walker.to};
    }
}

/* Idle walkers take entries from the stack. */
template <typename offset_t>
DEVICE void take_entries(const struct search<plain_entry<offset_t>> &search, struct warp<plain_entry<offset_t>> &warp,
                         struct plain_walker<offset_t> &walker, unsigned idle)
{
    const struct plain_entry<offset_t> *entry = pop(search, warp, idle);
    if (entry != NULL) {
        walker.vertex = entry->vertex;
        walker.parent = entry->parent;
        walker.from = entry->from;
        walker.to = entry->to;
    }
    __syncwarp();
}

/* Leaves the second half of a large range on the stack. */
template <typename offset_t>
DEVICE void split_range(const struct search<plain_entry<offset_t>> &search, struct warp<plain_entry<offset_t>> &warp,
                        struct plain_walker<offset_t> &walker)
{
    bool splits = walker.to - walker.from > search.split_above;
    unsigned splitting = __ballot_sync(WHOLE_WARP, splits) & warp.leaders;
    if (splitting != 0) {
        offset_t middle = walker.from + (walker.to - walker.from) / 2;
        struct plain_entry<offset_t> *entry = push(search, warp, splitting, warp.base);
        if (splits & (warp.place == 0))
            *entry = {walker.vertex, walker.parent, middle, walker.to};
        walker.to = splits ? middle : walker.to;
    }
}

/* Runs one step of all walkers of a warp; each claims the first neighbour in hand. Returns false if no walker had
 * anything to do. */
template <typename offset_t>
DEVICE bool step(const csr<offset_t> &graph, const struct search<plain_entry<offset_t>> &search,
                 struct warp<plain_entry<offset_t>> &warp, struct plain_walker<offset_t> &walker)
{
    const uint32_t lanes = search.lanes, size = UNROLL * lanes;
    struct batch<offset_t> batch;
    choose_claims(search, warp, walker, batch);
    claim(graph, search, warp, walker, batch);
    unsigned owner = warp.base + (batch.chosen & (lanes - 1));
    vertex_t next = of_place(lanes, batch.chosen, owner, walker.hand);
    offset_t from = of_place(lanes, batch.chosen, owner, batch.list_from);
    offset_t to = of_place(lanes, batch.chosen, owner, batch.list_to);
    bool more = walker.to - walker.from > size;
    /* The walker moves to the chosen neighbour, keeps its batch, takes the next batch, or becomes idle. */
    bool moves = batch.chosen < size, has_rest = keep_rest(walker, batch);
    bool stays = !moves & has_rest, goes_on = !moves & !has_rest & more;
    push_rest(search, warp, walker, batch, moves & (has_rest | more));
    bool is_idle = !(moves | stays | goes_on);
    unsigned idle = __ballot_sync(WHOLE_WARP, is_idle) & warp.leaders;
    if (moves) {
        walker.parent = walker.vertex;
        walker.vertex = next;
        walker.from = from;
        walker.to = to;
    }
    if (goes_on)
        walker.from += size;
    if (idle != 0) {
        if (is_idle)
            walker.from = walker.to = 0;
        __syncwarp();
        if (!is_empty(warp))
            take_entries(search, warp, walker, idle);
        else if (idle == warp.leaders)
            return false;
    }
    split_range(search, warp, walker);
    if (!stays)
        take_in_hand(graph.targets, lanes, warp.place, walker.from, walker.to, walker.hand);
    __syncwarp();
    return true;
}

template <typename offset_t>
__global__ void __launch_bounds__(MAX_WARPS *WARP_SIZE, 1)
    plain_kernel(csr<offset_t> graph, struct search<plain_entry<offset_t>> search, vertex_t source)
{
    struct warp<plain_entry<offset_t>> warp = set_up(search);
    bool has_work = begin(search, source);
    if (has_work) {
        if (lane_id() == 0)
            warp.ring[0] = {source, source, graph.offsets[source], graph.offsets[source + 1]};
        warp.top = 1;
        __syncwarp();
    }
    while (has_work || wait_for_work(search, warp)) {
        plain_walker<offset_t> walker = {};
        walker.hand[0] = walker.hand[1] = NO_VERTEX;
        while (step(graph, search, warp, walker))
            tend_stack(search, warp, MOST_PUSHED);
        if (lane_id() == 0)
            leave_work(warp.post, search.queue);
        has_work = false;
    }
}

/* Finds the leaves, whose lists are shorter than least_list. leaves: a bit for each vertex. */
template <typename offset_t>
__global__ void find_leaves(csr<offset_t> graph, uint32_t least_list, uint32_t *leaves)
{
    struct team warps = grid_warps();
    for (uint32_t word = warps.rank; word < bitmap_words(graph.num_vertices); word += warps.size) {
        vertex_t v = word * BITMAP_BITS + lane_id();
        bool is_leaf = v < graph.num_vertices && graph.offsets[v + 1] - graph.offsets[v] < least_list;
        uint32_t bits = __ballot_sync(WHOLE_WARP, is_leaf);
        if (lane_id() == 0)
            leaves[word] = bits;
    }
}

static __global__ void flag_leaves(vertex_t *targets, edge_t num_edges, const uint32_t *leaves)
{
    for (edge_t e = thread_of_grid(); e < num_edges; e += threads_of_grid()) {
        vertex_t v = targets[e];
        if (has_bit(*bitmap_word(leaves, v), v))
            targets[e] = v | LEAF;
    }
}

} // namespace BACKEND::handoff
