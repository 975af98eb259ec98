/* pairs.c: computes the lengths of the shortest paths between pairs of vertices.
 *
 * Each pair has a key (pairs_keys.h). The keys of one source are contiguous, so the destinations of a batch are a
 * contiguous range of keys, to which the query points. A batch consists of the next sources that no device of any
 * rank has taken (ranks_take). Exactly one rank finds a key's length: the minimum over the ranks. */
#include "pairs.h"

#include <limits.h>
#include <math.h>

#include "../processes/ranks.h"
#include "../progress.h"
#include "../verify/verify.h"
#include "device_threads.h"
#include "engine.h"
#include "pairs_keys.h"

#define NOT_HERE UINT64_MAX /* path_at of a key that another rank has searched */

/* ---- times ---- */

/* The time of answering all pairs once, by kind, in ms. */
enum { TIME, RESET, KERNEL, DOWNLOAD, NUM_KINDS };
struct pairs_cost {
    double ms[NUM_KINDS];
};

/* Returns the time, on now_ms()'s clock, at which a limit of this many seconds ends that begins now; 0: no limit. */
static double limit_end(int seconds)
{
    return seconds > 0 ? now_ms() + 1e3 * seconds : INFINITY;
}

/* Sets the error for pairs that took too long, as an error of the algorithm. */
static int limit_report(const struct bench_request *request, uint64_t begun, uint64_t num_searches, struct error *error)
{
    error->of_algorithm = true;
    return error_set(
        error, STATUS_INPUT, "%s: time limit of %d s: %llu of %llu searches were begun; give --time-limit more seconds",
        request->graph->name, request->time_limit_s, (unsigned long long)begun, (unsigned long long)num_searches);
}

/* ---- searching ---- */

/* State shared by all searchers of this process. They write it only in the critical section pairs_result, except the
 * lengths and path_at of a batch's keys, which only the searcher of the batch writes. */
struct search {
    const struct pairs_request *request;
    struct pairs_result *result;
    unsigned outputs;
    uint64_t *key_at; /* num_sources + 1: the first key of each source */
    struct destination
        *destinations;      /* num_keys: the destination of each key; `which` counts from the batch's first source */
    struct graph transpose; /* transpose of a directed graph, if paths are wanted; else empty */
    struct searcher *searchers; /* num_searchers: one per device of this process */
    int num_searchers;
    bool is_first;                          /* this is the first repeat, whose results are verified */
    double limit_ms;                        /* the time at which the limit ends */
    struct pairs_cost repeats[MAX_REPEATS]; /* result->repeats: times, gathered from the searchers */
    struct device_threads threads;
    struct error *error;
};

/* A thread that runs batches on one engine. */
struct searcher {
    struct search *search;
    struct engine *engine; /* the engine of the request, or else `own` */
    struct engine own;
    vertex_t *sources;        /* batch_size: the sources of the batch */
    uint32_t batch_size;      /* the engine's batch size, or less so that each device gets a batch */
    struct traversal fetched; /* the levels of one source, if the algorithm gives levels */
    vertex_t *path;           /* the paths of the batch's keys */
    uint64_t path_length, path_capacity;
    struct pairs_cost cost; /* times of this repeat, summed over the searcher's batches */
    bool warm;              /* the warm-up batch has run */
    struct error *error;
};

/* The keys of one batch: first .. last - 1. */
struct stretch {
    uint64_t first, last;
    uint32_t num_sources; /* 0: nothing is left */
    bool is_first;
};

/* Sets the sources and destinations of the next batch. */
static struct stretch next_batch(struct searcher *searcher)
{
    const struct search *search = searcher->search;
    const struct pairs_result *result = search->result;
    uint32_t size = searcher->batch_size;
    uint64_t source = ranks_take(size);
    uint64_t left = source < result->num_sources ? result->num_sources - source : 0;
    struct stretch batch = {.num_sources = left < size ? (uint32_t)left : size, .is_first = source == 0};
    if (batch.num_sources == 0)
        return batch;
    batch.first = search->key_at[source];
    batch.last = search->key_at[source + batch.num_sources];
    for (uint32_t which = 0; which < batch.num_sources; which++) {
        uint64_t first = search->key_at[source + which];
        searcher->sources[which] = start_of(result->keys[first]);
        for (uint64_t key = first; key < search->key_at[source + which + 1]; key++)
            search->destinations[key] = (struct destination){which, end_of(result->keys[key])};
    }
    return batch;
}

/* Finds the path of a key from its end: each step goes to the in-neighbour of lowest id on the previous level. */
static int walk_back(struct searcher *searcher, uint64_t key)
{
    const struct search *search = searcher->search;
    const struct graph *graph = search->request->bench->graph;
    const struct graph *in = graph->symmetric ? graph : &search->transpose;
    struct pairs_result *result = search->result;
    const uint32_t *level = searcher->fetched.level;
    vertex_t v = end_of(result->keys[key]);
    uint32_t length = result->length[key];
    uint64_t at = result->path_at[key] = searcher->path_length;
    if (length == UNREACHED)
        return STATUS_OK;
    if (allocate_more(&searcher->path, at, (uint64_t)length + 1, &searcher->path_capacity, sizeof *searcher->path,
                      "the paths", searcher->error) != STATUS_OK)
        return searcher->error->status;
    searcher->path_length += (uint64_t)length + 1;
    searcher->path[at + length] = v;
    for (uint32_t place = length; place-- > 0;) {
        edge_t e = in->offsets[v];
        while (e < in->offsets[v + 1] && level[in->targets[e]] != place)
            e++;
        if (e == in->offsets[v + 1]) /* the levels are wrong; verification, if asked for, reports it too */
            return error_set(searcher->error, STATUS_WRONG, "vertex %u is on level %u without an in-neighbour on %u", v,
                             place + 1, place);
        v = in->targets[e];
        searcher->path[at + place] = v;
    }
    return STATUS_OK;
}

/* Appends the paths of the keys first .. last - 1 to the result, and makes path_at relative to the result's path. */
static int append_paths(struct pairs_result *result, const vertex_t *path, uint64_t length, uint64_t first,
                        uint64_t last, struct error *error)
{
    if (allocate_more(&result->path, result->path_length, length, &result->path_capacity, sizeof *result->path,
                      "the paths", error) != STATUS_OK)
        return error->status;
    if (length > 0)
        memcpy(result->path + result->path_length, path, length * sizeof *path);
    for (uint64_t key = first; key < last; key++)
        result->path_at[key] += result->path_length;
    result->path_length += length;
    return STATUS_OK;
}

static int fetch_timed(struct searcher *searcher, const struct stretch *batch)
{
    engine_fetch(searcher->engine, batch->num_sources, &searcher->fetched);
    searcher->cost.ms[DOWNLOAD] += searcher->engine->download_ms;
    return searcher->error->status;
}

/* Fetches the paths of a batch whose lengths are known, from an algorithm that computes paths. */
static int take_paths(struct searcher *searcher, const struct stretch *batch)
{
    struct pairs_result *result = searcher->search->result;
    struct traversal *fetched = &searcher->fetched;
    uint64_t length = 0;
    for (uint64_t key = batch->first; key < batch->last; key++) {
        result->path_at[key] = length;
        length += result->length[key] != UNREACHED ? (uint64_t)result->length[key] + 1 : 0;
    }
    searcher->path_length = length;
    if (allocate_more(&searcher->path, 0, length, &searcher->path_capacity, sizeof *searcher->path, "the paths",
                      searcher->error) != STATUS_OK)
        return searcher->error->status;
    *fetched = (struct traversal){.path = searcher->path, .num_path = length};
    fetch_timed(searcher, batch);
    fetched->path = NULL;
    return searcher->error->status;
}

/* Fetches the lengths of a batch. The algorithm gives the lengths of destinations, or all levels of a source. */
static int take_lengths(struct searcher *searcher, const struct stretch *batch)
{
    const struct search *search = searcher->search;
    struct pairs_result *result = search->result;
    struct traversal *fetched = &searcher->fetched;
    if (fetched->level == NULL) {
        fetched->length = result->length + batch->first;
        bool more = fetch_timed(searcher, batch) == STATUS_OK && search->outputs & OUTPUT_PATH;
        return more ? take_paths(searcher, batch) : searcher->error->status;
    }
    searcher->path_length = 0;
    for (uint64_t key = batch->first; key < batch->last && searcher->error->status == STATUS_OK; key++) {
        uint32_t which = search->destinations[key].which;
        if (key == batch->first || which != fetched->which) {
            fetched->which = which;
            if (fetch_timed(searcher, batch) != STATUS_OK)
                break;
        }
        result->length[key] = fetched->level[end_of(result->keys[key])];
        if (search->request->paths)
            walk_back(searcher, key);
    }
    return searcher->error->status;
}

/* Checks the lengths and paths, still in the searcher, of all sources of a batch, or of its first source only. */
static int verify_batch(struct searcher *searcher, const struct stretch *batch, bool all)
{
    const struct search *search = searcher->search;
    const struct bench_request *bench = search->request->bench;
    const struct pairs_result *result = search->result;
    uint64_t last;
    for (uint64_t first = batch->first; first < batch->last; first = last) {
        struct error found = {0};
        for (last = first; last < batch->last && start_of(result->keys[last]) == start_of(result->keys[first]); last++)
            continue;
        verify_lengths(bench->graph, start_of(result->keys[first]), &search->destinations[first],
                       &result->length[first], last - first, &found);
        for (uint64_t key = first; search->request->paths && found.status == STATUS_OK && key < last; key++)
            if (result->length[key] != UNREACHED)
                verify_path(bench->graph, start_of(result->keys[key]), end_of(result->keys[key]),
                            searcher->path + result->path_at[key], (uint64_t)result->length[key] + 1, &found);
        if (found.status == STATUS_WRONG)
#pragma omp critical(pairs_result)
            outputs_note_wrong(search->result->wrong, bench, start_of(result->keys[first]), found.text);
        if (found.status != STATUS_OK && found.status != STATUS_WRONG)
            return error_set(searcher->error, found.status, "%s", found.text);
        if (!all)
            break;
    }
    return STATUS_OK;
}

/* Runs one batch. Times for records are measured as in trials (engine.h). */
static int traverse_batch(struct searcher *searcher, const struct stretch *batch, bool timed,
                          struct search_times *times)
{
    struct query query = {.sources = searcher->sources,
                          .num_sources = batch->num_sources,
                          .destinations = searcher->search->destinations + batch->first,
                          .num_destinations = batch->last - batch->first};
    return (timed ? engine_measure : engine_traverse)(searcher->engine, &query, times);
}

static int run_batch(struct searcher *searcher, const struct stretch *batch)
{
    const struct search *search = searcher->search;
    enum verify_mode verify = search->is_first ? search->request->bench->verify : VERIFY_NONE;
    struct search_times times;
    bool timed = search->request->bench->records != NULL;
    if (traverse_batch(searcher, batch, timed, &times) != STATUS_OK || take_lengths(searcher, batch) != STATUS_OK)
        return searcher->error->status;
    searcher->cost.ms[TIME] += times.time_ms;
    searcher->cost.ms[RESET] += times.reset_ms;
    searcher->cost.ms[KERNEL] += times.kernel_ms;
    if ((verify == VERIFY_ALL || (verify == VERIFY_FIRST && batch->is_first)) &&
        verify_batch(searcher, batch, verify == VERIFY_ALL) != STATUS_OK)
        return searcher->error->status;
#pragma omp critical(pairs_result)
    {
        search->result->num_batches++;
        if (search->request->paths)
            append_paths(search->result, searcher->path, searcher->path_length, batch->first, batch->last,
                         searcher->error);
    }
    return searcher->error->status;
}

/* The worker of one device: searches until no batch is left. */
static int run_batches(int number, void *context, struct error *error)
{
    struct search *search = context;
    struct searcher *searcher = &search->searchers[number];
    struct search_times uncounted;
    struct stretch batch;
    searcher->error = error;
    searcher->cost = (struct pairs_cost){0};
    while (error->status == STATUS_OK && (batch = next_batch(searcher)).num_sources > 0) {
        if (stop_requested()) {
            error_set(error, STATUS_INTERRUPTED, "interrupted");
            break;
        }
        if (search->is_first && now_ms() > search->limit_ms) { /* without all lengths the pairs are not answered */
            limit_report(search->request->bench, ranks_taken(), search->result->num_sources, error);
            break;
        }
        if (!searcher->warm && traverse_batch(searcher, &batch, false, &uncounted) != STATUS_OK)
            break;
        searcher->warm = true;
        run_batch(searcher, &batch);
        progress_set(ranks_taken());
    }
    return error->status;
}

/* Opens the searcher's own engine once per repeat, or as often as the time limit allows, and keeps the last one. Sets
 * its setup to the one of median time, since the first time in a process also loads kernels. */
static int open_engine(struct searcher *searcher, struct device *device, int num_sources, struct error *error)
{
    const struct search *search = searcher->search;
    const struct bench_request *bench = search->request->bench;
    struct engine *engine = &searcher->own;
    double limit_ms = limit_end(bench->time_limit_s);
    struct setup setups[MAX_REPEATS];
    unsigned count = 0;
    do {
        if (count > 0)
            engine_close(engine);
        engine_open(engine, bench, device, search->outputs, num_sources, error);
        setups[count++] = engine->setup;
    } while (error->status == STATUS_OK && count < search->result->repeats && now_ms() <= limit_ms &&
             !stop_requested());
    qsort(setups, count, sizeof *setups, compare_doubles);
    engine->setup = setups[(count - 1) / 2];
    return error->status;
}

static int begin_searcher(int number, void *context, struct error *error)
{
    struct search *search = context;
    struct searcher *searcher = &search->searchers[number];
    const struct bench_request *bench = search->request->bench;
    uint64_t share = share_of_device(bench, search->result->num_sources);
    searcher->search = search;
    searcher->warm = bench->records == NULL;
    searcher->engine->run.error = error;
    if (searcher->engine == &searcher->own &&
        open_engine(searcher, &bench->device[number], share < INT_MAX ? (int)share : INT_MAX, error) != STATUS_OK)
        return error->status;
    searcher->batch_size = share < searcher->engine->batch_size ? (uint32_t)share : searcher->engine->batch_size;
    allocate(&searcher->sources, searcher->batch_size, sizeof *searcher->sources, "the pairs", error);
    return outputs_allocate(bench->graph, search->outputs, 1, &searcher->fetched, error);
}

static int end_searcher(int number, void *context, struct error *error)
{
    struct search *search = context;
    struct searcher *searcher = &search->searchers[number];
    if (searcher->search != NULL && searcher->engine == &searcher->own)
        engine_close(&searcher->own);
    free(searcher->sources);
    free(searcher->path);
    searcher->fetched.length = NULL; /* the result owns it */
    outputs_release(&searcher->fetched);
    return error->status;
}

static int begin_search(struct search *search)
{
    const struct bench_request *bench = search->request->bench;
    struct pairs_result *result = search->result;
    struct error *error = search->error;
    uint64_t source = 0;
    if (device_threads_open(&search->threads, bench->device, search->num_searchers, error) != STATUS_OK ||
        allocate(&search->key_at, result->num_sources + 1, sizeof *search->key_at, "the pairs", error) != STATUS_OK ||
        allocate(&search->destinations, result->num_keys, sizeof *search->destinations, "the pairs", error) !=
            STATUS_OK ||
        allocate_zeroed(&search->searchers, (size_t)search->num_searchers, sizeof *search->searchers, "the pairs",
                        error) != STATUS_OK)
        return error->status;
    for (uint64_t key = 0; key < result->num_keys; key++)
        if (starts_search(result, key))
            search->key_at[source++] = key;
    search->key_at[source] = result->num_keys;
    if (search->request->paths && !(search->outputs & OUTPUT_PATH) && !bench->graph->symmetric)
        graph_transpose(bench->graph, &search->transpose, error);
    return error->status;
}

/* Gathers the paths of all ranks on rank 0, in the order of the ranks. */
static int gather_paths(struct search *search)
{
    struct pairs_result *result = search->result;
    struct error *error = search->error;
    void *places = NULL, *lengths = NULL, *paths = NULL;
    size_t places_bytes, lengths_bytes, paths_bytes = 0;
    ranks_gather(result->path_at, result->num_keys * sizeof *result->path_at, &places, &places_bytes, error);
    ranks_gather(&result->path_length, sizeof result->path_length, &lengths, &lengths_bytes, error);
    ranks_gather(result->path, result->path_length * sizeof *result->path, &paths, &paths_bytes, error);
    if (ranks_agree(error) == STATUS_OK && ranks()->rank == 0) {
        const uint64_t *place = places, *length = lengths;
        uint64_t before = 0; /* path vertices of the lower ranks */
        for (int rank = 0; rank < ranks()->size; before += length[rank++])
            for (uint64_t key = 0; key < result->num_keys; key++, place++)
                if (*place != NOT_HERE)
                    result->path_at[key] = before + *place;
        free(result->path);
        result->path = paths;
        result->path_length = paths_bytes / sizeof *result->path;
        paths = NULL;
    }
    free(places);
    free(lengths);
    free(paths);
    return error->status;
}

/* Sets the times by the repeats, and gathers the results of all ranks on rank 0. */
static int gather(struct search *search)
{
    struct pairs_result *result = search->result;
    struct pairs_cost *repeats = search->repeats;
    struct error wrong = {0};
    qsort(repeats, result->repeats, sizeof *repeats, compare_doubles);
    const double *median = repeats[(result->repeats - 1) / 2].ms;
    result->times = (struct search_times){median[TIME], median[RESET], median[KERNEL]};
    result->download_ms = median[DOWNLOAD];
    result->min_time_ms = repeats[0].ms[TIME];
    result->max_time_ms = repeats[result->repeats - 1].ms[TIME];
    result->num_batches = ranks_sum(result->num_batches);
    ranks_least(result->length, result->num_keys);
    if (result->wrong[0] != '\0')
        error_set(&wrong, STATUS_WRONG, "%s", result->wrong);
    if (ranks_agree(&wrong) != STATUS_OK)
        snprintf(result->wrong, sizeof result->wrong, "%.511s", wrong.text);
    return result->path_at != NULL && ranks()->size > 1 ? gather_paths(search) : ranks_agree(search->error);
}

/* Answers all pairs once. */
static void answer_all(struct search *search)
{
    struct pairs_result *result = search->result;
    result->num_batches = result->path_length = 0;
    ranks_begin_work(NULL);
    progress_begin("path lengths", result->num_sources);
    device_threads_run(&search->threads, run_batches, search, search->error);
    ranks_end_work();
    progress_end();
    ranks_agree(search->error);
}

/* Answers all pairs as many times as requested, or until the time limit ends. */
static void answer_repeatedly(struct search *search)
{
    struct pairs_result *result = search->result;
    unsigned repeat = 0;
    search->limit_ms = limit_end(search->request->bench->time_limit_s);
    for (bool over = false; repeat < result->repeats && search->error->status == STATUS_OK && !over; repeat++) {
        search->is_first = repeat == 0;
        answer_all(search);
        for (int kind = 0; kind < NUM_KINDS; kind++) {
            double *most = &search->repeats[repeat].ms[kind];
            for (int i = 0; i < search->num_searchers; i++)
                *most = fmax(*most, search->searchers[i].cost.ms[kind]);
            *most = ranks_most(*most);
        }
        if (repeat == 0) /* all further repeats together get the limit once more */
            search->limit_ms = limit_end(search->request->bench->time_limit_s);
        over = ranks_sum(now_ms() > search->limit_ms) > 0;
    }
    if (repeat < result->repeats)
        result->time_limit_s = search->request->bench->time_limit_s;
    result->repeats = repeat;
}

static int do_search(struct search *search)
{
    struct pairs_result *result = search->result;
    struct error ignored = {0};
    for (int i = 0; i < search->num_searchers; i++)
        search->searchers[i].engine =
            search->request->engine != NULL ? search->request->engine : &search->searchers[i].own;
    device_threads_run(&search->threads, begin_searcher, search, search->error);
    if (ranks_agree(search->error) == STATUS_OK) {
        ranks_warn("told to stop, as mpirun tells all processes when one has died; path lengths begin anew");
        answer_repeatedly(search);
        ranks_warn(NULL);
        if (search->error->status == STATUS_OK)
            gather(search);
    }
    device_threads_run(&search->threads, end_searcher, search, &ignored);
    result->batch_sources = search->searchers[0].batch_size;
    result->setup = search->searchers[0].engine->setup;
    for (int i = 1; i < search->num_searchers; i++)
        setup_join(&result->setup, &search->searchers[i].engine->setup);
    return search->error->status;
}

unsigned pairs_outputs(const struct algorithm *algorithm, bool paths)
{
    unsigned pairs = OUTPUT_LENGTH | (paths ? OUTPUT_PATH : 0u);
    if ((all_outputs(algorithm) & pairs) == pairs)
        return pairs;
    return family_of(algorithm->family)->has_batches ? OUTPUT_LEVEL : algorithm->outputs;
}

int pairs_run(const struct pairs_request *request, struct pairs_result *result, struct error *error)
{
    const struct bench_request *bench = request->bench;
    struct search search = {.request = request,
                            .result = result,
                            .outputs = pairs_outputs(bench->algorithm, request->paths),
                            .num_searchers = bench->num_devices > 0 ? bench->num_devices : 1,
                            .error = error};
    *result = (struct pairs_result){.repeats = request->repeats > 0 ? request->repeats : 1};
    double begin = now_ms();
    pairs_make_keys(request, result, error);
    double keys_ms = now_ms() - begin;
    if (error->status == STATUS_OK)
        begin_search(&search);
    if (ranks_agree(error) == STATUS_OK)
        do_search(&search);
    result->total_ms = keys_ms + result->setup.prepare_ms + result->times.time_ms + result->download_ms;
    result->verified = result->wrong[0] != '\0' ? "FAILED" : verify_word(bench->verify);
    graph_release(&search.transpose);
    device_threads_close(&search.threads);
    free(search.searchers);
    free(search.key_at);
    free(search.destinations);
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
