/* paper_search.cuh: mode=paper: the host's loop over the levels, with a launch for each step (figure 3). */
#pragma once

#include "paper_steps.cuh"
#include "top_down.cuh"

namespace BACKEND::xbfs
{

/* What the host needs to launch a search's steps. */
template <typename offset_t>
struct launcher {
    using argument = struct step<offset_t>; /* the kernels' only parameter */

    struct run *run;
    argument step;
    struct grid grid;
    enum balance balance;

    template <typename... more_t>
    void launch(void (*kernel)(argument, more_t...), size_t shared_bytes, std::type_identity_t<more_t>... more) const
    {
        gpu_launch(kernel, grid, shared_bytes, run->error, step, more...);
    }

    /* Switches to the set of queues that the last steps have filled. */
    void swap_queues()
    {
        step.current = !step.current;
    }

    void empty_next_queue() const
    {
        gpu_clear(&step.queues.sizes[!step.current * TAKERS], TAKERS, run->error);
    }
};

/* Makes the next queue in two launches. */
template <unsigned classes, bool unvisited, typename offset_t>
static void double_scan(const launcher<offset_t> &launcher)
{
    launcher.empty_next_queue();
    if (unvisited && classes > 1)
        gpu_clear(launcher.step.queues.hubs, HUBS, launcher.run->error);
    launcher.launch(scan_one<classes, unvisited, offset_t>, sizeof(struct shared));
    launcher.launch(scan_two<classes, unvisited, offset_t>, sizeof(struct shared));
}

template <bool scan_free, typename offset_t>
static void expand_classes(const launcher<offset_t> &launcher)
{
    launcher.launch(expand_class<BY_THREAD, scan_free, offset_t>, 0);
    launcher.launch(expand_class<BY_WARP, scan_free, offset_t>, 0);
    launcher.launch(expand_class<BY_BLOCK, scan_free, offset_t>, 0);
    if (launcher.step.rules.grid_from != UINT64_MAX)
        launcher.launch(expand_class<BY_GRID, scan_free, offset_t>, 0);
}

template <typename offset_t>
static void top_down_steps(launcher<offset_t> *launcher, enum generation generation)
{
    const struct progress &at = launcher->step.at;
    if (generation == NO_GENERATION) {
        launcher->empty_next_queue();
        launcher->launch(expand_found<offset_t>, 0);
        return launcher->swap_queues();
    }
    if (at.was_bottom_up) { /* the bottom-up queue is of no use here: scan for the last level's vertices */
        launcher->empty_next_queue();
        launcher->launch(scan_once<offset_t>, 0, at.level - 1, false);
        launcher->swap_queues();
    }
    launcher->empty_next_queue();
    if (generation == SCAN_FREE) {
        expand_classes<true>(*launcher);
    } else {
        expand_classes<false>(*launcher);
        if (generation == SINGLE_SCAN)
            launcher->launch(scan_once<offset_t>, 0, at.level, true);
        else
            double_scan<TAKERS, false>(*launcher);
    }
    launcher->swap_queues();
}

template <typename offset_t>
static void bottom_up_steps(launcher<offset_t> *launcher)
{
    static constexpr size_t bytes = sizeof(struct hub_cache);
    if (launcher->balance != BALANCE_DEGREE) {
        static void (*const kernels[])(struct step<offset_t>) = {
            find_parents<BALANCE_STATIC, offset_t>, find_parents<BALANCE_THREAD, offset_t>,
            find_parents<BALANCE_WARP, offset_t>, find_parents<BALANCE_DONATE, offset_t>};
        double_scan<1, true>(*launcher);
        launcher->swap_queues();
        return launcher->launch(kernels[launcher->balance], 0);
    }
    double_scan<TAKERS, true>(*launcher);
    launcher->swap_queues();
    launcher->launch(find_parents_of_class<BY_THREAD, offset_t>, bytes);
    launcher->launch(find_parents_of_class<BY_WARP, offset_t>, bytes);
    launcher->launch(find_parents_of_class<BY_BLOCK, offset_t>, bytes);
    if (launcher->step.rules.grid_from != UINT64_MAX)
        launcher->launch(find_parents_of_class<BY_GRID, offset_t>, bytes);
}

/* Gives the source level 0 and puts it into its class of the current queue. */
template <typename offset_t>
__global__ void seed_queue(step<offset_t> step, vertex_t source)
{
    uint64_t degree = degree_of(step.graph.out, source);
    unsigned taker = taker_of(step, degree);
    step.search.status[source] = 0;
    step.queues.queue[step.current][taker][0] = source;
    step.queues.sizes[step.current * TAKERS + taker] = 1;
    step.search.counts[0].edges = degree;
    end_level(step.search.trace, 0, LEVEL_TOP_DOWN);
}

template <typename offset_t>
__global__ void trace_step(step<offset_t> step, bool bottom_up, enum generation generation, uint64_t edges)
{
    trace_level(step.search, step.at.level, bottom_up, generation, edges);
}

/* Searches from a source. Statuses, counts and sizes must be reset before. */
template <typename offset_t>
static void search_by_steps(launcher<offset_t> *launcher, vertex_t source)
{
    struct run *run = launcher->run;
    struct step<offset_t> &step = launcher->step;
    struct counts counts, *of_levels = step.search.counts; /* of_levels: NUM_COUNTS, in device memory */
    gpu_launch(seed_queue<offset_t>, {1, 1}, 0, run->error, step, source);
    gpu_download(&counts, &of_levels[0], 1, run->error);
    uint64_t edges = counts.edges, before = edges;
    for (step.at.level = 1; edges > 0; step.at.level++) {
        struct counts *of_level = &of_levels[step.at.level % NUM_COUNTS];
        bool bottom_up = edges >= step.rules.bottom_up_from || (step.rules.one_way && step.at.was_bottom_up);
        enum generation generation = bottom_up ? DOUBLE_SCAN : choose(step.rules, step.at, edges, before);
        gpu_clear(of_level, 1, run->error);
        if (bottom_up)
            bottom_up_steps(launcher);
        else
            top_down_steps(launcher, generation);
        if (step.search.trace != NULL)
            gpu_launch(trace_step<offset_t>, {1, 1}, 0, run->error, step, bottom_up, generation, edges);
        gpu_download(&counts, of_level, 1, run->error); /* all zero after an error */
        step.at.was_bottom_up = bottom_up;
        before = edges;
        edges = counts.edges;
    }
}

} // namespace BACKEND::xbfs
