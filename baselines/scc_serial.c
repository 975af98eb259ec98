/* scc_serial.c: strongly connected components on one thread, by a depth-first search without recursion.
 *
 * Tarjan (SIAM J. Comput. 1972), with Pearce's two stacks (IPL 2016): the path of the search, and the vertices that
 * it has left whose component is not complete. `low` of a vertex on the path is the lowest number that its subtree
 * leads to. A vertex that is left with its own number is the first of its component; the others are those on the
 * second stack with higher numbers. */
#include <string.h>

#include "../src/algorithm.h"

#define COMPLETE UINT32_MAX /* the number of a vertex whose component is complete: no search goes there */

struct open_vertex {
    edge_t next; /* edge to follow */
    vertex_t vertex;
    uint32_t low;
};

struct state {
    uint32_t *number;         /* num_vertices: in the order of discovery from 1 on; 0: not discovered */
    struct open_vertex *path; /* num_vertices */
    vertex_t *left;           /* num_vertices: the second stack grows from the end */
    vertex_t *label;          /* num_vertices */
};

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct state *state;
    if (run_allocate(run, &run->state, 1, sizeof *state) != STATUS_OK)
        return run->error->status;
    state = run->state;
    run_allocate(run, &state->number, n, sizeof *state->number);
    run_allocate(run, &state->path, n, sizeof *state->path);
    run_allocate(run, &state->left, n, sizeof *state->left);
    run_allocate(run, &state->label, n, sizeof *state->label);
    return run->error->status;
}

/* Completes the component of v, the first one of it: takes the others from the stack, whose top is left[top]. Returns
 * the new top. */
static vertex_t complete(const struct state *state, vertex_t v, vertex_t top, vertex_t num_vertices)
{
    vertex_t end = top, smallest = v;
    for (; end < num_vertices && state->number[state->left[end]] > state->number[v]; end++)
        smallest = state->left[end] < smallest ? state->left[end] : smallest;
    for (; top < end; top++) {
        state->label[state->left[top]] = smallest;
        state->number[state->left[top]] = COMPLETE;
    }
    state->label[v] = smallest;
    state->number[v] = COMPLETE;
    return top;
}

/* Searches from a vertex that was not discovered; no vertex is on a stack before and after. Returns the last number.
 */
static uint32_t search(const struct graph *graph, const struct state *state, vertex_t source, uint32_t last)
{
    uint32_t *number = state->number;
    vertex_t depth = 0, top = graph->num_vertices;
    struct open_vertex at = {graph->offsets[source], source, ++last};
    number[source] = last;
    for (;;) {
        edge_t end = graph->offsets[at.vertex + 1];
        vertex_t v = 0;
        for (; at.next < end && number[v = graph->targets[at.next]] != 0; at.next++)
            at.low = number[v] < at.low ? number[v] : at.low;
        if (at.next < end) { /* v is new */
            state->path[depth++] = at;
            number[v] = ++last;
            at = (struct open_vertex){graph->offsets[v], v, last};
            continue;
        }
        if (at.low == number[at.vertex])
            top = complete(state, at.vertex, top, graph->num_vertices);
        else
            state->left[--top] = at.vertex;
        if (depth == 0)
            return last;
        uint32_t low = at.low;
        at = state->path[--depth]; /* its edge is looked at again: its end has a number now */
        at.low = low < at.low ? low : at.low;
    }
}

static int traverse(struct run *run, const struct query *query)
{
    (void)query;
    const struct graph *graph = run->graph;
    const struct state *state = run->state;
    memset(state->number, 0, graph->num_vertices * sizeof *state->number);

    run_kernel_begin(run);
    uint32_t last = 0;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (state->number[v] == 0)
            last = search(graph, state, v, last);
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    memcpy(result->component, state->label, run->graph->num_vertices * sizeof *result->component);
    return STATUS_OK;
}

const struct algorithm scc_serial = {
    .family = "scc",
    .variant = "serial",
    .title = "Tarjan's algorithm, one thread",
    .citation = "Tarjan, SIAM J. Comput. 1972; Pearce, IPL 2016",
    .device = DEVICE_CPU,
    .serial = true,
    .outputs = OUTPUT_COMPONENT,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
};
