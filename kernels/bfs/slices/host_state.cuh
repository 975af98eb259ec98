/* host_state.cuh: the options and the state of a run on the host. */
#pragma once

#include "kernel.cuh"

namespace BACKEND::slices
{

enum {
    ORDER,
    ALPHA,
    SINGLE_BLOCK_VERTICES,
    EXCHANGE_VERTICES,
    EXCHANGE_SLICES,
    BULK_SLICES,
    COUNT_SHARE,
    HIGH_DEGREE_GROUPS,
    LIST_SIZE,
    PIECES,
    WINDOW,
    PART_EDGES,
    OFFSET_BITS
};
enum order { ORDER_AUTO, ORDER_DEGREE, ORDER_HASH };
#define BY_TRIALS (-1.0)

static const struct option_spec slices_options[] = {
    {"order", ORDER_AUTO, 0, 0, "auto|degree|hash",
     "order of the vertices: by degree class, or then by min-hashes of the neighbourhoods; auto: a sample decides"},
    {"alpha", BY_TRIALS, -1, 1 << 20, NULL,
     "a level is bottom-up if its frontier has more than 1/alpha of the unvisited slices; 0: never; -1: by trials"},
    {"single-block-vertices", 256, 0, LIST_VERTICES, NULL, "the most vertices of a level that a single block runs"},
    {"exchange-vertices", GRID_LIST, 0, GRID_LIST, NULL,
     "the most vertices of a level whose blocks send each other the vertices"},
    {"exchange-slices", BY_TRIALS, -1, 1 << 30, NULL,
     "after such a level of more slices, levels use bitmaps; -1: by trials"},
    {"bulk-slices", 500000, 0, 1 << 30, NULL, "a top-down level of more slices marks in shared memory first"},
    {"count-share", BY_TRIALS, -1, 1 << 30, NULL,
     "after a level of more than 1/count-share of the slices, slices are counted before the next; -1: by trials"},
    {"high-degree-groups", 128, 1, 1 << 20, NULL,
     "a vertex of more than four times as many slices is shared by all blocks"},
    {"list-vertices", LIST_VERTICES, 32, LIST_VERTICES, NULL,
     "vertices that a block lists; those beyond go to a bitmap"},
    {"pieces", MOST_PIECES, 0, MOST_PIECES, NULL,
     "pieces of vertices with groups that the warps of a block share in a level"},
    {"window", MOST_VERTICES, 0, MOST_VERTICES, NULL,
     "vertices whose visited bits each block keeps in shared memory, at most as many as fit"},
    {"part-edges", 1 << 28, 1, 1 << 30, NULL, "edges that are sorted together while the slices are built"},
    OFFSET_BITS_OPTION,
    {},
};

struct state {
    struct gpu_graph graph; /* what parents are looked up in; empty if there are none */
    struct gpu_arena memory;
    struct prepared_graph prepared;
    struct search search;
    struct rules rules;
    vertex_t *parent;
    bool hashed, full;
    const struct policy *policy; /* the fastest one; NULL: policies were not measured */
    struct grid grid;
    size_t shared_bytes;
};

/* Starts a search, without waiting for it. Returns a status and fills run->error. */
static int launch(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_launch_persistent(state->full ? slices_kernel<true> : slices_kernel<false>, state->grid,
                                 state->shared_bytes, run->error, state->prepared, state->search, state->rules,
                                 source);
}

/* Waits for the search. Returns STATUS_DEVICE if a block waited too long for the others. */
static int check_waits(struct run *run)
{
    const struct search *search = &((const struct state *)run->state)->search;
    struct broken broken;
    gpu_check_barrier(&search->barrier->check, "bfs slices", run->error);
    if (gpu_download(&broken, search->mailboxes.broken, 1, run->error) == STATUS_OK && broken.broken)
        error_set(run->error, STATUS_DEVICE,
                  "GPU: bfs slices: block %u waited too long for the message of block %u (epoch %u); stopped",
                  broken.block, broken.waits_for, broken.epoch);
    return run->error->status;
}

} // namespace BACKEND::slices
