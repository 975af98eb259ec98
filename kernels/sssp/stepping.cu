/* stepping.cu: `sssp stepping`: shortest paths in one persistent kernel, by delta-stepping without buckets (the
 * delta*-stepping of Dong, Gu, Sun and Zhang, SPAA 2021).
 *
 * All distances below the threshold are near. A round relaxes the edges of the queued vertices, shared evenly among
 * all warps, and queues the vertices whose lowered distances are near. When the queue holds too few edges to fill the
 * device, the threshold rises by the step width, and a scan of all distances queues the vertices between the old
 * threshold and the new one. If a scan finds nothing, it has found the least distance beyond, and the threshold rises
 * above that one. Steps must be small until the vertices of high degree have their distances; a vertex that is relaxed
 * too early is relaxed again. So the width doubles with each scan once half of all edges have been relaxed.
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
/* Step widths, times the mean weight by the mean degree. */
#define TIMES_FLAT   1024.0 /* of flat graphs: more work, but fewer rounds */
#define TIMES_EVEN   2.0
#define TIMES_SKEWED 0.5
#define SKEWED_TIMES 32.0 /* the highest degree, times the mean degree */

#define ENOUGH_EDGES 100000u /* edges of a queue that fill the device */

/* In device memory; zero before the first kernel. */
struct control {
    uint64_t counts[NUM_COUNTS];
    uint64_t lowest[NUM_COUNTS]; /* complement of the least distance that a scan has left out; 0: none */
    struct grid_barrier barrier;
    uint32_t num_phases, num_scans; /* of the last search; a phase is a round or a scan */
};

struct rules {
    double delta;    /* the first step width */
    uint64_t enough; /* the threshold rises when a queue has fewer edges */
    uint64_t many;   /* relaxed edges after which the step width doubles */
    uint32_t local;  /* local rounds after a round, at most */
    vertex_t source;
};

/* What all threads know alike. Before a scan, low is the old threshold. */
template <typename bits_t>
struct progress {
    extent frontier;
    bits_t low, threshold;
    double delta;
    uint64_t relaxed; /* edges */
    bool scans;       /* the next step is a scan */
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
        at.delta *= at.relaxed > rules.many ? 2 : 1;
        at.scans = false;
        if (at.frontier.size == 0 && least != UINT64_MAX)
            raise<weight_t>(at, (bits_of<weight_t>)least);
    } else {
        at.relaxed += at.frontier.edges;
        at.frontier = found;
        if ((found.size == 0 || found.edges < rules.enough) && at.threshold != everything)
            raise<weight_t>(at, at.threshold);
    }
    return at.scans || at.frontier.size > 0;
}

/* ---- local rounds ---- */

#define LOCAL_EDGES 1024u /* edges of a block's queue in shared memory, at most, and so its vertices */

/* In a block's shared memory; its two queues follow. */
struct shared {
    uint64_t broadcast;
    uint64_t counts[NUM_COUNTS];
};

template <typename offset_t>
constexpr size_t LOCAL_BYTES = 2 * LOCAL_EDGES *(2 * sizeof(offset_t) + sizeof(vertex_t));

template <typename offset_t, typename bits_t>
DEVICE vertex_queue<offset_t, bits_t, true> local_queue(struct shared *shared, unsigned number, const bits_t *distances)
{
    offset_t *words = (offset_t *)(shared + 1) + 2 * number * LOCAL_EDGES;
    vertex_t *ids = (vertex_t *)((offset_t *)(shared + 1) + 4 * LOCAL_EDGES) + number * LOCAL_EDGES;
    return {words, words + LOCAL_EDGES, ids, distances};
}

/* Whether no block gets more than LOCAL_EDGES edges of the frontier. */
DEVICE bool is_narrow(extent frontier)
{
    uint64_t warps = spread_warps().size, share = (frontier.edges + warps - 1) / warps + WARP_SIZE;
    return share * (blockDim.x / WARP_SIZE) <= LOCAL_EDGES;
}

/* Runs a round whose frontier is narrow. Each block then relaxes the vertices that it has found, in rounds of its own
 * without grid barriers, until there are none or too many, and queues the rest. There are no stamps in local rounds:
 * another block may lower a distance after this block has read it. The block that lowers a distance always relaxes the
 * vertex or queues it. */
template <typename offset_t, typename weight_t>
DEVICE void run_local_rounds(const search<offset_t, weight_t> &search, const auto &current,
                             const progress<bits_of<weight_t>> &at, uint32_t phase, uint32_t most, const auto &next)
{
    struct shared *shared = block_shared<struct shared>();
    auto from = local_queue<offset_t>(shared, 0, search.distances),
         to = local_queue<offset_t>(shared, 1, search.distances);
    extent frontier;
    uint64_t *count = &shared->counts[0];
    auto put = [&](auto &near, auto &, const auto &target, const auto &first, const auto &end) {
        append(search, sink{to, count}, near, target, first, end);
    };
    if (threadIdx.x < NUM_COUNTS)
        shared->counts[threadIdx.x] = 0;
    __syncthreads();
    relax_all(search, current, at.frontier, spread_warps(), at.threshold, put);
    for (uint32_t round = 1;; round++) {
        __syncthreads();
        frontier = extent_of(load_volatile(count), search.edge_bits);
        swap_values(from, to);
        if (frontier.size == 0 || frontier.edges > LOCAL_EDGES || round > most)
            break;
        count = count_of(shared->counts, round);
        if (threadIdx.x == 0)
            *count_of(shared->counts, round + 1) = 0;
        relax_all(search, from, frontier, block_warps(), at.threshold, put);
    }
    for (uint64_t base = threadIdx.x - lane_id(); base < frontier.size; base += blockDim.x) {
        bool has[1] = {base + lane_id() < frontier.size};
        vertex_t id[1] = {has[0] ? from.ids[base + lane_id()] : 0};
        offset_t first[1] = {search.offsets[id[0]]}, end[1] = {search.offsets[(size_t)id[0] + 1]};
        append_once(search, phase, next, has, id, first, end);
    }
}

/* ---- the kernel ---- */

/* Searches from rules.source. Before it, all distances are NOT_REACHED, and no stamp is the number of a phase. */
template <typename offset_t, typename weight_t>
__global__ void __launch_bounds__(MOST_THREADS)
    stepping_kernel(search<offset_t, weight_t> search, struct rules rules, struct control *control)
{
    typedef bits_of<weight_t> bits_t;
    uint64_t *broadcast = &block_shared<struct shared>()->broadcast;
    auto current = search.queues[0], next = search.queues[1];
    struct progress<bits_t> at = {
    };
    at.threshold = 1, at.delta = rules.delta, at.scans = true; /* the first scan finds the source alone */
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
        else if (rules.local > 0 && is_narrow(at.frontier))
            run_local_rounds(search, current, at, phase, rules.local, sink{next, count});
        else
            relax_all(search, current, at.frontier, spread_warps(), at.threshold,
                      [&](auto &near, auto &, const auto &target, const auto &first, const auto &end) {
                          append_once(search, phase, sink{next, count}, near, target, first, end);
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
    size_t shared_bytes;
};

enum { DELTA, ENOUGH, LOCAL, BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS };
static const struct option_spec options[] = {
    DELTA_OPTION,
    NUMBER_OPTION("enough", 0, 0, UINT32_MAX, "raise the threshold when a queue has fewer edges; 0: chosen by degree"),
    NUMBER_OPTION("local", 16, 0, 1e6, "rounds of a block without a grid barrier, if the mean degree is low"),
    BLOCK_SIZE_OPTION(MOST_THREADS, MOST_THREADS),
    BLOCKS_PER_SM_OPTION(4),
    OFFSET_BITS_OPTION,
    {},
};

/* Returns a step width. Steps are short if the highest degrees are far above the mean. */
static double choose_delta(const struct graph *graph)
{
    edge_t most = 0;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        most = graph_degree(graph, v) > most ? graph_degree(graph, v) : most;
    bool skewed = (double)most * graph->num_vertices > SKEWED_TIMES * (double)graph->num_edges;
    return mean_delta(graph, TIMES_FLAT) * (is_flat(graph) ? 1 : skewed ? TIMES_SKEWED : TIMES_EVEN);
}

static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct stepping_state *state = (struct stepping_state *)run->state;
    prepare_search(run, graph, run->options[DELTA] > 0 ? run->options[DELTA] : choose_delta(run->graph));
    state->control = gpu_take_zeroed<struct control>(&state->memory, 1, "the counts", run->error);
    const void *kernel = with_types(state, [&]<typename offset_t, typename weight_t>() {
        return (const void *)stepping_kernel<offset_t, weight_t>;
    });
    state->shared_bytes = sizeof(struct shared) + (state->graph.wide ? LOCAL_BYTES<uint64_t> : LOCAL_BYTES<uint32_t>);
    return gpu_plan_grid(kernel, gpu_block_size(run->options[BLOCK_SIZE], run->error),
                         (unsigned)run->options[BLOCKS_PER_SM], state->shared_bytes, &state->grid, run->error);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct stepping_state *state = (const struct stepping_state *)run->state;
    const struct graph *graph = run->graph;
    const bool flat = is_flat(graph);
    const double enough = run->options[ENOUGH] > 0 ? run->options[ENOUGH] : flat ? 1 : ENOUGH_EDGES;
    const struct rules rules = {state->delta, (uint64_t)enough, flat ? UINT64_MAX : graph->num_edges / 2,
                                flat ? (uint32_t)run->options[LOCAL] : 0, query->sources[0]};
    reset_search(run);
    run_kernel_begin(run);
    with_types(state, [&]<typename offset_t, typename weight_t>() {
        return gpu_launch_persistent(stepping_kernel<offset_t, weight_t>, state->grid, state->shared_bytes, run->error,
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
    .state_bytes = sizeof(struct stepping_state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct stepping_state, &state::memory, &state::graph>,
};

} // namespace BACKEND::sssp
