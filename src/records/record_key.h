/* record_key.h: the keys of records' rows, and the paths of a request's records. A row begins with its key: the columns
 * graph to device. Rows belong to the same measurement if their keys, threads and builds (identity.h) agree. */
#pragma once

#include "columns.h"

#define RECORD_NAME_BYTES 256 /* most bytes of a graph's name */

/* Adds how the run prepared to its options, if memory was short. */
void record_run_add_step(struct record_run *run, enum memory_step step);

/* Fills in the values that all rows of a request share, with the current time as date. The request and its members
 * must outlive *run. STATUS_INPUT if the graph's name is too long for a record. */
int record_run_init(struct record_run *run, const struct bench_request *request, struct error *error);

/* ---- folders and files ---- */

#define RECORD_PATH_BYTES 4096

/* Writes a graph's name as the names of files have it, cut to RECORD_NAME_BYTES. */
void record_graph_name(const char *graph, char name[RECORD_NAME_BYTES + 1]);

/* Makes the folder FOLDER/<device>, or one within it such as "/trials", and writes the path of a file there:
 * <family>_<variant>_<ending>, or the ending alone if it begins with a slash. The ending for a graph's file is
 * <graph>.csv. STATUS_INPUT if the name of the folder is too long. */
int record_path(const struct bench_request *request, const char *within, const char *ending,
                char path[RECORD_PATH_BYTES], struct error *error);
int record_path_of_graph(const struct bench_request *request, const char *within, char path[RECORD_PATH_BYTES],
                         struct error *error);

/* Locks the device's folder against other processes until the caller closes the descriptor; -1 and an error if not. */
int record_lock(const struct bench_request *request, struct error *error);
