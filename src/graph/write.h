/* write.h: checks before graphs are written to files. */
#pragma once

#include "../new_file.h"
#include "binary.h"

/* Whether graph_write writes a .gtrav file under this name. Only that format keeps a permutation. */
bool is_binary_name(const char *path);

/* STATUS_INPUT if graph_write() would reject the name or could not write there. Needs no graph. */
int graph_write_check(const char *path, struct error *error);

int write_binary_file(const struct graph *graph, const struct file_stamp *stamp, const char *path,
                      struct error *error);
