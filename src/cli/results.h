/* results.h: the results of the runs on one graph, for stdout: a table for people, or JSON objects. They are kept
 * until the last run has ended, because each is compared with the fastest. */
#pragma once

#include "../run/closeness.h"
#include "options.h"
#include "table.h"

/* A column of the table, and its explanation in --help. */
struct result_column {
    const char *heading, *help;
};
extern const struct result_column result_columns[];    /* ends with a NULL heading */
extern const struct result_column *const wide_columns; /* from here on, only --wide shows them */

struct results {
    bool json, trials; /* trials: each trial is printed, too */
    int num_columns;   /* columns of the table: all result_columns, or those before wide_columns */
    int num_runs;
    struct held_run {
        char *text;          /* its JSON object, not closed yet, or lines to print below the table; owned, or NULL */
        struct table trials; /* a row for each trial; empty without --trials */
        double
            mean_time_ms; /* 0: not compared, because the run failed, is incomplete or slowed down, or was emulated */
        bool is_busy;     /* other programs needed its cores */
    } * runs;             /* num_runs are in use */
    struct table table;   /* row 0 has the headings, each other row a run */
};

/* Makes room for max_runs runs. Call results_release() in every case. */
int results_begin(struct results *results, const struct settings *settings, int max_runs, struct error *error);
void results_release(struct results *results);

/* Copies what will be printed of a run, so that the caller may release the run. closeness: NULL for other tasks;
 * otherwise *found is its result, and *result has the figures of the run. */
int results_add(struct results *results, const struct bench_request *request, const struct trials_result *result,
                const struct closeness_request *closeness, const struct closeness_result *found, struct error *error);

/* Prints the table of all runs, of which there is at least one, and the tables of their trials. */
void results_print_table(FILE *file, struct results *results, const struct graph *graph);
/* Prints the JSON object of run number `run`. */
void results_print_json(FILE *file, const struct results *results, int run);
