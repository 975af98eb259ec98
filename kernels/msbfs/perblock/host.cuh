/* host.cuh: the options, the host's state, the instances of the kernels, and the sizes of their launches. */
#pragma once

#include "spread.cuh"

namespace BACKEND::perblock
{

enum { BATCH, BLOCK_SIZE, QUEUE, BITMAP, RECORDS, LEVEL_BITS, OFFSET_BITS, CHAINS };
static const struct option_spec options[] = {
    NUMBER_OPTION("batch", 0, 0, 4096, "sources of a batch; 0: a multiple of the multiprocessors near 256"),
    NUMBER_OPTION("block-size", 1024, 32, 1024, "threads on a multiprocessor, in one block or in several",
                  .for_tests = true),
    NUMBER_OPTION("queue", 4096, 32, 16384, "vertices of a level that a block queues in shared memory; more are slower",
                  .for_tests = true),
    CHOICE_OPTION("bitmap", 0, "auto|global", "memory of the bitmap of reached vertices; auto: shared if it fits",
                  .for_tests = true),
    CHOICE_OPTION("record-words", 0, "auto|4|16", "words of a vertex's record; auto: by the mean degree",
                  .for_tests = true),
    CHOICE_OPTION("level-bits", 0, "auto|8|16|32", "initial width of levels; wider if that is too narrow",
                  .for_tests = true),
    OFFSET_BITS_OPTION,
    CHOICE_OPTION("chains", 0, "auto|0|1",
                  "whether chains of degree 2 become single edges; auto: if most vertices lie on them",
                  .for_tests = true),
    {},
};
enum { BITMAP_AUTO, BITMAP_GLOBAL };
enum { RECORDS_AUTO, RECORDS_4, RECORDS_16 };
enum { CHAINS_AUTO, CHAINS_NO, CHAINS_YES };

typedef void (*kernel_t)(struct batch batch);

struct state {
    struct gpu_graph graph;        /* its offsets are freed after the records are made */
    struct gpu_arena memory;       /* owns all arrays except those of the next two */
    struct gpu_arena level_memory; /* owns batch.level */
    struct gpu_arena query_memory; /* owns the destinations and their lengths */
    struct junctions junctions;    /* junctions.number is 0 if the original graph is searched */
    struct batch batch;            /* everything except what a query sets */
    vertex_t *sources;             /* max(batch_size, blocks) */
    uint64_t *farness;             /* num_vertices; sums of levels since the last fetch; NULL if not wanted */
    uint32_t *farness_count;       /* num_vertices; the numbers of these levels */
    uint64_t *first_destination;   /* batch_size + 1 */
    uint32_t *length;              /* num_destinations */
    uint64_t num_destinations;     /* destinations of the last query */
    uint32_t num_sources;          /* sources of the last query */
    unsigned units;                /* number of units in a record */
    bool has_long;                 /* whether any record is long */
    unsigned level_bytes;          /* bytes per level */
    double free_for_levels;
    uint32_t multiprocessors, batch_size;
    struct grid grid; /* each block of the grid has a ring */
};

template <typename level_t, bool in_shared>
static kernel_t kernel_of_width(unsigned units, bool has_long)
{
    if (units > 1)
        return search_kernel<level_t, 4, true, in_shared>;
    return has_long ? search_kernel<level_t, 1, true, in_shared> : search_kernel<level_t, 1, false, in_shared>;
}

static kernel_t instantiation(const struct state *state)
{
    bool in_shared = state->batch.bitmaps == NULL;
    return with_levels(state->batch.level, state->level_bytes, [&]<typename level_t>(const level_t *) {
        return in_shared ? kernel_of_width<level_t, true>(state->units, state->has_long)
                         : kernel_of_width<level_t, false>(state->units, state->has_long);
    });
}

static uint32_t round_up(uint64_t number, uint32_t to)
{
    return (uint32_t)((number + to - 1) / to * to);
}

static size_t bytes_of_block(const struct state *state)
{
    return bytes_of_shared(state->batch.room, state->batch.bitmaps == NULL ? state->batch.num_words : 0);
}

static void (*junctions_instantiation(const struct state *state))(struct batch, struct junctions)
{
    return state->batch.bitmaps == NULL ? junctions_kernel<true> : junctions_kernel<false>;
}

/* ---- sizes of batches, queues, bitmaps and grids ---- */

#define BLOCKS_OF_SM   4u    /* maximal number of blocks that share a multiprocessor's threads */
#define GLOBAL_OF_SM   1u    /* the same limit if bitmaps are in global memory */
#define LEAST_ROOM     1024u /* least room of a queue, in entries, beside a bitmap in shared memory */
#define SM_SHARED      1024u /* bytes of shared memory that the device reserves per block */
#define SOURCES        256u  /* approximate number of sources in a batch */
#define SHARE_OF_SLOTS 0.5   /* share of free memory that rings and bitmaps of blocks may take */

/* Returns the number of blocks per multiprocessor: at most `wanted`, and as many as fit with the shared memory that
 * they want. If not even one fits, shortens its queues (*room). Returns 0 if the bitmap leaves too little room for
 * queues. */
static unsigned fit_in_shared(size_t limit, unsigned wanted, uint32_t num_words, uint32_t *room)
{
    for (unsigned blocks = wanted; blocks > 0; blocks--)
        if (bytes_of_shared(*room, num_words) <= (limit + SM_SHARED) / blocks - SM_SHARED)
            return blocks;
    size_t fixed = bytes_of_shared(0, num_words), least = *room < LEAST_ROOM ? *room : LEAST_ROOM;
    if (fixed >= limit || (limit - fixed) / (2 * sizeof(vertex_t)) < least)
        return 0;
    *room = (uint32_t)((limit - fixed) / (2 * sizeof(vertex_t))) / WARP_SIZE * WARP_SIZE;
    return 1;
}

/* Plans the number of sources in a batch, by the options and the run, and the blocks per multiprocessor. */
static int plan_batch(struct run *run, unsigned *blocks_of_sm)
{
    struct state *state = (struct state *)run->state;
    const void *kernel = (const void *)instantiation(state);
    unsigned threads = (unsigned)run->options[BLOCK_SIZE];
    if (gpu_plan_blocks(kernel, threads, 1, 0, &state->grid, run->error) != STATUS_OK)
        return run->error->status;
    state->multiprocessors = state->grid.blocks;
    uint32_t batch_size = (uint32_t)run->options[BATCH];
    uint32_t trials = run->num_sources > 1 ? (uint32_t)run->num_sources : 1;
    batch_size = batch_size == 0 ? round_up(SOURCES, state->multiprocessors) : batch_size;
    state->batch_size = batch_size < trials ? batch_size : trials;
    unsigned wanted = (state->batch_size - 1) / state->multiprocessors + 1;
    wanted = wanted < BLOCKS_OF_SM ? wanted : BLOCKS_OF_SM;
    threads = round_up(state->grid.threads / wanted, WARP_SIZE);
    struct grid shared_grid;
    gpu_plan_blocks(kernel, threads, wanted, 0, &shared_grid, run->error);
    *blocks_of_sm = shared_grid.blocks / state->multiprocessors;
    return run->error->status;
}

/* Allocates the ring and the bitmap of each block in global memory. Plans fewer blocks if they take too much. */
static void allocate_blocks(struct run *run, uint32_t blocks, bool in_shared)
{
    struct state *state = (struct state *)run->state;
    struct batch *batch = &state->batch;
    double bytes =
        (double)batch->ring_size * sizeof(vertex_t) + (in_shared ? 0 : (double)batch->num_words * sizeof(uint32_t));
    double fit = SHARE_OF_SLOTS * (double)gpu_memory_left(run->error) / bytes;
    blocks = blocks < state->batch_size ? blocks : state->batch_size;
    state->grid.blocks = fit < 1 ? 1 : fit < blocks ? (uint32_t)fit : blocks;
    size_t num_blocks = state->grid.blocks;
    if (!in_shared)
        batch->bitmaps = gpu_take<uint32_t>(&state->memory, num_blocks * batch->num_words, "the bitmaps", run->error);
    batch->rings = gpu_take<vertex_t>(&state->memory, num_blocks * batch->ring_size, "the queues", run->error);
}

/* Decides where bitmaps are, the number of blocks, and the threads per block. */
static int plan_blocks(struct run *run, unsigned wanted)
{
    struct state *state = (struct state *)run->state;
    struct batch *batch = &state->batch;
    size_t n = state->junctions.number > 0 ? state->junctions.number : run->graph->num_vertices, limit;
    unsigned blocks = 0;
    if (gpu_shared_limit(&limit, run->error) != STATUS_OK)
        return run->error->status;
    uint32_t most_room = round_up((uint64_t)run->options[QUEUE], WARP_SIZE);
    batch->num_vertices = run->graph->num_vertices;
    batch->ring_size =
        (uint32_t)(state->junctions.number > 0 ? 2 * n : n); /* a junction may be in both queues (junctions.cuh) */
    batch->num_words = round_up((n + WORD_BITS - 1) / WORD_BITS, WARP_SIZE);
    batch->room = n < most_room ? round_up(n, WARP_SIZE) : most_room;
    if ((int)run->options[BITMAP] != BITMAP_GLOBAL)
        blocks = fit_in_shared(limit, wanted, batch->num_words, &batch->room);
    bool in_shared = blocks > 0;
    if (!in_shared)
        blocks = wanted < GLOBAL_OF_SM ? wanted : GLOBAL_OF_SM;
    state->grid.threads = round_up(state->grid.threads / blocks, WARP_SIZE);
    allocate_blocks(run, blocks * state->multiprocessors, in_shared);
    return run->error->status;
}

/* Requests the shared memory of the kernel. Must be called again when the width of levels changes. */
static int size_kernel(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const void *kernel =
        state->junctions.number > 0 ? (const void *)junctions_instantiation(state) : (const void *)instantiation(state);
    struct grid fits;
    return gpu_plan_blocks(kernel, state->grid.threads, 1, bytes_of_block(state), &fits, run->error);
}

/* ---- launching the searches of a batch ---- */

/* Resets the device memory before a launch. Separate from launch(), so that it is not timed. */
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
