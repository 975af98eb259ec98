/* sources.c: draws and reads the sources of trials. */
#include "sources.h"
#include "random.h"
#include "table_layout.h"

/* Draws like the SourcePicker of the GAP Benchmark Suite. Draws of a 64-bit Mersenne Twister are cut to 32 bits. With
 * M = 2^64 - 1, a draw at or above the low 32 bits of M - M mod n is rejected, unless M mod n = n - 1. An accepted
 * draw is reduced modulo n. */
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

struct source_list {
    vertex_t *sources;
    uint64_t count, capacity;
};

/* Appends the vertex of a field. where: for messages. */
static int append_source(const struct graph *graph, const char *where, struct field *field, struct source_list *list,
                         struct error *error)
{
    vertex_t source = 0;
    bool text = graph->names != NULL;
    if (field->problem != NULL)
        return error_set(error, STATUS_INPUT, "%s: %s", where, field->problem);
    field_unescape(field);
    if (text ? field->length == 0 : !is_whole_number(field->text, field->length))
        return error_set(error, STATUS_INPUT, "%s: '%.*s' is not a vertex %s", where, (int)field->length, field->text,
                         text ? "id" : "number");
    if (!graph_find_text(graph, field->text, field->length, &source))
        return error_set(error, STATUS_INPUT, "%s: %.*s is not a vertex of %s, which has %u (%s)", where,
                         (int)field->length, field->text, graph->name, graph->num_vertices,
                         graph_has_ids(graph) ? "with ids of its file" : "numbered from 0");
    if (allocate_more(&list->sources, list->count, 1, &list->capacity, sizeof source, "the sources", error) ==
        STATUS_OK)
        list->sources[list->count++] = source;
    return error->status;
}

/* Gives the list to the caller, or nothing after an error. */
static int finish_list(const struct source_list *list, vertex_t **sources, int *count, struct error *error)
{
    bool good = error->status == STATUS_OK;
    *sources = good ? list->sources : NULL;
    *count = good ? (int)list->count : 0;
    if (!good)
        free(list->sources);
    return error->status;
}

int parse_vertices(const struct graph *graph, const char *option, const char *text, vertex_t **vertices, int *count,
                   struct error *error)
{
    struct source_list list = {0};
    char *copy = strdup(text), where[512];
    snprintf(where, sizeof where, "%s %.480s", option, text);
    if (copy == NULL)
        error_set(error, STATUS_INPUT, "out of memory: %s", option);
    for (const char *p = copy != NULL ? skip_blanks(copy) : NULL; p != NULL && error->status == STATUS_OK;) {
        struct field field;
        const char *end = scan_field(p, ',', &field);
        append_source(graph, field.problem != NULL ? where : option, &field, &list, error);
        p = next_field(end, ',');
    }
    free(copy);
    return finish_list(&list, vertices, count, error);
}

int read_sources(const struct graph *graph, const char *path, vertex_t **sources, int *count, struct error *error)
{
    struct source_list list = {0};
    struct text_input input;
    char *line = NULL, where[512];
    text_open(&input, path, error);
    while (error->status == STATUS_OK && text_line(&input, &line, error) == STATUS_OK && line != NULL) {
        struct field field;
        snprintf(where, sizeof where, "%.480s:%llu", input.path, (unsigned long long)input.next_line - 1);
        line += strspn(line, " \t");
        line[strcspn(line, *line == '"' ? "\r\n" : "\r\n#")] = '\0';
        if (*line == '\0')
            continue;
        scan_field(line, '\n', &field);
        append_source(graph, where, &field, &list, error);
    }
    if (error->status == STATUS_OK && list.count == 0)
        error_set(error, STATUS_INPUT, "%s: no sources in the file", input.path);
    text_close(&input);
    return finish_list(&list, sources, count, error);
}
