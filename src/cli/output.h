/* output.h: --output FILE, the result of one source as one array. */
#ifndef GTRAV_OUTPUT_H
#define GTRAV_OUTPUT_H

#include "../algorithm.h"

/* What will fail for certain is said before anything is measured: no such folder, or not a file. */
int output_check(const char *path, struct error *error);

/* Writes the level of every vertex; of an algorithm that has none the order, else the parents, else whether a vertex
 * was reached (1 or 0). -1 stands for not reached. A name that ends in .npy gets NumPy's format, version 1.0, '<i8';
 * any other gets text: one line that says what follows, then a value a line. source: NO_VERTEX where the family has
 * none; parents: whatever else there is, write the parents. The file appears when complete. */
int output_write(const char *path, const struct graph *graph, const struct algorithm *algorithm, vertex_t source,
                 const struct traversal *result, bool parents, struct error *error);

/* A value for each vertex, '<f8' in NumPy's format. title: what they are. */
int output_write_reals(const char *path, const struct graph *graph, const char *title, const double *values,
                       struct error *error);

#endif
