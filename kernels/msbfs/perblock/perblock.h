/* perblock.h: `msbfs perblock` for callers whose graph is already on the device. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::perblock
{

/* The four steps of struct algorithm, for a graph that is on the device. run->graph is the same graph on the
 * host. prepare sets run->state and takes ownership of the graph: *graph is empty afterwards, even after an
 * error. Call release in any case. */
int prepare(struct run *run, struct gpu_graph *graph);
int traverse(struct run *run, const struct query *query);
int fetch(struct run *run, struct traversal *result);
void release(struct run *run);

} // namespace BACKEND::perblock
