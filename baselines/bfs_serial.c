/* bfs_serial.c: breadth-first search with a queue, on one thread: the reference for every other BFS.
 *
 * WarpNet, listing 1 (Kalra 2025). The queue holds every reached vertex once, in order of discovery. */

#include "limits.h"

struct state {
    uint32_t *level;  /* num_vertices */
    vertex_t *parent; /* num_vertices */
    vertex_t *queue;  /* num_vertices */
};

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct state *state = run->state;
    run_allocate(run, &state->level, n, sizeof *state->level);
    run_allocate(run, &state->parent, n, sizeof *state->parent);
    run_allocate(run, &state->queue, n, sizeof *state->queue);
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    const struct state *state = run->state;
    const struct limits limits = limits_of(query);
    uint32_t *level = state->level;
    vertex_t *parent = state->parent, *queue = state->queue;
    uint64_t found = 0;                                         /* number of destinations found */
    memset(level, 0xff, graph->num_vertices * sizeof *level);   /* UNREACHED */
    memset(parent, 0xff, graph->num_vertices * sizeof *parent); /* NO_VERTEX */

    run_kernel_begin(run);
    vertex_t head = 0, tail = seed_queue(query, level, queue);
    for (vertex_t i = 0; i < tail; i++)
        parent[queue[i]] = queue[i];
    for (uint32_t next = 1; head < tail && next <= limits.max_level && !has_found_all(query, level, &found); next++)
        for (vertex_t end = tail; head < end; head++) {
            vertex_t u = queue[head];
            for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
                vertex_t v = graph->targets[e];
                if (level[v] == UNREACHED && !is_left_out(&limits, v, e)) {
                    level[v] = next;
                    parent[v] = u;
                    queue[tail++] = v;
                }
            }
        }
    run_kernel_end(run);
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    copy_wanted(result->level, state->level, run->graph->num_vertices * sizeof *result->level);
    copy_wanted(result->parent, state->parent, run->graph->num_vertices * sizeof *result->parent);
    return STATUS_OK;
}

const struct algorithm bfs_serial = {
    .family = "bfs",
    .variant = "serial",
    .title = "BFS with a queue, one thread",
    .citation = "WarpNet, listing 1 (Kalra 2025)",
    .device = DEVICE_CPU,
    .serial = true,
    .outputs = OUTPUT_LEVEL | OUTPUT_PARENT,
    .limited = true,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
};
