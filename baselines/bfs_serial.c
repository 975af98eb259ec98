/* bfs_serial.c: breadth-first search with a queue, on one thread: the reference for every other BFS.
 *
 * WarpNet, listing 1 (Kalra 2025). The queue holds every reached vertex once, in order of discovery. */
#include <stdlib.h>
#include <string.h>

#include "../src/algorithm.h"

struct state {
    uint32_t *level;  /* num_vertices */
    vertex_t *parent; /* num_vertices */
    vertex_t *queue;  /* num_vertices */
};

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct state *state;
    if (run_allocate(run, &run->state, 1, sizeof *state) != STATUS_OK)
        return run->error->status;
    state = run->state;
    run_allocate(run, &state->level, n, sizeof *state->level);
    run_allocate(run, &state->parent, n, sizeof *state->parent);
    run_allocate(run, &state->queue, n, sizeof *state->queue);
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    const struct state *state = run->state;
    uint32_t *level = state->level;
    vertex_t *parent = state->parent, *queue = state->queue;
    memset(level, 0xff, graph->num_vertices * sizeof *level);   /* UNREACHED */
    memset(parent, 0xff, graph->num_vertices * sizeof *parent); /* NO_VERTEX */

    run_kernel_begin(run);
    vertex_t head = 0, tail = 1;
    queue[0] = parent[query->sources[0]] = query->sources[0];
    level[query->sources[0]] = 0;
    while (head < tail) {
        vertex_t u = queue[head++];
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (level[v] == UNREACHED) {
                level[v] = level[u] + 1;
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
    memcpy(result->level, state->level, run->graph->num_vertices * sizeof *result->level);
    memcpy(result->parent, state->parent, run->graph->num_vertices * sizeof *result->parent);
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
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
};
