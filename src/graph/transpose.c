/* transpose.c: the transpose of a graph, and the graph with all reverse edges, by the builder. */
#include "builder.h"

#include <omp.h>

int graph_transpose(const struct graph *graph, struct graph *transpose, struct error *error)
{
    struct builder builder;
    int status = builder_init(&builder, graph->num_vertices, error);
    if (status != STATUS_OK)
        return status;
#pragma omp parallel for schedule(dynamic, 1024)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            push_edge(&builder.writers[omp_get_thread_num()], graph->targets[e], v);
    return builder_finish(&builder, graph->num_vertices, transpose, error);
}

int graph_symmetrize(const struct graph *graph, struct graph *both, struct error *error)
{
    struct builder builder;
    *both = (struct graph){0};
    if (builder_init(&builder, graph->num_vertices, error) != STATUS_OK)
        return error->status;
#pragma omp parallel for schedule(dynamic, 1024)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            push_undirected_edge(&builder.writers[omp_get_thread_num()], v, graph->targets[e]);
    if (builder_finish(&builder, graph->num_vertices, both, error) == STATUS_OK)
        both->symmetric = true;
    return error->status;
}
