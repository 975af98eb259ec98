/* ibfs.c: IBFS for path lengths on WebGPU, in the three schemes of "Path-finding on GPUs for Database Systems" (Dreef
 * 2025, a thesis; sections 4.2 to 4.4). shaders/search.wgsl explains the arrays and the kernels; this file is the
 * thesis' driver program (algorithm 9).
 *
 *   webgpu-workgroup  section 4.3.2: 1, 2 or 4 instances of 32 searches, each with its own queue
 *   webgpu-coalesced  section 4.3.3: 32 instances share one queue
 *   webgpu-bottomup   section 4.3.3.1: the same, with a bottom-up iteration after one with a long queue
 *
 * The host submits several iterations at once, then reads whether the search is over. Differences from the thesis:
 *
 * - The kernel `next` writes the numbers of workgroups of the following kernels, so a queue gets as many as it needs.
 *   The thesis has a fixed number. It also chooses the direction, for which the thesis' host must read the queue's
 *   length.
 * - The harness searches once from each source, for all its pairs, so a search may have many destinations.
 * - Inactive searches are not expanded, and a workgroup joins its vertices to the queue by one atomic.
 * - The first read-back comes after 8 iterations, the next ones after twice as many each.
 *
 * mode=paper has the thesis' numbers and a search for each pair, with these kernels. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "shaders.h"

#define INSTANCE_SEARCHES   32u
#define COALESCED_INSTANCES 32u
#define MOST_INSTANCES      4u /* of workgroups */
#define MOST_SEARCHES       (COALESCED_INSTANCES * INSTANCE_SEARCHES)
#define MOST_AT_ONCE        64u /* iterations of a submission */
#define SCAN_CHUNK          32u /* vertices that a workgroup of identify takes in coalesced.wgsl */
#define EXPAND_THREADS      256u
#define WATCH_THREADS       64u
#define BOTTOM_UP_PERCENT   5

enum scheme { WORKGROUP, COALESCED, BOTTOM_UP };

/* The bindings of search.wgsl. */
enum { PARAMS, OFFSETS, TARGETS, BSA, BSAK, JFQ, STATE, QUERY, LENGTHS, ARGS, LEVELS, NUM_ARRAYS };
#define USES(binding) (1u << (binding))
static const char *const array_names[NUM_ARRAYS] = {"params", "offsets", "targets", "bsa",  "bsak",  "jfq",
                                                    "state",  "query",   "lengths", "args", "levels"};

/* Params, State and the args of search.wgsl. */
struct params {
    uint32_t num_vertices, num_sources, num_destinations, num_instances, words_per_vertex, words_per_instance, queues,
        longest, expand_vertices, pull_vertices, most_workgroups, unused;
};
struct header { /* of State; the masks and the open destinations follow */
    uint32_t iteration, longest_queue, bottom_up, unused, queued[MOST_INSTANCES], length[MOST_INSTANCES];
};
#define STATE_WORDS (sizeof(struct header) / sizeof(uint32_t) + COALESCED_INSTANCES + MOST_SEARCHES)
enum { SCAN_ARGS = 0, WATCH_ARGS = 4, EXPAND_ARGS = 8, PULL_ARGS = 12, NUM_ARGS = 16 };

/* ---- options ---- */

enum { CHECK_EVERY, WORKGROUPS, MODE, OWN_OPTION, SECOND_OPTION, THIRD_OPTION };
#define COMMON_OPTIONS                                                                                               \
    {"check-every",                                                                                                  \
     8,                                                                                                              \
     1,                                                                                                              \
     MOST_AT_ONCE,                                                                                                   \
     NULL,                                                                                                           \
     "iterations of the first submission, after which the host reads whether the search is over; each following "    \
     "one has twice as many, with mode=paper as many",                                                               \
     "2"},                                                                                                           \
        {"workgroups", 65535, 1, 65535, NULL, "the most workgroups of a dispatch", "184"},                           \
        MODE_OPTION("a search for each pair, not for each distinct source")
#define ROWS_OPTION                                                                                                  \
    {                                                                                                                \
        "rows", 2, 0, 0, "1|2|4|8", "rows of 32 threads of a workgroup", "1"                                         \
    }
static const struct option_spec coalesced_options[] = {COMMON_OPTIONS, ROWS_OPTION, {0}};
static const struct option_spec bottom_up_options[] = {
    COMMON_OPTIONS,
    ROWS_OPTION,
    {"bottom-up-percent", BOTTOM_UP_PERCENT, 0, 100, NULL,
     "an iteration is bottom-up if the one before was top-down with more percent of the vertices in its queue", "83"},
    {0},
};
static const struct option_spec workgroup_options[] = {
    COMMON_OPTIONS,
    {"workgroup-size", 2, 0, 0, "32|64|128|256", "threads of a workgroup of identify", "32"},
    {"instances", 0, 0, 0, "auto|1|2|4", "instances of 32 searches each; auto: as many as the sources need", NULL},
    {"edge-threads", 3, 0, 0, "1|2|4|8|16|32", "threads that share the edges of a vertex, the y of a workgroup",
     NULL},
    {0},
};

/* ---- the state of a run ---- */

/* The kernels of an iteration whose BSA is array number `newest`. */
struct iteration {
    struct webgpu_launch note_levels, identify, watch, expand, pull;
};

struct state {
    enum scheme scheme;
    struct webgpu_graph graph, in_edges; /* in_edges: only for bottom-up iterations on directed graphs */
    struct webgpu_array seen[2];         /* BSA and BSAK in turn */
    struct webgpu_array params, jfq, state, query, lengths, args, levels;
    struct webgpu_launch count_open, set_first, next;
    struct iteration iterations[2]; /* by the number of the BSA in `seen` */
    struct params values;
    size_t capacity; /* destinations that query and lengths have room for */
    uint32_t *words; /* MOST_SEARCHES + 2 * capacity: a query on its way to the device */
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

static const char *const *sources_of(enum scheme scheme)
{
    static const char *const sources[][4] = {[WORKGROUP] = {shader_search, shader_workgroups, NULL},
                                             [COALESCED] = {shader_search, shader_coalesced, NULL},
                                             [BOTTOM_UP] = {shader_search, shader_coalesced, shader_bottom_up, NULL}};
    return sources[scheme];
}

static WGPUConstantEntry constant(const char *name, uint32_t value)
{
    return (WGPUConstantEntry){.key = {name, WGPU_STRLEN}, .value = value};
}

static uint32_t edge_threads_of(const struct run *run)
{
    return 1u << (unsigned)run->options[THIRD_OPTION];
}

/* Binds a kernel of the run. newest: the BSA's number in `seen`. */
static void bind(struct run *run, const char *entry, unsigned uses, int newest, struct webgpu_launch *launch)
{
    static const char *const modules[] = {"workgroups.wgsl", "coalesced.wgsl", "bottom_up.wgsl"};
    struct state *state = run->state;
    const struct webgpu_graph *graph =
        strcmp(entry, "pull") == 0 && state->in_edges.offsets.count > 0 ? &state->in_edges : &state->graph;
    struct webgpu_kernel kernel = {.sources = sources_of(state->scheme),
                                   .module = modules[state->scheme],
                                   .entry = entry,
                                   .uses = uses | USES(PARAMS)};
    if (state->scheme != WORKGROUP) {
        kernel.constants[kernel.num_constants++] = constant("rows", 1u << (unsigned)run->options[OWN_OPTION]);
    } else {
        kernel.constants[kernel.num_constants++] = constant("width", 32u << (unsigned)run->options[OWN_OPTION]);
        kernel.constants[kernel.num_constants++] = constant("edge_threads", edge_threads_of(run));
        kernel.constants[kernel.num_constants++] = constant("expand_vertices", state->values.expand_vertices);
    }
    struct webgpu_bindings bindings = {
        .arrays = {&state->params, &graph->offsets, &graph->targets, &state->seen[newest], &state->seen[1 - newest],
                   &state->jfq, &state->state, &state->query, &state->lengths, &state->args, &state->levels}};
    memcpy(bindings.names, array_names, sizeof array_names);
    webgpu_unbind(launch);
    webgpu_bind(webgpu_of(run), &kernel, &bindings, launch, run->error);
}

static void bind_all(struct run *run)
{
    struct state *state = run->state;
    unsigned graph = USES(OFFSETS) | USES(TARGETS), both = USES(BSA) | USES(BSAK);
    bind(run, "count_open", USES(STATE) | USES(QUERY) | USES(LENGTHS), 0, &state->count_open);
    bind(run, "set_first_bsak", USES(BSAK) | USES(STATE) | USES(QUERY), 1, &state->set_first);
    bind(run, "next", USES(STATE) | USES(ARGS), 0, &state->next);
    for (int newest = 0; newest < 2; newest++) {
        struct iteration *iteration = &state->iterations[newest];
        bind(run, "identify", both | USES(JFQ) | USES(STATE), newest, &iteration->identify);
        bind(run, "watch_destinations", USES(BSA) | USES(STATE) | USES(QUERY) | USES(LENGTHS), newest,
             &iteration->watch);
        bind(run, "expand", graph | both | USES(JFQ) | USES(STATE), newest, &iteration->expand);
        if (state->scheme == BOTTOM_UP)
            bind(run, "pull", graph | both | USES(JFQ) | USES(STATE), newest, &iteration->pull);
        if (state->levels.count > 0)
            bind(run, "note_levels", both | USES(STATE) | USES(LEVELS), newest, &iteration->note_levels);
    }
}

/* ---- preparing ---- */

static uint32_t wanted_instances(const struct run *run, enum scheme scheme)
{
    if (scheme != WORKGROUP)
        return COALESCED_INSTANCES;
    if (run->options[SECOND_OPTION] > 0)
        return 1u << ((unsigned)run->options[SECOND_OPTION] - 1);
    uint32_t instances = 1;
    while (instances < MOST_INSTANCES && (int)(instances * INSTANCE_SEARCHES) < run->num_trials)
        instances *= 2;
    return instances;
}

/* Bytes that may be allocated. WebGPU does not tell how much a device has; one that runs on the CPU has the host's,
 * of which it would take more than there is. */
static double room(const struct run *run)
{
    return run->device->is_software ? 0.5 * (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) : 1e18;
}

/* The arrays for so many instances. Returns false, with nothing allocated, if they do not fit. */
static bool allocate_by_instances(struct run *run, uint32_t instances, struct error *error)
{
    struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    uint64_t n = run->graph->num_vertices;
    uint64_t words = n * (state->scheme == WORKGROUP ? instances : COALESCED_INSTANCES);
    uint64_t queue = n * (state->scheme == WORKGROUP ? instances : 1);
    uint64_t levels = run->outputs & OUTPUT_LEVEL ? n * instances * INSTANCE_SEARCHES : 0;
    if (words > 1ull << 32 || levels > 1ull << 32)
        error_set(error, STATUS_DEVICE, "WebGPU: %s has too many vertices for WGSL's numbers of 32 bits",
                  run->graph->name);
    else if ((double)(2 * words + queue + levels) * sizeof(uint32_t) > room(run))
        error_set(error, STATUS_DEVICE, "WebGPU: %u instances of 32 searches need %.1f MB, more than are free",
                  instances, 4e-6 * (double)(2 * words + queue + levels));
    webgpu_allocate(device, &state->seen[0], words, "the BSA", error);
    webgpu_allocate(device, &state->seen[1], words, "the BSAK", error);
    webgpu_allocate(device, &state->jfq, queue, "the JFQ", error);
    if (levels > 0)
        webgpu_allocate(device, &state->levels, levels, "the levels", error);
    if (error->status == STATUS_OK)
        return true;
    webgpu_free(device, &state->seen[0]);
    webgpu_free(device, &state->seen[1]);
    webgpu_free(device, &state->jfq);
    webgpu_free(device, &state->levels);
    return false;
}

/* Takes as many of the wanted instances as fit into the memory. */
static void choose_instances(struct run *run)
{
    static const char *const names[] = {"workgroups", "coalesced", "coalesced, bottom-up"};
    struct state *state = run->state;
    uint32_t wanted = wanted_instances(run, state->scheme), instances = wanted;
    struct error error = {0};
    while (run->error->status == STATUS_OK && !allocate_by_instances(run, instances, &error)) {
        if (instances == 1)
            *run->error = error;
        instances /= 2;
        error = (struct error){0};
    }
    state->values.num_instances = instances;
    run->batch_size = instances * INSTANCE_SEARCHES;
    int length = snprintf(run->note, sizeof run->note, "%s, %u instance%s of %u searches", names[state->scheme],
                          instances, instances == 1 ? "" : "s", INSTANCE_SEARCHES);
    if (instances < wanted)
        length += snprintf(run->note + length, sizeof run->note - (size_t)length, ", since more do not fit");
    if (webgpu_of(run)->stamps == NULL)
        snprintf(run->note + length, sizeof run->note - (size_t)length,
                 "; times by the host, for want of timestamps");
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
}

/* Makes room for a query, by doubling. */
static void reserve(struct run *run, uint64_t count)
{
    struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    uint64_t capacity = state->capacity > 0 ? state->capacity : MOST_SEARCHES;
    while (capacity < count)
        capacity *= 2;
    if (capacity == state->capacity || run->error->status != STATUS_OK)
        return;
    webgpu_free(device, &state->query);
    webgpu_free(device, &state->lengths);
    free(state->words);
    allocate(&state->words, MOST_SEARCHES + 2 * capacity, sizeof *state->words, "a query", run->error);
    webgpu_allocate_whole(device, &state->query, MOST_SEARCHES + 2 * capacity, WGPUBufferUsage_Storage,
                          "the destinations", run->error);
    webgpu_allocate_whole(device, &state->lengths, capacity, WGPUBufferUsage_Storage, "the lengths", run->error);
    state->capacity = capacity;
    bind_all(run);
}

static int prepare(struct run *run, enum scheme scheme)
{
    struct state *state;
    struct webgpu_device *device = webgpu_of(run);
    if (allocate_zeroed(&run->state, 1, sizeof *state, "the state", run->error) != STATUS_OK)
        return run->error->status;
    state = run->state;
    state->scheme = scheme;
    webgpu_graph_upload(device, run->graph, &state->graph, run->error);
    if (scheme == BOTTOM_UP && !run->graph->symmetric)
        run->build_ms = webgpu_upload_in_edges(device, run->graph, &state->in_edges, run->error);
    webgpu_allocate_whole(device, &state->params, sizeof state->values / sizeof(uint32_t), WGPUBufferUsage_Uniform,
                          "the parameters", run->error);
    webgpu_allocate_whole(device, &state->state, STATE_WORDS, WGPUBufferUsage_Storage, "the state", run->error);
    webgpu_allocate_whole(device, &state->args, NUM_ARGS, WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect,
                          "the numbers of workgroups", run->error);
    choose_instances(run);
    set_params(run);
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
    struct webgpu_device *device = webgpu_of(run);
    state->num_destinations = query->destinations != NULL ? query->num_destinations : 0;
    reserve(run, state->num_destinations);
    if (run->error->status != STATUS_OK)
        return;
    memcpy(state->words, query->sources, query->num_sources * sizeof *query->sources);
    memset(state->words + query->num_sources, 0, (MOST_SEARCHES - query->num_sources) * sizeof *state->words);
    for (uint64_t i = 0; i < state->num_destinations; i++) {
        state->words[MOST_SEARCHES + 2 * i] = query->destinations[i].which;
        state->words[MOST_SEARCHES + 2 * i + 1] = query->destinations[i].vertex;
    }
    state->values.num_sources = query->num_sources;
    state->values.num_destinations = (uint32_t)state->num_destinations;
    webgpu_write(device, &state->query, state->words, MOST_SEARCHES + 2 * state->num_destinations, run->error);
    webgpu_write(device, &state->params, &state->values, sizeof state->values / sizeof(uint32_t), run->error);
}

/* The first iteration's numbers of workgroups. */
static void write_args(struct run *run)
{
    struct state *state = run->state;
    const struct params *values = &state->values;
    uint32_t most = values->most_workgroups, args[NUM_ARGS] = {0};
    uint32_t chunk = state->scheme == WORKGROUP ? 32u << (unsigned)run->options[OWN_OPTION] : SCAN_CHUNK;
    args[SCAN_ARGS] = values->queues;
    args[SCAN_ARGS + 1] = in_pieces(values->num_vertices, chunk, most);
    args[WATCH_ARGS] = in_pieces(values->num_destinations, WATCH_THREADS, most);
    args[WATCH_ARGS + 1] = 1;
    args[SCAN_ARGS + 2] = args[WATCH_ARGS + 2] = 1;
    webgpu_write(webgpu_of(run), &state->args, args, NUM_ARGS, run->error);
}

static void reset(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    struct webgpu_commands commands;
    upload_query(run, query);
    write_args(run);
    if (run->error->status != STATUS_OK)
        return;
    uint32_t most = state->values.most_workgroups;
    webgpu_begin(webgpu_of(run), &commands);
    webgpu_clear(&commands, &state->seen[0]);
    webgpu_clear(&commands, &state->seen[1]);
    webgpu_clear(&commands, &state->state);
    webgpu_clear(&commands, &state->levels);
    if (state->num_destinations > 0)
        webgpu_dispatch(&commands, &state->count_open, in_pieces(state->num_destinations, WATCH_THREADS, most), 1);
    webgpu_dispatch(&commands, &state->set_first, in_pieces(query->num_sources, WATCH_THREADS, 65535), 1);
    webgpu_submit(&commands);
}

static void add_iteration(struct webgpu_commands *commands, const struct state *state, int newest)
{
    const struct iteration *iteration = &state->iterations[newest];
    const struct webgpu_array *args = &state->args;
    if (state->levels.count > 0)
        webgpu_dispatch_indirect(commands, &iteration->note_levels, args, SCAN_ARGS);
    webgpu_dispatch_indirect(commands, &iteration->identify, args, SCAN_ARGS);
    if (state->num_destinations > 0)
        webgpu_dispatch_indirect(commands, &iteration->watch, args, WATCH_ARGS);
    webgpu_dispatch(commands, &state->next, 1, 1);
    webgpu_dispatch_indirect(commands, &iteration->expand, args, EXPAND_ARGS);
    if (state->scheme == BOTTOM_UP)
        webgpu_dispatch_indirect(commands, &iteration->pull, args, PULL_ARGS);
}

/* Each iteration ends a level, of which there are at most as many as vertices; one more finds nothing, after one
 * bottom-up. */
static void search(struct run *run)
{
    const struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    struct header header = {.longest_queue = 1};
    uint32_t at_once = (uint32_t)run->options[CHECK_EVERY];
    uint64_t iterations = 0, most = run->graph->num_vertices + 2ull;
    while (header.longest_queue > 0 && run->error->status == STATUS_OK) {
        struct webgpu_commands commands;
        if (iterations > most)
            error_set(run->error, STATUS_DEVICE, "msbfs webgpu: more iterations than the graph can need");
        webgpu_begin(device, &commands);
        for (uint32_t i = 0; i < at_once; i++, iterations++)
            add_iteration(&commands, state, iterations % 2);
        webgpu_submit_and_read(&commands, state->state.parts[0], 0, &header, sizeof header, run->error);
        if (!is_paper(run))
            at_once = 2 * at_once < MOST_AT_ONCE ? 2 * at_once : MOST_AT_ONCE;
    }
}

static int traverse(struct run *run, const struct query *query)
{
    reset(run, query);
    run_kernel_begin(run);
    search(run);
    run_kernel_end(run);
    return run->error->status;
}

/* ---- results ---- */

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    uint64_t n = run->graph->num_vertices;
    if (result->level != NULL) {
        webgpu_download(device, &state->levels, result->which * n, result->level, n, run->error);
        for (uint64_t v = 0; v < n; v++)
            result->level[v]--; /* 0, unreached, becomes UNREACHED */
    }
    if (result->length != NULL)
        webgpu_download(device, &state->lengths, 0, result->length, state->num_destinations, run->error);
    return run->error->status;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    if (state == NULL)
        return;
    struct webgpu_device *device = webgpu_of(run);
    struct webgpu_array *arrays[] = {&state->seen[0], &state->seen[1], &state->params, &state->jfq,   &state->state,
                                     &state->query,   &state->lengths, &state->args,   &state->levels};
    struct webgpu_launch *launches[] = {&state->count_open, &state->set_first, &state->next};
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
        webgpu_unbind(launches[i]);
    for (int i = 0; i < 2; i++) {
        struct iteration *iteration = &state->iterations[i];
        webgpu_unbind(&iteration->note_levels);
        webgpu_unbind(&iteration->identify);
        webgpu_unbind(&iteration->watch);
        webgpu_unbind(&iteration->expand);
        webgpu_unbind(&iteration->pull);
    }
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        webgpu_free(device, arrays[i]);
    webgpu_graph_free(device, &state->graph);
    webgpu_graph_free(device, &state->in_edges);
    free(state->words);
    free(state);
}

#define IBFS_WEBGPU(name, scheme_title, section, its_options, its_prepare)                                           \
    {                                                                                                                \
        .family = "msbfs", .variant = "webgpu-" name, .title = "IBFS on WebGPU, " scheme_title,                      \
        .citation = "Dreef 2025, " section, .device = DEVICE_WEBGPU, .outputs = OUTPUT_LEVEL,                        \
        .on_request = OUTPUT_LENGTH, .options = its_options, .searches_pairs = true, .prepare = its_prepare,         \
        .traverse = traverse, .fetch = fetch, .release = release                                                     \
    }

const struct algorithm msbfs_webgpu_workgroup =
    IBFS_WEBGPU("workgroup", "workgroups: 1, 2 or 4 instances", "4.3.2", workgroup_options, prepare_workgroup);
const struct algorithm msbfs_webgpu_coalesced =
    IBFS_WEBGPU("coalesced", "32 instances share one queue", "4.3.3", coalesced_options, prepare_coalesced);
const struct algorithm msbfs_webgpu_bottomup =
    IBFS_WEBGPU("bottomup", "coalesced with direction switching", "4.3.3.1", bottom_up_options, prepare_bottom_up);
