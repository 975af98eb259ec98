/* launch.cuh: launches the searches of a batch. */
#pragma once

#include "host.cuh"

namespace BACKEND::block
{

/* Resets the device memory before a launch. It is apart from launch so that it is not timed. */
static int reset(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    gpu_check(cudaMemsetAsync(batch.progress, 0, sizeof *batch.progress), "clearing a counter", run->error);
    gpu_check(cudaMemsetAsync(batch.sums, 0, batch.num_sources * sizeof *batch.sums), "clearing the sums",
              run->error);
    if (batch.length != NULL)
        gpu_check(cudaMemsetAsync(batch.length, 0xff, state->num_destinations * sizeof *batch.length),
                  "clearing the lengths", run->error); /* UNREACHED */
    return run->error->status;
}

static size_t num_distances(const struct state *state, uint32_t num_sources)
{
    return (size_t)round_up(num_sources, GROUP_SIZE) * state->junctions.number;
}

/* Launches the searches of junctions, and then the kernel that finds all levels. */
static int launch_without_chains(struct run *run, const struct batch &batch, struct grid grid)
{
    const struct state *state = (const struct state *)run->state;
    void (*spread)(struct batch, struct junctions) = state->level_bytes == 1   ? spread_kernel<uint8_t>
                                                     : state->level_bytes == 2 ? spread_kernel<uint16_t>
                                                                               : spread_kernel<uint32_t>;
    unsigned groups = (batch.num_sources + GROUP_SIZE - 1) / GROUP_SIZE;
    struct grid wide = gpu_wide_grid(batch.num_vertices);
    wide.blocks = (wide.blocks + groups - 1) / groups * groups;
    size_t bytes = num_distances(state, batch.num_sources) * sizeof *state->junctions.distances;
    if (gpu_check(cudaMemsetAsync(state->junctions.distances, 0xff, bytes), "clearing the distances", run->error) !=
            STATUS_OK ||
        gpu_launch(junctions_instantiation(state), grid, bytes_of_block(state), run->error, batch,
                   state->junctions) != STATUS_OK)
        return run->error->status;
    return gpu_launch(spread, wide, sizeof(struct spread_shared), run->error, batch, state->junctions);
}

static int launch(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    struct grid grid = state->grid;
    grid.blocks = grid.blocks < batch.num_sources ? grid.blocks : batch.num_sources;
    if (state->junctions.number > 0)
        return launch_without_chains(run, batch, grid);
    return gpu_launch(instantiation(state), grid, bytes_of_block(state), run->error, batch);
}

} // namespace BACKEND::block
