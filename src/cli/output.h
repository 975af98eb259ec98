/* output.h: --output FILE, the result of one source as one array. */
#pragma once

#include "../algorithm.h"

/* Fails before anything is measured if writing would fail: STATUS_INPUT for an unknown ending of the name, a missing
 * folder, or a directory. pairs: the file is for the lengths of --pairs, which are always CSV. */
int output_check(const char *path, bool pairs, struct error *error);

/* Writes the first array that the algorithm gives: the level of every vertex, the order, the parents, or whether each
 * vertex was reached (1 or 0). -1 means not reached. The ending of the name selects the format:
 *   .npy   NumPy's format, version 1.0, '<i8'
 *   .txt   one line that describes the values, then one value per line
 *   .csv   a line of column names, then "vertex,value" lines, with the vertices' ids in the graph's file
 *   .graphalytics   the format of LDBC Graphalytics: "vertex value" lines, 2^63 - 1 if not reached
 * Standard output ("-"), a device or a pipe gets text, unless its name has one of these endings. source: NO_VERTEX
 * if the family has none. parents: write the parents, not the levels. The file appears when it is complete. */
int output_write(const char *path, const struct graph *graph, const struct algorithm *algorithm, vertex_t source,
                 const struct traversal *result, bool parents, struct error *error);

/* Writes a value for each vertex, '<f8' in NumPy's format. title: the name of the values, one word. */
int output_write_reals(const char *path, const struct graph *graph, const char *title, const double *values,
                       struct error *error);
