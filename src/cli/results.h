/* results.h: the runs on one graph, for stdout: a table for people, or JSON objects. They are kept until the last
 * run has ended, because each is compared with the fastest. */
#pragma once

#include "../run/closeness.h"
#include "../run/run.h"
#include "table.h"

/* A column of the table, and its explanation in --help. */
struct result_column {
    const char *heading, *help;
};
extern const struct result_column result_columns[];    /* ends with a NULL heading */
extern const struct result_column *const wide_columns; /* the rest of it, for --wide */

struct results {
    bool json;
    int num_columns; /* columns of the table: result_columns, up to wide_columns or to the end */
    int num_runs;
    struct held_run {
        char *text; /* its JSON object, not closed yet, or lines below the table; owned. NULL: none of these */
        double mean_time_ms; /* 0: not compared, because the run failed, is incomplete, or was emulated */
    } * runs;                /* num_runs are in use */
    struct table table;      /* row 0 has the headings, each other row a run */
};

/* Room for max_runs. wide: the table gets all columns. results_release() in every case. */
int results_begin(struct results *results, bool json, bool wide, int max_runs, struct error *error);
void results_release(struct results *results);

/* Copies the figures of a run that will be printed. The caller may release the run afterwards. closeness: NULL, or
 * the request of which *found is the result, and *result its figures. */
int results_add(struct results *results, const struct bench_request *request, const struct bench_result *result,
                const struct closeness_request *closeness, const struct closeness_result *found, struct error *error);

/* The table of all runs, if there are any. */
void results_print_table(FILE *file, struct results *results, const struct graph *graph);
/* The JSON object of run number `run`. */
void results_print_json(FILE *file, const struct results *results, int run);
