/* trace.c: appends the side tables of searches (struct side_table) to CSV files next to the records. */
#include <errno.h>

#include "../records/put_text.h"
#include "../records/record_key.h"
#include "trials.h"

/* STATUS_INPUT if a file has other columns, of another version. */
static int check_columns(const char *path, const char *header, struct error *error)
{
    char first[256] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return errno == ENOENT ? STATUS_OK : error_errno(error, "%s: cannot write", path);
    if (fgets(first, sizeof first, file) != NULL && strcmp(first, header) != 0)
        error_set(error, STATUS_INPUT, "%s: line 1: other columns than this gtrav writes; move the file away", path);
    fclose(file);
    return error->status;
}

/* Appends the rows of a table. options: the request's options, as text for the rows. */
static int append(const struct bench_request *request, const char *options, vertex_t source,
                  const struct side_table *table, struct error *error)
{
    char path[RECORD_PATH_BYTES], within[64], header[256], *text = NULL;
    size_t size;
    snprintf(header, sizeof header, "options,source,%s\n", table->columns);
    snprintf(within, sizeof within, "/%s", table->name);
    if (record_path_of_graph(request, within, path, error) != STATUS_OK ||
        check_columns(path, header, error) != STATUS_OK)
        return error->status;
    FILE *rows = open_memstream(&text, &size);
    if (rows != NULL)
        fputs(header, rows);
    for (const char *row = table->rows; rows != NULL && *row != '\0'; row += strcspn(row, "\n") + 1)
        fprintf(rows, "%s,%" PRIu32 ",%.*s\n", options, source, (int)strcspn(row, "\n"), row);
    if (memory_close(rows, &text, "the rows of a table", error) == STATUS_OK)
        csv_append_text(path, text, strlen(header), error);
    free(text);
    return error->status;
}

int trace_append(const struct bench_request *request, const struct trial *trial, const struct traversal *result,
                 struct error *error)
{
    struct record_run run;
    if (record_run_init(&run, request, error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < result->num_tables && error->status == STATUS_OK; i++) {
        if (result->tables[i].rows == NULL)
            error_set(error, STATUS_INPUT, "out of memory: the table of %s", result->tables[i].name);
        else if (result->tables[i].bytes > 0)
            append(request, run.options, trial->source, &result->tables[i], error);
    }
    return error->status;
}
