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
    CHOICE_OPTION("order", ORDER_AUTO, "auto|degree|hash",
                  "order of the vertices: by degree class, or then by min-hashes of the neighbourhoods; auto: a "
                  "sample decides"),
    NUMBER_OPTION("alpha", BY_TRIALS, -1, 1 << 20,
                  "a level is bottom-up if its frontier has more than 1/alpha of the unvisited slices; 0: never; -1: "
                  "by trials"),
    NUMBER_OPTION("single-block-vertices", 256, 0, LIST_VERTICES,
                  "the most vertices of a level that a single block runs"),
    NUMBER_OPTION("exchange-vertices", GRID_LIST, 0, GRID_LIST,
                  "the most vertices of a level whose blocks send each other the vertices"),
    NUMBER_OPTION("exchange-slices", BY_TRIALS, -1, 1 << 30,
                  "after such a level of more slices, levels use bitmaps; -1: by trials"),
    NUMBER_OPTION("bulk-slices", 500000, 0, 1 << 30, "a top-down level of more slices marks in shared memory first"),
    NUMBER_OPTION(
        "count-share", BY_TRIALS, -1, 1 << 30,
        "after a level of more than 1/count-share of the slices, slices are counted before the next; -1: by trials"),
    NUMBER_OPTION("high-degree-groups", 128, 1, 1 << 20,
                  "a vertex of more than four times as many slices is shared by all blocks"),
    NUMBER_OPTION("list-vertices", LIST_VERTICES, 32, LIST_VERTICES,
                  "vertices that a block lists; those beyond go to a bitmap", .for_tests = true),
    NUMBER_OPTION("pieces", MOST_PIECES, 0, MOST_PIECES,
                  "pieces of vertices with groups that the warps of a block share in a level", .for_tests = true),
    NUMBER_OPTION("window", MOST_VERTICES, 0, MOST_VERTICES,
                  "vertices whose visited bits each block keeps in shared memory, at most as many as fit",
                  .for_tests = true),
    NUMBER_OPTION("part-edges", 1 << 28, 1, 1 << 30, "edges that are sorted together while the slices are built",
                  .for_tests = true),
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
    gpu_check_barrier(&search->barrier->check, "bfs slices", run->error);
    return check_mailboxes(&search->mailboxes, "bfs slices", run->error);
}

} // namespace BACKEND::slices
