/* schedule.cuh: decides which step comes next. One thread decides for the whole grid. */
#pragma once

#include "state.cuh"

namespace BACKEND::bitparallel
{

#define RANGE_SHARE 8u /* pulls go by ranges while more than an eighth of the rows is incomplete */

/* Who writes the control words. All but `found` to `arrived` are written by one thread: in a pull or a
 * materialising step, thread 0 of the last block that leaves. No other block still reads them: each has read
 * them at its start and has added to `arrived` since. In the sparse kernel, block 0 writes them at its end.
 * Every block has passed a grid barrier by then, and has read them before its first.
 *
 * `found`, `remaining`, `alive_next` and `arrived` change by atomics. Only that one thread reads and clears them.
 * The atomics of a block come before its barrier, and the barrier before thread 0's fence and its atomic on
 * `arrived`. Thread 0 of the last block fences after that atomic, so it sees all of them. */

/* A block's copy of the control words. One thread reads them, so that all threads have the same. */
struct shared_words {
    struct control control;
    uint32_t last;
};

DEVICE const struct control &read_control(const struct search &search, struct shared_words *shared)
{
    if (threadIdx.x == 0)
        shared->control = *search.control;
    __syncthreads();
    return shared->control;
}

/* Whether this block is the last of the grid to call this. All its threads must call. */
DEVICE bool is_last_block(struct control *control, uint32_t *broadcast)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        *broadcast = atomicAdd(&control->arrived, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return *broadcast;
}

/* ---- the decision ---- */

/* Whether levels must be materialised before the next level can have its number. */
DEVICE bool lacks_numbers(const struct control &control, const struct rules &rules)
{
    return control.level + 1 > rules.level_limit || control.level + 1 - control.base >= RELATIVE_LEVELS;
}

DEVICE void materialise_before(struct control *control, uint32_t next)
{
    control->mode = MODE_MATERIALISE;
    control->next = next;
}

DEVICE void choose_pull(struct control *control, const struct rules &rules)
{
    control->mode = MODE_PULL;
    if (rules.num_ranges > 1 && control->incomplete > 0)
        control->mode = MODE_RANGE;
    else if (rules.filters && control->top == 0 && !control->materialised)
        control->mode = MODE_FILTERED;
    control->range = 0;
    if (lacks_numbers(*control, rules) || control->top + 1 == rules.num_planes)
        materialise_before(control, control->mode == MODE_RANGE ? (uint32_t)MODE_RANGE : (uint32_t)MODE_PULL);
}

DEVICE bool has_room(const struct control &control, const struct rules &rules, uint64_t first, uint64_t pairs)
{
    return control.head + pairs - first <= rules.list_capacity;
}

/* After a level that is listed or marked. A pull follows a marked level. */
DEVICE void choose_after_sparse(struct control *control, const struct rules &rules, bool marked)
{
    if (!marked && control->size == 0) {
        control->mode = MODE_DONE;
        return;
    }
    if (!marked && control->edges <= rules.push_edges &&
        has_room(*control, rules, control->frontier, control->edges)) {
        control->mode = MODE_PUSH;
        uint64_t needed = control->tail < control->frontier ? control->tail : control->frontier;
        if (lacks_numbers(*control, rules) || !has_room(*control, rules, needed, control->edges))
            materialise_before(control, MODE_PUSH);
        return;
    }
    if (!marked && control->edges <= rules.mark_edges && control->top == 0 && !control->materialised &&
        !lacks_numbers(*control, rules)) {
        control->mode = MODE_MARK;
        return;
    }
    if (control->top == 0)
        control->plane_level[0] = control->level;
    for (unsigned w = 0; w < MOST_WORDS; w++) /* assume that all searches are alive */
        control->alive[w] = rules.num_sources >= (w + 1) * WARP_SIZE ? UINT32_MAX
                            : rules.num_sources > w * WARP_SIZE      ? lanes_below(rules.num_sources - w * WARP_SIZE)
                                                                     : 0;
    control->incomplete = UINT64_MAX;
    choose_pull(control, rules);
}

DEVICE void choose_after_pull(struct control *control, const struct rules &rules, uint64_t found, uint64_t num_rows)
{
    control->level++;
    control->top++;
    control->plane_level[control->top] = control->level;
    uint64_t remaining = control->incomplete;
    control->incomplete = remaining > num_rows / RANGE_SHARE ? remaining : 0;
    if (found == 0 || remaining == 0)
        control->mode = MODE_DONE;
    else if (found <= rules.collect_pairs && has_room(*control, rules, control->tail, found) &&
             !lacks_numbers(*control, rules))
        control->mode = MODE_COLLECT;
    else
        choose_pull(control, rules);
}

DEVICE void note_step(const struct search &search, struct control *control, uint32_t step)
{
    if (control->num_steps < MOST_STEPS)
        search.steps[control->num_steps] = step;
    control->num_steps++;
}

} // namespace BACKEND::bitparallel
