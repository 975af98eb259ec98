/* engine.h: an algorithm at work on one graph, asked and answering in the input's vertex ids. The trial loop, path
 * lengths and closeness are built on it. */
#ifndef GTRAV_ENGINE_H
#define GTRAV_ENGINE_H

#include "request.h"
#include "translate.h"

struct engine {
    const struct bench_request *request;
    struct device *device;
    struct run run; /* run.note and run.build_ms are prepare's */
    bool prepared;  /* or tried to: there is something to release */
    struct translation translation;
    uint32_t batch_size;              /* sources that a query may have, 1 at least */
    vertex_t *sources;                /* batch_size: of a query, in the ids of the reordered graph */
    struct destination *destinations; /* of the last query, the same; NULL: it had none, or nothing is reordered */
    uint64_t num_destinations;        /* of the last query */
    double prepare_ms;
    uint64_t device_bytes, peak_device_bytes; /* as in struct bench_result; known after engine_close */
};

/* Prepares the request's algorithm on its graph, on one of its devices. outputs: enum output, what is to be fetched;
 * num_sources that are to come. engine_close() in every case; device_bytes and what the run tells can still be read
 * then. */
int engine_open(struct engine *engine, const struct bench_request *request, struct device *device, unsigned outputs,
                int num_sources, struct error *error);
void engine_close(struct engine *engine);

/* One query, timed; query->source is set here. Messages go to the error that engine_open was given. */
int engine_traverse(struct engine *engine, const struct query *query, double *time_ms, double *kernel_ms);
/* What of result is not NULL, of the last query and its source number result->which; what the algorithm leaves unset
 * is seen to be no result. num_sources: of the last query. */
int engine_fetch(struct engine *engine, uint32_t num_sources, struct traversal *result);

/* The arrays of these outputs but for length, for batches of up to batch_size sources; outputs_release() frees them,
 * on failure too. */
int outputs_allocate(const struct graph *graph, unsigned wanted, uint32_t batch_size, struct traversal *outputs,
                     struct error *error);
void outputs_release(struct traversal *outputs);

#endif
