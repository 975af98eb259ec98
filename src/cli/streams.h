/* streams.h: checks that at most one option reads standard input, and at most one writes data to standard output. */
#ifndef GTRAV_STREAMS_H
#define GTRAV_STREAMS_H

#include <stdio.h>

#include "options.h"

/* STATUS_INPUT if two options would read standard input, if two would write machine-readable data to standard
 * output, or if the checkpoint, which is read again, is not a regular file. */
int streams_check(const struct settings *settings, struct error *error);

/* Whether an option reads standard input. */
bool streams_use_stdin(const struct settings *settings);

/* Where tables are printed: standard output, or standard error if a graph or a result goes to standard output. */
FILE *streams_report(const struct settings *settings);

#endif
