#include "streams.h"

#include "../new_file.h"

static bool is_given_stdout(const char *path)
{
    return path != NULL && file_is_stdout(path);
}

FILE *streams_report(const struct settings *settings)
{
    return is_given_stdout(settings->output) || is_given_stdout(settings->write) ? stderr : stdout;
}

static int count_readers(const struct settings *settings)
{
    int readers = 0;
    for (int i = 0; i < settings->graphs.count; i++)
        readers += is_stdin(settings->graphs.items[i]);
    readers += settings->pairs != NULL && is_stdin(settings->pairs);
    readers += settings->load.vertices != NULL && is_stdin(settings->load.vertices);
    readers += settings->sources_file != NULL && is_stdin(settings->sources_file);
    return readers;
}

bool streams_use_stdin(const struct settings *settings)
{
    return count_readers(settings) > 0;
}

int streams_check(const struct settings *settings, struct error *error)
{
    bool output = is_given_stdout(settings->output), write = is_given_stdout(settings->write);
    bool lengths = settings->pairs != NULL && settings->output == NULL && !settings->json;
    int readers = count_readers(settings);
    if (readers > 1)
        return error_set(error, STATUS_INPUT,
                         "- stands for standard input %d times, and that can be read once; put the others into files",
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
    return STATUS_OK;
}
