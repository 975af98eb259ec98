/* graph.cu: copies of the graph in device memory. */
#include <stdlib.h>

#include "host.h"

namespace BACKEND
{

int gpu_graph_upload(const struct graph *graph, bool force_wide, struct gpu_graph *gpu, struct error *error)
{
    size_t num_offsets = (size_t)graph->num_vertices + 1;
    *gpu = {};
    gpu->num_vertices = graph->num_vertices;
    gpu->num_edges = graph->num_edges;
    gpu->wide = force_wide || graph->num_edges > UINT32_MAX - OFFSET_SLACK;
    const void *offsets = graph->offsets;
    uint32_t *narrow = NULL;
    size_t offset_size = gpu->wide ? sizeof(edge_t) : sizeof(uint32_t);
    if (gpu_allocate_bytes(&gpu->offsets, num_offsets, offset_size, "the graph's offsets", error) != STATUS_OK ||
        gpu_allocate(&gpu->targets, graph->num_edges, "the graph's edges", error) != STATUS_OK)
        return error->status;
    if (!gpu->wide) {
        if (allocate(&narrow, num_offsets, sizeof *narrow, "32-bit offsets", error) != STATUS_OK)
            return error->status;
#pragma omp parallel for
        for (size_t v = 0; v < num_offsets; v++)
            narrow[v] = (uint32_t)graph->offsets[v];
        offsets = narrow;
    }
    if (gpu_check(cudaMemcpy(gpu->offsets, offsets, num_offsets * offset_size, cudaMemcpyHostToDevice),
                  "uploading the graph", error) == STATUS_OK)
        gpu_check(
            cudaMemcpy(gpu->targets, graph->targets, graph->num_edges * sizeof(vertex_t), cudaMemcpyHostToDevice),
            "uploading the graph", error);
    free(narrow);
    return error->status;
}

void gpu_graph_free(struct gpu_graph *gpu)
{
    gpu_free(gpu->offsets);
    gpu_free(gpu->targets);
    *gpu = {};
}

} // namespace BACKEND
