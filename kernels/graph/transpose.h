/* transpose.h: the transpose of a graph, made on the device. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

/* Makes the transpose of a graph: the in-neighbours of each vertex, in ascending order. Its offsets are as wide
 * as those of the graph. Besides the result it needs 16 bytes per edge of a part (the edges that it sorts
 * together), and one offset per vertex. Error: out of memory (STATUS_DEVICE). The caller frees the transpose
 * with gpu_graph_free, also after an error. */
int gpu_transpose(const struct gpu_graph *graph, struct gpu_graph *transpose, struct error *error,
                  edge_t edges_at_a_time = 1ull << 28);

} // namespace BACKEND
