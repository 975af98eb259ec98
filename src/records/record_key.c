/* record_key.c: keys of rows and folders of records. */
#include "record_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../algorithm_options.h"
#include "../families.h"

/* ---- keys ---- */

int record_check_name(const struct graph *graph, struct error *error)
{
    if (strlen(graph->name) > RECORD_NAME_BYTES)
        return error_set(error, STATUS_INPUT, "%.80s...: the graph's name is too long for a record; rename the file",
                         graph->name);
    return STATUS_OK;
}

static void add_option(struct record_run *run, const char *name, const char *value)
{
    size_t length = strlen(run->options);
    snprintf(run->options + length, sizeof run->options - length, "%s%s=%s", length > 0 ? " " : "", name, value);
}

int record_run_init(struct record_run *run, const struct bench_request *request, const char *output,
                    struct error *error)
{
    char devices[16], depth[16];
    *run = (struct record_run){.request = request,
                               .graph = request->graph->name,
                               .vertices = request->graph->num_vertices,
                               .edges = request->graph->num_edges,
                               .family = request->family->name,
                               .variant = request->algorithm->variant,
                               .device = request->device->slug,
                               .num_pairs = request->num_pairs,
                               .load_ms = request->load_ms,
                               .devices = num_devices(request),
                               .cores = request->cores,
                               .busy_cores = request->busy_cores,
                               .build = build_id(),
                               .version = build_version()};
    snprintf(run->graph_hash, sizeof run->graph_hash, HASH_FORMAT, request->graph_hash);
    request_threads(request, run->threads);
    put_date(run->date);
    snprintf(devices, sizeof devices, "%d", run->devices);
    options_format(request->algorithm, request->options, run->options, 512);
    if (request->reordered != NULL)
        add_option(run, "reorder", request->reordered->reordering);
    if (run->devices > 1)
        add_option(run, "devices", devices);
    snprintf(depth, sizeof depth, "%d", request->max_depth);
    if (request->max_depth > 0)
        add_option(run, "max-depth", depth);
    if (output != NULL)
        add_option(run, "output", output);
    return record_check_name(request->graph, error);
}

int record_key_init(struct record_key *key, const struct bench_request *request, const char *output,
                    struct error *error)
{
    struct record_run run;
    size_t size;
    *key = (struct record_key){0};
    if (record_run_init(&run, request, output, error) != STATUS_OK)
        return error->status;
    memcpy(key->threads, run.threads, sizeof key->threads);
    FILE *file = open_memstream(&key->text, &size);
    if (file != NULL)
        record_put_fields(file, trial_columns, RECORD_KEY_FIELDS, &run, NULL);
    if (file == NULL || fclose(file) != 0 || key->text == NULL)
        return error_set(error, STATUS_INPUT, "out of memory: the records' rows");
    csv_split_row(key->text, key->fields);
    return STATUS_OK;
}

void record_key_release(struct record_key *key)
{
    free(key->text);
}

bool record_same_key(char *const *fields, const struct record_key *key)
{
    for (int i = 0; i < RECORD_KEY_FIELDS; i++)
        if (strcmp(fields[i], key->fields[i]) != 0)
            return false;
    return true;
}

/* ---- folders and files ---- */

int record_make_folders(const char *path, struct error *error)
{
    char folder[2304];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = folder + 1;; slash++) {
        char end = *slash;
        if (end != '/' && end != '\0')
            continue;
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return error_errno(error, "%s: cannot make the folder for records", folder);
        if (end == '\0')
            return STATUS_OK;
        *slash = '/';
    }
}

void record_file_name(const struct graph *graph, char name[RECORD_NAME_BYTES + 1])
{
    snprintf(name, RECORD_NAME_BYTES + 1, "%s", graph->name);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '/' || (unsigned char)*c < ' ' ? '_' : *c;
}

int record_folder(const struct bench_request *request, char *folder, size_t size, struct error *error)
{
    if (strlen(request->records) > 1024)
        return error_set(error, STATUS_INPUT, "--csv: the folder's name is too long");
    snprintf(folder, size, "%s/%s", request->records, request->device->slug);
    return STATUS_OK;
}

int record_paths_find(struct record_paths *paths, const struct bench_request *request, struct error *error)
{
    const struct algorithm *algorithm = request->algorithm;
    char name[RECORD_NAME_BYTES + 1];
    record_file_name(request->graph, name);
    if (record_folder(request, paths->folder, sizeof paths->folder, error) != STATUS_OK)
        return error->status;
    snprintf(paths->summary, sizeof paths->summary, "%s/%s_%s_perf.csv", paths->folder, request->family->name,
             algorithm->variant);
    snprintf(paths->trials_folder, sizeof paths->trials_folder, "%s/trials", paths->folder);
    snprintf(paths->trials, sizeof paths->trials, "%s/%s_%s_%s.csv", paths->trials_folder, request->family->name,
             algorithm->variant, name);
    return STATUS_OK;
}

int record_lock(const struct record_paths *paths, struct error *error)
{
    int lock = open(paths->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        error_errno(error, "%s: cannot lock", paths->folder);
        if (lock >= 0)
            close(lock);
        return -1;
    }
    return lock;
}
