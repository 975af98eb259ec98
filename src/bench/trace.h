/* trace.h: what a traversal did level by level, as CSV beside the records. */
#ifndef GTRAV_TRACE_H
#define GTRAV_TRACE_H

#include "request.h"

/* Appends the levels of a trial, if its result has a trace, to FOLDER/<device>/traces/<family>_<variant>_<graph>.csv:
 * all its rows, or none. Then the work of its frontiers, if the result has that, to FOLDER/<device>/work/... in the
 * same way. Call it after records_append(), whose folders it needs. A file of other columns is STATUS_INPUT, and
 * stays as it is. output: as in request_options(). */
int trace_append(const struct bench_request *request, const char *output, const struct trial *trial,
                 const struct traversal *result, struct error *error);

#endif
