/* record_key.c: keys of rows and folders of records. */
#include "record_key.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../run/options.h"
#include "../verify/families.h"
#include "identity.h"

/* ---- keys ---- */

int record_check_name(const struct graph *graph, struct error *error)
{
    if (strlen(graph->name) > RECORD_NAME_BYTES)
        return error_set(error, STATUS_INPUT, "%.80s...: the graph's name is too long for a record; rename the file",
                         graph->name);
    return STATUS_OK;
}

static const char *family_name(const struct bench_request *request)
{
    return request->family != NULL ? request->family->name : request->algorithm->family;
}

static void add_option(char text[REQUEST_OPTIONS_BYTES], const char *name, const char *value)
{
    size_t length = strlen(text);
    snprintf(text + length, REQUEST_OPTIONS_BYTES - length, "%s%s=%s", length > 0 ? " " : "", name, value);
}

void request_options(const struct bench_request *request, const char *output, char text[REQUEST_OPTIONS_BYTES])
{
    char devices[16];
    snprintf(devices, sizeof devices, "%d", num_devices(request));
    options_format(request->algorithm, request->options, text, 512);
    if (request->reordered != NULL)
        add_option(text, "reorder", request->reordered->reordering);
    if (num_devices(request) > 1)
        add_option(text, "devices", devices);
    if (output != NULL)
        add_option(text, "output", output);
}

int record_put_key(const struct bench_request *request, const char *output, char row[CSV_ROW_BYTES],
                   struct error *error)
{
    char options[REQUEST_OPTIONS_BYTES], number[2][24];
    request_options(request, output, options);
    snprintf(number[0], sizeof number[0], "%" PRIu32, request->graph->num_vertices);
    snprintf(number[1], sizeof number[1], "%" PRIu64, request->graph->num_edges);
    const char *fields[] = {
        request->graph->name, number[0], number[1], family_name(request), request->algorithm->variant, options,
        request->device->slug};
    if (record_check_name(request->graph, error) != STATUS_OK)
        return error->status;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        row = csv_put_field(row, fields[i]);
        *row++ = ',';
    }
    *row = '\0';
    return STATUS_OK;
}

int record_key_init(struct record_key *key, const struct bench_request *request, const char *output,
                    struct error *error)
{
    *key = (struct record_key){0};
    request_threads(request, key->threads);
    if (record_put_key(request, output, key->text, error) == STATUS_OK)
        csv_split_row(key->text, key->fields);
    return error->status;
}

bool record_same_key(char *const *fields, const struct record_key *key)
{
    for (int i = 0; i < RECORD_KEY_FIELDS; i++)
        if (strcmp(fields[i], key->fields[i]) != 0)
            return false;
    return true;
}

bool record_same_identity(const char *threads, const char *build, const struct record_key *key)
{
    return strcmp(threads, key->threads) == 0 && strcmp(build, build_id()) == 0;
}

bool record_outdates(const char *threads, const struct record_key *key)
{
    return threads[0] == '\0' || strcmp(threads, key->threads) == 0;
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
    snprintf(paths->summary, sizeof paths->summary, "%s/%s_%s_perf.csv", paths->folder, family_name(request),
             algorithm->variant);
    snprintf(paths->trials_folder, sizeof paths->trials_folder, "%s/trials", paths->folder);
    snprintf(paths->trials, sizeof paths->trials, "%s/%s_%s_%s.csv", paths->trials_folder, family_name(request),
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
