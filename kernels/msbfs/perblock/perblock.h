/* perblock.h: `msbfs perblock` for callers whose graph is already on the device. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::perblock
{

/* The four steps of struct algorithm, for a graph that is on the device. run->graph is the same graph on the
 * host. prepare sets run->state, which takes over the graph. The caller frees anything left in *graph, and calls
 * release in any case. */
int prepare(struct run *run, struct gpu_graph *graph);
int traverse(struct run *run, const struct query *query);
int fetch(struct run *run, struct traversal *result);
void release(struct run *run);

} // namespace BACKEND::perblock
