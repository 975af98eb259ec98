/* wcc_serial.c: weakly connected components by union-find on one thread: the reference for every other one.
 *
 * A set is a tree whose root is its smallest vertex, so the labels are the roots at the end. Paths are halved on the
 * way to the root (Tarjan, van Leeuwen, JACM 1984). */
#include <string.h>

#include "../src/algorithm.h"

static int prepare(struct run *run)
{
    return run_allocate(run, &run->state, run->graph->num_vertices, sizeof(vertex_t));
}

static vertex_t find_root(vertex_t *parent, vertex_t v)
{
    for (; parent[v] != v; v = parent[v])
        parent[v] = parent[parent[v]];
    return v;
}

static int traverse(struct run *run, const struct query *query)
{
    (void)query;
    const struct graph *graph = run->graph;
    vertex_t *parent = run->state;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        parent[v] = v;

    run_kernel_begin(run);
    for (vertex_t u = 0; u < graph->num_vertices; u++) {
        vertex_t root = find_root(parent, u);
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (v > u && graph->symmetric) /* v has this edge, too */
                break;
            vertex_t other = find_root(parent, v), low = other < root ? other : root;
            parent[root] = parent[other] = low;
            root = low;
        }
    }
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        parent[v] = parent[parent[v]]; /* <= v, so its label is known */
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    memcpy(result->component, run->state, run->graph->num_vertices * sizeof *result->component);
    return STATUS_OK;
}

const struct algorithm wcc_serial = {
    .family = "wcc",
    .variant = "serial",
    .title = "union-find, one thread",
    .citation = "Tarjan and van Leeuwen, JACM 1984",
    .device = DEVICE_CPU,
    .serial = true,
    .outputs = OUTPUT_COMPONENT,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
};
