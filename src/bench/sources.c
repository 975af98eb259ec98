/* sources.c: draws and reads the sources of trials. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../graph/random.h"
#include "../graph/text_input.h"
#include "sources.h"

/* GAP Benchmark Suite's SourcePicker: 64-bit Mersenne Twister, draws cut to 32 bits; with M = 2^64 - 1, draws at or
 * above the low 32 bits of M - M mod n are drawn again unless M mod n = n - 1; the accepted draw is reduced modulo
 * n. */
int pick_sources(const struct graph *graph, int count, vertex_t *sources, struct error *error)
{
    if (graph->num_edges == 0)
        return error_set(error, STATUS_INPUT,
                         "%s: no vertex has an out-neighbour to start from; name a start with --source", graph->name);
    uint64_t n = graph->num_vertices, largest = UINT64_MAX;
    bool rejects = largest % n != n - 1;
    uint32_t cutoff = (uint32_t)(largest - largest % n);
    struct mt64 mt;
    mt64_seed(&mt, GAP_SEED);
    for (int i = 0; i < count;) {
        uint32_t draw = (uint32_t)mt64_draw(&mt);
        if (rejects && draw >= cutoff)
            continue;
        vertex_t source = draw % graph->num_vertices;
        if (graph_degree(graph, source) > 0)
            sources[i++] = source;
    }
    return STATUS_OK;
}

/* Reads one vertex number at text; sets *end to the character after it. */
static int parse_source(const struct graph *graph, const char *where, const char *text, char **end, vertex_t *source,
                        struct error *error)
{
    errno = 0;
    unsigned long long number = strtoull(text, end, 10);
    if (*text < '0' || *text > '9')
        return error_set(error, STATUS_INPUT, "%s: '%.40s' is not a vertex number", where, text);
    if (errno != 0 || !graph_find(graph, number, source))
        return error_set(error, STATUS_INPUT, "%s: source %.*s is not a vertex of %s, which has %u (%s)", where,
                         (int)(*end - text), text, graph->name, graph->num_vertices,
                         graph->ids != NULL ? "with ids of its file" : "numbered from 0");
    return STATUS_OK;
}

static int append_source(vertex_t **sources, int *count, vertex_t source, struct error *error)
{
    if ((*count & (*count - 1)) == 0) { /* room for the next power of two */
        vertex_t *larger = realloc(*sources, (*count > 0 ? 2 * (size_t)*count : 1) * sizeof *larger);
        if (larger == NULL)
            return error_set(error, STATUS_INPUT, "out of memory: too many sources");
        *sources = larger;
    }
    (*sources)[(*count)++] = source;
    return STATUS_OK;
}

int parse_sources(const struct graph *graph, const char *list, vertex_t **sources, int *count, struct error *error)
{
    *sources = NULL;
    *count = 0;
    for (const char *p = list;; p++) {
        char *end;
        vertex_t source = 0;
        if (parse_source(graph, "--source", p, &end, &source, error) != STATUS_OK ||
            append_source(sources, count, source, error) != STATUS_OK)
            break;
        p = end;
        if (*p == '\0')
            return STATUS_OK;
        if (*p != ',') {
            error_set(error, STATUS_INPUT, "--source %s: expected vertex numbers with commas between", list);
            break;
        }
    }
    free(*sources);
    *sources = NULL;
    return error->status;
}

int read_sources(const struct graph *graph, const char *path, vertex_t **sources, int *count, struct error *error)
{
    char *line = NULL, where[512];
    size_t capacity = 0;
    *sources = NULL;
    *count = 0;
    int descriptor = is_stdin(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    path = is_stdin(path) ? "standard input" : path;
    if (file == NULL) {
        error_errno(error, "%s: cannot open", path);
        if (descriptor >= 0)
            close(descriptor);
        return error->status;
    }
    for (int number = 1; error->status == STATUS_OK && getline(&line, &capacity, file) > 0; number++) {
        vertex_t source = 0;
        char *end, *text = line + strspn(line, " \t");
        text[strcspn(text, "\r\n#")] = '\0';
        if (*text == '\0')
            continue;
        snprintf(where, sizeof where, "%.480s:%d", path, number);
        if (parse_source(graph, where, text, &end, &source, error) == STATUS_OK) {
            if (end[strspn(end, " \t")] != '\0')
                error_set(error, STATUS_INPUT, "%s: expected one vertex number a line", where);
            else
                append_source(sources, count, source, error);
        }
    }
    if (error->status == STATUS_OK && !feof(file)) /* getline sets no error flag when memory is short */
        error_errno(error, "%s: cannot read", path);
    if (error->status == STATUS_OK && *count == 0)
        error_set(error, STATUS_INPUT, "%s: no sources in the file", path);
    free(line);
    fclose(file);
    if (error->status != STATUS_OK) {
        free(*sources);
        *sources = NULL;
    }
    return error->status;
}
