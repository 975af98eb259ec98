/* bfs_auto.h: `bfs auto` for who has a graph on the device already. */
#ifndef GTRAV_BFS_AUTO_H
#define GTRAV_BFS_AUTO_H

#include "backend/backend.h"

GPU_ALGORITHM(bfs_auto); /* its options, and its steps but for prepare */

namespace BACKEND
{

/* As prepare in struct algorithm, for a graph that is on the device: run->graph is the same graph. Takes it over:
 * *graph is empty afterwards, whatever is returned. */
int bfs_auto_prepare(struct run *run, struct gpu_graph *graph);

} // namespace BACKEND

#endif
