/* derive.c: makes the graph of a graph's reversed edges, alone or together with the edges themselves. */
#include <omp.h>

#include "builder.h"

/* Makes the graph of all reversed edges; with `both`, it also has the edges as they are. */
static int reverse_edges(const struct graph *graph, bool both, struct graph *result, struct error *error)
{
    struct builder builder;
    *result = (struct graph){0};
    if (builder_init(&builder, graph->num_vertices, error) != STATUS_OK)
        return error->status;
    builder.weight_type = graph->weight_type;
#pragma omp parallel
    {
        struct edge_writer *writer = &builder.writers[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 1024)
        for (vertex_t v = 0; v < graph->num_vertices; v++)
            for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
                if (graph->weights != NULL)
                    push_weighted_edge(writer, graph->targets[e], v, graph_weight(graph, e), both);
                else
                    push_edge_as(writer, graph->targets[e], v, both);
    }
    if (builder_finish(&builder, graph->num_vertices, result, error) != STATUS_OK)
        return error->status;
    result->symmetric = both;
    result->symmetric_weights = both && graph->weights != NULL;
    result->weight_source = graph->weight_source;
    return STATUS_OK;
}

int graph_transpose(const struct graph *graph, struct graph *transpose, struct error *error)
{
    return reverse_edges(graph, false, transpose, error);
}

int graph_reverse(const struct graph *graph, struct graph *reversed, struct error *error)
{
    size_t bytes = graph->num_vertices * sizeof *graph->permutation;
    if (graph_transpose(graph, reversed, error) == STATUS_OK &&
        graph_describe(reversed, graph, graph->symmetric ? "" : "+reversed", error) == STATUS_OK &&
        graph->permutation != NULL && allocate(&reversed->permutation, bytes, 1, "the permutation", error) == STATUS_OK)
        memcpy(reversed->permutation, graph->permutation, bytes);
    memcpy(reversed->reordering, graph->reordering, sizeof reversed->reordering);
    if (error->status != STATUS_OK)
        graph_release(reversed);
    return error->status;
}

int graph_symmetrize(const struct graph *graph, struct graph *both, struct error *error)
{
    return reverse_edges(graph, true, both, error);
}
