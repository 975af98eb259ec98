/* request.h: what a run is asked for: one algorithm on one graph. Each task (trials.h, pairs.h, closeness.h) takes a
 * request and has options of its own. */
#pragma once

#include "families.h"

/* The trials that are verified. */
enum verify_mode { VERIFY_NONE, VERIFY_FIRST, VERIFY_ALL };

/* The name of a mode on the command line, in records and in JSON. */
static inline const char *verify_word(enum verify_mode mode)
{
    static const char *const words[] = {[VERIFY_NONE] = "none", [VERIFY_FIRST] = "first", [VERIFY_ALL] = "all"};
    return words[mode];
}

struct bench_request {
    const struct algorithm *algorithm;
    const struct family
        *family;               /* the family that the user named: the algorithm's, or one that runs its algorithms */
    const struct graph *graph; /* the graph in the input's order and ids, which sources, results and messages use */
    uint64_t graph_hash;       /* graph_hash(graph); 0 without records and checkpoints */
    const struct graph *reordered; /* the same graph in the order that the algorithm gets; NULL: graph itself */
    struct device *device;         /* an array of num_devices; trials run on the first */
    int num_devices, all_devices;  /* devices of this process, and of all ranks; 0 means 1 */
    const double *options;         /* MAX_OPTIONS values */
    const vertex_t *sources; /* num_sources; NULL for a family without sources (then num_sources trials are run) */
    int num_sources;
    enum verify_mode verify;
    int time_limit_s; /* seconds after the end of the first trial, or first answers to pairs, in which others may
                         begin, and that the first answers to pairs may take; 0: no limit */
    int max_depth;    /* last level of trials of bfs; 0: no limit */
    const struct destination *targets; /* num_targets: each trial of bfs ends once all are reached */
    uint64_t num_targets;
    uint64_t num_pairs; /* number of pairs, for the record of a failure; 0: the request is for no pairs */
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
