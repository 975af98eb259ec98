/* write.h: files that are complete or not there. */
#ifndef GTRAV_WRITE_H
#define GTRAV_WRITE_H

#include <stdio.h>

#include "binary.h"

/* A file being written under a temporary name beside its own. */
struct new_file {
    FILE *file;
    char *temporary;
    const char *path;
};

/* file_commit syncs and renames; file_discard removes. One of them must follow file_create; both free. */
int file_create(struct new_file *new_file, const char *path, struct error *error);
int file_commit(struct new_file *new_file, struct error *error);
void file_discard(struct new_file *new_file);

/* Whether graph_write gives a file of this name the binary form, the one that keeps a reordered graph's permutation.
 */
bool is_binary_name(const char *path);

int write_binary_file(const struct graph *graph, const struct file_stamp *stamp, const char *path,
                      struct error *error);

#endif
