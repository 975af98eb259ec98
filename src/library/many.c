/* many.c: the calls that search from many sources: msbfs, lengths, paths. */
#include "../run/pairs.h"
#include "../run/pairs_keys.h"
#include "../verify/verify.h"
#include "internal.h"

/* ---- levels and sums of each source ---- */

/* A call of gtrav_msbfs(). */
struct rows {
    const uint32_t *sources; /* num_sources */
    uint64_t num_sources;
    uint32_t *level;
    gtrav_sums *sums;
    struct source_sums *found; /* batch_size: the sums of a batch */
};

static gtrav_sums public_sums(struct source_sums sums)
{
    return (gtrav_sums){sums.reached, sums.level_sum, sums.eccentricity};
}

/* Fetches the sums of a batch that begins at source number `first`. */
static int take_sums(struct search *search, const struct rows *rows, uint64_t first, uint32_t count)
{
    const struct graph *graph = &search->graph->graph;
    struct traversal result = {.sums = rows->found};
    if (search_fetch(search, count, &result) != STATUS_OK)
        return search->call.error.status;
    for (uint32_t i = 0; i < count; i++) {
        rows->sums[first + i] = public_sums(rows->found[i]);
        result.which = i;
        if (verifies(search) &&
            verify_sums(graph, rows->sources + first, count, &result, &search->call.error) != STATUS_OK)
            break;
    }
    return search->call.error.status;
}

/* Fetches the levels of a batch. Computes the sums from them if the algorithm gives no sums. */
static int take_levels(struct search *search, const struct rows *rows, uint64_t first, uint32_t count)
{
    const struct graph *graph = &search->graph->graph;
    const struct algorithm *algorithm = search->prepared->request.algorithm;
    struct error *error = &search->call.error;
    for (uint32_t i = 0; i < count && error->status == STATUS_OK; i++) {
        struct traversal result = {.which = i, .level = rows->level + (first + i) * graph->num_vertices};
        if (search_fetch(search, count, &result) == STATUS_OK && verifies(search))
            family_of(algorithm->family)->verify(graph, rows->sources[first + i], algorithm, &result, error);
        if (rows->sums != NULL && !(search->preparation.outputs & OUTPUT_SUMS))
            rows->sums[first + i] = public_sums(sum_levels(result.level, graph->num_vertices));
        progress_set(first + i + 1);
        if (stop_requested())
            error_set(error, STATUS_INTERRUPTED, "interrupted");
    }
    return error->status;
}

static int search_rows(struct search *search, struct rows *rows)
{
    struct error *error = &search->call.error;
    if (check_vertices(&search->graph->graph, rows->sources, rows->num_sources, "source", error) != STATUS_OK)
        return error->status;
    uint32_t size = search->prepared->engine.batch_size;
    if (allocate(&rows->found, size, sizeof *rows->found, "the sums", error) != STATUS_OK)
        return error->status;
    progress_begin("searching", rows->num_sources);
    for (uint64_t first = 0; first < rows->num_sources && error->status == STATUS_OK; first += size) {
        uint64_t left = rows->num_sources - first;
        uint32_t count = left < size ? (uint32_t)left : size;
        struct query query = {.sources = rows->sources + first, .num_sources = count};
        if (search_traverse(search, &query) == STATUS_OK &&
            (rows->level == NULL || take_levels(search, rows, first, count) == STATUS_OK) && rows->sums != NULL &&
            search->preparation.outputs & OUTPUT_SUMS)
            take_sums(search, rows, first, count);
        progress_set(first + count);
    }
    progress_end();
    free(rows->found);
    return error->status;
}

int gtrav_msbfs(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, uint64_t num_sources, uint32_t *level,
                gtrav_sums *sums, gtrav_error *public_error)
{
    struct search search;
    struct wanted wanted = {.answers = {{"msbfs", level != NULL  ? OUTPUT_LEVEL
                                                  : sums != NULL ? OUTPUT_SUMS
                                                                 : 0u}},
                            .optional = sums != NULL ? OUTPUT_SUMS : 0u,
                            .num_sources = num_sources,
                            .outputs = OUTPUTS_NEEDED};
    struct rows rows = {.sources = sources, .num_sources = num_sources, .level = level, .sums = sums};
    REQUIRE(public_error, graph != NULL && (num_sources == 0 || sources != NULL));
    if (search_begin(&search, graph, query, &wanted, public_error) && num_sources > 0)
        search_rows(&search, &rows);
    return search_end(&search);
}

/* ---- pairs ---- */

/* Returns the number of searches for the pairs: distinct sources, or destinations on a symmetric graph if fewer. */
static uint64_t count_searches(const struct graph *graph, const uint32_t *sources, const uint32_t *destinations,
                               uint64_t num_pairs)
{
    uint64_t starts = count_distinct(graph, sources, num_pairs, 1);
    uint64_t ends = graph->symmetric ? count_distinct(graph, destinations, num_pairs, 1) : starts;
    return ends < starts ? ends : starts;
}

/* Answers the pairs with the engine of the search. Without pairs, *result stays empty. */
static int answer(struct search *search, const uint32_t *sources, const uint32_t *destinations,
                  struct pairs_request *request, struct pairs_result *result)
{
    struct prepared *prepared = search->prepared;
    struct error *error = &search->call.error;
    const struct graph *graph = &search->graph->graph;
    struct pair *pairs;
    if (check_vertices(graph, sources, request->num_pairs, "source", error) != STATUS_OK ||
        check_vertices(graph, destinations, request->num_pairs, "destination", error) != STATUS_OK ||
        allocate(&pairs, request->num_pairs, sizeof *pairs, "the pairs", error) != STATUS_OK)
        return error->status;
    for (uint64_t i = 0; i < request->num_pairs; i++)
        pairs[i] = (struct pair){sources[i], destinations[i]};
    prepared->request.verify = verifies(search) ? VERIFY_ALL : VERIFY_NONE;
    request->bench = &prepared->request;
    request->engine = &prepared->engine;
    request->pairs = pairs;
    pairs_run(request, result, error);
    search->times.kernel_ms = result->times.kernel_ms;
    search->times.download_ms = result->download_ms;
    return error->status;
}

static void take_lengths(const struct pairs_request *request, const struct pairs_result *result, uint32_t *length)
{
#pragma omp parallel for
    for (uint64_t i = 0; i < request->num_pairs; i++)
        length[i] = result->length[pairs_key_of(request, result, i)];
}

/* Copies the paths, each in the direction of its pair. */
static void take_paths(const struct pairs_request *request, const struct pairs_result *result, gtrav_path_list *paths,
                       struct error *error)
{
    uint64_t n = request->num_pairs;
    if (allocate_zeroed(&paths->offsets, n + 1, sizeof *paths->offsets, "the paths", error) != STATUS_OK)
        return;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t length = result->length[pairs_key_of(request, result, i)];
        paths->offsets[i + 1] = paths->offsets[i] + (length != UNREACHED ? (uint64_t)length + 1 : 0);
    }
    if (allocate(&paths->vertices, paths->offsets[n], sizeof *paths->vertices, "the paths", error) != STATUS_OK)
        return;
    paths->num_paths = n;
#pragma omp parallel for schedule(dynamic, 1024)
    for (uint64_t i = 0; i < n; i++) {
        uint64_t count = paths->offsets[i + 1] - paths->offsets[i];
        const vertex_t *path = result->path + (count > 0 ? result->path_at[pairs_key_of(request, result, i)] : 0);
        uint32_t *to = paths->vertices + paths->offsets[i];
        for (uint64_t k = 0; k < count; k++)
            to[k] = path[result->swapped ? count - 1 - k : k];
    }
}

/* Answers the pairs. into: a gtrav_path_list if the request wants paths, else the array of lengths. */
static int run_pairs(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, const uint32_t *destinations,
                     struct pairs_request *request, void *into, gtrav_error *public_error)
{
    struct search search;
    struct pairs_result result = {0};
    struct wanted wanted = {.answers = {{"msbfs", OUTPUT_LEVEL}, {"bfs", OUTPUT_LEVEL}},
                            .num_sources = count_searches(&graph->graph, sources, destinations, request->num_pairs),
                            .num_pairs = request->num_pairs,
                            .has_paths = request->paths,
                            .of_lengths = true,
                            .outputs = OUTPUTS_OF_PAIRS};
    if (search_begin(&search, graph, query, &wanted, public_error) &&
        (request->num_pairs == 0 || answer(&search, sources, destinations, request, &result) == STATUS_OK)) {
        if (request->paths)
            take_paths(request, &result, into, &search.call.error);
        else
            take_lengths(request, &result, into);
    }
    pairs_release(&result);
    free((void *)request->pairs);
    return search_end(&search);
}

int gtrav_lengths(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, const uint32_t *destinations,
                  uint64_t num_pairs, uint32_t *length, gtrav_error *public_error)
{
    struct pairs_request request = {.num_pairs = num_pairs};
    REQUIRE(public_error,
            graph != NULL && (num_pairs == 0 || (sources != NULL && destinations != NULL && length != NULL)));
    return run_pairs(graph, query, sources, destinations, &request, length, public_error);
}

int gtrav_paths(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, const uint32_t *destinations,
                uint64_t num_pairs, gtrav_path_list *paths, gtrav_error *public_error)
{
    struct pairs_request request = {.num_pairs = num_pairs, .paths = true};
    if (paths != NULL)
        *paths = (gtrav_path_list){0};
    REQUIRE(public_error,
            graph != NULL && paths != NULL && (num_pairs == 0 || (sources != NULL && destinations != NULL)));
    int status = run_pairs(graph, query, sources, destinations, &request, paths, public_error);
    if (status != GTRAV_OK)
        gtrav_path_list_free(paths);
    return status;
}

void gtrav_path_list_free(gtrav_path_list *paths)
{
    if (paths == NULL)
        return;
    free(paths->offsets);
    free(paths->vertices);
    *paths = (gtrav_path_list){0};
}
