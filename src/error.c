#include "error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores.h"

int error_set(struct error *error, int status, const char *format, ...)
{
    if (error->status != STATUS_OK)
        return error->status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    for (char *c = error->text; *c != '\0'; c++) /* text from a user or a file must not move the cursor */
        if (iscntrl((unsigned char)*c))
            *c = '?';
    return status;
}

int error_errno(struct error *error, const char *format, ...)
{
    if (errno == EINTR)
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    const char *reason = strerror(errno);
    char what[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_INPUT, "%.800s: %s", what, reason);
}

int require_memory(double bytes, const char *what, struct error *error)
{
    double there = memory_free("");
    if (bytes <= there)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "%s needs about %.3g GB of memory, and %.3g GB are free", what, bytes / 1e9,
                     there / 1e9);
}

static int allocated(void *memory, void *block, size_t count, size_t size, const char *what, struct error *error)
{
    memcpy(memory, &block, sizeof block);
    if (block != NULL)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "out of memory: %s needs %.1f MB; free some, or use a smaller graph", what,
                     (double)count * (double)size / 1e6);
}

int allocate(void *memory, size_t count, size_t size, const char *what, struct error *error)
{
    size_t bytes;
    void *block = __builtin_mul_overflow(count, size, &bytes) ? NULL : malloc(bytes > 0 ? bytes : 1);
    return allocated(memory, block, count, size, what, error);
}

int allocate_zeroed(void *memory, size_t count, size_t size, const char *what, struct error *error)
{
    return allocated(memory, calloc(count > 0 ? count : 1, size), count, size, what, error);
}

int allocate_more(void *memory, uint64_t count, uint64_t more, uint64_t *capacity, size_t size, const char *what,
                  struct error *error)
{
    void *block;
    if (count + more <= *capacity)
        return STATUS_OK;
    uint64_t larger = 2 * (count + more) + 16;
    memcpy(&block, memory, sizeof block);
    if ((block = realloc(block, larger * size)) == NULL)
        return allocated(&block, NULL, larger, size, what, error);
    memcpy(memory, &block, sizeof block);
    *capacity = larger;
    return STATUS_OK;
}
