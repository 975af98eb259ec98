/* hooking.cu: weakly connected components by hooking and pointer jumping, in the manner of Afforest (Sutton, Ben-Nun,
 * Barak, IPDPS 2018) and ECL-CC (Jaiganesh, Burtscher, HPDC 2018).
 *
 * Each component becomes a tree of parents. The kernels follow one another: begin() takes the first neighbour of a
 * vertex for its parent if it is smaller; join_first() joins every vertex with its first two neighbours. On a
 * symmetric graph, most vertices are in one tree then; guess_largest() finds its root in a sample. join_rest() joins
 * the vertices of other trees with the rest of their neighbours, and leaves those of high degree to join_high(), in
 * which the whole grid takes one after the other. flatten() makes the roots the labels.
 *
 * Why no edge is lost. The kernels share one word of each vertex, its parent, and read and write it at any time, in
 * no order but that of the word itself; so what a thread reads may be old. Say that a set is what the edges joined so
 * far connect.
 * 1. parent[v] <= v, and both are in the same set. begin() sees to it; join() writes a smaller vertex of the other
 * set, which is the same set from then on; find_root() writes what it has read as parent of a parent: smaller than v,
 * and in the same set, as sets only grow. An old value has both properties, too.
 * 2. A vertex with a smaller parent never is a root again, since every write is smaller than v. So find_root() never
 *    overwrites a root: it has read a smaller parent of v. join() writes to v only if v is a root, by
 * compare-and-swap.
 * 3. By 1 parents lead from every vertex down to a root, in the same set. Every set has one root: a set of one vertex
 *    has, and a successful compare-and-swap makes one root of two sets an inner vertex. They were two: with high in
 * the set of low, parents would lead from low to a root below high, and high would be a second root.
 * 4. join() returns once both ends have the same root, or it has hooked one to the other: the edge is in a set. A
 * failed compare-and-swap gives the parent that was set meanwhile, which is smaller; so it ends.
 * 5. join_rest() skips a vertex whose root it has seen to be that of the guess, so they are in the same set. An edge
 *    between two skipped vertices is in that set; any other is joined from the end that is not skipped, which has it,
 *    too, since the graph is symmetric.
 * At the end a set is a component, and by 1 its root is its smallest vertex. */
#include <stdlib.h>

#include <utility>

#include "../backend/backend.h"
#include "../device/ids.cuh"

namespace BACKEND::wcc
{

#define FIRST_EDGES 2u
#define SAMPLE_SIZE 1024u       /* vertices in the sample that guesses the largest component */
#define SAMPLE_STEP 2654435761u /* a prime near 2^32 / golden ratio */

struct state {
    struct gpu_graph graph;
    struct gpu_arena memory; /* owns the arrays */
    vertex_t *parent;        /* num_vertices */
    vertex_t *guess;         /* 1: a vertex of the component that is largest, perhaps */
    vertex_t *high;          /* the first *num_high are set: vertices left to join_high() */
    uint32_t *num_high;      /* 1 */
    uint64_t high_degree;    /* the fewest edges of these */
};

/* Halves the path on the way. */
DEVICE vertex_t find_root(vertex_t *parent, vertex_t v)
{
    for (;;) {
        vertex_t up = __ldcg(&parent[v]), above = __ldcg(&parent[up]);
        if (up == above)
            return up;
        __stcg(&parent[v], above);
        v = above;
    }
}

DEVICE void join(vertex_t *parent, vertex_t u, vertex_t v)
{
    u = find_root(parent, u);
    v = find_root(parent, v);
    while (u != v) {
        vertex_t low = u < v ? u : v, high = u < v ? v : u;
        vertex_t old = atomicCAS(&parent[high], high, low);
        if (old == high)
            return;
        u = find_root(parent, old);
        v = find_root(parent, low);
    }
}

template <typename offset_t>
__global__ void begin(csr<offset_t> graph, vertex_t *parent)
{
    for (uint64_t v = thread_of_grid(); v < graph.num_vertices; v += threads_of_grid()) {
        offset_t edge = graph.offsets[v];
        vertex_t first = edge < graph.offsets[v + 1] ? graph.targets[edge] : (vertex_t)v;
        parent[v] = first < v ? first : (vertex_t)v;
    }
}

template <typename offset_t>
__global__ void join_first(csr<offset_t> graph, vertex_t *parent)
{
    for (uint64_t v = thread_of_grid(); v < graph.num_vertices; v += threads_of_grid()) {
        offset_t edge = graph.offsets[v], end = graph.offsets[v + 1];
        for (unsigned i = 0; i < FIRST_EDGES && edge < end; i++, edge++)
            join(parent, (vertex_t)v, graph.targets[edge]);
    }
}

__global__ void flatten(vertex_t *parent, vertex_t num_vertices)
{
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid())
        __stcg(&parent[v], find_root(parent, (vertex_t)v));
}

/* One warp: every lane takes the majority of its part of the sample, if there is one; the lanes vote. */
__global__ void guess_largest(const vertex_t *parent, vertex_t num_vertices, vertex_t *guess)
{
    vertex_t candidate = 0;
    int lead = 0; /* Boyer-Moore majority vote */
    for (uint64_t i = lane_id(); i < SAMPLE_SIZE; i += WARP_SIZE) {
        vertex_t root = parent[i * SAMPLE_STEP % num_vertices];
        candidate = lead == 0 ? root : candidate;
        lead += root == candidate ? 1 : -1;
    }
    unsigned votes = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        votes += __shfl_sync(WHOLE_WARP, candidate, (int)lane) == candidate;
    unsigned mine = votes * WARP_SIZE + lane_id(), most = mine;
    for (unsigned step = WARP_SIZE / 2; step > 0; step /= 2) {
        unsigned other = __shfl_xor_sync(WHOLE_WARP, most, (int)step);
        most = other > most ? other : most;
    }
    if (mine == most)
        *guess = candidate;
}

/* A warp takes 32 vertices at a time: together those of a warp's width of edges or more, the others lane by lane. */
template <typename offset_t>
__global__ void join_rest(csr<offset_t> graph, struct state state, bool skips)
{
    struct team team = grid_warps();
    for (uint64_t first = team.rank * (uint64_t)WARP_SIZE; first < graph.num_vertices;
         first += team.size * (uint64_t)WARP_SIZE) {
        uint64_t v = first + lane_id(), edge = 0, end = 0;
        if (v < graph.num_vertices &&
            !(skips && find_root(state.parent, (vertex_t)v) == find_root(state.parent, *state.guess))) {
            edge = graph.offsets[v] + (uint64_t)FIRST_EDGES;
            end = graph.offsets[v + 1] > edge ? graph.offsets[v + 1] : edge;
        }
        if (end - edge >= state.high_degree) {
            state.high[atomicAdd(state.num_high, 1u)] = (vertex_t)v;
            end = edge;
        }
        for (unsigned wide = __ballot_sync(WHOLE_WARP, end - edge >= WARP_SIZE); wide != 0; wide &= wide - 1) {
            int lane = __ffs((int)wide) - 1;
            uint64_t next = __shfl_sync(WHOLE_WARP, edge, lane) + lane_id(),
                     last = __shfl_sync(WHOLE_WARP, end, lane);
            for (; next < last; next += WARP_SIZE)
                join(state.parent, (vertex_t)(first + (unsigned)lane), graph.targets[next]);
            end = lane == (int)lane_id() ? edge : end;
        }
        for (; edge < end; edge++)
            join(state.parent, (vertex_t)v, graph.targets[edge]);
    }
}

template <typename offset_t>
__global__ void join_high(csr<offset_t> graph, struct state state)
{
    for (uint32_t i = 0; i < *state.num_high; i++) {
        vertex_t v = state.high[i];
        uint64_t edge = graph.offsets[v] + FIRST_EDGES + thread_of_grid();
        for (; edge < graph.offsets[v + 1]; edge += threads_of_grid())
            join(state.parent, v, graph.targets[edge]);
    }
}

/* ---- host side ---- */

enum { HIGH_DEGREE, OFFSET_BITS };
static const struct option_spec options[] = {
    NUMBER_OPTION("high-degree", 65536, WARP_SIZE, UINT32_MAX, "the fewest edges of a vertex that the grid shares"),
    OFFSET_BITS_OPTION,
    {},
};

static int prepare(struct run *run, struct gpu_graph *graph)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    state->graph = std::exchange(*graph, {});
    state->high_degree = (uint64_t)run->options[HIGH_DEGREE];
    size_t num_high = (size_t)(state->graph.num_edges / state->high_degree + 1);
    state->parent = gpu_take<vertex_t>(&state->memory, run->graph->num_vertices, "the parents", run->error);
    state->high = gpu_take<vertex_t>(&state->memory, num_high, "the vertices of high degree", run->error);
    state->guess = gpu_take<vertex_t>(&state->memory, 1, "the largest component", run->error);
    state->num_high = gpu_take<uint32_t>(&state->memory, 1, "the vertices of high degree", run->error);
    return run->error->status;
}

template <typename offset_t>
static void label(struct run *run, csr<offset_t> graph, const struct state &state)
{
    struct grid grid = gpu_wide_grid(graph.num_vertices);
    bool skips = run->graph->symmetric;
    gpu_launch(begin<offset_t>, grid, 0, run->error, graph, state.parent);
    gpu_launch(join_first<offset_t>, grid, 0, run->error, graph, state.parent);
    gpu_launch(flatten, grid, 0, run->error, state.parent, graph.num_vertices);
    if (skips)
        gpu_launch(guess_largest, {1, WARP_SIZE}, 0, run->error, state.parent, graph.num_vertices, state.guess);
    gpu_launch(join_rest<offset_t>, grid, 0, run->error, graph, state, skips);
    gpu_launch(join_high<offset_t>, gpu_wide_grid(state.graph.num_edges), 0, run->error, graph, state);
    gpu_launch(flatten, grid, 0, run->error, state.parent, graph.num_vertices);
}

static int traverse(struct run *run, const struct query *query)
{
    (void)query;
    const struct state *state = (const struct state *)run->state;
    gpu_clear(state->num_high, 1, run->error);
    run_kernel_begin(run);
    if (run->graph->num_vertices > 0)
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) { label(run, graph, *state); });
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_fetch(result->component, state->parent, run->graph->num_vertices, run->error);
}

GPU_ALGORITHM(wcc_hooking) = {
    .family = "wcc",
    .variant = "hooking",
    .title = "hooking and pointer jumping, sampled edges first",
    .citation = "after Sutton et al., IPDPS 2018; Jaiganesh and Burtscher, HPDC 2018",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_COMPONENT,
    .options = options,
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct state, &state::memory, &state::graph>,
};

} // namespace BACKEND::wcc
