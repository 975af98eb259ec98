#include "outputs.h"

#include "../verify/betweenness.h"
#include "../verify/verify.h"

#define ARRAY(array) .field = offsetof(struct traversal, array), .entry_bytes = sizeof *((struct traversal *)0)->array

const struct output_array output_arrays[] = {
    {OUTPUT_VISITED, "visited", ARRAY(visited), .title = "1 for each vertex reached, 0 for the others",
     .column = "reached"},
    {OUTPUT_PARENT, "parent", ARRAY(parent), .holds_vertices = true,
     .title = "parent of each vertex, -1 where not reached", .column = "parent"},
    {OUTPUT_LEVEL, "level", ARRAY(level), .title = "level of each vertex, -1 where not reached", .column = "level"},
    {OUTPUT_ORDER, "order", ARRAY(order), PER_PLACE, .holds_vertices = true, .title = "vertices in order",
     .column = "vertex"},
    {OUTPUT_FINISH, "finish", ARRAY(finish), PER_PLACE, .holds_vertices = true},
    {OUTPUT_SUMS, "sums", ARRAY(sums), PER_SOURCE, .of_batch = true, .verify = verify_sums},
    {OUTPUT_FARNESS, "farness", ARRAY(farness), .of_batch = true, .verify = verify_farness},
    {OUTPUT_FARNESS, NULL, ARRAY(farness_count), .of_batch = true},
    {OUTPUT_HARMONIC, "harmonic", ARRAY(farness), .of_batch = true}, /* same array as farness */
    {OUTPUT_BETWEENNESS, "betweenness", ARRAY(betweenness), .of_batch = true, .verify = verify_betweenness,
     .title = "betweenness of each vertex", .column = "betweenness"},
    {OUTPUT_EDGE_BETWEENNESS, "edge-betweenness", ARRAY(edge_betweenness), PER_EDGE, .of_batch = true},
    {OUTPUT_DISTANCE, "distance", ARRAY(distance), .title = "distance of each vertex, infinity where not reached",
     .column = "distance"},
    {OUTPUT_LENGTH, "length", ARRAY(length), PER_DESTINATION},
    {OUTPUT_COMPONENT, "component", ARRAY(component), .holds_vertices = true,
     .title = "smallest vertex of the component of each vertex", .column = "component"},
    {0},
};

static size_t count_entries(const struct output_array *array, const struct graph *graph, uint32_t num_sources,
                            uint64_t num_destinations)
{
    const size_t counts[] = {[PER_VERTEX] = graph->num_vertices,
                             [PER_EDGE] = graph->num_edges,
                             [PER_PLACE] = graph->num_vertices,
                             [PER_SOURCE] = num_sources,
                             [PER_DESTINATION] = num_destinations};
    return counts[array->extent];
}

uint64_t outputs_bytes(const struct graph *graph, unsigned wanted)
{
    uint64_t bytes = 0;
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (wanted & array->output)
            bytes += count_entries(array, graph, 1, 0) * array->entry_bytes;
    return bytes;
}

int outputs_allocate(const struct graph *graph, unsigned wanted, uint32_t batch_size, struct traversal *outputs,
                     struct error *error)
{
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++) {
        void *entries = NULL;
        if (!(wanted & array->output) || array->extent == PER_DESTINATION || entries_of(outputs, array) != NULL)
            continue;
        allocate(&entries, count_entries(array, graph, batch_size, 0), array->entry_bytes, "the result", error);
        set_entries(outputs, array, entries);
    }
    return error->status;
}

int outputs_verify(const struct graph *graph, const struct algorithm *algorithm, const struct query *query,
                   const struct traversal *result, struct error *error)
{
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (array->verify != NULL && entries_of(result, array) != NULL)
            return array->verify(graph, query->sources, query->num_sources, result, error);
    if (query->limits != NULL)
        return verify_limited(graph, query, result, error);
    vertex_t source = query->sources[result->which];
    return family_of(algorithm->family)->verify(graph, source, algorithm, result, error);
}

void outputs_note_wrong(char wrong[WRONG_BYTES], const struct bench_request *request, vertex_t source, const char *what)
{
    char from[32] = "";
    if (source != NO_VERTEX)
        snprintf(from, sizeof from, " from source %u", source);
    if (wrong[0] == '\0')
        snprintf(wrong, WRONG_BYTES, "%s %s on %.128s%s: %.256s", request->family->name, request->algorithm->variant,
                 request->graph->name, from, what);
}

void outputs_free_tables(struct traversal *outputs)
{
    while (outputs->num_tables > 0)
        free(outputs->tables[--outputs->num_tables].rows);
}

void outputs_release(struct traversal *outputs)
{
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (array->extent != PER_DESTINATION) {
            free(entries_of(outputs, array));
            set_entries(outputs, array, NULL);
        }
    outputs_free_tables(outputs);
    *outputs = (struct traversal){0};
}

void outputs_begin(const struct graph *graph, uint32_t num_sources, uint64_t num_destinations, bool poisons,
                   struct traversal *outputs)
{
    for (const struct output_array *array = output_arrays; poisons && array->entry_bytes > 0; array++)
        if (entries_of(outputs, array) != NULL)
            memset(entries_of(outputs, array), 0xa5,
                   count_entries(array, graph, num_sources, num_destinations) * array->entry_bytes);
    outputs->num_ordered = 0;
    if (outputs->which == 0)
        outputs_free_tables(outputs);
}
