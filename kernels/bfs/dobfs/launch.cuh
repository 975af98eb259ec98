/* launch.cuh: packs the first neighbours, and launches the instantiation of the kernel that suits the graph. */
#pragma once

#include "host_state.cuh"
#include "kernel.cuh"

namespace BACKEND::dobfs
{

/* Whether packed neighbours take 25 bits; else they take 32. */
static bool packs_25_bits(const struct run *run)
{
    return run->options[ID_BITS] == 0 && ((const struct state *)run->state)->order.num_ids <= five_ids::none;
}

/* Allocates and fills state->packed_first and state->packed_rest, once the window is known. Returns a status and
 * fills run->error. */
template <typename offset_t>
static int pack_neighbours(struct run *run)
{
    struct state *state = (struct state *)run->state;
    size_t padded = (size_t)state->num_words * WARP_SIZE;
    state->packed_first = gpu_take<uint4>(&state->memory, padded, "the first neighbours", run->error);
    state->packed_rest =
        gpu_take<uint4>(&state->memory, (NUM_PACKED_WORDS - 1) * padded, "the next neighbours", run->error);
    return gpu_launch(packs_25_bits(run) ? pack_first_neighbours<five_ids, offset_t>
                                         : pack_first_neighbours<four_ids, offset_t>,
                      gpu_wide_grid(padded), 0, run->error, graph_of<offset_t>(state),
                      state->rules.window_words * WARP_SIZE, state->packed_first, state->packed_rest);
}

/* The instantiation of the kernel that suits the graph and the results asked for. */
template <typename offset_t>
static void (*kernel_of(const struct run *run))(prepared_graph<offset_t>, search<offset_t>, struct rules, vertex_t)
{
    const bool parents = run->outputs & OUTPUT_PARENT;
    if (!((const struct state *)run->state)->packs)
        return parents ? dobfs_kernel<no_ids, true, offset_t> : dobfs_kernel<no_ids, false, offset_t>;
    if (packs_25_bits(run))
        return parents ? dobfs_kernel<five_ids, true, offset_t> : dobfs_kernel<five_ids, false, offset_t>;
    return parents ? dobfs_kernel<four_ids, true, offset_t> : dobfs_kernel<four_ids, false, offset_t>;
}

/* Starts a search from an input id, without waiting for it. Returns a status and fills run->error. */
template <typename offset_t>
static int launch(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_launch_persistent(kernel_of<offset_t>(run), state->grid, state->shared_bytes, run->error,
                                 graph_of<offset_t>(state), search_arrays_of<offset_t>(state), state->rules, source);
}

} // namespace BACKEND::dobfs
