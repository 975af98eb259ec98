/* relabel.cuh: whether to relabel the vertices by degree class, and the steps of it. */
#pragma once

#include "host_state.cuh"
#include "order_neighbours.cuh"

namespace BACKEND::stream
{

/* Blest's first rule for a heavy tail (its section 4, footnote 2): the top 1% and 10% of the vertices have at least
 * 5% and 40% of the sum of degrees. The sums are estimates: each degree counts as the middle of its class. */
static bool is_heavy_tailed(const vertex_t starts[NUM_CLASSES], vertex_t num_vertices)
{
    const double fractions[] = {0.01, 0.10}, least[] = {0.05, 0.40};
    double sum = 0, taken[2] = {0, 0};
    for (unsigned c = 0; c < ISOLATED; c++) {
        double degree = c == ISOLATED - 1 ? 1 : 1.5 * (double)(1u << (ISOLATED - 1 - c)),
               number = starts[c + 1] - starts[c];
        sum += degree * number;
        for (unsigned i = 0; i < 2; i++) {
            double room = fractions[i] * num_vertices - starts[c];
            taken[i] += degree * (room < 0 ? 0 : room < number ? room : number);
        }
    }
    return sum > 0 && taken[0] >= least[0] * sum && taken[1] >= least[1] * sum;
}

/* Replaces a graph by the relabelled one. degrees: by id, num_vertices + 1 elements, the last one 0; becomes the
 * offsets of the graph, which owns it even after a failure. starts: in device memory. */
template <typename offset_t>
static int reorder(const struct state *state, const vertex_t *starts, offset_t *degrees, struct gpu_graph *graph,
                   struct error *error)
{
    struct gpu_graph ordered = {graph->num_vertices, graph->num_edges, degrees, NULL, graph->wide};
    struct grid grid = gpu_wide_grid((uint64_t)graph->num_vertices * WARP_SIZE);
    grid.threads = grid.threads < PREPARE_THREADS ? grid.threads : PREPARE_THREADS;
    if (gpu_exclusive_scan(degrees, (size_t)graph->num_vertices + 1, error) == STATUS_OK &&
        gpu_allocate(&ordered.targets, graph->num_edges, "the reordered edges", error) == STATUS_OK) {
        const neighbour_order<offset_t> order = {(const offset_t *)graph->offsets,
                                                 graph->targets,
                                                 state->id_of,
                                                 state->input_of,
                                                 starts,
                                                 state->num_ids,
                                                 degrees,
                                                 ordered.targets};
        if (gpu_launch(order_neighbours<offset_t>, grid, sizeof(struct order_shared), error, order) == STATUS_OK)
            gpu_check(cudaDeviceSynchronize(), "reordering", error);
    }
    gpu_graph_free(graph);
    *graph = ordered;
    return error->status;
}

/* Device memory that relabelling needs for a while. */
template <typename offset_t>
struct relabel_scratch {
    uint32_t *counts;     /* NUM_CLASSES * num_tiles */
    vertex_t *starts;     /* NUM_CLASSES */
    offset_t *degrees[2]; /* by id, out and in; they become the offsets of the graphs */
};

/* The steps: count classes, decide, number the vertices, reorder both graphs. */
template <typename offset_t>
static int relabel_with(struct run *run, relabel_scratch<offset_t> *scratch)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    vertex_t n = state->out.num_vertices, starts[NUM_CLASSES];
    uint32_t num_tiles = (uint32_t)(((uint64_t)n + TILE_VERTICES - 1) / TILE_VERTICES);
    struct grid grid = gpu_wide_grid((uint64_t)num_tiles * WARP_SIZE);
    const offset_t *out = (const offset_t *)state->out.offsets;
    const offset_t *in = state->symmetric ? NULL : (const offset_t *)state->in.offsets;
    if (gpu_allocate(&scratch->counts, (size_t)NUM_CLASSES * num_tiles, "the degree classes", error) != STATUS_OK ||
        gpu_allocate(&scratch->starts, NUM_CLASSES, "the degree classes", error) != STATUS_OK ||
        gpu_launch(count_classes<offset_t>, grid, 0, error, out, in, n, num_tiles, scratch->counts) != STATUS_OK ||
        gpu_exclusive_scan(scratch->counts, (size_t)NUM_CLASSES * num_tiles, error) != STATUS_OK ||
        gpu_launch(find_class_starts, {1, WARP_SIZE}, 0, error, (const uint32_t *)scratch->counts, num_tiles,
                   scratch->starts) != STATUS_OK ||
        gpu_download(starts, scratch->starts, NUM_CLASSES, error) != STATUS_OK)
        return error->status;
    int choice = (int)run->options[RELABEL];
    state->relabelled = choice == RELABEL_YES || (choice == RELABEL_AUTO && is_heavy_tailed(starts, n));
    if (!state->relabelled)
        return STATUS_OK;
    state->num_ids = starts[ISOLATED];
    size_t padded = ((size_t)n + GROUP - 1) / GROUP * GROUP;
    for (int i = 0; i < (in != NULL ? 2 : 1); i++)
        if (gpu_allocate(&scratch->degrees[i], (size_t)n + 1, "the reordered offsets", error) != STATUS_OK ||
            gpu_check(cudaMemset(scratch->degrees[i] + n, 0, sizeof(offset_t)), "the reordered offsets", error) !=
                STATUS_OK)
            return error->status;
    if (gpu_allocate(&state->id_of, padded, "the relabelled ids", error) != STATUS_OK ||
        gpu_allocate(&state->input_of, n, "the relabelled ids", error) != STATUS_OK ||
        gpu_check(cudaMemset(state->id_of, 0xff, padded * sizeof *state->id_of), "the relabelled ids", error) !=
            STATUS_OK)
        return error->status;
    const numbering<offset_t> numbers = {out,
                                         in,
                                         n,
                                         num_tiles,
                                         scratch->counts,
                                         state->id_of,
                                         state->input_of,
                                         scratch->degrees[0],
                                         scratch->degrees[1]};
    if (gpu_launch(number_vertices<offset_t>, grid, 0, error, numbers) != STATUS_OK)
        return error->status;
    for (int i = 0; i < (in != NULL ? 2 : 1); i++) {
        offset_t *degrees = scratch->degrees[i];
        scratch->degrees[i] = NULL;
        if (reorder(state, scratch->starts, degrees, i == 0 ? &state->out : &state->in, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* Relabels the graphs of the state if the options ask for it, or by default if degrees are heavy-tailed. Returns a
 * status and fills run->error. */
template <typename offset_t>
static int relabel(struct run *run)
{
    relabel_scratch<offset_t> scratch = {};
    relabel_with(run, &scratch);
    gpu_free(scratch.counts);
    gpu_free(scratch.starts);
    gpu_free(scratch.degrees[0]);
    gpu_free(scratch.degrees[1]);
    return run->error->status;
}

} // namespace BACKEND::stream
