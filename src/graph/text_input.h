/* text_input.h: reads text files, plain or gzip. Threads take the text in chunks of whole lines. A NUL byte is an
 * error. */
#pragma once

#include "builder.h"
#include "byte_input.h"

struct text_buffer {
    char *text;
    size_t length, capacity; /* 2 bytes are spare */
};

struct text_input {
    const char *path; /* in messages: "standard input" for "-" */
    struct byte_input bytes;
    struct text_buffer pending; /* text that is read; the bytes from `taken` on are not taken yet */
    size_t taken;
    bool at_end;        /* the file has no text after `pending` */
    uint64_t next_line; /* number of the first line not taken, from 1 */
    uint64_t next_row;  /* number of lines before next_line that do not begin with `comment`, after blanks */
    char comment;       /* 0: rows are not counted */
};

/* Opens a file, or standard input, "-"; a directory, a missing file or no permission is STATUS_INPUT. path must
 * outlive the input. */
int text_open(struct text_input *input, const char *path, struct error *error);
void text_close(struct text_input *input);

/* Shows the next text without taking it. A NUL follows its *length bytes, which hold a full line if there is one. */
int text_peek(struct text_input *input, const char **text, size_t *length, struct error *error);
/* Returns the most bytes of text that the file can have; 0: unknown. Some of the text must have been shown. */
uint64_t text_most_bytes(const struct text_input *input);

/* Takes the next line, for headers. *line has no line end, and is valid until the next call. NULL: none is left. */
int text_line(struct text_input *input, char **line, struct error *error);
/* Takes lines up to the next one that is neither blank nor a comment. A comment begins with `comment`, after blanks;
 * 0: no line is a comment. */
int text_header(struct text_input *input, char comment, char **line, struct error *error);

/* Sets the error "FILE:LINE:COLUMN: ..." and returns STATUS_INPUT. */
__attribute__((format(printf, 5, 6))) int text_error(const struct text_input *input, uint64_t line, uint64_t column,
                                                     struct error *error, const char *format, ...);

/* A chunk that a format's parser reads: whole lines, each with its '\n', and a NUL after the last. */
struct chunk {
    const char *text, *end;
    uint64_t line; /* number of the first line of text */
    uint64_t row;  /* row of that line, if rows are counted */
    struct edge_writer *writer;
    const void *format; /* what the format's header says; read-only */
    uint64_t entries;   /* out: entries read from this chunk */
    /* out, if the parser returns false: what is wrong, and where */
    const char *bad_at;
    uint64_t bad_line;
    const char *reason;
};
typedef bool (*chunk_parser)(struct chunk *chunk);

/* Parses the rest of the file with all threads; each pushes to its own writer. *entries becomes the sum over all
 * chunks. Reports the first bad line of the file as path:line:column: reason. */
int text_parse(struct text_input *input, chunk_parser parser, const void *format, struct builder *builder,
               uint64_t *entries, struct error *error);

/* ---- scanning inside a chunk: each function returns where it stopped, or NULL if the text does not match ---- */

static inline const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

/* Scans an unsigned whole number. With more than 19 digits after leading zeros, it becomes UINT64_MAX. */
static inline const char *scan_number(const char *p, uint64_t *number)
{
    const char *start = p;
    while (*p == '0')
        p++;
    const char *first = p;
    uint64_t value = 0;
    for (unsigned digit; (digit = (unsigned)(unsigned char)*p - '0') <= 9; p++)
        value = value * 10 + digit;
    *number = p - first > 19 ? UINT64_MAX : value;
    return p == start ? NULL : p;
}

static inline bool ends_token(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',';
}

/* Skips a decimal or floating-point number, inf or nan. */
const char *skip_value(const char *p);

/* Returns the start of the next line. In the last line it is `end`, the end of the chunk. */
const char *skip_line(const char *p, const char *end);

/* Reads an edge's weight, the text from start to end. Returns false after chunk_error(). */
bool chunk_weight(struct chunk *chunk, const char *start, const char *end, uint64_t line, double *weight);

/* Records what is wrong at `at`. Returns false, as the parser then does. */
bool chunk_error(struct chunk *chunk, const char *at, uint64_t line, const char *reason);
