/* output.h: --output FILE, the result of one source as one array. */
#ifndef GTRAV_OUTPUT_H
#define GTRAV_OUTPUT_H

#include "../algorithm.h"

/* STATUS_INPUT for what will certainly fail, before anything is measured: a name whose ending is not known, no such
 * folder, a directory. pairs: the file is for the lengths of --pairs, which are CSV whatever it is called. */
int output_check(const char *path, bool pairs, struct error *error);

/* Writes the level of every vertex; of an algorithm that has none the order, else the parents, else whether a vertex
 * was reached (1 or 0). -1 stands for not reached. The name's ending picks the form:
 *   .npy   NumPy's format, version 1.0, '<i8'
 *   .txt   one line that says what follows, then a value a line
 *   .csv   a line of names, then "vertex,value" a line, vertices by their ids in the graph's file
 * Standard output ("-"), a device or a pipe gets text, unless its name has one of these endings. source: NO_VERTEX
 * where the family has none; parents: whatever else there is, write the parents. The file appears when complete. */
int output_write(const char *path, const struct graph *graph, const struct algorithm *algorithm, vertex_t source,
                 const struct traversal *result, bool parents, struct error *error);

/* A value for each vertex, '<f8' in NumPy's format. title: what they are, in one word. */
int output_write_reals(const char *path, const struct graph *graph, const char *title, const double *values,
                       struct error *error);

#endif
