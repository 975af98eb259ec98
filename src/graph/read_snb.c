/* read_snb.c: who knows whom of the LDBC Social Network Benchmark: person_knows_person files, '|' between columns,
 * the first line their names.
 *
 *   Person1Id|Person2Id|creationDate      and similar: the two columns of ids are those whose names have "person" in
 *   933|4139|1277856000000                them, or are src and dst, from and to, source and target
 *
 * Ids have up to 19 digits. The vertices are the ids in ascending order, so the graph does not depend on the order of
 * the lines; graph->ids keeps them. Knowing is mutual in SNB and stored once: the graph is undirected. */
#include <ctype.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "radix.h"
#include "readers.h"

#define MAX_NAME 64

/* What one thread read. */
struct acquaintances {
    uint64_t (*pairs)[2];
    uint64_t count, capacity;
    bool failed;
};

struct snb_format {
    unsigned first, second;      /* the columns of the ids, first < second */
    struct acquaintances *found; /* one a thread */
};

/* ---- the header ---- */

static bool is_id_column(const char *name, size_t length)
{
    static const char *const names[] = {"src", "dst", "from", "to", "source", "target"};
    char copy[MAX_NAME];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, name, length);
    copy[length] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(copy, names[i]) == 0)
            return true;
    return strcasestr(copy, "person") != NULL;
}

/* Finds the two columns; false: there are not two. */
static bool find_columns(const char *line, unsigned columns[2])
{
    unsigned found = 0, column = 0;
    for (const char *name = line;; column++) {
        size_t length = strcspn(name, "|\r\n");
        if (is_id_column(name, length)) {
            if (found == 2)
                return false;
            columns[found++] = column;
        }
        if (name[length] != '|')
            return found == 2;
        name += length + 1;
    }
}

bool is_snb(const char *text)
{
    unsigned columns[2];
    return (isalpha((unsigned char)*text) || *text == ':') && find_columns(text, columns);
}

/* ---- the rows ---- */

static bool append(struct acquaintances *found, uint64_t u, uint64_t v)
{
    if (found->count == found->capacity) {
        uint64_t capacity = 2 * found->capacity + 256;
        void *larger = realloc(found->pairs, capacity * sizeof *found->pairs);
        if (larger == NULL) {
            found->failed = true;
            return false;
        }
        found->pairs = larger;
        found->capacity = capacity;
    }
    found->pairs[found->count][0] = u;
    found->pairs[found->count++][1] = v;
    return true;
}

static bool parse_people(struct chunk *chunk)
{
    const struct snb_format *format = chunk->format;
    struct acquaintances *found = &format->found[omp_get_thread_num()];
    uint64_t line = chunk->line;
    for (const char *p = chunk->text; p < chunk->end; p = skip_line(p, chunk->end), line++) {
        uint64_t ids[2];
        const char *field = p;
        if (*skip_blanks(p) == '\n')
            continue;
        for (unsigned column = 0; column <= format->second; column++) {
            size_t length = strcspn(field, "|\n");
            if (column == format->first || column == format->second) {
                const char *end = scan_number(field, &ids[column == format->second]);
                if (end == NULL || (end != field + length && *end != '\r'))
                    return chunk_error(chunk, field, line, "expected a person's id, a whole number");
                if (ids[column == format->second] == UINT64_MAX)
                    return chunk_error(chunk, field, line, "a person's id of more than 19 digits");
            }
            if (column < format->second && field[length] != '|')
                return chunk_error(chunk, field, line, "the line has fewer columns than the first line names");
            field += length + 1;
        }
        if (!append(found, ids[0], ids[1]))
            return chunk_error(chunk, p, line, "out of memory");
        chunk->entries++;
    }
    return true;
}

/* ---- the graph ---- */

/* All ids, ascending, each once. */
static int collect_ids(const struct snb_format *format, int num_threads, uint64_t num_rows, const char *path,
                       uint64_t **ids, uint64_t *count, struct error *error)
{
    struct radix radix = {0};
    uint64_t filled = 0;
    *count = 0;
    if (!radix_reserve(&radix, 2 * num_rows)) {
        error_set(error, STATUS_INPUT, "%s: out of memory: sorting the ids", path);
        goto end;
    }
    for (int i = 0; i < num_threads; i++)
        for (uint64_t k = 0; k < format->found[i].count; k++) {
            radix.keys[filled++] = format->found[i].pairs[k][0];
            radix.keys[filled++] = format->found[i].pairs[k][1];
        }
    radix_sort(&radix, filled, 0, 64);
    for (uint64_t i = 0; i < filled; i++)
        if (*count == 0 || radix.keys[i] != radix.keys[*count - 1])
            radix.keys[(*count)++] = radix.keys[i];
    if (allocate(ids, *count, sizeof **ids, "the ids", error) == STATUS_OK)
        memcpy(*ids, radix.keys, *count * sizeof **ids);
end:
    radix_release(&radix);
    return error->status;
}

static void push_people(const struct snb_format *format, int num_threads, const struct graph *named,
                        struct builder *builder)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < num_threads; i++)
        for (uint64_t k = 0; k < format->found[i].count; k++) {
            vertex_t u, v;
            graph_find(named, format->found[i].pairs[k][0], &u);
            graph_find(named, format->found[i].pairs[k][1], &v);
            push_edge(&builder->writers[omp_get_thread_num()], u, v);
        }
}

int read_snb(struct text_input *input, bool undirected, struct graph *graph, struct error *error)
{
    (void)undirected; /* it is */
    struct builder builder = {0};
    struct snb_format format;
    struct graph named = {0};
    char *line;
    unsigned columns[2] = {0};
    uint64_t num_rows, num_ids = 0;
    int num_threads = omp_get_max_threads();
    if (allocate_zeroed(&format.found, (size_t)num_threads, sizeof *format.found, "the input", error) != STATUS_OK)
        return error->status;
    if (text_line(input, &line, error) != STATUS_OK || line == NULL || builder_init(&builder, 0, error) != STATUS_OK)
        goto end;
    if (!find_columns(line, columns)) {
        error_set(error, STATUS_INPUT, "%s:1:1: expected the names of two columns of persons' ids", input->path);
        goto end;
    }
    format.first = columns[0];
    format.second = columns[1];
    if (text_parse(input, parse_people, &format, &builder, &num_rows, error) == STATUS_OK && num_rows == 0)
        error_set(error, STATUS_INPUT, "%s: no edges in the file", input->path);
    if (error->status == STATUS_OK &&
        collect_ids(&format, num_threads, num_rows, input->path, &named.ids, &num_ids, error) == STATUS_OK &&
        check_vertex_count(input, num_ids, error) == STATUS_OK) {
        named.num_vertices = (vertex_t)num_ids;
        push_people(&format, num_threads, &named, &builder);
    }
end:
    for (int i = 0; i < num_threads; i++)
        free(format.found[i].pairs);
    free(format.found);
    if (finish_reading(&builder, num_ids, true, "SNB, mutual", graph, error) == STATUS_OK)
        graph->ids = named.ids;
    else
        free(named.ids);
    return error->status;
}
