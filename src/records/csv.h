/* csv.h: rows of fields (RFC 4180), and files that rows are appended to. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "../error.h"

#define CSV_ROW_BYTES   2048 /* in the longest header */
#define CSV_MAX_COLUMNS 64   /* in the header of any version */

/* Writes a field, quoted if necessary, with '_' for control characters and for bytes that are no UTF-8. Spreadsheets
 * run fields that begin with = + - @ as formulas, so these get a ' before them. */
void csv_put_field(FILE *file, const char *field);

/* Splits a line (without its end) in place into at most CSV_MAX_COLUMNS fields. Returns how many there are;
 * CSV_MAX_COLUMNS + 1 if there are more than that. */
int csv_split_row(char *line, char *fields[CSV_MAX_COLUMNS]);

/* In the functions below a file's header is a line that begins with "graph,vertices,". A version of gtrav with other
 * columns appends its own header before its first row. Each line ends with a column that callers do not see: `check`,
 * a hash of the row before it. The caller holds a lock. */

/* Calls take() (NULL: no function) for each row below a header equal to this one, from the first to the last. A
 * missing file has no rows. Lines that are incomplete or damaged are skipped. *other (NULL: not wanted): whether rows
 * can only follow after a new header. STATUS_INPUT if the file cannot be read to its end, or does not begin with a
 * header. */
typedef void csv_take(char *fields[CSV_MAX_COLUMNS], void *context);
int csv_read(const char *path, const char *header, csv_take *take, void *context, bool *other, struct error *error);

/* Appends complete rows, and their checks, with one write(); a new file gets the header first. If writing fails, the
 * file keeps exactly the rows that it had before: STATUS_INPUT. */
int csv_append(const char *path, const char *header, const char *rows, struct error *error);

/* Writes the lines of a text, headers or rows, each with its check. */
void csv_put_checked(FILE *file, const char *lines);

/* Appends the header if the last one in the file differs. STATUS_INPUT as csv_read() and csv_append(). */
int csv_renew_header(const char *path, const char *header, struct error *error);
