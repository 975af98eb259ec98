/* relabel.cuh: relabel. */
#pragma once

#include "host_state.cuh"
#include "order_neighbours.cuh"

namespace BACKEND::stream
{

/* ---- host side: preparing ---- */

/* The shares of the degree sum that the top 1% and 10% of the vertices have, as the sizes of the classes tell, a
 * class's degrees taken for its middle: Blest's first rule (its section 4, footnote 2) for a heavy tail. */
static bool is_heavy_tailed(const vertex_t starts[NUM_CLASSES], vertex_t num_vertices)
{
    const double fractions[] = {0.01, 0.10}, least[] = {0.05, 0.40};
    double sum = 0, taken[2] = {0, 0};
    for (unsigned c = 0; c < ISOLATED; c++) {
        double degree = c == ISOLATED - 1 ? 1 : 1.5 * (double)(1u << (ISOLATED - 1 - c)),
               number = starts[c + 1] - starts[c];
        sum += degree * number;
        for (unsigned i = 0; i < 2; i++) {
            double scratch = fractions[i] * num_vertices - starts[c];
            taken[i] += degree * (scratch < 0 ? 0 : scratch < number ? scratch : number);
        }
    }
    return sum > 0 && taken[0] >= least[0] * sum && taken[1] >= least[1] * sum;
}

/* Replaces a graph by the same in rows. degrees: by rows, one place more than rows; becomes the offsets. */
template <typename offset_t>
static int reorder(const struct state *state, const vertex_t *starts, offset_t *degrees, struct gpu_graph *graph,
                   struct error *error)
{
    struct gpu_graph ordered = {graph->num_vertices, graph->num_edges, degrees, NULL, graph->wide};
    struct grid grid = gpu_wide_grid((uint64_t)graph->num_vertices * WARP_SIZE);
    grid.threads = grid.threads < PREPARE_THREADS ? grid.threads : PREPARE_THREADS;
    if (gpu_exclusive_scan(degrees, (size_t)graph->num_vertices + 1, error) == STATUS_OK &&
        gpu_allocate(&ordered.targets, graph->num_edges, "the reordered edges", error) == STATUS_OK &&
        gpu_launch(order_neighbours<offset_t>, grid, sizeof(struct order_shared), error,
                   (const offset_t *)graph->offsets, graph->targets, (const vertex_t *)state->id_of,
                   (const vertex_t *)state->input_of, starts, state->num_ids, (const offset_t *)degrees,
                   ordered.targets) == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "reordering", error);
    gpu_graph_free(graph);
    *graph = ordered;
    return error->status;
}

/* What numbering takes beside the result. */
template <typename offset_t>
struct numbering {
    uint32_t *counts;     /* NUM_CLASSES * num_tiles */
    vertex_t *starts;     /* NUM_CLASSES */
    offset_t *degrees[2]; /* by rows, out and in; they become the graphs' offsets */
};

template <typename offset_t>
static int relabel_with(struct run *run, numbering<offset_t> *numbering)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    vertex_t n = state->out.num_vertices, starts[NUM_CLASSES];
    uint32_t num_tiles = (uint32_t)(((uint64_t)n + TILE_VERTICES - 1) / TILE_VERTICES);
    struct grid grid = gpu_wide_grid((uint64_t)num_tiles * WARP_SIZE);
    const offset_t *out = (const offset_t *)state->out.offsets;
    const offset_t *in = state->symmetric ? NULL : (const offset_t *)state->in.offsets;
    if (gpu_allocate(&numbering->counts, (size_t)NUM_CLASSES * num_tiles, "the degree classes", error) != STATUS_OK ||
        gpu_allocate(&numbering->starts, NUM_CLASSES, "the degree classes", error) != STATUS_OK ||
        gpu_launch(count_classes<offset_t>, grid, 0, error, out, in, n, num_tiles, numbering->counts) != STATUS_OK ||
        gpu_exclusive_scan(numbering->counts, (size_t)NUM_CLASSES * num_tiles, error) != STATUS_OK ||
        gpu_launch(find_class_starts, {1, WARP_SIZE}, 0, error, (const uint32_t *)numbering->counts, num_tiles,
                   numbering->starts) != STATUS_OK ||
        gpu_download(starts, numbering->starts, NUM_CLASSES, error) != STATUS_OK)
        return error->status;
    int choice = (int)run->options[RELABEL];
    state->relabelled = choice == RELABEL_YES || (choice == RELABEL_AUTO && is_heavy_tailed(starts, n));
    if (!state->relabelled)
        return STATUS_OK;
    state->num_ids = starts[ISOLATED];
    size_t padded = ((size_t)n + GROUP - 1) / GROUP * GROUP;
    for (int i = 0; i < (in != NULL ? 2 : 1); i++)
        if (gpu_allocate(&numbering->degrees[i], (size_t)n + 1, "the reordered offsets", error) != STATUS_OK ||
            gpu_check(cudaMemset(numbering->degrees[i] + n, 0, sizeof(offset_t)), "the reordered offsets", error) !=
                STATUS_OK)
            return error->status;
    if (gpu_allocate(&state->id_of, padded, "the rows' numbers", error) != STATUS_OK ||
        gpu_allocate(&state->input_of, n, "the rows' numbers", error) != STATUS_OK ||
        gpu_check(cudaMemset(state->id_of, 0xff, padded * sizeof *state->id_of), "the rows' numbers", error) !=
            STATUS_OK ||
        gpu_launch(number_vertices<offset_t>, grid, 0, error, out, in, n, num_tiles,
                   (const uint32_t *)numbering->counts, state->id_of, state->input_of, numbering->degrees[0],
                   numbering->degrees[1]) != STATUS_OK)
        return error->status;
    for (int i = 0; i < (in != NULL ? 2 : 1); i++) {
        offset_t *degrees = numbering->degrees[i];
        numbering->degrees[i] = NULL;
        if (reorder(state, numbering->starts, degrees, i == 0 ? &state->out : &state->in, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}

/* Numbers rows by degree class if that is wanted, and both graphs with them. */
template <typename offset_t>
static int relabel(struct run *run)
{
    numbering<offset_t> numbering = {};
    relabel_with(run, &numbering);
    gpu_free(numbering.counts);
    gpu_free(numbering.starts);
    gpu_free(numbering.degrees[0]);
    gpu_free(numbering.degrees[1]);
    return run->error->status;
}

} // namespace BACKEND::stream
