/* progress.h: how long-running work reports its progress, and learns that it shall stop.
 *
 * Any code may call these functions, from any thread. Only one phase is active at a time. Who listens: the thread's
 * own listener, or else the process's, or nobody. The command line listens for the process (cli/progress.c: a bar on
 * stderr if that is a terminal), the library for the thread that calls it.
 *
 * The threads of an OpenMP team do not inherit the listener. So in a parallel region that calls these functions, each
 * thread first calls progress_join() with what progress_listener was before the region. (clang 14 does not do what
 * OpenMP's copyin promises.) */
#pragma once

#include "error.h"

C_NAMES_BEGIN

void progress_begin(const char *phase, uint64_t total); /* total 0: unknown; phase is copied */
void progress_set(uint64_t done);
void progress_end(void);
/* Prints a line at once, for messages that cannot wait, since the process may not live until the work returns. */
void progress_say(const char *text);

/* True once the user has pressed Ctrl-C, SIGTERM was received, or the caller of the library has cancelled. Callers
 * give up the search in flight, keep what is complete, and return STATUS_INTERRUPTED. */
bool stop_requested(void);

/* Any function may be NULL. Each gets the listener itself. All may be called from several threads at once. */
struct progress_listener {
    void (*begin)(struct progress_listener *self, const char *phase, uint64_t total);
    void (*set)(struct progress_listener *self, uint64_t done);
    void (*end)(struct progress_listener *self);
    void (*say)(struct progress_listener *self, const char *text);
    bool (*stops)(struct progress_listener *self);
};

extern struct progress_listener *progress_of_process; /* set before there are threads; NULL: nobody */

#ifdef __cplusplus
} /* the host code of kernels, which is C++, reports and asks, but has no threads of its own */
#else
extern _Thread_local struct progress_listener
    *progress_listener; /* listener of this thread; NULL: the process's listener is used */

static inline void progress_join(struct progress_listener *listener)
{
    progress_listener = listener;
}
#endif
