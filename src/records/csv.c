/* csv.c: rows of fields, and files that rows are appended to. */
#include "csv.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../graph/hash.h"
#include "put_text.h"

#define MARKER "graph,vertices," /* how every header begins */
#define CHECK  "check"           /* the name of the last column */

/* ---- rows ---- */

void csv_put_field(FILE *file, const char *field)
{
    bool quote = strpbrk(field, ",\"") != NULL;
    fputs(quote ? "\"" : "", file);
    fputs(*field != '\0' && strchr("=+-@", *field) != NULL ? "'" : "", file);
    for (size_t length; *field != '\0'; field += length > 0 ? length : 1) {
        length = text_printable(field);
        fputs(*field == '"' ? "\"" : length == 0 ? "_" : "", file);
        fwrite(field, 1, length, file);
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

/* ---- checks ---- */

static bool is_header(const char *line)
{
    return strncmp(line, MARKER, strlen(MARKER)) == 0;
}

void csv_put_checked(FILE *file, const char *lines)
{
    for (size_t length; *lines != '\0'; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        fwrite(lines, 1, length, file);
        fprintf(file, is_header(lines) ? "," CHECK "\n" : "," HASH_FORMAT "\n", hash_bytes(0, lines, length));
    }
}

/* Removes the check from a line. False if it is wrong or missing. */
static bool take_check(char *line)
{
    char check[HASH_DIGITS + 1] = CHECK, *comma = strrchr(line, ',');
    if (comma == NULL)
        return false;
    *comma = '\0';
    if (!is_header(line))
        snprintf(check, sizeof check, HASH_FORMAT, hash_bytes(0, line, (size_t)(comma - line)));
    return strcmp(comma + 1, check) == 0;
}

/* ---- files ---- */

/* Reads the next complete line, without its end. False at the end of the file. */
static bool next_line(const char *path, FILE *file, char **line, size_t *capacity, struct error *error)
{
    for (ssize_t length; (length = getline(line, capacity, file)) > 0;)
        if ((*line)[length - 1] == '\n' && strlen(*line) == (size_t)length) { /* complete, and without a zero byte */
            (*line)[strcspn(*line, "\r\n")] = '\0';
            return true;
        }
    if (!feof(file))
        error_errno(error, "%s: cannot read", path);
    return false;
}

int csv_read(const char *path, const char *header, csv_take *take, void *context, bool *other, struct error *error)
{
    char *names[CSV_MAX_COLUMNS], *fields[CSV_MAX_COLUMNS], *line = NULL, *last = NULL; /* last: the last header */
    size_t capacity = 0, header_length = header != NULL ? strcspn(header, "\n") : 0;
    bool ours = false, checked = false; /* whether the last header is as wanted, and its rows have checks */
    int num_columns = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return errno == ENOENT ? STATUS_OK : error_errno(error, "%s: cannot read", path);
    while (error->status == STATUS_OK && next_line(path, file, &line, &capacity, error)) {
        if (is_header(line)) {
            free(last);
            checked = strcmp(strrchr(line, ',') + 1, CHECK) == 0 && take_check(line); /* old headers lack it */
            ours = header == NULL ||
                   (checked && strlen(line) == header_length && strncmp(line, header, header_length) == 0);
            last = strdup(line);
            num_columns = last != NULL ? csv_split_row(last, names) : 0;
            if (last == NULL)
                error_set(error, STATUS_INPUT, "out of memory: the header of %s", path);
        } else if (last == NULL) {
            error_set(error, STATUS_INPUT,
                      "%s: line 1 is not a header of gtrav's records; name another folder, or move the file away",
                      path);
        } else if (take != NULL && ours && (!checked || take_check(line)) &&
                   csv_split_row(line, fields) == num_columns) {
            take(names, fields, num_columns, context, error);
        }
    }
    if (other != NULL)
        *other = !ours && last != NULL;
    free(last);
    free(line);
    fclose(file);
    return error->status;
}

/* Returns the offset of the end of the last complete row. A killed process may have left an incomplete one after it. */
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
    return 0; /* even the header is incomplete */
}

int csv_append_text(const char *path, const char *text, size_t header_bytes, struct error *error)
{
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return error_errno(error, "%s: cannot write", path);
    off_t size = lseek(file, 0, SEEK_END), before = end_of_rows(file, size);
    if (before < size && ftruncate(file, before) != 0)
        error_errno(error, "%s: cannot remove a torn row", path);
    text += before > 0 ? header_bytes : 0;
    size_t length = error->status == STATUS_OK ? strlen(text) : 0;
    for (ssize_t written; length > 0 && (written = write(file, text, length)) > 0; length -= (size_t)written)
        text += written; /* after a short write, the next one sets errno */
    if (length > 0) {
        error_errno(error, "%s: cannot write", path);
        if (ftruncate(file, before) != 0)
            error_set(error, STATUS_INPUT, "%s: cannot undo a torn row", path);
    }
    if (close(file) != 0)
        error_errno(error, "%s: cannot write", path);
    return error->status;
}

int csv_append(const char *path, const char *header, const char *rows, struct error *error)
{
    char *text = NULL;
    size_t length = 0, header_bytes = strlen(header) + strlen("," CHECK);
    FILE *lines = open_memstream(&text, &length);
    if (lines == NULL)
        return memory_close(lines, &text, "a record's rows", error);
    csv_put_checked(lines, header);
    csv_put_checked(lines, rows);
    if (memory_close(lines, &text, "a record's rows", error) == STATUS_OK)
        csv_append_text(path, text, header_bytes, error);
    free(text);
    return error->status;
}

int csv_renew_header(const char *path, const char *header, struct error *error)
{
    bool other = false;
    if (csv_read(path, header, NULL, NULL, &other, error) == STATUS_OK && other)
        csv_append(path, header, header, error);
    return error->status;
}
