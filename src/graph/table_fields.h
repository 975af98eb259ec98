/* table_fields.h: the fields of a row of text. A field may be quoted as in RFC 4180, but ends on its line. Blanks
 * around a field are no part of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Reads the field at p, after padding. Returns its end: a separator or the end of the row; or the place of a problem.
 */
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

/* Finds the two ids of a row, in the columns `column`; they may be one column. Returns where the last of them ends.
 * NULL after a problem: *problem says what it is, *at where. */
const char *find_ids(const char *row, char separator, const unsigned column[2], struct field id[2],
                     const char **problem, const char **at);

/* Reads a whole number as is_whole_number() finds it, a negative one as of int64_t. False: it has more than 64 bits.
 */
bool scan_whole_number(const char *text, size_t length, uint64_t *number);

/* Makes doubled quotes inside a field single. Changes the row's text, which must be the caller's. */
void field_unescape(struct field *field);
