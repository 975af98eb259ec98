/* packed.cuh: steps on packed lists, for graphs of small degrees.
 *
 * A record holds the packed neighbours of a vertex and is loaded while the claim is in flight. An entry of the stack
 * holds the neighbours themselves. An idle walker takes what another walker of its warp leaves in the same step. So a
 * step takes only the latency of one access to L2. A high-degree vertex has a list that does not fit into a record.
 * Its record says where the list is in graph.targets, and the list is read there in batches. */
#pragma once

#include "stack.cuh"
#include "termination.cuh"
#include "wait.cuh"

namespace BACKEND::handoff
{

#define PACKED_LANES 4u /* lanes of a walker, and words of a record */
#define HIGH_DEGREE_RECORD                                                                                             \
    0xfffffffeu /* first word of a high-degree vertex's record; then its first edge (2 words) and its degree */

/* What is left to do at a vertex. */
struct __align__(8) packed_entry
{
    vertex_t vertex, parent;
    vertex_t hand[PACKED_LANES]; /* neighbours, then NO_VERTEX; or HIGH_DEGREE_RECORD and a range of edges */
};

/* Returns word `place` of the record of a high-degree vertex, or of a part of its list. */
DEVICE vertex_t high_degree_word(unsigned place, edge_t from, uint32_t count)
{
    return place == 0   ? HIGH_DEGREE_RECORD
           : place == 1 ? (uint32_t)from
           : place == 2 ? (uint32_t)(from >> 32)
           : place == 3 ? count
                        : NO_VERTEX;
}

/* A walker. All its lanes hold the same values, except for `hand`. */
struct packed_walker {
    vertex_t vertex, parent;
    vertex_t hand;   /* a neighbour, or NO_VERTEX */
    edge_t from, to; /* edges of a high-degree vertex after those in hand */
};

/* Returns whether the lane has a neighbour in hand that may be unvisited. */
DEVICE bool is_candidate(const struct packed_walker &walker)
{
    return walker.hand != NO_VERTEX && walker.hand != walker.parent;
}

/* Pushes the edges [from, to) of the walker's high-degree vertex on the stack. */
DEVICE void push_edges(const struct search<packed_entry> &search, struct warp<packed_entry> &warp, bool has,
                       const struct packed_walker &walker, edge_t from, edge_t to)
{
    unsigned pushing = __ballot_sync(WHOLE_WARP, has) & warp.leaders;
    struct packed_entry *entry = push(search, warp, pushing, warp.base);
    if (has) {
        entry->vertex = walker.vertex;
        entry->parent = walker.parent;
        entry->hand[warp.place] = high_degree_word(warp.place, from, (uint32_t)(to - from));
    }
}

/* Replaces each record of a high-degree vertex that has just come into hand by the vertex's first edges. Half of a
 * large range goes on the stack. */
static __device__ void open_high_degree(const vertex_t *targets, const struct search<packed_entry> &search,
                                        struct warp<packed_entry> &warp, struct packed_walker &walker)
{
    bool is_high_degree = __shfl_sync(WHOLE_WARP, walker.hand, (int)warp.base) == HIGH_DEGREE_RECORD;
    edge_t low = __shfl_sync(WHOLE_WARP, walker.hand, (int)warp.base + 1);
    edge_t high = __shfl_sync(WHOLE_WARP, walker.hand, (int)warp.base + 2);
    uint32_t count = __shfl_sync(WHOLE_WARP, walker.hand, (int)warp.base + 3);
    edge_t from = high << 32 | low, to = from + count;
    bool splits = is_high_degree && count > search.split_above;
    if (__any_sync(WHOLE_WARP, splits)) {
        edge_t middle = from + count / 2;
        push_edges(search, warp, splits, walker, middle, to);
        to = splits ? middle : to;
    }
    if (is_high_degree) {
        walker.hand = load_if(from + warp.place < to, &targets[from + warp.place]);
        walker.from = from + PACKED_LANES;
        walker.to = to;
    }
}

/* Pairs lanes that have entries to spare with idle walkers, so that these entries need not go through the stack.
 * takers: the first lanes of idle walkers. Returns the lane that this walker takes from; `owner` if it takes nothing.
 * Lanes that found no taker remain in `spare`. */
template <typename entry_t>
DEVICE unsigned pair_up(const struct warp<entry_t> &warp, unsigned &spare, unsigned takers, unsigned owner)
{
    for (; spare != 0 && takers != 0; spare &= spare - 1, takers &= takers - 1)
        if (warp.base == (unsigned)__ffs((int)takers) - 1)
            owner = (unsigned)__ffs((int)spare) - 1;
    return owner;
}

/* Runs before a step: idle walkers take entries from the stack. Sets `more` if the walker has edges beyond those in
 * hand. Returns false if no walker has anything to do. */
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
        if (__any_sync(WHOLE_WARP, walker.hand == HIGH_DEGREE_RECORD))
            open_high_degree(targets, search, warp, walker);
        more = walker.from < walker.to;
    }
    return true;
}

/* Runs after a step in which some walker met a high-degree vertex, left something on the stack, or found nothing. */
static __device__ void come_to_rest(const vertex_t *targets, const struct search<packed_entry> &search,
                                    struct warp<packed_entry> &warp, struct packed_walker &walker, bool goes_on)
{
    if (goes_on) { /* the walker is in the middle of a high-degree vertex's list */
        walker.hand = load_if(walker.from + warp.place < walker.to, &targets[walker.from + warp.place]);
        walker.from += PACKED_LANES;
    }
    if (__any_sync(WHOLE_WARP, walker.hand == HIGH_DEGREE_RECORD))
        open_high_degree(targets, search, warp, walker);
    warp.calm = is_empty(warp) && !__any_sync(WHOLE_WARP, walker.from < walker.to) &&
                __any_sync(WHOLE_WARP, is_candidate(walker));
    __syncwarp();
}

/* Runs one step of a warp's walkers; each claims the first neighbour in hand. Returns false if none had any work. */
DEVICE bool step(const vertex_t *targets, const struct search<packed_entry> &search, struct warp<packed_entry> &warp,
                 struct packed_walker &walker)
{
    bool more = false;
    if (!warp.calm && !turn_to_stack(targets, search, warp, walker, more))
        return false;
    bool candidate = is_candidate(walker);
    unsigned mine = __ballot_sync(WHOLE_WARP, candidate) & warp.walker_mask;
    unsigned owner = mine != 0 ? (unsigned)__ffs((int)mine) - 1 : lane_id();
    vertex_t next = __shfl_sync(WHOLE_WARP, walker.hand, (int)owner);
    bool claims = candidate & (lane_id() == owner);
    uint32_t *visited = bitmap_word(search.visited, walker.hand), bit = bit_of(walker.hand);
    uint32_t old = or_if(claims, visited, bit);
    uint32_t seen = load_relaxed_if(candidate & !claims, visited);
    vertex_t word = load_wide_if(mine != 0, &search.records[(size_t)next * PACKED_LANES + warp.place]);
    bool leads_on = (word != NO_VERTEX) & (word != walker.vertex);
    unsigned open = __ballot_sync(WHOLE_WARP, leads_on) & warp.walker_mask;
    bool won = claims & !(old & bit), left = candidate & !claims & !(seen & bit);
    unsigned winner = __ballot_sync(WHOLE_WARP, won), rest = __ballot_sync(WHOLE_WARP, left) & warp.walker_mask;
    bool moves = (winner & warp.walker_mask) != 0 && open != 0;
    unsigned irregular = __ballot_sync(WHOLE_WARP, moves & ((rest != 0) | more | (word == HIGH_DEGREE_RECORD)));
    if (won)
        search.parent[walker.hand] = walker.vertex;
    walker.hand = left ? walker.hand : NO_VERTEX; /* a walker that does not move keeps its neighbours */
    if (irregular != 0) {
        if (__any_sync(WHOLE_WARP, moves && more))
            push_edges(search, warp, moves && more, walker, walker.from, walker.to);
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

__global__ void __launch_bounds__(MAX_WARPS *WARP_SIZE, 1)
    packed_kernel(const vertex_t *__restrict__ targets, struct search<packed_entry> search, vertex_t source)
{
    struct warp<packed_entry> warp = set_up(search);
    bool has_work = begin(search, source);
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
        while (step(targets, search, warp, walker))
            tend_stack(search, warp, MOST_PUSHED);
        if (lane_id() == 0)
            leave_work(warp.post, search.queue);
        has_work = false;
    }
}

/* Packs the neighbour lists into records. */
template <typename offset_t>
__global__ void pack_records(csr<offset_t> graph, vertex_t *records)
{
    size_t num_words = (size_t)graph.num_vertices * PACKED_LANES;
    for (size_t word = thread_of_grid(); word < num_words; word += threads_of_grid()) {
        vertex_t v = (vertex_t)(word / PACKED_LANES);
        uint32_t place = (uint32_t)(word % PACKED_LANES);
        edge_t from = graph.offsets[v], degree = graph.offsets[v + 1] - from;
        if (degree > PACKED_LANES)
            records[word] = high_degree_word(place, from, (uint32_t)degree);
        else
            records[word] = place < degree ? graph.targets[from + place] : NO_VERTEX;
    }
}

} // namespace BACKEND::handoff
