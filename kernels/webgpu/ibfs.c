/* ibfs.c: IBFS for path lengths on WebGPU, in the three schemes of "Path-finding on GPUs for Database Systems" (Dreef
 * 2025, a thesis; sections 4.2 to 4.4). shaders/search.wgsl explains the arrays and the kernels. This file is the
 * driver program (algorithm 9).
 *
 *   webgpu-workgroup  section 4.3.2: 1, 2 or 4 instances of 32 searches, each with its own queue
 *   webgpu-coalesced  section 4.3.3: 32 instances share one queue
 *   webgpu-bottomup   section 4.3.3.1: the same, with a bottom-up iteration after one with a long queue
 *
 * The host submits several iterations at once, then reads whether the search has ended. Differences from the thesis:
 *
 * - Identify sets the number of workgroups of expand and pull to what the queue needs; in the thesis it is fixed.
 *   Identify also chooses the direction; in the thesis the host reads the queue's length to do so.
 * - Identify also checks the destinations. Expand and pull are one dispatch if the graph is symmetric.
 * - The harness searches once from each source, for all its pairs, so a search may have many destinations.
 * - Inactive searches are not expanded, and a workgroup joins its vertices to the queue by one atomic.
 * - The option check-every says when the host reads back; it then also reads the lengths.
 *
 * mode=paper uses the sizes of the thesis, a dispatch for each step, and a search for each pair. */
#include <unistd.h>

#include "backend.h"

#define INSTANCE_SEARCHES   32u
#define COALESCED_INSTANCES 32u
#define MOST_INSTANCES      4u /* instances of the workgroup scheme, at most */
#define MOST_SEARCHES       (COALESCED_INSTANCES * INSTANCE_SEARCHES)
#define MOST_AT_ONCE        64u /* iterations per submission, at most */
#define SCAN_CHUNK          32u /* vertices per workgroup of identify in coalesced.wgsl */
#define EXPAND_THREADS      256u
#define WATCH_THREADS       64u
#define CPU_TURNS           65535u
#define BOTTOM_UP_PERCENT   5

enum scheme { WORKGROUP, COALESCED, BOTTOM_UP };

/* The bindings of the arrays in search.wgsl. */
enum { PARAMS, OFFSETS, TARGETS, BSA, BSAK, JFQ, STATE, QUERY, LENGTHS, ITERATIONS, IDENTIFIED, TURN, LEVELS };
#define NUM_ARRAYS    (LEVELS + 1)
#define USES(binding) (1u << (binding))
static const char *const array_names[NUM_ARRAYS] = {"params",     "offsets", "targets", "bsa",     "bsak",
                                                    "jfq",        "state",   "query",   "lengths", "iterations",
                                                    "identified", "turn",    "levels"};

/* The structs Params, Iteration, Query and State of search.wgsl. */
struct params {
    uint32_t num_vertices, num_instances, words_per_vertex, words_per_instance, queues, longest, expand_vertices,
        pull_vertices, most_workgroups, steps_apart, pull_apart, unused;
};
struct identified {
    uint32_t expand_groups[4], pull_groups[4], length[MOST_INSTANCES], number, bottom_up, unused[2];
};
/* Index of the word of a member in the Identified of a turn. */
#define ARGS(turn, member) ((uint32_t)((turn)*WORDS(struct identified) + offsetof(struct identified, member) / 4))
enum { NUM_SOURCES, NUM_DESTINATIONS, SOURCES, DESTINATIONS = SOURCES + MOST_SEARCHES }; /* words of a query */
#define STATE_WORDS (COALESCED_INSTANCES + MOST_SEARCHES)

/* ---- options ---- */

enum { CHECK_EVERY, WORKGROUPS, MODE, SUBGROUPS, OWN_OPTION, SECOND_OPTION, THIRD_OPTION };
#define COMMON_OPTIONS                                                                                                 \
    NUMBER_OPTION("check-every", 8, 1, MOST_AT_ONCE,                                                                   \
                  "iterations of the first submission, after which the host reads whether the search is over; each "   \
                  "further one has twice as many, and a later search begins with as many as the longest so far; "      \
                  "with mode=paper all have this many",                                                                \
                  .paper = "2"),                                                                                       \
        NUMBER_OPTION("workgroups", 65535, 1, 65535, "most workgroups of a dispatch", .paper = "184"),                 \
        MODE_OPTION("a search for each pair, not for each distinct source"),                                           \
        NUMBER_OPTION("subgroups", 0, 0, 1,                                                                            \
                      "1: the threads of a subgroup join vertices by one atomic, where the adapter has subgroups")
#define ROWS_OPTION CHOICE_OPTION("rows", 2, "1|2|4|8", "rows of 32 threads of a workgroup", .paper = "1")
static const struct option_spec coalesced_options[] = {COMMON_OPTIONS, ROWS_OPTION, {0}};
static const struct option_spec bottom_up_options[] = {
    COMMON_OPTIONS,
    ROWS_OPTION,
    NUMBER_OPTION(
        "bottom-up-percent", BOTTOM_UP_PERCENT, 0, 100,
        "an iteration is bottom-up if the one before was top-down and had over this percentage of vertices queued",
        .paper = "83"),
    {0},
};
static const struct option_spec workgroup_options[] = {
    COMMON_OPTIONS,
    CHOICE_OPTION("workgroup-size", 2, "32|64|128|256", "threads of a workgroup of identify", .paper = "32"),
    CHOICE_OPTION("instances", 0, "auto|1|2|4", "instances of 32 searches each; auto: as many as the sources need"),
    CHOICE_OPTION("edge-threads", 3, "1|2|4|8|16|32", "threads that share the edges of a vertex, the y of a workgroup"),
    {0},
};

/* ---- the state of a run ---- */

/* The kernels of an iteration. */
enum step { NOTE_LEVELS, IDENTIFY, WATCH, EXPAND, PULL, NUM_STEPS };

struct state {
    enum scheme scheme;
    /* The array of each binding; TURN has none, IDENTIFIED uses that of ITERATIONS. BSA and BSAK swap roles. */
    struct webgpu_array arrays[NUM_ARRAYS], turns[TURNS];
    struct webgpu_array in_edges[2]; /* offsets and targets; only for bottom-up iterations on directed graphs */
    struct webgpu_launch set_first;
    struct webgpu_launch steps[TURNS][NUM_STEPS]; /* only those that the run needs are bound */
    struct params values;
    uint32_t scan_groups;            /* workgroups of identify per queue */
    uint32_t longest;                /* iterations of the longest search so far */
    uint32_t at_once;                /* iterations in the first submission of the next search */
    struct webgpu_commands commands; /* begun by reset(), submitted by search() */
    struct webgpu_commands next;     /* the commands of the next search, if they are made ahead, and ... */
    uint32_t next_at_once;           /* ... their number of iterations; 0: not made */
    int searches_left;               /* searches of the run that follow this batch */
    size_t capacity;                 /* number of destinations that `query` and `lengths` have room for */
    uint32_t *words;                 /* DESTINATIONS + 2 * capacity; a query for the device, then its lengths */
    uint64_t num_destinations;
};

static bool is_paper(const struct run *run)
{
    return is_paper_mode(run->options[MODE]);
}

static uint32_t in_pieces(uint64_t items, uint32_t of, uint32_t most)
{
    uint64_t pieces = (items + of - 1) / of;
    return pieces < most ? (uint32_t)pieces : most;
}

/* ---- kernels ---- */

/* The name of a scheme in notes; its module and the sources of that. */
static const struct {
    const char *name, *module, *sources[4];
} schemes[] = {
    [WORKGROUP] = {"workgroups", "workgroups.wgsl", {shader_search, shader_workgroups}},
    [COALESCED] = {"coalesced", "coalesced.wgsl", {shader_search, shader_coalesced}},
    [BOTTOM_UP] = {"coalesced, bottom-up", "bottom_up.wgsl", {shader_search, shader_coalesced, shader_bottom_up}},
};

static WGPUConstantEntry constant(const char *name, uint32_t value)
{
    return (WGPUConstantEntry){.key = {name, WGPU_STRLEN}, .value = value};
}

static uint32_t edge_threads_of(const struct run *run)
{
    return 1u << (unsigned)run->options[THIRD_OPTION];
}

/* Binds a kernel of the run for a turn. newest: which of the arrays BSA and BSAK is the BSA now, 0 or 1. */
static void bind(struct run *run, const char *entry, unsigned uses, uint32_t turn, uint32_t newest,
                 struct webgpu_launch *launch)
{
    struct state *state = run->state;
    bool uses_subgroups = webgpu_of(run)->has_subgroups && run->options[SUBGROUPS] > 0;
    struct webgpu_kernel kernel = {.sources = schemes[state->scheme].sources,
                                   .module = schemes[state->scheme].module,
                                   .entry = entry,
                                   .features = uses_subgroups ? " subgroups " : "",
                                   .uses = uses | USES(PARAMS) | USES(TURN)};
    if (state->scheme != WORKGROUP) {
        kernel.constants[kernel.num_constants++] = constant("rows", 1u << (unsigned)run->options[OWN_OPTION]);
    } else {
        kernel.constants[kernel.num_constants++] = constant("width", 32u << (unsigned)run->options[OWN_OPTION]);
        kernel.constants[kernel.num_constants++] = constant("edge_threads", edge_threads_of(run));
        kernel.constants[kernel.num_constants++] = constant("expand_vertices", state->values.expand_vertices);
    }
    struct webgpu_bindings bindings;
    memcpy(bindings.names, array_names, sizeof array_names);
    for (int i = 0; i < NUM_ARRAYS; i++)
        bindings.arrays[i] = &state->arrays[i];
    bindings.arrays[BSA] = &state->arrays[BSA + newest];
    bindings.arrays[BSAK] = &state->arrays[BSAK - newest];
    bindings.arrays[IDENTIFIED] = &state->arrays[ITERATIONS];
    bindings.arrays[TURN] = &state->turns[turn];
    if (strcmp(entry, "pull") == 0 && state->in_edges[0].count > 0) {
        bindings.arrays[OFFSETS] = &state->in_edges[0];
        bindings.arrays[TARGETS] = &state->in_edges[1];
    }
    webgpu_unbind(launch);
    webgpu_bind(webgpu_of(run), &kernel, &bindings, launch, run->error);
}

static void bind_iteration(struct run *run, uint32_t turn)
{
    struct state *state = run->state;
    struct webgpu_launch *steps = state->steps[turn];
    const struct params *values = &state->values;
    uint32_t newest = turn % 2;
    unsigned both = USES(BSA) | USES(BSAK), query = USES(QUERY) | USES(LENGTHS);
    unsigned expands = USES(OFFSETS) | USES(TARGETS) | both | USES(JFQ) | USES(STATE) | USES(IDENTIFIED);
    bool is_one = state->scheme == BOTTOM_UP && !values->pull_apart;
    if (state->arrays[LEVELS].count > 0)
        bind(run, "note_levels", both | USES(STATE) | USES(IDENTIFIED) | USES(LEVELS), turn, newest,
             &steps[NOTE_LEVELS]);
    bind(run, "identify", both | USES(JFQ) | USES(STATE) | query | USES(ITERATIONS), turn, newest, &steps[IDENTIFY]);
    if (values->steps_apart)
        bind(run, "watch_destinations", USES(BSA) | USES(STATE) | query | USES(IDENTIFIED), turn, newest,
             &steps[WATCH]);
    bind(run, is_one ? "expand_or_pull" : "expand", expands, turn, newest, &steps[EXPAND]);
    if (values->pull_apart)
        bind(run, "pull", expands, turn, newest, &steps[PULL]);
}

static void bind_all(struct run *run)
{
    struct state *state = run->state;
    bind(run, "set_first_bsak", USES(BSAK) | USES(STATE) | USES(QUERY) | USES(LENGTHS) | USES(ITERATIONS), 0, 1,
         &state->set_first);
    for (uint32_t turn = 0; turn < TURNS; turn++)
        bind_iteration(run, turn);
}

/* ---- preparing ---- */

static uint32_t wanted_instances(const struct run *run, enum scheme scheme)
{
    if (scheme != WORKGROUP)
        return COALESCED_INSTANCES;
    if (run->options[SECOND_OPTION] > 0)
        return 1u << ((unsigned)run->options[SECOND_OPTION] - 1);
    uint32_t instances = 1;
    while (instances < MOST_INSTANCES && (int)(instances * INSTANCE_SEARCHES) < run->num_sources)
        instances *= 2;
    return instances;
}

/* Returns the bytes that may be allocated. WebGPU does not report a device's memory; a device on the CPU could take
 * more than the host has free. */
static double room(const struct run *run)
{
    return webgpu_of(run)->shares_memory ? 0.5 * (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE)
                                         : 1e18;
}

/* Allocates the arrays whose size depends on the instances. Returns false, and allocates none, if they do not fit. */
static bool allocate_by_instances(struct run *run, uint32_t instances, struct error *error)
{
    struct state *state = run->state;
    struct webgpu_array *arrays = state->arrays;
    struct webgpu_device *device = webgpu_of(run);
    uint64_t n = run->graph->num_vertices;
    uint64_t words = n * (state->scheme == WORKGROUP ? instances : COALESCED_INSTANCES);
    uint64_t queue = n * (state->scheme == WORKGROUP ? instances : 1);
    uint64_t levels = run->outputs & OUTPUT_LEVEL ? n * instances * INSTANCE_SEARCHES : 0;
    if (words > 1ull << 32 || levels > 1ull << 32)
        error_set(error, STATUS_DEVICE, "WebGPU: %s has too many vertices for WGSL's 32-bit numbers", run->graph->name);
    else if ((double)(2 * words + queue + levels) * sizeof(uint32_t) > room(run))
        error_set(error, STATUS_DEVICE, "WebGPU: %u instances of 32 searches need %.6g MB, more than are free",
                  instances, 4e-6 * (double)(2 * words + queue + levels));
    webgpu_allocate(device, &arrays[BSA], words, "the BSA", error);
    webgpu_allocate(device, &arrays[BSAK], words, "the BSAK", error);
    webgpu_allocate(device, &arrays[JFQ], queue, "the JFQ", error);
    if (levels > 0)
        webgpu_allocate(device, &arrays[LEVELS], levels, "the levels", error);
    if (error->status == STATUS_OK)
        return true;
    webgpu_free(device, &arrays[BSA], JFQ + 1 - BSA);
    webgpu_free(device, &arrays[LEVELS], 1);
    return false;
}

/* Chooses as many of the wanted instances as fit into memory. */
static void choose_instances(struct run *run)
{
    struct state *state = run->state;
    uint32_t wanted = wanted_instances(run, state->scheme), instances = wanted;
    struct error error = {0};
    while (run->error->status == STATUS_OK && !allocate_by_instances(run, instances, &error)) {
        if (instances == 1)
            *run->error = error;
        instances /= 2;
        error = (struct error){0};
    }
    if (run->error->status != STATUS_OK)
        return;
    state->values.num_instances = instances;
    run->batch_size = instances * INSTANCE_SEARCHES;
    snprintf(run->note, sizeof run->note, "%s, %u instance%s of %u searches", schemes[state->scheme].name, instances,
             instances == 1 ? "" : "s", INSTANCE_SEARCHES);
    if (instances < wanted)
        text_append(run->note, sizeof run->note, "", ", since more do not fit");
    if (run->options[SUBGROUPS] > 0 && !webgpu_of(run)->has_subgroups)
        text_append(run->note, sizeof run->note, "; ", "the adapter has no subgroups");
    if (webgpu_of(run)->stamps == NULL)
        text_append(run->note, sizeof run->note, "; ", "times by the host, as there are no timestamps");
}

static void set_params(struct run *run)
{
    struct state *state = run->state;
    struct params *values = &state->values;
    bool shares = state->scheme == WORKGROUP;
    uint32_t rows = 1u << (unsigned)run->options[OWN_OPTION];
    values->num_vertices = run->graph->num_vertices;
    values->words_per_vertex = shares ? 1 : COALESCED_INSTANCES;
    values->words_per_instance = shares ? run->graph->num_vertices : 1;
    values->queues = shares ? values->num_instances : 1;
    values->longest = UINT32_MAX;
    if (state->scheme == BOTTOM_UP)
        values->longest = (uint32_t)(run->options[SECOND_OPTION] / 100 * run->graph->num_vertices);
    values->expand_vertices = shares ? EXPAND_THREADS / edge_threads_of(run) : 1;
    values->pull_vertices = rows;
    values->most_workgroups = (uint32_t)run->options[WORKGROUPS];
    values->steps_apart = is_paper(run);
    values->pull_apart = state->scheme == BOTTOM_UP && (is_paper(run) || !run->graph->symmetric);
    state->scan_groups = in_pieces(values->num_vertices, shares ? 32 * rows : SCAN_CHUNK, values->most_workgroups);
    state->at_once = (uint32_t)run->options[CHECK_EVERY];
}

static void drop_next(struct state *state)
{
    webgpu_drop(&state->next);
    state->next_at_once = 0;
}

/* Makes room for a query, by doubling the arrays. */
static void reserve(struct run *run, uint64_t count)
{
    struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    uint64_t capacity = state->capacity > 0 ? state->capacity : MOST_SEARCHES;
    while (capacity < count)
        capacity *= 2;
    if (capacity == state->capacity || run->error->status != STATUS_OK)
        return;
    drop_next(state); /* they use the old arrays */
    webgpu_free(device, &state->arrays[QUERY], 1);
    webgpu_free(device, &state->arrays[LENGTHS], 1);
    free(state->words);
    allocate(&state->words, DESTINATIONS + 2 * capacity, sizeof *state->words, "a query", run->error);
    webgpu_allocate_whole(device, &state->arrays[QUERY], DESTINATIONS + 2 * capacity, WGPUBufferUsage_Storage,
                          "the destinations", run->error);
    webgpu_allocate_whole(device, &state->arrays[LENGTHS], capacity, WGPUBufferUsage_Storage, "the lengths",
                          run->error);
    state->capacity = capacity;
    bind_all(run);
}

/* Refuses graphs with too long rows on Mesa's CPU driver, which ends a thread's loop early (docs/webgpu.md). */
static int check_rows(struct run *run, enum scheme scheme)
{
    uint32_t threads = scheme == WORKGROUP ? edge_threads_of(run) : 1u << (unsigned)run->options[OWN_OPTION];
    if (run->device->is_software && webgpu_high_degrees(run->graph, (uint64_t)CPU_TURNS * threads) > 0)
        error_set(run->error, STATUS_DEVICE,
                  "%s has a vertex of more than %u edges, for which a WebGPU driver for the CPU may give "
                  "wrong levels; use a GPU, or a variant for the CPU",
                  run->graph->name, CPU_TURNS * threads);
    return run->error->status;
}

static int prepare(struct run *run, enum scheme scheme)
{
    struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    if (check_rows(run, scheme) != STATUS_OK)
        return run->error->status;
    state->scheme = scheme;
    webgpu_graph_upload(device, run->graph, &state->arrays[OFFSETS], run->error);
    if (scheme == BOTTOM_UP && !run->graph->symmetric)
        run->build_ms = webgpu_upload_in_edges(device, run->graph, state->in_edges, run->error);
    webgpu_allocate_whole(device, &state->arrays[PARAMS], WORDS(struct params), WGPUBufferUsage_Uniform,
                          "the parameters", run->error);
    webgpu_allocate_whole(device, &state->arrays[STATE], STATE_WORDS, WGPUBufferUsage_Storage, "the state", run->error);
    webgpu_allocate_whole(device, &state->arrays[ITERATIONS], TURNS * WORDS(struct identified),
                          WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect, "the iterations", run->error);
    webgpu_make_turns(device, state->turns, run->error);
    choose_instances(run);
    set_params(run);
    webgpu_write(device, &state->arrays[PARAMS], &state->values, WORDS(state->values), run->error);
    reserve(run, MOST_SEARCHES);
    return webgpu_wait(device, run->error);
}

static int prepare_workgroup(struct run *run)
{
    return prepare(run, WORKGROUP);
}
static int prepare_coalesced(struct run *run)
{
    return prepare(run, COALESCED);
}
static int prepare_bottom_up(struct run *run)
{
    return prepare(run, BOTTOM_UP);
}

/* ---- traversing ---- */

static void upload_query(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    state->num_destinations = query->destinations != NULL ? query->num_destinations : 0;
    reserve(run, state->num_destinations);
    if (run->error->status != STATUS_OK)
        return;
    uint32_t *words = state->words;
    words[NUM_SOURCES] = query->num_sources;
    words[NUM_DESTINATIONS] = (uint32_t)state->num_destinations;
    memcpy(words + SOURCES, query->sources, query->num_sources * sizeof *words);
    for (uint64_t i = 0; i < state->num_destinations; i++) {
        words[DESTINATIONS + 2 * i] = query->destinations[i].which;
        words[DESTINATIONS + 2 * i + 1] = query->destinations[i].vertex;
    }
    webgpu_write(webgpu_of(run), &state->arrays[QUERY], words, DESTINATIONS + 2 * state->num_destinations, run->error);
}

/* Begins the commands of any search. */
static void begin_search(struct run *run, struct webgpu_commands *commands)
{
    struct state *state = run->state;
    webgpu_begin(webgpu_of(run), commands);
    commands->is_timed = commands->has_begun = false; /* the kernels in progress may be the last search's */
    for (const int *which = (const int[]){BSA, BSAK, STATE, ITERATIONS, LEVELS, NUM_ARRAYS}; *which < NUM_ARRAYS;
         which++)
        webgpu_clear(commands, &state->arrays[*which]);
    webgpu_dispatch(commands, &state->set_first,
                    in_pieces(state->capacity, WATCH_THREADS, state->values.most_workgroups), 1);
    webgpu_before_kernels(commands);
}

static int reset(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    upload_query(run, query);
    if (run->error->status != STATUS_OK)
        return run->error->status;
    state->searches_left =
        (state->searches_left > 0 ? state->searches_left : run->num_sources) - (int)query->num_sources;
    if (state->next_at_once == 0)
        begin_search(run, &state->commands);
    return STATUS_OK;
}

static void add_iteration(struct webgpu_commands *commands, const struct state *state, uint32_t turn)
{
    const struct webgpu_launch *steps = state->steps[turn];
    const struct params *values = &state->values;
    uint32_t most = values->most_workgroups;
    if (steps[NOTE_LEVELS].pipeline != NULL)
        webgpu_dispatch(commands, &steps[NOTE_LEVELS], in_pieces(values->num_vertices, WATCH_THREADS, most), 1);
    webgpu_dispatch(commands, &steps[IDENTIFY], values->queues, state->scan_groups);
    if (steps[WATCH].pipeline != NULL && state->num_destinations > 0)
        webgpu_dispatch(commands, &steps[WATCH], in_pieces(state->num_destinations, WATCH_THREADS, most), 1);
    webgpu_dispatch_indirect(commands, &steps[EXPAND], values->queues, &state->arrays[ITERATIONS],
                             ARGS(turn, expand_groups));
    if (steps[PULL].pipeline != NULL)
        webgpu_dispatch_indirect(commands, &steps[PULL], values->queues, &state->arrays[ITERATIONS],
                                 ARGS(turn, pull_groups));
}

static bool is_over(const struct identified *iteration)
{
    uint32_t queued = 0;
    for (uint32_t i = 0; i < MOST_INSTANCES; i++)
        queued |= iteration->length[i];
    return queued == 0;
}

static void add_iterations(struct webgpu_commands *commands, const struct state *state, uint64_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_iteration(commands, state, (first + i) % TURNS);
}

/* Makes the commands of the next batch while the device runs this batch. Making them takes the host as long as 20
 * iterations take a large GPU. */
static void make_next(struct run *run)
{
    struct state *state = run->state;
    if (is_paper(run) || state->searches_left <= 0 || webgpu_of(run)->stamps == NULL || run->error->status != STATUS_OK)
        return;
    begin_search(run, &state->next);
    add_iterations(&state->next, state, 0, state->at_once);
    webgpu_finish(&state->next);
    state->next_at_once = state->at_once;
}

/* Makes the commands of the search's first submission. Returns its number of iterations. */
static uint32_t make_first(struct state *state)
{
    uint32_t at_once = state->next_at_once;
    if (at_once == 0) {
        add_iterations(&state->commands, state, 0, state->at_once);
        return state->at_once;
    }
    state->commands = state->next;
    state->next = (struct webgpu_commands){0};
    state->next_at_once = 0;
    webgpu_go_on(&state->commands);
    return at_once;
}

/* Runs a search. It has at most as many iterations as vertices, one per level, and one more that finds nothing. */
static void search(struct run *run)
{
    struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    struct identified last = {.length = {1}};
    uint32_t at_once = make_first(state);
    uint64_t iterations = at_once, most = run->graph->num_vertices + 2ull;
    while (run->error->status == STATUS_OK) {
        double began = now_ms();
        const struct webgpu_reading readings[] = {
            {state->arrays[ITERATIONS].parts[0], (iterations - 1) % TURNS * sizeof last, sizeof last, &last},
            {state->arrays[LENGTHS].parts[0], 0, state->num_destinations * sizeof *state->words, state->words}};
        webgpu_submit_reading(&state->commands, readings, state->num_destinations > 0 ? 2 : 1, run->error);
        if (state->next_at_once == 0)
            make_next(run);
        webgpu_finish_reading(device, run->error);
        if (!is_paper(run))
            at_once = webgpu_more_steps(at_once, now_ms() - began, MOST_AT_ONCE);
        if (is_over(&last) || run->error->status != STATUS_OK)
            break;
        if (iterations > most) {
            error_set(run->error, STATUS_DEVICE, "msbfs webgpu: more iterations than the graph can need");
            break;
        }
        webgpu_begin(device, &state->commands);
        add_iterations(&state->commands, state, iterations, at_once);
        iterations += at_once;
    }
    if (!is_paper(run) && run->error->status == STATUS_OK) { /* iterations after the end leave its number unchanged */
        state->longest = last.number + 1 > state->longest ? last.number + 1 : state->longest;
        state->at_once = state->longest < at_once ? state->longest : at_once;
    }
}

static int traverse(struct run *run, const struct query *query)
{
    if (reset(run, query) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    search(run);
    return run_kernel_end(run);
}

/* ---- results ---- */

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    uint64_t n = run->graph->num_vertices;
    if (result->level != NULL) {
        webgpu_download(device, &state->arrays[LEVELS], result->which * n, result->level, n, run->error);
        for (uint64_t v = 0; v < n; v++)
            result->level[v]--; /* 0 means unreached, and becomes UNREACHED */
    }
    if (result->length != NULL && run->error->status == STATUS_OK)
        memcpy(result->length, state->words, state->num_destinations * sizeof *state->words);
    return run->error->status;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    drop_next(state);
    webgpu_unbind(&state->set_first);
    for (uint32_t turn = 0; turn < TURNS; turn++)
        for (int step = 0; step < NUM_STEPS; step++)
            webgpu_unbind(&state->steps[turn][step]);
    webgpu_free(device, state->turns, TURNS);
    webgpu_free(device, state->arrays, NUM_ARRAYS);
    webgpu_free(device, state->in_edges, 2);
    free(state->words);
}

#define IBFS_WEBGPU(name, scheme_title, section, its_options, its_prepare)                                             \
    {                                                                                                                  \
        .family = "msbfs", .variant = "webgpu-" name, .title = "IBFS on WebGPU, " scheme_title,                        \
        .citation = "Dreef 2025, " section, .device = DEVICE_WEBGPU, .outputs = OUTPUT_LEVEL,                          \
        .on_request = OUTPUT_LENGTH, .options = its_options, .searches_pairs = true,                                   \
        .state_bytes = sizeof(struct state), .prepare = its_prepare, .traverse = traverse, .fetch = fetch,             \
        .release = release                                                                                             \
    }

const struct algorithm msbfs_webgpu_workgroup =
    IBFS_WEBGPU("workgroup", "workgroups: 1, 2 or 4 instances", "4.3.2", workgroup_options, prepare_workgroup);
const struct algorithm msbfs_webgpu_coalesced =
    IBFS_WEBGPU("coalesced", "32 instances share one queue", "4.3.3", coalesced_options, prepare_coalesced);
const struct algorithm msbfs_webgpu_bottomup =
    IBFS_WEBGPU("bottomup", "coalesced with direction switching", "4.3.3.1", bottom_up_options, prepare_bottom_up);
