/* bfs.c: bfs webgpu, a direction-optimising breadth-first search, level by level, on any GPU. shaders/bfs.wgsl has
 * the kernels. The host submits several levels at once, then reads whether the search is over. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "shaders.h"

#define TOP_DOWN_THREADS 256u
#define MOST_AT_ONCE     64u /* levels of a submission */

/* The bindings of bfs.wgsl. */
enum { PARAMS, OFFSETS, TARGETS, IN_OFFSETS, IN_TARGETS, LEVELS, QUEUE, STATE, ARGS, NUM_ARRAYS };
#define USES(binding) (1u << (binding))
static const char *const array_names[NUM_ARRAYS] = {"params", "offsets", "targets", "in_offsets", "in_targets",
                                                    "levels", "queue",   "state",   "args"};

/* Params and State of bfs.wgsl. */
struct params {
    uint32_t num_vertices, source, num_edges, alpha, beta, most_workgroups, unused[2];
};
struct header {
    uint32_t level, frontier, bottom_up, first, queued, frontier_edges, edges_left, unused;
};
#define WORDS(type) (sizeof(type) / sizeof(uint32_t))
enum { TOP_DOWN_ARGS = 0, BOTTOM_UP_ARGS = 4, NUM_ARGS = 8 };

enum { ALPHA, BETA, EDGE_THREADS, CHECK_EVERY, WORKGROUPS };
static const struct option_spec options[] = {
    [ALPHA] =
        {"alpha", 14, 0, 1000000, NULL,
         "bottom-up if the frontier's edges times alpha are more than those of the vertices not found; 0: never",
         NULL},
    [BETA] = {"beta", 24, 1, 1000000, NULL, "top-down again if the frontier's vertices times beta are fewer than all",
              NULL},
    [EDGE_THREADS] = {"edge-threads", 0, 0, 0, "auto|1|2|4|8|16|32",
                      "threads that share the edges of a vertex, top-down; auto: by the mean degree", NULL},
    [CHECK_EVERY] = {"check-every", 8, 1, MOST_AT_ONCE, NULL,
                     "levels of the first submission, after which the host reads whether the search is over; each "
                     "following one has twice as many",
                     NULL},
    [WORKGROUPS] = {"workgroups", 65535, 1, 65535, NULL, "the most workgroups of a dispatch", NULL},
    {0},
};

struct state {
    struct webgpu_graph graph, in_edges; /* in_edges: only of directed graphs */
    struct webgpu_array params, levels, queue, state, args;
    struct webgpu_launch begin, top_down, bottom_up, next;
    struct params values;
};

/* ---- preparing ---- */

static uint32_t choose_edge_threads(const struct run *run)
{
    if (run->options[EDGE_THREADS] > 0)
        return 1u << ((unsigned)run->options[EDGE_THREADS] - 1);
    uint32_t threads = 1;
    while (threads < 32 && (uint64_t)run->graph->num_vertices * threads * 2 <= run->graph->num_edges)
        threads *= 2;
    return threads;
}

static void bind(struct run *run, const char *entry, unsigned uses, struct webgpu_launch *launch)
{
    static const char *const sources[] = {shader_bfs, NULL};
    struct state *state = run->state;
    const struct webgpu_graph *in = state->in_edges.offsets.count > 0 ? &state->in_edges : &state->graph;
    uint32_t edge_threads = choose_edge_threads(run);
    struct webgpu_kernel kernel = {
        .sources = sources,
        .module = "bfs.wgsl",
        .entry = entry,
        .uses = uses,
        .constants = {{.key = {"edge_threads", WGPU_STRLEN}, .value = edge_threads},
                      {.key = {"group_vertices", WGPU_STRLEN}, .value = TOP_DOWN_THREADS / edge_threads}},
        .num_constants = 2};
    struct webgpu_bindings bindings = {.arrays = {&state->params, &state->graph.offsets, &state->graph.targets,
                                                  &in->offsets, &in->targets, &state->levels, &state->queue,
                                                  &state->state, &state->args}};
    memcpy(bindings.names, array_names, sizeof array_names);
    webgpu_bind(webgpu_of(run), &kernel, &bindings, launch, run->error);
}

static void bind_all(struct run *run)
{
    struct state *state = run->state;
    unsigned found = USES(LEVELS) | USES(QUEUE) | USES(STATE);
    bind(run, "begin", USES(PARAMS) | USES(OFFSETS) | found | USES(ARGS), &state->begin);
    bind(run, "top_down", USES(OFFSETS) | USES(TARGETS) | found, &state->top_down);
    bind(run, "bottom_up", USES(PARAMS) | USES(OFFSETS) | USES(IN_OFFSETS) | USES(IN_TARGETS) | found,
         &state->bottom_up);
    bind(run, "next", USES(PARAMS) | USES(STATE) | USES(ARGS), &state->next);
}

static int prepare(struct run *run)
{
    struct state *state;
    struct webgpu_device *device = webgpu_of(run);
    uint64_t n = run->graph->num_vertices;
    if (allocate_zeroed(&run->state, 1, sizeof *state, "the state", run->error) != STATUS_OK)
        return run->error->status;
    state = run->state;
    webgpu_graph_upload(device, run->graph, &state->graph, run->error);
    if (!run->graph->symmetric && run->options[ALPHA] > 0)
        run->build_ms = webgpu_upload_in_edges(device, run->graph, &state->in_edges, run->error);
    webgpu_allocate_whole(device, &state->params, WORDS(struct params), WGPUBufferUsage_Uniform, "the parameters",
                          run->error);
    webgpu_allocate(device, &state->levels, n, "the levels", run->error);
    webgpu_allocate(device, &state->queue, n, "the queue", run->error);
    webgpu_allocate_whole(device, &state->state, WORDS(struct header), WGPUBufferUsage_Storage, "the state",
                          run->error);
    webgpu_allocate_whole(device, &state->args, NUM_ARGS, WGPUBufferUsage_Storage | WGPUBufferUsage_Indirect,
                          "the numbers of workgroups", run->error);
    state->values = (struct params){.num_vertices = run->graph->num_vertices,
                                    .num_edges = (uint32_t)run->graph->num_edges,
                                    .alpha = (uint32_t)run->options[ALPHA],
                                    .beta = (uint32_t)run->options[BETA],
                                    .most_workgroups = (uint32_t)run->options[WORKGROUPS]};
    bind_all(run);
    if (device->stamps == NULL)
        snprintf(run->note, sizeof run->note, "times by the host, for want of timestamps");
    return webgpu_wait(device, run->error);
}

/* ---- traversing ---- */

static void reset(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    struct webgpu_commands commands;
    state->values.source = query->source;
    webgpu_write(webgpu_of(run), &state->params, &state->values, WORDS(struct params), run->error);
    webgpu_begin(webgpu_of(run), &commands);
    webgpu_clear(&commands, &state->levels);
    webgpu_dispatch(&commands, &state->begin, 1, 1);
    webgpu_submit(&commands);
}

static void search(struct run *run)
{
    const struct state *state = run->state;
    struct header header = {.frontier = 1};
    uint32_t at_once = (uint32_t)run->options[CHECK_EVERY];
    uint64_t levels = 0;
    while (header.frontier > 0 && run->error->status == STATUS_OK) {
        struct webgpu_commands commands;
        if (levels > run->graph->num_vertices + 1ull)
            error_set(run->error, STATUS_DEVICE, "bfs webgpu: more levels than the graph has vertices");
        webgpu_begin(webgpu_of(run), &commands);
        for (uint32_t i = 0; i < at_once; i++, levels++) {
            webgpu_dispatch_indirect(&commands, &state->top_down, &state->args, TOP_DOWN_ARGS);
            if (run->options[ALPHA] > 0)
                webgpu_dispatch_indirect(&commands, &state->bottom_up, &state->args, BOTTOM_UP_ARGS);
            webgpu_dispatch(&commands, &state->next, 1, 1);
        }
        webgpu_submit_and_read(&commands, state->state.parts[0], 0, &header, sizeof header, run->error);
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

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    if (result->level == NULL)
        return STATUS_OK;
    webgpu_download(webgpu_of(run), &state->levels, 0, result->level, run->graph->num_vertices, run->error);
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        result->level[v]--; /* 0, none, becomes UNREACHED */
    return run->error->status;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    if (state == NULL)
        return;
    struct webgpu_launch *launches[] = {&state->begin, &state->top_down, &state->bottom_up, &state->next};
    struct webgpu_array *arrays[] = {&state->params, &state->levels, &state->queue, &state->state, &state->args};
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
        webgpu_unbind(launches[i]);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        webgpu_free(webgpu_of(run), arrays[i]);
    webgpu_graph_free(webgpu_of(run), &state->graph);
    webgpu_graph_free(webgpu_of(run), &state->in_edges);
    free(state);
}

const struct algorithm bfs_webgpu = {
    .family = "bfs",
    .variant = "webgpu",
    .title = "Both directions, level by level, on WebGPU",
    .citation = "Beamer et al. 2012",
    .device = DEVICE_WEBGPU,
    .outputs = OUTPUT_LEVEL,
    .options = options,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
