/* kernel.cuh: the kernel: every warp walks, then looks for work, until no work is left. */
#pragma once

#include "steal.cuh"
#include "walk.cuh"

namespace BACKEND::diggerbees
{

#define NAP 64u /* nanoseconds between two looks for work */

enum work_source { LOOK_WITHIN_BLOCK, LOOK_AT_OVERFLOW, LOOK_AT_OTHER_BLOCKS, NOTHING_LEFT };

/* Waits until there may be work. Only leaders bound this wait, to so many looks. The other warps of the block
 * wait until their leader finds work or ends the block. A leader that walks comes back, since every walk
 * ends. Called by lane 0. */
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
                 taken = load_volatile(&control->taken); /* all four loads are in flight together */
        if (outstanding == 0 || stuck != NOT_STUCK)
            store_volatile(&shared->done, 1u);
        else
            return put != taken ? LOOK_AT_OVERFLOW : LOOK_AT_OTHER_BLOCKS;
    }
}

/* Looks until the idle warp has work. False: no work is left, or the search is stuck. */
template <bool two_level>
static __device__ bool find_work(const struct search &search, const struct tuning &tuning, struct shared *shared,
                                 struct stack<two_level> *stack, uint32_t *random)
{
    uint64_t looks = tuning.patience;
    uint32_t cutoff = tuning.hot_cutoff;
    for (;;) {
        bool found = false;
        enum work_source source = NOTHING_LEFT;
        if (is_first_lane())
            source = look_out(search, shared, stack->warp, &looks);
        switch (broadcast((int)source)) {
        case LOOK_WITHIN_BLOCK:
            found = steal_within_block(search, shared, stack, cutoff);
            if (tuning.adaptive)
                cutoff = max(2u, cutoff / 2);
            break;
        case LOOK_AT_OVERFLOW:
            found = take_chunk(search, tuning, shared, stack);
            break;
        case LOOK_AT_OTHER_BLOCKS:
            found = gridDim.x > 1 && steal_between_blocks(search, tuning, shared, stack, random);
            break;
        default:
            return false;
        }
        if (found)
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
        if (has_source)
            begin_work(search, &shared->block_began);
    }
    __syncthreads();
    stack<two_level> stack = {};
    stack.hot_state = &shared->hot_state[warp];
    stack.hot_size = two_level ? tuning.hot_size : tuning.cold_size;
    stack.hot =
        two_level ? (uint64_t *)(shared + 1) + warp * tuning.hot_size : search.cold + index * tuning.cold_size;
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
        if (is_first_lane())
            begin_work(search, &shared->warp_began[warp]);
        walk(graph, search, tuning, shared, &stack);
        if (is_first_lane()) {
            if (search.counters.busy != NULL)
                add_work(search, load_volatile(&shared->warp_began[warp]), &busy::warps);
            leave(search, shared, warp);
        }
    }
}

} // namespace BACKEND::diggerbees
