/* walk.cuh: the depth-first search of one warp (section 3.3). */
#pragma once

#include "cold_seg.cuh"

namespace BACKEND::diggerbees
{

/* A vertex and how far its neighbours have been examined. */
template <typename offset_t>
struct place {
    vertex_t vertex;
    uint32_t next, degree; /* next: index of the first neighbour not yet examined */
    offset_t first_edge;
    vertex_t neighbour; /* neighbour number next + lane_id(); NO_VERTEX beyond the last */
};

template <typename offset_t>
DEVICE void load_neighbours(const csr<offset_t> &graph, struct place<offset_t> *place)
{
    place->neighbour =
        load_if(lane_id() < place->degree - place->next, &graph.targets[place->first_edge + place->next + lane_id()]);
}

/* Loads the vertex, its degree and 32 neighbours from number `next` on. */
template <typename offset_t>
DEVICE struct place<offset_t> go_to(const csr<offset_t> &graph, vertex_t vertex, uint32_t next) {
    offset_t first = load_if(true, &graph.offsets[vertex]), end = load_if(true, &graph.offsets[(size_t)vertex + 1]);
    struct place<offset_t> place = {
        vertex, next, (uint32_t)(end - first), first, NO_VERTEX
    };
    load_neighbours(graph, &place);
    return place;
}

/* The number of this warp in the grid, counted from 1. */
DEVICE uint32_t
warp_of_grid(void)
{
    return (blockIdx.x * blockDim.x + threadIdx.x) / WARP_SIZE + 1;
}

/* Claims the next unvisited neighbour of `top` and makes it `child`. Returns false if all neighbours are visited.
 *
 * Exactly one warp finds a vertex unvisited. This warp alone writes its parent and puts it on a stack. The child's
 * neighbours are loaded while the claim is in flight. No neighbour of the child is claimed before the child itself:
 * otherwise two warps on the two ends of an edge could each become the parent of the other's vertex. A visited vertex
 * stays visited, so a visited neighbour is not checked again. */
template <typename offset_t>
DEVICE bool claim_child(const csr<offset_t> &graph, const struct search &search, struct place<offset_t> *top,
                        struct place<offset_t> *child)
{
    for (;;) {
        uint32_t left = top->degree - top->next;
        uint32_t visited = load_relaxed_if(top->neighbour != NO_VERTEX, &search.visited[top->neighbour]);
        for (unsigned unvisited = __ballot_sync(WHOLE_WARP, visited == 0); unvisited != 0;) {
            int lane = __ffs((int)unvisited) - 1;
            vertex_t vertex = __shfl_sync(WHOLE_WARP, top->neighbour, lane);
            uint32_t before = compare_and_swap_if((int)lane_id() == lane, &search.visited[vertex], 0, warp_of_grid());
            *child = go_to(graph, vertex, 0);
            unvisited &= unvisited - 1;
            if (__shfl_sync(WHOLE_WARP, before, lane) != 0)
                continue;
            if (is_first_lane())
                search.parent[vertex] = top->vertex;
            uint32_t passed = unvisited != 0 ? (uint32_t)__ffs((int)unvisited) - 1 : WARP_SIZE;
            top->next += min(passed, left);
            return true;
        }
        if (left <= WARP_SIZE)
            return false;
        top->next += WARP_SIZE;
        load_neighbours(graph, top);
    }
}

/* Pops exhausted entries and sets `top` to the first that is not exhausted. Returns false if the stack is empty. */
template <typename offset_t, bool two_level>
DEVICE bool find_top(const csr<offset_t> &graph, const struct search &search, const struct tuning &tuning,
                     struct shared *shared, struct stack<two_level> *stack, struct place<offset_t> *top)
{
    while (stack->hot_count > 0 || refill(search, tuning, shared, stack)) {
        uint64_t entry = load_volatile(slot(stack, stack->head - 1));
        if ((uint32_t)entry != EXHAUSTED) {
            *top = go_to(graph, (vertex_t)(entry >> 32), (uint32_t)entry);
            return true;
        }
        pop(stack);
    }
    return false;
}

/* Walks until the warp's stack is empty. With top_in_stack, each step reads the top from the stack (as in the paper).
 */
template <typename offset_t, bool two_level>
DEVICE void walk(const csr<offset_t> &graph, const struct search &search, const struct tuning &tuning,
                 struct shared *shared, struct stack<two_level> *stack)
{
    struct place<offset_t> top, child;
    while (find_top(graph, search, tuning, shared, stack, &top)) {
        bool claimed;
        while ((claimed = claim_child(graph, search, &top, &child))) {
            push(search, tuning, stack, make_entry(top.vertex, top.next < top.degree ? top.next : EXHAUSTED));
            if (tuning.top_in_stack) {
                store_top(stack, make_entry(child.vertex, 0));
                break;
            }
            top = child;
        }
        if (!claimed)
            pop(stack);
    }
}

} // namespace BACKEND::diggerbees
