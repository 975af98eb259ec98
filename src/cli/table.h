/* table.h: text in aligned columns, for people. */
#pragma once

#include "../error.h"

#define CELL_BYTES 512

struct table {
    int num_rows, num_columns;
    const char *align;         /* a letter per column: 'l' left, 'w' left and may wrap, 'r' right and may wrap */
    char (*cells)[CELL_BYTES]; /* num_rows x num_columns, row by row; row 0 is the heading */
};

/* One column for each letter of align. table_release() frees it. */
int table_init(struct table *table, int num_rows, const char *align, struct error *error);
void table_release(struct table *table);

/* Fills a cell. Text that is too long is cut off. */
__attribute__((format(printf, 4, 5))) void table_cell(struct table *table, int row, int column, const char *format,
                                                      ...);

/* Prints the rows (the caller may have lowered num_rows), with the heading underlined. A column without any text is
 * left out. If the table is wider than `columns` (0: no limit), columns that may be wrapped are wrapped at blanks. If
 * it is still too wide, each cell gets a line of its own, after its heading. */
void table_print(FILE *file, const struct table *table, int columns);

/* 50912018 -> "50,912,018", in text. */
#define GROUPED_BYTES 32
const char *grouped(uint64_t value, char text[GROUPED_BYTES]);

/* "512 vertices" */
#define VERTICES_BYTES (GROUPED_BYTES + 16)
const char *vertices_in_words(uint64_t count, char text[VERTICES_BYTES]);

/* "101,398 undirected edges (202,796 stored)" (an undirected edge is stored twice), or "20 directed edges". */
#define EDGES_BYTES (2 * GROUPED_BYTES + 32)
const char *edges_in_words(uint64_t num_edges, bool undirected, char text[EDGES_BYTES]);

/* Prints a text, wrapped at blanks to lines of `columns` columns (0: no limit); a longer word is split. The cursor
 * is already at column `indent`; every further line begins with `indent` blanks. */
void print_wrapped(FILE *file, const char *text, int columns, int indent);
