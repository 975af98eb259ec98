/* trace.c: traces of traversals, level by level, as CSV beside the records. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../records/record_key.h"
#include "trace.h"

/* A file in a folder of its own. Each trial appends rows. */
struct table {
    const char *folder, *header;
    void (*write)(FILE *file, const char *options, vertex_t source, const struct traversal *result);
};
static const char *const mode_names[] = {[LEVEL_TOP_DOWN] = "top-down", [LEVEL_BOTTOM_UP] = "bottom-up"};

/* Finds the file's path and makes its folder. */
static int find_path(const struct bench_request *request, const struct table *table, char *path, size_t size,
                     struct error *error)
{
    char folder[2560], name[RECORD_NAME_BYTES + 1];
    record_file_name(request->graph, name);
    snprintf(folder, sizeof folder, "%s/%s/%s", request->records, request->device->slug, table->folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_errno(error, "%s: cannot make the folder for traces", folder);
    snprintf(path, size, "%s/%s_%s_%s.csv", folder, request->algorithm->family, request->algorithm->variant, name);
    return STATUS_OK;
}

/* Opens the file for appending. A new file gets the header; a file with the columns of another version is not
 * changed. *before: its length. NULL on failure, with the reason in error. */
static FILE *open_table(const struct table *table, const char *path, long *before, struct error *error)
{
    char first[256];
    FILE *file = fopen(path, "a+");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (*before = ftell(file)) < 0) {
        error_errno(error, "%s: cannot write", path);
    } else if (*before == 0) {
        fputs(table->header, file);
        return file;
    } else if (fseek(file, 0, SEEK_SET) == 0 && fgets(first, sizeof first, file) != NULL &&
               strcmp(first, table->header) == 0 && fseek(file, 0, SEEK_END) == 0) {
        return file;
    } else {
        error_set(error, STATUS_INPUT, "%s: line 1: other columns than this gtrav writes; move the file away", path);
    }
    if (file != NULL)
        fclose(file);
    return NULL;
}

static void write_levels(FILE *file, const char *options, vertex_t source, const struct traversal *result)
{
    for (uint64_t i = 0; i < result->num_trace; i++) {
        const struct trace_row *row = &result->trace[i];
        fprintf(file, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%s,%.6f,", options, source, row->level, row->frontier,
                mode_names[row->mode], row->ms);
        if (row->generation != NULL)
            fprintf(file, "%s,%" PRIu64 ",%" PRIu64 "\n", row->generation, row->checked, row->early);
        else
            fputs(",,\n", file);
    }
}

static void write_work(FILE *file, const char *options, vertex_t source, const struct traversal *result)
{
    for (uint64_t i = 0; i < result->num_work; i++) {
        const struct work_row *row = &result->work[i];
        fprintf(file, "%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", options, source, row->degree,
                row->checked, row->frontiers);
    }
}

static void write_counts(FILE *file, const char *options, vertex_t source, const struct traversal *result)
{
    for (uint64_t i = 0; i < result->num_counts; i++)
        fprintf(file, "%s,%" PRIu32 ",%s,%" PRIu64 "\n", options, source, result->counts[i].name,
                result->counts[i].number);
}

static void write_busy(FILE *file, const char *options, vertex_t source, const struct traversal *result)
{
    for (uint64_t i = 0; i < result->num_busy; i++)
        fprintf(file, "%s,%" PRIu32 ",%.0f,%.3f,%.3f\n", options, source, result->busy[i].us, result->busy[i].warps,
                result->busy[i].blocks);
}

/* options: the request's, in the format of its rows. */
static int append(const struct bench_request *request, const char *options, const struct table *table,
                  vertex_t source, const struct traversal *result, struct error *error)
{
    char path[4096];
    long before;
    FILE *file = NULL;
    if (find_path(request, table, path, sizeof path, error) == STATUS_OK)
        file = open_table(table, path, &before, error);
    if (file == NULL)
        return error->status;
    table->write(file, options, source, result);
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    if (!failed)
        return STATUS_OK;
    error_errno(error, "%s: cannot write", path);
    if (truncate(path, before) != 0)
        error_errno(error, "%s: cannot cut off what was written of a trace", path);
    return error->status;
}

static const struct table levels = {"traces", "options,source,level,frontier,mode,ms,generation,checked,early\n",
                                    write_levels};
static const struct table work = {"work", "options,source,degree,checked,frontiers\n", write_work};
static const struct table counts = {"counters", "options,source,what,number\n", write_counts};
static const struct table busy = {"busy", "options,source,us,warps,blocks\n", write_busy};

int trace_append(const struct bench_request *request, const char *output, const struct trial *trial,
                 const struct traversal *result, struct error *error)
{
    const struct {
        uint64_t rows;
        const struct table *table;
    } tables[] = {{result->num_trace, &levels},
                  {result->num_work, &work},
                  {result->num_counts, &counts},
                  {result->num_busy, &busy}};
    struct record_run run;
    if (record_run_init(&run, request, output, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i].rows > 0 &&
            append(request, run.options, tables[i].table, trial->source, result, error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}
