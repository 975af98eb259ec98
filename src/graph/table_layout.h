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
    bool named;               /* the user gave such names */
    bool by_role;             /* the names are role words: none may be an id (table_check_header) */
    bool of_persons;          /* both columns are of persons: who knows whom in SNB */
    bool is_text;             /* the ids of the first rows are no whole numbers */
    bool is_wide;             /* an id of the first rows is negative, or 2^32 - 1 or more */
    bool bipartite;           /* a comment of KONECT says that the two columns number different vertices */
    uint64_t said[2];         /* numbers of vertices and edges in a comment of SNAP, or 0 */
    unsigned first_columns;   /* number of columns in the first row, which may be one of counts */
    unsigned num_columns;     /* number of columns in the other rows; 0: they may differ */
    unsigned column[2];       /* the columns of a row's two ids, from 0; the same twice if rows have one id */
    unsigned weights;         /* the column of the edges' weights, or NO_COLUMN */
    char name[2][SHOWN_NAME]; /* the names of the two columns; "" without a header */
};

/* What is known of a table before it is looked at. */
struct table_request {
    int num_ids;               /* ids in each row: 2, or 1 */
    const char *columns;       /* "A,B", or "A" for one id; NULL: find them */
    const char *option;        /* the option that gives the columns: "--columns" */
    bool is_text;              /* ids may be any text */
    int header;                /* enum header_row */
    const struct graph *known; /* the graph whose ids these are, or NULL; a row with one of its ids is no header */
};

/* Finds the layout, and takes comments before the first row and the header. A table without rows is no error.
 * STATUS_INPUT: the text is no table, it may be read in two ways, or it lacks the columns of the request. */
int table_find_layout(struct text_input *input, const struct table_request *request, struct table_layout *layout,
                      struct error *error);

/* STATUS_INPUT if the header's names are ids of the graph that was read from the table. */
int table_check_header(const struct text_input *input, const struct table_request *request,
                       const struct table_layout *layout, const struct graph *graph, struct error *error);

/* Whether the first row of the text names a column of sources and one of targets; sets which ones these are. */
bool table_has_known_header(const char *text, unsigned column[2]);

/* Writes "comma, columns src,dst, text ids, header". */
#define TABLE_TEXT (2 * SHOWN_NAME + 64)
void table_describe(const struct table_layout *layout, const char *ids, char text[TABLE_TEXT]);
