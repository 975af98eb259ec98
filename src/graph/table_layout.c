#include "table_layout.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROWS_LOOKED_AT 1000
#define MAX_NAME       64
#define MAX_NAMED      64u /* columns in which known names are sought */
#define MOST_NUMBERS   4u  /* columns of an edge: its ends, a weight, a time */

/* ---- rows ---- */

/* Splits a row into at most MAX_NAMED fields; returns how many there are. A field with a problem ends it. */
static unsigned split_row(const char *row, char separator, struct field fields[MAX_NAMED])
{
    unsigned count = 0;
    for (const char *p = skip_padding(row, separator); p != NULL && count < MAX_NAMED; count++) {
        p = scan_field(p, separator, &fields[count]);
        if (fields[count].problem != NULL)
            break;
        p = next_field(p, separator);
    }
    return count;
}

static bool is_number(const struct field *field)
{
    return is_whole_number(field->text, field->length);
}

/* ---- the separator ---- */

static const char separators[] = "\t|;,";

const char *separator_name(char separator)
{
    static const char *const names[] = {"tab", "bar", "semicolon", "comma"};
    const char *found = strchr(separators, separator);
    return found != NULL ? names[found - separators] : "blank";
}

/* A row that begins with a number has its separator behind it. Otherwise it is the first of the separators that is
 * in the row at all, outside of quotes and of the attributes that networkx writes ({'weight': 3, 'since': 2}). */
static char find_separator(const char *row)
{
    const char *p = skip_blanks(row);
    bool quoted = *p == '"';
    const char *number = p + quoted + (p[quoted] == '-');
    size_t digits = strspn(number, "0123456789");
    if (digits > 0 && (!quoted || number[digits] == '"')) {
        p = number + digits + quoted;
        p += strspn(p, " ");
        if (*p != '\0' && strchr(separators, *p) != NULL)
            return *p;
        if (p > number + digits + quoted || ends_row(*p) || *p == '\r')
            return ' ';
    }
    char best = ' ';
    bool inside = false;
    for (p = row; !ends_row(*p) && (inside || *p != '{'); p++) {
        inside = inside != (*p == '"');
        const char *found = inside ? NULL : strchr(separators, *p);
        if (found != NULL && (best == ' ' || found < strchr(separators, best)))
            best = *p;
    }
    return best;
}

/* ---- the columns ---- */

/* "FromNodeId" becomes "from", ":START_ID(Person)" "start", "src" stays. */
static void simplify(const struct field *field, char name[MAX_NAME])
{
    static const char *const endings[] = {"id", "node", "vertex", "key"};
    size_t length = 0;
    for (size_t i = 0; i < field->length && length < MAX_NAME - 1 && field->text[i] != '('; i++)
        if (isalnum((unsigned char)field->text[i]))
            name[length++] = (char)tolower((unsigned char)field->text[i]);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t size = strlen(endings[i]);
        if (length > size && memcmp(name + length - size, endings[i], size) == 0)
            length -= size;
    }
    name[length] = '\0';
}

/* Names of the columns of sources and targets, simplified. */
static const char *const roles[][2] = {
    {"src", "dst"},     {"source", "target"},      {"from", "to"},      {"src", "dest"},
    {"source", "dest"}, {"source", "destination"}, {"source", "sink"},  {"start", "end"},
    {"tail", "head"},   {"origin", "destination"}, {"citing", "cited"}, {"follower", "followee"},
    {"u", "v"},         {"subject", "object"},     {"parent", "child"}};
static const char *const vertex_names[] = {"id", "vertex", "node", "name", "key", "person"};

struct names {
    unsigned count;
    char simple[MAX_NAMED][MAX_NAME];
};

/* How many columns have the simplified name; *column: the first of them. */
static unsigned count_simplified(const struct names *names, const char *wanted, unsigned *column)
{
    unsigned count = 0;
    for (unsigned at = 0; at < names->count; at++)
        if (strcmp(names->simple[at], wanted) == 0 && count++ == 0)
            *column = at;
    return count;
}

static bool are_twins(const char *name, const char *other)
{
    size_t one = strcspn(name, "1"), length = strlen(name);
    if (length == 0 || isdigit((unsigned char)name[0]) || strlen(other) != length)
        return false;
    if (one < length && other[one] == '2')
        return memcmp(name, other, one) == 0 && strcmp(name + one + 1, other + one + 1) == 0;
    return strcmp(name, other) == 0;
}

/* Two columns whose names differ at most by 1 and 2: Person1Id|Person2Id, Comment.id|Comment.id, node1,node2. */
static bool find_twins(const struct names *names, unsigned column[2])
{
    unsigned found = 0, first = 0, second = 0;
    for (unsigned i = 0; i < names->count; i++)
        for (unsigned k = i + 1; k < names->count; k++)
            if (are_twins(names->simple[i], names->simple[k])) {
                first = i;
                second = k;
                found++;
            }
    if (found != 1)
        return false;
    column[0] = first;
    column[1] = second;
    return true;
}

static bool find_known_columns(const char *row, char separator, int num_ids, unsigned column[2])
{
    struct field fields[MAX_NAMED];
    struct names names = {.count = split_row(row, separator, fields)};
    unsigned found[2] = {0};
    for (unsigned i = 0; i < names.count; i++)
        simplify(&fields[i], names.simple[i]);
    bool known = false;
    for (size_t i = 0; num_ids == 2 && !known && i < sizeof roles / sizeof roles[0]; i++)
        known = count_simplified(&names, roles[i][0], &found[0]) == 1 &&
                count_simplified(&names, roles[i][1], &found[1]) == 1;
    for (size_t i = 0; num_ids == 1 && !known && i < sizeof vertex_names / sizeof vertex_names[0]; i++)
        known = count_simplified(&names, vertex_names[i], &found[0]) == 1;
    if (!known)
        return num_ids == 2 && find_twins(&names, column);
    column[0] = found[0];
    column[1] = found[num_ids - 1];
    return true;
}

/* Whether the name can hardly be that of a vertex. */
static bool is_role(const struct field *field, int num_ids)
{
    char name[MAX_NAME];
    bool found = false;
    simplify(field, name);
    for (size_t i = 0; num_ids == 2 && i < 2 * sizeof roles / sizeof roles[0]; i++)
        found = found || (strlen(name) > 1 && strcmp(name, roles[i / 2][i % 2]) == 0);
    for (size_t i = 0; num_ids == 1 && i < sizeof vertex_names / sizeof vertex_names[0]; i++)
        found = found || strcmp(name, vertex_names[i]) == 0;
    return found;
}

/* Whether a line is a row: neither blank nor a comment. */
static bool is_row(const char *line)
{
    const char *p = skip_blanks(line);
    return !ends_row(*p) && *p != '#' && *p != '%';
}

/* The first row at or after the text; NULL if there is none. */
static const char *find_row(const char *text)
{
    for (const char *line = text; *line != '\0';) {
        if (is_row(line))
            return line;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return NULL;
}

static const char *row_after(const char *row)
{
    row += strcspn(row, "\n");
    return *row == '\n' ? find_row(row + 1) : NULL;
}

bool table_has_known_header(const char *text, unsigned column[2])
{
    const char *row = find_row(text);
    return row != NULL && find_known_columns(row, find_separator(row), 2, column);
}

/* ---- columns that the user names ---- */

/* Finds a column by name: the first one, or after `skip` of them. Returns how many there are. */
static unsigned count_named(const char *row, char separator, const struct field *wanted, unsigned skip,
                            unsigned *column)
{
    struct field field;
    unsigned count = 0;
    for (unsigned at = 0; find_field(row, separator, at, &field); at++)
        if (field.length == wanted->length && strncasecmp(field.text, wanted->text, field.length) == 0 &&
            count++ == skip)
            *column = at;
    return count;
}

static int find_wanted_column(const struct text_input *input, const struct table_request *request, const char *row,
                              const struct field wanted[2], int which, struct table_layout *layout,
                              struct error *error)
{
    const struct field *name = &wanted[which];
    if (is_number(name)) {
        unsigned long number = strtoul(name->text, NULL, 10);
        if (number < 1 || number > UINT16_MAX)
            return error_set(error, STATUS_INPUT, "%s %s: columns are numbered from 1", request->option,
                             request->columns);
        layout->column[which] = (unsigned)number - 1;
        return STATUS_OK;
    }
    bool twice = request->num_ids == 2 && wanted[0].length == wanted[1].length &&
                 strncasecmp(wanted[0].text, wanted[1].text, wanted[0].length) == 0;
    unsigned count = count_named(row, layout->separator, name, twice && which == 1, &layout->column[which]);
    layout->has_header = true;
    if (request->header == HEADER_NO)
        return error_set(error, STATUS_INPUT, "%s %s names columns, and --header no says that the first row does not",
                         request->option, request->columns);
    if (count == 0)
        return text_error(input, input->next_line, 1, error, "no column is named '%.*s' in this line: %.*s",
                          (int)name->length, name->text, (int)strcspn(row, "\r\n"), row);
    if (count != 1u + twice)
        return text_error(input, input->next_line, 1, error,
                          "the number of columns named '%.*s' is %u; give numbers to %s", (int)name->length,
                          name->text, count, request->option);
    return STATUS_OK;
}

static int find_wanted_columns(const struct text_input *input, const struct table_request *request, const char *row,
                               struct table_layout *layout, struct error *error)
{
    struct field wanted[2] = {{0}};
    const char *p = skip_blanks(request->columns);
    for (int i = 0; i < request->num_ids && p != NULL; i++)
        p = next_field(scan_field(p, ',', &wanted[i]), ',');
    if (p != NULL || wanted[0].length == 0 || wanted[request->num_ids - 1].length == 0 || wanted[0].problem != NULL ||
        wanted[1].problem != NULL)
        return error_set(error, STATUS_INPUT, "%s takes %s, by name or number from 1 on; not '%s'", request->option,
                         request->num_ids == 2 ? "two columns with a comma between" : "a column", request->columns);
    for (int i = 0; i < request->num_ids; i++)
        if (find_wanted_column(input, request, row, wanted, i, layout, error) != STATUS_OK)
            return error->status;
    if (request->num_ids == 1)
        layout->column[1] = layout->column[0];
    return STATUS_OK;
}

/* ---- the first rows ---- */

/* How many columns a row has before networkx's attributes or a comment, and unless it is text, empty ones at its end;
 * 0: it has an error, such as an open quote. */
static unsigned count_columns(const char *row, char separator, bool is_text)
{
    struct field fields[MAX_NAMED] = {{0}};
    unsigned count = split_row(row, separator, fields), at = 0;
    if (count < MAX_NAMED && fields[count].problem != NULL)
        return 0;
    while (at < count && fields[at].text[0] != '{' && fields[at].text[0] != '#')
        at++;
    while (at > 0 && fields[at - 1].length == 0 && !is_text)
        at--;
    return at;
}

/* How many of a row's two ids are whole numbers; *wide is set if one cannot be a vertex number. */
static int count_numbers(const char *row, const struct table_layout *layout, bool *wide)
{
    int count = 0;
    for (int i = 0; i < 2 && row != NULL; i++) {
        struct field field;
        uint64_t number;
        if (!find_field(row, layout->separator, layout->column[i], &field) || !is_number(&field))
            continue;
        count++;
        scan_number(field.text, &number);
        *wide = *wide || field.text[0] == '-' || number >= MAX_VERTICES;
    }
    return count;
}

static bool is_vertex(const struct graph *graph, const struct field *field)
{
    vertex_t vertex;
    return graph != NULL && graph_find_text(graph, field->text, field->length, &vertex);
}

/* The first row is a header only if it cannot be an edge: its ids are no numbers and those of the second row are, and
 * then must be in all others; or both are known names of columns. Whether these are ids below, too, is seen when all
 * is read (table_check_header). */
static int look_for_header(const struct text_input *input, const struct table_request *request, const char *row,
                           struct table_layout *layout, struct error *error)
{
    bool by_number = request->columns != NULL && request->num_ids == 1, wide = false;
    struct field id[2] = {{0}};
    if (request->columns == NULL)
        find_known_columns(row, layout->separator, request->num_ids, layout->column);
    bool there = find_field(row, layout->separator, layout->column[0], &id[0]) &&
                 find_field(row, layout->separator, layout->column[1], &id[1]);
    bool over_numbers = count_numbers(row, layout, &wide) == 0 && count_numbers(row_after(row), layout, &wide) == 2;
    bool named = is_role(&id[0], request->num_ids) && is_role(&id[1], request->num_ids) && !by_number;
    layout->has_header =
        there && (named || over_numbers) && !is_vertex(request->known, &id[0]) && !is_vertex(request->known, &id[1]);
    layout->guessed = layout->has_header && named;
    if (layout->has_header && !named && request->is_text && request->known == NULL && !by_number)
        return text_error(input, input->next_line, 1, error,
                          "only this row has no numbers, so it may be a header or ids; %s", request->advice);
    if (!layout->has_header && request->columns == NULL) {
        layout->column[0] = 0;
        layout->column[1] = request->num_ids == 2;
    }
    return STATUS_OK;
}

int table_check_header(const struct text_input *input, const struct table_request *request,
                       const struct table_layout *layout, const struct graph *graph, struct error *error)
{
    for (int i = 0; layout->guessed && i < request->num_ids; i++) {
        struct field name = {.text = layout->name[i], .length = strlen(layout->name[i])};
        if (is_vertex(graph, &name))
            return error_set(error, STATUS_INPUT,
                             "%s: the first row may be a header or ids, as '%s' is an id below; %s", input->path,
                             layout->name[i], request->advice);
    }
    return STATUS_OK;
}

/* The ids are text if they are no numbers in the first two rows. */
static void look_at_ids(const char *row, struct table_layout *layout)
{
    bool wide = false;
    const char *first = layout->has_header ? row_after(row) : row;
    const char *next = first != NULL ? row_after(first) : NULL;
    layout->is_text = first != NULL && count_numbers(first, layout, &wide) < 2 &&
                      (next == NULL || count_numbers(next, layout, &wide) < 2);
    for (int i = 0; i < ROWS_LOOKED_AT && first != NULL && !layout->is_wide; i++, first = row_after(first))
        count_numbers(first, layout, &layout->is_wide);
}

/* Tabs between numbers are like blanks: there may be several. */
static void join_blanks(const char *row, struct table_layout *layout)
{
    bool wide = false;
    if (layout->separator != '\t' || layout->column[0] != 0 || layout->column[1] > 1)
        return;
    layout->separator = ' ';
    if (count_numbers(row, layout, &wide) < 2)
        layout->separator = '\t';
}

/* Finds the column of weights by its name, or if the first row, where the edges begin, has no names: it is the one
 * behind the ids, if that holds a number or networkx's {'weight': 3}. */
static void find_weights(const char *row, struct table_layout *layout)
{
    static const char *const known[] = {"weight", "weights", "w", "cost", "distance", "length", "capacity"};
    unsigned *column = layout->column, behind = (column[0] > column[1] ? column[0] : column[1]) + 1;
    struct field field;
    char name[MAX_NAME];
    layout->weights = NO_COLUMN;
    for (unsigned at = 0; layout->has_header && find_field(row, layout->separator, at, &field); at++)
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            simplify(&field, name);
            if (strcmp(name, known[i]) == 0 && at != column[0] && at != column[1])
                layout->weights = at;
        }
    if (!layout->has_header && find_field(row, layout->separator, behind, &field) && field.length > 0 &&
        (skip_value(field.text) == field.text + field.length || strncmp(field.text, "{'weight'", 9) == 0))
        layout->weights = behind;
}

static void note_names(const char *row, struct table_layout *layout)
{
    struct field field;
    bool persons = layout->column[0] != layout->column[1];
    for (int i = 0; i < 2; i++) {
        if (find_field(row, layout->separator, layout->column[i], &field))
            snprintf(layout->name[i], sizeof layout->name[i], "%.*s", (int)field.length, field.text);
        persons = persons && strcasestr(layout->name[i], "person") != NULL;
    }
    layout->of_persons = persons;
}

/* ---- what is no table of edges ---- */

/* Prose is no table of names: its lines have different numbers of words. Nor are lists of neighbours a table of
 * numbers; of these the first row may be one of counts, which read_edges.c settles. */
static int refuse_ragged(const struct text_input *input, const struct table_request *request, const char *first,
                         const char *end, struct table_layout *layout, struct error *error)
{
    uint64_t line = input->next_line;
    const char *row = first, *next = row_after(first);
    bool counts = !layout->is_text && layout->first_columns <= 3;
    for (int i = 0; i < ROWS_LOOKED_AT && next != NULL; i++, row = next, next = row_after(row)) {
        const char *stop = next + strcspn(next, "\n");
        if (*stop == '\0' && (stop < end || !input->at_end))
            break; /* the rest of this row is not here yet, or a NUL hides it */
        for (const char *p = row; p < next; p++)
            line += *p == '\n';
        unsigned count = count_columns(next, layout->separator, layout->is_text);
        if (i == 0 && counts && count > 1)
            layout->num_columns = count;
        if (count != layout->num_columns && count > (layout->is_text ? 0 : 1))
            return text_error(input, line, 1, error, "not a graph: a row of %u columns after one of %u; %s", count,
                              layout->num_columns, request->first_two);
    }
    return STATUS_OK;
}

/* Names in three columns may be a triple, "ann knows bob"; of numbers, many are a matrix, as are few that are 0 or 1
 * in as many rows. */
static int refuse_columns(const struct text_input *input, const struct table_request *request, const char *row,
                          const struct table_layout *layout, struct error *error)
{
    bool wide = false, binary = true;
    unsigned columns = layout->num_columns, rows = 0;
    struct field fields[MAX_NAMED] = {{0}};
    const char *stop = row + strcspn(row, "\r\n");
    if (*stop == '\r' && !ends_row(stop[1]))
        return STATUS_OK; /* an error that is found later */
    for (const char *next = row; next != NULL && rows <= columns && binary; next = row_after(next), rows++) {
        unsigned count = split_row(next, layout->separator, fields);
        for (unsigned i = 0; i < count; i++)
            binary = binary && fields[i].length == 1 && (*fields[i].text == '0' || *fields[i].text == '1');
    }
    split_row(row, layout->separator, fields);
    const struct field *third = &fields[2];
    bool weighted = columns > 2 && third->length > 0 && skip_value(third->text) == third->text + third->length;
    if (columns > 2 && layout->is_text && !(weighted && count_numbers(row, layout, &wide) == 0))
        return text_error(input, input->next_line, 1, error,
                          "not a graph, or not clear which of the %u columns are ids; %s", columns,
                          request->first_two);
    if (!layout->is_text && (columns > MOST_NUMBERS || (columns > 2 && binary && rows == columns)))
        return text_error(input, input->next_line, 1, error,
                          "not a graph: a matrix, or a table of %u columns without names; %s", columns,
                          request->first_two);
    return STATUS_OK;
}

/* A name that is a number, such as +1 or 1.5, is none; nor is a text of numbers, as in "0,1;1,2", a number with a
 * point, as in a matrix, a sign, as in "0 -> 1", or a bracket, as in "(0,1)", an id. */
static int refuse_odd_ids(const struct text_input *input, const char *row, const struct table_layout *layout,
                          struct error *error)
{
    const char *odd = layout->is_text ? "0123456789,;|" : "+-.0123456789";
    struct field field;
    for (int i = 0; i < 2; i++) {
        if (!find_field(row, layout->separator, layout->column[i], &field) || is_number(&field) ||
            field.length == 0 || field.length >= SHOWN_NAME)
            continue;
        bool digits = strcspn(field.text, "0123456789") < field.length, sign = true;
        bool real = skip_value(field.text) == field.text + field.length && memchr(field.text, '.', field.length);
        for (size_t k = 0; k < field.length; k++)
            sign = sign && !isalnum((unsigned char)field.text[k]) && (unsigned char)field.text[k] < 0x80;
        if ((digits && strspn(field.text, odd) >= field.length) || sign || real || strchr("([{", *field.text) != NULL)
            return text_error(input, input->next_line, 1, error,
                              "'%.*s' is no name of a column, and no id, which is a whole number without a plus sign "
                              "beside the separator %s; put each edge on a line (--ids text takes any text)",
                              (int)field.length, field.text, separator_name(layout->separator));
    }
    return STATUS_OK;
}

static int refuse_short_header(const struct text_input *input, const struct table_request *request, const char *row,
                               const struct table_layout *layout, struct error *error)
{
    const char *next = row_after(row);
    unsigned names = count_columns(row, layout->separator, false);
    unsigned columns = next != NULL ? count_columns(next, layout->separator, false) : 0;
    if (!layout->has_header || columns <= names || (request->columns != NULL && !layout->named))
        return STATUS_OK;
    return text_error(input, input->next_line, 1, error,
                      "a header of %u columns over rows of %u, as of R's row names; --header yes --columns %u,%u "
                      "reads the columns that it names so",
                      names, columns, layout->column[0] + 1 + columns - names,
                      layout->column[1] + 1 + columns - names);
}

/* ---- all of it ---- */

/* "% bip" is KONECT's of a graph whose columns number two sets of vertices; "# Nodes: 5 Edges: 9" is SNAP's. */
static void note_comment(const char *line, struct table_layout *layout)
{
    char word[5];
    sscanf(line, "# Nodes: %" SCNu64 " Edges: %" SCNu64, &layout->said[0], &layout->said[1]);
    layout->bipartite = layout->bipartite || (sscanf(line, "%% %4s", word) == 1 && strcmp(word, "bip") == 0);
}

static int take_comments(struct text_input *input, struct table_layout *layout, const char **text, size_t *length,
                         struct error *error)
{
    char *line;
    while (text_peek(input, text, length, error) == STATUS_OK && *length > 0 && !is_row(*text)) {
        if (text_line(input, &line, error) != STATUS_OK)
            return error->status;
        note_comment(line, layout);
    }
    return error->status;
}

/* Refuses what may be something else than a table of edges, unless the user says how to read it. */
static int refuse_doubtful(const struct text_input *input, const struct table_request *request, const char *row,
                           const char *end, struct table_layout *layout, struct error *error)
{
    if (request->is_text || request->columns != NULL)
        return STATUS_OK;
    if ((layout->is_text || layout->has_header) && refuse_odd_ids(input, row, layout, error) != STATUS_OK)
        return error->status;
    if (request->num_ids == 1 || (layout->has_header && (layout->separator != ' ' || !layout->is_text)))
        return STATUS_OK;
    layout->first_columns = layout->num_columns = count_columns(row, layout->separator, layout->is_text);
    if (refuse_ragged(input, request, row, end, layout, error) != STATUS_OK || layout->has_header)
        return error->status;
    return refuse_columns(input, request, row, layout, error);
}

int table_find_layout(struct text_input *input, const struct table_request *request, struct table_layout *layout,
                      struct error *error)
{
    const char *text;
    size_t length;
    char *line;
    *layout = (struct table_layout){.separator = ' ', .column = {0, request->num_ids == 2}, .weights = NO_COLUMN};
    if (take_comments(input, layout, &text, &length, error) != STATUS_OK || length == 0)
        return error->status;
    layout->separator = find_separator(text);
    if (request->num_ids == 1 && request->is_text && layout->separator == ' ')
        layout->separator = ','; /* a name may have blanks */
    if (request->columns != NULL && find_wanted_columns(input, request, text, layout, error) != STATUS_OK)
        return error->status;
    layout->named = layout->has_header;
    if (!layout->named && request->header != HEADER_YES)
        join_blanks(text, layout);
    if (request->header == HEADER_YES && request->columns == NULL)
        find_known_columns(text, layout->separator, request->num_ids, layout->column);
    layout->has_header = layout->named || request->header == HEADER_YES;
    if (!layout->has_header && request->header == HEADER_AUTO &&
        look_for_header(input, request, text, layout, error) != STATUS_OK)
        return error->status;
    look_at_ids(text, layout);
    find_weights(text, layout);
    if (refuse_short_header(input, request, text, layout, error) != STATUS_OK ||
        refuse_doubtful(input, request, text, text + length, layout, error) != STATUS_OK || !layout->has_header)
        return error->status;
    note_names(text, layout);
    return text_line(input, &line, error);
}

void table_describe(const struct table_layout *layout, const char *ids, char text[TABLE_TEXT])
{
    char columns[2 * SHOWN_NAME + 2];
    if (layout->has_header && *layout->name[0] != '\0' && *layout->name[1] != '\0')
        snprintf(columns, sizeof columns, "%s,%s", layout->name[0], layout->name[1]);
    else
        snprintf(columns, sizeof columns, "%u,%u", layout->column[0] + 1, layout->column[1] + 1);
    snprintf(text, TABLE_TEXT, "%s, columns %s, %s, %s", separator_name(layout->separator), columns, ids,
             layout->has_header ? "header" : "no header");
}
