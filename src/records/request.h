/* request.h: requests and results of measurements. A request is one algorithm on one graph. Each task (trials.h,
 * pairs.h, closeness.h) takes a request and has options of its own. */
#pragma once

#include "../algorithm.h"
#include "../verify/families.h"
#include "summary.h"
#include "warnings.h"

struct bench_request {
    const struct algorithm *algorithm;
    const struct family *family;   /* which the user asked for: the algorithm's, or one that runs its algorithms */
    const struct graph *graph;     /* in the input's order and ids; sources, results and messages use these */
    uint64_t graph_hash;           /* graph_hash(graph); 0 without records and checkpoints */
    const struct graph *reordered; /* the same graph in the order that the algorithm gets; NULL: graph itself */
    struct device *device;         /* an array of num_devices; trials run on the first */
    int num_devices, all_devices;  /* devices of this process, and of all ranks; 0 means 1 */
    const double *options;         /* MAX_OPTIONS values */
    const vertex_t *sources; /* num_sources; NULL for a family without sources (then num_sources trials are run) */
    int num_sources;
    enum verify_mode verify;
    int time_limit_s; /* no trial, and no repeat of pairs, begins so long after the end of the first; and the first of
                         pairs may take so long; 0: no limit */
    int max_depth;    /* of trials of bfs; 0: none */
    const struct destination *targets; /* num_targets: each trial of bfs ends once all are reached */
    uint64_t num_targets;
    uint64_t num_pairs; /* of a request for pairs, for the record of a failure; 0: it is none */
    double load_ms, reorder_ms;
    const char *records; /* folder to write records to and resume from; NULL: none */
};

static inline int num_devices(const struct bench_request *request)
{
    return request->all_devices > 1 ? request->all_devices : 1;
}

/* The most sources that one of the devices gets of the total. */
static inline uint64_t share_of_device(const struct bench_request *request, uint64_t num_sources)
{
    uint64_t devices = (uint64_t)num_devices(request);
    return num_sources / devices + (num_sources % devices != 0);
}

struct bench_result {
    struct trial *trials; /* num_trials, in the order of the sources */
    int num_trials;
    double load_ms, reorder_ms, prepare_ms;
    double upload_ms; /* the part of prepare_ms that copied to the device; 0 on a CPU */
    /* A whole call, from the graph in the host's memory to the result there: preparing, a search of median time, and
     * its download; with batches, those of a batch; closeness, all of it. NOT_MEASURED if no download was. */
    double total_ms;
    int time_limit_s; /* the request's limit if it ended the trials, or that of the record taken over; 0: all ran */
    double build_ms;  /* the part of prepare_ms in which the device built formats */
    uint64_t device_bytes;      /* the most device memory that the algorithm held while it ran; 0 on a CPU */
    uint64_t peak_device_bytes; /* the same, preparation included */
    uint32_t *target_levels;    /* num_targets of each trial; NULL: there are none */
    struct summary summary;
    struct traversal last;   /* arrays of the last trial that was run; all NULL if every trial was resumed */
    char note[NOTE_BYTES];   /* what the algorithm chose for this graph, in words; "" if nothing */
    char facts[FACTS_BYTES]; /* what it found out, as an object of JSON; "" if nothing */
    char resumed_version[64],
        resumed_date[32];     /* version and date of the newest record from which a trial was taken; "": none */
    struct warnings warnings; /* emulated runs have none, as their times mean nothing */
    char wrong[512];          /* the first failed verification: which trial, which vertex; "" if none */
};

/* How many trials were taken from records without a gap, from the first one on. */
static inline int num_leading(const struct bench_result *result)
{
    int count = 0;
    while (count < result->num_trials && result->trials[count].resumed)
        count++;
    return count;
}

/* How many trials were taken from records. */
static inline int num_resumed(const struct bench_result *result)
{
    int count = 0;
    for (int i = 0; i < result->num_trials; i++)
        count += result->trials[i].resumed;
    return count;
}
