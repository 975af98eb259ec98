/* perblock.cu: betweenness from the dependencies of each source (Brandes, J. Math. Sociol. 2001; the formulas are in
 * src/verify/betweenness.h). A block takes one source after another (McLaughlin and Bader, SC 2014).
 *
 * A search goes forward level by level and counts paths. Then it goes back and sums dependencies. Each block has
 * memory of its own and shares only the counter of sources and the sums, so a level ends with a block barrier. If
 * there are fewer sources than blocks, the other blocks idle.
 *
 * Forward: the threads read the edges of a level. A compare-and-swap gives each new vertex to one thread, which
 * queues it. Every thread with an edge to a vertex of the next level adds to that vertex's number of paths, which is
 * 0 before the search and complete after the barrier. The numbers are doubles: exact up to 2^53, then rounded. Back:
 * each vertex reads the dependencies of its successors, which became final at the last barrier, and one thread writes
 * the vertex's own. */

#include <utility>

#include "../../src/verify/betweenness.h"
#include "../backend/backend.h"
#include "../device/ids.cuh"
#include "../device/warp.cuh"

namespace BACKEND::betweenness
{

#define SHARE_OF_FREE     0.9 /* share of the free memory that searches may take */
#define SEARCHES_OF_BLOCK 8u  /* searches of a block in one launch; afterwards the host checks whether to stop */
#define PARTS_OF_WARP     4u  /* parts per warp in a level, so that warps with many edges delay the others less */

/* The memory of a block's search. */
struct search {
    double *sigma;   /* num_vertices; paths; on the way back x = 1 / paths + the sum of the successors' x */
    uint32_t *level; /* num_vertices */
    vertex_t *queue; /* num_vertices; the vertices in the order in which they were reached */
    uint32_t *begin; /* num_vertices; where each level begins in the queue */
};

struct batch {
    struct search first; /* memory of block 0; in each array, the parts of the other blocks follow */
    double *sum, *edge;  /* num_vertices and num_edges; sums over all sources; edge may be NULL */
    const vertex_t *sources;
    uint32_t num_sources;
    uint32_t *next;           /* number of the next source */
    uint32_t *too_many_paths; /* 1 if a vertex has more than MOST_PATHS paths */
};

struct shared {
    uint32_t which, tail; /* number of the source; end of the queue */
};

/* Calls use(u, edge, end, stride) for each vertex u of a level. The lane takes the edges edge, edge + stride, ...
 * below end. For a vertex with many edges, all lanes of the warp have the same u, and stride is WARP_SIZE. Otherwise
 * each lane has a vertex of its own, or NO_VERTEX. */
template <typename offset_t>
DEVICE void for_each_vertex(const csr<offset_t> &graph, const vertex_t *queue, uint32_t begin, uint32_t end, auto use)
{
    struct team team = block_warps();
    uint32_t some = min(WARP_SIZE, max(1u, (end - begin) / (team.size * PARTS_OF_WARP)));
    for (uint64_t first = begin + (uint64_t)team.rank * some; first < end; first += team.size * some) {
        vertex_t u = lane_id() < some && first + lane_id() < end ? queue[first + lane_id()] : NO_VERTEX;
        offset_t edge = u != NO_VERTEX ? graph.offsets[u] : 0, last = u != NO_VERTEX ? graph.offsets[u + 1] : 0;
        unsigned wide = __ballot_sync(WHOLE_WARP, last - edge >= WARP_SIZE);
        for (unsigned left = wide; left != 0; left &= left - 1) {
            int owner = __ffs((int)left) - 1;
            use(__shfl_sync(WHOLE_WARP, u, owner), (offset_t)(__shfl_sync(WHOLE_WARP, edge, owner) + lane_id()),
                __shfl_sync(WHOLE_WARP, last, owner), WARP_SIZE);
        }
        if (wide >> lane_id() & 1)
            u = NO_VERTEX;
        use(u, edge, u != NO_VERTEX ? last : edge, 1u);
    }
}

/* Counts the paths to all vertices. Returns the number of levels. *total: set to the number of vertices reached. */
template <typename offset_t>
DEVICE uint32_t count_paths(const csr<offset_t> &graph, const struct search &my, struct shared *shared, uint32_t *total)
{
    uint32_t depth = 0, begin = 0, end = 1;
    for (; begin < end; depth++) {
        if (threadIdx.x == 0)
            my.begin[depth] = begin;
        for_each_vertex(graph, my.queue, begin, end, [&](vertex_t u, offset_t edge, offset_t last, unsigned stride) {
            double paths = u != NO_VERTEX ? my.sigma[u] : 0;
            for (; edge < last; edge += stride) {
                vertex_t w = graph.targets[edge];
                uint32_t level = __ldcg(&my.level[w]);
                if (level == UNREACHED && (level = atomicCAS(&my.level[w], UNREACHED, depth + 1)) == UNREACHED) {
                    my.queue[atomicAdd(&shared->tail, 1u)] = w;
                    level = depth + 1;
                }
                if (level == depth + 1)
                    atomicAdd(&my.sigma[w], paths);
            }
        });
        __syncthreads();
        begin = end;
        end = shared->tail;
        __syncthreads(); /* all have read the tail */
    }
    *total = end;
    return depth;
}

template <typename offset_t>
DEVICE void add_dependencies(const csr<offset_t> &graph, const struct search &my, const struct batch &batch,
                             uint32_t num_levels, uint32_t end)
{
    for (uint32_t depth = num_levels; depth-- > (batch.edge == NULL);) { /* level 0 matters only for edges */
        uint32_t begin = my.begin[depth];
        for_each_vertex(graph, my.queue, begin, end, [&](vertex_t u, offset_t edge, offset_t last, unsigned stride) {
            double c = 0, paths = u != NO_VERTEX ? my.sigma[u] : 0;
            for (; edge < last; edge += stride) {
                vertex_t w = graph.targets[edge];
                if (my.level[w] != depth + 1)
                    continue;
                c += my.sigma[w];
                if (batch.edge != NULL)
                    atomicAdd(&batch.edge[edge], paths * my.sigma[w]);
            }
            if (stride > 1)
                c = warp_sum(c);
            if (u == NO_VERTEX || (stride > 1 && lane_id() > 0))
                return;
            if (!(paths <= MOST_PATHS))
                __stcg(batch.too_many_paths, 1u);
            if (depth > 0 && c > 0)
                atomicAdd(&batch.sum[u], paths * c);
            my.sigma[u] = 1 / paths + c;
        });
        end = begin;
        __syncthreads();
    }
}

template <typename offset_t>
__global__ void search_all(csr<offset_t> graph, struct batch batch)
{
    struct shared *shared = block_shared<struct shared>();
    const struct search &first = batch.first;
    size_t offset = (size_t)blockIdx.x * graph.num_vertices;
    struct search my = {first.sigma + offset, first.level + offset, first.queue + offset, first.begin + offset};
    for (;;) {
        if (threadIdx.x == 0)
            *shared = {atomicAdd(batch.next, 1u), 1};
        for (uint64_t v = threadIdx.x; v < graph.num_vertices; v += blockDim.x) {
            my.level[v] = UNREACHED;
            my.sigma[v] = 0;
        }
        __syncthreads();
        if (shared->which >= batch.num_sources)
            return;
        if (threadIdx.x == 0) {
            vertex_t source = batch.sources[shared->which];
            my.queue[0] = source;
            my.level[source] = 0;
            my.sigma[source] = 1;
        }
        __syncthreads();
        uint32_t total, num_levels = count_paths(graph, my, shared, &total);
        add_dependencies(graph, my, batch, num_levels, total);
    }
}

/* ---- host side ---- */

enum { BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS };
static const struct option_spec options[] = {
    BLOCK_SIZE_OPTION(1024, 1024), BLOCKS_PER_SM_OPTION(2), OFFSET_BITS_OPTION, {}};

struct state {
    struct gpu_graph graph;
    struct gpu_arena memory; /* owns the arrays */
    struct batch batch;      /* template for traverse(), which sets the sources */
    vertex_t *sources;       /* run->batch_size entries */
    struct grid grid;
    uint32_t num_sources; /* number of sources of the last query */
};

/* Allocates memory for the searches. Lowers the number of blocks to the number of trials or to what fits. */
static int allocate_searches(struct run *run, struct state *state)
{
    size_t n = run->graph->num_vertices;
    struct search *first = &state->batch.first;
    double each = (double)n * (sizeof(double) + 3 * sizeof(uint32_t));
    double most = min(SHARE_OF_FREE * (double)gpu_memory_left(run->error) / each, (double)run->num_sources);
    if (most < state->grid.blocks)
        state->grid.blocks = most >= 1 ? (unsigned)most : 1;
    n *= state->grid.blocks;
    first->sigma = gpu_take<double>(&state->memory, n, "the numbers of paths", run->error);
    first->level = gpu_take<uint32_t>(&state->memory, n, "the levels", run->error);
    first->queue = gpu_take<vertex_t>(&state->memory, n, "the queues", run->error);
    first->begin = gpu_take<uint32_t>(&state->memory, n, "the queues", run->error);
    return run->error->status;
}

static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct error *error = run->error;
    struct state *state = (struct state *)run->state;
    struct batch *batch = &state->batch;
    vertex_t n = run->graph->num_vertices;
    state->graph = std::exchange(*graph, {});
    run->batch_size = n > (uint32_t)run->num_sources ? n : (uint32_t)run->num_sources;
    state->sources = gpu_take<vertex_t>(&state->memory, run->batch_size, "the sources", error);
    batch->sum = gpu_take<double>(&state->memory, n, "the sums", error);
    if (run->outputs & OUTPUT_EDGE_BETWEENNESS)
        batch->edge = gpu_take<double>(&state->memory, run->graph->num_edges, "the sums of edges", error);
    batch->next = gpu_take<uint32_t>(&state->memory, 1, "a counter", error);
    batch->too_many_paths = gpu_take<uint32_t>(&state->memory, 1, "a flag", error);
    const void *kernel =
        with_width(state->graph.wide, [&]<typename offset_t>() { return (const void *)search_all<offset_t>; });
    gpu_plan_blocks(kernel, gpu_block_size(run->options[BLOCK_SIZE], error), (unsigned)run->options[BLOCKS_PER_SM],
                    sizeof(struct shared), &state->grid, error);
    return allocate_searches(run, state);
}

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    struct batch batch = state->batch;
    struct error *error = run->error;
    uint32_t done = 0, too_many_paths = 0;
    gpu_upload(state->sources, query->sources, state->num_sources = query->num_sources, error);
    gpu_clear(batch.sum, run->graph->num_vertices, error);
    gpu_clear(batch.edge, batch.edge != NULL ? run->graph->num_edges : 0, error);
    gpu_clear(batch.too_many_paths, 1, error);
    run_kernel_begin(run);
    for (; done < query->num_sources && error->status == STATUS_OK; done += batch.num_sources) {
        batch.sources = state->sources + done;
        batch.num_sources = min(query->num_sources - done, SEARCHES_OF_BLOCK * state->grid.blocks);
        gpu_clear(batch.next, 1, error);
        with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
            return gpu_launch(search_all<offset_t>, state->grid, sizeof(struct shared), error, graph, batch);
        });
        gpu_wait("betweenness", error);
        progress_set(done + batch.num_sources);
    }
    run_kernel_end(run);
    gpu_download(&too_many_paths, batch.too_many_paths, 1, error);
    return too_many_paths ? betweenness_refuse(run->graph, error) : error->status;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    gpu_fetch(result->betweenness, state->batch.sum, run->graph->num_vertices, run->error);
    gpu_fetch(result->edge_betweenness, state->batch.edge, run->graph->num_edges, run->error);
    if (run->error->status == STATUS_OK)
        betweenness_finish(run->graph, state->num_sources, result->betweenness, result->edge_betweenness);
    return run->error->status;
}

GPU_ALGORITHM(betweenness_perblock) = {
    .family = "betweenness",
    .variant = "perblock",
    .title = "Brandes's dependencies, a search for each block",
    .citation = "Brandes 2001; after McLaughlin and Bader, SC 2014",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_BETWEENNESS,
    .on_request = OUTPUT_EDGE_BETWEENNESS,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct state, &state::memory, &state::graph>,
};

} // namespace BACKEND::betweenness
