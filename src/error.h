/* error.h: how functions report failures: what failed, where, and what to do.
 *
 * Such a function returns 0, or the status that the program will exit with, and fills the struct error that its
 * caller passed in. Nothing below main() prints an error or exits. The first message is kept, so cleaning up after
 * a failure cannot overwrite its cause. */
#pragma once

/* The standard headers that nearly every file needs. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Declarations between these two have C linkage, so that the kernels, which are C++, can use them. */
#ifdef __cplusplus
#define C_NAMES_BEGIN extern "C" {
#define C_NAMES_END   }
#else
#define C_NAMES_BEGIN
#define C_NAMES_END
#endif

#define UNUSED __attribute__((unused)) /* before a parameter that a callback does not use */

C_NAMES_BEGIN

enum status {
    STATUS_OK = 0,
    STATUS_WRONG = 1,         /* an algorithm gave a wrong result */
    STATUS_INPUT = 2,         /* bad input or usage; or the host lacks memory, disk space or a permission */
    STATUS_DEVICE = 3,        /* the GPU is missing, too small, or failed */
    STATUS_INTERRUPTED = 130, /* Ctrl-C, as a shell reports it; everywhere but in main() also SIGTERM */
    STATUS_TERMINATED = 143   /* SIGTERM, as a shell reports it */
};

struct error {
    int status;
    bool of_algorithm; /* the algorithm failed on this graph, not the reading or writing of a file */
    char text[1024];
};

/* Returns the number of bytes of the UTF-8 character at the start of a text. Returns 0 for a control character, which
 * may move a terminal's cursor, and for a byte that is not UTF-8. */
size_t text_printable(const char *text);

/* Replaces each byte at which text_printable() returns 0 by `instead`. */
void text_clean(char *text, char instead);

/* Appends to a text, after the separator unless the text is empty. Cuts the text off at `size` bytes. */
__attribute__((format(printf, 4, 5))) void text_append(char *text, size_t size, const char *separator,
                                                       const char *format, ...);

/* Fills error (if it holds no message yet) and returns status, so that failing reads `return error_set(...)`.
 * The text is one line, cleaned by text_clean() with '?'. */
__attribute__((format(printf, 3, 4))) int error_set(struct error *error, int status, const char *format, ...);

/* error_set with the description of errno appended: "cannot open x.mtx: No such file or directory". The status is
 * STATUS_INTERRUPTED if errno is EINTR: the user stopped a wait for a pipe. */
__attribute__((format(printf, 2, 3))) int error_errno(struct error *error, const char *format, ...);

/* Fails if fewer bytes are free. Without this check the system might grant them, and kill the process later. */
int require_memory(double bytes, const char *what, struct error *error);

/* Allocates count * size bytes into *memory, uninitialised; on failure *memory is NULL, and the message says how
 * many bytes were needed for what. A count of 0 gives a valid pointer. The caller frees. */
int allocate(void *memory, size_t count, size_t size, const char *what, struct error *error);
int allocate_zeroed(void *memory, size_t count, size_t size, const char *what, struct error *error);

/* Makes room for `more` entries of `size` bytes after the first `count` entries of the array *memory. If it must
 * grow, *capacity, its number of entries, at least doubles. On failure the array is unchanged. */
int allocate_more(void *memory, uint64_t count, uint64_t more, uint64_t *capacity, size_t size, const char *what,
                  struct error *error);

C_NAMES_END
