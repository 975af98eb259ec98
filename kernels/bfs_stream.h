/* bfs_stream.h: the streaming direction-optimising BFS for who has a graph on the device already. */
#ifndef GTRAV_BFS_STREAM_H
#define GTRAV_BFS_STREAM_H

#include "backend/backend.h"

namespace BACKEND
{

/* The four steps of `bfs stream`, as struct algorithm has them, but for a graph that is on the device: run->graph is
 * the same graph on the host (of which only the name and the symmetry are read), run->options has the values of the
 * variant's own options in their order, and run->state becomes the variant's. prepare takes the graph over: *graph is
 * empty afterwards, whatever is returned, and stream_release frees it. */
int stream_prepare(struct run *run, struct gpu_graph *graph);
int stream_traverse(struct run *run, const struct query *query);
int stream_fetch(struct run *run, struct traversal *result);
void stream_release(struct run *run);

} // namespace BACKEND

#endif
