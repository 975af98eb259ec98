/* read_edges.c: edge lists like those of SNAP: `u v` on each line, 0-based ids, '#' or '%' comments; blanks, tabs or
 * commas between numbers. Further numbers on a line (weights, times) are checked and ignored.
 *
 * With --ids dense, ids are vertex numbers: the graph has all vertices up to the largest id. With --ids any, they are
 * names: the vertices are the distinct ids in ascending order, and graph->ids keeps the ids. By default, ids are
 * vertex numbers, but a file that would leave almost all vertices isolated (is_sparse) is rejected before memory is
 * allocated for the graph. */
#include <inttypes.h>
#include <stdlib.h>

#include "id_set.h"
#include "named_arcs.h"
#include "readers.h"

#define FEW_VERTICES 1000000u /* smaller graphs are accepted, however few of their vertices have edges */
#define SPARSE_RATIO 16u      /* ids are sparse if there are at least so many vertices per distinct id */

struct edge_format {
    bool undirected;
    struct named_arcs *named; /* --ids any: receives the arcs; NULL: the builder does */
    struct id_set *looped;    /* vertices with a self-loop, which the builder drops; NULL with named */
};

static const char *skip_separators(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == ',')
        p++;
    return p;
}

/* Returns false if memory is short; the builder's writer notes that itself. */
static bool take_edge(const struct edge_format *format, struct arc_writer *writer, uint64_t source, uint64_t target)
{
    if (format->named != NULL)
        return named_arcs_append(format->named, source, target);
    if (format->undirected)
        push_edge(writer, (vertex_t)source, (vertex_t)target);
    else
        push_arc(writer, (vertex_t)source, (vertex_t)target);
    return source != target || id_set_add(format->looped, (vertex_t)source);
}

static bool parse_edges(struct chunk *chunk)
{
    const struct edge_format *format = chunk->format;
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
            if (format->named != NULL && id[i] == UINT64_MAX)
                return chunk_error(chunk, start, line, "a vertex id of more than 19 digits");
            if (format->named == NULL && id[i] >= MAX_VERTICES)
                return chunk_error(chunk, start, line,
                                   "vertex id too large; a graph has fewer than 2^32 vertices (--ids any takes ids "
                                   "of up to 19 digits)");
        }
        for (p = skip_separators(p); *p != '\n'; p = skip_separators(p)) {
            const char *start = p;
            if ((p = skip_value(start)) == NULL)
                return chunk_error(chunk, start, line, "expected a number or the end of the line");
        }
        p++;
        entries++;
        if (!take_edge(format, chunk->writer, id[0], id[1]))
            return chunk_error(chunk, p - 1, line, "out of memory");
    }
    chunk->entries = entries;
    return true;
}

/* ---- sparse ids ---- */

struct id_count {
    struct id_set *found;
    uint64_t enough; /* counting stops here */
    bool failed;
};

static bool count_arc(const struct arc *arc, void *context)
{
    struct id_count *count = context;
    count->failed = !id_set_add(count->found, arc->source) || !id_set_add(count->found, arc->target);
    return !count->failed && count->found->count < count->enough;
}

/* Rejects a graph with more than FEW_VERTICES vertices if fewer than one in SPARSE_RATIO is in the file. For ordinary
 * files, a small part of the arcs decides. found: the ids with self-loops. */
static int refuse_sparse(const struct text_input *input, struct builder *builder, uint64_t num_vertices,
                         struct id_set *found, struct error *error)
{
    struct id_count count = {.found = found, .enough = (num_vertices + SPARSE_RATIO - 1) / SPARSE_RATIO};
    if (num_vertices <= FEW_VERTICES)
        return STATUS_OK;
    if (found->count < count.enough)
        builder_visit(builder, count_arc, &count);
    if (count.failed)
        return error_set(error, STATUS_INPUT, "%s: out of memory: counting the ids", input->path);
    if (found->count >= count.enough)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: ids up to %" PRIu64 ", but only %" PRIu64 " distinct; --ids any numbers these from 0 on, "
                     "--ids dense takes all %" PRIu64 " vertices",
                     input->path, num_vertices - 1, found->count, num_vertices);
}

/* ---- reading ---- */

static int read_numbers(struct text_input *input, const struct load_options *options, struct id_set *looped,
                        struct graph *graph, struct error *error)
{
    struct edge_format format = {.undirected = options->undirected, .looped = looped};
    struct builder builder;
    uint64_t entries;
    if (builder_init(&builder, 0, error) != STATUS_OK)
        return error->status;
    if (text_parse(input, parse_edges, &format, &builder, &entries, error) == STATUS_OK && entries == 0)
        error_set(error, STATUS_INPUT, "%s: no edges in the file", input->path);
    uint64_t num_vertices = builder_vertices_seen(&builder);
    if (error->status == STATUS_OK && options->ids == IDS_AUTO)
        refuse_sparse(input, &builder, num_vertices, looped, error);
    if (error->status == STATUS_OK)
        check_vertex_count(input, num_vertices, error);
    return finish_reading(&builder, num_vertices, options->undirected, "edge list", graph, error);
}

static int read_names(struct text_input *input, const struct load_options *options, struct graph *graph,
                      struct error *error)
{
    struct named_arcs named = {0};
    struct edge_format format = {.undirected = options->undirected, .named = &named};
    struct builder unused = {0}; /* text_parse() passes its writers to the parser */
    uint64_t entries;
    if (named_arcs_init(&named, error) == STATUS_OK && builder_init(&unused, 0, error) == STATUS_OK &&
        text_parse(input, parse_edges, &format, &unused, &entries, error) == STATUS_OK && entries == 0)
        error_set(error, STATUS_INPUT, "%s: no edges in the file", input->path);
    builder_release(&unused);
    if (error->status == STATUS_OK)
        named_arcs_finish(&named, input, options->undirected, "edge list, renumbered", graph, error);
    named_arcs_release(&named);
    return error->status;
}

int read_edge_list(struct text_input *input, const struct load_options *options, struct graph *graph,
                   struct error *error)
{
    if (options->ids == IDS_ANY)
        return read_names(input, options, graph, error);
    struct id_set *looped;
    if (allocate_zeroed(&looped, 1, sizeof *looped, "the ids", error) != STATUS_OK)
        return error->status;
    read_numbers(input, options, looped, graph, error);
    id_set_release(looped);
    free(looped);
    return error->status;
}
