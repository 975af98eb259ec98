#include "rows.h"

#include <dirent.h>
#include <sys/stat.h>

#include "../new_file.h"
#include "../records/csv.h"

#define DEEPEST 8 /* folders in folders; deeper ones are not read */

static const char *const names[NUM_FIELDS] = {
#define FIELD_NAME(id, name) name,
    FIELDS(FIELD_NAME)
#undef FIELD_NAME
};

const char *field_name(enum field field)
{
    return names[field];
}

static int index_of(char *const columns[], int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(columns[i], name) == 0)
            return i;
    return -1;
}

/* Copies the used fields of a summary. Skips rows of trials and failures, which have no number of sources. */
static void take(char *const columns[], char *const fields[], int count, void *context, struct error *error)
{
    struct rows *rows = context;
    struct row row = {.texts = NULL};
    int at[NUM_FIELDS];
    size_t bytes = 1; /* the text "" of missing fields */
    for (int i = 0; i < NUM_FIELDS; i++) {
        at[i] = index_of(columns, count, names[i]);
        bytes += at[i] >= 0 ? strlen(fields[at[i]]) + 1 : 0;
    }
    if (at[SOURCES] < 0)
        return;
    if (allocate_more(&rows->items, rows->count, 1, &rows->capacity, sizeof row, "the records", error) != STATUS_OK ||
        allocate(&row.texts, bytes, 1, "the records", error) != STATUS_OK)
        return;
    char *to = row.texts;
    *to++ = '\0';
    for (int i = 0; i < NUM_FIELDS; i++) {
        row.field[i] = at[i] >= 0 ? to : row.texts;
        if (at[i] >= 0)
            to = stpcpy(to, fields[at[i]]) + 1;
    }
    rows->items[rows->count++] = row;
}

static bool is_summary(const char *name)
{
    return has_suffix(name, "_perf.csv") || has_suffix(name, "_pairs.csv");
}

static int read_below(const char *path, int depth, struct rows *rows, struct error *error);

/* Reads an entry of a folder if it is a file of summaries or a folder. */
static void read_entry(const char *folder, const char *name, int depth, struct rows *rows, struct error *error)
{
    char *path;
    struct stat facts;
    if (name[0] == '.')
        return;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        error_set(error, STATUS_INPUT, "out of memory: a file's name");
        return;
    }
    if (stat(path, &facts) == 0 &&
        (S_ISDIR(facts.st_mode) ? depth < DEEPEST : S_ISREG(facts.st_mode) && is_summary(name)))
        read_below(path, depth + 1, rows, error);
    free(path);
}

static int read_below(const char *path, int depth, struct rows *rows, struct error *error)
{
    struct dirent **entries;
    struct stat facts;
    if (stat(path, &facts) != 0)
        return error_errno(error, "%s: cannot open", path);
    if (!S_ISDIR(facts.st_mode))
        return csv_read(path, NULL, take, rows, NULL, error);
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        return error_errno(error, "%s: cannot read the folder", path);
    for (int i = 0; i < count; i++) {
        if (error->status == STATUS_OK)
            read_entry(path, entries[i]->d_name, depth, rows, error);
        free(entries[i]);
    }
    free(entries);
    return error->status;
}

int rows_read(const char *path, struct rows *rows, struct error *error)
{
    *rows = (struct rows){0};
    if (read_below(path, 0, rows, error) == STATUS_OK && rows->count == 0)
        error_set(error, STATUS_INPUT, "%s: no records of gtrav; name a folder that --csv wrote", path);
    return error->status;
}

void rows_release(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->items[i].texts);
    free(rows->items);
    *rows = (struct rows){0};
}
