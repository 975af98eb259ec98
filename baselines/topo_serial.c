/* topo_serial.c: topological order of a DAG by Kahn's algorithm (CACM 1962) on one thread.
 *
 * The order is its own queue: all in-neighbours of the vertices after `head` are ordered already. */

#include "../src/algorithm.h"

struct state {
    uint32_t *in_degree; /* num_vertices; fewer than 2^32 since duplicates are dropped */
    uint32_t *waiting;   /* num_vertices: number of in-neighbours that are not ordered yet */
    vertex_t *order;     /* num_vertices */
};

static int prepare(struct run *run)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    run_allocate(run, &state->in_degree, graph->num_vertices, sizeof *state->in_degree);
    run_allocate(run, &state->waiting, graph->num_vertices, sizeof *state->waiting);
    run_allocate(run, &state->order, graph->num_vertices, sizeof *state->order);
    if (run->error->status != STATUS_OK)
        return run->error->status;
    for (edge_t e = 0; e < graph->num_edges; e++)
        state->in_degree[graph->targets[e]]++;
    return STATUS_OK;
}

static int traverse(struct run *run, UNUSED const struct query *query)
{
    const struct graph *graph = run->graph;
    const struct state *state = run->state;
    memcpy(state->waiting, state->in_degree, graph->num_vertices * sizeof *state->waiting);

    run_kernel_begin(run);
    vertex_t head = 0, tail = 0;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (state->waiting[v] == 0)
            state->order[tail++] = v;
    for (; head < tail; head++) {
        vertex_t u = state->order[head];
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
            if (--state->waiting[graph->targets[e]] == 0)
                state->order[tail++] = graph->targets[e];
    }
    run_kernel_end(run);
    if (tail < graph->num_vertices)
        return error_set(run->error, STATUS_INPUT,
                         "%s: the graph has a cycle (%u of %u vertices are on one or reached from one); a "
                         "topological order needs a DAG, such as dag:5000:0.4",
                         graph->name, graph->num_vertices - tail, graph->num_vertices);
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    result->num_ordered = run->graph->num_vertices;
    memcpy(result->order, state->order, result->num_ordered * sizeof *result->order);
    return STATUS_OK;
}

const struct algorithm topo_serial = {
    .family = "topo",
    .variant = "serial",
    .title = "Kahn's algorithm, one thread",
    .citation = "Kahn, CACM 1962",
    .device = DEVICE_CPU,
    .serial = true,
    .outputs = OUTPUT_ORDER,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
};
