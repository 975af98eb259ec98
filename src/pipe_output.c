#include "pipe_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"

#define POLL_MS 20 /* between two looks at whether the user wants to stop */

bool is_pipe(int descriptor)
{
    struct stat facts;
    return fstat(descriptor, &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode));
}

int pipe_open(const char *path)
{
    for (;;) {
        struct stat facts;
        int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (descriptor >= 0 || errno != ENXIO || stat(path, &facts) != 0 || !S_ISFIFO(facts.st_mode))
            return descriptor;
        if (stop_requested()) {
            errno = EINTR;
            return -1;
        }
        poll(NULL, 0, POLL_MS);
    }
}

#define NUM_WATCHED 64

static _Atomic uint64_t failed_pipes; /* a bit for each of the first NUM_WATCHED descriptors */

/* Standard error has no bit: its messages are independent, so the next is written even if one was lost. */
static uint64_t bit_of(int descriptor)
{
    return descriptor < NUM_WATCHED && descriptor != STDERR_FILENO ? UINT64_C(1) << descriptor : 0;
}

/* Waits until the pipe is ready and writes at most what then fits, so that no write() blocks. After a failure nothing
 * more is written: a reader would not see the gap. */
static ssize_t write_to_pipe(void *cookie, const char *text, size_t length)
{
    struct pollfd writable = {.fd = (int)(intptr_t)cookie, .events = POLLOUT};
    size_t done = 0;
    bool has_failed = (failed_pipes & bit_of(writable.fd)) != 0;
    if (has_failed)
        errno = stop_requested() ? EINTR : EPIPE;
    while (done < length && !has_failed) {
        size_t piece = length - done < PIPE_BUF ? length - done : PIPE_BUF;
        ssize_t written = poll(&writable, 1, POLL_MS) > 0 ? write(writable.fd, text + done, piece) : 0;
        if (written > 0)
            done += (size_t)written;
        else if (written < 0 && errno != EAGAIN && errno != EINTR)
            has_failed = true;
        else if (stop_requested()) {
            errno = EINTR;
            has_failed = true;
        }
    }
    if (has_failed)
        failed_pipes |= bit_of(writable.fd);
    return (ssize_t)done;
}

static int close_pipe(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

FILE *pipe_stream(int descriptor)
{
    static const cookie_io_functions_t functions = {.write = write_to_pipe, .close = close_pipe};
    failed_pipes &= ~bit_of(descriptor);
    return fopencookie((void *)(intptr_t)descriptor, "w", functions);
}
