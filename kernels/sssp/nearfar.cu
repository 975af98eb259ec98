/* nearfar.cu: `sssp nearfar`, the near-far pile of Davidson, Baxter, Garland and Owens (IPDPS 2014).
 *
 * A round relaxes the edges of the near pile, the queued vertices below the threshold. Vertices whose lowered distances
 * are above it go to the far pile. When the near pile is empty, the threshold rises by delta, and the far pile is
 * split: vertices below the old threshold were in the near pile meanwhile and are dropped; those below the new one
 * become the near pile. The host launches each step and reads its counts. A vertex is at most once in the far pile. */
#include "engines.h"
#include "host_state.cuh"

namespace BACKEND::sssp
{

#define TIMES_MEAN 32.0 /* delta, times the mean weight by the mean degree: the width of a warp, as in the paper */

/* In device memory. */
struct piles {
    uint64_t near, least; /* the next near pile, as a count; complement of the least distance in the far pile */
    uint32_t far, next_far;
};

struct far_state {
    vertex_t *far[2]; /* num_vertices each: the far pile, and its next one */
    uint32_t *is_far; /* num_vertices: 1 once the vertex is in the far pile; it never comes back */
    struct piles *piles;
};

template <typename offset_t, typename weight_t>
__global__ void begin(search<offset_t, weight_t> search, vertex_t source, struct piles *piles)
{
    offset_t first = *search.bound(source, 0), edges = *search.bound(source, 1) - first;
    search.distances[source] = 0;
    search.queues[0].before[0] = 0;
    search.queues[0].shift[0] = first;
    search.queues[0].ids[0] = source;
    *piles = {1ull << search.edge_bits | edges, 0, 0, 0};
}

/* Appends vertices to the far pile, if they are not in it. All lanes of the warp must call it. */
DEVICE void append_far(const struct far_state &state, bool (&far)[UNROLL], const vertex_t (&vertices)[UNROLL])
{
    for (unsigned i = 0; i < UNROLL; i++)
        far[i] = far[i] && atomicExch(&state.is_far[vertices[i]], 1u) == 0;
    warp_append(&state.piles->far, far, [&](unsigned i, uint32_t place) { state.far[0][place] = vertices[i]; });
}

template <typename offset_t, typename weight_t>
__global__ void relax_near(search<offset_t, weight_t> search, extent pile, bits_of<weight_t> threshold, uint32_t round,
                           struct far_state state)
{
    relax_all(search, search.queues[0], pile, spread_warps(), threshold,
              [&](const auto &due, auto &far, const auto &target, auto &first, const auto &end) {
                  append_once(search, round, sink{search.queues[1], &state.piles->near}, due, target, first, end);
                  append_far(state, far, target);
              });
}

/* Splits the far pile of `size` vertices: those with low <= distance < threshold go to the near pile. */
template <typename offset_t, typename weight_t>
__global__ void split_far(search<offset_t, weight_t> search, uint32_t size, bits_of<weight_t> low,
                          bits_of<weight_t> threshold, struct far_state state)
{
    typedef bits_of<weight_t> bits_t;
    for (uint64_t base = thread_of_grid() - lane_id(); base < size; base += threads_of_grid()) {
        bool has = base + lane_id() < size;
        vertex_t v[1] = {has ? state.far[0][base + lane_id()] : 0};
        bits_t distance = has ? search.distances[v[0]] : 0;
        bool near[1] = {has && distance >= low && distance < threshold}, stays[1] = {has && distance >= threshold};
        offset_t first[1] = {*search.bound(v[0], 0)}, end[1] = {*search.bound(v[0], 1)};
        if (stays[0])
            atomicMax((unsigned long long *)&state.piles->least, ~(unsigned long long)distance);
        append(search, sink{search.queues[0], &state.piles->near}, near, v, first, end);
        warp_append(&state.piles->next_far, stays, [&](unsigned, uint32_t place) { state.far[1][place] = v[0]; });
    }
}

/* ---- host side ---- */

struct nearfar_state : state {
    struct far_state far;
};

enum { DELTA, OFFSET_BITS };
static const struct option_spec options[] = {DELTA_OPTION, OFFSET_BITS_OPTION, {}};

int prepare_nearfar(struct run *run, struct gpu_graph *graph)
{
    struct nearfar_state *state = (struct nearfar_state *)run->state;
    prepare_search(run, graph, run->options[DELTA] > 0 ? run->options[DELTA] : TIMES_MEAN * mean_delta(run->graph, 1));
    size_t n = run->graph->num_vertices;
    for (vertex_t *&pile : state->far.far)
        pile = gpu_take<vertex_t>(&state->memory, n, "the far pile", run->error);
    state->far.is_far = gpu_take<uint32_t>(&state->memory, n, "the far pile", run->error);
    state->far.piles = gpu_take<struct piles>(&state->memory, 1, "the piles", run->error);
    return run->error->status;
}

/* Runs the rounds until both piles are empty. */
template <typename offset_t, typename weight_t>
static int run_rounds(struct run *run, vertex_t source)
{
    const struct nearfar_state *state = (const struct nearfar_state *)run->state;
    struct far_state far = state->far;
    auto search = search_of<offset_t, weight_t>(state);
    struct piles now = {};
    bits_of<weight_t> threshold = raised<weight_t>(0, state->delta);
    gpu_launch(begin<offset_t, weight_t>, {1, 1}, 0, run->error, search, source, far.piles);
    gpu_download(&now, far.piles, 1, run->error);
    for (uint32_t round = 1; now.near > 0 || now.far > 0; round++) {
        if (now.near > 0) {
            gpu_clear(&far.piles->near, 1, run->error);
            gpu_launch(relax_near<offset_t, weight_t>, gpu_wide_grid(), 0, run->error, search,
                       extent_of(now.near, state->edge_bits), threshold, round, far);
            std::swap(search.queues[0], search.queues[1]);
        } else {
            bits_of<weight_t> low = threshold, least = now.least != 0 ? (bits_of<weight_t>)~now.least : 0;
            threshold = raised<weight_t>(least > low ? least : low, state->delta);
            gpu_clear(&far.piles->least, 1, run->error);
            gpu_launch(split_far<offset_t, weight_t>, gpu_wide_grid(now.far), 0, run->error, search, now.far, low,
                       threshold, far);
            gpu_copy(&far.piles->far, &far.piles->next_far, 1, run->error);
            gpu_clear(&far.piles->next_far, 1, run->error);
            std::swap(far.far[0], far.far[1]);
        }
        gpu_download(&now, far.piles, 1, run->error); /* zeros after an error */
    }
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct nearfar_state *state = (const struct nearfar_state *)run->state;
    reset_search(run);
    gpu_clear(state->far.is_far, run->graph->num_vertices, run->error);
    run_kernel_begin(run);
    with_types(state, [&]<typename offset_t, typename weight_t>() {
        return run_rounds<offset_t, weight_t>(run, query->sources[0]);
    });
    find_parents(run, query->sources[0]);
    return run_kernel_end(run);
}

GPU_ALGORITHM(sssp_nearfar) = {
    .family = "sssp",
    .variant = "nearfar",
    .title = "Near and far pile, a launch for each round",
    .citation = "Davidson et al., IPDPS 2014",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_DISTANCE,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .state_bytes = sizeof(struct nearfar_state),
    .prepare = uploaded<prepare_nearfar, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch_search,
    .release = release_state<struct nearfar_state, &state::memory, &state::graph>,
};

} // namespace BACKEND::sssp
