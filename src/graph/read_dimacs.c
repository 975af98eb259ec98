/* read_dimacs.c: DIMACS graphs, 1-based.
 *
 *   c comment            p sp VERTICES EDGES      a u v WEIGHT        shortest-path challenge (9th): directed edges
 *   c comment            p tw VERTICES EDGES     u v                 PACE treewidth track: undirected edges
 *   c comment            p edge VERTICES EDGES   e u v               colouring challenge (2nd): undirected edges */
#include <stdio.h>
#include <string.h>

#include "readers.h"

struct dimacs_header {
    uint64_t num_vertices, num_entries;
    char letter; /* the first character of an edge's line; 0: none */
    bool has_weight;
    bool mirror;
};

static bool parse_lines(struct chunk *chunk)
{
    const struct dimacs_header *header = chunk->format;
    uint64_t line = chunk->line, entries = 0;
    for (const char *p = chunk->text; p < chunk->end; line++) {
        uint64_t id[2];
        p = skip_blanks(p);
        if (*p == '\n') {
            p++;
            continue;
        }
        if (*p == 'c') {
            p = skip_line(p, chunk->end);
            continue;
        }
        if (header->letter != 0 && *p++ != header->letter)
            return chunk_error(chunk, p - 1, line,
                               header->letter == 'a' ? "expected an edge line, 'a FROM TO WEIGHT'"
                                                     : "expected an edge line, 'e U V'");
        for (int i = 0; i < 2; i++) {
            const char *start = skip_blanks(p);
            p = scan_number(start, &id[i]);
            if (p == NULL || !ends_token(*p))
                return chunk_error(chunk, start, line, "expected two vertex numbers");
            if (id[i] - 1 >= header->num_vertices)
                return chunk_error(chunk, start, line,
                                   id[i] == 0 ? "vertex 0; numbers start at 1"
                                              : "vertex number larger than the problem line says");
        }
        p = skip_blanks(p);
        if (header->has_weight && *p != '\n') {
            const char *start = p;
            if ((p = skip_value(start)) == NULL)
                return chunk_error(chunk, start, line, "expected a number as weight");
            p = skip_blanks(p);
        }
        if (*p != '\n')
            return chunk_error(chunk, p, line, "unexpected text after the edge");
        p++;
        entries++;
        if (header->mirror)
            push_undirected_edge(chunk->writer, (vertex_t)(id[0] - 1), (vertex_t)(id[1] - 1));
        else
            push_edge(chunk->writer, (vertex_t)(id[0] - 1), (vertex_t)(id[1] - 1));
    }
    chunk->entries = entries;
    return true;
}

static int parse_problem(struct text_input *input, struct dimacs_header *header, struct error *error)
{
    static const struct {
        const char *name;
        struct dimacs_header header;
    } problems[] = {{"sp", {.letter = 'a', .has_weight = true}},
                    {"tw", {.mirror = true}},
                    {"edge", {.letter = 'e', .mirror = true}},
                    {"col", {.letter = 'e', .mirror = true}}};
    char *line, problem[8] = "";
    int indent = 0, at = 0, end = 0; /* blanks before the line; offset of the problem's name; end of the line */
    unsigned long long vertices, entries, number;
    do {
        int status = text_line(input, &line, error);
        if (status != STATUS_OK)
            return status;
        number = input->next_line - 1;
        indent = line != NULL ? (int)strspn(line, " \t") : 0;
        if (line != NULL)
            line += indent;
    } while (line != NULL && (*line == 'c' || *line == '\0'));
    if (line == NULL)
        return error_set(error, STATUS_INPUT, "%s:%llu:1: truncated file: no problem line", input->path,
                         (unsigned long long)input->next_line);
    if (sscanf(line, "p %n%7s %19llu %19llu %n", &at, problem, &vertices, &entries, &end) != 3 || line[end] != '\0' ||
        strchr(line, '-') != NULL)
        return error_set(error, STATUS_INPUT,
                         "%s:%llu:1: wrong problem line; expected 'p sp VERTICES EDGES' or 'p tw VERTICES EDGES'",
                         input->path, number);
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
        if (strcmp(problems[i].name, problem) == 0) {
            *header = problems[i].header;
            header->num_vertices = vertices;
            header->num_entries = entries;
            return check_counts(input, vertices, entries, error);
        }
    return error_set(error, STATUS_INPUT, "%s:%llu:%d: unknown problem '%s'; expected sp, tw, edge or col",
                     input->path, number, indent + at + 1, problem);
}

int read_dimacs(struct text_input *input, const struct load_options *options, struct graph *graph,
                struct error *error)
{
    struct dimacs_header header;
    struct builder builder;
    uint64_t entries;
    if (parse_problem(input, &header, error) != STATUS_OK)
        return error->status;
    if (header.mirror && refuse_directed(input, options, "an undirected DIMACS graph", error) != STATUS_OK)
        return error->status;
    bool symmetric = header.mirror || options->undirected;
    const char *origin = header.mirror ? "undirected DIMACS file" : "directed DIMACS file";
    header.mirror = symmetric;
    if (builder_init(&builder, header.num_vertices, error) != STATUS_OK)
        return error->status;
    if (text_parse(input, parse_lines, &header, &builder, &entries, error) == STATUS_OK &&
        entries != header.num_entries)
        error_set(error, STATUS_INPUT, "%s:%llu:1: %s: the problem line announces %llu edges, the file has %llu",
                  input->path, (unsigned long long)input->next_line,
                  entries < header.num_entries ? "truncated file" : "too many edges",
                  (unsigned long long)header.num_entries, (unsigned long long)entries);
    return finish_reading(&builder, header.num_vertices, symmetric, origin, graph, error);
}
