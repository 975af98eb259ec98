/* readers.c: what the readers share: checks of a file's numbers and options before its edges are read, and the graph
 * at the end. */
#include "readers.h"

#define LEAST_EDGE_BYTES 4u  /* the shortest edge in a text: "1 2\n", or in METIS "2 " and "1 " */
#define VERTEX_BYTES     16u /* memory per vertex: its offset, and the least for a search (a level and an index) */

int refuse_directed(const struct text_input *input, const struct load_options *options, const char *kind,
                    struct error *error)
{
    if (!options->directed)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "%s: --directed: %s has no directions", input->path, kind);
}

int check_counts(const struct text_input *input, uint64_t num_vertices, uint64_t num_edges, struct error *error)
{
    char what[512];
    uint64_t most_bytes = text_most_bytes(input), file_bytes = input->bytes.file_bytes;
    if (num_vertices > MAX_VERTICES)
        return text_error(input, input->next_line - 1, 1, error, "%" PRIu64 " vertices; a graph has fewer than 2^32",
                          num_vertices);
    if (most_bytes > 0 && num_edges > most_bytes / LEAST_EDGE_BYTES + 1)
        return text_error(input, input->next_line - 1, 1, error,
                          "truncated or damaged file: %" PRIu64 " edges announced, and its %" PRIu64
                          " bytes%s hold fewer",
                          num_edges, file_bytes, most_bytes > file_bytes ? ", unpacked," : "");
    snprintf(what, sizeof what, "%.300s: a graph of %" PRIu64 " vertices", input->path, num_vertices);
    if (most_bytes > 0)
        text_append(what, sizeof what, "", ", from a file of %" PRIu64 " bytes,", file_bytes);
    return require_memory((double)num_vertices * VERTEX_BYTES, what, error);
}

int finish_reading(struct builder *builder, uint64_t num_vertices, bool symmetric, const char *origin,
                   struct graph *graph, struct error *error)
{
    bool weights_differ = builder_weights_differ(builder);
    builder->weight_type = builder_least_type(builder);
    if (builder_finish(builder, (vertex_t)num_vertices, graph, error) != STATUS_OK)
        return error->status;
    snprintf(graph->origin, sizeof graph->origin, "%s", origin);
    graph->symmetric = symmetric || graph_test_symmetry(graph);
    graph->symmetric_weights = graph->weights != NULL && (symmetric || graph_test_symmetric_weights(graph));
    graph->weights_ignored = weights_differ;
    return STATUS_OK;
}

int number_from_one(struct graph *graph, struct error *error)
{
    vertex_t n = --graph->num_vertices;
    memmove(graph->offsets, graph->offsets + 1, ((size_t)n + 1) * sizeof *graph->offsets);
#pragma omp parallel for
    for (edge_t e = 0; e < graph->num_edges; e++)
        graph->targets[e]--;
    if (allocate(&graph->ids, n, sizeof *graph->ids, "the ids", error) == STATUS_OK)
        for (vertex_t v = 0; v < n; v++)
            graph->ids[v] = (uint64_t)v + 1;
    else
        graph_release(graph);
    return error->status;
}
