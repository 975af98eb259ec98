/* dfs_serial.c: lexicographic depth-first search on one thread: the reference for every other DFS.
 *
 * DiggerBees, Algorithm 1 (Niu et al., PPoPP 2026), with a stack instead of recursion. The stack holds each vertex
 * with its next unexplored edge. So neighbours are visited in ascending order, and the result equals that of the
 * recursive form. */
#include <stdlib.h>
#include <string.h>

#include "../src/algorithm.h"

struct entry {
    vertex_t vertex;
    edge_t next; /* its first unexplored edge */
};

struct state {
    uint8_t *visited;    /* num_vertices */
    vertex_t *parent;    /* num_vertices */
    vertex_t *order;     /* num_vertices; the first num_ordered are set */
    vertex_t *finish;    /* likewise */
    struct entry *stack; /* num_vertices: as deep as a path can be */
    uint64_t num_ordered;
};

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct state *state;
    if (allocate_zeroed(&run->state, 1, sizeof *state, "dfs serial", run->error) != STATUS_OK)
        return run->error->status;
    state = run->state;
    allocate(&state->visited, n, sizeof *state->visited, "dfs serial", run->error);
    allocate(&state->parent, n, sizeof *state->parent, "dfs serial", run->error);
    allocate(&state->order, n, sizeof *state->order, "dfs serial", run->error);
    allocate(&state->finish, n, sizeof *state->finish, "dfs serial", run->error);
    allocate(&state->stack, n, sizeof *state->stack, "dfs serial", run->error);
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    memset(state->visited, 0, graph->num_vertices);
    memset(state->parent, 0xff, graph->num_vertices * sizeof *state->parent); /* NO_VERTEX */

    run_kernel_begin(run);
    struct entry *top = state->stack;
    vertex_t *order = state->order, *finish = state->finish;
    *top = (struct entry){query->source, graph->offsets[query->source]};
    *order++ = state->parent[query->source] = query->source;
    state->visited[query->source] = 1;
    while (top >= state->stack) {
        edge_t end = graph->offsets[top->vertex + 1], e = top->next;
        while (e < end && state->visited[graph->targets[e]])
            e++;
        if (e == end) {
            *finish++ = top->vertex;
            top--;
            continue;
        }
        vertex_t child = graph->targets[e];
        top->next = e + 1;
        state->visited[child] = 1;
        state->parent[child] = top->vertex;
        *order++ = child;
        *++top = (struct entry){child, graph->offsets[child]};
    }
    state->num_ordered = (uint64_t)(order - state->order);
    run_kernel_end(run);
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    size_t n = run->graph->num_vertices;
    memcpy(result->visited, state->visited, n);
    memcpy(result->parent, state->parent, n * sizeof *result->parent);
    memcpy(result->order, state->order, state->num_ordered * sizeof *result->order);
    memcpy(result->finish, state->finish, state->num_ordered * sizeof *result->finish);
    result->num_ordered = state->num_ordered;
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    if (state != NULL) {
        free(state->visited);
        free(state->parent);
        free(state->order);
        free(state->finish);
        free(state->stack);
    }
    free(state);
}

const struct algorithm dfs_serial = {
    .family = "dfs",
    .variant = "serial",
    .title = "Lexicographic DFS with a stack, one thread",
    .citation = "DiggerBees, algorithm 1 (Niu et al. 2026)",
    .device = DEVICE_CPU,
    .serial = true,
    .outputs = OUTPUT_VISITED | OUTPUT_PARENT | OUTPUT_ORDER | OUTPUT_FINISH,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
