/* table_fields.h: the fields of a row of text. A field may be quoted as in RFC 4180, but must end on its line. Blanks
 * around a field do not belong to it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct field {
    const char *text; /* without the quotes around the field */
    size_t length;
    bool has_quotes;     /* there are doubled quotes inside */
    const char *problem; /* what is wrong with the field; NULL: nothing */
};

static inline bool ends_row(char c)
{
    return c == '\n' || c == '\0';
}

/* Skips blanks that do not separate columns. */
static inline const char *skip_padding(const char *p, char separator)
{
    while (*p == ' ' || *p == '\r' || (*p == '\t' && separator != '\t'))
        p++;
    return p;
}

/* Reads the field at p, which is after the padding. Returns the end of the field (a separator or the end of the
 * row), or the place of a problem. */
const char *scan_field(const char *p, char separator, struct field *field);

/* Returns the start of the field after the one that ends at p. NULL: the row ends. */
static inline const char *next_field(const char *p, char separator)
{
    if (separator != ' ')
        return *p == separator ? skip_padding(p + 1, separator) : NULL;
    p = skip_padding(p, separator);
    return ends_row(*p) ? NULL : p;
}

/* Finds the field of a column. Returns false if the row has fewer columns, or a problem up to this field. */
bool find_field(const char *row, char separator, unsigned column, struct field *field);

/* Finds the two ids of a row in two columns, which may be the same. Returns the end of the last id. After a problem
 * returns NULL, and sets *problem to a description and *at to the place. */
const char *find_ids(const char *row, char separator, const unsigned column[2], struct field id[2],
                     const char **problem, const char **at);

/* Reads a whole number, for which is_whole_number() is true; a negative one becomes an int64_t. Returns false if it
 * has more than 64 bits. */
bool scan_whole_number(const char *text, size_t length, uint64_t *number);

/* Makes doubled quotes inside a field single. Changes the row's text, which must be the caller's. */
void field_unescape(struct field *field);
