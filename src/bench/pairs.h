/* pairs.h: lengths of the shortest paths between many pairs of vertices at once (IBFS's path lengths). */
#ifndef GTRAV_PAIRS_H
#define GTRAV_PAIRS_H

#include <stdio.h>

#include "pairs_request.h"

/* Reads a CSV file, plain or gzip: a line for each pair, `source,destination`; '|', ';', tabs or blanks may stand for
 * the comma. Blank lines, '#' comments, and one line of column names before the first pair are skipped. The ids are
 * the graph's (graph_id()). Any other line is STATUS_INPUT; the message has its line and column. The caller frees
 * *pairs; it is NULL on failure. */
int read_pairs(const struct graph *graph, const char *path, struct pair **pairs, uint64_t *count,
               struct error *error);

/* The outputs that an engine for pairs is opened with. */
unsigned pairs_outputs(const struct algorithm *algorithm, bool paths);

/* Answers all pairs, by an algorithm that gives lengths or levels, from as many sources at once as it takes. Uses all
 * devices of the request. If records are wanted, each device first runs a batch that is not counted. All ranks call
 * it; rank 0 gets the result, the others get none. STATUS_WRONG if a verification failed; after any other failure
 * there is no result. pairs_release() in every case. */
int pairs_run(const struct pairs_request *request, struct pairs_result *result, struct error *error);
void pairs_release(struct pairs_result *result);

/* Writes "src,dst,length[,path]", a line for each pair in the order of the request; the length is -1 if there is no
 * path. path: the file's name; NULL: standard output. In pairs_write.c. */
int pairs_write(const struct pairs_request *request, const struct pairs_result *result, const char *path,
                struct error *error);

/* Prints the run as a JSON object, with "pairs": [{"src", "dst", "length", "path"}, ...] in the order of the request.
 * length and path are null if there is no path; path is left out if only lengths are wanted. */
void json_pairs(FILE *file, const struct pairs_request *request, const struct pairs_result *result);

#endif
