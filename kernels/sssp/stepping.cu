/* stepping.cu: `sssp stepping`: shortest paths in one persistent kernel, by delta-stepping without buckets (the
 * delta*-stepping of Dong, Gu, Sun and Zhang, SPAA 2021, with a step width that follows the work).
 *
 * All distances below the threshold are near. A round relaxes the edges of the queued vertices, shared evenly among
 * all warps, and queues the vertices whose lowered distances are near. When the queue holds too few edges to fill the
 * device, the threshold rises by the step width, and a scan of all distances queues the vertices between the old
 * threshold and the new one. The width doubles while such a queue is still small, and halves when it is large. If a
 * scan finds nothing, it has found the least distance beyond, and the threshold rises above that one.
 *
 * Why a scan finds what must be relaxed. A vertex whose distance is below the old threshold has been relaxed with this
 * distance, or is in the queue (search.cuh). Others have not been relaxed with their distance. So a scan adds each
 * vertex that was left out, and none that is in the queue. The search ends when the queue is empty and no distance is
 * left above the threshold.
 *
 * A grid barrier ends each round and each scan, and all threads then decide in the same way (grid_barrier.cuh). */
#include "../device/grid_barrier.cuh"
#include "host_state.cuh"

namespace BACKEND::sssp
{

#define MOST_THREADS 512u
#define MUCH         8u  /* times `enough` edges: the step width halves */
#define TIMES_MEAN   2.0 /* the first step width: times the mean weight, by the mean degree */

/* In device memory; zero before the first kernel. */
struct control {
    uint64_t counts[NUM_COUNTS];
    uint64_t lowest[NUM_COUNTS]; /* complement of the least distance that a scan has left out; 0: none */
    struct grid_barrier barrier;
    uint32_t num_phases, num_scans; /* of the last search; a phase is a round or a scan */
};

struct rules {
    double delta;    /* the first step width */
    uint64_t enough; /* edges of a queue that fill the device */
    bool adapts;     /* the step width follows the work */
    vertex_t source;
};

/* What all threads know alike. Before a scan, low is the old threshold. */
template <typename bits_t>
struct progress {
    extent frontier;
    bits_t low, threshold;
    double delta;
    bool scans; /* the next step is a scan */
};

/* Queues the vertices with at.low <= distance < at.threshold behind those that the queue holds. Raises *lowest to the
 * complement of the least distance from the threshold on. */
template <typename offset_t, typename weight_t>
DEVICE void scan(const search<offset_t, weight_t> &search, const auto &queue, const progress<bits_of<weight_t>> &at,
                 uint64_t *count, uint64_t *lowest)
{
    typedef bits_of<weight_t> bits_t;
    struct team team = spread_warps();
    bits_t least = NOT_REACHED<bits_t>;
    const uint64_t stride = (uint64_t)team.size * WARP_SIZE * UNROLL;
    for (uint64_t base = (uint64_t)team.rank * WARP_SIZE * UNROLL; base < search.num_vertices; base += stride) {
        bool has[UNROLL];
        vertex_t ids[UNROLL];
        offset_t first[UNROLL], end[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            uint64_t v = base + i * WARP_SIZE + lane_id();
            bits_t distance = v < search.num_vertices ? __ldcg(&search.distances[v]) : NOT_REACHED<bits_t>;
            ids[i] = (vertex_t)v;
            has[i] = distance >= at.low && distance < at.threshold;
            least = distance >= at.threshold ? min(least, distance) : least;
        }
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            first[i] = load_if(has[i], &search.offsets[has[i] ? ids[i] : 0]);
            end[i] = load_if(has[i], &search.offsets[has[i] ? (size_t)ids[i] + 1 : 0]);
        }
        append(search, sink{queue, count, at.frontier}, has, ids, first, end);
    }
#pragma unroll
    for (unsigned step = WARP_SIZE / 2; step > 0; step /= 2)
        least = min(least, __shfl_xor_sync(WHOLE_WARP, least, (int)step));
    if (lane_id() == 0 && least != NOT_REACHED<bits_t>)
        atomicMax((unsigned long long *)lowest, ~(unsigned long long)least);
}

/* Raises the threshold by the step width, for a scan. */
template <typename weight_t>
DEVICE void raise(progress<bits_of<weight_t>> &at, bits_of<weight_t> least)
{
    at.low = least;
    at.threshold = raised<weight_t>(least, at.delta);
    at.scans = true;
}

/* Decides what follows a step. found: what it has queued. least: the least distance that a scan has left out. Returns
 * whether the search goes on. */
template <typename weight_t>
DEVICE bool decide(progress<bits_of<weight_t>> &at, const struct rules &rules, extent found, uint64_t least)
{
    const bits_of<weight_t> everything = NOT_REACHED<bits_of<weight_t>>;
    if (at.scans) {
        at.frontier.size += found.size, at.frontier.edges += found.edges;
        if (rules.adapts && at.frontier.edges < rules.enough)
            at.delta *= 2;
        else if (rules.adapts && at.frontier.edges > MUCH * rules.enough)
            at.delta /= 2;
        at.scans = false;
        if (at.frontier.size == 0 && least != UINT64_MAX)
            raise<weight_t>(at, (bits_of<weight_t>)least);
    } else {
        at.frontier = found;
        if ((found.size == 0 || found.edges < rules.enough) && at.threshold != everything)
            raise<weight_t>(at, at.threshold);
    }
    return at.scans || at.frontier.size > 0;
}

/* Searches from rules.source. Before it, all distances are NOT_REACHED, and no stamp is the number of a phase. */
template <typename offset_t, typename weight_t>
__global__ void __launch_bounds__(MOST_THREADS)
    stepping_kernel(search<offset_t, weight_t> search, struct rules rules, struct control *control)
{
    typedef bits_of<weight_t> bits_t;
    uint64_t *broadcast = block_shared<uint64_t>();
    auto current = search.queues[0], next = search.queues[1];
    struct progress<bits_t> at = {
        {0, 0}, 0, 1, rules.delta, true
    }; /* the first scan finds the source alone */
    if (is_first_thread()) {
        __stcg(&search.distances[rules.source], (bits_t)0);
        control->num_scans = 0;
        for (unsigned i = 0; i < NUM_COUNTS; i++)
            control->counts[i] = control->lowest[i] = 0;
    }
    if (grid_wait(&control->barrier, &control->counts[0], broadcast) == UINT64_MAX)
        return;
    for (uint32_t phase = 1;; phase++) {
        uint64_t *count = count_of(control->counts, phase), *lowest = count_of(control->lowest, phase);
        if (is_first_thread()) {
            *count_of(control->counts, phase + 1) = *count_of(control->lowest, phase + 1) = 0;
            control->num_scans += at.scans;
            control->num_phases = phase;
        }
        if (at.scans)
            scan(search, current, at, count, lowest);
        else
            for_each_edge<UNROLL>(search.edges, current, at.frontier.size, (offset_t)at.frontier.edges, spread_warps(),
                                  [&](const auto &some, uint64_t, const auto &mine) {
                                      relax(search, some, mine, round_rules<bits_t>{at.threshold, phase},
                                            sink{next, count}, [](const auto &, const auto &) {});
                                      return false;
                                  });
        uint64_t added = grid_wait(&control->barrier, count, broadcast);
        if (!at.scans)
            swap_values(current, next);
        if (added == UINT64_MAX || !decide<weight_t>(at, rules, extent_of(added, search.edge_bits), ~__ldcg(lowest)))
            return;
    }
}

/* ---- host side ---- */

struct stepping_state : state {
    struct control *control;
};

enum { DELTA, ENOUGH, ADAPT, BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS };
static const struct option_spec options[] = {
    DELTA_OPTION,
    NUMBER_OPTION("enough", 65536, 1, UINT32_MAX, "raise the threshold when a queue has fewer edges"),
    CHOICE_OPTION("adapt", 0, "yes|no", "whether the step width follows the work"),
    BLOCK_SIZE_OPTION(MOST_THREADS, MOST_THREADS),
    BLOCKS_PER_SM_OPTION(4),
    OFFSET_BITS_OPTION,
    {},
};

static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct stepping_state *state = prepare_search<struct stepping_state>(run, graph, run->options[DELTA], TIMES_MEAN);
    if (state == NULL)
        return run->error->status;
    state->control = gpu_take_zeroed<struct control>(&state->memory, 1, "the counts", run->error);
    const void *kernel = with_types(state, [&]<typename offset_t, typename weight_t>() {
        return (const void *)stepping_kernel<offset_t, weight_t>;
    });
    return gpu_plan_grid(kernel, gpu_block_size(run->options[BLOCK_SIZE], run->error),
                         (unsigned)run->options[BLOCKS_PER_SM], sizeof(uint64_t), &state->grid, run->error);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct stepping_state *state = (const struct stepping_state *)run->state;
    const struct rules rules = {state->delta, (uint64_t)run->options[ENOUGH], run->options[ADAPT] == 0,
                                query->sources[0]};
    reset_search(run);
    run_kernel_begin(run);
    with_types(state, [&]<typename offset_t, typename weight_t>() {
        return gpu_launch_persistent(stepping_kernel<offset_t, weight_t>, state->grid, sizeof(uint64_t), run->error,
                                     search_of<offset_t, weight_t>(state), rules, state->control);
    });
    if (state->parent != NULL)
        find_parents(run, query->sources[0]);
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct stepping_state *state = (const struct stepping_state *)run->state;
    struct control control;
    gpu_check_barrier(&state->control->barrier, "sssp stepping", run->error);
    gpu_download(&control, state->control, 1, run->error);
    run_add_number(run, "rounds", control.num_phases - control.num_scans);
    run_add_number(run, "scans", control.num_scans);
    return fetch_search(run, result);
}

GPU_ALGORITHM(sssp_stepping) = {
    .family = "sssp",
    .variant = "stepping",
    .title = "Delta-stepping by scans, one kernel, edge-balanced",
    .citation = "after Dong et al., SPAA 2021",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_DISTANCE,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct stepping_state, &state::memory, &state::graph>,
};

} // namespace BACKEND::sssp
