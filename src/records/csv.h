/* csv.h: rows of fields (RFC 4180), and files that rows are appended to. */
#pragma once

#include <stdbool.h>

#include "../error.h"

#define CSV_ROW_BYTES   2048 /* in the longest row of a table */
#define CSV_MAX_COLUMNS 64   /* in the header of any version */

struct csv_table {
    const char *header; /* a line, with its end */
    const char *marker; /* the beginning of every version's header */
    int num_columns;
};

/* Writes a field, quoted if necessary, with '_' for control characters. Returns the end of the written text, which
 * is at most 2n + 3 bytes for a field of n bytes. */
char *csv_put_field(char *to, const char *field);

/* Splits a line (without its end) in place into at most CSV_MAX_COLUMNS fields. Returns how many there are;
 * CSV_MAX_COLUMNS + 1 if there are more than that. */
int csv_split_row(char *line, char *fields[CSV_MAX_COLUMNS]);

/* Calls take() (NULL: no function) for each complete row of a table's file, from the first to the last. A missing
 * file has no rows. take() sees a row's fields in the order of the table's columns, "" for columns that the row's
 * version did not have. Each line is read by the header above it, and skipped as incomplete if it has more or fewer
 * fields. STATUS_INPUT if the file cannot be read to its end, or has columns that the table lacks. The caller holds
 * a lock. */
typedef void csv_take(char *fields[CSV_MAX_COLUMNS], void *context);
int csv_read(const char *path, const struct csv_table *table, csv_take *take, void *context, struct error *error);

/* Appends complete rows with one write(); a new file gets the header first. If writing fails, the file keeps
 * exactly the rows that it had before: STATUS_INPUT. The caller holds a lock. */
int csv_append(const char *path, const struct csv_table *table, const char *rows, struct error *error);

/* Appends the header if the last one in the file is that of another version, so that rows can follow. STATUS_INPUT
 * as csv_read() and csv_append(). The caller holds a lock. */
int csv_renew_header(const char *path, const struct csv_table *table, struct error *error);
