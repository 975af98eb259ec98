/* streams.h: checks that no option writes to a file or standard stream that another one reads or writes. */
#pragma once

#include <stdio.h>

#include "options.h"

/* STATUS_INPUT if two options would read standard input; if two would write machine-readable data to standard output;
 * if the checkpoint, which must be read again, is not a regular file; or if an option would write to the file of
 * another option or over records. */
int streams_check(const struct settings *settings, struct error *error);

/* Whether an option reads standard input. */
bool streams_use_stdin(const struct settings *settings);

/* Returns the stream for tables: standard output, unless a graph or a result goes there; then standard error. */
FILE *streams_report(const struct settings *settings);
