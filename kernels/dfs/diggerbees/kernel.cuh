/* kernel.cuh: the kernel. Every warp alternates between walking and looking for work until no work is left. */
#pragma once

#include "steal.cuh"
#include "walk.cuh"

namespace BACKEND::diggerbees
{

#define NAP 32u /* ns between two looks for work */

enum work_source { LOOK_WITHIN_BLOCK, LOOK_AT_OVERFLOW, LOOK_AT_OTHER_BLOCKS, NOTHING_LEFT };

/* Waits until there may be work, and returns where. A leader gives up after `looks` looks. The other warps need no
 * limit: they wait until their leader finds work or ends the block, and a leader that is walking comes back, since
 * every walk ends. Called by lane 0. */
static __device__ enum work_source look_out(const struct search &search, struct shared *shared, unsigned warp,
                                            uint64_t *looks)
{
    struct control *control = search.control;
    for (;;) {
        __nanosleep(NAP);
        if (load_volatile(&shared->done))
            return NOTHING_LEFT;
        if (load_volatile(&shared->active) != 0)
            return LOOK_WITHIN_BLOCK;
        if (warp != LEADER)
            continue;
        if ((*looks)-- == 0)
            give_up(control, STUCK_BEFORE_TERMINATION);
        uint32_t outstanding = load_volatile(&control->outstanding), stuck = load_volatile(&control->stuck);
        uint64_t put = load_volatile(&control->put),
                 taken = load_volatile(&control->taken); /* the four loads overlap */
        if (outstanding == 0 || stuck != NOT_STUCK)
            store_volatile(&shared->done, 1u);
        else
            return put != taken ? LOOK_AT_OVERFLOW : LOOK_AT_OTHER_BLOCKS;
    }
}

/* The leader of an idle block tries to get an overflowed chunk, or else to steal from another block. Returns whether
 * the block has work. */
template <bool two_level>
DEVICE bool look_elsewhere(const struct search &search, const struct tuning &tuning, struct shared *shared,
                           struct stack<two_level> *stack, enum work_source source, uint32_t *random)
{
    if (source == LOOK_AT_OVERFLOW)
        return take_chunk(search, tuning, shared, stack);
    return gridDim.x > 1 && steal_between_blocks(search, tuning, shared, stack, random);
}

/* Waits until this idle warp has work. Returns false if no work is left or the search is stuck. */
template <bool two_level>
static __device__ bool find_work(const struct search &search, const struct tuning &tuning, struct shared *shared,
                                 struct stack<two_level> *stack, uint32_t *random)
{
    uint64_t looks = tuning.patience;
    for (;;) {
        enum work_source source = NOTHING_LEFT;
        if (is_first_lane())
            source = look_out(search, shared, stack->warp, &looks);
        source = (enum work_source)broadcast((int)source);
        if (source == NOTHING_LEFT)
            return false;
        if (source == LOOK_WITHIN_BLOCK ? steal_within_block(search, tuning, shared, stack)
                                        : look_elsewhere(search, tuning, shared, stack, source, random))
            return true;
    }
}

template <typename offset_t, bool two_level>
__global__ void __launch_bounds__(MAX_WARPS *WARP_SIZE, 1)
    dfs_kernel(csr<offset_t> graph, struct search search, struct tuning tuning, vertex_t source)
{
    struct shared *shared = block_shared<struct shared>();
    unsigned warp = threadIdx.x / WARP_SIZE, num_warps = blockDim.x / WARP_SIZE;
    size_t index = (size_t)blockIdx.x * num_warps + warp;
    bool has_source = index == 0;
    if (warp == 0) {
        shared->hot_state[lane_id()] = 0;
        bulk_init(&shared->loaded[lane_id()]);
    }
    if (threadIdx.x == 0) {
        shared->active = has_source ? 1u << warp : 0;
        shared->done = 0;
    }
    __syncthreads();
    stack<two_level> stack = {};
    stack.hot_state = &hot_states<two_level>(search, shared)[warp];
    stack.hot_size = two_level ? tuning.hot_size : tuning.cold_size;
    stack.hot = two_level ? (uint64_t *)(shared + 1) + warp * tuning.hot_size : search.cold + index * tuning.cold_size;
    stack.cold_state = &search.cold_state[index];
    stack.cold = &search.cold[index * tuning.cold_size];
    stack.warp = warp;
    if (has_source) {
        if (is_first_lane())
            store_volatile(stack.hot, make_entry(source, 0));
        publish(&stack, 1);
    }
    uint32_t random = (blockIdx.x + 1) * 2654435761u;
    for (bool working = has_source; working || find_work(search, tuning, shared, &stack, &random); working = false) {
        walk(graph, search, tuning, shared, &stack);
        if (is_first_lane())
            leave(search, shared, warp);
    }
}

} // namespace BACKEND::diggerbees
