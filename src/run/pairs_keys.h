/* pairs_keys.h: the keys of pairs, of which each search answers some. */
#pragma once

#include "../records/pairs_request.h"

/* A key is start << 32 | end: where the search that answers it starts, and its destination. */
static inline vertex_t start_of(uint64_t key)
{
    return (vertex_t)(key >> 32);
}
static inline vertex_t end_of(uint64_t key)
{
    return (vertex_t)key;
}

/* Sets result->keys, num_keys, num_sources, swapped, searches_pairs and, with room for each key, length and path_at
 * (the latter only if paths are wanted), all bits set. STATUS_INPUT if memory is short. */
int pairs_make_keys(const struct pairs_request *request, struct pairs_result *result, struct error *error);

/* Whether a search starts at this key: it is the first one of its start, or each pair has a search of its own. */
static inline bool starts_search(const struct pairs_result *result, uint64_t key)
{
    return key == 0 || result->searches_pairs || start_of(result->keys[key]) != start_of(result->keys[key - 1]);
}

/* The index in result->keys of pair number `pair` of the request. */
uint64_t pairs_key_of(const struct pairs_request *request, const struct pairs_result *result, uint64_t pair);
