/* read_snb.c: person_knows_person files of the LDBC Social Network Benchmark. Columns are separated by '|', and the
 * first line names them.
 *
 *   Person1Id|Person2Id|creationDate      and similar: the two columns of ids are those whose names have "person" in
 *   933|4139|1277856000000                them, or are src and dst, from and to, source and target
 *
 * Ids have up to 19 digits. The vertices are the ids in ascending order, so the graph does not depend on the order of
 * the lines; graph->ids keeps them. Knowing is mutual in SNB and stored once: the graph is undirected. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "named_arcs.h"
#include "readers.h"

#define MAX_NAME 64

struct snb_format {
    unsigned first, second; /* the columns of the ids, first < second */
    struct named_arcs *found;
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

/* Finds the two columns. Returns false if there are not exactly two. */
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

static bool parse_people(struct chunk *chunk)
{
    const struct snb_format *format = chunk->format;
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
        if (!named_arcs_append(format->found, ids[0], ids[1]))
            return chunk_error(chunk, p, line, "out of memory");
        chunk->entries++;
    }
    return true;
}

/* ---- the graph ---- */

int read_snb(struct text_input *input, const struct load_options *options, struct graph *graph, struct error *error)
{
    (void)options; /* the graph is always undirected, and its ids are names */
    struct named_arcs found = {0};
    struct builder unused = {0}; /* text_parse() passes its writers to the parser */
    struct snb_format format = {.found = &found};
    char *line;
    unsigned columns[2] = {0};
    uint64_t num_rows;
    if (named_arcs_init(&found, error) != STATUS_OK || text_line(input, &line, error) != STATUS_OK || line == NULL ||
        builder_init(&unused, 0, error) != STATUS_OK)
        goto end;
    if (!find_columns(line, columns)) {
        error_set(error, STATUS_INPUT, "%s:1:1: expected the names of two columns of persons' ids", input->path);
        goto end;
    }
    format.first = columns[0];
    format.second = columns[1];
    if (text_parse(input, parse_people, &format, &unused, &num_rows, error) == STATUS_OK && num_rows == 0)
        error_set(error, STATUS_INPUT, "%s: no edges in the file", input->path);
end:
    builder_release(&unused);
    if (error->status == STATUS_OK)
        named_arcs_finish(&found, input, true, "SNB, mutual", graph, error);
    named_arcs_release(&found);
    return error->status;
}
