/* msbfs_serial.c: breadth-first searches from many sources, one after another on one thread: the reference for all
 * other multi-source BFSs.
 *
 * A batch is a loop over its sources, each a BFS with a queue (WarpNet, listing 1, Kalra 2025), which ends early once
 * it has found all its destinations. The levels of all sources are only kept if they are an output. */

#include "../src/algorithm.h"
#include "../src/progress.h"

enum { BATCH };
static const struct option_spec options[] = {
    [BATCH] = NUMBER_OPTION("batch", 16, 1, 1024, "sources of a batch", .for_tests = true),
    {0},
};

struct state {
    uint32_t *level;          /* batch_size x num_vertices if levels are an output; otherwise num_vertices */
    vertex_t *queue;          /* num_vertices */
    struct source_sums *sums; /* batch_size */
    uint64_t *farness;        /* num_vertices; NULL if not wanted */
    uint32_t *farness_count;  /* num_vertices; NULL if not wanted */
    uint8_t *wanted;          /* num_vertices; 1 for destinations that the current search has not found yet */
    uint32_t *length;         /* num_lengths */
    uint64_t num_lengths;
    uint32_t num_sources; /* sources of the last query */
};

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices, batch = (size_t)run->options[BATCH];
    struct state *state = run->state;
    run->batch_size = (uint32_t)batch;
    run_allocate(run, &state->level, (run->outputs & OUTPUT_LEVEL ? batch : 1) * n, sizeof *state->level);
    run_allocate(run, &state->queue, n, sizeof *state->queue);
    run_allocate(run, &state->sums, batch, sizeof *state->sums);
    run_allocate(run, &state->wanted, n, sizeof *state->wanted);
    if (run->outputs & OUTPUT_FARNESS) {
        run_allocate(run, &state->farness, n, sizeof *state->farness);
        run_allocate(run, &state->farness_count, n, sizeof *state->farness_count);
    }
    return run->error->status;
}

/* Marks the destinations of a search. Returns the number of distinct vertices. */
static uint64_t mark_wanted(uint8_t *wanted, const struct destination *first, const struct destination *last)
{
    uint64_t count = 0;
    for (; first < last; first++) {
        count += !wanted[first->vertex];
        wanted[first->vertex] = 1;
    }
    return count;
}

/* Runs one search. Returns the number of vertices reached; they are the first entries of the queue. open: the number
 * of destinations after which it may stop, or UINT64_MAX. */
static vertex_t search(const struct graph *graph, vertex_t source, const struct state *state, uint32_t *level,
                       uint64_t open)
{
    vertex_t *queue = state->queue, head = 0, tail = 1;
    memset(level, 0xff, graph->num_vertices * sizeof *level); /* UNREACHED */
    queue[0] = source;
    level[source] = 0;
    open -= state->wanted[source];
    while (head < tail && open > 0) {
        vertex_t u = queue[head++];
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (level[v] == UNREACHED) {
                level[v] = level[u] + 1;
                queue[tail++] = v;
                open -= state->wanted[v];
            }
        }
    }
    return tail;
}

static void add_up(const struct run *run, const uint32_t *level, vertex_t reached, uint32_t which)
{
    const struct state *state = run->state;
    struct source_sums *sums = &state->sums[which];
    *sums = (struct source_sums){.reached = reached, .eccentricity = level[state->queue[reached - 1]]};
    for (vertex_t i = 0; i < reached; i++) {
        vertex_t v = state->queue[i];
        sums->level_sum += level[v];
        if (state->farness != NULL) {
            state->farness[v] += level[v];
            state->farness_count[v]++;
        }
    }
}

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    size_t n = run->graph->num_vertices;
    const struct destination *first = query->destinations, *last = first;
    const struct destination *end = first != NULL ? first + query->num_destinations : NULL;
    free(state->length);
    if (allocate(&state->length, query->num_destinations, sizeof *state->length, "msbfs serial", run->error) !=
        STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    for (uint32_t which = 0; which < query->num_sources; which++, first = last) {
        if (stop_requested())
            return error_set(run->error, STATUS_INTERRUPTED, "interrupted");
        uint32_t *level = state->level + (run->outputs & OUTPUT_LEVEL ? which * n : 0);
        while (last < end && last->which == which)
            last++;
        uint64_t open = end != NULL ? mark_wanted(state->wanted, first, last) : UINT64_MAX;
        vertex_t reached = search(run->graph, query->sources[which], state, level, open);
        if (end == NULL)
            add_up(run, level, reached, which);
        for (; first < last; first++) {
            state->length[first - query->destinations] = level[first->vertex];
            state->wanted[first->vertex] = 0;
        }
    }
    run_kernel_end(run);
    state->num_lengths = query->num_destinations;
    state->num_sources = query->num_sources;
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    size_t n = run->graph->num_vertices;
    copy_wanted(result->level, state->level + result->which * n, n * sizeof *result->level);
    copy_wanted(result->sums, state->sums, state->num_sources * sizeof *result->sums);
    copy_wanted(result->length, state->length, state->num_lengths * sizeof *result->length);
    if (result->farness != NULL) {
        memcpy(result->farness, state->farness, n * sizeof *result->farness);
        memcpy(result->farness_count, state->farness_count, n * sizeof *result->farness_count);
        memset(state->farness, 0, n * sizeof *state->farness);
        memset(state->farness_count, 0, n * sizeof *state->farness_count);
    }
    return STATUS_OK;
}

static void release(struct run *run)
{
    free(((struct state *)run->state)->length);
}

const struct algorithm msbfs_serial = {
    .family = "msbfs",
    .variant = "serial",
    .title = "BFS with a queue, source after source, one thread",
    .citation = "WarpNet, listing 1 (Kalra 2025)",
    .device = DEVICE_CPU,
    .serial = true,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FARNESS | OUTPUT_LENGTH,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
