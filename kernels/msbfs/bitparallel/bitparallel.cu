/* bitparallel.cu: `msbfs bitparallel`, many breadth-first searches at once, for scale-free and random graphs; after
 * Then et al., VLDB 2014 (one bit per search, so that all searches share each access to an edge).
 *
 * state.cuh tells how bits and levels are stored. After each step, schedule.cuh chooses the next one:
 *
 *   step           when                                                                       file
 *   sparse         the last level has few edges: pushes them, and lists what it finds         sparse.cuh
 *   pull           the last level has many edges: visits the in-neighbours of all rows        pull.cuh
 *   range pull     the same, if the rows do not fit into L2: one range of rows a launch       pull.cuh
 *   materialise    searches end, or planes, list or level numbers run out: writes levels      materialise.cuh
 *   widen          a level needs more bytes: this file allocates a wider array of levels
 *
 * Other files: puller.cuh has what all pulls share; prepare.cuh orders the vertices and plans the memory; host.cuh
 * has the options and the host's state. This file launches the steps. */

#include "prepare.cuh"

namespace BACKEND::bitparallel
{

#define NO_LIMIT (UNREACHED - 1)

/* Returns the words of a row: as the option says, or as the number of sources needs. */
static uint32_t wanted_words(const struct run *run)
{
    int batch = (int)run->options[BATCH];
    if (batch != BATCH_AUTO)
        return 1u << (batch - BATCH_32);
    uint32_t words = MOST_WORDS;
    while (words > 1 && words / 2 * WARP_SIZE >= (uint32_t)run->num_sources)
        words /= 2;
    return words;
}

/* The prepare step; also called by auto.cu. */
int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    uint32_t words = wanted_words(run);
    state->num_words = words;
    gpu_time_build(run, [&] { build(run, graph); });
    describe(run, words);
    run->batch_size = num_searches(state);
    return run->error->status;
}

/* ---- host side: traversing ---- */

static void set_level_bytes(struct run *run, uint32_t bytes)
{
    struct state *state = (struct state *)run->state;
    uint32_t byte_levels = (uint32_t)run->options[LEVELS_OPTION];
    state->level_bytes = bytes;
    state->search.levels = bytes == 1 ? state->narrow : state->wide;
    state->rules.level_limit = state->narrow == NULL || bytes == sizeof(uint32_t) ? NO_LIMIT
                               : bytes == 1                                       ? byte_levels
                                                                                  : byte_levels * byte_levels;
}

/* Uploads the destinations of the query. Their arrays grow to the largest query so far. */
static void upload_destinations(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    struct gpu_arena *memory = &state->query_memory;
    uint64_t number = query->destinations != NULL && state->narrow != NULL ? query->num_destinations : 0;
    state->num_destinations = number;
    if (number > state->destination_room) {
        gpu_arena_free(memory);
        state->destination_room = number;
        state->destinations = gpu_take<struct destination>(memory, number, "the destinations", run->error);
        state->lengths = gpu_take<uint32_t>(memory, number, "the destinations", run->error);
    }
    if (number > 0)
        gpu_upload(state->destinations, query->destinations, number, run->error);
}

static void reset(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    const struct search *search = &state->search;
    struct beginning beginning = {};
    state->num_sources = state->rules.num_sources = query->num_sources;
    set_level_bytes(run, 1);
    upload_destinations(run, query);
    gpu_clear(search->sums, num_searches(state), run->error);
    memcpy(beginning.sources, query->sources, query->num_sources * sizeof *query->sources);
    gpu_upload(state->beginning, &beginning, 1, run->error);
    gpu_clear(search->planes, search->plane_words, run->error);
}

/* Launches a materialising step. materialised_before: the query may have had one before. */
template <unsigned num_words, typename offset_t>
static void materialise(struct run *run, kernels<num_words, offset_t> k, bool materialised_before)
{
    const struct state *state = (const struct state *)run->state;
    struct error *error = run->error;
    struct relabelled_graph<offset_t> graph = graph_of<offset_t>(state);
    struct grid wide = gpu_wide_grid();
    const size_t bytes = sizeof(struct shared_words);
    if (state->narrow != NULL)
        gpu_launch(k.write, state->write_grid, bytes, error, graph, state->search, state->rules);
    if (state->narrow != NULL && materialised_before)
        gpu_launch(k.merge(state->level_bytes), wide, bytes, error, graph, state->search, state->rules);
    if (state->search.farness != NULL)
        gpu_launch(k.farness, wide, bytes, error, graph, state->search, state->rules);
    if (state->search.sums != NULL)
        gpu_launch(k.count, wide, sizeof(struct count_shared), error, graph, state->search, state->rules);
    gpu_launch(k.list(state->level_bytes), wide, bytes, error, graph, state->search, state->rules);
}

/* Records the level that a pull has found. Follows each pull of a profiled run. */
__global__ void end_pulled_level(struct level_end *trace, const struct control *control, enum step step)
{
    end_last_level(trace, *control, LEVEL_BOTTOM_UP, step);
}

static void launch(struct run *run, uint32_t step, bool materialised_before)
{
    const struct state *state = (const struct state *)run->state;
    with_kernels(state, [&]<unsigned num_words, typename offset_t>(kernels<num_words, offset_t> k) {
        struct relabelled_graph<offset_t> graph = graph_of<offset_t>(state);
        auto pull = [&](auto kernel, struct grid grid) {
            gpu_launch(kernel, grid, sizeof(struct pull_shared), run->error, graph, state->search, state->rules);
            if (state->trace != NULL)
                gpu_launch(end_pulled_level, {1, 1}, 0, run->error, state->trace, state->search.control,
                           (enum step)step);
        };
        if (step == STEP_SPARSE)
            with_trace(state->trace, [&](auto... trace) {
                return gpu_launch_persistent(sparse_kernel<num_words, offset_t, decltype(trace)...>, state->sparse_grid,
                                             sizeof(struct sparse_shared), run->error, graph, state->search,
                                             state->rules, trace...);
            });
        else if (step == STEP_MATERIALISE)
            materialise(run, k, materialised_before);
        else if (step == STEP_RANGE)
            pull(k.range, state->range_grid);
        else
            pull(step == STEP_FILTERED ? k.filtered : k.pull, state->pull_grid);
    });
}

/* Returns a chain of steps that makes progress whatever comes next. For many searches it contains all steps. */
static uint32_t standard_steps(const struct state *state, uint32_t steps[MOST_STEPS])
{
    uint32_t number = 0;
    steps[number++] = STEP_SPARSE;
    if (state->rules.filters)
        steps[number++] = STEP_FILTERED;
    for (uint32_t i = 0; state->rules.num_ranges > 1 && i < 2 * state->rules.num_ranges; i++)
        steps[number++] = STEP_RANGE;
    for (uint32_t i = 0; i < 3; i++)
        steps[number++] = STEP_PULL;
    steps[number++] = STEP_SPARSE;
    steps[number++] = STEP_MATERIALISE;
    return number;
}

template <typename from_t, typename to_t>
static void widen(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    struct gpu_arena replaced = {};
    uint64_t number = (uint64_t)state->in.num_vertices * num_searches(state);
    if (state->wide_bytes < sizeof(to_t)) {
        replaced = std::exchange(state->wide_memory, {});
        state->wide = gpu_take<to_t>(&state->wide_memory, number, "wider levels (or choose a smaller batch)", error);
        state->wide_bytes = sizeof(to_t);
    }
    gpu_launch(copy_levels<from_t, to_t, strided>, gpu_wide_grid(), 0, error, (const from_t *)state->search.levels,
               number, {0, 1}, (to_t *)state->wide);
    gpu_wait("widening levels", error);
    gpu_arena_free(&replaced);
    set_level_bytes(run, sizeof(to_t));
}

/* Widens the levels so that the search can continue. */
static void widen_and_go_on(struct run *run, struct control *control)
{
    struct state *state = (struct state *)run->state;
    control->phase = PHASE_SEARCH;
    if (state->level_bytes == sizeof(uint16_t))
        widen<uint16_t, uint32_t>(run);
    else if (state->wide_bytes == sizeof(uint32_t)) /* an earlier query has widened them */
        widen<uint8_t, uint32_t>(run);
    else
        widen<uint8_t, uint16_t>(run);
    gpu_upload(state->search.control, control, 1, run->error);
}

/* Launches the steps of the last query, then standard chains until the searches have ended. */
static void search_all(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    struct progress now = {};
    const struct control &control = now.control;
    uint32_t steps[MOST_STEPS], number = state->num_steps, done, rounds = 0;
    bool materialised_before = false;
    for (uint32_t i = 0; i < number; i++)
        steps[i] = state->steps[i];
    if (number == 0)
        number = standard_steps(state, steps);
    do {
        done = control.num_steps;
        for (uint32_t i = 0; i < number; i++) {
            launch(run, steps[i], materialised_before);
            materialised_before = materialised_before || steps[i] == STEP_MATERIALISE;
        }
        gpu_download(&now, &state->beginning->progress, 1, error);
        if (now.barrier.broken)
            gpu_check_barrier(state->search.barrier, "msbfs bitparallel", error);
        if (control.phase == PHASE_WIDEN)
            widen_and_go_on(run, &now.control);
        if (control.num_steps == done)
            error_set(error, STATUS_DEVICE,
                      "GPU: msbfs bitparallel: no kernel did phase %u, mode %u at level %u; stopped", control.phase,
                      control.mode, control.level);
        rounds++;
        number = standard_steps(state, steps);
    } while (error->status == STATUS_OK && control.phase != PHASE_FINISHED);
    if (state->num_steps > 0 && rounds == 1) /* the steps of the last query sufficed */
        return;
    state->num_steps = control.num_steps < MOST_STEPS ? control.num_steps : MOST_STEPS;
    gpu_download(state->steps, state->search.steps, MOST_STEPS, error);
}

struct places_of_destinations {
    const struct destination *destinations;
    uint32_t num_searches;
    __device__ __forceinline__ uint64_t operator()(uint64_t i) const
    {
        return (uint64_t)destinations[i].vertex * num_searches + destinations[i].which;
    }
};

/* Sets picked[i] to the level at index place(i) of the array of levels. */
template <typename place_t>
static void pick_levels(struct run *run, uint64_t number, place_t place, uint32_t *picked)
{
    const struct state *state = (const struct state *)run->state;
    with_levels(state->search.levels, state->level_bytes, [&]<typename level_t>(const level_t *levels) {
        gpu_launch(copy_levels<level_t, uint32_t, place_t>, gpu_wide_grid(number), 0, run->error, levels, number, place,
                   picked);
    });
}

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    reset(run, query);
    run_kernel_begin(run);
    gpu_end_level(state->trace, 0, run->error);
    search_all(run);
    if (state->num_destinations > 0)
        pick_levels(run, state->num_destinations, places_of_destinations{state->destinations, num_searches(state)},
                    state->lengths);
    return run_kernel_end(run);
}

/* ---- host side: results ---- */

static void fetch_levels(struct run *run, uint32_t which, uint32_t *level)
{
    struct state *state = (struct state *)run->state;
    vertex_t n = state->in.num_vertices;
    pick_levels(run, n, strided{which, num_searches(state)}, state->picked);
    gpu_download(level, state->picked, n, run->error);
}

/* Copies the sums into the order of input ids, and clears them. */
__global__ void take_farness(const vertex_t *input_of, vertex_t num_vertices, uint64_t *farness,
                             uint32_t *farness_count, uint64_t *taken, uint32_t *taken_count)
{
    for (uint64_t row = thread_of_grid(); row < num_vertices; row += threads_of_grid()) {
        vertex_t vertex = input_of_row(input_of, row);
        taken[vertex] = farness[row];
        taken_count[vertex] = farness_count[row];
        farness[row] = 0;
        farness_count[row] = 0;
    }
}

static void fetch_farness(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    struct error *error = run->error;
    struct gpu_arena memory = {};
    vertex_t n = state->in.num_vertices;
    uint64_t *farness = gpu_take<uint64_t>(&memory, n, "the sums", error);
    uint32_t *farness_count = gpu_take<uint32_t>(&memory, n, "the sums", error);
    gpu_launch(take_farness, gpu_wide_grid(n), 0, error, (const vertex_t *)state->order.input_of, n,
               state->search.farness, state->search.farness_count, farness, farness_count);
    gpu_download(result->farness, farness, n, error);
    gpu_download(result->farness_count, farness_count, n, error);
    gpu_arena_free(&memory);
}

static const char *const step_words[] = {"sparse", "filtered", "pull", "ranges"}; /* by enum step */

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    if (result->level != NULL)
        fetch_levels(run, result->which, result->level);
    gpu_download(result->sums, state->search.sums, state->num_sources, run->error);
    gpu_download(result->length, state->lengths, state->num_destinations, run->error);
    if (result->farness != NULL)
        fetch_farness(run, result);
    return gpu_fetch_batch_trace(run, state->trace, step_words, result, state->num_sources, fetch_levels);
}

GPU_ALGORITHM(msbfs_bitparallel) = {
    .family = "msbfs",
    .variant = "bitparallel",
    .title = "a bit for each search: sparse levels listed, dense ones pulled",
    .citation = "after Then et al., VLDB 2014",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FARNESS | OUTPUT_LENGTH,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release =
        release_state<struct state, &state::memory, &state::wide_memory, &state::query_memory, &state::in, &state::out>,
    .profiled = true,
};

} // namespace BACKEND::bitparallel
