/* subsets.c: every algorithm gives each subset of its outputs, when it is prepared for these alone and no other array
 * is fetched. What only other arrays can tell is completed for verification: vertices reached and levels. */
#include <stdlib.h>

#include "../../src/distance.h"
#include "../../src/families.h"
#include "../../src/run/engine.h"
#include "../../src/verify/verify.h"
#include "graphs.h"

/* Outputs that need more than a search from a source, which other questions of the conformance test ask for. */
#define OF_QUERIES (OUTPUT_LENGTH | OUTPUT_PATH | OUTPUT_HARMONIC)

/* The subset of that number, 1 to 2^outputs - 1, beginning anew after the last. */
static unsigned subset_of(unsigned outputs, uint64_t number)
{
    unsigned subset = 0;
    uint64_t bits = 1 + number % ((1u << __builtin_popcount(outputs)) - 1);
    for (; bits > 0; bits /= 2, outputs &= outputs - 1)
        subset |= bits % 2 ? outputs & -outputs : 0u;
    return subset;
}

/* Distances by Bellman and Ford. */
static void find_distances(const struct graph *graph, vertex_t source, double *distance)
{
    bool changed = true;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        distance[v] = v == source ? 0 : NO_PATH;
    while (changed) {
        changed = false;
        for (vertex_t u = 0; u < graph->num_vertices; u++)
            for (edge_t e = graph->offsets[u]; distance[u] != NO_PATH && e < graph->offsets[u + 1]; e++)
                if (distance_over(graph, distance[u], e) < distance[graph->targets[e]]) {
                    distance[graph->targets[e]] = distance_over(graph, distance[u], e);
                    changed = true;
                }
    }
}

/* Gives the result the levels, distances, or vertices reached, that its family's check needs. */
static int complete(const struct graph *graph, vertex_t source, unsigned all, struct traversal *result,
                    const uint32_t *level, struct error *error)
{
    unsigned lacks = all & (OUTPUT_LEVEL | OUTPUT_VISITED | OUTPUT_DISTANCE);
    if (result->level != NULL)
        lacks &= ~(unsigned)OUTPUT_LEVEL;
    if (result->visited != NULL)
        lacks &= ~(unsigned)OUTPUT_VISITED;
    if (result->distance != NULL)
        lacks &= ~(unsigned)OUTPUT_DISTANCE;
    if (outputs_allocate(graph, lacks, 1, result, error) != STATUS_OK)
        return error->status;
    if (lacks & OUTPUT_DISTANCE)
        find_distances(graph, source, result->distance);
    for (vertex_t v = 0; source != NO_VERTEX && v < graph->num_vertices; v++) {
        if (lacks & OUTPUT_LEVEL)
            result->level[v] = level[v];
        if (lacks & OUTPUT_VISITED)
            result->visited[v] = level[v] != UNREACHED;
    }
    return error->status;
}

/* Checks what a search from the source has given of these outputs. */
static int check_outputs(const struct bench_request *request, unsigned outputs, vertex_t source,
                         struct traversal *result, struct error *error)
{
    const struct graph *graph = request->graph;
    struct algorithm checked = *request->algorithm; /* with the outputs that the family's check looks at */
    static const struct limits none = {.max_level = UNREACHED};
    struct query query = {.sources = &source, .num_sources = 1, .limits = &none};
    uint32_t *level = NULL;
    if (source != NO_VERTEX && levels_within(graph, &query, &level, error) != STATUS_OK)
        return error->status;
    checked.outputs = outputs;
    complete(graph, source, all_outputs(request->algorithm), result, level, error);
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (error->status == STATUS_OK && outputs & array->output && array->verify != NULL)
            array->verify(graph, &source, 1, result, error);
    if (error->status == STATUS_OK && !request->family->sums_sources)
        request->family->verify(graph, source, &checked, result, error);
    free(level);
    return error->status;
}

int check_subset(const struct bench_request *request, uint64_t number, struct error *error)
{
    unsigned outputs = subset_of(all_outputs(request->algorithm) & ~(unsigned)OF_QUERIES, number);
    outputs &= outputs & OUTPUT_ORDER ? ~0u : ~(unsigned)OUTPUT_FINISH; /* which comes with the order */
    vertex_t source = request->sources != NULL ? request->sources[0] : NO_VERTEX;
    struct query query = {.sources = &source, .num_sources = 1};
    struct traversal result = {0};
    struct search_times times;
    struct engine engine;
    if (outputs == 0)
        return STATUS_OK;
    if (engine_open(&engine, request, request->device, outputs, 1, error) == STATUS_OK &&
        outputs_allocate(request->graph, outputs, 1, &result, error) == STATUS_OK &&
        engine_traverse(&engine, &query, &times) == STATUS_OK && engine_fetch(&engine, 1, &result) == STATUS_OK)
        check_outputs(request, outputs, source, &result, error);
    engine_close(&engine);
    outputs_release(&result);
    return error->status;
}
