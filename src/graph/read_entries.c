/* read_entries.c: reads the edges of Matrix Market and DIMACS files, whose ids begin with 1. */
#include "readers.h"

static bool parse_lines(struct chunk *chunk)
{
    const struct entry_format *format = chunk->format;
    uint64_t line = chunk->line, entries = 0;
    for (const char *p = chunk->text; p < chunk->end; line++) {
        uint64_t id[2];
        p = skip_blanks(p);
        if (*p == '\n') {
            p++;
            continue;
        }
        if (*p == format->comment) {
            p = skip_line(p, chunk->end);
            continue;
        }
        if (format->letter != 0 && *p++ != format->letter)
            return chunk_error(chunk, p - 1, line, format->expected);
        for (int i = 0; i < 2; i++) {
            const char *start = skip_blanks(p);
            p = scan_number(start, &id[i]);
            if (p == NULL || !ends_token(*p))
                return chunk_error(chunk, start, line, format->expected);
            if (id[i] - 1 >= format->num_vertices)
                return chunk_error(chunk, start, line,
                                   id[i] == 0 ? "number 0; numbers start at 1"
                                              : "a number larger than the header says vertices");
        }
        const char *values = skip_blanks(p);
        for (int i = 0; i < format->num_values; i++) {
            const char *start = skip_blanks(p);
            if (*start == '\n' && format->lacks_values)
                break;
            if ((p = skip_value(start)) == NULL)
                return chunk_error(chunk, start, line, "expected a number after the two of the edge");
        }
        double weight = 0;
        if (format->weighted && !chunk_weight(chunk, values, p, line, &weight))
            return false;
        if (!format->weighted && p > values)
            note_weight(chunk->writer, values, p);
        p = skip_blanks(p);
        if (*p != '\n')
            return chunk_error(chunk, p, line, "unexpected text after the numbers");
        p++;
        entries++;
        if (format->weighted)
            push_weighted_edge(chunk->writer, (vertex_t)(id[0] - 1), (vertex_t)(id[1] - 1), weight, format->mirror);
        else
            push_edge_as(chunk->writer, (vertex_t)(id[0] - 1), (vertex_t)(id[1] - 1), format->mirror);
    }
    chunk->entries = entries;
    return true;
}

int read_entries(struct text_input *input, const struct entry_format *format, const char *origin, struct graph *graph,
                 struct error *error)
{
    struct builder builder;
    uint64_t entries;
    if (builder_init(&builder, format->num_vertices, error) != STATUS_OK)
        return error->status;
    builder.weight_type = format->weighted ? WEIGHTS_DOUBLE : WEIGHTS_NONE;
    if (text_parse(input, parse_lines, format, &builder, &entries, error) == STATUS_OK &&
        entries != format->num_entries)
        text_error(input, input->next_line, 1, error, "%s: the %s announces %" PRIu64 " %s, the file has %" PRIu64,
                   entries < format->num_entries ? "truncated file" : "too many entries", format->header,
                   format->num_entries, format->entries, entries);
    return finish_reading(&builder, format->num_vertices, format->mirror, origin, graph, error);
}
