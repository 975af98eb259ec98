/* read_edges.c: edge lists as SNAP gives them: `u v` a line, 0-based ids, '#' or '%' comments; blanks, tabs or commas
 * between; further numbers on the line (weights, times) are checked and ignored. The graph has as many vertices as
 * the largest id says. */
#include "readers.h"

static const char *skip_separators(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == ',')
        p++;
    return p;
}

static bool parse_edges(struct chunk *chunk)
{
    const bool *undirected = chunk->format;
    uint64_t line = chunk->line, entries = 0;
    for (const char *p = chunk->text; p < chunk->end; line++) {
        uint64_t id[2];
        p = skip_blanks(p);
        if (*p == '\n') {
            p++;
            continue;
        }
        if (*p == '#' || *p == '%') {
            p = skip_line(p, chunk->end);
            continue;
        }
        for (int i = 0; i < 2; i++) {
            const char *start = skip_separators(p);
            p = scan_number(start, &id[i]);
            if (p == NULL || !ends_token(*p))
                return chunk_error(chunk, start, line,
                                   *start == '\n' ? "the line ends after one number; expected two vertex ids"
                                                  : "expected a vertex id");
            if (id[i] >= MAX_VERTICES)
                return chunk_error(chunk, start, line, "vertex id too large; a graph has fewer than 2^32 vertices");
        }
        for (p = skip_separators(p); *p != '\n'; p = skip_separators(p)) {
            const char *start = p;
            if ((p = skip_value(start)) == NULL)
                return chunk_error(chunk, start, line, "expected a number or the end of the line");
        }
        p++;
        entries++;
        if (*undirected)
            push_edge(chunk->writer, (vertex_t)id[0], (vertex_t)id[1]);
        else
            push_arc(chunk->writer, (vertex_t)id[0], (vertex_t)id[1]);
    }
    chunk->entries = entries;
    return true;
}

int read_edge_list(struct text_input *input, bool undirected, struct graph *graph, struct error *error)
{
    struct builder builder;
    uint64_t entries;
    if (builder_init(&builder, 0, error) != STATUS_OK)
        return error->status;
    if (text_parse(input, parse_edges, &undirected, &builder, &entries, error) == STATUS_OK && entries == 0)
        error_set(error, STATUS_INPUT, "%s: no edges in the file", input->path);
    uint64_t num_vertices = builder_vertices_seen(&builder);
    if (error->status == STATUS_OK)
        check_vertex_count(input, num_vertices, error);
    return finish_reading(&builder, num_vertices, undirected, "edge list", graph, error);
}
