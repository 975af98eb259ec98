/* pairs_keys.h: keys, which stand for pairs in a search. */
#pragma once

#include "../records/pairs_request.h"

/* A key is start << 32 | end. The search that answers it starts at `start` and has the destination `end`. */
static inline vertex_t start_of(uint64_t key)
{
    return (vertex_t)(key >> 32);
}
static inline vertex_t end_of(uint64_t key)
{
    return (vertex_t)key;
}

/* Returns how many of the graph's vertices are among vertices[0], vertices[step], ...; count if memory is short. */
uint64_t count_distinct(const struct graph *graph, const vertex_t *vertices, uint64_t count, size_t step);

/* Sets result->keys, num_keys, num_sources, swapped and searches_pairs. Allocates length and, if paths are wanted,
 * path_at, with one entry per key, and sets all their bits. STATUS_INPUT if memory is short. */
int pairs_make_keys(const struct pairs_request *request, struct pairs_result *result, struct error *error);

/* Returns whether a search begins at this key: it is the first key of its start, or each pair has its own search. */
static inline bool starts_search(const struct pairs_result *result, uint64_t key)
{
    return key == 0 || result->searches_pairs || start_of(result->keys[key]) != start_of(result->keys[key - 1]);
}

/* Returns the index, in result->keys, of the key of pair number `pair` of the request. */
uint64_t pairs_key_of(const struct pairs_request *request, const struct pairs_result *result, uint64_t pair);
