/* results.h: the runs on one graph, for stdout: a table for people, or JSON objects. They are held until the last has
 * ended, because each is compared with the fastest. */
#ifndef GTRAV_RESULTS_H
#define GTRAV_RESULTS_H

#include "../bench/bench.h"
#include "../bench/closeness.h"
#include "table.h"

/* A column of the table; what --help says of it. */
struct result_column {
    const char *heading, *help;
};
extern const struct result_column result_columns[]; /* ends with a NULL heading */

struct results {
    bool json;
    int num_runs;
    struct held_run {
        char *json;            /* its object, still open; owned. NULL in a table */
        double mean_kernel_ms; /* 0: not to be compared, because it failed, is incomplete, or was emulated */
    } * runs;                  /* num_runs of them are used */
    struct table table;        /* row 0 has the headings, the others a run each */
};

/* Room for max_runs. results_release() in every case. */
int results_begin(struct results *results, bool json, int max_runs, struct error *error);
void results_release(struct results *results);

/* Copies what will be printed of a run; the caller may release it afterwards. */
int results_add(struct results *results, const struct bench_request *request, const struct bench_result *result,
                struct error *error);
int results_add_closeness(struct results *results, const struct closeness_request *request,
                          const struct closeness_result *result, struct error *error);

/* The table of all runs, if there are any. */
void results_print_table(FILE *file, struct results *results, const struct graph *graph);
/* The JSON object of run number `run`. */
void results_print_json(FILE *file, const struct results *results, int run);

#endif
