/* schedule.cuh: chooses the next step. One thread decides for the whole grid.
 *
 * The steps are a chain of launches. A single kernel for all steps would waste registers: pulls need 64, range pulls
 * and the output 40. A launch costs less than two microseconds. Every kernel reads the control words, and returns at
 * once if the phase and mode (diagrams in state.cuh) belong to another kernel. The last block to finish decides what
 * comes next. The host launches the steps that the last query took, reads the control words, and then launches
 * standard chains until the searches have ended. */
#pragma once

#include "state.cuh"

namespace BACKEND::bitparallel
{

#define RANGE_SHARE 8u /* pulls go by ranges while more than 1 / RANGE_SHARE of the rows is incomplete */

/* Who writes the control words. One thread writes all of them except those from `found` to `arrived`. In a pull or a
 * materialising step, this is thread 0 of the last block to leave. Every other block has read them at its start and
 * has added to `arrived` since, so no block still reads them. In the sparse kernel, block 0 writes them at its end.
 * By then every block has passed a grid barrier, and has read the words before its first one.
 *
 * `found`, `remaining`, `alive_next` and `arrived` change by atomics. Only that one thread reads and clears them. The
 * atomics of a block come before its block barrier, and the barrier before thread 0's fence and its atomic on
 * `arrived`. Thread 0 of the last block executes a fence after that atomic, so it sees all of them. */

/* A block's copy of the control words. One thread reads them, so that all threads have the same values. */
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

/* Returns whether this block is the last one of the grid to call this. All its threads must call it. */
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

/* Returns whether levels must be materialised before the next level can get a number. */
DEVICE bool lacks_numbers(const struct control &control, const struct rules &rules)
{
    return control.level + 1 > rules.level_limit || control.level + 1 - control.base >= RELATIVE_LEVELS;
}

DEVICE void end_searches(struct control *control)
{
    control->mode = MODE_ENDED;
    control->phase = PHASE_MATERIALISE;
}

/* Chooses the kind of pull. The bitmap `filled` helps as long as plane 0 has no settled bits. */
DEVICE void choose_pull(struct control *control, const struct rules &rules)
{
    bool materialises = lacks_numbers(*control, rules) || control->top + 1 == rules.num_planes;
    if (materialises)
        control->phase = PHASE_MATERIALISE;
    control->mode = MODE_PULL;
    if (rules.num_ranges > 1 && control->incomplete > 0)
        control->mode = MODE_RANGE;
    else if (rules.filters && control->top == 0 && !control->materialised && !materialises)
        control->mode = MODE_FILTERED;
    control->range = 0;
}

DEVICE bool has_room(const struct control &control, const struct rules &rules, uint64_t first, uint64_t pairs)
{
    return control.head + pairs - first <= rules.list_capacity;
}

/* Chooses a pull after sparse levels, which count neither alive searches nor incomplete rows: all are assumed to
 * be. */
DEVICE void choose_first_pull(struct control *control, const struct rules &rules)
{
    if (control->top == 0)
        control->plane_level[0] = control->level;
    for (unsigned w = 0; w < MOST_WORDS; w++)
        control->alive[w] = rules.num_sources >= (w + 1) * WARP_SIZE ? UINT32_MAX
                            : rules.num_sources > w * WARP_SIZE      ? lanes_below(rules.num_sources - w * WARP_SIZE)
                                                                     : 0;
    control->incomplete = UINT64_MAX;
    choose_pull(control, rules);
}

/* Chooses a push if there is room to list as many pairs as the last level has edges. */
DEVICE void choose_push(struct control *control, const struct rules &rules)
{
    uint64_t needed = control->tail < control->frontier ? control->tail : control->frontier;
    control->mode = MODE_PUSH;
    if (lacks_numbers(*control, rules) || !has_room(*control, rules, needed, control->edges))
        control->phase = PHASE_MATERIALISE;
}

DEVICE void choose_after_listed(struct control *control, const struct rules &rules)
{
    if (control->size == 0)
        end_searches(control);
    else if (control->edges <= rules.push_edges && has_room(*control, rules, control->frontier, control->edges))
        choose_push(control, rules);
    else if (control->edges <= rules.mark_edges && control->top == 0 && !control->materialised &&
             !lacks_numbers(*control, rules))
        control->mode = MODE_MARK;
    else
        choose_first_pull(control, rules);
}

DEVICE void choose_after_pull(struct control *control, const struct rules &rules, uint64_t found, uint64_t num_rows)
{
    control->level++;
    control->top++;
    control->plane_level[control->top] = control->level;
    uint64_t remaining = control->incomplete;
    control->incomplete = remaining > num_rows / RANGE_SHARE ? remaining : 0;
    if (found == 0 || remaining == 0)
        end_searches(control);
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

/* Records the end of the last level in the trace, unless this query has done so. One thread calls it. */
DEVICE void end_last_level(struct level_end *trace, const struct control &control, enum level_mode mode, enum step step)
{
    if (trace[control.level].at < trace[0].at)
        end_level(trace, control.level, mode, step);
}

} // namespace BACKEND::bitparallel
