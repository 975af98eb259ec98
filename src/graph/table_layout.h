/* table_layout.h: the layout of a table of ids: the character that separates the columns, whether the first row names
 * them, and which of them hold the ids.
 *
 * Options decide. Without them a first row is a header only if it cannot be an edge, and a table that can be read in
 * two ways is refused in one line that names the option. */
#pragma once

#include "table_fields.h"
#include "text_input.h"

#define SHOWN_NAME 64 /* bytes of a column's name in a notice */
#define NO_COLUMN  UINT32_MAX

struct table_layout {
    char separator;           /* ',', '\t', ';', '|', or ' ' for runs of blanks and tabs */
    bool has_header;          /* the first row, which is taken from the input, names the columns */
    bool named;               /* the user chose the columns by these names */
    bool by_role;             /* the names are role words, so no id may be one of them (table_check_header) */
    bool of_persons;          /* both columns are of persons: who knows whom in SNB */
    bool is_text;             /* the ids of the first rows are not whole numbers */
    bool is_wide;             /* an id of the first rows is negative, or 2^32 - 1 or more */
    bool bipartite;           /* a comment of KONECT says that the two columns number different vertices */
    uint64_t said[2];         /* numbers of vertices and edges in a comment of SNAP, or 0 */
    unsigned first_columns;   /* number of columns in the first row, which may hold counts */
    unsigned num_columns;     /* number of columns in the other rows; 0: they may differ */
    unsigned column[2];       /* the columns of a row's two ids, from 0; the same twice if rows have one id */
    unsigned weights;         /* the column of the edges' weights, or NO_COLUMN */
    char name[2][SHOWN_NAME]; /* the names of the two columns; "" without a header */
};

/* What is known about a table before it is read. */
struct table_request {
    int num_ids;               /* ids in each row: 2, or 1 */
    const char *columns;       /* "A,B", or "A" for one id; NULL: find them */
    const char *weights;       /* "auto", or the column of the edges' weights; NULL: not wanted */
    const char *option;        /* the option that gives the columns: "--columns" */
    bool is_text;              /* ids may be any text */
    int header;                /* enum header_row */
    const struct graph *known; /* graph that has these ids, or NULL; a row with an id of the graph is not a header */
};

/* Finds the layout, and takes the header and the comments before the first row. A table without rows is not an error.
 * STATUS_INPUT if the text is not a table, may be read in two ways, or lacks the columns of the request. */
int table_find_layout(struct text_input *input, const struct table_request *request, struct table_layout *layout,
                      struct error *error);

/* STATUS_INPUT if the header's names are ids of the graph that was read from the table. */
int table_check_header(const struct text_input *input, const struct table_request *request,
                       const struct table_layout *layout, const struct graph *graph, struct error *error);

/* Returns whether the first row of the text names a column of sources and one of targets, and sets both columns. */
bool table_has_known_header(const char *text, unsigned column[2]);

/* Describes the layout: "comma, columns src,dst, text ids, header". */
#define TABLE_TEXT (2 * SHOWN_NAME + 64)
void table_describe(const struct table_layout *layout, const char *ids, char text[TABLE_TEXT]);
