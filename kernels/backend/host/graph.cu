/* graph.cu: copies of the graph in device memory. */

#include "host.h"

namespace BACKEND
{

/* Returns a 32-bit copy of the offsets in host memory, which the caller frees. NULL after an error, or while
 * the device only counts memory. */
static uint32_t *narrowed(const struct graph *graph, struct error *error)
{
    size_t num_offsets = (size_t)graph->num_vertices + 1;
    uint32_t *narrow;
    if (error->status != STATUS_OK || gpu_counting() ||
        allocate(&narrow, num_offsets, sizeof *narrow, "32-bit offsets", error) != STATUS_OK)
        return NULL;
#pragma omp parallel for
    for (size_t v = 0; v < num_offsets; v++)
        narrow[v] = (uint32_t)graph->offsets[v];
    return narrow;
}

int gpu_graph_upload(const struct graph *graph, bool force_wide, struct gpu_graph *gpu, struct error *error)
{
    size_t num_offsets = (size_t)graph->num_vertices + 1;
    *gpu = {};
    gpu->num_vertices = graph->num_vertices;
    gpu->num_edges = graph->num_edges;
    gpu->host = graph;
    gpu->wide = needs_wide_offsets(graph->num_edges, force_wide);
    if (!graph_has_lists(graph))
        return error->status;
    gpu_allocate_bytes(&gpu->offsets, num_offsets, offset_size(gpu), "the graph's offsets", error);
    gpu_allocate(&gpu->targets, graph->num_edges, "the graph's edges", error);
    if (gpu->wide) {
        gpu_upload((edge_t *)gpu->offsets, graph->offsets, num_offsets, error);
    } else {
        uint32_t *narrow = narrowed(graph, error);
        gpu_upload((uint32_t *)gpu->offsets, narrow, num_offsets, error);
        free(narrow);
    }
    return gpu_upload(gpu->targets, graph->targets, graph->num_edges, error);
}

int gpu_graph_copy(const struct gpu_graph *graph, struct gpu_graph *copy, struct error *error)
{
    size_t num_offsets = (size_t)graph->num_vertices + 1;
    *copy = *graph;
    copy->offsets = NULL;
    copy->targets = NULL;
    gpu_allocate_bytes(&copy->offsets, num_offsets, offset_size(graph), "a copy of the graph's offsets", error);
    gpu_allocate(&copy->targets, graph->num_edges, "a copy of the graph's edges", error);
    gpu_copy((char *)copy->offsets, (const char *)graph->offsets, num_offsets * offset_size(graph), error);
    return gpu_copy(copy->targets, graph->targets, graph->num_edges, error);
}

void gpu_graph_free(struct gpu_graph *gpu)
{
    gpu_free(gpu->offsets);
    gpu_free(gpu->targets);
    *gpu = {};
}

} // namespace BACKEND
