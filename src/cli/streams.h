/* streams.h: who may use standard input and standard output, each of which is there once. */
#ifndef GTRAV_STREAMS_H
#define GTRAV_STREAMS_H

#include <stdio.h>

#include "options.h"

/* STATUS_INPUT where two would read standard input, or where two would write to standard output something that a
 * program reads; and for a checkpoint, which is read again, that is no file. */
int streams_check(const struct settings *settings, struct error *error);

/* Whether anything is read from standard input. */
bool streams_use_stdin(const struct settings *settings);

/* Where tables go: standard output, or standard error where a graph or a result is written to standard output. */
FILE *streams_report(const struct settings *settings);

#endif
