/* write.h: graphs into files. */
#ifndef GTRAV_WRITE_H
#define GTRAV_WRITE_H

#include "binary.h"
#include "new_file.h"

/* Whether graph_write gives a file of this name the binary form, the one that keeps a reordered graph's permutation.
 */
bool is_binary_name(const char *path);

/* STATUS_INPUT where graph_write() would refuse the name or could not write there; known before a graph is. */
int graph_write_check(const char *path, struct error *error);

int write_binary_file(const struct graph *graph, const struct file_stamp *stamp, const char *path,
                      struct error *error);

#endif
