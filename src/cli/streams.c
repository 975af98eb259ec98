/* streams.c: the files and standard streams of options. */
#include <fnmatch.h>
#include <libgen.h>
#include <unistd.h>

#include "../new_file.h"
#include "options.h"

static bool is_given_stdout(const char *path)
{
    return path != NULL && file_is_stdout(path);
}

FILE *streams_report(const struct settings *settings)
{
    return is_given_stdout(settings->output) || is_given_stdout(settings->write) ? stderr : stdout;
}

struct path {
    const char *option, *name; /* name NULL: not given */
    bool writes;               /* whether the option writes this path; otherwise it reads it */
};

#define NUM_PATHS 6 /* without graphs */

/* Gets the i-th path; false: there are no more. */
static bool path_at(const struct settings *settings, int i, struct path *path)
{
    const struct path paths[NUM_PATHS] = {{"--vertices", settings->load.vertices, false},
                                          {"--sources-file", settings->sources_file, false},
                                          {"--pairs", settings->pairs, false},
                                          {"--checkpoint", settings->checkpoint, true},
                                          {"--output", settings->output, true},
                                          {"--write", settings->write, true}};
    int graph = i - NUM_PATHS;
    if (graph >= settings->graphs.count)
        return false;
    *path = graph < 0 ? paths[i] : (struct path){"--graph", settings->graphs.items[graph], false};
    return true;
}

int streams_of_stdin(const struct settings *settings)
{
    int readers = 0;
    struct path path;
    for (int i = 0; path_at(settings, i, &path); i++)
        readers += !path.writes && path.name != NULL && is_stdin(path.name);
    return readers;
}

/* Returns the path's name, or for "-" the file to which the stream is redirected. */
static const char *file_of(const struct path *path)
{
    return !is_stdin(path->name) ? path->name : path->writes ? "/dev/stdout" : "/dev/stdin";
}

/* Rejects a path to write that another option names as well. */
static int check_alone(const struct settings *settings, const struct path *path, struct error *error)
{
    struct path other;
    for (int i = 0; path->name != NULL && path_at(settings, i, &other); i++)
        if (other.name != NULL && strcmp(path->option, other.option) != 0 &&
            file_is_same(file_of(path), file_of(&other)))
            return error_set(error, STATUS_INPUT, "%s %s: %s %s is the same file; name another", path->option,
                             path->name, other.option, other.name);
    return STATUS_OK;
}

static int check_cache(const struct settings *settings, const char *graph, struct error *error)
{
    char *name;
    if (graph_spec_kind(graph) != SPEC_FILE)
        return STATUS_OK;
    if (graph_cache_name(graph, &settings->load, &name, error) == STATUS_OK)
        check_alone(settings, &(struct path){"--cache", name, true}, error);
    free(name);
    return error->status;
}

/* Whether writing to the path could overwrite a record in the folder (records.h). */
static bool is_record(const char *path, const char *folder)
{
    static const char *const names[] = {"/*/*_perf.csv", "/*/*_pairs.csv", "/*/failures.csv", "/*/trials/*.csv",
                                        "/*/tasks/*.csv"};
    char *records = realpath(folder, NULL), *copy = strdup(path), *parent = NULL, *whole = NULL;
    bool found = false;
    if (records != NULL && copy != NULL && (parent = realpath(dirname(copy), NULL)) != NULL &&
        asprintf(&whole, "%s/%s", parent, strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path) < 0)
        whole = NULL;
    size_t length = records != NULL ? strlen(records) : 0;
    for (size_t i = 0; whole != NULL && strncmp(whole, records, length) == 0 && i < sizeof names / sizeof *names; i++)
        found = found || fnmatch(names[i], whole + length, FNM_PATHNAME) == 0;
    free(whole);
    free(parent);
    free(copy);
    free(records);
    return found;
}

static int check_files(const struct settings *settings, struct error *error)
{
    struct path path;
    for (int i = 0; path_at(settings, i, &path) && error->status == STATUS_OK; i++)
        if (path.writes && path.name != NULL && settings->csv != NULL && is_record(path.name, settings->csv))
            error_set(error, STATUS_INPUT, "%s %s: this name belongs to the records of --csv %s; choose another",
                      path.option, path.name, settings->csv);
        else if (path.writes)
            check_alone(settings, &path, error);
    for (int i = 0; settings->load.cache && i < settings->graphs.count && error->status == STATUS_OK; i++)
        check_cache(settings, settings->graphs.items[i], error);
    return error->status;
}

int streams_check(const struct settings *settings, struct error *error)
{
    bool output = is_given_stdout(settings->output), write = is_given_stdout(settings->write);
    bool lengths = settings->pairs != NULL && settings->output == NULL && !settings->json;
    int readers = streams_of_stdin(settings);
    if (readers > 1)
        return error_set(error, STATUS_INPUT,
                         "%d options read standard input (-), which can be read only once; give files to the others",
                         readers);
    if (settings->json && (output || write))
        return error_set(error, STATUS_INPUT, "--json and --%s %s both go to standard output; name a file for one",
                         output ? "output" : "write", output ? settings->output : settings->write);
    if (write && (output || lengths))
        return error_set(error, STATUS_INPUT, "--write %s and %s both go to standard output; name a file for one",
                         settings->write, output ? "--output" : "the lengths of --pairs");
    if (settings->checkpoint != NULL && file_is_stream(settings->checkpoint))
        return error_set(error, STATUS_INPUT, "--checkpoint %s: not a file that can be read again; name one",
                         settings->checkpoint);
    return check_files(settings, error);
}
