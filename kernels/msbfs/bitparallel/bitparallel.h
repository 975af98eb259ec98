/* bitparallel.h: `msbfs bitparallel` for callers whose graph is already on the device. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::bitparallel
{

/* The four steps of struct algorithm, for a graph that is on the device. run->graph is the same graph on the
 * host: its name and its symmetry are read, and its edges if it is directed. run->options has the values of
 * the variant's own options in their order. prepare sets run->state, which takes over the
 * graph. The caller frees anything left in *graph, and calls release in any case. */
int prepare(struct run *run, struct gpu_graph *graph);
int traverse(struct run *run, const struct query *query);
int fetch(struct run *run, struct traversal *result);
void release(struct run *run);

} // namespace BACKEND::bitparallel
