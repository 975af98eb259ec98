/* launch.cuh: launches the searches of a batch. */
#pragma once

#include "host.cuh"

namespace BACKEND::perblock
{

/* Resets the device memory before a launch. It is apart from launch so that it is not timed. */
static void reset(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    gpu_clear(batch.progress, 1, run->error);
    gpu_clear(batch.sums, batch.num_sources, run->error);
    gpu_fill(batch.length, 0xff, state->num_destinations, run->error); /* UNREACHED */
}

static size_t num_distances(const struct state *state, uint32_t num_sources)
{
    return (size_t)round_up(num_sources, GROUP_SIZE) * state->junctions.number;
}

/* Launches the searches of junctions, and then the kernel that finds all levels. */
static void launch_without_chains(struct run *run, const struct batch &batch, struct grid grid)
{
    const struct state *state = (const struct state *)run->state;
    unsigned groups = (batch.num_sources + GROUP_SIZE - 1) / GROUP_SIZE;
    struct grid wide = gpu_wide_grid(batch.num_vertices);
    wide.blocks = (wide.blocks + groups - 1) / groups * groups;
    gpu_fill(state->junctions.distances, 0xff, num_distances(state, batch.num_sources), run->error); /* UNREACHED */
    gpu_launch(junctions_instantiation(state), grid, bytes_of_block(state), run->error, batch, state->junctions);
    with_levels(batch.level, state->level_bytes, [&]<typename level_t>(const level_t *) {
        gpu_launch(spread_kernel<level_t>, wide, sizeof(struct spread_shared), run->error, batch, state->junctions);
    });
}

static void launch(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    struct grid grid = state->grid;
    grid.blocks = grid.blocks < batch.num_sources ? grid.blocks : batch.num_sources;
    if (state->junctions.number > 0)
        launch_without_chains(run, batch, grid);
    else
        gpu_launch(instantiation(state), grid, bytes_of_block(state), run->error, batch);
}

} // namespace BACKEND::perblock
