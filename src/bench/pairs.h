/* pairs.h: how far it is from one vertex to another, for many pairs at once (IBFS's path lengths). */
#ifndef GTRAV_PAIRS_H
#define GTRAV_PAIRS_H

#include <stdio.h>

#include "request.h"

struct pair {
    vertex_t source, destination;
};

/* A CSV file, plain or gzip: `source,destination` a line, '|', ';', tabs or blanks for the comma; blank lines, '#'
 * comments, and before the first pair one line of column names. The ids are the graph's (graph_id()). A line that is
 * none is STATUS_INPUT, with its line and column. The caller frees *pairs, NULL on failure. */
int read_pairs(const struct graph *graph, const char *path, struct pair **pairs, uint64_t *count,
               struct error *error);

/* Start and end of the search that answers a pair: start << 32 | end. */
static inline uint64_t pair_key(const struct pair *pair, bool swapped)
{
    uint64_t source = swapped ? pair->destination : pair->source;
    return source << 32 | (swapped ? pair->source : pair->destination);
}

struct pairs_request {
    const struct bench_request *bench; /* its sources are ignored */
    const struct pair *pairs;
    uint64_t num_pairs;
    bool paths; /* full paths are wanted, not lengths alone */
};

struct pairs_result {
    /* Each different pair once, ascending. On a symmetric graph with fewer destinations than sources the searches run
     * from the destinations: swapped. */
    bool swapped;
    uint64_t *keys;    /* num_keys: start of the search << 32 | end */
    uint32_t *length;  /* num_keys: arcs from the one to the other, UNREACHED where there is no way */
    uint64_t *path_at; /* num_keys: the first of length + 1 vertices of paths; NULL: not wanted */
    vertex_t *path;    /* from the search's start to its end; the lowest ids that there are, seen from the end */
    uint64_t path_length, path_capacity;
    uint64_t num_keys, num_sources, num_batches; /* searches, and how many traversals they took */
    uint32_t batch_sources;
    double prepare_ms;
    /* Of all traversals together, of the device that had most of them; meant as in struct trial. */
    double time_ms, kernel_ms;
    const char *verified; /* "all", "first", "none", "FAILED" */
    char note[256];
    char wrong[512]; /* the first failed verification, "" if none */
};

/* Answers all pairs by the algorithm, which gives lengths or levels, from as many sources at once as it takes. Where
 * records are wanted, a batch that is not counted goes before, on each device. By all devices of the request, and by
 * all ranks: then rank 0 has the result, and the others none. STATUS_WRONG when a verification failed; on any other
 * failure there is no result. pairs_release() in every case. */
int pairs_run(const struct pairs_request *request, struct pairs_result *result, struct error *error);
void pairs_release(struct pairs_result *result);

/* "src,dst,length[,path]", a line for each pair in the order of the request; -1 where there is no way. path NULL:
 * standard output. In pairs_write.c. */
int pairs_write(const struct pairs_request *request, const struct pairs_result *result, const char *path,
                struct error *error);

/* One JSON object as of a run, with "pairs": [{"src", "dst", "length", "path"}, ...] in the order of the request;
 * length and path are null where there is no way, and path is left out where only lengths are wanted. */
void json_pairs(FILE *file, const struct pairs_request *request, const struct pairs_result *result);

#endif
