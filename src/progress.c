/* progress.c: passes what work reports to the listener of its thread. */
#include "progress.h"

#include <stddef.h>

struct progress_listener *progress_of_process;
_Thread_local struct progress_listener *progress_listener;

static struct progress_listener *listening(void)
{
    return progress_listener != NULL ? progress_listener : progress_of_process;
}

void progress_begin(const char *phase, uint64_t total)
{
    struct progress_listener *listener = listening();
    if (listener != NULL && listener->begin != NULL)
        listener->begin(listener, phase, total);
}

void progress_set(uint64_t done)
{
    struct progress_listener *listener = listening();
    if (listener != NULL && listener->set != NULL)
        listener->set(listener, done);
}

void progress_end(void)
{
    struct progress_listener *listener = listening();
    if (listener != NULL && listener->end != NULL)
        listener->end(listener);
}

void progress_say(const char *text)
{
    struct progress_listener *listener = listening();
    if (listener != NULL && listener->say != NULL)
        listener->say(listener, text);
}

bool stop_requested(void)
{
    struct progress_listener *listener = listening();
    return listener != NULL && listener->stops != NULL && listener->stops(listener);
}

bool abandon_requested(void)
{
    struct progress_listener *listener = listening();
    return listener != NULL && listener->abandons && stop_requested();
}
