/* table_layout.h: tables of text: which character separates the columns, whether the first row names them, and which
 * of them hold ids. All of it is found by looking at the first rows, or the user names it.
 *
 * A field may be quoted as in RFC 4180, but ends on its line. Blanks around a field are no part of it. */
#pragma once

#include "text_input.h"

#define SHOWN_NAME 64 /* bytes of a column's name in a notice */
#define NO_COLUMN  UINT32_MAX

struct table_layout {
    char separator;           /* ',', '\t', ';', '|', or ' ' for runs of blanks and tabs */
    bool has_header;          /* the first row, which is taken from the input, names the columns */
    bool of_persons;          /* both columns are of persons: who knows whom in SNB */
    bool is_text;             /* an id of the first row is no whole number */
    unsigned first_columns;   /* of the first row, which may be one of counts */
    unsigned num_columns;     /* of the other ones; 0: they may differ */
    bool is_wide;             /* an id of the first rows is negative, or 2^32 - 1 or more */
    unsigned column[2];       /* of the two ids of a row, from 0; the same one twice if rows have one id */
    unsigned weights;         /* the column of the edges' weights; NO_COLUMN: there is none */
    char name[2][SHOWN_NAME]; /* of these columns; "" without a header */
};

/* What is known of a table before it is looked at. */
struct table_request {
    int num_ids;         /* of each row: 2, or 1 */
    const char *columns; /* "A,B", or "A" for one id; NULL: find them */
    const char *option;  /* that the columns were given by: "--columns" */
    bool is_text;        /* ids may be any text */
};

/* Finds the layout, and takes comments before the first row and the header. A table without rows is no error.
 * STATUS_INPUT: the text is prose, or it lacks the columns of the request. */
int table_find_layout(struct text_input *input, const struct table_request *request, struct table_layout *layout,
                      struct error *error);

/* Whether the first row of the text names a column of sources and one of targets; which ones they are. */
bool table_has_known_header(const char *text, unsigned column[2]);

/* "comma" */
const char *separator_name(char separator);

/* ---- fields ---- */

struct field {
    const char *text; /* without quotes around it */
    size_t length;
    bool has_quotes;     /* doubled ones inside */
    const char *problem; /* NULL, or what is wrong with it */
};

static inline bool ends_row(char c)
{
    return c == '\n' || c == '\0';
}

/* Blanks that do not separate columns. */
static inline const char *skip_padding(const char *p, char separator)
{
    while (*p == ' ' || *p == '\r' || (*p == '\t' && separator != '\t'))
        p++;
    return p;
}

/* Reads the field at p, after padding. Returns where it ends: at a separator or the row's end; or if there is a
 * problem, where that is. */
const char *scan_field(const char *p, char separator, struct field *field);

/* From the end of a field to the next one; NULL: the row ends. */
static inline const char *next_field(const char *p, char separator)
{
    if (separator != ' ')
        return *p == separator ? skip_padding(p + 1, separator) : NULL;
    p = skip_padding(p, separator);
    return ends_row(*p) ? NULL : p;
}

/* The field of a column. False: the row has fewer columns, or the field has a problem. */
bool find_field(const char *row, char separator, unsigned column, struct field *field);

/* Makes doubled quotes inside a field single. Changes the row's text, which must be the caller's. */
void field_unescape(struct field *field);
