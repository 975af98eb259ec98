/* pairs_keys.c: makes keys of pairs.
 *
 * The keys are sorted, and duplicates are removed. So there is one search per source, however many pairs the source
 * has. An algorithm with mode=paper may run one search per pair. Then each pair has its own key, in their order. */
#include "pairs_keys.h"

#include "../algorithm_options.h"
#include "../graph/radix.h"

uint64_t count_distinct(const struct graph *graph, const vertex_t *vertices, uint64_t count, size_t step)
{
    uint64_t distinct = 0;
    bool *is_known = calloc(graph->num_vertices + (size_t)1, sizeof *is_known);
    for (uint64_t i = 0; is_known != NULL && i < count; i++) {
        vertex_t v = vertices[i * step];
        distinct += v < graph->num_vertices && !is_known[v];
        is_known[v < graph->num_vertices ? v : graph->num_vertices] = true;
    }
    distinct = is_known != NULL ? distinct : count;
    free(is_known);
    return distinct;
}

/* Makes each distinct key once, in ascending order. */
static int make_distinct(const struct pairs_request *request, struct pairs_result *result, struct error *error)
{
    struct radix radix = {0};
    const struct graph *graph = request->bench->graph;
    const struct pair *pairs = request->pairs;
    result->swapped = graph->symmetric && count_distinct(graph, &pairs->destination, request->num_pairs, 2) <
                                              count_distinct(graph, &pairs->source, request->num_pairs, 2);
    if (!radix_reserve(&radix, request->num_pairs)) {
        error_set(error, STATUS_INPUT, "out of memory: the pairs");
        goto end;
    }
    for (uint64_t i = 0; i < request->num_pairs; i++)
        radix.keys[i] = pair_key(&request->pairs[i], result->swapped);
    radix_sort(&radix, request->num_pairs, 0, 64);
    for (uint64_t i = 0; i < request->num_pairs; i++)
        if (i == 0 || radix.keys[i] != radix.keys[i - 1])
            result->keys[result->num_keys++] = radix.keys[i];
end:
    radix_release(&radix);
    return error->status;
}

int pairs_make_keys(const struct pairs_request *request, struct pairs_result *result, struct error *error)
{
    const struct bench_request *bench = request->bench;
    result->searches_pairs =
        bench->algorithm->searches_pairs && options_mode(bench->algorithm, bench->options) == MODE_PAPER;
    if (allocate(&result->keys, request->num_pairs, sizeof *result->keys, "the pairs", error) != STATUS_OK)
        return error->status;
    for (uint64_t i = 0; result->searches_pairs && i < request->num_pairs; i++)
        result->keys[result->num_keys++] = pair_key(&request->pairs[i], false);
    if (!result->searches_pairs && make_distinct(request, result, error) != STATUS_OK)
        return error->status;
    for (uint64_t key = 0; key < result->num_keys; key++)
        result->num_sources += starts_search(result, key);
    if (allocate(&result->length, result->num_keys, sizeof *result->length, "the pairs", error) == STATUS_OK)
        memset(result->length, 0xff, result->num_keys * sizeof *result->length);
    if (request->paths &&
        allocate(&result->path_at, result->num_keys, sizeof *result->path_at, "the paths", error) == STATUS_OK)
        memset(result->path_at, 0xff, result->num_keys * sizeof *result->path_at);
    return error->status;
}

uint64_t pairs_key_of(const struct pairs_request *request, const struct pairs_result *result, uint64_t pair)
{
    uint64_t key = pair_key(&request->pairs[pair], result->swapped);
    uint64_t low = 0, high = result->num_keys - 1;
    if (result->searches_pairs)
        return pair;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (result->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
