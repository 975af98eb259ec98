/* read_edges.c: reads edge lists. A row is an edge, and two of its columns hold the ids of its ends. Lines that begin
 * with '#' or '%' are comments. table_layout.c finds the separator, the header and the two columns; other columns are
 * ignored.
 *
 * With --ids dense, ids are vertex numbers: the graph has all vertices up to the largest id. With --ids any and --ids
 * text, ids are names, which are numbers or texts: the vertices are the distinct ids in ascending order, and the
 * graph keeps the ids. By default, the first rows decide. Ids are texts if neither of the first two rows has two
 * numbers. They are names if a number of the first rows cannot be a vertex number. Else they are vertex numbers, but
 * a file that would leave almost all vertices isolated is rejected before memory is allocated for the graph.
 *
 * A first row that is not a header may hold the numbers of vertices and edges. The reader keeps it, and reads it as
 * an edge at the end unless the numbers are right. A table of vertices is read like a table of self-loops. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "named_edges.h"
#include "readers.h"
#include "table_layout.h"

#define LONGEST_ID (1u << 30)

struct edge_list {
    const struct load_options *options;
    enum id_mode ids; /* IDS_AUTO: vertex numbers, unless they are sparse */
    bool undirected;
    bool weighted;  /* each row has the edge's weight */
    bool bipartite; /* ids of the second column are negated, so that they differ from those of the first */
    struct table_layout layout;
    struct named_edges named;
    struct builder builder;
    uint64_t entries, lone; /* numbers of rows in the list and in the table of vertices */
    char *first_row;        /* a first row that may hold counts, with its line end; NULL: there is none. Owned */
    uint64_t first_line;    /* line number of first_row */
    uint64_t counts[2];     /* vertices and edges, if first_row holds counts */
    bool from_one;          /* the counts imply that vertices are numbered from 1 */
};

struct row_format {
    struct edge_list *list;
    struct table_layout layout;
};

/* ---- rows ---- */

struct row {
    struct chunk *chunk;
    const struct row_format *format;
    const char *p;
    uint64_t line;
};

static bool row_error(const struct row *row, const char *at, const char *reason)
{
    return chunk_error(row->chunk, at, row->line, reason);
}

static bool read_number(struct row *row, struct field *field, struct id *id)
{
    const bool are_names = row->format->list->ids == IDS_ANY;
    bool negative = field->length > 0 && *field->text == '-';
    if (!is_whole_number(field->text, field->length))
        return row_error(row, field->text,
                         "expected a vertex id, a whole number before a separator as in the first row (--ids text "
                         "takes any text)");
    bool fits = scan_whole_number(field->text, field->length, &id->number);
    if (!are_names && (negative || !fits || id->number >= MAX_VERTICES))
        return row_error(row, field->text,
                         negative ? "a vertex id below 0 (--ids any takes negative ids)"
                                  : "vertex id too large; a graph has fewer than 2^32 vertices (--ids any takes ids "
                                    "of 64 bits)");
    if (!fits)
        return row_error(row, field->text, "a vertex id of more than 64 bits (--ids text takes any text)");
    id->text = NULL;
    id->negative = negative && id->number != 0;
    return true;
}

static bool read_text(struct row *row, struct field *field, struct id *id)
{
    if (field->length == 0)
        return row_error(row, field->text, "expected a vertex id; the field is empty");
    if (field->length > LONGEST_ID)
        return row_error(row, field->text, "a vertex id of more than 2^30 bytes");
    field_unescape(field);
    *id = (struct id){.text = field->text, .length = field->length};
    return true;
}

static inline bool has_two_columns(const struct table_layout *layout)
{
    return layout->first_columns == 2 && layout->num_columns == 2;
}

/* Skips the columns after the ids. If the first rows have two columns, further columns are an error, since they may
 * be more neighbours. Otherwise only checks that quotes end on the line. */
static bool skip_rest(struct row *row, const char *rest)
{
    char separator = row->format->layout.separator;
    const char *third = next_field(rest, separator);
    if (has_two_columns(&row->format->layout) && third != NULL && !ends_row(*third) && *third != '#' && *third != '{')
        return row_error(row, third, "a third column, where the first rows have two; --columns 1,2 reads these");
    const char *end = rawmemchr(rest, '\n');
    bool quotes = memchr(rest, '"', (size_t)(end - rest)) != NULL;
    for (const char *p = quotes && separator != ' ' ? third : NULL; p != NULL;) {
        struct field field;
        const char *stop = scan_field(p, separator, &field);
        if (field.problem != NULL)
            return row_error(row, stop, field.problem);
        p = next_field(stop, separator);
    }
    row->p = end + 1;
    return true;
}

/* Reads the row's two ids: text, or numbers. */
static bool read_row(struct row *row, bool text, struct id id[2])
{
    const struct table_layout *layout = &row->format->layout;
    const unsigned first = layout->column[0] > layout->column[1]; /* the id whose column comes first */
    bool (*read_id)(struct row *, struct field *, struct id *) = text ? read_text : read_number;
    struct field field[2];
    const char *problem, *at, *rest = find_ids(row->p, layout->separator, layout->column, field, &problem, &at);
    if (rest == NULL)
        return row_error(row, at, problem);
    if (!read_id(row, &field[first], &id[first]))
        return false;
    if (layout->column[0] == layout->column[1])
        id[1] = id[0];
    else if (!read_id(row, &field[1 - first], &id[1 - first]))
        return false;
    return skip_rest(row, rest);
}

static bool are_named(const struct edge_list *list)
{
    return list->ids == IDS_ANY || list->ids == IDS_TEXT;
}

/* Returns false if memory is short for names. The builder's writer notes this itself. */
static bool take_edge(struct edge_list *list, struct edge_writer *writer, const struct id id[2], double weight)
{
    if (are_named(list))
        return named_edges_append(&list->named, id, weight);
    if (list->weighted)
        push_weighted_edge(writer, (vertex_t)id[0].number, (vertex_t)id[1].number, weight, list->undirected);
    else
        push_edge_as(writer, (vertex_t)id[0].number, (vertex_t)id[1].number, list->undirected);
    return true;
}

/* Scans a number below `bound` of at most 18 digits, which cannot overflow. NULL: the text is no such number. */
static inline const char *scan_plain_number(const char *p, uint64_t bound, uint64_t *number)
{
    const char *end = scan_number(p, number);
    return end != NULL && end - p <= 18 && *number < bound ? end : NULL;
}

/* Skips columns without quotes. NULL: the row ends, or a column has a quote. */
static inline const char *skip_plain_columns(const char *p, char separator, unsigned count)
{
    for (; count > 0; count--) {
        while (*p != separator && *p != '"' && *p != '\n')
            p++;
        if (*p++ != separator)
            return NULL;
    }
    return p;
}

/* Reads almost all rows, and fast: two numbers in adjacent columns with one separator between them, no quote after
 * them, and nothing else if rows have two columns. Returns false for other rows, and does not move then. */
static inline bool read_plain_row(struct row *row, const struct table_layout *layout, uint64_t bound, bool has_more,
                                  struct id id[2])
{
    char separator = layout->separator, other = separator == ' ' ? '\t' : separator;
    const char *p = skip_plain_columns(row->p, separator, layout->column[0]);
    if (p == NULL || (p = scan_plain_number(p, bound, &id[0].number)) == NULL || (*p != separator && *p != other) ||
        (p = scan_plain_number(p + 1, bound, &id[1].number)) == NULL)
        return false;
    if ((has_more && (*p == separator || *p == other)) || *p == '\r')
        while (*p != '\n' && *p != '"')
            p++;
    if (*p != '\n')
        return false;
    row->p = p + 1;
    id[0].text = id[1].text = NULL;
    id[0].negative = id[1].negative = false;
    return true;
}

/* Checks the ids of a bipartite graph, which begin with 1 on both sides, and negates those of one side. */
static bool note_bipartite(const struct row *row, const char *start, struct id id[2])
{
    const unsigned *column = row->format->layout.column, second = column[1] > column[0];
    if (column[0] == column[1])
        return id[0].number != 0 ||
               row_error(row, start, "the ids of one side are above 0, of the other below 0; none is 0");
    if (id[0].number - 1 >= INT64_MAX || id[1].number - 1 >= INT64_MAX)
        return row_error(row, start, "KONECT numbers both sides from 1 on (--ids dense: the sides are the same)");
    id[second].number = -id[second].number;
    id[second].negative = true;
    return true;
}

static void note_row_weight(const struct row *row, const char *start)
{
    const struct table_layout *layout = &row->format->layout;
    struct field field;
    if (!find_field(start, layout->separator, layout->weights, &field) || field.length == 0)
        return;
    size_t length = *field.text == '{' ? strcspn(field.text, "\r\n") : field.length; /* {'weight': 3} */
    note_weight(row->chunk->writer, field.text, field.text + length);
}

/* Reads the weight of the row at row->p, before the row's text changes. read_row() reports a field that cannot be
 * read. */
static bool read_row_weight(const struct row *row, double *weight)
{
    static const char key[] = "'weight':";
    const struct table_layout *layout = &row->format->layout;
    struct field field;
    if (!find_field(row->p, layout->separator, layout->weights, &field)) {
        const char *end = row->p + strcspn(row->p, "\r\n");
        return field.problem != NULL || chunk_weight(row->chunk, end, end, row->line, weight);
    }
    const char *start = field.text, *end = field.text + field.length;
    if (*start == '{') { /* {'since': 2, 'weight': 3} */
        const char *found = memmem(start, strcspn(start, "\n"), key, sizeof key - 1);
        start = found != NULL ? found + sizeof key - 1 + strspn(found + sizeof key - 1, " ") : start;
        end = start + (found != NULL ? strcspn(start, ",} \r\n") : 0);
    }
    return chunk_weight(row->chunk, start, end, row->line, weight);
}

static bool parse_rows(struct chunk *chunk)
{
    struct row row = {.chunk = chunk, .format = chunk->format, .p = chunk->text, .line = chunk->line};
    const struct row_format format = *row.format; /* a local copy, which no store can change */
    row.format = &format;
    const bool text = format.list->ids == IDS_TEXT;
    const bool plain = !text && format.layout.column[1] == format.layout.column[0] + 1 &&
                       (format.layout.column[0] == 0 || format.layout.separator != ' ');
    const bool has_more = !has_two_columns(&format.layout), has_weights = format.layout.weights != NO_COLUMN;
    const bool weighted =
        format.list->weighted && format.layout.column[0] != format.layout.column[1]; /* not vertices */
    const uint64_t bound = format.list->ids == IDS_ANY ? UINT64_MAX : MAX_VERTICES;
    uint64_t entries = 0;
    for (; row.p < chunk->end; row.line++) {
        struct id id[2];
        row.p = skip_padding(row.p, format.layout.separator);
        if (*row.p == '\n') {
            row.p++;
            continue;
        }
        if (*row.p == '#' || *row.p == '%') {
            row.p = skip_line(row.p, chunk->end);
            continue;
        }
        const char *start = row.p;
        double weight = 0;
        if (weighted && !read_row_weight(&row, &weight))
            return false;
        if (!(plain && read_plain_row(&row, &format.layout, bound, has_more, id)) && !read_row(&row, text, id))
            return false;
        entries++;
        if (has_weights && !weighted && !chunk->writer->weights_differ)
            note_row_weight(&row, start);
        if (format.list->bipartite && !note_bipartite(&row, start, id))
            return false;
        if (!take_edge(format.list, chunk->writer, id, weight))
            return row_error(&row, row.p - 1, "out of memory");
    }
    if (are_named(format.list) && !named_edges_flush(&format.list->named)) /* since the chunk's text does not stay */
        return row_error(&row, row.p - 1, "out of memory");
    chunk->entries = entries;
    return true;
}

static int parse_table(struct edge_list *list, struct text_input *input, const struct table_layout *layout,
                       uint64_t *rows, struct error *error)
{
    struct row_format format = {list, *layout};
    return text_parse(input, parse_rows, &format, &list->builder, rows, error);
}

/* ---- a first row of counts ---- */

/* Reads the numbers of vertices and edges from a row of two numbers, or of three if the first two are equal (rows,
 * columns and entries of a matrix). */
static bool read_counts(const char *row, uint64_t counts[2])
{
    uint64_t number[4] = {0};
    int count = 0;
    const char *p = skip_blanks(row);
    for (; *p != '\n' && count < 4; p = skip_blanks(p + (strchr(",;|", *p) != NULL)))
        if ((p = scan_number(p, &number[count++])) == NULL || number[count - 1] == UINT64_MAX)
            return false;
    counts[0] = number[0];
    counts[1] = number[count == 3 ? 2 : 1];
    return count == 2 || (count == 3 && number[0] == number[1]);
}

/* Takes the first row from the input if it may hold counts. */
static int take_first_row(struct edge_list *list, struct text_input *input, struct error *error)
{
    const char *text;
    size_t length;
    char *line;
    bool must = list->options->header_counts == COUNTS_YES;
    list->first_line = input->next_line;
    if (list->options->header_counts == COUNTS_NO || (list->layout.has_header && !must) ||
        text_peek(input, &text, &length, error) != STATUS_OK || length == 0)
        return error->status;
    if (asprintf(&list->first_row, "%.*s\n", (int)strcspn(text, "\n"), text) < 0) {
        list->first_row = NULL;
        return error_set(error, STATUS_INPUT, "%s: out of memory", input->path);
    }
    if (!list->layout.has_header && read_counts(list->first_row, list->counts))
        return text_line(input, &line, error);
    free(list->first_row);
    list->first_row = NULL;
    return must ? text_error(input, input->next_line, 1, error,
                             "expected the numbers of vertices and edges (--header-counts yes)")
                : STATUS_OK;
}

static bool finds_zero(const struct edge *edge, void *context)
{
    bool *found = context;
    *found = *found || edge->source == 0 || edge->target == 0;
    return !*found;
}

/* Returns whether the counts in the first row are right: the list has so many edges, and its ids begin with 0 or 1
 * and fit the number of vertices. For names, the number of vertices is checked later, when it is known. */
static bool counts_are_right(struct edge_list *list)
{
    bool has_zero = false;
    uint64_t seen = builder_vertices_seen(&list->builder);
    if (list->entries != list->counts[1] || list->entries == 0 || list->counts[0] > MAX_VERTICES)
        return false;
    if (seen == list->counts[0] + 1)
        builder_visit(&list->builder, finds_zero, &has_zero);
    list->from_one = seen == list->counts[0] + 1 && !has_zero;
    if (list->ids == IDS_TEXT)
        return dictionary_count(&list->named.ids) <= list->counts[0];
    if (list->ids == IDS_ANY)
        return dictionary_is_below(&list->named.ids, list->counts[0] + 1);
    return seen <= list->counts[0] || list->from_one;
}

static int parse_first_row(struct edge_list *list, const struct text_input *input, struct error *error)
{
    struct row_format format = {list, list->layout};
    struct chunk chunk = {.text = list->first_row,
                          .end = list->first_row + strlen(list->first_row),
                          .line = list->first_line,
                          .writer = &list->builder.writers[0],
                          .format = &format};
    if (!parse_rows(&chunk))
        text_error(input, list->first_line, (uint64_t)(chunk.bad_at - list->first_row) + 1, error, "%s", chunk.reason);
    list->entries += chunk.entries;
    free(list->first_row);
    list->first_row = NULL;
    return error->status;
}

/* Decides what the first row is after all others are read: counts if the numbers are right, else an edge. */
static int settle_first_row(struct edge_list *list, const struct text_input *input, struct error *error)
{
    const struct table_layout *layout = &list->layout;
    bool must = list->options->header_counts == COUNTS_YES, held = list->first_row != NULL;
    bool right = held && counts_are_right(list);
    bool may_be_edge =
        are_named(list) || (list->from_one && list->counts[1] <= list->counts[0]); /* both numbers are ids */
    if (right && may_be_edge && !must)
        return text_error(input, list->first_line, 1, error,
                          "the first row may be an edge or counts, as %" PRIu64 " edges follow; --header-counts no "
                          "reads it as an edge, --header-counts yes as counts",
                          list->entries);
    if (right)
        return STATUS_OK;
    if (held && must)
        return error_set(error, STATUS_INPUT,
                         "%s: the first line announces %" PRIu64 " vertices and %" PRIu64
                         " edges, but the file has %" PRIu64
                         " edges or a larger id; --header-counts no reads the line as an edge",
                         input->path, list->counts[0], list->counts[1], list->entries);
    if (list->options->header_counts != COUNTS_NO && !layout->has_header &&
        layout->num_columns != layout->first_columns)
        return text_error(input, list->first_line, 1, error,
                          "the first row has %u columns, the others have %u, and its numbers are no counts of the "
                          "vertices and edges below; --header-counts no reads it as an edge",
                          layout->first_columns, layout->num_columns);
    return held ? parse_first_row(list, input, error) : STATUS_OK;
}

/* ---- the table of vertices ---- */

static int read_vertices(struct edge_list *list, struct error *error)
{
    const struct load_options *options = list->options;
    struct table_request request = {
        .num_ids = 1, .columns = options->vertex_column, .option = "--vertex-column", .is_text = list->ids == IDS_TEXT};
    struct text_input input;
    struct table_layout layout;
    if (text_open(&input, options->vertices, error) == STATUS_OK &&
        table_find_layout(&input, &request, &layout, error) == STATUS_OK)
        parse_table(list, &input, &layout, &list->lone, error);
    text_close(&input);
    return error->status;
}

/* ---- reading ---- */

static int choose_meaning(struct edge_list *list, const struct text_input *input, struct error *error)
{
    const struct load_options *options = list->options;
    const struct table_layout *layout = &list->layout;
    list->undirected = options->undirected || (layout->of_persons && !options->directed);
    list->ids = (enum id_mode)options->ids;
    if (list->ids == IDS_AUTO && layout->is_text)
        list->ids = IDS_TEXT;
    else if (list->ids == IDS_AUTO &&
             (layout->is_wide || layout->of_persons || layout->bipartite || options->vertices != NULL))
        list->ids = IDS_ANY;
    list->bipartite = layout->bipartite && list->ids == IDS_ANY;
    if (layout->bipartite && list->ids == IDS_TEXT)
        return error_set(error, STATUS_INPUT, "%s: '%% bip' numbers two sides, but text ids mix them; use --ids any",
                         input->path);
    return STATUS_OK;
}

/* "directed, comma, columns src,dst, text ids, header" */
static void describe(const struct edge_list *list, struct graph *graph)
{
    static const char *const kinds[] = {
        [IDS_AUTO] = "dense ids", [IDS_DENSE] = "dense ids", [IDS_ANY] = "any ids", [IDS_TEXT] = "text ids"};
    const struct table_layout *layout = &list->layout;
    const char *nodes = list->ids != IDS_ANY ? " (--ids any: a vertex for each id in the file)" : "";
    char table[TABLE_TEXT], counts[192] = "", weights[48] = "";
    table_describe(layout, kinds[list->ids], table);
    if (list->weighted)
        snprintf(weights, sizeof weights, ", weights in column %u", layout->weights + 1);
    if (list->first_row != NULL)
        snprintf(counts, sizeof counts, ", first line: counts of %" PRIu64 " vertices%s and %" PRIu64 " edges",
                 list->counts[0], list->from_one ? ", numbered from 1," : "", list->counts[1]);
    if (layout->said[0] > 0 && layout->said[0] != graph->num_vertices)
        text_append(counts, sizeof counts, "", "; but a comment says %" PRIu64 " nodes%s", layout->said[0], nodes);
    else if (layout->said[1] > 0 && layout->said[1] != list->entries)
        text_append(counts, sizeof counts, "", "; but a comment says %" PRIu64 " edges, and there are %" PRIu64,
                    layout->said[1], list->entries);
    if (asprintf(&graph->read_as, "%s, %s%s%s%s%s", list->undirected ? "undirected" : "directed", table, weights,
                 layout->num_columns > 2u + list->weighted ? ", other columns ignored" : "",
                 list->bipartite ? ", bipartite: the ids of the second column are negated" : "", counts) < 0)
        graph->read_as = NULL;
}

/* ---- sparse ids ---- */

#define FEW_VERTICES 1000000u /* smaller graphs are accepted, however few of their vertices have edges */
#define SPARSE_RATIO 16u      /* ids are sparse if there are at least this many vertices per distinct id */

struct id_count {
    uint64_t *seen;  /* a bit for each id */
    uint64_t found;  /* distinct ids so far */
    uint64_t enough; /* counting stops at this many */
};

static bool count_edge(const struct edge *edge, void *context)
{
    struct id_count *count = context;
    const vertex_t ids[] = {edge->source, edge->target};
    for (int i = 0; i < 2; i++) {
        uint64_t *word = &count->seen[ids[i] / 64], bit = (uint64_t)1 << ids[i] % 64;
        count->found += (*word & bit) == 0;
        *word |= bit;
    }
    return count->found < count->enough;
}

/* Rejects a graph with more than FEW_VERTICES vertices if fewer than one in SPARSE_RATIO is in the file. For ordinary
 * files, a small part of the edges decides. */
static int refuse_sparse(struct builder *builder, const struct text_input *input, uint64_t num_vertices,
                         struct error *error)
{
    struct id_count count = {.enough = (num_vertices + SPARSE_RATIO - 1) / SPARSE_RATIO};
    if (num_vertices <= FEW_VERTICES)
        return STATUS_OK;
    if (allocate_zeroed(&count.seen, num_vertices / 64 + 1, sizeof *count.seen, "counting the ids", error) != STATUS_OK)
        return error->status;
    builder_visit(builder, count_edge, &count);
    free(count.seen);
    if (count.found >= count.enough)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: ids up to %" PRIu64 ", but only %" PRIu64 " distinct; --ids any numbers these from 0 on, "
                     "--ids dense takes all %" PRIu64 " vertices",
                     input->path, num_vertices - 1, count.found, num_vertices);
}

/* ---- the graph ---- */

static int finish_numbers(struct edge_list *list, const struct text_input *input, struct graph *graph,
                          struct error *error)
{
    uint64_t num_vertices = builder_vertices_seen(&list->builder);
    if (list->first_row != NULL)
        num_vertices = list->counts[0] + list->from_one;
    else if (list->ids == IDS_AUTO)
        refuse_sparse(&list->builder, input, num_vertices, error);
    if (error->status == STATUS_OK)
        check_counts(input, num_vertices, 0, error);
    finish_reading(&list->builder, num_vertices, list->undirected, "edge list", graph, error);
    return error->status == STATUS_OK && list->from_one ? number_from_one(graph, error) : error->status;
}

static int finish_list(struct edge_list *list, const struct text_input *input, struct graph *graph, struct error *error)
{
    const char *origin = list->layout.of_persons ? list->undirected ? "SNB, mutual" : "SNB"
                         : list->ids == IDS_TEXT ? "edge list, text ids"
                                                 : "edge list, renumbered";
    bool weights_ignored = builder_weights_differ(&list->builder);
    if (are_named(list))
        named_edges_finish(&list->named, input, list->undirected, origin, graph, error);
    else
        finish_numbers(list, input, graph, error);
    if (error->status != STATUS_OK)
        return error->status;
    graph->self_loops_dropped -= list->lone;
    graph->weights_ignored = weights_ignored;
    describe(list, graph);
    if (list->first_row != NULL && graph->num_vertices != list->counts[0])
        return error_set(error, STATUS_INPUT,
                         "%s: the first line announces %" PRIu64 " vertices, but the file has %" PRIu32, input->path,
                         list->counts[0], graph->num_vertices);
    return STATUS_OK;
}

static int read_list(struct edge_list *list, struct text_input *input, struct graph *graph, struct error *error)
{
    struct table_request request = {.num_ids = 2,
                                    .columns = list->options->columns,
                                    .weights = list->options->weights,
                                    .option = "--columns",
                                    .header = list->options->header,
                                    .is_text = list->options->ids == IDS_TEXT};
    if (table_find_layout(input, &request, &list->layout, error) != STATUS_OK)
        return error->status;
    list->weighted = list->options->weights != NULL && list->layout.weights != NO_COLUMN;
    list->named.weighted = list->weighted;
    list->builder.weight_type = list->weighted ? WEIGHTS_DOUBLE : WEIGHTS_NONE;
    if (choose_meaning(list, input, error) != STATUS_OK ||
        (are_named(list) && named_edges_init(&list->named, list->ids == IDS_TEXT, error) != STATUS_OK) ||
        take_first_row(list, input, error) != STATUS_OK ||
        parse_table(list, input, &list->layout, &list->entries, error) != STATUS_OK ||
        settle_first_row(list, input, error) != STATUS_OK)
        return error->status;
    if (list->entries == 0)
        return error_set(error, STATUS_INPUT, "%s: no edges in the file", input->path);
    if (list->options->vertices != NULL && read_vertices(list, error) != STATUS_OK)
        return error->status;
    if (finish_list(list, input, graph, error) != STATUS_OK ||
        table_check_header(input, &request, &list->layout, graph, error) != STATUS_OK)
        graph_release(graph);
    return error->status;
}

int read_edge_list(struct text_input *input, const struct load_options *options, struct graph *graph,
                   struct error *error)
{
    struct edge_list list = {.options = options};
    if (builder_init(&list.builder, 0, error) == STATUS_OK)
        read_list(&list, input, graph, error);
    builder_release(&list.builder);
    named_edges_release(&list.named);
    free(list.first_row);
    return error->status;
}
