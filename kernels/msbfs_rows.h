/* msbfs_rows.h: multi-source BFS by nested seen-rows for who has a graph on the device already. */
#ifndef GTRAV_MSBFS_ROWS_H
#define GTRAV_MSBFS_ROWS_H

#include "backend/backend.h"

namespace BACKEND
{

/* The four steps of `msbfs rows`, as struct algorithm has them, but for a graph that is on the device: run->graph is
 * the same graph on the host (of which the name and the symmetry are read, and the arcs if it is directed),
 * run->options has the values of the variant's own options in their order, and run->state becomes the variant's.
 * prepare takes the graph over: *graph is empty afterwards, whatever is returned; msbfs_rows_release in any case. */
int msbfs_rows_prepare(struct run *run, struct gpu_graph *graph);
int msbfs_rows_traverse(struct run *run, const struct query *query);
int msbfs_rows_fetch(struct run *run, struct traversal *result);
void msbfs_rows_release(struct run *run);

} // namespace BACKEND

#endif
