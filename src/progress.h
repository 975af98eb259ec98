/* progress.h: how long work tells the user where it stands, and learns that the user wants it to end.
 *
 * Any code may call these; the command line decides what they show (cli/progress.c: a bar on stderr where that is a
 * terminal, nothing elsewhere). One phase at a time; all functions may be called from any thread. */
#ifndef GTRAV_PROGRESS_H
#define GTRAV_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

void progress_begin(const char *phase, uint64_t total); /* total 0: unknown; phase is copied */
void progress_set(uint64_t done);
void progress_end(void);
/* A line that cannot wait until the work comes back to who asked for it: the process may not live so long. */
void progress_say(const char *text);

/* True once the user has pressed Ctrl-C (or SIGTERM came): finish what is in flight, keep what is measured, return
 * STATUS_INTERRUPTED. */
bool stop_requested(void);

#endif
