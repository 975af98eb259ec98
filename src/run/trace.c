/* trace.c: appends the side tables of searches (struct side_table) to CSV files next to the records. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../records/record_key.h"
#include "trace.h"

/* Finds the file's path and makes its folder. */
static int find_path(const struct bench_request *request, const struct side_table *table, char *path, size_t size,
                     struct error *error)
{
    char folder[2560], name[RECORD_NAME_BYTES + 1];
    record_file_name(request->graph, name);
    snprintf(folder, sizeof folder, "%s/%s/%s", request->records, request->device->slug, table->name);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_errno(error, "%s: cannot make the folder for traces", folder);
    snprintf(path, size, "%s/%s_%s_%s.csv", folder, request->algorithm->family, request->algorithm->variant, name);
    return STATUS_OK;
}

/* Opens the file for appending. A new file gets the header. A file with other columns, of another version, is not
 * changed. *before: the file's length. NULL on failure, with the reason in error. */
static FILE *open_table(const struct side_table *table, const char *path, long *before, struct error *error)
{
    char first[256], header[256];
    FILE *file = fopen(path, "a+");
    snprintf(header, sizeof header, "options,source,%s\n", table->columns);
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (*before = ftell(file)) < 0) {
        error_errno(error, "%s: cannot write", path);
    } else if (*before == 0) {
        fputs(header, file);
        return file;
    } else if (fseek(file, 0, SEEK_SET) == 0 && fgets(first, sizeof first, file) != NULL &&
               strcmp(first, header) == 0 && fseek(file, 0, SEEK_END) == 0) {
        return file;
    } else {
        error_set(error, STATUS_INPUT, "%s: line 1: other columns than this gtrav writes; move the file away", path);
    }
    if (file != NULL)
        fclose(file);
    return NULL;
}

/* Appends the rows of a table. options: the request's options, as text for the rows. */
static int append(const struct bench_request *request, const char *options, vertex_t source,
                  const struct side_table *table, struct error *error)
{
    char path[4096];
    long before;
    FILE *file = NULL;
    if (find_path(request, table, path, sizeof path, error) == STATUS_OK)
        file = open_table(table, path, &before, error);
    if (file == NULL)
        return error->status;
    for (const char *row = table->rows; *row != '\0'; row += strcspn(row, "\n") + 1)
        fprintf(file, "%s,%" PRIu32 ",%.*s\n", options, source, (int)strcspn(row, "\n"), row);
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    if (!failed)
        return STATUS_OK;
    error_errno(error, "%s: cannot write", path);
    if (truncate(path, before) != 0)
        error_errno(error, "%s: cannot cut off what was written of a trace", path);
    return error->status;
}

int trace_append(const struct bench_request *request, const char *output, const struct trial *trial,
                 const struct traversal *result, struct error *error)
{
    struct record_run run;
    if (record_run_init(&run, request, output, error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < result->num_tables && error->status == STATUS_OK; i++) {
        if (result->tables[i].rows == NULL)
            error_set(error, STATUS_INPUT, "out of memory: the table of %s", result->tables[i].name);
        else if (result->tables[i].bytes > 0)
            append(request, run.options, trial->source, &result->tables[i], error);
    }
    return error->status;
}
