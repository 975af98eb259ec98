/* request.h: a request to run one algorithm on one graph. Each task (trials.h, pairs.h, closeness.h) takes a request,
 * and adds options of its own. */
#pragma once

#include "families.h"

/* Which trials are verified. */
enum verify_mode { VERIFY_NONE, VERIFY_FIRST, VERIFY_ALL };

/* Returns the name of a mode on the command line, in records and in JSON. */
static inline const char *verify_word(enum verify_mode mode)
{
    static const char *const words[] = {[VERIFY_NONE] = "none", [VERIFY_FIRST] = "first", [VERIFY_ALL] = "all"};
    return words[mode];
}

#define MAX_REPEATS 100u

struct warnings;

/* Gets the first num_wanted results of the trials, in the order of the sources, while they run. */
struct result_sink {
    int num_wanted; /* how many more it wants; the caller of put() decrements it */
    /* Takes the result of one source, or of a batch that has one result. `result` is valid during the call. */
    void (*put)(struct result_sink *self, vertex_t source, const struct traversal *result);
};

struct bench_request {
    const struct algorithm *algorithm;
    const struct family *family;   /* the family that the user named: the algorithm's, or one with engines */
    const struct graph *graph;     /* the graph in the input's order and ids, which sources, results and messages use */
    uint64_t graph_hash;           /* graph_hash(graph); 0 without records and checkpoints */
    const struct graph *reordered; /* the graph in the order for the algorithm; NULL: the algorithm gets graph */
    struct device *device;         /* num_devices; trials run on the first */
    int num_devices, all_devices;  /* number of devices of this process, and of all ranks; 0 means 1 */
    uint64_t device_bytes;         /* memory of the first device that the caller itself needs between searches */
    bool splits;                   /* each search runs on all devices; otherwise they share the sources */
    const double *options;         /* MAX_OPTIONS values */
    const vertex_t *sources; /* num_sources; NULL for a family without sources (then num_sources trials are run) */
    int num_sources;
    unsigned repeats; /* how often a trial is measured, at most MAX_REPEATS; 0 means 1 */
    enum verify_mode verify;
    int time_limit_s; /* no trial, or repeat of pairs, begins later than this after the first one ended; answering all
                       * pairs for the first time may also take this long; 0: no limit */
    int max_depth;    /* the last level that a trial of bfs searches; 0: no limit */
    const struct destination *targets; /* num_targets; a trial of bfs ends once all are reached */
    uint64_t num_targets;
    uint64_t num_pairs; /* number of pairs, for the record of a failure; 0: the task answers no pairs */
    double load_ms, reorder_ms;
    int cores;      /* number of the machine's cores; 0: unknown, and the machine's state is not to be read */
    int busy_cores; /* cores that other programs kept busy when this process began; 0: none, or unknown */
    const struct warnings *of_machine; /* warnings that hold for every run on the CPU; NULL: none */
    bool parents;                      /* trials get parents, too, from an algorithm that computes them on request */
    bool aggregates;          /* trials get only OUTPUT_SUMS, or else OUTPUT_FARNESS, from an algorithm with batches */
    bool paths;               /* pairs get paths */
    bool cold;                /* before each measured search of a trial, the caches are emptied */
    bool energy;              /* after the trials, the energy of their searches is measured */
    bool profile;             /* trials write a side table of their levels */
    bool fresh;               /* recorded trials are measured again */
    struct result_sink *sink; /* gets results, also of trials taken from records; NULL: none is wanted */
    const char *records;      /* folder of the records to write and to resume from; NULL: none */
};

static inline bool wants_results(const struct bench_request *request)
{
    return request->sink != NULL && request->sink->num_wanted > 0;
}

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
