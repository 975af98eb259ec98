/* streams.h: checks that no option writes to a file or standard stream that another one reads or writes. */
#pragma once

#include <stdio.h>

#include "options.h"

/* Returns STATUS_INPUT in four cases: two options would read standard input; two would write machine-readable data to
 * standard output; the checkpoint, which must be read again, is not a regular file; an option would write to another
 * option's file or over records. */
int streams_check(const struct settings *settings, struct error *error);

/* Whether an option reads standard input. */
bool streams_use_stdin(const struct settings *settings);

/* Returns the stream for tables: standard output, unless a graph or a result goes there; then standard error. */
FILE *streams_report(const struct settings *settings);
