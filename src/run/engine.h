/* engine.h: an algorithm prepared on one graph. Queries and results use the input's vertex ids. */
#pragma once

#include "../records/result.h"
#include "outputs.h"

struct engine {
    const struct bench_request *request;
    struct device *device;
    struct run run;  /* state of the algorithm; prepare() sets run.note and run.build_ms */
    bool prepared;   /* prepare() was called, so release() must be called */
    bool unverified; /* set by the caller: results will not be verified, so arrays are not filled with garbage */
    /* Only if the graph is reordered; the graph's permutation leads back to the input's ids: */
    vertex_t *new_id;         /* num_vertices: the reordered graph's id of each vertex of the input; NULL: the same */
    struct traversal fetched; /* memory for a result on the reordered graph */
    uint32_t batch_size;      /* maximal number of sources of a query, at least 1 */
    vertex_t *sources;        /* batch_size: a query's sources, in the ids of the reordered graph */
    struct destination *destinations; /* destinations of the last query, in the same ids; NULL: no destinations, or
                                       * not reordered */
    uint64_t num_destinations;        /* number of destinations of the last query */
    struct setup setup;               /* its times are valid after engine_open(), all of it after engine_close() */
    double download_ms;               /* time of the last engine_fetch(): copying to the host, and translating ids */
};

/* Prepares the request's algorithm on its graph, on one of its devices. outputs: those that will be fetched, or'ed.
 * num_sources: how many sources will follow; below 0: unknown, then it prepares for DEFAULT_SOURCES, if possible step
 * by step. The caller always calls engine_close(), after which the figures of engine and run are still valid. */
int engine_open(struct engine *engine, const struct bench_request *request, struct device *device, unsigned outputs,
                int num_sources, struct error *error);
void engine_close(struct engine *engine);

/* Raises each figure of a setup to the figure of another device of the run, if that is larger. */
void setup_join(struct setup *setup, const struct setup *other);

/* Runs and times one query. Messages go to the error that was passed to engine_open. If the graph is reordered, the
 * query may have neither masks nor more sources than a batch. */
int engine_traverse(struct engine *engine, const struct query *query, struct search_times *times);
/* Runs a query whose time is reported: a short query runs twice in a row, and the second run counts. The first run
 * undoes the effects of what ran since the last query (a fetch, a verification, writing records): it brings the graph
 * back into the caches of device and host, and raises the clocks. So the time does not depend on these. Four kinds
 * of queries run once: those of a cold request, whose caches are emptied first; those of LONG_SEARCH_MS and more, on
 * which caches and clocks have little effect; those on the emulator, whose times mean nothing; and those of a run
 * with OUTPUT_FARNESS, which sums over all queries. */
#define LONG_SEARCH_MS 50
int engine_measure(struct engine *engine, const struct query *query, struct search_times *times);
/* Note the machine's state, if wanted, in engine->setup, before the first and after a search. engine_measure() does. */
void engine_note_before(struct engine *engine);
void engine_note_after(struct engine *engine);
/* Fetches the arrays of result that are not NULL, for source number result->which of the last query. num_sources: the
 * sources of that query. Unless engine->unverified is set, first fills the arrays with garbage. */
int engine_fetch(struct engine *engine, uint32_t num_sources, struct traversal *result);
