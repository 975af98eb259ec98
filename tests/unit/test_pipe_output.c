/* test_pipe_output.c: output into a pipe whose reader is slow. That Ctrl-C ends it is tested in
 * tests/cli/test_signals.py. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "../../src/pipe_output.h"

static int refusing = -1;      /* the descriptor to which some of the writes fail */
static const int *errors_left; /* of these writes, 0 at the end */

/* In place of libc's. A write fails although poll() promised room if another process filled the pipe meanwhile. */
ssize_t write(int descriptor, const void *bytes, size_t length)
{
    if (descriptor == refusing && *errors_left != 0) {
        errno = *errors_left++;
        return -1;
    }
    return syscall(SYS_write, descriptor, bytes, length);
}

/* What arrives of a text that is written while some writes fail. */
static bool arrives(const int *errors, const char *text)
{
    char arrived[256] = "";
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    FILE *stream = pipe_stream(ends[1]);
    assert_non_null(stream);
    errors_left = errors;
    refusing = ends[1];
    fputs(text, stream);
    int status = fclose(stream);
    refusing = -1;
    ssize_t length = read(ends[0], arrived, sizeof arrived - 1);
    close(ends[0]);
    assert_true((status == 0) == (length > 0));
    return length > 0 && strcmp(arrived, text) == 0;
}

TEST(writes_that_fail)
{
    assert_true(arrives((const int[]){0}, "all\n"));
    assert_true(arrives((const int[]){EAGAIN, 0}, "later\n"));
    assert_true(arrives((const int[]){EINTR, EAGAIN, EINTR, 0}, "after several tries\n"));
    assert_false(arrives((const int[]){EIO, 0}, "never\n"));
    assert_false(arrives((const int[]){EAGAIN, EPIPE, 0}, "never\n"));
    ctrl_c_pressed = true;
    assert_true(arrives((const int[]){0}, "at once\n"));
    assert_false(arrives((const int[]){EAGAIN, 0}, "never\n"));
    ctrl_c_pressed = false;
}

TESTS(NULL, NULL)
