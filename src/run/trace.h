/* trace.h: writes the side tables of searches (struct side_table) as CSV files next to the records. */
#pragma once

#include "../records/result.h"

/* Appends each table of a trial's result to FOLDER/<device>/<table>/<family>_<variant>_<graph>.csv: either all rows
 * or none. Call it after records_append(), whose folders it needs. STATUS_INPUT if a file has other columns; the file
 * is not changed. */
int trace_append(const struct bench_request *request, const struct trial *trial, const struct traversal *result,
                 struct error *error);
