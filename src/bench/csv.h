/* csv.h: rows of fields (RFC 4180), and files that rows are appended to. */
#ifndef GTRAV_CSV_H
#define GTRAV_CSV_H

#include <stdbool.h>

#include "../error.h"

#define CSV_ROW_BYTES   2048 /* of the longest row of a table */
#define CSV_MAX_COLUMNS 48   /* of the header of any version */

struct csv_table {
    const char *header; /* a line, with its end */
    const char *marker; /* how the header of every version begins */
    int num_columns;
};

/* Writes a field, quoted where it must be, with '_' for control characters. Returns the end of what it wrote: at most
 * 2n + 3 bytes for a field of n. */
char *csv_put_field(char *to, const char *field);

/* Splits a line (without its end) in place into at most CSV_MAX_COLUMNS fields. Returns how many there are;
 * CSV_MAX_COLUMNS + 1 if there are more than that. */
int csv_split_row(char *line, char *fields[CSV_MAX_COLUMNS]);

/* Calls take() (NULL: nobody) for each whole row of the file of a table, from the first to the last; a file that is
 * not there has no rows. take() sees a row's fields in the order of the table's columns, "" where an older version
 * had no such column. Each line is read by the header above it, and skipped as torn if it has more or fewer fields.
 * STATUS_INPUT if the file cannot be read to its end, or has columns that the table lacks. The caller holds a lock.
 */
typedef void csv_take(char *fields[CSV_MAX_COLUMNS], void *context);
int csv_read(const char *path, const struct csv_table *table, csv_take *take, void *context, struct error *error);

/* Appends whole rows, with one write(); a new file gets the header first. If that fails, the rows that were there
 * stay and nothing else does: STATUS_INPUT. The caller holds a lock. */
int csv_append(const char *path, const struct csv_table *table, const char *rows, struct error *error);

/* Appends the header if the last one in the file is that of another version, so that rows can follow. STATUS_INPUT as
 * for csv_read() and csv_append(). The caller holds a lock. */
int csv_renew_header(const char *path, const struct csv_table *table, struct error *error);

#endif
