#include "table_layout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROWS_LOOKED_AT  1000
#define MAX_NAME        64
#define MOST_OF_ONE_ROW 3   /* columns of names, where that is all there is */
#define MAX_NAMED       64u /* columns in which known names are sought */

/* ---- fields ---- */

static const char *scan_quoted(const char *p, char separator, struct field *field)
{
    const char *start = p++;
    field->text = p;
    for (; !ends_row(*p) && !(*p == '"' && p[1] != '"'); p++)
        if (*p == '"') {
            field->has_quotes = true;
            p++;
        }
    field->length = (size_t)(p - field->text);
    if (*p != '"') {
        field->problem = "this quote is not closed on its line";
        return start;
    }
    const char *end = skip_padding(p + 1, separator);
    if (separator == ' ' ? end > p + 1 || ends_row(*end) : *end == separator || ends_row(*end))
        return separator == ' ' ? p + 1 : end;
    field->problem = "expected the end of the field after its closing quote";
    return p + 1;
}

const char *scan_field(const char *p, char separator, struct field *field)
{
    *field = (struct field){.text = p};
    if (*p == '"')
        return scan_quoted(p, separator, field);
    if (separator == ' ') {
        while (!ends_row(*p) && *p != ' ' && *p != '\t' && *p != '\r')
            p++;
        field->length = (size_t)(p - field->text);
        return p;
    }
    while (!ends_row(*p) && *p != separator)
        p++;
    const char *end = p;
    while (end > field->text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    field->length = (size_t)(end - field->text);
    return p;
}

void field_unescape(struct field *field)
{
    char *text = (char *)field->text;
    size_t to = 0;
    for (size_t from = 0; field->has_quotes && from < field->length; from++) {
        text[to++] = text[from];
        from += text[from] == '"';
    }
    field->length = field->has_quotes ? to : field->length;
    field->has_quotes = false;
}

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

bool find_field(const char *row, char separator, unsigned column, struct field *field)
{
    const char *p = skip_padding(row, separator);
    for (unsigned at = 0;; at++) {
        p = scan_field(p, separator, field);
        if (at == column || field->problem != NULL)
            return field->problem == NULL;
        if ((p = next_field(p, separator)) == NULL)
            return false;
    }
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
static const char *const roles[][2] = {{"src", "dst"},      {"source", "target"}, {"from", "to"},
                                       {"src", "dest"},     {"source", "dest"},   {"source", "destination"},
                                       {"source", "sink"},  {"start", "end"},     {"origin", "destination"},
                                       {"tail", "head"},    {"citing", "cited"},  {"follower", "followee"},
                                       {"parent", "child"}, {"u", "v"},           {"a", "b"}};
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

/* Whether names of one letter are rather those of vertices, as they are ids of the next rows, too. Then the columns
 * are the first two. */
static bool are_ids(const char *row, struct table_layout *layout)
{
    struct field name[2], id;
    for (int i = 0; i < 2; i++)
        if (!find_field(row, layout->separator, layout->column[i], &name[i]) || name[i].length != 1)
            return false;
    const char *next = row_after(row);
    for (int k = 0; k < 2 * ROWS_LOOKED_AT && next != NULL; k++, next = k % 2 == 0 ? row_after(next) : next)
        if (find_field(next, layout->separator, layout->column[k % 2], &id) && id.length == 1 &&
            (*id.text == *name[0].text || *id.text == *name[1].text)) {
            layout->column[0] = 0;
            layout->column[1] = 1;
            return true;
        }
    return false;
}

/* The first row is a header if its columns are known; or if it has no ids, and the second row has. */
static void look_at_rows(const char *row, const struct table_request *request, struct table_layout *layout)
{
    bool wide = false;
    const char *second = row_after(row);
    if (!layout->has_header && request->columns == NULL)
        layout->has_header = find_known_columns(row, layout->separator, request->num_ids, layout->column) &&
                             !(request->num_ids == 2 && are_ids(row, layout));
    if (!layout->has_header && !request->is_text)
        layout->has_header = count_numbers(row, layout, &wide) == 0 && count_numbers(second, layout, &wide) == 2;
    const char *first = layout->has_header ? second : row;
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
    if (layout->separator != '\t' || layout->has_header || layout->column[0] != 0 || layout->column[1] > 1)
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

/* How many columns a row has before networkx's attributes or a comment; 0: it has an error, such as an open quote. */
static unsigned count_columns(const char *row, char separator, bool is_text)
{
    struct field fields[MAX_NAMED] = {{0}};
    unsigned count = split_row(row, separator, fields), at = 0;
    if (count < MAX_NAMED && fields[count].problem != NULL)
        return 0;
    while (at < count && fields[at].text[0] != '{' && fields[at].text[0] != '#')
        at++;
    while (at > 0 && fields[at - 1].length == 0 && !is_text)
        at--; /* separators at the end of a row of numbers */
    return at;
}

/* Prose is no table of names: its lines have different numbers of words, or there is only one line of many. Nor are
 * lists of neighbours a table of numbers; of these the first row may be one of counts, which read_edges.c settles. */
static int refuse_ragged(const struct text_input *input, const char *first, const char *end,
                         struct table_layout *layout, struct error *error)
{
    const char *advice =
        layout->is_text ? "--ids text reads it as a table of names" : "--columns 1,2 reads the first two of each";
    unsigned wanted = count_columns(first, layout->separator, layout->is_text);
    uint64_t line = input->next_line;
    const char *row = first, *next = row_after(first);
    bool counts = !layout->is_text && wanted <= MOST_OF_ONE_ROW;
    if (next == NULL && wanted > MOST_OF_ONE_ROW && layout->is_text)
        return text_error(input, line, 1, error, "not a graph: one row of %u columns; %s", wanted, advice);
    for (int i = 0; i < ROWS_LOOKED_AT && next != NULL; i++, row = next, next = row_after(row)) {
        const char *stop = next + strcspn(next, "\n");
        if (*stop == '\0' && (stop < end || !input->at_end))
            break; /* the rest of this row is not here yet, or a NUL hides it */
        for (const char *p = row; p < next; p++)
            line += *p == '\n';
        unsigned count = count_columns(next, layout->separator, layout->is_text);
        if (i == 0 && counts && count > 1)
            wanted = count;
        if (count != wanted && count > (layout->is_text ? 0 : 1))
            return text_error(input, line, 1, error, "not a graph: a row of %u columns after one of %u; %s", count,
                              wanted, advice);
    }
    layout->first_columns = count_columns(first, layout->separator, layout->is_text);
    layout->num_columns = wanted;
    return STATUS_OK;
}

/* A name that is a number, such as +1 or 1.5, is none; nor is a text of numbers, as in "0,1;1,2", an id. */
static int refuse_odd_numbers(const struct text_input *input, const char *row, const struct table_layout *layout,
                              struct error *error)
{
    const char *odd = layout->is_text ? "0123456789,;|" : "+-.0123456789";
    struct field field;
    for (int i = 0; i < 2; i++)
        if (find_field(row, layout->separator, layout->column[i], &field) && !is_number(&field) &&
            field.length < SHOWN_NAME && strcspn(field.text, "0123456789") < field.length &&
            strspn(field.text, odd) >= field.length)
            return text_error(input, input->next_line, 1, error,
                              "'%.*s' is no name of a column, and no id, which is a whole number without a plus sign "
                              "beside the separator %s; put each edge on a line (--ids text takes any text)",
                              (int)field.length, field.text, separator_name(layout->separator));
    return STATUS_OK;
}

int table_find_layout(struct text_input *input, const struct table_request *request, struct table_layout *layout,
                      struct error *error)
{
    const char *text;
    size_t length;
    char *line;
    *layout = (struct table_layout){.separator = ' ', .column = {0, request->num_ids == 2}};
    for (;;) { /* takes lines before the first row */
        if (text_peek(input, &text, &length, error) != STATUS_OK)
            return error->status;
        if (length == 0 || is_row(text))
            break;
        if (text_line(input, &line, error) != STATUS_OK)
            return error->status;
    }
    if (length == 0)
        return STATUS_OK;
    layout->separator = find_separator(text);
    if (request->num_ids == 1 && request->is_text && layout->separator == ' ')
        layout->separator = ','; /* a name may have blanks */
    if (request->columns != NULL && find_wanted_columns(input, request, text, layout, error) != STATUS_OK)
        return error->status;
    join_blanks(text, layout);
    look_at_rows(text, request, layout);
    bool stated = request->is_text || request->columns != NULL ||
                  (layout->has_header && (layout->separator != ' ' || !layout->is_text));
    if (request->num_ids == 2 && !stated && refuse_ragged(input, text, text + length, layout, error) != STATUS_OK)
        return error->status;
    if (!request->is_text && request->columns == NULL && (layout->is_text || layout->has_header) &&
        refuse_odd_numbers(input, text, layout, error) != STATUS_OK)
        return error->status;
    find_weights(text, layout);
    if (!layout->has_header)
        return STATUS_OK;
    note_names(text, layout);
    return text_line(input, &line, error);
}
