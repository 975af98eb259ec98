#include "error.h"

#include <errno.h>
#include <stdarg.h>

#include "cores.h"

size_t text_printable(const char *text)
{
    static const uint32_t least[] = {0, ' ', 0xa0, 0x800, 0x10000}; /* code points, by length; below 0xa0: controls */
    unsigned char first = (unsigned char)text[0];
    size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? first : first & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    bool none = code < least[length] || code == 0x7f || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
    return none || (first >= 0x80 && first < 0xc0) || first > 0xf4 ? 0 : length;
}

void text_clean(char *text, char instead)
{
    for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
        length = text_printable(text);
        if (length == 0)
            *text = instead;
    }
}

void text_append(char *text, size_t size, const char *separator, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    if (length > 0)
        strncat(text, separator, size - length - 1);
    length = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

int error_set(struct error *error, int status, const char *format, ...)
{
    if (error->status != STATUS_OK)
        return error->status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    text_clean(error->text, '?');
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
