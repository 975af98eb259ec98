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
 * Prepared, edges stand in classes by weight, and a scan also queues the classes that the new threshold makes due
 * (search.cuh). Most edges never matter, and a search that ends by pulling does not look at them (Chakaravarthy et al.,
 * IPDPS 2014): once the vertices from the threshold on have few edges, these are queued with all classes, take their
 * least distances over all their edges, and are relaxed with a threshold above everything. Weights must be symmetric.
 *
 * Why a scan finds what must be relaxed. The classes of a vertex that were due at the old threshold have been relaxed
 * with its distance, or are in the queue. The others have not. So a scan adds each class that was left out, and none
 * that is in the queue. The search ends when the queue is empty and no class is left that comes due.
 *
 * Why pulling may leave out classes. An edge (u, v) of a class that was not due at the last threshold t gives at least
 * t. If the distance of v is less than t, it cannot fall by this edge. Otherwise v has pulled over it, and the distance
 * of u was the present one: if it has fallen since, or while v pulled, u was queued with all classes.
 *
 * A grid barrier ends each round and each scan, and all threads then decide in the same way (grid_barrier.cuh). */
#include "../device/grid_barrier.cuh"
#include "engines.h"
#include "host_state.cuh"

namespace BACKEND::sssp
{

#define MOST_THREADS 512u
#define LEAST_BLOCKS 2 /* on a multiprocessor: lookups need many warps, more than spilled registers cost */
/* Step widths, times the mean weight by the mean degree. */
#define TIMES_FLAT     1024.0 /* of flat graphs: more work, but fewer rounds */
#define TIMES_EVEN     2.0
#define TIMES_SKEWED   0.5
#define TIMES_PREPARED 2.0  /* what is relaxed again then has few edges */
#define SKEWED_TIMES   32.0 /* the highest degree, times the mean degree */

#define ENOUGH_EDGES 100000u /* edges of a queue that fill the device */
#define COUNTS_AFTER 64u     /* scans count the rest once one of so many edges has been relaxed */

/* In device memory; zero before the first kernel. */
struct control {
    uint64_t counts[NUM_COUNTS];
    uint64_t lowest[NUM_COUNTS]; /* complement of the least threshold that leaves something due; 0: none */
    uint64_t rest[NUM_COUNTS];   /* edges of the vertices from the threshold on */
    struct grid_barrier barrier;
    uint32_t num_phases, num_scans; /* of the last search; a phase is a round or a scan */
};

struct rules {
    double delta;    /* the first step width */
    uint64_t enough; /* the threshold rises when a queue has fewer edges */
    uint64_t many;   /* relaxed edges after which the step width doubles */
    uint64_t some;   /* relaxed edges after which scans count the rest; UINT64_MAX: the search does not pull */
    uint64_t few;    /* the vertices of the rest pull once these have so few edges */
    uint32_t local;  /* local rounds after a round, at most */
    vertex_t source;
};

enum step {
    ROUND,
    SCAN,
    GATHER, /* the scan before PULL: queues all vertices from at.low on */
    PULL,
};

/* What all threads know alike. Before a scan, low is the old threshold. */
template <typename bits_t>
struct progress {
    extent frontier;
    bits_t low, threshold;
    double delta;
    uint64_t relaxed; /* edges */
    uint64_t rest;    /* as the last scan has counted it; UINT64_MAX: not yet */
    enum step step;   /* the next one */
};

/* In a block's shared memory; the two queues of local rounds follow. */
struct shared {
    uint64_t broadcast;
    uint64_t counts[NUM_COUNTS];
    uint64_t lowest, rest; /* 0 between scans */
};

/* Queues the classes that the step from at.low to at.threshold makes due behind what the queue holds. Raises *lowest to
 * the complement of the least threshold at which a further one is. counts: adds to *rest. */
template <typename offset_t, typename weight_t>
DEVICE void scan(const search<offset_t, weight_t> &search, const auto &queue, const progress<bits_of<weight_t>> &at,
                 bool counts, uint64_t *count, uint64_t *lowest, uint64_t *rest)
{
    typedef bits_of<weight_t> bits_t;
    struct team team = spread_warps();
    struct shared *shared = block_shared<struct shared>();
    bits_t least = NOT_REACHED<bits_t>;
    uint64_t edges = 0;
    const uint64_t stride = (uint64_t)team.size * WARP_SIZE * UNROLL;
    for (uint64_t base = (uint64_t)team.rank * WARP_SIZE * UNROLL; base < search.num_vertices; base += stride) {
        unsigned from[UNROLL], to[UNROLL];
        vertex_t ids[UNROLL];
        offset_t first[UNROLL], end[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            uint64_t v = base + i * WARP_SIZE + lane_id();
            bool exists = v < search.num_vertices;
            bits_t distance = exists ? __ldcg(&search.distances[v]) : NOT_REACHED<bits_t>;
            ids[i] = exists ? (vertex_t)v : 0;
            from[i] = search.due(distance, at.low);
            to[i] = search.due(distance, at.threshold);
            if (at.step == GATHER)
                to[i] = exists && from[i] == 0 ? search.num_classes : from[i];
            else if (to[i] < search.num_classes && distance != NOT_REACHED<bits_t>)
                least = min(least, sum_of<weight_t>(distance, search.least[to[i]]));
            if (counts && exists && to[i] == 0)
                edges += *search.bound(v, search.num_classes) - *search.bound(v, 0);
        }
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            first[i] = load_if(to[i] > from[i], search.bound(ids[i], from[i]));
            end[i] = load_if(to[i] > from[i], search.bound(ids[i], to[i]));
            to[i] -= from[i];
        }
        append(search, sink{queue, count, at.frontier}, to, ids, first, end);
    }
#pragma unroll
    for (unsigned step = WARP_SIZE / 2; step > 0; step /= 2)
        least = min(least, __shfl_xor_sync(WHOLE_WARP, least, (int)step));
    edges = warp_inclusive_sum(edges);
    if (lane_id() == WARP_SIZE - 1) {
        atomicMax((unsigned long long *)&shared->lowest, least == NOT_REACHED<bits_t> ? 0 : ~(unsigned long long)least);
        atomicAdd(&shared->rest, edges);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMax((unsigned long long *)lowest, (unsigned long long)shared->lowest);
        atomicAdd(rest, shared->rest);
        shared->lowest = shared->rest = 0;
    }
}

/* Raises the threshold by the step width for a scan, or above everything if it is time to pull. */
template <typename weight_t>
DEVICE void raise(progress<bits_of<weight_t>> &at, const struct rules &rules, bits_of<weight_t> low)
{
    bool pulls = at.rest <= rules.few;
    at.low = low;
    at.threshold = pulls ? NOT_REACHED<bits_of<weight_t>> : raised<weight_t>(low, at.delta);
    at.step = pulls ? GATHER : SCAN;
}

/* Decides what follows a step. found: what it has queued. least: the least threshold that leaves something due, of a
 * scan. rest: the edges of the rest, if it has counted them. Returns whether the search goes on. */
template <typename weight_t>
DEVICE bool decide(progress<bits_of<weight_t>> &at, const struct rules &rules, extent found, uint64_t least,
                   uint64_t rest)
{
    const bits_of<weight_t> everything = NOT_REACHED<bits_of<weight_t>>;
    const enum step step = at.step;
    at.step = step == GATHER ? PULL : ROUND;
    if (step == SCAN || step == GATHER)
        at.frontier.size += found.size, at.frontier.edges += found.edges;
    if (step == SCAN) {
        at.rest = at.relaxed > rules.some ? rest : UINT64_MAX;
        at.delta *= at.relaxed > rules.many ? 2 : 1;
        if (at.frontier.size == 0 && least != UINT64_MAX)
            raise<weight_t>(at, rules, (bits_of<weight_t>)least);
    } else if (step == ROUND) {
        at.relaxed += at.frontier.edges;
        at.frontier = found;
        if ((found.size == 0 || found.edges < rules.enough) && at.threshold != everything)
            raise<weight_t>(at, rules, at.threshold);
    }
    return at.step == SCAN || at.step == GATHER || at.frontier.size > 0;
}

/* ---- local rounds ---- */

#define LOCAL_EDGES 1024u /* edges of a block's queue in shared memory, at most, and so its vertices */

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
    auto put = [&](const auto &due, auto &, const auto &target, auto &first, const auto &end) {
        append(search, sink{to, count}, due, target, first, end);
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
        unsigned due[1] = {base + lane_id() < frontier.size ? search.num_classes : 0};
        vertex_t id[1] = {due[0] > 0 ? from.ids[base + lane_id()] : 0};
        offset_t first[1] = {*search.bound(id[0], 0)}, end[1] = {*search.bound(id[0], due[0])};
        append_once(search, phase, next, due, id, first, end);
    }
}

/* ---- the kernel ---- */

/* Searches from rules.source. Before it, all distances are NOT_REACHED, and no stamp is the number of a phase. */
template <typename offset_t, typename weight_t>
__global__ void __launch_bounds__(MOST_THREADS, LEAST_BLOCKS)
    stepping_kernel(search<offset_t, weight_t> search, struct rules rules, struct control *control)
{
    typedef bits_of<weight_t> bits_t;
    uint64_t *broadcast = &block_shared<struct shared>()->broadcast;
    auto current = search.queues[0], next = search.queues[1];
    struct progress<bits_t> at = {
    };
    at.threshold = 1, at.delta = rules.delta, at.step = SCAN; /* the first scan finds the source alone */
    at.rest = UINT64_MAX;
    if (threadIdx.x == 0)
        block_shared<struct shared>()->lowest = block_shared<struct shared>()->rest = 0;
    if (is_first_thread()) {
        __stcg(&search.distances[search.id(rules.source)], (bits_t)0);
        control->num_scans = 0;
        for (unsigned i = 0; i < NUM_COUNTS; i++)
            control->counts[i] = control->lowest[i] = control->rest[i] = 0;
    }
    if (grid_wait(&control->barrier, &control->counts[0], broadcast) == UINT64_MAX)
        return;
    for (uint32_t phase = 1;; phase++) {
        uint64_t *count = count_of(control->counts, phase), *lowest = count_of(control->lowest, phase),
                 *rest = count_of(control->rest, phase);
        const bool scans = at.step == SCAN || at.step == GATHER;
        if (is_first_thread()) {
            *count_of(control->counts, phase + 1) = *count_of(control->lowest, phase + 1) = 0;
            *count_of(control->rest, phase + 1) = 0;
            control->num_scans += scans;
            control->num_phases = phase;
        }
        if (scans)
            scan(search, current, at, at.relaxed > rules.some, count, lowest, rest);
        else if (at.step == PULL)
            pull_all(search, current, at.frontier, spread_warps(), at.low);
        else if (rules.local > 0 && is_narrow(at.frontier))
            run_local_rounds(search, current, at, phase, rules.local, sink{next, count});
        else
            relax_all(search, current, at.frontier, spread_warps(), at.threshold,
                      [&](const auto &due, auto &, const auto &target, auto &first, const auto &end) {
                          append_once(search, phase, sink{next, count}, due, target, first, end);
                      });
        uint64_t added = grid_wait(&control->barrier, count, broadcast);
        if (at.step == ROUND)
            swap_values(current, next);
        if (added == UINT64_MAX ||
            !decide<weight_t>(at, rules, extent_of(added, search.edge_bits), ~__ldcg(lowest), __ldcg(rest)))
            return;
    }
}

/* ---- host side ---- */

struct stepping_state : state {
    struct control *control;
    size_t shared_bytes;
};

enum { DELTA, ENOUGH, LOCAL, PREPARED, CLASS_WIDTH, PULL_SHARE, BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS };
static const struct option_spec options[] = {
    DELTA_OPTION,
    NUMBER_OPTION("enough", 0, 0, UINT32_MAX, "raise the threshold when a queue has fewer edges; 0: chosen by degree"),
    NUMBER_OPTION("local", 16, 0, 1e6, "rounds of a block without a grid barrier, if the mean degree is low"),
    CHOICE_OPTION("prepare", 0, "0|1",
                  "sort edges into classes by weight, relabel vertices by degree; not on flat graphs"),
    NUMBER_OPTION("class-width", 4, 1, 1e6, "prepared: width of a class of weights, in step widths"),
    NUMBER_OPTION("pull", 16, 0, 1e6,
                  "prepared: vertices above the threshold pull when they have one of so many edges; 0: never"),
    BLOCK_SIZE_OPTION(MOST_THREADS, MOST_THREADS),
    BLOCKS_PER_SM_OPTION(4),
    OFFSET_BITS_OPTION,
    {},
};

/* Returns whether the highest degrees are far above the mean. */
static bool is_skewed(const struct graph *graph)
{
    edge_t most = 0;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        most = graph_degree(graph, v) > most ? graph_degree(graph, v) : most;
    return (double)most * graph->num_vertices > SKEWED_TIMES * (double)graph->num_edges;
}

double stepping_delta(const struct graph *graph)
{
    return mean_delta(graph, TIMES_FLAT) * (is_flat(graph) ? 1 : is_skewed(graph) ? TIMES_SKEWED : TIMES_EVEN);
}

int prepare_stepping(struct run *run, struct gpu_graph *graph)
{
    struct stepping_state *state = (struct stepping_state *)run->state;
    const bool prepares = run->options[PREPARED] != 0 && !is_flat(run->graph);
    double delta = run->options[DELTA];
    if (delta == 0)
        delta = (prepares ? TIMES_PREPARED : 1) * stepping_delta(run->graph);
    state->num_classes = prepares ? MOST_CLASSES : 0;
    state->class_width = run->options[CLASS_WIDTH] * delta;
    prepare_search(run, graph, delta, prepares && is_skewed(run->graph));
    state->control = gpu_take_zeroed<struct control>(&state->memory, 1, "the counts", run->error);
    const void *kernel = with_types(state, [&]<typename offset_t, typename weight_t>() {
        return (const void *)stepping_kernel<offset_t, weight_t>;
    });
    state->shared_bytes = sizeof(struct shared); /* what is left of an SM's memory is L1 */
    if (is_flat(run->graph))
        state->shared_bytes += state->graph.wide ? LOCAL_BYTES<uint64_t> : LOCAL_BYTES<uint32_t>;
    return gpu_plan_grid(kernel, gpu_block_size(run->options[BLOCK_SIZE], run->error),
                         (unsigned)run->options[BLOCKS_PER_SM], state->shared_bytes, &state->grid, run->error);
}

static struct rules rules_of(const struct run *run, vertex_t source)
{
    const struct stepping_state *state = (const struct stepping_state *)run->state;
    const struct graph *graph = run->graph;
    const bool flat = is_flat(graph),
               pulls = state->num_classes > 1 && graph->symmetric_weights && run->options[PULL_SHARE] > 0;
    const double enough = run->options[ENOUGH] > 0 ? run->options[ENOUGH] : flat ? 1 : ENOUGH_EDGES;
    return {state->delta,
            (uint64_t)enough,
            flat ? UINT64_MAX : graph->num_edges / 2,
            pulls ? graph->num_edges / COUNTS_AFTER : UINT64_MAX,
            pulls ? (uint64_t)((double)graph->num_edges / run->options[PULL_SHARE]) : 0,
            flat ? (uint32_t)run->options[LOCAL] : 0,
            source};
}

static int traverse(struct run *run, const struct query *query)
{
    const struct stepping_state *state = (const struct stepping_state *)run->state;
    reset_search(run);
    run_kernel_begin(run);
    with_types(state, [&]<typename offset_t, typename weight_t>() {
        return gpu_launch_persistent(stepping_kernel<offset_t, weight_t>, state->grid, state->shared_bytes, run->error,
                                     search_of<offset_t, weight_t>(state), rules_of(run, query->sources[0]),
                                     state->control);
    });
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
    .prepare = uploaded<prepare_stepping, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct stepping_state, &state::memory, &state::graph>,
};

} // namespace BACKEND::sssp
