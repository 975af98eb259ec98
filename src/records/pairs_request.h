/* pairs_request.h: what is asked of pairs.h, and what it answers. */
#pragma once

#include "result.h"

struct engine;

struct pair {
    vertex_t source, destination;
};

/* A pair with an id that no vertex has. Nothing is searched for it; it is written with the others. */
struct absent_pair {
    uint64_t before; /* how many pairs of the request stand before it */
    char *id[2];     /* ids of source and destination, as text; owned */
};

/* The key of a pair: start << 32 | end of the search that answers it. */
static inline uint64_t pair_key(const struct pair *pair, bool swapped)
{
    uint64_t source = swapped ? pair->destination : pair->source;
    return source << 32 | (swapped ? pair->source : pair->destination);
}

#define MAX_REPEATS 100u

struct pairs_request {
    const struct bench_request *bench; /* its sources are ignored */
    const struct pair *pairs;
    uint64_t num_pairs;
    bool paths;            /* full paths are wanted, not lengths alone */
    unsigned repeats;      /* how often all pairs are answered, for times; at most MAX_REPEATS; 0 means 1 */
    struct engine *engine; /* already open for this request, on its only device, with pairs_outputs(); NULL: one is
                              opened, and closed at the end */
    const struct absent_pair *absent; /* num_absent, in their order */
    uint64_t num_absent;
};

struct pairs_result {
    /* The keys are the distinct pairs, ascending. With searches_pairs they are all pairs in the order of the request,
     * each with its own search. swapped: searches start from the destinations, because the graph is symmetric and the
     * pairs have fewer destinations than sources. */
    bool swapped, searches_pairs;
    uint64_t *keys;    /* num_keys: start of the search << 32 | end */
    uint32_t *length;  /* num_keys: edges from start to end; UNREACHED if there is no path */
    uint64_t *path_at; /* num_keys: where in path its length + 1 vertices begin; NULL: not wanted */
    vertex_t *path;    /* vertices of the paths, each from the search's start to its end */
    uint64_t path_length, path_capacity;
    uint64_t num_keys, num_sources, num_batches; /* num_sources: searches; num_batches: traversals */
    uint32_t batch_sources;
    double prepare_ms, upload_ms; /* upload_ms: of it, copying the graph to the device; 0 on a CPU */
    /* Of the repeat with the median time_ms, the lower of two: the sums over all traversals of a device, of the
     * device with the largest; those that engine_measure() reports. download_ms: fetching the results, in the same
     * way. */
    struct search_times times;
    double download_ms;
    unsigned repeats;
    int time_limit_s;                /* the request's limit if it ended the repeats; 0: all were run */
    double min_time_ms, max_time_ms; /* extremes of all repeats */
    double total_ms;                 /* a whole call: making keys, preparing, searching (time_ms), fetching */
    const char *verified;            /* "all", "first", "none", "FAILED" */
    char note[NOTE_BYTES];
    char facts[FACTS_BYTES]; /* as in struct bench_result */
    char wrong[512];         /* the first failed verification, "" if none */
};
