/* transpose.h: transposes a graph on the device. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

/* Transposes a graph: the result has the in-neighbours of each vertex, in ascending order, and offsets of the same
 * width. Needs 16 bytes per edge of a part (edges that are sorted together) and one offset per vertex besides the
 * result. Error: out of memory (STATUS_DEVICE). The caller frees the transpose with gpu_graph_free, also after an
 * error. */
int gpu_transpose(const struct gpu_graph *graph, struct gpu_graph *transpose, struct error *error,
                  edge_t edges_at_a_time = 1ull << 28);

} // namespace BACKEND
