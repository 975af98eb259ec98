/* weights.c: the weights of a graph's edges. */
#include <stdio.h>

#include "graph.h"
#include "random.h"

const char *weight_source_name(enum weight_source source)
{
    static const char *const names[] = {"input", "hashed", "gap", "graph500"};
    return names[source];
}

const char *weights_in_words(const struct graph *graph, char text[WEIGHTS_BYTES])
{
    static const char *const types[] = {"no weights", "uint32", "float", "double"};
    snprintf(text, WEIGHTS_BYTES, "%s, %s%s", types[graph->weight_type], weight_source_name(graph->weight_source),
             graph->symmetric_weights ? ", symmetric" : "");
    return text;
}

#define MOST_HASHED 255u /* the weights are 1 to 255, as GAP's */

int graph_add_hashed_weights(struct graph *graph, struct error *error)
{
    uint32_t *weights;
    const vertex_t *in_input = graph->permutation;
    if (allocate(&weights, graph->num_edges, sizeof *weights, "the weights", error) != STATUS_OK)
        return error->status;
#pragma omp parallel for schedule(dynamic, 1024)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            uint64_t one = in_input != NULL ? in_input[v] : v;
            uint64_t other = in_input != NULL ? in_input[graph->targets[e]] : graph->targets[e];
            uint64_t pair = one < other ? one << 32 | other : other << 32 | one;
            weights[e] = 1 + (uint32_t)(random_bits(pair) % MOST_HASHED);
        }
    graph->weights = weights;
    graph->weight_type = WEIGHTS_UINT32;
    graph->weight_source = WEIGHTS_HASHED;
    graph->symmetric_weights = graph->symmetric;
    return STATUS_OK;
}
