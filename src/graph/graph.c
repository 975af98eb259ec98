/* graph.c: releases, checks and describes a graph in memory. */
#include "random.h"
#include "weights.h"

void graph_release(struct graph *graph)
{
    free(graph->offsets);
    free(graph->targets);
    free(graph->has_edges);
    free(graph->weights);
    free(graph->permutation);
    free(graph->ids);
    free(graph->name_at);
    free(graph->names);
    free(graph->name);
    free(graph->read_as);
    *graph = (struct graph){0};
}

/* Returns whether every edge has its reverse; if bytes is not 0, also with the same weight, which has these bytes. */
static bool equals_reverse(const struct graph *graph, size_t bytes)
{
    uint64_t forward = 0, backward = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : forward, backward)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            uint64_t source = v, target = graph->targets[e];
            uint64_t weight = bytes > 0 ? random_bits(get_weight_bits(graph->weights, bytes, e)) : 0;
            forward += random_bits((source << 32 | target) ^ weight);
            backward += random_bits((target << 32 | source) ^ weight);
        }
    return forward == backward;
}

bool graph_test_symmetry(const struct graph *graph)
{
    return equals_reverse(graph, 0);
}

bool graph_test_symmetric_weights(const struct graph *graph)
{
    return graph->weights != NULL && equals_reverse(graph, weight_bytes(graph->weight_type));
}

int graph_validate(const struct graph *graph, const char *path, struct error *error)
{
    bool bad = graph->offsets[0] != 0 || graph->offsets[graph->num_vertices] != graph->num_edges;
    if (!bad) {
#pragma omp parallel for reduction(|| : bad)
        for (vertex_t v = 0; v < graph->num_vertices; v++)
            bad = bad || graph->offsets[v] > graph->offsets[v + 1];
    }
    if (!bad) { /* offsets are right, so rows may be read */
#pragma omp parallel for schedule(dynamic, 1024) reduction(|| : bad)
        for (vertex_t v = 0; v < graph->num_vertices; v++)
            for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
                bad = bad || graph->targets[e] >= graph->num_vertices || graph->targets[e] == v ||
                      (e > graph->offsets[v] && graph->targets[e] <= graph->targets[e - 1]);
    }
    if (bad)
        return error_set(error, STATUS_INPUT,
                         "%s: not a valid graph (offsets or neighbours out of order); write it anew", path);
    if (graph->symmetric && !graph_test_symmetry(graph))
        return error_set(error, STATUS_INPUT, "%s: not a valid graph (an edge lacks its reverse); write it anew", path);
    if (graph->weights != NULL && (!are_weights(graph->weights, graph->weight_type, graph->num_edges) ||
                                   (graph->symmetric_weights && !graph_test_symmetric_weights(graph))))
        return error_set(error, STATUS_INPUT, "%s: not a valid graph (a weight is wrong); write it anew", path);
    return STATUS_OK;
}

int graph_count_degrees(const struct graph *graph, vertex_t **counts, edge_t *max_degree, struct error *error)
{
    edge_t highest = 0;
#pragma omp parallel for reduction(max : highest)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        highest = graph_degree(graph, v) > highest ? graph_degree(graph, v) : highest;
    if (allocate_zeroed(counts, highest + 1, sizeof **counts, "the degree counts", error) != STATUS_OK)
        return error->status;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        (*counts)[graph_degree(graph, v)]++;
    *max_degree = highest;
    return STATUS_OK;
}

int graph_describe(struct graph *graph, const struct graph *other, const char *ending, struct error *error)
{
    graph->symmetric = other->symmetric;
    graph->symmetric_weights = other->symmetric_weights;
    graph->weight_source = other->weight_source;
    graph->self_loops_dropped = other->self_loops_dropped;
    graph->duplicates_dropped = other->duplicates_dropped;
    graph->weights_ignored = other->weights_ignored;
    memcpy(graph->origin, other->origin, sizeof graph->origin);
    if (other->name != NULL && asprintf(&graph->name, "%s%s", other->name, ending) < 0) {
        graph->name = NULL;
        return error_set(error, STATUS_INPUT, "out of memory: the graph's name");
    }
    return graph_copy_ids(other, graph, error);
}
