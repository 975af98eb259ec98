/* perblock.cu: `msbfs perblock`, searches from many sources at once in graphs of high diameter. A block runs one
 * whole BFS, and then takes the next source from a counter.
 *
 * Thousands of thin levels are bound by latency. Independent searches keep every multiprocessor busy, and each needs
 * only one barrier of its own block per level. What a search reads and writes in every level is in its
 * multiprocessor:
 *
 *   bitmap   a bit for each vertex, set if the vertex is reached: in shared memory, or in global memory if there
 *            are too many vertices
 *   queues   of this level and of the next: the first `room` entries in shared memory, the others (spilled) in a
 *            ring in global memory
 *   records  the neighbours of a vertex in 4 or 16 words, so that a level has one dependent load (contract.cuh)
 *
 * The level of a vertex is written when its neighbours are visited, not when it is found: then a warp has eight or
 * more vertices per step, while most lanes find none. The levels of unreached vertices are written at the end, from
 * the bitmap. Sums of levels come from the lengths of the queues. So a search whose levels are not wanted writes only
 * its sums.
 *
 * Files: the queue and the bits (queue.cuh), a level (level.cuh), a search from its source to its end (search.cuh).
 * In graphs with long chains of vertices of degree 2, a search finds the distances of junctions instead
 * (junctions.cuh), and the levels of all vertices follow from these (spread.cuh).
 *
 * Why a search does not use a cluster of blocks, whose shared memories together hold a large bitmap: with c blocks
 * per search, c times fewer searches run at once. A level does not get c times shorter, since it is bound by latency,
 * and the barrier of a cluster takes longer than a block's barrier. A bitmap in L2 instead of shared memory makes a
 * level only 1.7 times as long, whatever the number of vertices. */

#include <utility>

#include "contract.cuh"
#include "host.cuh"

namespace BACKEND::perblock
{

#define SHARE_OF_FREE 0.9 /* share of free memory that levels may take */

/* Returns the highest level of sampled searches, one per block, from vertices spread over the graph; 0 after an
 * error. */
static uint32_t sample_depth(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    struct batch batch = state->batch;
    uint32_t count = state->grid.blocks, deepest = 0;
    vertex_t *sources = NULL;
    struct source_sums *sums = NULL;
    batch.num_sources = count;
    batch.level = NULL;
    batch.farness = NULL;
    if (allocate(&sources, count, sizeof *sources, "a sample", error) == STATUS_OK &&
        allocate(&sums, count, sizeof *sums, "a sample", error) == STATUS_OK) {
        for (uint32_t i = 0; i < count; i++)
            sources[i] = (vertex_t)((uint64_t)i * batch.num_vertices / count);
        gpu_upload(state->sources, sources, count, error);
        size_kernel(run);
        reset(run, batch);
        launch(run, batch);
        gpu_download(sums, batch.sums, count, error);
        for (uint32_t i = 0; i < count; i++)
            deepest = sums[i].eccentricity > deepest ? sums[i].eccentricity : deepest;
    }
    free(sources);
    free(sums);
    return deepest;
}

/* Chooses enough bytes per level for twice the depth of a sample. If all edges go both ways, no search in a sampled
 * component is deeper. */
static void choose_width(struct run *run)
{
    struct state *state = (struct state *)run->state;
    int asked = (int)run->options[LEVEL_BITS];
    state->level_bytes = asked > 0 ? 1u << (asked - 1) : 1;
    if (asked > 0)
        return;
    uint64_t depth = 2 * (uint64_t)sample_depth(run), most = state->batch.num_vertices - 1;
    depth = depth < most ? depth : most;
    state->level_bytes = bytes_for_level(depth);
}

/* Lowers the number of sources in a batch until its levels fit into memory: if possible to a multiple of what all
 * multiprocessors run at once. */
static void allocate_levels(struct run *run)
{
    struct state *state = (struct state *)run->state;
    size_t n = state->batch.num_vertices;
    state->free_for_levels = (double)gpu_memory_left(run->error);
    double fit = SHARE_OF_FREE * state->free_for_levels / ((double)n * state->level_bytes);
    if (fit < state->batch_size) {
        uint32_t whole = (uint32_t)fit / state->multiprocessors * state->multiprocessors;
        state->batch_size = whole > 0 ? whole : fit >= 1 ? (uint32_t)fit : 1;
    }
    state->batch.level =
        gpu_take<uint8_t>(&state->level_memory, state->batch_size * n * state->level_bytes, "the levels", run->error);
}

static void allocate_results(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct batch *batch = &state->batch;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    size_t n = batch->num_vertices;
    size_t most_sources = state->batch_size > state->grid.blocks ? state->batch_size : state->grid.blocks;
    batch->sources = state->sources = gpu_take<vertex_t>(memory, most_sources, "the sources", error);
    batch->sums = gpu_take<struct source_sums>(memory, most_sources, "the sums", error);
    batch->progress = gpu_take<struct progress>(memory, 1, "a counter", error);
    state->first_destination = gpu_take<uint64_t>(memory, most_sources + 1, "the destinations", error);
    if (state->junctions.number > 0)
        state->junctions.distances =
            gpu_take<uint32_t>(memory, num_distances(state, state->batch_size), "the distances", error);
    if (run->outputs & OUTPUT_FARNESS) {
        batch->farness = gpu_take_zeroed<uint64_t>(memory, n, "the farness", error);
        state->farness = gpu_take_zeroed<uint64_t>(memory, n, "the farness", error);
        state->farness_count = gpu_take_zeroed<uint32_t>(memory, n, "the farness", error);
    }
}

static void describe(struct run *run, uint32_t wanted)
{
    const struct state *state = (const struct state *)run->state;
    const struct batch *batch = &state->batch;
    char levels[48] = "", lowered[64] = "", searched[56];
    if (batch->level != NULL)
        snprintf(levels, sizeof levels, ", levels of %u bits", 8 * state->level_bytes);
    if (state->batch_size < wanted)
        snprintf(lowered, sizeof lowered, "; batches of %u, not %u: %.1f MB are free", state->batch_size, wanted,
                 1e-6 * state->free_for_levels);
    if (state->junctions.number > 0)
        snprintf(searched, sizeof searched, "%u junctions and the chains between them", state->junctions.number);
    else
        snprintf(searched, sizeof searched, "records of %u", UNIT * state->units);
    snprintf(run->note, sizeof run->note, "%u searches at once, of %u threads, bitmaps in %s memory, %s%s%s",
             state->grid.blocks, state->grid.threads, batch->bitmaps == NULL ? "shared" : "global", searched, levels,
             lowered);
}

/* Also called by auto.cu. */
int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    state->graph = std::exchange(*graph, {});
    state->level_bytes = 1;
    unsigned blocks_of_sm = 1;
    if (plan_batch(run, &blocks_of_sm) != STATUS_OK)
        return run->error->status;
    gpu_time_build(run, [&] { wants_chains(run, state->batch_size) ? build_junctions(run) : build_records(run); });
    if (plan_blocks(run, blocks_of_sm) != STATUS_OK)
        return run->error->status;
    allocate_results(run);
    uint32_t wanted = state->batch_size;
    if (run->outputs & OUTPUT_LEVEL) {
        choose_width(run);
        allocate_levels(run);
    }
    run->batch_size = state->batch_size;
    describe(run, wanted);
    return size_kernel(run);
}

/* ---- traversing ---- */

/* Uploads the destinations, grouped by source, and the index of each source's first one. */
static void upload_destinations(struct run *run, const struct query *query, struct batch *batch)
{
    struct state *state = (struct state *)run->state;
    struct gpu_arena *memory = &state->query_memory;
    struct error *error = run->error;
    size_t num_firsts = (size_t)query->num_sources + 1;
    uint64_t number = query->num_destinations, d = 0, *first = NULL;
    vertex_t *vertices = NULL;
    gpu_arena_free(memory);
    vertex_t *destinations = gpu_take<vertex_t>(memory, number, "the destinations", error);
    state->length = gpu_take<uint32_t>(memory, number, "the destinations", error);
    if (allocate(&vertices, number, sizeof *vertices, "the destinations", error) == STATUS_OK &&
        allocate(&first, num_firsts, sizeof *first, "the destinations", error) == STATUS_OK) {
        for (uint32_t which = 0; which < num_firsts; which++) {
            while (d < number && query->destinations[d].which < which)
                d++;
            first[which] = d;
        }
        for (d = 0; d < number; d++)
            vertices[d] = query->destinations[d].vertex;
        gpu_upload(destinations, vertices, number, error);
        gpu_upload(state->first_destination, first, num_firsts, error);
    }
    free(vertices);
    free(first);
    batch->destinations = destinations;
    batch->first_destination = state->first_destination;
    batch->length = state->length;
}

static void upload_query(struct run *run, const struct query *query, struct batch *batch)
{
    struct state *state = (struct state *)run->state;
    *batch = state->batch;
    batch->num_sources = state->num_sources = query->num_sources;
    state->num_destinations = query->destinations != NULL ? query->num_destinations : 0;
    gpu_upload(state->sources, query->sources, query->num_sources, run->error);
    if (query->destinations != NULL)
        upload_destinations(run, query, batch);
}

static void search_batch(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    reset(run, batch);
    run_kernel_begin(run);
    launch(run, batch);
    if (batch.farness != NULL)
        gpu_launch(add_farness, gpu_wide_grid(batch.num_vertices), 0, run->error,
                   (const struct progress *)batch.progress, batch.num_vertices, batch.farness, state->farness,
                   state->farness_count);
    run_kernel_end(run);
}

/* Returns whether the searches have ended because levels need more bits. Returns false after an error. */
static bool is_too_deep(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    struct progress progress = {0, 0};
    bool fits = batch.num_vertices - 1 <= highest_level(state->level_bytes); /* at most as many levels as vertices */
    if (batch.level != NULL && !fits)
        gpu_download(&progress, batch.progress, 1, run->error);
    return progress.too_deep;
}

static void widen_levels(struct run *run, struct batch *batch)
{
    struct state *state = (struct state *)run->state;
    double each = (double)state->batch.num_vertices * 2 * state->level_bytes;
    gpu_arena_free(&state->level_memory);
    batch->level = state->batch.level = NULL;
    double free_bytes = (double)gpu_memory_left(run->error);
    if (free_bytes < each * state->batch_size) {
        error_set(run->error, STATUS_DEVICE,
                  "%s: levels need %u bits, %.1f MB per source, and %.1f MB are free; set a batch below %u",
                  run->graph->name, 16 * state->level_bytes, 1e-6 * each, 1e-6 * free_bytes, state->batch_size);
        return;
    }
    state->level_bytes *= 2;
    batch->level = state->batch.level =
        gpu_take<uint8_t>(&state->level_memory, state->batch_size * (size_t)each, "the levels", run->error);
    size_kernel(run);
}

static int traverse(struct run *run, const struct query *query)
{
    struct batch batch;
    upload_query(run, query, &batch);
    search_batch(run, batch);
    while (is_too_deep(run, batch)) {
        widen_levels(run, &batch);
        search_batch(run, batch);
    }
    return run->error->status;
}

/* Downloads the levels of a source to the end of the array, and widens them to 32 bits from the front. Each level is
 * read before its bytes are overwritten. */
static void fetch_levels(struct run *run, uint32_t which, uint32_t *level)
{
    const struct state *state = (const struct state *)run->state;
    size_t n = state->batch.num_vertices;
    with_levels(state->batch.level, state->level_bytes, [&]<typename level_t>(const level_t *levels) {
        level_t *narrow = (level_t *)(level + n) - n, found;
        gpu_download(narrow, levels + which * n, n, run->error);
        for (size_t v = 0; v < n; v++) {
            memcpy(&found, &narrow[v], sizeof found); /* memcpy, as the array holds levels of two types meanwhile */
            level[v] = widened<uint32_t>(found);
        }
    });
}

/* Downloads the farness and clears it on the device. */
static void fetch_farness(struct run *run, struct traversal *result)
{
    struct state *state = (struct state *)run->state;
    size_t n = state->batch.num_vertices;
    gpu_download(result->farness, state->farness, n, run->error);
    gpu_download(result->farness_count, state->farness_count, n, run->error);
    gpu_clear(state->farness, n, run->error);
    gpu_clear(state->farness_count, n, run->error);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    if (result->level != NULL)
        fetch_levels(run, result->which, result->level);
    gpu_download(result->sums, state->batch.sums, state->num_sources, run->error);
    gpu_download(result->length, state->length, state->num_destinations, run->error);
    if (result->farness != NULL)
        fetch_farness(run, result);
    return run->error->status;
}

GPU_ALGORITHM(msbfs_perblock) = {
    .family = "msbfs",
    .variant = "perblock",
    .title = "a search per block, its bitmap in shared memory",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FARNESS | OUTPUT_LENGTH,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct state, &state::memory, &state::level_memory, &state::query_memory, &state::graph>,
};

} // namespace BACKEND::perblock
