/* pairs_request.h: the request and the result of a search for pairs (run/pairs.h). */
#pragma once

#include "result.h"

struct engine;

struct pair {
    vertex_t source, destination;
};

/* A pair with an id that no vertex has. It is not searched for, but written with the others. */
struct absent_pair {
    uint64_t before; /* number of the request's pairs before it */
    char *id[2];     /* ids of source and destination, as text; owned */
};

/* The key of a pair: start << 32 | end of the search that answers it. */
static inline uint64_t pair_key(const struct pair *pair, bool swapped)
{
    uint64_t source = swapped ? pair->destination : pair->source;
    return source << 32 | (swapped ? pair->source : pair->destination);
}

struct pairs_request {
    const struct bench_request *bench; /* its sources are ignored */
    const struct pair *pairs;
    uint64_t num_pairs;
    bool paths;            /* full paths are wanted, not lengths alone */
    unsigned repeats;      /* how often all pairs are answered, to measure times; at most MAX_REPEATS; 0 means 1 */
    struct engine *engine; /* already open for this request, on its only device, with pairs_outputs(); NULL:
                              pairs_run() opens and closes one */
    const struct absent_pair *absent; /* num_absent, by `before` ascending */
    uint64_t num_absent;
};

struct pairs_result {
    /* keys holds the distinct pairs, ascending. With searches_pairs it holds all pairs in the request's order, each
     * with a search of its own. swapped: searches start from the destinations, because the graph is symmetric and the
     * pairs have fewer destinations than sources. */
    bool swapped, searches_pairs;
    uint64_t *keys;    /* num_keys: start of the search << 32 | end */
    uint32_t *length;  /* num_keys: edges from start to end; UNREACHED if there is no path */
    uint64_t *path_at; /* num_keys: index in `path` of the key's length + 1 vertices; NULL: not wanted */
    vertex_t *path;    /* vertices of all paths, each from the search's start to its end */
    uint64_t path_length, path_capacity;
    uint64_t num_keys, num_sources, num_batches; /* num_sources: searches; num_batches: traversals */
    uint32_t batch_sources;
    struct setup setup;
    /* times and download_ms belong to the repeat with the (lower) median of time_ms. Each is the sum over all
     * traversals of one device (engine_measure()): the one with the largest sum. */
    struct search_times times;
    double download_ms;
    unsigned repeats;
    int time_limit_s;                /* the request's limit if it ended the repeats; 0: all were run */
    double min_time_ms, max_time_ms; /* extremes of all repeats */
    double total_ms;                 /* a whole call: making keys, preparing, searching, fetching */
    const char *verified;            /* "all", "first", "none", "FAILED" */
    char wrong[WRONG_BYTES];         /* the first failed verification, "" if none */
};
