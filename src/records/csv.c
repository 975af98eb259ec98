/* csv.c: rows of fields, and files that rows are appended to. */
#include "csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKER "graph,vertices," /* how every header begins */

/* ---- rows ---- */

void csv_put_field(FILE *file, const char *field)
{
    bool quote = strpbrk(field, ",\"") != NULL;
    fputs(quote ? "\"" : "", file);
    for (; *field != '\0'; field++) {
        if (*field == '"')
            putc('"', file);
        putc((unsigned char)*field < ' ' ? '_' : *field, file);
    }
    fputs(quote ? "\"" : "", file);
}

int csv_split_row(char *line, char *fields[CSV_MAX_COLUMNS])
{
    int count = 0;
    for (char *from = line; count < CSV_MAX_COLUMNS;) {
        char *to = from;
        bool quoted = *from == '"';
        fields[count++] = to;
        from += quoted;
        while (*from != '\0' && (quoted ? !(*from == '"' && from[1] != '"') : *from != ',')) {
            from += quoted && *from == '"'; /* a doubled quote stands for one */
            *to++ = *from++;
        }
        from += quoted && *from == '"';
        bool more = *from == ',';
        *to = '\0';
        if (!more)
            return count;
        from++;
    }
    return CSV_MAX_COLUMNS + 1;
}

/* ---- files ---- */

int csv_read(const char *path, const char *header, csv_take *take, void *context, bool *other, struct error *error)
{
    char *line = NULL, *fields[CSV_MAX_COLUMNS], names[CSV_ROW_BYTES];
    size_t capacity = 0;
    bool ours = true; /* the last header */
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return errno == ENOENT ? STATUS_OK : error_errno(error, "%s: cannot read", path);
    snprintf(names, sizeof names, "%s", header);
    int num_columns = csv_split_row(names, fields);
    for (ssize_t length; (length = getline(&line, &capacity, file)) > 0;) {
        if (line[length - 1] != '\n' || strlen(line) != (size_t)length) /* incomplete; text has no zero bytes */
            continue;
        if (strncmp(line, MARKER, strlen(MARKER)) == 0) {
            ours = strcmp(line, header) == 0;
            continue;
        }
        line[strcspn(line, "\r\n")] = '\0';
        if (take != NULL && ours && csv_split_row(line, fields) == num_columns)
            take(fields, context);
    }
    if (!feof(file))
        error_errno(error, "%s: cannot read", path);
    if (other != NULL)
        *other = !ours;
    free(line);
    fclose(file);
    return error->status;
}

/* The end of the last complete row. A process that was killed within its write() may have left an incomplete row
 * after it. */
static off_t end_of_rows(int file, off_t size)
{
    char block[CSV_ROW_BYTES];
    for (off_t end = size, start; end > 0; end = start) {
        start = end > CSV_ROW_BYTES ? end - CSV_ROW_BYTES : 0;
        ssize_t length = pread(file, block, (size_t)(end - start), start);
        if (length <= 0)
            return size;
        const char *last = memrchr(block, '\n', (size_t)length);
        if (last != NULL)
            return start + (last - block) + 1;
    }
    return 0; /* a torn header */
}

int csv_append(const char *path, const char *header, const char *rows, struct error *error)
{
    char *text;
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return error_errno(error, "%s: cannot write", path);
    off_t size = lseek(file, 0, SEEK_END), before = end_of_rows(file, size);
    if (before < size && ftruncate(file, before) != 0)
        error_errno(error, "%s: cannot remove a torn row", path);
    int length = asprintf(&text, "%s%s", before == 0 ? header : "", rows);
    if (length < 0) {
        text = NULL;
        error_set(error, STATUS_INPUT, "out of memory: a record's rows");
    }
    errno = ENOSPC; /* a short write sets no errno; a full disk is its cause */
    if (error->status == STATUS_OK && write(file, text, (size_t)length) != length) {
        error_errno(error, "%s: cannot write", path);
        if (ftruncate(file, before) != 0)
            error_set(error, STATUS_INPUT, "%s: cannot undo a torn row", path);
    }
    free(text);
    if (close(file) != 0)
        error_errno(error, "%s: cannot write", path);
    return error->status;
}

int csv_renew_header(const char *path, const char *header, struct error *error)
{
    bool other = false;
    if (csv_read(path, header, NULL, NULL, &other, error) == STATUS_OK && other)
        csv_append(path, header, header, error);
    return error->status;
}
