/* dobfs.h: the direction-optimising BFS for callers whose graph is already on the device. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::dobfs
{

/* The values of the option `direction`. */
enum direction { DIRECTION_AUTO, DIRECTION_TOP_DOWN, DIRECTION_BOTTOM_UP, DIRECTION_ALTERNATING };

/* The four steps of `bfs dobfs`, like those of struct algorithm, but for a graph that is already on the
 * device. Each returns a status and fills run->error. run->graph is the same graph on the host; only its name
 * and its symmetry are read. run->options holds the values of the variant's own options, in their order.
 * prepare sets run->state, which takes over the graph; the caller frees anything left in *graph. release frees
 * everything, also after a failure. */
int prepare(struct run *run, struct gpu_graph *graph);
int traverse(struct run *run, const struct query *query);
int fetch(struct run *run, struct traversal *result);
void release(struct run *run);

} // namespace BACKEND::dobfs
