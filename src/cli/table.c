#include "table.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>

#define GAP         2 /* blanks between columns */
#define MAX_COLUMNS 32

int table_init(struct table *table, int num_rows, const char *align, struct error *error)
{
    assert(strlen(align) <= MAX_COLUMNS);
    *table = (struct table){.num_rows = num_rows, .num_columns = (int)strlen(align), .align = align};
    return allocate_zeroed(&table->cells, (size_t)num_rows * (size_t)table->num_columns, CELL_BYTES, "a table", error);
}

void table_release(struct table *table)
{
    free(table->cells);
    *table = (struct table){0};
}

static char *cell_of(const struct table *table, int row, int column)
{
    return table->cells[row * table->num_columns + column];
}

void table_cell(struct table *table, int row, int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell_of(table, row, column), CELL_BYTES, format, arguments);
    va_end(arguments);
}

/* Returns the width of the first length bytes of a UTF-8 text: the number of bytes that begin a character. */
static int text_width(const char *text, int length)
{
    int width = 0;
    for (int i = 0; i < length && text[i] != '\0'; i++)
        width += (text[i] & 0xC0) != 0x80;
    return width;
}

static void print_blanks(FILE *file, int count)
{
    fprintf(file, "%*s", count, "");
}

/* The width of the widest of these cells. */
static int widest_cell(const struct table *table, int end_row, int first_column, int end_column)
{
    int widest = 0;
    for (int row = 0; row < end_row; row++)
        for (int column = first_column; column < end_column; column++) {
            int width = text_width(cell_of(table, row, column), INT_MAX);
            widest = width > widest ? width : widest;
        }
    return widest;
}

/* Returns how many bytes of the text go on a line of this width: all, those up to a blank, or part of a long word. */
static int line_length(const char *text, int width)
{
    int all = (int)strlen(text), length = all, part = 0;
    while (text_width(text, length) > width && length > 0)
        for (length--; length > 0 && text[length] != ' ';)
            length--;
    while (length == 0 && part < all && text_width(text, part + 1) <= width)
        part++;
    return length > 0 ? length : part;
}

void print_wrapped(FILE *file, const char *text, int columns, int indent)
{
    for (int length; *text != '\0'; text += length, text += strspn(text, " ")) {
        length = columns > indent ? line_length(text, columns - indent) : (int)strlen(text);
        fprintf(file, "%.*s\n", length, text);
        if (text[length] != '\0')
            print_blanks(file, indent);
    }
}

/* ---- rows ---- */

/* Returns the width of a column's widest word, which is the least width of the column. */
static int narrowest(const struct table *table, int column)
{
    int widest = 0;
    for (int row = 0; row < table->num_rows; row++) {
        const char *text = cell_of(table, row, column);
        while (*text != '\0') {
            int length = (int)strcspn(text, " "), width = text_width(text, length);
            widest = width > widest ? width : widest;
            text += length;
            text += strspn(text, " ");
        }
    }
    return widest;
}

static int table_width(const struct table *table, const int *widths)
{
    int width = -GAP;
    for (int column = 0; column < table->num_columns; column++)
        if (widths[column] > 0)
            width += GAP + widths[column];
    return width;
}

/* Narrows the columns of one alignment until the table fits. False if it cannot fit. */
static bool narrow(const struct table *table, char align, int columns, int *widths)
{
    while (columns > 0 && table_width(table, widths) > columns) {
        int widest = -1;
        for (int column = 0; column < table->num_columns; column++)
            if (table->align[column] == align && (widest < 0 || widths[column] > widths[widest]) &&
                widths[column] > narrowest(table, column))
                widest = column;
        if (widest < 0)
            return false;
        widths[widest]--;
    }
    return true;
}

/* Prints the next line of each cell of a row, and moves the texts past it. False if nothing was left. */
static bool print_line(FILE *file, const struct table *table, const int *widths, const char **texts)
{
    bool any = false;
    int owed = 0; /* blanks not yet printed, so that no line ends with blanks */
    for (int column = 0; column < table->num_columns; column++)
        any = any || *texts[column] != '\0';
    for (int column = 0; any && column < table->num_columns; column++) {
        const char *text = texts[column];
        if (widths[column] == 0)
            continue;
        int length = line_length(text, widths[column]);
        int slack = widths[column] - text_width(text, length);
        bool right = table->align[column] == 'r';
        print_blanks(file, length > 0 ? owed + (right ? slack : 0) : 0);
        fwrite(text, 1, (size_t)length, file);
        owed = (length > 0 ? (right ? 0 : slack) : owed + slack) + GAP;
        texts[column] = text + length + strspn(text + length, " ");
    }
    if (any)
        fputc('\n', file);
    return any;
}

static void print_rows(FILE *file, const struct table *table, const int *widths, const char **texts)
{
    for (int row = 0; row < table->num_rows; row++) {
        for (int column = 0; column < table->num_columns; column++)
            texts[column] = cell_of(table, row, column);
        while (print_line(file, table, widths, texts))
            continue;
        if (row > 0)
            continue;
        for (int i = table_width(table, widths); i > 0; i--)
            fputc('-', file);
        fputc('\n', file);
    }
}

/* Prints a line for each cell: its column's heading, then the cell. */
static void print_records(FILE *file, const struct table *table, int columns)
{
    int indent = widest_cell(table, 1, 0, table->num_columns) + GAP;
    for (int row = 1; row < table->num_rows; row++) {
        if (row > 1)
            fputc('\n', file);
        for (int column = 0; column < table->num_columns; column++) {
            const char *label = cell_of(table, 0, column), *text = cell_of(table, row, column);
            if (*text == '\0')
                continue;
            fputs(label, file);
            print_blanks(file, indent - text_width(label, INT_MAX));
            print_wrapped(file, text, columns, indent);
        }
    }
}

void table_print(FILE *file, const struct table *table, int columns)
{
    int widths[MAX_COLUMNS];
    const char *texts[MAX_COLUMNS];
    for (int column = 0; column < table->num_columns; column++)
        widths[column] = widest_cell(table, table->num_rows, column, column + 1);
    /* If the columns do not fit, headings over numbers are wrapped first, then text. */
    if (narrow(table, 'r', columns, widths) || narrow(table, 'w', columns, widths))
        print_rows(file, table, widths, texts);
    else
        print_records(file, table, columns);
}

const char *grouped(uint64_t value, char text[GROUPED_BYTES])
{
    char digits[GROUPED_BYTES];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *end = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *end++ = ',';
        *end++ = digits[i];
    }
    *end = '\0';
    return text;
}

const char *vertices_in_words(uint64_t count, char text[VERTICES_BYTES])
{
    char vertices[GROUPED_BYTES];
    snprintf(text, VERTICES_BYTES, "%s %s", grouped(count, vertices), count == 1 ? "vertex" : "vertices");
    return text;
}

const char *edges_in_words(uint64_t num_edges, bool undirected, char text[EDGES_BYTES])
{
    char edges[GROUPED_BYTES], stored[GROUPED_BYTES];
    if (undirected)
        snprintf(text, EDGES_BYTES, "%s undirected edge%s (%s stored)", grouped(num_edges / 2, edges),
                 num_edges == 2 ? "" : "s", grouped(num_edges, stored));
    else
        snprintf(text, EDGES_BYTES, "%s directed edge%s", grouped(num_edges, edges), num_edges == 1 ? "" : "s");
    return text;
}
