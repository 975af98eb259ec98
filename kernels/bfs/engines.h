/* engines.h: `bfs auto` and the BFSs that it chooses among, for callers whose graph is already on the device.
 *
 * Each function `prepare` is like prepare in struct algorithm, but takes a graph on the device; run->graph is the
 * same graph on the host. The state takes over the graph; the caller frees anything left in *graph. The algorithm's
 * release step frees the state, also after a failure. All return a status and fill run->error. */
#pragma once

#include "../backend/backend.h"
#include "khop/ball_growth.h"

GPU_ALGORITHM(bfs_auto);
GPU_ALGORITHM(bfs_blest);
GPU_ALGORITHM(bfs_dobfs);
GPU_ALGORITHM(bfs_khop);
GPU_ALGORITHM(bfs_queue);
GPU_ALGORITHM(bfs_slices);

namespace BACKEND
{

namespace automatic_bfs
{
int prepare(struct run *run, struct gpu_graph *graph);
}

namespace queue
{
int prepare(struct run *run, struct gpu_graph *graph);
}

namespace blest
{
/* Searches the graph in the given order, without reordering it. */
int prepare(struct run *run, struct gpu_graph *graph);
} // namespace blest

namespace dobfs
{
enum direction { DIRECTION_AUTO, DIRECTION_TOP_DOWN, DIRECTION_BOTTOM_UP, DIRECTION_ALTERNATING };

int prepare(struct run *run, struct gpu_graph *graph);
} // namespace dobfs

namespace khop
{
int prepare(struct run *run, struct gpu_graph *graph);

/* Measures the growth of balls around at most `most_samples` vertices of a graph on the device. bound: at most
 * LARGEST_BALL. Takes a fraction of a millisecond on large graphs. */
int ball_growth_sample(const struct gpu_graph *graph, uint32_t most_samples, uint32_t bound, struct ball_growth *growth,
                       struct error *error);
} // namespace khop

namespace slices
{
/* Returns STATUS_INPUT if the graph has more than 2^26 vertices with neighbours. */
int prepare(struct run *run, struct gpu_graph *graph);
} // namespace slices

} // namespace BACKEND
