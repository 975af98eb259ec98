/* request.h: a request to run one algorithm on one graph. Each task (trials.h, pairs.h, closeness.h) takes a request,
 * and adds options of its own. */
#pragma once

#include "families.h"

/* Which trials are verified. */
enum verify_mode { VERIFY_NONE, VERIFY_FIRST, VERIFY_ALL };

/* The name of a mode on the command line, in records and in JSON. */
static inline const char *verify_word(enum verify_mode mode)
{
    static const char *const words[] = {[VERIFY_NONE] = "none", [VERIFY_FIRST] = "first", [VERIFY_ALL] = "all"};
    return words[mode];
}

struct bench_request {
    const struct algorithm *algorithm;
    const struct family *family; /* as the user named it: the algorithm's, or one with engines (families.h) */
    const struct graph *graph;   /* the graph in the input's order and ids, which sources, results and messages use */
    uint64_t graph_hash;         /* graph_hash(graph); 0 without records and checkpoints */
    const struct graph *reordered; /* the graph in the order for the algorithm; NULL: the algorithm gets graph */
    struct device *device;         /* an array of num_devices; trials run on the first */
    int num_devices, all_devices;  /* devices of this process, and of all ranks; 0 means 1 */
    const double *options;         /* MAX_OPTIONS values */
    const vertex_t *sources; /* num_sources; NULL for a family without sources (then num_sources trials are run) */
    int num_sources;
    enum verify_mode verify;
    int time_limit_s; /* trials, or repeats of pairs, begin at most so many seconds after the first one ended; the
                         first answers to all pairs may take as long; 0: no limit */
    int max_depth;    /* last level that trials of bfs search; 0: no limit */
    const struct destination *targets; /* num_targets: each trial of bfs ends once all are reached */
    uint64_t num_targets;
    uint64_t num_pairs; /* for the record of a failure; 0: the task does not answer pairs */
    double load_ms, reorder_ms;
    int cores;           /* cores of the machine; 0: not known */
    int busy_cores;      /* cores that other programs kept busy when this process began; 0: none, or not known */
    const char *records; /* folder to write records to and resume from; NULL: none */
};

static inline int num_devices(const struct bench_request *request)
{
    return request->all_devices > 1 ? request->all_devices : 1;
}

/* Returns the largest number of sources that a device gets if all devices share num_sources. */
static inline uint64_t share_of_device(const struct bench_request *request, uint64_t num_sources)
{
    uint64_t devices = (uint64_t)num_devices(request);
    return num_sources / devices + (num_sources % devices != 0);
}
