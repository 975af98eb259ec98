/* progress.h: how long-running work reports its progress, and learns that it shall stop.
 *
 * Any code may call these functions, from any thread. Only one phase is active at a time. Reports go to the thread's
 * own listener, else to the process's, else nowhere. The command line has a listener for the process (cli/progress.c:
 * a bar on stderr if that is a terminal), the library one for each thread that calls it.
 *
 * The threads of an OpenMP team do not inherit the listener. So each thread of a parallel region that calls these
 * functions first calls progress_join() with the value of progress_listener from before the region. (OpenMP's copyin
 * would do this, but clang 14 gets it wrong.) */
#pragma once

#include "error.h"

C_NAMES_BEGIN

void progress_begin(const char *phase, uint64_t total); /* total 0: unknown; phase is copied */
void progress_set(uint64_t done);
void progress_end(void);
/* Prints a line at once: for messages that would be lost if the process were killed before the work returns. */
void progress_say(const char *text);

/* Whether the work shall stop: the user pressed Ctrl-C, SIGTERM arrived, or the library's caller cancelled. Then the
 * work abandons the current search, keeps what is complete, and returns STATUS_INTERRUPTED. */
bool stop_requested(void);

/* Any function may be NULL. self is the listener. All may be called from several threads at once. */
struct progress_listener {
    void (*begin)(struct progress_listener *self, const char *phase, uint64_t total);
    void (*set)(struct progress_listener *self, uint64_t done);
    void (*end)(struct progress_listener *self);
    void (*say)(struct progress_listener *self, const char *text);
    bool (*stops)(struct progress_listener *self);
};

extern struct progress_listener *progress_of_process; /* set before other threads start; NULL: none */

#ifdef __cplusplus
} /* the kernels' host code, which is C++, calls the functions above, but starts no threads */
#else
extern _Thread_local struct progress_listener *progress_listener; /* this thread's listener; NULL: the process's */

static inline void progress_join(struct progress_listener *listener)
{
    progress_listener = listener;
}
#endif
