/* graph500_tree.cu: validates a tree by Graph500's rules on the device (src/verify/graph500_tree.h has the
 * steps). Each thread generates a range of the input edges, so the edge list takes no memory; 12 bytes per vertex
 * suffice, 20 with distances. */
#include "../backend/backend.h"
#include "../device/ids.cuh"

using namespace BACKEND;
#define GRAPH500_STEP  DEVICE
#define graph500_load  load_volatile
#define graph500_store store_volatile
#define graph500_note(tree, rule, first, second)                                                                       \
    atomicMin((unsigned long long *)&(tree)->findings->bad[rule], (unsigned long long)(first) << 32 | (second))
#include "../../src/verify/graph500_tree.h"

namespace BACKEND::graph500
{

__global__ void place_vertices(struct graph500_tree tree, const vertex_t *parent)
{
    for (uint64_t v = thread_of_grid(); v < tree.num_vertices; v += threads_of_grid())
        graph500_place_vertex(&tree, (vertex_t)v, parent[v]);
}

/* Sets *placed if a vertex gets its level. */
__global__ void place_below(struct graph500_tree tree, uint32_t level, uint32_t *placed)
{
    for (uint64_t v = thread_of_grid(); v < tree.num_vertices; v += threads_of_grid())
        if (graph500_place_below(&tree, (vertex_t)v, level))
            store_volatile(placed, 1u);
}

__global__ void check_edges(const __grid_constant__ struct graph500_list list, struct graph500_tree tree)
{
    const uint64_t share = list.num_edges / threads_of_grid() + 1, begin = thread_of_grid() * share;
    const uint64_t end = min(list.num_edges, begin + share);
    struct graph500_state state = graph500_skip(list.jump, list.start, begin);
    uint64_t num_edges = 0;
    for (uint64_t i = begin; i < end; i++, state = graph500_product(list.jump, state))
        num_edges += graph500_check_edge(&tree, graph500_edge_from(&list, state));
    if (num_edges > 0)
        atomicAdd(&tree.findings->num_edges, num_edges);
}

__global__ void check_vertices(struct graph500_tree tree)
{
    for (uint64_t v = thread_of_grid(); v < tree.num_vertices; v += threads_of_grid())
        graph500_check_vertex(&tree, (vertex_t)v);
}

} // namespace BACKEND::graph500

using namespace BACKEND::graph500;

int BACKEND_NAME(graph500_validate_gpu)(const struct graph500_list *list, vertex_t root, const vertex_t *parent,
                                        const double *distance, struct graph500_findings *findings, struct error *error)
{
    struct gpu_arena memory = {};
    const vertex_t n = (vertex_t)1 << list->scale;
    const struct grid wide = gpu_wide_grid(n);
    vertex_t *parents = gpu_take<vertex_t>(&memory, n, "the validation", error);
    uint32_t *placed = gpu_take<uint32_t>(&memory, 1, "the validation", error), any = 1;
    double *distances = distance != NULL ? gpu_take<double>(&memory, n, "the validation", error) : NULL;
    struct graph500_tree tree = {root, n, gpu_take<uint64_t>(&memory, n, "the validation", error), distances,
                                 gpu_take<struct graph500_findings>(&memory, 1, "the validation", error)};
    gpu_upload(parents, parent, n, error);
    if (distances != NULL)
        gpu_upload(distances, distance, n, error);
    gpu_fill(tree.findings, 0xff, 1, error);
    gpu_launch(place_vertices, wide, 0, error, tree, parents);
    for (uint32_t level = 0; any; level++) {
        gpu_clear(placed, 1, error);
        gpu_launch(place_below, wide, 0, error, tree, level, placed);
        gpu_download(&any, placed, 1, error);
    }
    if (error->status == STATUS_OK)
        gpu_clear(&tree.findings->num_edges, 1, error);
    gpu_launch(check_edges, gpu_wide_grid(list->num_edges), 0, error, *list, tree);
    gpu_launch(check_vertices, wide, 0, error, tree);
    gpu_download(findings, tree.findings, 1, error);
    gpu_arena_free(&memory);
    return error->status;
}
