/* csv.c: rows of fields, and files that rows are appended to. */
#include "csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- rows ---- */

char *csv_put_field(char *to, const char *field)
{
    bool quote = strpbrk(field, ",\"") != NULL;
    if (quote)
        *to++ = '"';
    for (; *field != '\0'; field++) {
        if (*field == '"')
            *to++ = '"';
        *to++ = (unsigned char)*field < ' ' ? '_' : *field;
    }
    if (quote)
        *to++ = '"';
    *to = '\0';
    return to;
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

/* ---- layout ---- */

/* How the lines below one header of a file become rows of the table. */
struct layout {
    int num_columns;            /* of that header */
    int place[CSV_MAX_COLUMNS]; /* for each column of the table, its place in the lines; -1: the lines lack it */
};

static bool is_header(const struct csv_table *table, const char *line)
{
    return strncmp(line, table->marker, strlen(table->marker)) == 0;
}

/* Finds the layout of the lines below the header `present`, for a table with this header. */
static int find_layout(const char *path, const char *header, const char *present, struct layout *layout,
                       struct error *error)
{
    char wanted_text[CSV_ROW_BYTES], found_text[CSV_ROW_BYTES], *wanted[CSV_MAX_COLUMNS], *found[CSV_MAX_COLUMNS];
    snprintf(wanted_text, sizeof wanted_text, "%.*s", (int)strcspn(header, "\r\n"), header);
    snprintf(found_text, sizeof found_text, "%.*s", (int)strcspn(present, "\r\n"), present);
    int num_wanted = csv_split_row(wanted_text, wanted), num_found = csv_split_row(found_text, found), num_placed = 0;
    *layout = (struct layout){.num_columns = num_found};
    for (int w = 0; w < num_wanted; w++) {
        layout->place[w] = -1;
        for (int f = 0; f < num_found && f < CSV_MAX_COLUMNS && layout->place[w] < 0; f++)
            if (strcmp(wanted[w], found[f]) == 0)
                layout->place[w] = f;
        num_placed += layout->place[w] >= 0;
    }
    if (num_placed < num_found)
        return error_set(error, STATUS_INPUT,
                         "%s: has columns that this version of gtrav does not know; give --csv another folder", path);
    return STATUS_OK;
}

/* Turns a line into a row of the table, with "" in columns that the line lacks. False if the line is incomplete. */
static bool arrange_row(const struct layout *layout, char *line, int num_columns, char *row[CSV_MAX_COLUMNS])
{
    static char none[] = "";
    char *fields[CSV_MAX_COLUMNS];
    if (csv_split_row(line, fields) != layout->num_columns)
        return false;
    for (int i = 0; i < num_columns; i++)
        row[i] = layout->place[i] < 0 ? none : fields[layout->place[i]];
    return true;
}

/* ---- files ---- */

/* A file that is read line by line. */
struct reader {
    const char *path;
    const struct csv_table *table;
    csv_take *take; /* NULL: only the layout is wanted */
    void *context;
    struct layout layout; /* of the next lines */
    bool other_header;    /* the next row needs the table's header above it */
};

static int read_line(struct reader *reader, char *line, size_t length, struct error *error)
{
    char *row[CSV_MAX_COLUMNS];
    if (line[length - 1] != '\n' || strlen(line) != length) /* incomplete; text has no zero bytes */
        return STATUS_OK;
    if (is_header(reader->table, line)) {
        reader->other_header = strcmp(line, reader->table->header) != 0;
        return find_layout(reader->path, reader->table->header, line, &reader->layout, error);
    }
    line[strcspn(line, "\r\n")] = '\0';
    if (reader->take != NULL && arrange_row(&reader->layout, line, reader->table->num_columns, row))
        reader->take(row, reader->context);
    return STATUS_OK;
}

/* Reads the whole file. Lines above the first header are read as if the table's own header preceded them. */
static int read_lines(struct reader *reader, struct error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    FILE *file = fopen(reader->path, "r");
    if (file == NULL)
        return errno == ENOENT ? STATUS_OK : error_errno(error, "%s: cannot read", reader->path);
    find_layout(reader->path, reader->table->header, reader->table->header, &reader->layout, error);
    while (error->status == STATUS_OK && (length = getline(&line, &capacity, file)) > 0)
        read_line(reader, line, (size_t)length, error);
    if (error->status == STATUS_OK && !feof(file))
        error_errno(error, "%s: cannot read", reader->path);
    free(line);
    fclose(file);
    return error->status;
}

int csv_read(const char *path, const struct csv_table *table, csv_take *take, void *context, struct error *error)
{
    struct reader reader = {.path = path, .table = table, .take = take, .context = context};
    return read_lines(&reader, error);
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

int csv_append(const char *path, const struct csv_table *table, const char *rows, struct error *error)
{
    char *text;
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return error_errno(error, "%s: cannot write", path);
    off_t size = lseek(file, 0, SEEK_END), before = end_of_rows(file, size);
    if (before < size && ftruncate(file, before) != 0)
        error_errno(error, "%s: cannot remove a torn row", path);
    int length = asprintf(&text, "%s%s", before == 0 ? table->header : "", rows);
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

int csv_renew_header(const char *path, const struct csv_table *table, struct error *error)
{
    struct reader reader = {.path = path, .table = table};
    if (read_lines(&reader, error) == STATUS_OK && reader.other_header)
        csv_append(path, table, table->header, error);
    return error->status;
}
