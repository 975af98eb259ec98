/* csv.c: rows of fields, and files of rows that are changed as a whole or not at all. */
#include "csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../graph/new_file.h"

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
    int place[CSV_MAX_COLUMNS]; /* of each column of the table, where the lines have it; -1: they lack it */
};

static bool is_header(const struct csv_table *table, const char *line)
{
    return strncmp(line, table->marker, strlen(table->marker)) == 0;
}

/* Finds the layout of the lines below the header `present`. */
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

/* Turns a line into a row of the table, with "" in columns that the line lacks. False if the line is torn. */
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

/* room: 2n + 3 bytes, where n is the length of the longest field. */
static void write_row(FILE *file, char *const *row, int num_columns, char *room)
{
    for (int i = 0; i < num_columns; i++) {
        csv_put_field(room, row[i]);
        fprintf(file, "%s%s", room, i + 1 < num_columns ? "," : "\n");
    }
}

/* ---- files ---- */

/* A file that is copied to a new one, line by line. */
struct rewrite {
    const char *path;
    const struct csv_table *table;
    csv_keep *keep;
    void *context;
    FILE *to;
    struct layout layout; /* of the next lines */
    bool same;            /* the next lines have the table's own header; they are copied as they are */
    bool changed;         /* the new file differs from the old one */
};

static int rewrite_line(struct rewrite *rewrite, char *line, size_t length, bool first, struct error *error)
{
    const struct csv_table *table = rewrite->table;
    char *row[CSV_MAX_COLUMNS], *copy;
    bool whole = line[length - 1] == '\n' && strlen(line) == length; /* text has no bytes of 0 */
    if (whole && is_header(table, line)) {
        rewrite->same = strcmp(line, table->header) == 0;
        rewrite->changed = rewrite->changed || !first || !rewrite->same; /* it is repeated, or an older one */
        return find_layout(rewrite->path, table->header, line, &rewrite->layout, error);
    }
    rewrite->changed = rewrite->changed || first; /* the header is missing */
    if (allocate(&copy, 2 * length + 3, 1, "a record's row", error) != STATUS_OK)
        return error->status;
    strcpy(copy, line);
    line[strcspn(line, "\r\n")] = '\0';
    if (!whole || !arrange_row(&rewrite->layout, line, table->num_columns, row) ||
        !rewrite->keep(row, rewrite->context))
        rewrite->changed = true;
    else if (rewrite->same)
        fputs(copy, rewrite->to);
    else
        write_row(rewrite->to, row, table->num_columns, copy);
    free(copy);
    return STATUS_OK;
}

static int rewrite_lines(struct rewrite *rewrite, FILE *file, struct error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    for (bool first = true; (length = getline(&line, &capacity, file)) > 0; first = false)
        if (rewrite_line(rewrite, line, (size_t)length, first, error) != STATUS_OK)
            break;
    if (!feof(file))
        error_errno(error, "%s: cannot read", rewrite->path);
    free(line);
    return error->status;
}

int csv_filter(const char *path, const struct csv_table *table, csv_keep *keep, void *context, const char *last,
               struct error *error)
{
    struct rewrite rewrite = {
        .path = path, .table = table, .keep = keep, .context = context, .same = true, .changed = last != NULL};
    struct new_file rewritten;
    FILE *file = fopen(path, "r");
    if (file == NULL && errno != ENOENT)
        return error_errno(error, "%s: cannot read", path);
    if (file == NULL && last == NULL)
        return STATUS_OK;
    if (file_create(&rewritten, path, error) == STATUS_OK) {
        rewrite.to = rewritten.file;
        fputs(table->header, rewrite.to);
        find_layout(path, table->header, table->header, &rewrite.layout, error);
        if (file != NULL)
            rewrite_lines(&rewrite, file, error);
        if (last != NULL)
            fputs(last, rewrite.to);
        if (rewrite.changed && error->status == STATUS_OK)
            file_commit(&rewritten, error);
        else
            file_discard(&rewritten);
    }
    if (file != NULL)
        fclose(file);
    return error->status;
}

/* Where the last whole row ends. A process that was killed within its write() may have left a torn one behind it. */
static off_t end_of_rows(int file, off_t size)
{
    char tail[CSV_ROW_BYTES];
    off_t start = size > CSV_ROW_BYTES ? size - CSV_ROW_BYTES : 0;
    ssize_t length = pread(file, tail, sizeof tail, start);
    const char *last = length > 0 ? memrchr(tail, '\n', (size_t)length) : NULL;
    if (last != NULL)
        return start + (last - tail) + 1;
    return length == size ? 0 : size; /* a torn header; or a line too long for a torn row */
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
    errno = ENOSPC; /* a short write sets no errno; it means that */
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
