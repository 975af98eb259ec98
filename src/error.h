/* error.h: how functions report failures: what failed, where, and what to do.
 *
 * Such a function returns 0, or the status that the program will exit with, and fills the struct error that its
 * caller passed in. Nothing below main() prints an error or exits. The first message is kept, so cleaning up after
 * a failure cannot overwrite its cause. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Between these two, names are as C has them, for the kernels, which are C++, too. */
#ifdef __cplusplus
#define C_NAMES_BEGIN extern "C" {
#define C_NAMES_END   }
#else
#define C_NAMES_BEGIN
#define C_NAMES_END
#endif

C_NAMES_BEGIN

enum status {
    STATUS_OK = 0,
    STATUS_WRONG = 1,         /* an algorithm gave a wrong result */
    STATUS_INPUT = 2,         /* bad input, bad usage, or the host has no room or no permission for it */
    STATUS_DEVICE = 3,        /* the GPU is missing, too small, or failed */
    STATUS_INTERRUPTED = 130, /* Ctrl-C, as a shell reports it; SIGTERM too, until main() returns the next */
    STATUS_TERMINATED = 143   /* SIGTERM, as a shell reports it */
};

struct error {
    int status;
    bool of_algorithm; /* the algorithm failed on this graph; not the files or the records around it */
    char text[1024];
};

/* The number of bytes of the UTF-8 character that a text begins with; 0 if it begins with a control character, which
 * may move the cursor of a terminal, or with a byte that is no UTF-8. */
size_t text_printable(const char *text);

/* Replaces each byte of a text where text_printable() is 0. */
void text_clean(char *text, char instead);

/* Fills error (if it holds no message yet) and returns status, so that failing reads `return error_set(...)`.
 * The text is one line, cleaned by text_clean() with '?'. */
__attribute__((format(printf, 3, 4))) int error_set(struct error *error, int status, const char *format, ...);

/* error_set with the description of errno appended: "cannot open x.mtx: No such file or directory". EINTR, which a
 * wait for a pipe ends with when the user wants to stop, becomes STATUS_INTERRUPTED. */
__attribute__((format(printf, 2, 3))) int error_errno(struct error *error, const char *format, ...);

/* Fails if less memory than this is free. The system might grant it, and kill the process when it is used. */
int require_memory(double bytes, const char *what, struct error *error);

/* Allocates count * size bytes into *memory, uninitialised; on failure *memory is NULL, and the message says how
 * many bytes were needed for what. A count of 0 gives a valid pointer. The caller frees. */
int allocate(void *memory, size_t count, size_t size, const char *what, struct error *error);
int allocate_zeroed(void *memory, size_t count, size_t size, const char *what, struct error *error);

/* Makes room for `more` entries of `size` bytes behind the first `count` of an array, *memory, that has room for
 * *capacity: at least twice as many as before if it moves. On failure the array stays as it is. */
int allocate_more(void *memory, uint64_t count, uint64_t more, uint64_t *capacity, size_t size, const char *what,
                  struct error *error);

C_NAMES_END
