/* progress.h: how long-running work reports its progress, and notices that the user wants to stop it.
 *
 * Any code may call these functions, from any thread. The command line decides what they show (cli/progress.c: a
 * bar on stderr if that is a terminal, otherwise nothing). Only one phase is active at a time. */
#ifndef GTRAV_PROGRESS_H
#define GTRAV_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

void progress_begin(const char *phase, uint64_t total); /* total 0: unknown; phase is copied */
void progress_set(uint64_t done);
void progress_end(void);
/* Prints a line at once, for messages that cannot wait until the work returns because the process may not live so
 * long. */
void progress_say(const char *text);

/* True once the user has pressed Ctrl-C, or SIGTERM was received. Callers finish the work in flight, keep what is
 * measured, and return STATUS_INTERRUPTED. */
bool stop_requested(void);

#endif
