/* binary.h: gtrav's own file format, the CSR in its memory layout: checksummed, versioned. */
#pragma once

#include "graph.h"

/* The state of the file that a cache was made from. A cache with another stamp is not used. All zero: no cache. */
struct file_stamp {
    uint64_t bytes;
    int64_t modified_ns;
};
bool stamp_file(const char *path, struct file_stamp *stamp);

bool is_binary_graph(const char *path);

/* Returns whether a cache may be written to this path: it is free or holds a cache. A graph without a stamp belongs
 * to the user. */
bool binary_may_replace(const char *path);

/* Reads the file into memory and checks all of it. stamp: NULL, or the stamp that the file must have. */
int binary_read(const char *path, const struct file_stamp *stamp, struct graph *graph, struct error *error);
int binary_write(const struct graph *graph, const struct file_stamp *stamp, FILE *file, const char *path,
                 struct error *error);

/* Writes the whole file; on failure an existing file does not change. In write.c. */
int write_binary_file(const struct graph *graph, const struct file_stamp *stamp, const char *path, struct error *error);
