/* pairs_write.c: writes the lengths that pairs.c found as CSV and JSON. Vertices get the ids of the graph's file. */
#include "../new_file.h"
#include "../progress.h"
#include "../records/columns.h"
#include "../records/json.h"
#include "pairs.h"
#include "pairs_keys.h"

/* Writes the vertices of the path of a key, beginning at the pair's source. */
static void put_path(const struct graph *graph, const struct pairs_result *result, uint64_t key, FILE *file,
                     const char *separator, void (*put_id)(FILE *, const struct graph *, vertex_t))
{
    const vertex_t *path = result->path + result->path_at[key];
    uint32_t length = result->length[key];
    for (uint32_t i = 0; i <= length; i++) {
        fputs(i > 0 ? separator : "", file);
        put_id(file, graph, path[result->swapped ? length - i : i]);
    }
}

static void put_pair(FILE *file, const struct pairs_request *request, const struct pairs_result *result, uint64_t i)
{
    const struct graph *graph = request->bench->graph;
    const struct pair *pair = &request->pairs[i];
    uint64_t key = pairs_key_of(request, result, i);
    bool reached = result->length[key] != UNREACHED;
    put_id_csv(file, graph, pair->source);
    putc(',', file);
    put_id_csv(file, graph, pair->destination);
    fprintf(file, ",%" PRId64 "%s", reached ? (int64_t)result->length[key] : -1, request->paths ? "," : "");
    const char *quote = graph->names != NULL ? "\"" : "";
    if (request->paths && reached) {
        fputs(quote, file);
        put_path(graph, result, key, file, " ", put_id_listed);
        fputs(quote, file);
    }
    putc('\n', file);
}

static void put_absent(FILE *file, const struct pairs_request *request, const struct absent_pair *absent)
{
    put_csv_text(file, absent->id[0]);
    putc(',', file);
    put_csv_text(file, absent->id[1]);
    fputs(request->paths ? ",-1,\n" : ",-1\n", file);
}

/* How a format writes pairs. */
struct format {
    const char *first, *next; /* text before the first entry, and before each further one */
    bool stops;               /* an interrupt by the user ends writing, since the file will be discarded */
    void (*pair)(FILE *file, const struct pairs_request *request, const struct pairs_result *result, uint64_t i);
    void (*absent)(FILE *file, const struct pairs_request *request, const struct absent_pair *absent);
};

/* Writes all pairs in their order, including those with an absent id. */
static void put_all(FILE *file, const struct pairs_request *request, const struct pairs_result *result,
                    const struct format *format)
{
    uint64_t next_absent = 0;
    const char *separator = format->first;
    for (uint64_t i = 0; i <= request->num_pairs && !ferror(file) && !(format->stops && stop_requested()); i++) {
        for (; next_absent < request->num_absent && request->absent[next_absent].before == i;
             separator = format->next) {
            fputs(separator, file);
            format->absent(file, request, &request->absent[next_absent++]);
        }
        if (i == request->num_pairs)
            break;
        fputs(separator, file);
        format->pair(file, request, result, i);
        separator = format->next;
    }
}

int pairs_write(const struct pairs_request *request, const struct pairs_result *result, const char *path,
                struct error *error)
{
    struct new_file output;
    if (file_create(&output, path != NULL ? path : "-", error) != STATUS_OK)
        return error->status;
    fprintf(output.file, "src,dst,length%s\n", request->paths ? ",path" : "");
    put_all(output.file, request, result, &(struct format){"", "", true, put_pair, put_absent});
    if (stop_requested())
        error_set(error, STATUS_INTERRUPTED, "interrupted");
    return file_commit(&output, error);
}

static void json_pair(FILE *file, const struct pairs_request *request, const struct pairs_result *result, uint64_t i)
{
    const struct graph *graph = request->bench->graph;
    const struct pair *pair = &request->pairs[i];
    uint64_t key = pairs_key_of(request, result, i);
    bool reached = result->length[key] != UNREACHED;
    fputs("{\"src\": ", file);
    put_id_json(file, graph, pair->source);
    fputs(", \"dst\": ", file);
    put_id_json(file, graph, pair->destination);
    fputs(", \"length\": ", file);
    if (reached)
        fprintf(file, "%" PRIu32, result->length[key]);
    else
        fputs("null", file);
    if (request->paths)
        fputs(reached ? ", \"path\": [" : ", \"path\": null", file);
    if (request->paths && reached) {
        put_path(graph, result, key, file, ", ", put_id_json);
        fputc(']', file);
    }
    fputc('}', file);
}

static void json_absent(FILE *file, const struct pairs_request *request, const struct absent_pair *absent)
{
    static const char *const names[] = {"{\"src\": ", ", \"dst\": "};
    for (int i = 0; i < 2; i++) {
        const char *id = absent->id[i];
        bool number =
            request->bench->graph->names == NULL && (id[0] != '0' || id[1] == '\0') && (id[0] != '-' || id[1] != '0');
        fputs(names[i], file);
        if (number) /* JSON has no leading zeros */
            fputs(id, file);
        else
            json_string(file, id);
    }
    fputs(request->paths ? ", \"length\": null, \"path\": null}" : ", \"length\": null}", file);
}

void json_pairs(FILE *file, const struct pairs_request *request, const struct pairs_result *result)
{
    const struct bench_request *bench = request->bench;
    struct trials_result head = {.setup = result->setup};
    warn_of_clocks(&head.warnings, result->setup.state.clock_limits);
    head.setup.load_ms = bench->load_ms; /* without pairs there was no engine */
    const struct record_run run = {.request = bench, .devices = num_devices(bench)};
    json_head(file, bench, &head);
    fprintf(file, ",\n  \"swapped\": %s, ", json_bool(result->swapped));
    json_columns(file, pairs_columns, &run, result);
    fputs(",\n  \"pairs\": [", file);
    put_all(file, request, result, &(struct format){"\n    ", ",\n    ", false, json_pair, json_absent});
    fputs("\n  ]\n}", file);
}
