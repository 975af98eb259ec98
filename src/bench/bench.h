/* bench.h: sources, trials, verification, statistics and records: from a loaded graph and an algorithm to numbers
 * that can be trusted. Everything here knows an algorithm only through algorithm.h. */
#ifndef GTRAV_BENCH_H
#define GTRAV_BENCH_H

#include <stdio.h>

#include "../algorithm.h"
#include "warnings.h"

#define DEFAULT_SOURCES 64 /* GAP's number of trials for BFS */

/* ---- families.c: what each family promises, and how it is checked ---- */

struct family {
    const char *name;            /* "bfs" */
    const char *title;           /* "breadth-first search" */
    const char *engines;         /* the family whose algorithms it runs; NULL: its own */
    const char *default_variant; /* what --algo NAME alone runs; NULL: the first one listed that can run here */
    bool has_sources;            /* false: a trial covers the whole graph (topo) */
    bool has_batches;            /* its algorithms take many sources at once */
    /* STATUS_OK, or STATUS_WRONG with the first bad vertex in error. */
    int (*verify)(const struct graph *graph, vertex_t source, const struct algorithm *algorithm,
                  const struct traversal *result, struct error *error);
};
/* The aggregates of a batch: sums of its source number `which`, or far values over all its sources. STATUS_OK, or
 * STATUS_WRONG with the first bad vertex in error. */
int verify_sums(const struct graph *graph, vertex_t source, const struct traversal *result, struct error *error);
/* Lengths of the shortest paths from a source to num destinations; and that a path of so many vertices is one. */
int verify_lengths(const struct graph *graph, vertex_t source, const struct destination *destinations,
                   const uint32_t *length, uint64_t num, struct error *error);
int verify_path(const struct graph *graph, vertex_t source, vertex_t destination, const vertex_t *path,
                uint64_t num_vertices, struct error *error);
int verify_far(const struct graph *graph, const vertex_t *sources, int num_sources, const struct traversal *result,
               struct error *error);
/* The same of one vertex alone, by one search back from it. */
int verify_far_of(const struct graph *graph, const vertex_t *sources, int num_sources, vertex_t vertex,
                  const struct traversal *result, struct error *error);
extern const struct family families[];            /* ends with a NULL name */
const struct family *family_of(const char *name); /* NULL: none of that name */

/* Reached vertices, and the sum of their out-degrees. */
void count_reached(const struct graph *graph, const struct traversal *result, uint64_t *reached, uint64_t *edges);

/* The same where there is no result that tells a vertex from another, by a serial traversal: on a symmetric graph one
 * for each component. Zeroed before the first call; reach_release() frees it. */
struct reach {
    uint32_t
        *part; /* num_vertices: 1 + the index of the vertex's component, or the last search that met it; 0: none */
    vertex_t *queue; /* num_vertices */
    struct reach_size {
        uint64_t vertices, edges;
    } * sizes; /* by component, or search; from 1 on */
    uint32_t num_parts;
};
int reach_count(const struct graph *graph, vertex_t source, struct reach *reach, uint64_t *reached, uint64_t *edges,
                struct error *error);
void reach_release(struct reach *reach);

/* ---- quality.c: how depth-first a tree is ---- */

struct quality {
    bool known;
    uint32_t tree_depth; /* edges on the longest path from the source */
    double cross_share;  /* of the edges beside the tree, those that join no ancestor to a descendant: 0 to 1 */
};
/* Of the tree that a result's parents are, else of one that its levels tell; a result without either leaves it
 * unknown. The result must be a verified one: parents that lead anywhere but to the source are not looked for. */
int tree_quality(const struct graph *graph, vertex_t source, const struct traversal *result, struct quality *quality,
                 struct error *error);

/* ---- options.c: --set name=value ---- */

/* Sets values to the algorithm's defaults, then to each "name=value" of settings. Unknown names, bad values:
 * STATUS_INPUT. */
int options_parse(const struct algorithm *algorithm, const char *const *settings, int num_settings,
                  double values[MAX_OPTIONS], struct error *error);
/* "alpha=15 beta=18": every option with its value. */
void options_format(const struct algorithm *algorithm, const double values[MAX_OPTIONS], char *text, size_t size);

/* ---- sources.c ---- */

/* count sources by GAP's rule (graph-wide seed; vertices without out-neighbours are drawn again). A graph without
 * arcs has none: STATUS_INPUT. */
int pick_sources(const struct graph *graph, int count, vertex_t *sources, struct error *error);
/* "5" or "5,17,3" -> a malloc'd array. Each must be a vertex of the graph. */
int parse_sources(const struct graph *graph, const char *list, vertex_t **sources, int *count, struct error *error);
/* One source a line (blank lines and # comments allowed). */
int read_sources(const struct graph *graph, const char *path, vertex_t **sources, int *count, struct error *error);

/* ---- trials.c ---- */

enum verify_mode { VERIFY_NONE, VERIFY_FIRST, VERIFY_ALL };
enum verdict { NOT_VERIFIED, VERIFIED, VERIFY_FAILED };

struct trial {
    vertex_t source;  /* NO_VERTEX: the family has none */
    double time_ms;   /* from a resident graph to the finished result, reset included; of a batch, a source's share */
    double kernel_ms; /* the traversal alone; the same */
    uint32_t batch;   /* sources of the batch that it was part of; 0: the family has no batches */
    uint64_t edges;   /* sum of the out-degrees of the reached vertices */
    uint64_t reached;
    double mteps; /* edges / kernel_ms */
    enum verdict verdict;
    struct quality quality; /* known where the trial was verified and gives a tree */
    bool resumed;           /* taken over from an earlier run's records */
};

struct summary {
    int trials; /* how many the figures below are over */
    double mean_time_ms, mean_kernel_ms, median_kernel_ms, min_kernel_ms, max_kernel_ms;
    double kernel_spread;                   /* standard deviation of kernel_ms over its mean */
    double mean_mteps, harmonic_mean_mteps; /* trials without edges are left out of the harmonic mean */
    const char *verified;                   /* "all", "first", "none", "FAILED" */
    int trees;                              /* trials whose tree's quality is known: */
    double mean_tree_depth, mean_cross_share;
    uint32_t batch_sources; /* of the largest batch; 0: the family has no batches */
    double batch_kernel_ms; /* mean over the batches of that size */
};
int summarize(const struct trial *trials, int count, struct summary *summary, struct error *error);
const char *verified_word(const struct trial *trials, int count); /* summary.verified */

struct bench_request {
    const struct algorithm *algorithm;
    const struct family *family;   /* whose records it makes; NULL: the algorithm's */
    const struct graph *graph;     /* in the input's order and ids, in which everything is told and verified */
    const struct graph *reordered; /* the same in another order, which the algorithm is given; NULL: graph itself */
    struct device *device;         /* num_devices, one after the other; trials run on the first */
    int num_devices, all_devices;  /* of this process, and of all ranks; 0: as 1 */
    const double *options;         /* MAX_OPTIONS values */
    const vertex_t *sources;       /* num_sources; NULL for a family without sources (num_sources trials are run) */
    int num_sources;
    bool paths;      /* of pairs (pairs.h), full paths are wanted */
    bool parents;    /* wanted, of an algorithm that gives them on request */
    bool aggregates; /* only they are wanted (OUTPUT_SUMS, else OUTPUT_FAR), of an algorithm that has batches */
    enum verify_mode verify;
    double load_ms, reorder_ms;
    const char *records; /* folder to write records to and resume from; NULL: none */
    bool fresh;          /* measure anew what records already hold */
    const char *tasks;   /* instead of times, keep how many tasks each block of the grid did, under this name in the
                            folder of records, which then is not NULL; the algorithm has OUTPUT_TASKS. NULL: none */
    const struct warnings *of_machine; /* that hold for all that runs on the CPU; NULL: none */
};

static inline int num_devices(const struct bench_request *request)
{
    return request->all_devices > 1 ? request->all_devices : 1;
}
/* Of so many sources, those that one of the devices will have. */
static inline uint64_t share_of_device(const struct bench_request *request, uint64_t num_sources)
{
    uint64_t devices = (uint64_t)num_devices(request);
    return num_sources / devices + (num_sources % devices != 0);
}

struct bench_result {
    struct trial *trials; /* num_trials, in the order of the sources */
    int num_trials;
    double load_ms, reorder_ms, prepare_ms;
    double build_ms;            /* of prepare_ms, what the device took to build formats */
    uint64_t device_bytes;      /* device memory that the algorithm held while it ran, at most; 0: a CPU's */
    uint64_t peak_device_bytes; /* the same, preparing included */
    struct summary summary;
    struct traversal last; /* arrays of the last trial that ran here; all NULL where every trial was resumed */
    char note[256];        /* what the algorithm chose for this graph, in words; "" if nothing */
    char resumed_version[64], resumed_date[32]; /* of the newest record that a trial was taken from; "": of none */
    struct warnings warnings;                   /* not of emulated runs, whose times say nothing */
    char wrong[512]; /* the first failed verification: which trial, which vertex; "" if none */
};

int num_resumed(const struct bench_result *result); /* trials that were taken from records */

/* Runs the trials. STATUS_OK; STATUS_WRONG when a verification failed (the other trials still ran);
 * STATUS_INTERRUPTED with what was measured so far in *result; any other status with a message. bench_release() in
 * every case. */
int bench_run(const struct bench_request *request, struct bench_result *result, struct error *error);
void bench_release(struct bench_result *result);

/* ---- records.c: CSV, written so that a run cut off at any moment can be resumed (DESIGN: records) ---- */

/* FOLDER/<device>/<family>_<variant>_perf.csv holds the summaries, one row a graph;
 * FOLDER/<device>/trials/<family>_<variant>_<graph>.csv one row a trial. The folders are made by records_resume, with
 * which every run begins. */

/* "alpha=15 beta=18 reorder=rcm": all that was chosen for a run, as its rows tell it. */
#define REQUEST_OPTIONS_BYTES 640
void request_options(const struct bench_request *request, char text[REQUEST_OPTIONS_BYTES]);

/* Fills in those trials of *result (their sources are set) that earlier records hold for the same graph, algorithm,
 * options, device, threads and build, verified at least as asked for, and marks them resumed; with request->fresh,
 * none. What the records hold beyond them of this run (failed, torn, to be measured anew) is taken out of the file.
 * Rows of an older gtrav, which had fewer columns, are brought under the present header; a column that this one does
 * not know is STATUS_INPUT, and the file is left alone. *complete: the summary row is there too, with all that
 * preparing tells, which is then taken from it. */
int records_resume(const struct bench_request *request, struct bench_result *result, bool *complete,
                   struct error *error);
/* The time now, as records have it: "2026-01-31T12:59:59Z". */
#define DATE_BYTES 32
void put_date(char date[DATE_BYTES]);
/* Takes out the trials of this run that are in the result and not (no longer) marked resumed. */
int records_give_up(const struct bench_request *request, struct bench_result *result, struct error *error);
/* Appends the trials of a batch (or the one): all their rows reach the disk, or nothing of them stays. */
int records_append(const struct bench_request *request, const struct trial *trials, uint32_t count,
                   struct error *error);
/* Replaces the summary row of this graph and options, by a temporary file and rename. */
int records_summary(const struct bench_request *request, const struct bench_result *result, struct error *error);

/* FOLDER/<device>/<request->tasks>/balance_<graph>.csv: the tasks of every block and trial, made anew by every run:
 * it is opened here, with its folders made, and the caller commits or discards it. path holds its name meanwhile. */
#define TASKS_PATH_BYTES 4096
struct new_file;
int records_tasks_begin(const struct bench_request *request, struct new_file *file, char path[TASKS_PATH_BYTES],
                        struct error *error);
void records_tasks(const struct bench_request *request, const struct traversal *result, vertex_t source, FILE *file);

/* ---- trace.c ---- */

/* Appends the levels of a trial, if its result has a trace, to FOLDER/<device>/traces/<family>_<variant>_<graph>.csv,
 * after records_append: all its rows, or none. Then, in the same way, what its frontiers had to do, if the result has
 * that, to FOLDER/<device>/work/... A file of other columns is STATUS_INPUT, and left alone. */
int trace_append(const struct bench_request *request, const struct trial *trial, const struct traversal *result,
                 struct error *error);

/* ---- json.c ---- */

void json_string(FILE *file, const char *text);
/* Begins a run's object: identity, graph, algorithm, device, what preparing told, and warnings. */
void json_head(FILE *file, const struct bench_request *request, const struct bench_result *result);
/* One run as DESIGN section 6 gives it; the object is still open, for what is known only beside other runs. */
void json_run(FILE *file, const struct bench_request *request, const struct bench_result *result);

#endif
