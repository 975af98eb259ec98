/* hooking.cu: weakly connected components by hooking and pointer jumping, similar to Afforest (Sutton, Ben-Nun,
 * Barak, IPDPS 2018) and ECL-CC (Jaiganesh, Burtscher, HPDC 2018).
 *
 * Each component becomes a tree of parents. begin() makes a vertex's first neighbour its parent if the neighbour is
 * smaller. join_first() joins every vertex with its first two neighbours. In a symmetric graph, most vertices are
 * then in one tree, probably the tree of the hub (the vertex of the highest degree). join_rest() joins the vertices
 * of other trees with the rest of their neighbours. flatten() makes the roots the labels.
 *
 * Why no edge is lost. Threads read and write the parents in no particular order, and may read old values. The edges
 * joined so far divide the vertices into sets: two vertices are in one set if joined edges connect them.
 *   1. parent[v] <= v, and both are in one set. begin() ensures this. join() writes a smaller vertex of another set
 *      and thereby unites the two sets. find_root() writes a parent's parent that it has read. An old value is in the
 *      set as well, since sets only grow.
 *   2. A vertex with a smaller parent never becomes a root again, since only smaller vertices are written to
 *      parent[v]. find_root() writes parent[v] only after it has read a smaller parent of v, so it overwrites no
 *      root. join() writes only to a root, by compare-and-swap.
 *   3. By 1, parents lead from every vertex to a root of its set. Each set has exactly one root. A single vertex is
 *      its own root. A successful compare-and-swap turns one of two roots into an inner vertex. The two were in
 *      different sets: otherwise parents would lead from `low` to a second root of the set, below `high`.
 *   4. join() returns when both ends have led to one vertex or when its compare-and-swap has succeeded; then the edge
 *      is in a set. It ends, because a failed compare-and-swap returns the new parent, which is smaller.
 *   5. join_rest() skips a vertex if it has seen the hub in the same set. An edge between two skipped vertices is in
 *      that set. Any other edge is joined from its other end, since a symmetric graph stores it twice. So in the end
 *      a set is a component, and its root is its smallest vertex. */

#include <utility>

#include "../backend/backend.h"
#include "../device/ids.cuh"

namespace BACKEND::wcc
{

#define FIRST_EDGES 2u /* edges of each vertex that are joined first; then most vertices are in one tree */

struct state {
    struct gpu_graph graph;
    struct gpu_arena memory; /* owns the arrays */
    vertex_t *parent;        /* num_vertices */
    vertex_t hub;            /* vertex of the highest degree; NO_VERTEX if the graph is directed */
};

/* Returns the root of a vertex, and halves the path to it. */
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

/* Joins the trees of two vertices. Returns a common ancestor of both. */
DEVICE vertex_t join(vertex_t *parent, vertex_t u, vertex_t v)
{
    if (__ldcg(&parent[v]) == u)
        return u;
    u = find_root(parent, u);
    v = find_root(parent, v);
    while (u != v) {
        vertex_t low = u < v ? u : v, high = u < v ? v : u;
        vertex_t old = atomicCAS(&parent[high], high, low);
        if (old == high)
            return low;
        u = find_root(parent, old);
        v = find_root(parent, low);
    }
    return u;
}

/* Makes a vertex's first neighbour its parent, if the neighbour is smaller. */
template <typename offset_t>
__global__ void begin(csr<offset_t> graph, vertex_t *parent)
{
    for (uint64_t v = thread_of_grid(); v < graph.num_vertices; v += threads_of_grid()) {
        offset_t edge = graph.offsets[v];
        vertex_t first = edge < graph.offsets[v + 1] ? graph.targets[edge] : (vertex_t)v;
        parent[v] = first < v ? first : (vertex_t)v;
    }
}

/* Joins every vertex with its first neighbours. */
template <typename offset_t>
__global__ void join_first(csr<offset_t> graph, vertex_t *parent)
{
    for (uint64_t v = thread_of_grid(); v < graph.num_vertices; v += threads_of_grid()) {
        offset_t edge = graph.offsets[v], end = graph.offsets[v + 1];
        for (unsigned i = 0; i < FIRST_EDGES && edge < end; i++, edge++)
            join(parent, (vertex_t)v, graph.targets[edge]);
    }
}

/* Makes the root of each vertex its parent. */
__global__ void flatten(vertex_t *parent, vertex_t num_vertices)
{
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid())
        __stcg(&parent[v], find_root(parent, (vertex_t)v));
}

/* Joins the ends of the remaining edges. A warp takes 32 vertices at a time. All lanes share the edges of a vertex of
 * degree 32 or more; each other vertex has one lane. */
template <typename offset_t>
__global__ void join_rest(csr<offset_t> graph, vertex_t *parent, vertex_t hub)
{
    struct team team = grid_warps();
    for (uint64_t first = (uint64_t)team.rank * WARP_SIZE; first < graph.num_vertices;
         first += (uint64_t)team.size * WARP_SIZE) {
        uint64_t v = first + lane_id(), edge = 0, end = 0;
        if (v < graph.num_vertices && (hub == NO_VERTEX || find_root(parent, (vertex_t)v) != find_root(parent, hub))) {
            edge = graph.offsets[v] + (uint64_t)FIRST_EDGES;
            end = graph.offsets[v + 1] > edge ? graph.offsets[v + 1] : edge;
        }
        for (unsigned wide = __ballot_sync(WHOLE_WARP, end - edge >= WARP_SIZE); wide != 0; wide &= wide - 1) {
            int lane = __ffs((int)wide) - 1;
            vertex_t ancestor = (vertex_t)(first + (unsigned)lane);
            uint64_t next = __shfl_sync(WHOLE_WARP, edge, lane) + lane_id(), last = __shfl_sync(WHOLE_WARP, end, lane);
            for (; next < last; next += WARP_SIZE)
                ancestor = join(parent, ancestor, graph.targets[next]);
            end = lane == (int)lane_id() ? edge : end;
        }
        for (vertex_t ancestor = (vertex_t)v; edge < end; edge++)
            ancestor = join(parent, ancestor, graph.targets[edge]);
    }
}

/* ---- host side ---- */

enum { OFFSET_BITS };
static const struct option_spec options[] = {OFFSET_BITS_OPTION, {}};

static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    state->graph = std::exchange(*graph, {});
    state->parent = gpu_take<vertex_t>(&state->memory, run->graph->num_vertices, "the parents", run->error);
    state->hub = run->graph->symmetric ? 0 : NO_VERTEX;
    for (vertex_t v = 0; run->graph->symmetric && v < run->graph->num_vertices; v++)
        state->hub = graph_degree(run->graph, v) > graph_degree(run->graph, state->hub) ? v : state->hub;
    return run->error->status;
}

static int traverse(struct run *run, UNUSED const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    struct error *error = run->error;
    vertex_t n = run->graph->num_vertices, *parent = state->parent;
    struct grid grid = gpu_wide_grid(n);
    return with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        gpu_launch(begin<offset_t>, grid, 0, error, graph, parent);
        gpu_launch(join_first<offset_t>, grid, 0, error, graph, parent);
        gpu_launch(flatten, grid, 0, error, parent, n);
        gpu_launch(join_rest<offset_t>, grid, 0, error, graph, parent, state->hub);
        return gpu_launch(flatten, grid, 0, error, parent, n);
    });
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_fetch(result->component, state->parent, run->graph->num_vertices, run->error);
}

GPU_ALGORITHM(wcc_hooking) = {
    .family = "wcc",
    .variant = "hooking",
    .title = "hooking and pointer jumping, some edges of each vertex first",
    .citation = "after Sutton et al., IPDPS 2018; Jaiganesh and Burtscher, HPDC 2018",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_COMPONENT,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct state, &state::memory, &state::graph>,
};

} // namespace BACKEND::wcc
