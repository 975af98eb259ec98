/* record_key.h: the keys that identify rows of records, and the paths of a request's records.
 *
 * Every row begins with its key: the columns graph to device. Rows belong to the same measurement if their keys,
 * threads and builds (identity.h) agree. */
#pragma once

#include "columns.h"

#define RECORD_NAME_BYTES 256 /* most bytes of a graph's name */

/* STATUS_INPUT if the graph's name is too long for a record. */
int record_check_name(const struct graph *graph, struct error *error);

/* Fills in the values that all rows of a request share, with the current time as date. output: "parents",
 * "aggregates" or "paths" if the user requested that output; or NULL. The request and its members must outlive *run.
 * STATUS_INPUT if record_check_name() fails. */
int record_run_init(struct record_run *run, const struct bench_request *request, const char *output,
                    struct error *error);

/* The key of a request's trials and summaries, as fields of a row. */
struct record_key {
    char *text;                    /* owned; record_key_release() frees it */
    char *fields[CSV_MAX_COLUMNS]; /* the fields as text */
    char threads[THREADS_BYTES];
};
int record_key_init(struct record_key *key, const struct bench_request *request, const char *output,
                    struct error *error);
void record_key_release(struct record_key *key);

/* Whether a row begins with this key. */
bool record_same_key(char *const *fields, const struct record_key *key);

/* ---- folders and files ---- */

struct record_paths {
    char folder[2048];        /* FOLDER/<device> */
    char summary[2560];       /* .../<family>_<variant>_perf.csv */
    char trials_folder[2100]; /* .../trials */
    char trials[3072];        /* .../<family>_<variant>_<graph>.csv */
};
/* STATUS_INPUT if the name of the folder is too long. */
int record_paths_find(struct record_paths *paths, const struct bench_request *request, struct error *error);
int record_folder(const struct bench_request *request, char *folder, size_t size, struct error *error);

/* The graph's name in a form that is valid in file names. */
void record_file_name(const struct graph *graph, char name[RECORD_NAME_BYTES + 1]);

/* Makes a folder and those above it. */
int record_make_folders(const char *path, struct error *error);

/* Locks the device's folder against other processes until the caller closes the descriptor. -1 on failure, with the
 * reason in error. */
int record_lock(const struct record_paths *paths, struct error *error);
