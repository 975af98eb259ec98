#include "table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GAP 2 /* blanks between columns */

int table_init(struct table *table, int num_rows, const char *align, struct error *error)
{
    *table = (struct table){.num_rows = num_rows, .num_columns = (int)strlen(align), .align = align};
    return allocate_zeroed(&table->cells, (size_t)num_rows * (size_t)table->num_columns, CELL_BYTES, "a table",
                           error);
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

/* Columns that UTF-8 text takes on a terminal: its bytes without the continuation bytes. */
static int text_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += (*text & 0xC0) != 0x80;
    return width;
}

static void print_blanks(FILE *file, int count)
{
    fprintf(file, "%*s", count, "");
}

static int column_width(const struct table *table, int column)
{
    int widest = 0;
    for (int row = 0; row < table->num_rows; row++) {
        int width = text_width(cell_of(table, row, column));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static int row_width(const struct table *table, int row)
{
    int widest = 0;
    for (int column = 0; column < table->num_columns; column++) {
        int width = text_width(cell_of(table, row, column));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static int table_width(const struct table *table)
{
    int width = -GAP;
    for (int column = 0; column < table->num_columns; column++)
        if (column_width(table, column) > 0)
            width += GAP + column_width(table, column);
    return width;
}

static void print_rows(FILE *file, const struct table *table)
{
    for (int row = 0; row < table->num_rows; row++) {
        int owed = 0; /* blanks not yet printed, so that no line ends with some */
        for (int column = 0; column < table->num_columns; column++) {
            const char *text = cell_of(table, row, column);
            if (column_width(table, column) == 0)
                continue;
            int slack = column_width(table, column) - text_width(text);
            bool right = table->align[column] == 'r';
            print_blanks(file, text[0] != '\0' ? owed + (right ? slack : 0) : 0);
            fputs(text, file);
            owed = (text[0] != '\0' ? (right ? 0 : slack) : owed + slack) + GAP;
        }
        fputc('\n', file);
        if (row > 0)
            continue;
        for (int i = table_width(table); i > 0; i--)
            fputc('-', file);
        fputc('\n', file);
    }
}

static void print_turned(FILE *file, const struct table *table)
{
    int label_width = row_width(table, 0);
    for (int column = 0; column < table->num_columns; column++) {
        if (column_width(table, column) == 0)
            continue;
        fputs(cell_of(table, 0, column), file);
        print_blanks(file, label_width - text_width(cell_of(table, 0, column)));
        for (int row = 1; row < table->num_rows; row++) {
            const char *text = cell_of(table, row, column);
            print_blanks(file, GAP + row_width(table, row) - text_width(text));
            fputs(text, file);
        }
        fputc('\n', file);
    }
}

void table_print(FILE *file, const struct table *table, int columns)
{
    if (columns > 0 && table_width(table) > columns)
        print_turned(file, table);
    else
        print_rows(file, table);
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
