/* read_metis.c: METIS and DIMACS10 .graph files (METIS manual, section 4.1.1).
 *
 *   % comments
 *   VERTICES EDGES [FMT [NCON]]     FMT: three digits, vertex sizes / vertex weights / edge weights
 *   [size] [weights ...] neighbour [weight] neighbour [weight] ...      line i is vertex i; 1-based; every edge twice
 */
#include "readers.h"

struct metis_header {
    uint64_t num_vertices, num_edges;
    uint64_t skipped; /* how many numbers precede the neighbours: vertex size and weights */
    bool has_weights; /* a number after each neighbour */
    bool weighted;    /* which becomes the edge's weight */
    bool mirror;
};

static bool parse_rows(struct chunk *chunk)
{
    const struct metis_header *header = chunk->format;
    uint64_t line = chunk->line, row = chunk->row, entries = 0;
    for (const char *p = chunk->text; p < chunk->end; line++) {
        p = skip_blanks(p);
        if (*p == '%') {
            p = skip_line(p, chunk->end);
            continue;
        }
        if (row >= header->num_vertices && *p != '\n')
            return chunk_error(chunk, p, line, "more lines than the header says vertices");
        uint64_t position = 0;
        for (; *p != '\n'; p = skip_blanks(p)) {
            const char *start = p;
            uint64_t id;
            double weight = 0;
            if (position++ < header->skipped) {
                if ((p = skip_value(start)) == NULL)
                    return chunk_error(chunk, start, line, "expected a vertex weight");
                continue;
            }
            p = scan_number(start, &id);
            if (p == NULL || !ends_token(*p))
                return chunk_error(chunk, start, line, "expected a neighbour's number");
            if (id - 1 >= header->num_vertices)
                return chunk_error(chunk, start, line,
                                   id == 0 ? "neighbour 0; numbers start at 1"
                                           : "neighbour larger than the number of vertices");
            if (header->has_weights) {
                start = skip_blanks(p);
                if ((p = skip_value(start)) == NULL)
                    return chunk_error(chunk, start, line, "expected the edge's weight after the neighbour");
                if (header->weighted && !chunk_weight(chunk, start, p, line, &weight))
                    return false;
                if (!header->weighted)
                    note_weight(chunk->writer, start, p);
            }
            entries++;
            if (header->weighted)
                push_weighted_edge(chunk->writer, (vertex_t)row, (vertex_t)(id - 1), weight, header->mirror);
            else
                push_edge_as(chunk->writer, (vertex_t)row, (vertex_t)(id - 1), header->mirror);
        }
        p++;
        row++;
    }
    chunk->entries = entries;
    return true;
}

static int parse_header(struct text_input *input, struct metis_header *header, struct error *error)
{
    char *line;
    if (text_header(input, '%', &line, error) != STATUS_OK)
        return error->status;
    uint64_t field[4] = {0, 0, 0, 1}; /* vertices, edges, fmt, ncon */
    int num_fields = 0;
    const char *p = line;
    while (p != NULL && *(p = skip_blanks(p)) != '\0' && num_fields < 4)
        if ((p = scan_number(p, &field[num_fields])) != NULL)
            num_fields++;
    uint64_t fmt = field[2];
    if (p == NULL || *p != '\0' || num_fields < 2 || field[1] > INT64_MAX || fmt > 111 || fmt % 10 > 1 ||
        fmt / 10 % 10 > 1)
        return text_error(input, input->next_line - 1, 1, error, "wrong header; expected VERTICES EDGES [FMT [NCON]]");
    header->num_vertices = field[0];
    header->num_edges = field[1];
    header->skipped = fmt / 100 + (fmt / 10 % 10 ? field[3] : 0);
    header->has_weights = fmt % 10;
    return check_counts(input, field[0], field[1], error);
}

/* Sets the error: the first edge that has no edge, or one of another weight, at its other end. */
static int refuse_one_sided(const struct graph *graph, const char *path, struct error *error)
{
    for (vertex_t u = 0; u < graph->num_vertices; u++)
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            edge_t back = graph->offsets[v], end = graph->offsets[v + 1];
            while (back < end && graph->targets[back] != u)
                back++;
            if (back == end)
                return error_set(
                    error, STATUS_INPUT,
                    "%s: vertex %u lists an edge to %u, but not the other way; METIS lists it at both ends "
                    "(--undirected adds the other)",
                    path, u + 1, v + 1);
            if (graph->weights != NULL && graph_weight(graph, e) != graph_weight(graph, back))
                return error_set(error, STATUS_INPUT,
                                 "%s: the edge of vertices %u and %u has weights %.10g and %.10g; in METIS both are "
                                 "the same (--undirected takes the smaller)",
                                 path, u + 1, v + 1, graph_weight(graph, e), graph_weight(graph, back));
        }
    return error->status;
}

int read_metis(struct text_input *input, const struct load_options *options, struct graph *graph, struct error *error)
{
    struct metis_header header;
    struct builder builder;
    uint64_t entries;
    if (parse_header(input, &header, error) != STATUS_OK ||
        refuse_directed(input, options, "a METIS file", error) != STATUS_OK ||
        builder_init(&builder, header.num_vertices, error) != STATUS_OK)
        return error->status;
    header.mirror = options->undirected;
    header.weighted = options->weights != NULL && header.has_weights;
    builder.weight_type = header.weighted ? WEIGHTS_DOUBLE : WEIGHTS_NONE;
    input->comment = '%';
    if (text_parse(input, parse_rows, &header, &builder, &entries, error) == STATUS_OK &&
        (entries % 2 != 0 || entries / 2 != header.num_edges))
        text_error(input, input->next_line, 1, error,
                   "the header announces %" PRIu64 " edges, so %" PRIu64 " neighbours; the file has %" PRIu64 "%s",
                   header.num_edges, 2 * header.num_edges, entries,
                   entries < 2 * header.num_edges ? " (truncated file?)" : "");
    int status = finish_reading(&builder, header.num_vertices, options->undirected, "METIS file", graph, error);
    if (status == STATUS_OK && (!graph->symmetric || (header.weighted && !graph->symmetric_weights))) {
        status = refuse_one_sided(graph, input->path, error);
        graph_release(graph);
    }
    return status;
}
