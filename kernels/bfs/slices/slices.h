/* slices.h: the BFS over neighbour slices for callers whose graph is already on the device. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::slices
{

/* The prepare function of bfs slices. Fills run->state, which takes over the graph; the caller frees anything left in
 * *graph, and must call the release function of bfs slices in any case. run->graph is the same graph on the host;
 * only its name, its size and its symmetry are read. Returns a status and fills run->error: STATUS_INPUT if the graph
 * has more than 2^26 vertices with neighbours. */
int prepare(struct run *run, struct gpu_graph *graph);

/* Estimates how many edges a slice would hold, from a sample of the vertices in the order of hashes. Takes a tenth of
 * the time of preparing. Sets *density to 0 if it cannot tell, as of a graph that is too large for slices. Returns a
 * status and fills run->error. */
int estimate_density(struct run *run, const struct gpu_graph *graph, double *density);

} // namespace BACKEND::slices
