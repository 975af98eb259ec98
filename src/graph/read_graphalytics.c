/* read_graphalytics.c: graphs of LDBC Graphalytics. NAME.properties names the file of the vertices, an id on a line,
 * and the file of the edges, two ids and perhaps a weight, which is not used. It says whether the graph is directed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers.h"

/* Returns VALUE of a line "graph.NAME.KEY = VALUE"; NULL if the line has another key. */
static char *find_value(char *line, const char *key)
{
    char *value = strstr(line, key);
    if (value != NULL)
        value += strlen(key) + strspn(value + strlen(key), " \t");
    if (value == NULL || *value != '=')
        return NULL;
    value += 1 + strspn(value + 1, " \t");
    value[strcspn(value, " \t\r")] = '\0';
    return value;
}

/* Makes the path of a file in the same folder as another. */
static int beside(const char *path, const char *name, char **joined, struct error *error)
{
    const char *slash = *name != '/' ? strrchr(path, '/') : NULL;
    free(*joined);
    if (asprintf(joined, "%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, name) >= 0)
        return STATUS_OK;
    *joined = NULL;
    return error_set(error, STATUS_INPUT, "%s: out of memory", path);
}

static int read_edges(struct text_input *input, const char *edges, const struct load_options *options,
                      struct graph *graph, struct error *error)
{
    struct text_input list;
    if (options->cache)
        return error_set(error, STATUS_INPUT, "%s: --cache would miss changes of its other files; use --write x.gtrav",
                         input->path);
    if (text_open(&list, edges, error) == STATUS_OK && read_edge_list(&list, options, graph, error) == STATUS_OK)
        snprintf(graph->origin, sizeof graph->origin, "Graphalytics");
    text_close(&list);
    return error->status;
}

int read_graphalytics(struct text_input *input, const struct load_options *options, struct graph *graph,
                      struct error *error)
{
    struct load_options own = *options;
    char *line, *value, *vertices = NULL, *edges = NULL;
    int directed = -1;
    while (text_header(input, '#', &line, error) == STATUS_OK && line != NULL)
        if ((value = find_value(line, ".vertex-file")) != NULL)
            beside(input->path, value, &vertices, error);
        else if ((value = find_value(line, ".edge-file")) != NULL)
            beside(input->path, value, &edges, error);
        else if ((value = find_value(line, ".directed")) != NULL)
            directed = strcmp(value, "true") == 0 ? 1 : strcmp(value, "false") == 0 ? 0 : -1;
    if (error->status == STATUS_OK && (vertices == NULL || edges == NULL || directed < 0))
        error_set(error, STATUS_INPUT, "%s: expected lines 'graph.NAME.%s'", input->path,
                  vertices == NULL ? "vertex-file = FILE"
                  : edges == NULL  ? "edge-file = FILE"
                                   : "directed = true' or '= false");
    own.ids = IDS_ANY;
    own.vertices = vertices;
    own.header = HEADER_NO;
    own.header_counts = COUNTS_NO;
    own.undirected = options->undirected || directed == 0;
    if (error->status == STATUS_OK &&
        (directed == 1 || refuse_directed(input, options, "an undirected graph", error) == STATUS_OK))
        read_edges(input, edges, &own, graph, error);
    free(vertices);
    free(edges);
    return error->status;
}
