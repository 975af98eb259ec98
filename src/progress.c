/* progress.c: passes what work reports to the listener of its thread. */
#include "progress.h"

struct progress_listener *progress_of_process;
_Thread_local struct progress_listener *progress_listener;

static struct progress_listener *listening(void)
{
    return progress_listener != NULL ? progress_listener : progress_of_process;
}

/* Calls the listener's function, if there is one. */
#define CALL(function, ...)                                                                                            \
    do {                                                                                                               \
        struct progress_listener *listener = listening();                                                              \
        if (listener != NULL && listener->function != NULL)                                                            \
            listener->function(__VA_ARGS__);                                                                           \
    } while (0)

void progress_begin(const char *phase, uint64_t total)
{
    CALL(begin, listener, phase, total);
}

void progress_set(uint64_t done)
{
    CALL(set, listener, done);
}

void progress_end(void)
{
    CALL(end, listener);
}

void progress_say(const char *text)
{
    CALL(say, listener, text);
}

bool stop_requested(void)
{
    struct progress_listener *listener = listening();
    return listener != NULL && listener->stops != NULL && listener->stops(listener);
}
