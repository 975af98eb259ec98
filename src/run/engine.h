/* engine.h: an algorithm prepared on one graph. Queries and results use the input's vertex ids. */
#pragma once

#include "../records/result.h"
#include "outputs.h"

/* Between the input's vertex ids, which sources and results use, and those of the reordered graph searched. */
struct translation {
    vertex_t num_vertices;
    const vertex_t *input_id; /* the input's id of each vertex of the reordered graph; NULL: not reordered, nothing to
                                 translate */
    vertex_t *new_id;         /* the reordered graph's id of each vertex of the input */
    struct traversal fetched; /* memory for a result on the reordered graph */
};

struct engine {
    const struct bench_request *request;
    struct device *device;
    struct run run;  /* prepare() sets run.note and run.build_ms */
    bool prepared;   /* prepare() was called, so release() must be called */
    bool unverified; /* set by the caller: what is fetched will not be verified, so it is not filled with garbage */
    struct translation translation;
    uint32_t batch_size;              /* the most sources of a query, at least 1 */
    vertex_t *sources;                /* batch_size: a query's sources, in the ids of the reordered graph */
    struct destination *destinations; /* destinations of the last query, in the same ids; NULL: it had none, or
                                         nothing is reordered */
    uint64_t num_destinations;        /* destinations of the last query */
    double prepare_ms, upload_ms;     /* upload_ms: of it, copying to the device; 0 on a CPU */
    double download_ms; /* the last engine_fetch(): copying its arrays to the host, in the input's ids */
    uint64_t device_bytes, peak_device_bytes; /* as in struct bench_result; valid after engine_close */
};

/* Prepares the request's algorithm on its graph, on one of its devices. outputs: the outputs that will be fetched,
 * or'ed enum output; num_sources: how many sources will follow; below 0: nobody knows, and what pays for
 * DEFAULT_SOURCES is prepared, in steps where that is possible. Call engine_close() in every case; the figures of
 * the engine and its run can still be read after it. */
int engine_open(struct engine *engine, const struct bench_request *request, struct device *device, unsigned outputs,
                int num_sources, struct error *error);
void engine_close(struct engine *engine);

/* Writes the facts of the run as an object of JSON; "" if there are none. */
void engine_facts(const struct engine *engine, char text[FACTS_BYTES]);

/* Runs and times one query. Messages go to the error that was passed to engine_open. Masks, and more sources than a
 * batch, are for a graph that is not reordered. */
int engine_traverse(struct engine *engine, const struct query *query, struct search_times *times);
/* The same for a time that is reported: a short query is run twice in a row, and the second run counts. The first
 * one undoes what ran since the last query (a fetch, a verification, writing records): the caches of the device and
 * of the host have the graph again, and the clocks are up. So the time does not depend on what else is asked for.
 * Three kinds of queries run once: those of LONG_SEARCH_MS and more, which caches and clocks hardly change; those on
 * the emulator, whose times mean nothing; and those of a run with OUTPUT_FARNESS, which adds up all queries. */
#define LONG_SEARCH_MS 50
int engine_measure(struct engine *engine, const struct query *query, struct search_times *times);
/* Fetches the arrays of result that are not NULL, for source number result->which of the last query, which had
 * num_sources. The arrays are filled with garbage first, unless they are unverified. */
int engine_fetch(struct engine *engine, uint32_t num_sources, struct traversal *result);
