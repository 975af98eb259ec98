/* warpnet.h: `bfs queue` for callers whose graph is already on the device. */
#pragma once

#include "../backend/backend.h"

GPU_ALGORITHM(bfs_queue); /* its options and all its steps except prepare */

namespace BACKEND::queue
{

/* Like prepare in struct algorithm, but for a graph that is on the device; run->graph is the same graph on the
 * host. The state takes over the graph; the caller frees anything left in *graph. The release step frees the
 * state, also after a failure. Returns a status and fills run->error. */
int prepare(struct run *run, struct gpu_graph *graph);

} // namespace BACKEND::queue
