/* read_dimacs.c: DIMACS graphs, 1-based.
 *
 *   c comment            p sp VERTICES EDGES      a u v WEIGHT        shortest-path challenge (9th): directed edges
 *   c comment            p tw VERTICES EDGES     u v                 PACE treewidth track: undirected edges
 *   c comment            p edge VERTICES EDGES   e u v               colouring challenge (2nd): undirected edges */
#include <stdio.h>
#include <string.h>

#include "readers.h"

static int parse_problem(struct text_input *input, struct entry_format *header, struct error *error)
{
    static const struct {
        const char *name;
        char letter;
        bool is_directed; /* and each edge may have a weight */
    } problems[] = {{"sp", 'a', true}, {"tw", 0, false}, {"edge", 'e', false}, {"col", 'e', false}};
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
            bool directed = problems[i].is_directed;
            *header = (struct entry_format){.num_vertices = vertices,
                                            .num_entries = entries,
                                            .comment = 'c',
                                            .letter = problems[i].letter,
                                            .num_values = directed,
                                            .lacks_values = true,
                                            .mirror = !directed,
                                            .wrong_letter = directed ? "expected an edge line, 'a FROM TO WEIGHT'"
                                                                     : "expected an edge line, 'e U V'",
                                            .wrong_number = "expected two vertex numbers",
                                            .missing = "expected two vertex numbers",
                                            .zero = "vertex 0; numbers start at 1",
                                            .large = "vertex number larger than the problem line says",
                                            .wrong_value = "expected a number as weight",
                                            .header = "problem line",
                                            .entries = "edges"};
            return check_counts(input, vertices, entries, error);
        }
    return error_set(error, STATUS_INPUT, "%s:%llu:%d: unknown problem '%s'; expected sp, tw, edge or col",
                     input->path, number, indent + at + 1, problem);
}

int read_dimacs(struct text_input *input, const struct load_options *options, struct graph *graph,
                struct error *error)
{
    struct entry_format header;
    if (parse_problem(input, &header, error) != STATUS_OK)
        return error->status;
    if (header.mirror && refuse_directed(input, options, "an undirected DIMACS graph", error) != STATUS_OK)
        return error->status;
    const char *origin = header.mirror ? "undirected DIMACS file" : "directed DIMACS file";
    header.mirror = header.mirror || options->undirected;
    return read_entries(input, &header, origin, graph, error);
}
