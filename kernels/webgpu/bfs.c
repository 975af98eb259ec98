/* bfs.c: `bfs webgpu`, a direction-optimising breadth-first search, level by level, on any GPU. shaders/bfs.wgsl has
 * the kernels. The host submits several levels at once and then reads whether the search has ended. */

#include "backend.h"

#define THREADS         256u  /* threads per workgroup */
#define MOST_AT_ONCE    256u  /* levels between two read-backs, at most */
#define PIECE           32u   /* levels per submission; the device begins while the host writes the next one */
#define GPU_WORKGROUPS  2048u /* 524,288 threads: twice what a large GPU runs at once */
#define GPU_HIGH_DEGREE 64u
#define CPU_HIGH_DEGREE 1024u /* on a CPU, sharing costs time; docs/webgpu.md explains why there is a limit */

/* The bindings of the arrays in bfs.wgsl. */
enum { PARAMS, OFFSETS, TARGETS, IN_OFFSETS, IN_TARGETS, LEVELS, QUEUE, STEPS, TURN, PARENTS, NUM_ARRAYS };
#define USES(binding) (1u << (binding))
static const char *const array_names[NUM_ARRAYS] = {"params", "offsets", "targets", "in_offsets", "in_targets",
                                                    "levels", "queue",   "steps",   "turn",       "parents"};

/* The structs Params and Step of bfs.wgsl. */
struct params {
    uint32_t num_vertices, source, num_edges, alpha, beta, unused[3];
};
struct step {
    uint32_t level, first, frontier, frontier_edges, edges_left, bottom_up, first_high_degree, high_degree;
};

/* Beamer's beta (SC 2012): the search goes top-down again if BETA times the frontier is smaller than the graph. */
#define BETA 24

enum { ALPHA, HIGH_DEGREE_ABOVE, CHECK_EVERY, WORKGROUPS };
static const struct option_spec options[] = {
    [ALPHA] =
        NUMBER_OPTION("alpha", 14, 0, 1000000,
                      "bottom-up if alpha times the frontier's edges exceeds the edges of unvisited vertices; 0: never",
                      .for_tests = true),
    [HIGH_DEGREE_ABOVE] = CHOICE_OPTION("high-degree-above", 0, "auto|1|16|64|256|never",
                                        "top-down, 32 workgroups share the edges of a vertex if each of its threads "
                                        "would have more edges than this; auto: 64, on a CPU 1024"),
    [CHECK_EVERY] = NUMBER_OPTION("check-every", 8, 1, MOST_AT_ONCE,
                                  "levels of the first search before the host reads whether it is over, then twice "
                                  "as many each time; a later search begins with as many levels as the last one had",
                                  .for_tests = true),
    [WORKGROUPS] =
        NUMBER_OPTION("workgroups", 0, 0, 65535,
                      "most workgroups of a level; all of them start, even for few vertices; 0: 2048, on a CPU 16"),
    {0},
};

struct state {
    /* The array of each binding. In-edges exist only for directed graphs, parents on request; TURN has no array. */
    struct webgpu_array arrays[NUM_ARRAYS], turns[TURNS];
    struct webgpu_launch begin, search_level[TURNS], find_parents;
    struct params values;
    uint32_t low_degree; /* a vertex with more edges is a high-degree vertex; 0: there is none */
    uint32_t workgroups;
    uint32_t at_once;                /* levels in the first submission of the next search */
    struct webgpu_commands commands; /* begun by reset(), submitted by search() */
};

/* ---- preparing ---- */

static uint32_t choose_edge_threads(const struct run *run)
{
    uint32_t threads = 1;
    while (threads < 32 && (uint64_t)run->graph->num_vertices * threads * 2 <= run->graph->num_edges)
        threads *= 2;
    return threads;
}

/* Returns the number of edges above which a vertex counts as a high-degree vertex. */
static uint64_t choose_low_degree(const struct run *run)
{
    static const uint64_t words[] = {0, 1, 16, 64, 256, UINT32_MAX};
    uint64_t each = words[(int)run->options[HIGH_DEGREE_ABOVE]];
    if (each == 0)
        each = run->device->is_software ? CPU_HIGH_DEGREE : GPU_HIGH_DEGREE;
    return each * choose_edge_threads(run);
}

static void bind(struct run *run, const char *entry, unsigned uses, uint32_t turn, struct webgpu_launch *launch)
{
    static const char *const sources[] = {shader_bfs, NULL};
    struct state *state = run->state;
    uint32_t edge_threads = choose_edge_threads(run);
    unsigned in_edges = USES(IN_OFFSETS) | USES(IN_TARGETS);
    bool is_undirected = state->arrays[IN_OFFSETS].count == 0; /* undirected, or the search never reads in-edges */
    if (uses & in_edges && is_undirected)
        uses = (uses & ~in_edges) | USES(OFFSETS) | USES(TARGETS);
    struct webgpu_kernel kernel = {
        .sources = sources,
        .module = "bfs.wgsl",
        .entry = entry,
        .features = is_undirected ? " undirected " : "",
        .uses = uses | USES(PARAMS) | USES(LEVELS),
        .constants = {{.key = {"edge_threads", WGPU_STRLEN}, .value = edge_threads},
                      {.key = {"group_vertices", WGPU_STRLEN}, .value = THREADS / edge_threads},
                      {.key = {"low_degree", WGPU_STRLEN}, .value = state->low_degree}},
        .num_constants = 3};
    struct webgpu_bindings bindings = {.arrays = {[TURN] = &state->turns[turn]}};
    memcpy(bindings.names, array_names, sizeof array_names);
    for (int i = 0; i < NUM_ARRAYS; i++)
        if (i != TURN)
            bindings.arrays[i] = &state->arrays[i];
    webgpu_bind(webgpu_of(run), &kernel, &bindings, launch, run->error);
}

static bool wants_parents(const struct run *run)
{
    return run->outputs & OUTPUT_PARENT;
}

static void bind_all(struct run *run)
{
    struct state *state = run->state;
    unsigned search = USES(OFFSETS) | USES(QUEUE) | USES(STEPS) | USES(TURN);
    unsigned in_edges = USES(IN_OFFSETS) | USES(IN_TARGETS);
    bind(run, "begin", search, 0, &state->begin);
    for (uint32_t turn = 0; turn < TURNS; turn++)
        bind(run, "search_level", search | USES(TARGETS) | in_edges, turn, &state->search_level[turn]);
    if (wants_parents(run))
        bind(run, "find_parents", in_edges | USES(PARENTS), 0, &state->find_parents);
}

static uint32_t choose_workgroups(const struct run *run)
{
    uint32_t vertices = THREADS / choose_edge_threads(run), most = (uint32_t)run->options[WORKGROUPS];
    uint32_t needed = (run->graph->num_vertices - 1) / vertices + 1;
    if (most == 0)
        most = run->device->is_software ? CPU_WORKGROUPS : GPU_WORKGROUPS;
    return needed < most ? needed : most;
}

static int prepare(struct run *run)
{
    struct state *state = run->state;
    struct webgpu_device *device = webgpu_of(run);
    uint64_t n = run->graph->num_vertices, low_degree = choose_low_degree(run);
    uint64_t high_degree = webgpu_high_degrees(run->graph, low_degree);
    struct webgpu_array *arrays = state->arrays;
    state->low_degree = high_degree > 0 ? (uint32_t)low_degree : 0;
    webgpu_graph_upload(device, run->graph, &arrays[OFFSETS], run->error);
    if (!run->graph->symmetric && (run->options[ALPHA] > 0 || wants_parents(run)))
        run->build_ms = webgpu_upload_in_edges(device, run->graph, &arrays[IN_OFFSETS], run->error);
    webgpu_allocate_whole(device, &arrays[PARAMS], WORDS(struct params), WGPUBufferUsage_Uniform, "the parameters",
                          run->error);
    webgpu_allocate(device, &arrays[LEVELS], n, "the levels", run->error);
    webgpu_allocate(device, &arrays[QUEUE], n + high_degree, "the queue", run->error);
    if (wants_parents(run))
        webgpu_allocate(device, &arrays[PARENTS], n, "the parents", run->error);
    webgpu_allocate_whole(device, &arrays[STEPS], TURNS * WORDS(struct step), WGPUBufferUsage_Storage, "the levels",
                          run->error);
    webgpu_make_turns(device, state->turns, run->error);
    state->values = (struct params){.num_vertices = run->graph->num_vertices,
                                    .num_edges = (uint32_t)run->graph->num_edges,
                                    .alpha = (uint32_t)run->options[ALPHA],
                                    .beta = BETA};
    state->workgroups = choose_workgroups(run);
    state->at_once = (uint32_t)run->options[CHECK_EVERY];
    bind_all(run);
    if (device->stamps == NULL)
        snprintf(run->note, sizeof run->note, "times by the host, as there are no timestamps");
    return webgpu_wait(device, run->error);
}

/* ---- traversing ---- */

/* Begins the commands of a search, which reset its arrays. */
static void reset(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    state->values.source = query->sources[0];
    webgpu_write(webgpu_of(run), &state->arrays[PARAMS], &state->values, WORDS(struct params), run->error);
    webgpu_begin(webgpu_of(run), &state->commands);
    webgpu_clear(&state->commands, &state->arrays[LEVELS]);
    webgpu_dispatch(&state->commands, &state->begin, 1, 1);
    webgpu_before_kernels(&state->commands);
}

static void search(struct run *run)
{
    struct state *state = run->state;
    struct step next = {.frontier = 1};
    uint32_t at_once = state->at_once;
    uint64_t levels = 0;
    while (next.frontier > 0 && run->error->status == STATUS_OK) {
        if (levels > run->graph->num_vertices + 1ull)
            error_set(run->error, STATUS_DEVICE, "bfs webgpu: more levels than the graph has vertices");
        double began = now_ms();
        if (levels > 0)
            webgpu_begin(webgpu_of(run), &state->commands);
        for (uint32_t i = 0; i < at_once; i++, levels++) {
            if (i > 0 && i % PIECE == 0) {
                webgpu_submit(&state->commands);
                webgpu_begin(webgpu_of(run), &state->commands);
            }
            webgpu_dispatch(&state->commands, &state->search_level[levels % TURNS], state->workgroups, 1);
        }
        struct webgpu_reading step = {state->arrays[STEPS].parts[0], levels % TURNS * sizeof next, sizeof next, &next};
        webgpu_submit_and_read(&state->commands, &step, 1, run->error);
        at_once = webgpu_more_steps(at_once, now_ms() - began, MOST_AT_ONCE);
    }
    if (run->error->status == STATUS_OK) /* steps after the last level leave its number unchanged */
        state->at_once = next.level < at_once ? next.level : at_once;
}

static void find_parents(struct run *run)
{
    struct state *state = run->state;
    if (run->error->status != STATUS_OK)
        return;
    webgpu_begin(webgpu_of(run), &state->commands);
    webgpu_dispatch(&state->commands, &state->find_parents, state->workgroups, 1);
    webgpu_submit(&state->commands);
}

static int traverse(struct run *run, const struct query *query)
{
    reset(run, query);
    run_kernel_begin(run);
    search(run);
    if (wants_parents(run))
        find_parents(run);
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    vertex_t n = run->graph->num_vertices;
    if (result->level != NULL) {
        webgpu_download(webgpu_of(run), &state->arrays[LEVELS], 0, result->level, n, run->error);
        for (vertex_t v = 0; v < n; v++)
            result->level[v]--; /* 0 means no level, and becomes UNREACHED */
    }
    if (result->parent != NULL)
        webgpu_download(webgpu_of(run), &state->arrays[PARENTS], 0, result->parent, n, run->error);
    return run->error->status;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    webgpu_unbind(&state->begin);
    webgpu_unbind(&state->find_parents);
    for (uint32_t turn = 0; turn < TURNS; turn++)
        webgpu_unbind(&state->search_level[turn]);
    webgpu_free(webgpu_of(run), state->turns, TURNS);
    webgpu_free(webgpu_of(run), state->arrays, NUM_ARRAYS);
}

const struct algorithm bfs_webgpu = {
    .family = "bfs",
    .variant = "webgpu",
    .title = "Both directions, level by level, on WebGPU",
    .citation = "Beamer et al. 2012",
    .device = DEVICE_WEBGPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
