/* trace.c: what a traversal did level by level, as CSV beside the records, for those who study it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

static const char header[] = "options,source,level,frontier,mode,ms\n";
static const char *const mode_names[] = {[LEVEL_TOP_DOWN] = "top-down", [LEVEL_BOTTOM_UP] = "bottom-up"};

/* The file's path, its folder made. */
static int find_path(const struct bench_request *request, char *path, size_t size, struct error *error)
{
    char folder[2560], name[512];
    snprintf(name, sizeof name, "%s", request->graph->name);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '/' || (unsigned char)*c < ' ' ? '_' : *c;
    snprintf(folder, sizeof folder, "%s/%s/traces", request->records, request->device->slug);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_errno(error, "%s: cannot make the folder for traces", folder);
    snprintf(path, size, "%s/%s_%s_%s.csv", folder, request->algorithm->family, request->algorithm->variant, name);
    return STATUS_OK;
}

int trace_append(const struct bench_request *request, const struct trial *trial, const struct traversal *result,
                 struct error *error)
{
    char path[4096], options[REQUEST_OPTIONS_BYTES];
    if (result->num_trace == 0)
        return STATUS_OK;
    if (find_path(request, path, sizeof path, error) != STATUS_OK)
        return error->status;
    FILE *file = fopen(path, "a");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        error_errno(error, "%s: cannot write", path);
        if (file != NULL)
            fclose(file);
        return error->status;
    }
    long before = ftell(file);
    if (before == 0)
        fputs(header, file);
    request_options(request, options);
    for (uint64_t i = 0; i < result->num_trace; i++) {
        const struct trace_row *row = &result->trace[i];
        fprintf(file, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%s,%.6f\n", options, trial->source, row->level,
                row->frontier, mode_names[row->mode], row->ms);
    }
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    if (!failed)
        return STATUS_OK;
    error_errno(error, "%s: cannot write", path);
    if (before >= 0 && truncate(path, before) != 0)
        error_errno(error, "%s: cannot cut off what was written of a trace", path);
    return error->status;
}
