#include "table_layout.h"

#include <ctype.h>
#include <strings.h>

#define ROWS_LOOKED_AT 1000
#define MAX_NAME       64u  /* bytes of a simplified name */
#define MAX_COLUMNS    256u /* most columns that are examined */
#define MOST_NUMBERS   4u   /* most columns of an edge without a header: its ends, a weight, a time */

/* ---- rows ---- */

struct fields {
    unsigned count;
    bool has_problem; /* the field after these has a problem */
    struct field field[MAX_COLUMNS];
};

static void split_row(const char *row, char separator, struct fields *fields)
{
    *fields = (struct fields){0};
    for (const char *p = skip_padding(row, separator); p != NULL && fields->count < MAX_COLUMNS; fields->count++) {
        p = scan_field(p, separator, &fields->field[fields->count]);
        fields->has_problem = fields->field[fields->count].problem != NULL;
        if (fields->has_problem)
            return;
        p = next_field(p, separator);
    }
}

static bool is_number(const struct field *field)
{
    return is_whole_number(field->text, field->length);
}

/* Returns whether a field is a decimal number, whole or not. */
static bool is_value(const struct field *field)
{
    return field->length > 0 && skip_value(field->text) == field->text + field->length;
}

/* Returns whether a line is a row: neither blank nor a comment. */
static bool is_row(const char *line)
{
    const char *p = skip_blanks(line);
    return !ends_row(*p) && *p != '#' && *p != '%';
}

/* Returns the first row at or after the text, or NULL. */
static const char *find_row(const char *text)
{
    for (const char *line = text; *line != '\0'; line += *line == '\n') {
        if (is_row(line))
            return line;
        line += strcspn(line, "\n");
    }
    return NULL;
}

static const char *row_after(const char *row)
{
    row += strcspn(row, "\n");
    return *row == '\n' ? find_row(row + 1) : NULL;
}

/* ---- the separator ---- */

static const char separators[] = "\t|;,";

static const char *separator_name(char separator)
{
    static const char *const names[] = {"tab", "bar", "semicolon", "comma"};
    const char *found = strchr(separators, separator);
    return found != NULL ? names[found - separators] : "blank";
}

/* Returns the character after the number if the row begins with a number; otherwise the first of `separators` that
 * occurs outside quotes and outside the attributes of networkx ({'weight': 3, 'since': 2}). */
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

/* ---- names of columns ---- */

/* The simplified names of columns of ids and of weights. A single letter may also be an id. */
static const char *const edge_roles[] = {
    "src dst",           "source target", "from to",       "src dest",           "source dest",  "source destination",
    "source sink",       "start end",     "tail head",     "origin destination", "citing cited", "follower followee",
    "subject object",    "parent child",  "node1 node2",   "vertex1 vertex2",    "id1 id2",      "person1 person2",
    "protein1 protein2", "gene1 gene2",   "person person", "comment comment",    "u v",          NULL};
static const char *const vertex_roles[] = {"id", "vertex", "node", "name", "key", "person", NULL};
static const char *const weight_names[] = {"weight", "weights", "w", "cost", "distance", "length", "capacity", NULL};

/* "FromNodeId" becomes "from", ":START_ID(Person)" "start", "protein1" stays. */
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

static bool is_named(const struct field *field, const struct field *wanted, bool simplified)
{
    char name[MAX_NAME];
    if (simplified)
        simplify(field, name);
    return simplified ? strlen(name) == wanted->length && memcmp(name, wanted->text, wanted->length) == 0
                      : field->length == wanted->length && strncasecmp(field->text, wanted->text, field->length) == 0;
}

/* Counts the columns with a name. Sets *column to the first of them that comes after `skip` others of this name. */
static unsigned count_named(const struct fields *names, const struct field *wanted, bool simplified, unsigned skip,
                            unsigned *column)
{
    unsigned count = 0;
    for (unsigned at = 0; at < names->count; at++)
        if (is_named(&names->field[at], wanted, simplified) && count++ == skip)
            *column = at;
    return count;
}

/* Returns whether both ids have the same name. Then the second id is in the second column with this name. */
static bool are_twins(const struct field wanted[2])
{
    return wanted[0].length == wanted[1].length && strncasecmp(wanted[0].text, wanted[1].text, wanted[0].length) == 0;
}

/* Finds the columns of the ids by their role words. Returns the length of the first word, or 0 unless each id has
 * exactly one such column. */
static size_t find_role_columns(const char *row, char separator, int num_ids, unsigned column[2])
{
    struct fields names;
    split_row(row, separator, &names);
    for (const char *const *roles = num_ids == 2 ? edge_roles : vertex_roles; *roles != NULL; roles++) {
        struct field wanted[2];
        const char *second = num_ids == 2 ? scan_field(*roles, ' ', &wanted[0]) + 1 : *roles;
        scan_field(second, ' ', &wanted[num_ids - 1]);
        unsigned found[2], twice = num_ids == 2 && are_twins(wanted), count = 0;
        for (int i = 0; i < num_ids; i++)
            count += count_named(&names, &wanted[i], true, i == 1 && twice, &found[i]) == 1 + twice;
        if (count == (unsigned)num_ids) {
            column[0] = found[0];
            column[1] = found[num_ids - 1];
            return wanted[0].length;
        }
    }
    return 0;
}

static bool is_weight_name(const struct field *field)
{
    for (const char *const *name = weight_names; *name != NULL; name++)
        if (is_named(field, &(struct field){.text = *name, .length = strlen(*name)}, true))
            return true;
    return false;
}

bool table_has_known_header(const char *text, unsigned column[2])
{
    const char *row = find_row(text);
    return row != NULL && find_role_columns(row, find_separator(row), 2, column) > 0;
}

/* ---- columns that the user names ---- */

static int find_wanted_column(const struct text_input *input, const struct table_request *request, const char *row,
                              const struct field wanted[2], int which, struct table_layout *layout, struct error *error)
{
    const struct field *name = &wanted[which];
    struct fields names;
    if (is_number(name)) {
        unsigned long number = strtoul(name->text, NULL, 10);
        if (number < 1 || number > UINT16_MAX)
            return error_set(error, STATUS_INPUT, "%s %s: columns are numbered from 1", request->option,
                             request->columns);
        layout->column[which] = (unsigned)number - 1;
        return STATUS_OK;
    }
    if (request->header == HEADER_NO)
        return error_set(error, STATUS_INPUT, "%s %s names columns, but --header no says that no row has names",
                         request->option, request->columns);
    bool twice = request->num_ids == 2 && are_twins(wanted);
    split_row(row, layout->separator, &names);
    unsigned count = count_named(&names, name, false, twice && which == 1, &layout->column[which]);
    layout->has_header = layout->named = true;
    if (count == 0)
        return text_error(input, input->next_line, 1, error, "no column is named '%.*s' in this line: %.*s",
                          (int)name->length, name->text, (int)strcspn(row, "\r\n"), row);
    if (count > 1u + twice)
        return text_error(input, input->next_line, 1, error, "%u columns are named '%.*s'; give numbers to %s", count,
                          (int)name->length, name->text, request->option);
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
    else if (layout->column[0] == layout->column[1])
        return error_set(error, STATUS_INPUT, "%s %s is one column; name another for the second id", request->option,
                         request->columns);
    return STATUS_OK;
}

/* ---- the header ---- */

/* Counts the whole numbers among a row's two ids. Sets *wide if one of them cannot be a vertex. wide may be NULL. */
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
        if (wide != NULL)
            *wide = *wide || field.text[0] == '-' || number >= MAX_VERTICES;
    }
    return count;
}

static bool is_vertex(const struct graph *graph, const char *name)
{
    vertex_t vertex;
    return graph != NULL && graph_find_text(graph, name, strlen(name), &vertex);
}

static void note_names(const char *row, struct table_layout *layout)
{
    struct field field;
    layout->of_persons = layout->column[0] != layout->column[1];
    for (int i = 0; i < 2; i++) {
        if (find_field(row, layout->separator, layout->column[i], &field))
            snprintf(layout->name[i], sizeof layout->name[i], "%.*s", (int)field.length, field.text);
        layout->of_persons = layout->of_persons && strcasestr(layout->name[i], "person") != NULL;
    }
}

static const char *header_advice(const struct table_request *request)
{
    return request->num_ids == 2 ? "--header yes or --header no decides"
                                 : "--vertex-column NAME takes it as a header, --vertex-column 1 as an id";
}

/* Decides whether the first row is a header, because it cannot be an edge. There are two cases. Its ids are not
 * numbers, but those of the second row are (then all rows must have numbers). Or both ids are role words, and no id
 * below is one of them (table_check_header). */
static int look_for_header(const struct text_input *input, const struct table_request *request, const char *row,
                           struct table_layout *layout, struct error *error)
{
    bool by_number = request->columns != NULL;
    unsigned found[2] = {0, request->num_ids == 2};
    size_t role = find_role_columns(row, layout->separator, request->num_ids, found);
    bool same = (found[0] == layout->column[0] && found[1] == layout->column[1]) ||
                (found[0] == layout->column[1] && found[1] == layout->column[0]);
    unsigned first_two[2] = {layout->column[0], layout->column[1]};
    if (!by_number)
        memcpy(layout->column, found, sizeof found);
    layout->by_role = role > 1 && (!by_number || (same && request->num_ids == 2));
    bool over_numbers = count_numbers(row, layout, NULL) == 0 && count_numbers(row_after(row), layout, NULL) == 2;
    note_names(row, layout);
    layout->has_header = request->header == HEADER_YES ||
                         ((layout->by_role || over_numbers) && !is_vertex(request->known, layout->name[0]) &&
                          !is_vertex(request->known, layout->name[1]));
    if (!layout->has_header)
        memcpy(layout->column, first_two, sizeof first_two);
    else if (request->header == HEADER_AUTO && !layout->by_role && request->is_text && request->known == NULL &&
             !(by_number && request->num_ids == 1))
        return text_error(input, input->next_line, 1, error,
                          "only this row has no numbers, so it may be a header or ids; %s", header_advice(request));
    return STATUS_OK;
}

int table_check_header(const struct text_input *input, const struct table_request *request,
                       const struct table_layout *layout, const struct graph *graph, struct error *error)
{
    bool decided = !layout->has_header || !layout->by_role || request->header != HEADER_AUTO;
    for (int i = 0; !decided && i < request->num_ids; i++)
        if (is_vertex(graph, layout->name[i]))
            return error_set(error, STATUS_INPUT,
                             "%s: the first row may be a header or ids, as '%s' is an id below; %s", input->path,
                             layout->name[i], header_advice(request));
    return STATUS_OK;
}

/* ---- ids and weights ---- */

/* Decides that ids are text if neither of the first two rows has two numbers, and that they are wide if a number in
 * one of the first rows cannot be a vertex. */
static void look_at_ids(const char *row, struct table_layout *layout)
{
    const char *first = layout->has_header ? row_after(row) : row;
    const char *next = first != NULL ? row_after(first) : NULL;
    layout->is_text = first != NULL && count_numbers(first, layout, NULL) < 2 &&
                      (next == NULL || count_numbers(next, layout, NULL) < 2);
    for (int i = 0; i < ROWS_LOOKED_AT && first != NULL && !layout->is_wide; i++, first = row_after(first))
        count_numbers(first, layout, &layout->is_wide);
}

/* Treats tabs between two numbers like blanks, since there may be several in a row. */
static void join_blanks(const char *row, struct table_layout *layout)
{
    if (layout->separator != '\t' || layout->column[0] != 0 || layout->column[1] > 1)
        return;
    layout->separator = ' ';
    if (count_numbers(row, layout, NULL) < 2)
        layout->separator = '\t';
}

/* Finds the column of weights that the user names. */
static int find_wanted_weights(const struct text_input *input, const struct table_request *request, const char *row,
                               struct table_layout *layout, struct error *error)
{
    const struct field name = {.text = request->weights, .length = strlen(request->weights)};
    struct fields names;
    unsigned long number = is_number(&name) ? strtoul(name.text, NULL, 10) : 0;
    split_row(row, layout->separator, &names);
    unsigned count = number == 0 && layout->has_header ? count_named(&names, &name, false, 0, &layout->weights) : 0;
    if (number > 0 && number <= names.count)
        layout->weights = (unsigned)number - 1;
    else if (count != 1)
        return text_error(input, input->next_line, 1, error,
                          "--weights %s: not the number of a column, nor the name of one column in a header",
                          request->weights);
    if (layout->weights == layout->column[0] || layout->weights == layout->column[1])
        return text_error(input, input->next_line, 1, error, "--weights %s: this column holds ids", request->weights);
    return STATUS_OK;
}

/* Finds the column of weights by its name. In a table without a header, it is the column after the ids, if that holds
 * a number or networkx's {'weight': 3}. Returns false if that is a guess: several columns have such names, or there are
 * columns beside the ids, but none of them is it. */
static bool find_weights(const char *row, struct table_layout *layout)
{
    const unsigned *column = layout->column, behind = (column[0] > column[1] ? column[0] : column[1]) + 1;
    struct fields fields;
    unsigned found = 0, others = 0;
    split_row(row, layout->separator, &fields);
    layout->weights = NO_COLUMN;
    for (unsigned at = 0; at < fields.count; at++) {
        const struct field *field = &fields.field[at];
        if (at == column[0] || at == column[1] || field->length == 0 || strncmp(field->text, "{}", 2) == 0)
            continue;
        others++;
        if (layout->has_header ? is_weight_name(field)
                               : at == behind && (is_value(field) || strncmp(field->text, "{'weight'", 9) == 0)) {
            layout->weights = at;
            found++;
        }
    }
    return found == 1 || others == 0;
}

/* ---- texts that may not be a table of edges ---- */

/* Counts a row's columns up to networkx's attributes or a comment. Empty columns at the end do not count, unless ids
 * are text without a header. Sets *binary to false if a column is neither 0 nor 1. Returns 0 if the row has an error,
 * such as an open quote. */
static unsigned count_columns(const char *row, const struct table_layout *layout, bool *binary)
{
    struct fields fields;
    unsigned count = 0;
    split_row(row, layout->separator, &fields);
    while (count < fields.count && fields.field[count].text[0] != '{' && fields.field[count].text[0] != '#')
        count++;
    while (count > 0 && fields.field[count - 1].length == 0 && (layout->has_header || !layout->is_text))
        count--;
    for (unsigned i = 0; i < fields.count; i++)
        *binary = *binary && fields.field[i].length == 1 && (fields.field[i].text[0] | 1) == '1';
    return fields.has_problem ? 0 : count;
}

/* Returns whether a field is neither a name nor a whole number, such as +1, 1.5, "0,1;1,2" or (0,1). */
static bool is_odd_id(const struct field *field)
{
    return field->length > 0 && !is_number(field) &&
           (is_value(field) || strchr("([{", *field->text) != NULL ||
            strspn(field->text, "0123456789,;|") >= field->length);
}

static int refuse_odd_ids(const struct text_input *input, const char *row, const struct table_layout *layout,
                          struct error *error)
{
    struct field field;
    for (int i = 0; i < 2; i++)
        if (find_field(row, layout->separator, layout->column[i], &field) && is_odd_id(&field))
            return text_error(input, input->next_line, 1, error,
                              "'%.*s' is neither a name nor a whole number, and the separator is %s; give each edge "
                              "a line of its own (--ids text takes any text)",
                              (int)(field.length < SHOWN_NAME ? field.length : SHOWN_NAME), field.text,
                              separator_name(layout->separator));
    return STATUS_OK;
}

/* Returns whether more than two columns may hold ids: three columns of names ("ann knows bob"), many columns of
 * numbers without a header, or a third column of whole numbers under a header without role words. */
static bool has_more_ids(const char *row, const struct table_layout *layout)
{
    const char *edge = layout->has_header ? row_after(row) : row;
    struct field name = {0}, third = {0};
    if (layout->num_columns <= 2 || layout->by_role || edge == NULL || !find_field(edge, layout->separator, 2, &third))
        return false;
    if (layout->is_text)
        return !is_value(&third) || count_numbers(edge, layout, NULL) > 0;
    if (layout->has_header)
        return is_number(&third) && find_field(row, layout->separator, 2, &name) && !is_weight_name(&name);
    return layout->num_columns > MOST_NUMBERS;
}

static int refuse_row(const struct text_input *input, const struct table_request *request, uint64_t line,
                      unsigned columns, const struct table_layout *layout, struct error *error)
{
    const char *kind = layout->has_header         ? "under row names, like R's?"
                       : layout->is_text          ? "prose?"
                       : layout->separator != ' ' ? "another separator?"
                                                  : "an adjacency list, which networkx.read_adjlist() reads in "
                                                    "Python, or METIS under another name than x.graph?";
    char wanted[64] = "A,B";
    unsigned shift = columns - layout->num_columns;
    if (layout->has_header && columns > layout->num_columns)
        snprintf(wanted, sizeof wanted, "%u,%u", layout->column[0] + 1 + shift, layout->column[1] + 1 + shift);
    return text_error(input, line, 1, error,
                      "not a table of edges: rows of %u and of %u columns (%s); %s%s %s says which hold the ids",
                      layout->num_columns, columns, kind,
                      layout->has_header && strcmp(request->option, "--columns") == 0 ? "--header yes " : "",
                      request->option, wanted);
}

/* Refuses rows of different lengths, and small matrices of 0 and 1. The first row may differ from the others if it
 * can hold counts, which read_edges.c decides. are_equal: all rows must have the same length; otherwise only the
 * second row is checked, which may not be longer than a header. */
static int refuse_ragged(const struct text_input *input, const struct table_request *request, const char *row,
                         const char *end, bool are_equal, struct table_layout *layout, struct error *error)
{
    bool binary = true;
    uint64_t line = input->next_line;
    unsigned rows = 1, columns = count_columns(row, layout, &binary);
    bool may_be_counts = !layout->has_header && !layout->is_text && columns <= 3;
    layout->num_columns = columns;
    layout->first_columns = layout->has_header ? 0 : columns;
    if (columns == 0)
        return STATUS_OK;
    for (const char *next; rows < (are_equal ? ROWS_LOOKED_AT : 2) && (next = row_after(row)) != NULL; row = next) {
        const char *stop = next + strcspn(next, "\n");
        if (*stop == '\0' && (stop < end || !input->at_end))
            break; /* the rest of this row is not read yet, or a NUL hides it */
        for (const char *p = row; p < next; p++)
            line += *p == '\n';
        unsigned count = count_columns(next, layout, &binary);
        if (rows++ == 1 && may_be_counts && count > 1)
            layout->num_columns = count;
        if (count > layout->num_columns || (are_equal && count < layout->num_columns && count > 0))
            return refuse_row(input, request, line, count, layout, error);
    }
    if (are_equal && !layout->has_header && columns > 2 && binary && rows == columns)
        return text_error(input, input->next_line, 1, error,
                          "not a table of edges: a matrix of 0 and 1; %s A,B says which columns hold the ids",
                          request->option);
    return STATUS_OK;
}

/* Refuses a text that may not be a table of edges, unless the user says how to read it. */
static int refuse_doubtful(const struct text_input *input, const struct table_request *request, const char *row,
                           const char *end, struct table_layout *layout, struct error *error)
{
    bool is_told = request->is_text || request->columns != NULL || request->header == HEADER_YES;
    bool by_number = request->columns != NULL && !layout->named;
    bool are_equal = !is_told && (!layout->has_header || (layout->is_text && layout->separator == ' '));
    const char *stop = row + strcspn(row, "\r\n");
    if (request->num_ids == 1 || (*stop == '\r' && !ends_row(stop[1]))) /* the parser will refuse this row */
        return STATUS_OK;
    if (!is_told && (layout->is_text || layout->has_header) && refuse_odd_ids(input, row, layout, error) != STATUS_OK)
        return error->status;
    if ((layout->has_header ? !by_number : !is_told) &&
        refuse_ragged(input, request, row, end, are_equal, layout, error) != STATUS_OK)
        return error->status;
    if (is_told || !has_more_ids(row, layout))
        return STATUS_OK;
    return text_error(input, input->next_line, 1, error,
                      "not a table of edges, unless %s A,B says which of the %u columns hold the ids", request->option,
                      layout->num_columns);
}

/* ---- all of it ---- */

/* KONECT writes "% bip" if the columns number two sets of vertices; SNAP writes "# Nodes: 5 Edges: 9". */
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
    if (!layout->named && request->header != HEADER_YES)
        join_blanks(text, layout);
    if (!layout->named && request->header != HEADER_NO &&
        look_for_header(input, request, text, layout, error) != STATUS_OK)
        return error->status;
    look_at_ids(text, layout);
    const bool is_known = find_weights(text, layout);
    const bool is_auto = request->weights != NULL && strcmp(request->weights, "auto") == 0;
    if (request->weights != NULL && !is_auto && find_wanted_weights(input, request, text, layout, error) != STATUS_OK)
        return error->status;
    if (refuse_doubtful(input, request, text, text + length, layout, error) != STATUS_OK)
        return error->status;
    if (is_auto && (!is_known || (layout->weights == NO_COLUMN && layout->num_columns > 2)))
        return text_error(input, input->next_line, 1, error,
                          "which column has the weights? name or number it by --weights COLUMN; auto takes the only "
                          "one with a name such as weight, or without a header the third, if it is a number");
    if (!layout->has_header)
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
