/* components.c: weakly and strongly connected components on one thread, as references for all other algorithms; and
 * weakly connected components on all threads. */
#include <omp.h>

#include "../src/algorithm.h"
#include "../src/progress.h"

/* ---- weak, one thread: union-find. A set is a tree whose root is its smallest vertex ---- */

static int prepare_labels(struct run *run)
{
    return allocate_zeroed(&run->state, run->graph->num_vertices, sizeof(vertex_t), "the labels", run->error);
}

/* Returns the root of a vertex, and halves the path to it. */
static vertex_t find_root(vertex_t *parent, vertex_t v)
{
    for (; parent[v] != v; v = parent[v])
        parent[v] = parent[parent[v]];
    return v;
}

static int join_all(struct run *run, UNUSED const struct query *query)
{
    const struct graph *graph = run->graph;
    vertex_t *parent = run->state;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        parent[v] = v;
    for (vertex_t u = 0; u < graph->num_vertices; u++) {
        vertex_t root = find_root(parent, u);
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            if (graph->targets[e] > u && graph->symmetric) /* the target has the same edge */
                break;
            vertex_t other = find_root(parent, graph->targets[e]), low = other < root ? other : root;
            parent[root] = parent[other] = low;
            root = low;
        }
    }
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        parent[v] = parent[parent[v]]; /* the parent is smaller, so its label is known */
    return STATUS_OK;
}

static int fetch_labels(struct run *run, struct traversal *result)
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
    .prepare = prepare_labels,
    .traverse = join_all,
    .fetch = fetch_labels,
};

/* ---- weak, all threads: ../src/graph/components.c ---- */

#define FEW_EDGES 4096

/* Runs wcc afforest. A directed graph is not transposed, since this would take longer than reading every edge. One
 * thread joins a few edges by wcc serial, as OpenMP takes longer to make its teams, even of one thread. */
static int join_sampled(struct run *run, const struct query *query)
{
    if (run->graph->num_edges <= FEW_EDGES && omp_get_max_threads() == 1)
        return join_all(run, query);
    label_components(run->graph, run->graph->symmetric ? run->graph : NULL, run->state);
    return stop_requested() ? error_set(run->error, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

const struct algorithm wcc_afforest = {
    .family = "wcc",
    .variant = "afforest",
    .title = "concurrent union-find, some edges of each vertex first",
    .citation = "after Sutton, Ben-Nun and Barak, IPDPS 2018",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_COMPONENT,
    .prepare = prepare_labels,
    .traverse = join_sampled,
    .fetch = fetch_labels,
};

/* ---- strong, one thread: a depth-first search without recursion ----
 *
 * Tarjan's algorithm with the two stacks of Pearce (IPL 2016): the path, and the finished vertices whose component is
 * not complete. A vertex that finishes with its own number as `low` is the first of its component; the others are on
 * the second stack, with higher numbers. */

#define COMPLETE UINT32_MAX /* number of a vertex whose component is complete, so that searches ignore it */

struct open_vertex {
    edge_t next; /* next edge to follow */
    vertex_t vertex;
    uint32_t low; /* the least number of the vertex and of the targets of its subtree's edges */
};

struct search {
    uint32_t *number;         /* num_vertices; in the order of discovery, from 1 on; 0: not discovered */
    struct open_vertex *path; /* num_vertices */
    vertex_t *left;           /* num_vertices; the second stack grows down from the end; its top is left[top] */
    vertex_t *label;          /* num_vertices */
    vertex_t top;
    uint32_t last; /* number given last */
};

static int prepare_search(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct search *search = run->state;
    run_allocate(run, &search->number, n, sizeof *search->number);
    run_allocate(run, &search->path, n, sizeof *search->path);
    run_allocate(run, &search->left, n, sizeof *search->left);
    return run_allocate(run, &search->label, n, sizeof *search->label);
}

/* Completes the component whose first vertex is v; the others are above v on the stack. */
static void complete(struct search *search, vertex_t v, vertex_t num_vertices)
{
    vertex_t end = search->top, smallest = v;
    for (; end < num_vertices && search->number[search->left[end]] > search->number[v]; end++)
        smallest = search->left[end] < smallest ? search->left[end] : smallest;
    search->left[--search->top] = v;
    for (; search->top < end; search->top++) {
        search->label[search->left[search->top]] = smallest;
        search->number[search->left[search->top]] = COMPLETE;
    }
}

/* Searches from an undiscovered vertex. Both stacks are empty before and after. */
static void search_from(const struct graph *graph, struct search *search, vertex_t source)
{
    uint32_t *number = search->number, depth = 0;
    struct open_vertex at = {graph->offsets[source], source, ++search->last};
    for (number[source] = search->last;;) {
        edge_t end = graph->offsets[at.vertex + 1];
        vertex_t v = 0;
        for (; at.next < end && number[v = graph->targets[at.next]] != 0; at.next++)
            at.low = number[v] < at.low ? number[v] : at.low;
        if (at.next < end) { /* the edge's target is new */
            search->path[depth++] = at;
            number[v] = ++search->last;
            at = (struct open_vertex){graph->offsets[v], v, search->last};
            continue;
        }
        if (at.low == number[at.vertex])
            complete(search, at.vertex, graph->num_vertices);
        else
            search->left[--search->top] = at.vertex;
        if (depth == 0)
            return;
        uint32_t low = at.low;
        at = search->path[--depth]; /* reads the edge to the child again: the child now has a number */
        at.low = low < at.low ? low : at.low;
    }
}

static int search_all(struct run *run, UNUSED const struct query *query)
{
    struct search *search = run->state;
    memset(search->number, 0, run->graph->num_vertices * sizeof *search->number);
    search->top = run->graph->num_vertices;
    search->last = 0;
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        if (search->number[v] == 0)
            search_from(run->graph, search, v);
    return STATUS_OK;
}

static int fetch_strong(struct run *run, struct traversal *result)
{
    const struct search *search = run->state;
    memcpy(result->component, search->label, run->graph->num_vertices * sizeof *result->component);
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
    .state_bytes = sizeof(struct search),
    .prepare = prepare_search,
    .traverse = search_all,
    .fetch = fetch_strong,
};
