/* text_input.c: one thread at a time reads, all threads parse.
 *
 * A thread without work takes the lock and reads the next megabyte into its own buffer. It cuts the text after the
 * last line end, leaves the rest in `pending` for the next thread, and counts the lines. Then it gives the lock back
 * and parses. So the file is streamed once, in order, whether it is plain or gzip, and memory holds one chunk for
 * each thread. */
#include "text_input.h"

#include <omp.h>
#include <stdarg.h>
#include <strings.h>

#include "../progress.h"

#ifndef CHUNK_BYTES /* tests set it small, so that small files span several chunks */
#define CHUNK_BYTES ((size_t)1 << 20)
#endif
#define LONGEST_LINE  ((size_t)1 << 24) /* of lines that are taken one by one; in a chunk a line may be longer */
#define MOST_UNPACKED 1032u             /* bytes from one byte of gzip, by its format */

int text_open(struct text_input *input, const char *path, struct error *error)
{
    *input = (struct text_input){.next_line = 1};
    int status = byte_open(&input->bytes, path, error);
    input->path = input->bytes.path;
    progress_begin("reading", input->bytes.file_bytes);
    return status;
}

void text_close(struct text_input *input)
{
    progress_end();
    byte_close(&input->bytes);
    free(input->pending.text);
    *input = (struct text_input){0};
}

int text_error(const struct text_input *input, uint64_t line, uint64_t column, struct error *error, const char *format,
               ...)
{
    char reason[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return error_set(error, STATUS_INPUT, "%.700s:%" PRIu64 ":%" PRIu64 ": %.280s", input->path, line, column, reason);
}

/* Makes room for more bytes. A line that does not fit gets twice the room each time, so that a long line is copied
 * only a few times. */
static int make_room(const struct text_input *input, struct text_buffer *buffer, size_t more, struct error *error)
{
    size_t needed = buffer->length + more + 2, room = buffer->length > 0 ? 2 * needed : needed;
    char what[512];
    if (needed <= buffer->capacity)
        return STATUS_OK;
    snprintf(what, sizeof what, "%.400s: a line of more than %.1f MB", input->path, 1e-6 * (double)buffer->length);
    if (require_memory((double)room, what, error) != STATUS_OK)
        return error->status;
    char *larger = realloc(buffer->text, room);
    if (larger == NULL)
        return error_set(error, STATUS_INPUT, "%s: out of memory", what);
    buffer->text = larger;
    buffer->capacity = room;
    return STATUS_OK;
}

/* Appends the next bytes of the file. */
static int read_more(struct text_input *input, struct text_buffer *buffer, struct error *error)
{
    size_t got;
    if (make_room(input, buffer, CHUNK_BYTES, error) != STATUS_OK ||
        byte_read(&input->bytes, buffer->text + buffer->length, CHUNK_BYTES, &got, error) != STATUS_OK)
        return error->status;
    buffer->length += got;
    input->at_end = got < CHUNK_BYTES;
    progress_set(input->bytes.bytes_read);
    return STATUS_OK;
}

/* Removes what is taken from the pending text. */
static void drop_taken(struct text_input *input)
{
    struct text_buffer *pending = &input->pending;
    pending->length -= input->taken;
    if (input->taken > 0)
        memmove(pending->text, pending->text + input->taken, pending->length);
    input->taken = 0;
}

/* At the start of the file: skips the byte-order mark of UTF-8, and refuses UTF-16. */
static int skip_byte_order_mark(struct text_input *input, struct error *error)
{
    const struct text_buffer *pending = &input->pending;
    if (pending->length >= 2 &&
        (memcmp(pending->text, "\xff\xfe", 2) == 0 || memcmp(pending->text, "\xfe\xff", 2) == 0))
        return text_error(input, 1, 1, error, "text in UTF-16; save it as UTF-8");
    if (pending->length >= 3 && memcmp(pending->text, "\xef\xbb\xbf", 3) == 0)
        input->taken = 3;
    return STATUS_OK;
}

/* Returns the end of the last line that ends at or after text[seen]; 0: no line ends there. A NUL, which is an error,
 * counts as an end if there is no other. */
static size_t last_line_end(const struct text_buffer *buffer, size_t seen)
{
    size_t length = buffer->length - seen;
    const char *last = length > 0 ? memrchr(buffer->text + seen, '\n', length) : NULL;
    if (last == NULL && length > 0)
        last = memchr(buffer->text + seen, '\0', length);
    return last != NULL ? (size_t)(last - buffer->text) + 1 : 0;
}

int text_peek(struct text_input *input, const char **text, size_t *length, struct error *error)
{
    struct text_buffer *pending = &input->pending;
    size_t seen = input->taken; /* no line ends before it */
    while (!input->at_end && last_line_end(pending, seen) == 0) {
        drop_taken(input);
        seen = pending->length;
        if (seen > LONGEST_LINE)
            return text_error(input, input->next_line, 1, error,
                              "a line of more than %zu MB; this is no text file of those known here",
                              LONGEST_LINE >> 20);
        if (read_more(input, pending, error) != STATUS_OK)
            return error->status;
    }
    if (pending->text != NULL)
        pending->text[pending->length] = '\0';
    if (input->next_line == 1 && input->taken == 0 && skip_byte_order_mark(input, error) != STATUS_OK)
        return error->status;
    *text = pending->text != NULL ? pending->text + input->taken : "";
    *length = pending->length - input->taken;
    return STATUS_OK;
}

uint64_t text_most_bytes(const struct text_input *input)
{
    return input->bytes.file_bytes * (input->bytes.is_gzip ? MOST_UNPACKED : 1);
}

/* Returns the first byte that a parser would take for the end of a row or of the text, although text follows: a NUL,
 * or a carriage return inside a line. NULL: there is no such byte. */
static const char *find_false_end(const char *text, const char *end)
{
    const char *nul = memchr(text, '\0', (size_t)(end - text)), *limit = nul != NULL ? nul : end;
    for (const char *p = text; (p = memchr(p, '\r', (size_t)(limit - p))) != NULL; p++)
        if (p + 1 < end && p[1] != '\n')
            return p;
    return nul;
}

static const char *name_false_end(char byte)
{
    return byte == '\0' ? "a NUL byte; this is no text, or it is damaged"
                        : "a carriage return inside a line; convert the line ends: tr '\\r' '\\n' <FILE";
}

int text_line(struct text_input *input, char **line, struct error *error)
{
    const char *text;
    size_t length;
    *line = NULL;
    int status = text_peek(input, &text, &length, error);
    if (status != STATUS_OK || length == 0)
        return status;
    const char *end = memchr(text, '\n', length);
    size_t size = end != NULL ? (size_t)(end - text) : length;
    const char *bad = find_false_end(text, text + size);
    if (bad != NULL)
        return text_error(input, input->next_line, (size_t)(bad - text) + 1, error, "%s", name_false_end(*bad));
    *line = input->pending.text + input->taken;
    input->taken += size + (end != NULL);
    (*line)[size] = '\0';
    (*line)[strcspn(*line, "\r")] = '\0';
    input->next_line++;
    return STATUS_OK;
}

int text_header(struct text_input *input, char comment, char **line, struct error *error)
{
    char first = '\0';
    do {
        if (text_line(input, line, error) != STATUS_OK || *line == NULL)
            return error->status;
        first = (*line)[strspn(*line, " \t")];
    } while (first == '\0' || first == comment);
    return STATUS_OK;
}

/* ---- chunks ---- */

static uint64_t count_lines(const char *text, size_t length)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

static uint64_t count_rows(const char *text, size_t length, char comment)
{
    uint64_t rows = 0;
    for (const char *line = text; line < text + length; line = skip_line(line, text + length))
        rows += *skip_blanks(line) != comment;
    return rows;
}

/* Reads the next chunk into the thread's buffer; the chunk stays empty at the end of the file. The caller holds the
 * lock. */
static int next_chunk(struct text_input *input, struct text_buffer *buffer, struct chunk *chunk, struct error *error)
{
    struct text_buffer spare = *buffer;
    size_t end, seen = 0; /* no line ends before `seen` */
    drop_taken(input);
    *buffer = input->pending;
    input->pending = (struct text_buffer){.text = spare.text, .capacity = spare.capacity};
    while ((end = last_line_end(buffer, seen)) == 0 && !input->at_end) {
        seen = buffer->length;
        if (read_more(input, buffer, error) != STATUS_OK)
            return error->status;
    }
    if (input->at_end && end < buffer->length) { /* the last line lacks its end */
        buffer->text[buffer->length++] = '\n';
        end = buffer->length;
    }
    size_t rest = buffer->length - end;
    if (rest > 0 && make_room(input, &input->pending, rest, error) != STATUS_OK)
        return error->status;
    if (rest > 0)
        memcpy(input->pending.text, buffer->text + end, rest);
    input->pending.length = rest;
    if (end == 0)
        return STATUS_OK;
    buffer->text[end] = '\0';
    chunk->text = buffer->text;
    chunk->end = buffer->text + end;
    chunk->line = input->next_line;
    chunk->row = input->next_row;
    input->next_line += count_lines(chunk->text, end);
    input->next_row += input->comment != 0 ? count_rows(chunk->text, end, input->comment) : 0;
    return STATUS_OK;
}

static uint64_t column_of(const struct chunk *chunk)
{
    const char *start = chunk->bad_at;
    while (start > chunk->text && start[-1] != '\n')
        start--;
    return (uint64_t)(chunk->bad_at - start) + 1;
}

static bool parse_chunk(struct chunk *chunk, chunk_parser parser)
{
    const char *bad = find_false_end(chunk->text, chunk->end);
    if (bad == NULL)
        return parser(chunk);
    return chunk_error(chunk, bad, chunk->line + count_lines(chunk->text, (size_t)(bad - chunk->text)),
                       name_false_end(*bad));
}

int text_parse(struct text_input *input, chunk_parser parser, const void *format, struct builder *builder,
               uint64_t *entries, struct error *error)
{
    uint64_t total = 0, bad_line = UINT64_MAX;
    bool finished = false;
    struct error first = {0}; /* error in the first bad line of the file */
    struct progress_listener *listener = progress_listener;
#pragma omp parallel reduction(+ : total)
    {
        progress_join(listener);
        struct text_buffer buffer = {0};
        for (;;) {
            struct chunk chunk = {.writer = &builder->writers[omp_get_thread_num()], .format = format};
            bool stop;
#pragma omp critical(text_input)
            {
                stop = finished;
                if (!stop && first.status == STATUS_OK)
                    next_chunk(input, &buffer, &chunk, &first);
                stop = stop || first.status != STATUS_OK || chunk.text == chunk.end;
                finished = stop;
            }
            if (stop)
                break;
            bool good = parse_chunk(&chunk, parser);
            total += chunk.entries;
            if (good)
                continue;
#pragma omp critical(text_input)
            {
                finished = true; /* chunks are taken in order, so all lines before this one are being parsed */
                if (chunk.bad_line < bad_line) {
                    bad_line = chunk.bad_line;
                    first.status = STATUS_OK;
                    text_error(input, bad_line, column_of(&chunk), &first, "%s", chunk.reason);
                }
            }
        }
        free(buffer.text);
    }
    *entries = total;
    if (first.status != STATUS_OK)
        return error_set(error, first.status, "%s", first.text);
    return STATUS_OK;
}

/* ---- scanning ---- */

const char *skip_line(const char *p, const char *end)
{
    const char *line_end = memchr(p, '\n', (size_t)(end - p));
    return line_end != NULL ? line_end + 1 : end;
}

static const char *skip_digits(const char *p)
{
    while ((unsigned char)(*p - '0') <= 9)
        p++;
    return p;
}

const char *skip_value(const char *p)
{
    if (*p == '+' || *p == '-')
        p++;
    /* Only at a letter, since comparing words at every value took a sixth of the reading time. */
    if (*p > '9' && (strncasecmp(p, "inf", 3) == 0 || strncasecmp(p, "nan", 3) == 0)) {
        p += strncasecmp(p, "infinity", 8) == 0 ? 8 : 3;
        return ends_token(*p) ? p : NULL;
    }
    const char *whole = skip_digits(p), *end = whole;
    if (*end == '.')
        end = skip_digits(end + 1);
    if (whole == p && end - whole < 2) /* no digit before or after the point */
        return NULL;
    if (*end == 'e' || *end == 'E' || *end == 'd' || *end == 'D') { /* Fortran writes 1.0D+00 */
        const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
        end = skip_digits(exponent);
        if (end == exponent)
            return NULL;
    }
    return ends_token(*end) ? end : NULL;
}

bool chunk_error(struct chunk *chunk, const char *at, uint64_t line, const char *reason)
{
    chunk->bad_at = at;
    chunk->bad_line = line;
    chunk->reason = reason;
    return false;
}

bool chunk_weight(struct chunk *chunk, const char *start, const char *end, uint64_t line, double *weight)
{
    const char *problem =
        end > start ? scan_weight(start, (size_t)(end - start), weight) : "expected the edge's weight; it has none";
    return problem == NULL || chunk_error(chunk, start, line, problem);
}
