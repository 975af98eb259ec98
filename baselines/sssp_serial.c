/* sssp_serial.c: Dijkstra's algorithm with a binary heap, on one thread: the reference for every other search of
 * shortest paths.
 *
 * The heap holds the vertices that are reached but not settled, with the nearest at its top. A vertex is settled when
 * it leaves the heap: its distance is final, since no weight is negative. */
#include "../src/algorithm.h"
#include "../src/distance.h"

struct state {
    double *distance; /* num_vertices */
    vertex_t *parent; /* num_vertices */
    vertex_t *heap;   /* num_vertices; entry i is no farther than entries 2i + 1 and 2i + 2 */
    vertex_t *place;  /* num_vertices: index of each vertex in the heap; NO_VERTEX: it was never there */
    vertex_t size;    /* of the heap */
};

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct state *state = run->state;
    run_allocate(run, &state->distance, n, sizeof *state->distance);
    run_allocate(run, &state->parent, n, sizeof *state->parent);
    run_allocate(run, &state->heap, n, sizeof *state->heap);
    run_allocate(run, &state->place, n, sizeof *state->place);
    return run->error->status;
}

static void put(struct state *state, vertex_t i, vertex_t v)
{
    state->heap[i] = v;
    state->place[v] = i;
}

/* Moves a vertex up from index i to its place. */
static void sift_up(struct state *state, vertex_t i, vertex_t v)
{
    for (; i > 0 && state->distance[state->heap[(i - 1) / 2]] > state->distance[v]; i = (i - 1) / 2)
        put(state, i, state->heap[(i - 1) / 2]);
    put(state, i, v);
}

/* Removes the nearest vertex, and moves the last one down from the top to its place. */
static vertex_t take_nearest(struct state *state)
{
    const double *distance = state->distance;
    vertex_t *heap = state->heap, nearest = heap[0], last = heap[--state->size], i = 0;
    for (uint64_t child = 1; child < state->size; child = 2 * (uint64_t)i + 1) {
        child += child + 1 < state->size && distance[heap[child + 1]] < distance[heap[child]];
        if (distance[heap[child]] >= distance[last])
            break;
        put(state, i, heap[child]);
        i = (vertex_t)child;
    }
    if (state->size > 0)
        put(state, i, last);
    return nearest;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    vertex_t n = graph->num_vertices, source = query->sources[0];
    for (vertex_t v = 0; v < n; v++)
        state->distance[v] = NO_PATH;
    memset(state->parent, 0xff, n * sizeof *state->parent); /* NO_VERTEX */
    memset(state->place, 0xff, n * sizeof *state->place);

    run_kernel_begin(run);
    state->distance[source] = 0;
    state->parent[source] = source;
    state->size = 1;
    put(state, 0, source);
    while (state->size > 0) {
        vertex_t u = take_nearest(state);
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            double sum = distance_over(graph, state->distance[u], e);
            if (sum >= state->distance[v])
                continue;
            state->distance[v] = sum;
            state->parent[v] = u;
            sift_up(state, state->place[v] == NO_VERTEX ? state->size++ : state->place[v], v);
        }
    }
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    copy_wanted(result->distance, state->distance, run->graph->num_vertices * sizeof *result->distance);
    copy_wanted(result->parent, state->parent, run->graph->num_vertices * sizeof *result->parent);
    return STATUS_OK;
}

const struct algorithm sssp_serial = {
    .family = "sssp",
    .variant = "serial",
    .title = "Dijkstra's algorithm with a binary heap, one thread",
    .citation = "Dijkstra, Numer. Math. 1959; Williams, CACM 1964",
    .device = DEVICE_CPU,
    .serial = true,
    .outputs = OUTPUT_DISTANCE | OUTPUT_PARENT,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
};
