/* csv.h: rows of fields (RFC 4180), and files that rows are appended to. */
#pragma once

#include "../error.h"

#define CSV_ROW_BYTES   2048 /* room for the longest header */
#define CSV_MAX_COLUMNS 80   /* most columns of any version's header */

/* Writes a field, quoted if necessary, with '_' for control characters and for bytes that are not UTF-8. Spreadsheets
 * evaluate fields that begin with = + - @ as formulas, so such a field gets a ' before it. */
void csv_put_field(FILE *file, const char *field);

/* Splits a line, without its end, in place. Returns the number of fields; CSV_MAX_COLUMNS + 1 if there are more. */
int csv_split_row(char *line, char *fields[CSV_MAX_COLUMNS]);

/* A header is a line that begins with "graph,vertices,". A version of gtrav with other columns appends its own before
 * its first row. The last column, `check`, is a hash of the row, which callers do not see. The caller holds a lock. */

/* Calls take(), unless it is NULL, for each row below a header equal to `header`, in order, with the column names of
 * that header. NULL: below any header; rows of old versions of gtrav have no checks. A missing file has no rows.
 * Incomplete or damaged lines are skipped. *other, unless NULL: the last header differs, so new rows need a new one.
 * STATUS_INPUT if the file cannot be read to its end, or does not begin with a header, or if take() fails. */
typedef void csv_take(char *const names[], char *const fields[], int count, void *context, struct error *error);
int csv_read(const char *path, const char *header, csv_take *take, void *context, bool *other, struct error *error);

/* Appends complete rows, with their checks, by one write(); a new file gets the header first. STATUS_INPUT if writing
 * fails; then the file keeps exactly the rows that it had. */
int csv_append(const char *path, const char *header, const char *rows, struct error *error);

/* Appends lines in the same way, but without checks. Their first header_bytes are only for a new file. */
int csv_append_text(const char *path, const char *text, size_t header_bytes, struct error *error);

/* Writes lines (headers or rows), each with its check. */
void csv_put_checked(FILE *file, const char *lines);

/* Appends the header if the last one in the file differs. Fails as csv_read() and csv_append() do. */
int csv_renew_header(const char *path, const char *header, struct error *error);
