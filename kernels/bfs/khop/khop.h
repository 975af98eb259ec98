/* khop.h: the parts of bfs khop that other algorithms may use: measuring how balls grow, and preparing bfs
 * khop for a graph that is already on the device. */
#pragma once

#include "../../backend/backend.h"
#include "ball_growth.h"

namespace BACKEND::khop
{

/* Measures ball growth on at most `most_samples` vertices of a graph on the device. bound: at most LARGEST_BALL.
 * Takes a fraction of a millisecond on large graphs. Returns a status and fills *error. */
int ball_growth_sample(const struct gpu_graph *graph, uint32_t most_samples, uint32_t bound,
                       struct ball_growth *growth, struct error *error);

/* The prepare function of bfs khop for callers whose graph is already on the device. Fills run->state, which
 * takes over the graph; the caller frees anything left in *graph, and must call the release function of bfs
 * khop in any case. Returns a status and fills run->error. */
int prepare(struct run *run, struct gpu_graph *graph);

} // namespace BACKEND::khop
