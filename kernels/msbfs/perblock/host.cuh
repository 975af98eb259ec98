/* host.cuh: the options, the state on the host, and the instantiations of the kernels. */
#pragma once

#include "records.cuh"
#include "spread.cuh"

namespace BACKEND::perblock
{

enum { BATCH, BLOCK_SIZE, QUEUE, BITMAP, RECORDS, LEVEL_BITS, OFFSET_BITS, CHAINS };
static const struct option_spec options[] = {
    {"batch", 0, 0, 4096, NULL, "sources of a batch; 0: a multiple of the multiprocessors near 256"},
    {"block-size", 1024, 32, 1024, NULL, "threads on a multiprocessor, in one block or in several"},
    {"queue", 4096, 32, 16384, NULL, "vertices of a level that a block queues in shared memory; more are slower"},
    {"bitmap", 0, 0, 0, "auto|shared|global", "memory of the bitmap of reached vertices; auto: shared if it fits"},
    {"record-words", 0, 0, 0, "auto|4|16", "words of a vertex's record; auto: by the mean degree"},
    {"level-bits", 0, 0, 0, "auto|8|16|32", "initial width of levels; wider if that is too narrow"},
    OFFSET_BITS_OPTION,
    {"chains", 0, 0, 0, "auto|0|1",
     "whether chains of degree 2 become single edges; auto: if most vertices lie on them"},
    {},
};
enum { BITMAP_AUTO, BITMAP_SHARED, BITMAP_GLOBAL };
enum { RECORDS_AUTO, RECORDS_4, RECORDS_16 };
enum { CHAINS_AUTO, CHAINS_NO, CHAINS_YES };

typedef void (*kernel_t)(struct batch batch);

struct state {
    struct gpu_graph graph;        /* its offsets are freed once the records are made */
    struct gpu_arena memory;       /* owns all arrays but those of the next two */
    struct gpu_arena level_memory; /* of batch.level */
    struct gpu_arena query_memory; /* of the destinations and their lengths */
    struct junctions junctions;    /* number 0 if the graph is searched as it is */
    struct batch batch;            /* all but what a query sets */
    vertex_t *sources;             /* max(batch_size, blocks) */
    uint64_t *farness;             /* num_vertices: sums of levels since the last fetch; NULL: not wanted */
    uint32_t *farness_count;       /* num_vertices: numbers of levels, the same */
    uint64_t *first_destination;   /* batch_size + 1 */
    uint32_t *length;              /* num_destinations */
    uint64_t num_destinations;     /* of the last query */
    uint32_t num_sources;          /* of the last query */
    unsigned units;                /* per record */
    bool has_long;                 /* whether any record is long */
    unsigned level_bytes;          /* per level */
    double free_for_levels;
    uint32_t multiprocessors, batch_size;
    struct grid grid; /* a ring for each of its blocks */
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

} // namespace BACKEND::perblock
