/* trace.h: traces of traversals, level by level, as CSV beside the records. */
#pragma once

#include "../records/request.h"

/* Appends the levels of a trial, if its result has a trace, to
 * FOLDER/<device>/traces/<family>_<variant>_<graph>.csv: either all rows or none. Then appends the work of its
 * frontiers, if the result has it, to FOLDER/<device>/work/... in the same way. Call it after records_append(),
 * whose folders it needs. STATUS_INPUT if a file has other columns; the file is not changed. output: as in
 * record_run_init(). */
int trace_append(const struct bench_request *request, const char *output, const struct trial *trial,
                 const struct traversal *result, struct error *error);
