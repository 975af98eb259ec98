/* record_key.c: keys of rows and folders of records. */
#include "record_key.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../algorithm_options.h"
#include "put_text.h"

/* ---- keys ---- */

static void add_option(struct record_run *run, const char *name, const char *value)
{
    text_append(run->options, sizeof run->options, " ", "%s=%s", name, value);
}

void record_run_add_step(struct record_run *run, enum memory_step step)
{
    static const char *const words[NUM_MEMORY_STEPS] = {
        [MEMORY_COMPRESSED] = "compressed",
        [MEMORY_UNPREPARED] = "unprepared",
        [MEMORY_IN_HOST] = "lists-in-host",
        [MEMORY_OTHER_ENGINE] = "other-engine",
    };
    if (step != MEMORY_SUFFICES)
        add_option(run, "memory", words[step]);
}

/* Returns the name of an output that the user requested beyond the usual one; NULL: none. */
static const char *output_name(const struct bench_request *request)
{
    if (request->aggregates)
        return "aggregates";
    bool gives_parents = request->parents && request->algorithm->on_request & OUTPUT_PARENT;
    return request->paths ? "paths" : gives_parents ? "parents" : NULL;
}

int record_run_init(struct record_run *run, const struct bench_request *request, struct error *error)
{
    char devices[16], depth[16];
    struct device *device = request->device;
    if (device->identify != NULL)
        device->identify(device);
    *run = (struct record_run){.request = request,
                               .graph = request->graph->name,
                               .vertices = request->graph->num_vertices,
                               .edges = request->graph->num_edges,
                               .family = request->family->name,
                               .variant = request->algorithm->variant,
                               .device = device->slug,
                               .machine = device->machine,
                               .driver = device->driver,
                               .num_pairs = request->num_pairs,
                               .devices = num_devices(request),
                               .cores = request->cores,
                               .busy_cores = request->busy_cores,
                               .repeats = request->repeats > 0 ? request->repeats : 1,
                               .build = build_id(),
                               .version = build_version(),
                               .launch = launch_id(),
                               .turn = launch_turn()};
    snprintf(run->graph_hash, sizeof run->graph_hash, HASH_FORMAT, request->graph_hash);
    request_threads(request, run->threads);
    put_date(run->date);
    snprintf(devices, sizeof devices, "%d", run->devices);
    options_format(request->algorithm, request->options, run->options, 512);
    if (request->profile)
        add_option(run, "profile", "1");
    if (request->reordered != NULL)
        add_option(run, "reorder", request->reordered->reordering);
    if (request->graph->weights != NULL)
        add_option(run, "weights", weight_source_name(request->graph->weight_source));
    if (run->devices > 1)
        add_option(run, "devices", devices);
    snprintf(depth, sizeof depth, "%d", request->max_depth);
    if (request->max_depth > 0)
        add_option(run, "max-depth", depth);
    if (request->cold)
        add_option(run, "caches", "cold");
    if (output_name(request) != NULL)
        add_option(run, "output", output_name(request));
    if (strlen(run->graph) > RECORD_NAME_BYTES)
        return error_set(error, STATUS_INPUT, "%.80s...: the graph's name is too long for a record; rename the file",
                         run->graph);
    return STATUS_OK;
}

/* ---- folders and files ---- */

/* Makes a folder and those above it. */
static int make_folders(char *folder, struct error *error)
{
    if (access(folder, F_OK) == 0)
        return STATUS_OK;
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

int record_path(const struct bench_request *request, const char *within, const char *ending,
                char path[RECORD_PATH_BYTES], struct error *error)
{
    if (strlen(request->records) > 1024)
        return error_set(error, STATUS_INPUT, "--csv: the folder's name is too long");
    snprintf(path, RECORD_PATH_BYTES, "%s/%s%s", request->records, request->device->slug, within);
    if (make_folders(path, error) != STATUS_OK)
        return error->status;
    if (ending[0] != '/')
        text_append(path, RECORD_PATH_BYTES, "", "/%s_%s_", request->family->name, request->algorithm->variant);
    text_append(path, RECORD_PATH_BYTES, "", "%s", ending);
    return STATUS_OK;
}

void record_graph_name(const char *graph, char name[RECORD_NAME_BYTES + 1])
{
    snprintf(name, RECORD_NAME_BYTES + 1, "%s", graph);
    for (char *c = name; *c != '\0'; c++)
        *c = *c == '/' || (unsigned char)*c < ' ' ? '_' : *c;
}

int record_path_of_graph(const struct bench_request *request, const char *within, char path[RECORD_PATH_BYTES],
                         struct error *error)
{
    char name[RECORD_NAME_BYTES + 1], ending[RECORD_NAME_BYTES + sizeof ".csv"];
    record_graph_name(request->graph->name, name);
    snprintf(ending, sizeof ending, "%s.csv", name);
    return record_path(request, within, ending, path, error);
}

int record_lock(const struct bench_request *request, struct error *error)
{
    char folder[RECORD_PATH_BYTES];
    if (record_path(request, "", "/", folder, error) != STATUS_OK)
        return -1;
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        error_errno(error, "%s: cannot lock", folder);
        if (lock >= 0)
            close(lock);
        return -1;
    }
    return lock;
}
