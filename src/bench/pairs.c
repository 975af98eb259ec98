/* pairs.c: from pairs of vertices to the lengths of the shortest paths between them.
 *
 * A pair is a key, source << 32 | destination. Sorted, and each left in once, they lie source by source: a source is
 * searched from once, however many pairs it has, and the sources of a batch have their destinations in one stretch of
 * keys, which is what a query names them by. */
#include "pairs.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../graph/radix.h"
#include "../graph/text_input.h"
#include "../graph/write.h"
#include "../progress.h"
#include "engine.h"

/* ---- reading ---- */

static const char separators[] = ",|; \t";

static int bad_line(const struct text_input *input, const char *line, const char *at, const char *reason,
                    struct error *error)
{
    return error_set(error, STATUS_INPUT, "%s:%llu:%d: %s", input->path, (unsigned long long)input->next_line - 1,
                     (int)(at - line) + 1, reason);
}

static int read_id(const struct graph *graph, const struct text_input *input, const char *line, const char **at,
                   vertex_t *vertex, struct error *error)
{
    uint64_t id;
    const char *start = *at, *end = scan_number(start, &id);
    char reason[256];
    if (end == NULL || (*end != '\0' && strchr(separators, *end) == NULL))
        return bad_line(input, line, start, "expected a vertex id", error);
    if (!graph_find(graph, id, vertex)) {
        snprintf(reason, sizeof reason, "%.*s is not a vertex of %.96s, which has %u%s", (int)(end - start), start,
                 graph->name, graph->num_vertices,
                 graph->ids != NULL ? " (with ids of its file)" : " (numbered from 0)");
        return bad_line(input, line, start, reason, error);
    }
    *at = end;
    return STATUS_OK;
}

static int read_pair(const struct graph *graph, const struct text_input *input, const char *line, struct pair *pair,
                     struct error *error)
{
    const char *at = line + strspn(line, " \t");
    if (read_id(graph, input, line, &at, &pair->source, error) != STATUS_OK)
        return error->status;
    at += strspn(at, separators);
    if (*at == '\0')
        return bad_line(input, line, at, "expected a second vertex id", error);
    if (read_id(graph, input, line, &at, &pair->destination, error) != STATUS_OK)
        return error->status;
    at += strspn(at, " \t");
    return *at == '\0' ? STATUS_OK : bad_line(input, line, at, "expected the end of the line", error);
}

static int append_pair(struct pair **pairs, uint64_t *count, const struct pair *pair, struct error *error)
{
    if ((*count & (*count - 1)) == 0) { /* room for the next power of two */
        struct pair *larger = realloc(*pairs, (*count > 0 ? 2 * *count : 1) * sizeof *larger);
        if (larger == NULL)
            return error_set(error, STATUS_INPUT, "out of memory: too many pairs");
        *pairs = larger;
    }
    (*pairs)[(*count)++] = *pair;
    return STATUS_OK;
}

int read_pairs(const struct graph *graph, const char *path, struct pair **pairs, uint64_t *count, struct error *error)
{
    struct text_input input;
    char *line = NULL;
    bool named = false; /* the line of column names was there */
    *pairs = NULL;
    *count = 0;
    if (text_open(&input, path, error) == STATUS_OK)
        while (text_line(&input, &line, error) == STATUS_OK && line != NULL) {
            const char *start = line + strspn(line, " \t");
            struct pair pair = {0};
            if (*start == '\0' || *start == '#')
                continue;
            if (*count == 0 && !named && !(*start >= '0' && *start <= '9') && *start != '-' && *start != '+') {
                named = true;
                continue;
            }
            if (read_pair(graph, &input, line, &pair, error) != STATUS_OK ||
                append_pair(pairs, count, &pair, error) != STATUS_OK)
                break;
        }
    text_close(&input);
    if (error->status == STATUS_OK && *count == 0)
        error_set(error, STATUS_INPUT, "%s: no pairs in the file", path);
    if (error->status != STATUS_OK) {
        free(*pairs);
        *pairs = NULL;
    }
    return error->status;
}

/* ---- keys ---- */

static uint64_t key_of(const struct pair *pair, bool swapped)
{
    uint64_t source = swapped ? pair->destination : pair->source;
    return source << 32 | (swapped ? pair->source : pair->destination);
}
static vertex_t start_of(uint64_t key)
{
    return (vertex_t)(key >> 32);
}
static vertex_t end_of(uint64_t key)
{
    return (vertex_t)key;
}

/* Sources beside destinations, each counted once. */
static int has_fewer_destinations(const struct pairs_request *request, bool *fewer, struct error *error)
{
    uint8_t *is; /* bit 0: a source; bit 1: a destination */
    uint64_t count[2] = {0};
    if (allocate_zeroed(&is, request->bench->graph->num_vertices, 1, "the pairs", error) != STATUS_OK)
        return error->status;
    for (uint64_t i = 0; i < request->num_pairs; i++) {
        uint8_t *source = &is[request->pairs[i].source], *destination = &is[request->pairs[i].destination];
        count[0] += !(*source & 1);
        *source |= 1;
        count[1] += !(*destination & 2);
        *destination |= 2;
    }
    *fewer = count[1] < count[0];
    free(is);
    return STATUS_OK;
}

static int make_keys(const struct pairs_request *request, struct pairs_result *result, struct error *error)
{
    struct radix radix = {0};
    if (request->bench->graph->symmetric && has_fewer_destinations(request, &result->swapped, error) != STATUS_OK)
        return error->status;
    if (!radix_reserve(&radix, request->num_pairs)) {
        error_set(error, STATUS_INPUT, "out of memory: the pairs");
        goto end;
    }
    for (uint64_t i = 0; i < request->num_pairs; i++)
        radix.keys[i] = key_of(&request->pairs[i], result->swapped);
    radix_sort(&radix, request->num_pairs, 0, 64);
    if (allocate(&result->keys, request->num_pairs, sizeof *result->keys, "the pairs", error) != STATUS_OK)
        goto end;
    for (uint64_t i = 0; i < request->num_pairs; i++) {
        if (i > 0 && radix.keys[i] == radix.keys[i - 1])
            continue;
        result->num_sources += i == 0 || start_of(radix.keys[i]) != start_of(radix.keys[i - 1]);
        result->keys[result->num_keys++] = radix.keys[i];
    }
    if (allocate(&result->length, result->num_keys, sizeof *result->length, "the pairs", error) == STATUS_OK &&
        request->bench->paths)
        allocate(&result->path_at, result->num_keys, sizeof *result->path_at, "the paths", error);
end:
    radix_release(&radix);
    return error->status;
}

/* ---- searching ---- */

struct searcher {
    const struct pairs_request *request;
    struct pairs_result *result;
    struct engine engine;
    struct graph transpose;           /* of a directed graph, for paths */
    vertex_t *sources;                /* of a batch */
    struct destination *destinations; /* num_keys: of each key, numbered within its batch */
    struct traversal fetched;         /* the levels of a source, where they are fetched */
    struct error *error;
};

/* The keys of one batch: first .. last - 1. */
struct stretch {
    uint64_t first, last;
    uint32_t num_sources;
};

/* Sets the sources and destinations of the batch that begins with key number first. */
static struct stretch next_batch(struct searcher *searcher, uint64_t first)
{
    const struct pairs_result *result = searcher->result;
    struct stretch batch = {first, first, 0};
    for (; batch.last < result->num_keys; batch.last++) {
        vertex_t start = start_of(result->keys[batch.last]);
        if (batch.num_sources == 0 || searcher->sources[batch.num_sources - 1] != start) {
            if (batch.num_sources == searcher->engine.batch_size)
                break;
            searcher->sources[batch.num_sources++] = start;
        }
        searcher->destinations[batch.last] =
            (struct destination){batch.num_sources - 1, end_of(result->keys[batch.last])};
    }
    return batch;
}

static int append_vertex(struct pairs_result *result, vertex_t vertex, struct error *error)
{
    if (result->path_length == result->path_capacity) {
        uint64_t capacity = 2 * result->path_capacity + 1024;
        vertex_t *larger = realloc(result->path, capacity * sizeof *larger);
        if (larger == NULL)
            return error_set(error, STATUS_INPUT, "out of memory: the paths have %llu vertices so far",
                             (unsigned long long)result->path_length);
        result->path = larger;
        result->path_capacity = capacity;
    }
    result->path[result->path_length++] = vertex;
    return STATUS_OK;
}

/* Walks back from the key's end: of the in-neighbours on the level before, the lowest. */
static int walk_back(struct searcher *searcher, uint64_t key)
{
    const struct graph *graph = searcher->request->bench->graph;
    const struct graph *in = graph->symmetric ? graph : &searcher->transpose;
    struct pairs_result *result = searcher->result;
    const uint32_t *level = searcher->fetched.level;
    vertex_t v = end_of(result->keys[key]);
    uint32_t length = result->length[key];
    result->path_at[key] = result->path_length;
    if (length == UNREACHED)
        return STATUS_OK;
    for (uint32_t i = 0; i <= length; i++)
        if (append_vertex(result, v, searcher->error) != STATUS_OK)
            return searcher->error->status;
    for (uint32_t place = length; place-- > 0;) {
        edge_t e = in->offsets[v];
        while (e < in->offsets[v + 1] && level[in->targets[e]] != place)
            e++;
        if (e == in->offsets[v + 1]) /* the levels are wrong; verification says so too, where it is asked for */
            return error_set(searcher->error, STATUS_WRONG, "vertex %u is on level %u without an in-neighbour on %u",
                             v, place + 1, place);
        v = in->targets[e];
        result->path[result->path_at[key] + place] = v;
    }
    return STATUS_OK;
}

/* The batch's lengths from what the algorithm gives: those of the destinations, or every level of every source. */
static int take_lengths(struct searcher *searcher, const struct stretch *batch)
{
    struct pairs_result *result = searcher->result;
    struct traversal *fetched = &searcher->fetched;
    if (fetched->level == NULL) {
        fetched->length = result->length + batch->first;
        engine_fetch(&searcher->engine, batch->num_sources, fetched);
        return searcher->error->status;
    }
    for (uint64_t key = batch->first; key < batch->last && searcher->error->status == STATUS_OK; key++) {
        uint32_t which = searcher->destinations[key].which;
        if (key == batch->first || which != fetched->which) {
            fetched->which = which;
            if (engine_fetch(&searcher->engine, batch->num_sources, fetched) != STATUS_OK)
                break;
        }
        result->length[key] = fetched->level[end_of(result->keys[key])];
        if (searcher->request->bench->paths)
            walk_back(searcher, key);
    }
    return searcher->error->status;
}

/* Checks the lengths, and the paths, of the sources of a batch, or of its first alone. */
static int verify_batch(struct searcher *searcher, const struct stretch *batch, bool all)
{
    const struct bench_request *bench = searcher->request->bench;
    struct pairs_result *result = searcher->result;
    uint64_t last;
    for (uint64_t first = batch->first; first < batch->last; first = last) {
        struct error found = {0};
        for (last = first; last < batch->last && start_of(result->keys[last]) == start_of(result->keys[first]);
             last++)
            continue;
        verify_lengths(bench->graph, start_of(result->keys[first]), &searcher->destinations[first],
                       &result->length[first], last - first, &found);
        for (uint64_t key = first; searcher->request->bench->paths && found.status == STATUS_OK && key < last; key++)
            if (result->length[key] != UNREACHED)
                verify_path(bench->graph, start_of(result->keys[key]), end_of(result->keys[key]),
                            result->path + result->path_at[key], (uint64_t)result->length[key] + 1, &found);
        if (found.status == STATUS_WRONG && result->wrong[0] == '\0')
            snprintf(result->wrong, sizeof result->wrong, "%s %s on %.128s from source %u: %.256s",
                     bench->algorithm->family, bench->algorithm->variant, bench->graph->name,
                     start_of(result->keys[first]), found.text);
        if (found.status != STATUS_OK && found.status != STATUS_WRONG)
            return error_set(searcher->error, found.status, "%s", found.text);
        if (!all)
            break;
    }
    return STATUS_OK;
}

static int run_batch(struct searcher *searcher, const struct stretch *batch, double *time_ms, double *kernel_ms)
{
    struct query query = {.sources = searcher->sources,
                          .num_sources = batch->num_sources,
                          .destinations = searcher->destinations + batch->first,
                          .num_destinations = batch->last - batch->first};
    return engine_traverse(&searcher->engine, &query, time_ms, kernel_ms);
}

static int run_batches(struct searcher *searcher)
{
    const struct bench_request *bench = searcher->request->bench;
    struct pairs_result *result = searcher->result;
    struct stretch batch;
    uint64_t sources = 0;
    double time_ms, kernel_ms;
    bool warm = bench->records == NULL;
    progress_begin("path lengths", result->num_sources);
    for (uint64_t first = 0; first < result->num_keys && searcher->error->status == STATUS_OK; first = batch.last) {
        batch = next_batch(searcher, first);
        if (stop_requested()) {
            error_set(searcher->error, STATUS_INTERRUPTED, "interrupted");
            break;
        }
        if (!warm && run_batch(searcher, &batch, &time_ms, &kernel_ms) != STATUS_OK)
            break;
        warm = true;
        if (run_batch(searcher, &batch, &time_ms, &kernel_ms) != STATUS_OK ||
            take_lengths(searcher, &batch) != STATUS_OK)
            break;
        result->time_ms += time_ms;
        result->kernel_ms += kernel_ms;
        result->num_batches++;
        if (bench->verify == VERIFY_ALL || (bench->verify == VERIFY_FIRST && first == 0))
            verify_batch(searcher, &batch, bench->verify == VERIFY_ALL);
        progress_set(sources += batch.num_sources);
    }
    progress_end();
    return searcher->error->status;
}

int pairs_run(const struct pairs_request *request, struct pairs_result *result, struct error *error)
{
    static const char *const verified[] = {[VERIFY_NONE] = "none", [VERIFY_FIRST] = "first", [VERIFY_ALL] = "all"};
    const struct bench_request *bench = request->bench;
    unsigned all = bench->algorithm->outputs | bench->algorithm->on_request;
    bool lengths = !request->bench->paths && all & OUTPUT_LENGTH;
    unsigned outputs = lengths                                            ? OUTPUT_LENGTH
                       : family_of(bench->algorithm->family)->has_batches ? OUTPUT_LEVEL
                                                                          : bench->algorithm->outputs;
    struct searcher searcher = {.request = request, .result = result, .error = error};
    *result = (struct pairs_result){0};
    if (make_keys(request, result, error) != STATUS_OK)
        return error->status;
    int num_sources = result->num_sources < INT_MAX ? (int)result->num_sources : INT_MAX;
    int status = engine_open(&searcher.engine, bench, outputs, num_sources, error);
    if (status == STATUS_OK &&
        allocate(&searcher.sources, searcher.engine.batch_size, sizeof *searcher.sources, "the pairs", error) ==
            STATUS_OK &&
        allocate(&searcher.destinations, result->num_keys, sizeof *searcher.destinations, "the pairs", error) ==
            STATUS_OK &&
        outputs_allocate(bench->graph, outputs, 1, &searcher.fetched, error) == STATUS_OK &&
        (!request->bench->paths || bench->graph->symmetric ||
         graph_transpose(bench->graph, &searcher.transpose, error) == STATUS_OK))
        run_batches(&searcher);
    result->prepare_ms = searcher.engine.prepare_ms;
    result->batch_sources = searcher.engine.batch_size;
    memcpy(result->note, searcher.engine.run.note, sizeof result->note);
    result->verified = result->wrong[0] != '\0' ? "FAILED" : verified[bench->verify];
    engine_close(&searcher.engine);
    graph_release(&searcher.transpose);
    free(searcher.sources);
    free(searcher.destinations);
    searcher.fetched.length = NULL; /* the result's */
    outputs_release(&searcher.fetched);
    if (error->status == STATUS_OK && result->wrong[0] != '\0')
        return error_set(error, STATUS_WRONG, "%s", result->wrong);
    return error->status;
}

void pairs_release(struct pairs_result *result)
{
    free(result->keys);
    free(result->length);
    free(result->path_at);
    free(result->path);
    *result = (struct pairs_result){0};
}

/* ---- writing ---- */

static uint64_t find_key(const struct pairs_result *result, uint64_t key)
{
    uint64_t low = 0, high = result->num_keys - 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (result->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put_path(const struct graph *graph, const struct pairs_result *result, uint64_t key, FILE *file)
{
    const vertex_t *path = result->path + result->path_at[key];
    uint32_t length = result->length[key];
    for (uint32_t i = 0; i <= length; i++)
        fprintf(file, "%s%" PRIu64, i > 0 ? " " : "", graph_id(graph, path[result->swapped ? length - i : i]));
}

static void put_pairs(const struct pairs_request *request, const struct pairs_result *result, FILE *file)
{
    const struct graph *graph = request->bench->graph;
    fprintf(file, "src,dst,length%s\n", request->bench->paths ? ",path" : "");
    for (uint64_t i = 0; i < request->num_pairs && !ferror(file); i++) {
        const struct pair *pair = &request->pairs[i];
        uint64_t key = find_key(result, key_of(pair, result->swapped));
        bool reached = result->length[key] != UNREACHED;
        fprintf(file, "%" PRIu64 ",%" PRIu64 ",%" PRId64 "%s", graph_id(graph, pair->source),
                graph_id(graph, pair->destination), reached ? (int64_t)result->length[key] : -1,
                request->bench->paths ? "," : "");
        if (request->bench->paths && reached)
            put_path(graph, result, key, file);
        putc('\n', file);
    }
}

int pairs_write(const struct pairs_request *request, const struct pairs_result *result, const char *path,
                struct error *error)
{
    struct new_file output;
    if (path == NULL) {
        put_pairs(request, result, stdout);
        return fflush(stdout) == 0 && !ferror(stdout) ? STATUS_OK
                                                      : error_errno(error, "standard output: cannot write");
    }
    if (file_create(&output, path, error) != STATUS_OK)
        return error->status;
    put_pairs(request, result, output.file);
    return file_commit(&output, error);
}
