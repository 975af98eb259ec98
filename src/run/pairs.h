/* pairs.h: computes the lengths of the shortest paths between many pairs of vertices (IBFS's path lengths). */
#pragma once

#include "../records/pairs_request.h"

/* The pairs of a file. */
struct pair_list {
    struct pair *pairs; /* the pairs whose vertices are both in the graph */
    uint64_t count;
    struct absent_pair *absent; /* the other pairs */
    uint64_t num_absent;
    char read_as[192]; /* what the reader assumed about the table, in one line */
};

/* Reads a table of pairs, plain or gzip, with any separator, header and columns that table_layout.h knows. columns:
 * "A,B", the columns of sources and destinations; NULL: find them. The ids are the graph's (graph_id()). A row without
 * two ids is STATUS_INPUT. pair_list_release() frees the list, which is empty on failure. In pairs_read.c. */
int read_pairs(const struct graph *graph, const char *path, const char *columns, struct pair_list *list,
               struct error *error);
void pair_list_release(struct pair_list *list);

/* Returns the outputs to open an engine with for pairs. */
unsigned pairs_outputs(const struct algorithm *algorithm, bool paths);

/* Answers all pairs with an algorithm that gives lengths or levels, in batches of as many sources as it takes. Uses
 * all devices of the request. If records are wanted, each device first runs a batch that is not counted. All ranks
 * call it; rank 0 gets the result, the others get none. STATUS_WRONG if a verification failed; after any other
 * failure there is no result. The caller calls pairs_release() in every case. */
int pairs_run(const struct pairs_request *request, struct pairs_result *result, struct error *error);
void pairs_release(struct pairs_result *result);

/* Writes a line "src,dst,length[,path]" for each pair, in the order of the request. The length is -1 if there is no
 * path or no such vertex. path: the file's name; NULL: standard output. In pairs_write.c. */
int pairs_write(const struct pairs_request *request, const struct pairs_result *result, const char *path,
                struct error *error);

/* Prints the run as a JSON object, with "pairs": [{"src", "dst", "length", "path"}, ...] in the order of the request.
 * length and path are null if there is no path; path is left out if only lengths are wanted. */
void json_pairs(FILE *file, const struct pairs_request *request, const struct pairs_result *result);
