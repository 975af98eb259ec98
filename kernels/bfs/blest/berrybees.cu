/* berrybees.cu: BerryBees (Niu and Casas, PPoPP 2025), the start of Blest's ablation. It uses Binarized Row Slices
 * (BRS, ../../graph/bvss.h), as far as Blest's paper describes it (sections 3 and 8).
 *
 * A dense frontier uses SpMV: one warp per slice set, active or not. A sparse frontier uses SpMSpV: the active sets
 * are gathered, and the warps share their slices evenly. 16 multiplications test 128 slices; after each one, the
 * eight lanes that hold its products update levels (tensor_cores.cuh).
 *
 * A level is two launches. The device chooses between SpMV and SpMSpV and detects the end of the search. The host
 * launches LEVELS_A_BATCH levels at a time, and then asks whether the search has ended. Levels after the end do
 * nothing. */
#include <stdio.h>

#include "../../device/bitmap.cuh"
#include "../../device/ids.cuh"
#include "../../device/warp.cuh"
#include "tensor_cores.cuh"

namespace BACKEND::berrybees
{

#define BLOCK_THREADS  512 /* threads of a block */
#define BLOCKS         2   /* blocks per multiprocessor */
#define DENSE_PERCENT  5u  /* SpMV if the frontier has more than this percentage of the vertices */
#define LEVELS_A_BATCH 8u
#define SETS_OF_WORD   (WARP_SIZE / SIGMA) /* slice sets in a word of a bitmap */

/* Device memory of a search. No thread of a launch reads what another thread of the launch changes. In level k:
 *
 * - Both launches read frontier[(k - 1) % 3], set bits of frontier[k % 3], and clear frontier[(k + 1) % 3].
 * - Both read found[(k - 1) % 2]; the first clears found[k % 2], and the second adds to it.
 * - The first adds to gathered[k % 2]; the second reads it and clears gathered[(k + 1) % 2]. */
struct search {
    uint32_t *level;        /* num_vertices; UNREACHED until found */
    uint32_t *frontier[3];  /* bitmaps */
    uint64_t *found;        /* 2; vertices found */
    uint64_t *gathered;     /* 2; active sets << SLICE_BITS | slices of these sets */
    uint32_t *active_set;   /* num_sets; the active slice sets */
    uint64_t *active_first; /* num_sets; for each of them, the number of slices of the active sets before it */
};

/* One word counts the active sets and their slices, so that one atomic addition gives a set both its place in the
 * list and the number of slices before it. */
#define SLICE_BITS 35 /* 2^35 slices would take 172 GB; there are fewer than 2^29 sets */

DEVICE uint32_t sets_of(uint64_t gathered)
{
    return (uint32_t)(gathered >> SLICE_BITS);
}

DEVICE uint64_t slices_of(uint64_t gathered)
{
    return gathered & ((1ull << SLICE_BITS) - 1);
}

DEVICE bool is_dense(uint64_t found, vertex_t num_vertices)
{
    return 100 * found > (uint64_t)DENSE_PERCENT * num_vertices;
}

/* ---- the first launch ---- */

/* Lists the active sets of one word of the frontier per lane. All lanes of the warp must call it. */
DEVICE void gather_word(const struct brs &brs, const struct search &search, uint64_t *gathered, uint32_t word,
                        uint32_t frontier)
{
    uint64_t slices[SETS_OF_WORD], mine = 0;
#pragma unroll
    for (unsigned i = 0; i < SETS_OF_WORD; i++) {
        uint64_t set = (uint64_t)word * SETS_OF_WORD + i;
        bool active = (frontier >> i * SIGMA & COLUMN_MASK) != 0;
        slices[i] = active ? brs.set_ptrs[set + 1] - brs.set_ptrs[set] : 0;
        mine += slices[i] > 0 ? (1ull << SLICE_BITS) + slices[i] : 0;
    }
    uint64_t end = warp_inclusive_sum(mine), before = 0;
    if (lane_id() == WARP_SIZE - 1 && end != 0)
        before = atomicAdd(gathered, end);
    before = __shfl_sync(WHOLE_WARP, before, WARP_SIZE - 1) + end - mine;
#pragma unroll
    for (unsigned i = 0; i < SETS_OF_WORD; i++)
        if (slices[i] > 0) {
            search.active_set[sets_of(before)] = word * SETS_OF_WORD + i;
            search.active_first[sets_of(before)] = slices_of(before);
            before += (1ull << SLICE_BITS) + slices[i];
        }
}

/* Clears the bitmap and the count for this level, and lists the active sets of a sparse frontier. */
__global__ void __launch_bounds__(BLOCK_THREADS, BLOCKS) gather(struct brs brs, struct search search, uint32_t level)
{
    struct team team = grid_warps();
    uint64_t found = search.found[(level - 1) % 2];
    uint32_t num_words = bitmap_words(brs.num_vertices);
    const uint32_t *frontier = search.frontier[(level - 1) % 3];
    bool sparse = !is_dense(found, brs.num_vertices);
    if (is_first_thread())
        search.found[level % 2] = 0;
    for (uint64_t base = (uint64_t)team.rank * WARP_SIZE; found > 0 && base < num_words;
         base += team.size * WARP_SIZE) {
        uint64_t word = base + lane_id();
        if (word < num_words)
            search.frontier[(level + 1) % 3][word] = 0;
        if (sparse)
            gather_word(brs, search, &search.gathered[level % 2], (uint32_t)word,
                        word < num_words ? frontier[word] : 0);
    }
}

/* ---- the second launch ---- */

/* Multiplies slices begin .. end - 1 of a set, TAU at a time. Returns how many vertices this lane was first to
 * find. */
DEVICE uint32_t multiply(const struct brs &brs, const struct search &search, uint32_t alpha, uint64_t begin,
                         uint64_t end, uint32_t level)
{
    uint32_t found = 0, *next = search.frontier[level % 3];
    for (uint64_t base = begin; base < end; base += TAU) {
        vertex_t row[THETA];
        uint32_t masks = 0;
#pragma unroll
        for (unsigned c = 0; c < THETA; c++) {
            uint64_t slice = base + c * WARP_SIZE + lane_id();
            row[c] = slice < end ? __ldg(&brs.row_ids[slice]) : 0;
            masks |= slice < end ? (uint32_t)__ldg(&brs.masks[slice]) << c * SIGMA : 0;
        }
        blest::multiply_by_rows(masks, alpha, [&](unsigned c) {
            if (__ldcg(&search.level[row[c]]) != UNREACHED)
                return;
            __stcg(&search.level[row[c]], level);
            found += !has_bit(set_bit_if(true, next, row[c]), row[c]);
        });
    }
    return found;
}

DEVICE uint32_t columns_in_frontier(const struct search &search, uint32_t set, uint32_t level)
{
    return ((const unsigned char *)search.frontier[(level - 1) % 3])[set];
}

/* Multiplies all slice sets, one warp per set. Sets without frontier vertices among their columns are skipped. */
DEVICE uint32_t spmv(const struct brs &brs, const struct search &search, uint32_t level, struct team team)
{
    uint32_t found = 0;
    for (uint64_t set = team.rank; set < brs.num_sets; set += team.size) {
        uint32_t alpha = columns_in_frontier(search, (uint32_t)set, level);
        if (alpha != 0)
            found += multiply(brs, search, alpha, brs.set_ptrs[set], brs.set_ptrs[set + 1], level);
    }
    return found;
}

/* Multiplies the active sets. Every warp takes the same number of slices, at least one per lane. */
DEVICE uint32_t spmspv(const struct brs &brs, const struct search &search, uint32_t level, struct team team)
{
    uint64_t gathered = search.gathered[level % 2], slices = slices_of(gathered);
    uint64_t share = max((slices + team.size - 1) / team.size, (uint64_t)WARP_SIZE);
    uint64_t begin = min(share * team.rank, slices), end = min(begin + share, slices);
    uint32_t sets = sets_of(gathered), first = 0, last = sets, found = 0;
    while (begin < end && last - first > 1) { /* finds the last set that begins at or before `begin` */
        uint32_t middle = first + (last - first) / 2;
        if (search.active_first[middle] <= begin)
            first = middle;
        else
            last = middle;
    }
    for (uint32_t number = first; begin < end; number++) {
        uint32_t set = search.active_set[number];
        uint64_t end_of_set = number + 1 < sets ? search.active_first[number + 1] : slices;
        uint64_t until = min(end, end_of_set), in_set = brs.set_ptrs[set] - search.active_first[number];
        found += multiply(brs, search, columns_in_frontier(search, set, level), in_set + begin, in_set + until, level);
        begin = until;
    }
    return found;
}

__global__ void __launch_bounds__(BLOCK_THREADS, BLOCKS)
    pull_level(struct brs brs, struct search search, uint32_t level)
{
    struct team team = grid_warps();
    uint64_t before = search.found[(level - 1) % 2];
    if (is_first_thread())
        search.gathered[(level + 1) % 2] = 0;
    if (before == 0)
        return;
    bool dense = is_dense(before, brs.num_vertices);
    uint32_t found = dense ? spmv(brs, search, level, team) : spmspv(brs, search, level, team);
    found = __reduce_add_sync(WHOLE_WARP, found);
    if (lane_id() == 0 && found > 0)
        atomicAdd(&search.found[level % 2], found);
}

/* Records the end of a level that had a frontier. One thread runs it. */
__global__ void trace_level(struct brs brs, struct search search, struct level_end *trace, uint32_t level)
{
    uint64_t before = search.found[(level - 1) % 2];
    if (before > 0)
        end_level(trace, level, LEVEL_TOP_DOWN, is_dense(before, brs.num_vertices));
}

/* ---- host side ---- */

static const char *const density_words[] = {"sparse", "dense"}; /* of the frontier */

struct state {
    struct gpu_arena memory;
    struct brs brs;
    struct search search;
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
    struct grid grid;
};

static void allocate_search(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct gpu_arena *memory = &state->memory;
    search->level = gpu_take<uint32_t>(memory, run->graph->num_vertices, "the levels", run->error);
    for (uint32_t *&frontier : search->frontier)
        frontier = gpu_take<uint32_t>(memory, bitmap_words(run->graph->num_vertices), "the frontier", run->error);
    search->found = gpu_take<uint64_t>(memory, 2, "the counts", run->error);
    search->gathered = gpu_take<uint64_t>(memory, 2, "the counts", run->error);
    search->active_set = gpu_take<uint32_t>(memory, state->brs.num_sets, "the active sets", run->error);
    search->active_first = gpu_take<uint64_t>(memory, state->brs.num_sets, "the active sets", run->error);
    state->trace = gpu_take_trace(run, memory);
}

static int prepare(struct run *run, struct gpu_graph *graph)
{
    struct error *error = run->error;
    struct state *state = (struct state *)run->state;
    gpu_time_build(run, [&] { brs_build(graph, &state->memory, &state->brs, error); });
    gpu_graph_free(graph);
    allocate_search(run);
    gpu_plan_blocks((const void *)pull_level, BLOCK_THREADS, BLOCKS, 0, &state->grid, error);
    snprintf(run->note, sizeof run->note, "BRS: %u slice sets of %llu slices, compression ratio %.3f",
             state->brs.num_sets, (unsigned long long)state->brs.num_slices, state->brs.compression_ratio);
    return error->status;
}

/* Adds the source to the first frontier. One thread runs it. */
__global__ void seed(struct search search, vertex_t source)
{
    search.level[source] = 0;
    *bitmap_word(search.frontier[0], source) = bit_of(source);
    search.found[0] = 1;
}

static void reset(struct run *run, vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    gpu_fill(search->level, 0xff, run->graph->num_vertices, run->error); /* UNREACHED */
    for (uint32_t *frontier : search->frontier)
        gpu_clear(frontier, bitmap_words(run->graph->num_vertices), run->error);
    gpu_clear(search->found, 2, run->error);
    gpu_clear(search->gathered, 2, run->error);
    gpu_launch(seed, {1, 1}, 0, run->error, *search, source);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    uint64_t found = 1;
    reset(run, query->sources[0]);
    run_kernel_begin(run);
    gpu_end_level(state->trace, 0, run->error);
    for (uint32_t level = 1; found > 0;) {
        for (uint32_t end = level + LEVELS_A_BATCH; level < end; level++) {
            gpu_launch(gather, state->grid, 0, run->error, state->brs, state->search, level);
            gpu_launch(pull_level, state->grid, 0, run->error, state->brs, state->search, level);
            if (run->profile)
                gpu_launch(trace_level, {1, 1}, 0, run->error, state->brs, state->search, state->trace, level);
        }
        gpu_download(&found, &state->search.found[(level - 1) % 2], 1, run->error); /* 0 after an error */
    }
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    gpu_fetch(result->level, state->search.level, run->graph->num_vertices, run->error);
    return gpu_fetch_trace(run, state->trace, density_words, result);
}

GPU_ALGORITHM(bfs_berrybees) = {
    .family = "bfs",
    .variant = "berrybees",
    .title = "BerryBees, binarized row slices",
    .citation = "Niu and Casas, PPoPP 2025",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct state, &state::memory>,
    .profiled = true,
};

} // namespace BACKEND::berrybees
