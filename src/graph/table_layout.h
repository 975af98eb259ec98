/* table_layout.h: tables of text: which character separates the columns, whether the first row names them, and which
 * of them hold ids. All of it is found by looking at the first rows, or the user names it.
 */
#pragma once

#include "table_fields.h"
#include "text_input.h"

#define SHOWN_NAME 64 /* bytes of a column's name in a notice */
#define NO_COLUMN  UINT32_MAX

struct table_layout {
    char separator;           /* ',', '\t', ';', '|', or ' ' for runs of blanks and tabs */
    bool has_header;          /* the first row, which is taken from the input, names the columns */
    bool named;               /* the user gave such names */
    bool guessed;             /* the names alone make it a header: none may be an id (table_check_header) */
    bool of_persons;          /* both columns are of persons: who knows whom in SNB */
    bool is_text;             /* the ids of the first rows are no whole numbers */
    bool is_wide;             /* an id of the first rows is negative, or 2^32 - 1 or more */
    bool bipartite;           /* KONECT: the ids of the two columns are of different vertices */
    uint64_t said[2];         /* numbers of vertices and edges in a comment of SNAP; 0: not there */
    unsigned first_columns;   /* of the first row, which may be one of counts */
    unsigned num_columns;     /* of the other ones; 0: they may differ */
    unsigned column[2];       /* of the two ids of a row, from 0; the same one twice if rows have one id */
    unsigned weights;         /* the column of the edges' weights; NO_COLUMN: there is none */
    char name[2][SHOWN_NAME]; /* of these columns; "" without a header */
};

/* What is known of a table before it is looked at. */
struct table_request {
    int num_ids;           /* of each row: 2, or 1 */
    const char *columns;   /* "A,B", or "A" for one id; NULL: find them */
    const char *option;    /* that the columns were given by: "--columns" */
    const char *advice;    /* how to say whether the first row is a header, for messages */
    const char *first_two; /* how to take the first two columns */
    bool is_text;          /* ids may be any text */
    int header;            /* enum header_row */
    const struct graph
        *known; /* NULL, or the graph of which the ids are: with those in the first row it is no header */
};

/* Finds the layout, and takes comments before the first row and the header. A table without rows is no error.
 * STATUS_INPUT: the text is no table, it may be read in two ways, or it lacks the columns of the request. */
int table_find_layout(struct text_input *input, const struct table_request *request, struct table_layout *layout,
                      struct error *error);

/* STATUS_INPUT if the header's names are ids of the graph that was read from the table. */
int table_check_header(const struct text_input *input, const struct table_request *request,
                       const struct table_layout *layout, const struct graph *graph, struct error *error);

/* Whether the first row of the text names a column of sources and one of targets; which ones they are. */
bool table_has_known_header(const char *text, unsigned column[2]);

/* Writes "comma, columns src,dst, text ids, header". */
#define TABLE_TEXT (2 * SHOWN_NAME + 64)
void table_describe(const struct table_layout *layout, const char *ids, char text[TABLE_TEXT]);

/* "comma" */
const char *separator_name(char separator);
