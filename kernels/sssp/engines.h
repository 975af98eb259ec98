/* engines.h: the searches for shortest paths that `sssp auto` chooses among. Each prepare is as in struct algorithm,
 * but takes a graph on the device, as in ../bfs/engines.h. */
#pragma once

#include "../backend/backend.h"

GPU_ALGORITHM(sssp_nearfar);
GPU_ALGORITHM(sssp_stepping);

namespace BACKEND::sssp
{

int prepare_nearfar(struct run *run, struct gpu_graph *graph);
int prepare_stepping(struct run *run, struct gpu_graph *graph);

/* Returns the step width that stepping takes by itself. */
double stepping_delta(const struct graph *graph);

} // namespace BACKEND::sssp
