/* binary.h: gtrav's own file format, the CSR in its memory layout: checksummed, versioned. */
#pragma once

#include <stdio.h>

#include "graph.h"

/* The file that a cache was made from. A cache of another state of the file is not used. All zero: no such file. */
struct file_stamp {
    uint64_t bytes;
    int64_t modified_ns;
};
bool stamp_file(const char *path, struct file_stamp *stamp);

bool is_binary_graph(const char *path);

/* Whether a cache may be written to this path: nothing is there, or another cache. A graph without a stamp is a
 * user's own. */
bool binary_may_replace(const char *path);

/* Reads the file into memory and checks all of it. stamp: NULL, or what the cache must have been made from. */
int binary_read(const char *path, const struct file_stamp *stamp, struct graph *graph, struct error *error);
int binary_write(const struct graph *graph, const struct file_stamp *stamp, FILE *file, const char *path,
                 struct error *error);

/* Writes the whole file, or leaves what is there. In write.c. */
int write_binary_file(const struct graph *graph, const struct file_stamp *stamp, const char *path,
                      struct error *error);
