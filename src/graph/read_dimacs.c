/* read_dimacs.c: DIMACS graphs, 1-based.
 *
 *   c comment            p sp VERTICES EDGES      a u v WEIGHT        shortest-path challenge (9th): directed edges
 *   c comment            p tw VERTICES EDGES     u v                 PACE treewidth track: undirected edges
 *   c comment            p edge VERTICES EDGES   e u v               colouring challenge (2nd): undirected edges */
#include "readers.h"

static int parse_problem(struct text_input *input, struct entry_format *header, struct error *error)
{
    static const struct {
        const char *name;
        char letter;
        bool is_directed; /* directed edges, which may have a weight each */
        const char *expected;
    } problems[] = {{"sp", 'a', true, "expected an edge line, 'a FROM TO WEIGHT'"},
                    {"tw", 0, false, "expected an edge line, 'U V'"},
                    {"edge", 'e', false, "expected an edge line, 'e U V'"},
                    {"col", 'e', false, "expected an edge line, 'e U V'"}};
    char *line, problem[8] = "";
    int at = 0, end = 0; /* place of the problem's name, and end of the line */
    uint64_t vertices, edges;
    if (text_header(input, 'c', &line, error) != STATUS_OK)
        return error->status;
    if (line == NULL)
        return text_error(input, input->next_line, 1, error, "truncated file: no problem line");
    if (sscanf(line, " p %n%7s %19" SCNu64 " %19" SCNu64 " %n", &at, problem, &vertices, &edges, &end) != 3 ||
        line[end] != '\0' || strchr(line, '-') != NULL)
        return text_error(input, input->next_line - 1, 1, error,
                          "wrong problem line; expected 'p sp VERTICES EDGES' or 'p tw VERTICES EDGES'");
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
        if (strcmp(problems[i].name, problem) == 0) {
            bool directed = problems[i].is_directed;
            *header = (struct entry_format){.num_vertices = vertices,
                                            .num_entries = edges,
                                            .comment = 'c',
                                            .letter = problems[i].letter,
                                            .num_values = directed,
                                            .lacks_values = true,
                                            .mirror = !directed,
                                            .expected = problems[i].expected,
                                            .header = "problem line",
                                            .entries = "edges"};
            return check_counts(input, vertices, edges, error);
        }
    return text_error(input, input->next_line - 1, (unsigned)at + 1u, error,
                      "unknown problem '%s'; expected sp, tw, edge or col", problem);
}

int read_dimacs(struct text_input *input, const struct load_options *options, struct graph *graph, struct error *error)
{
    struct entry_format header;
    if (parse_problem(input, &header, error) != STATUS_OK)
        return error->status;
    if (header.mirror && refuse_directed(input, options, "an undirected DIMACS graph", error) != STATUS_OK)
        return error->status;
    header.weighted = options->weights != NULL && header.num_values > 0;
    const char *origin = header.mirror ? "undirected DIMACS file" : "directed DIMACS file";
    header.mirror = header.mirror || options->undirected;
    return read_entries(input, &header, origin, graph, error);
}
