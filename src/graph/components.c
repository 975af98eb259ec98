/* components.c: weakly connected components by concurrent union-find, in the manner of Afforest (Sutton, Ben-Nun,
 * Barak, IPDPS 2018).
 *
 * parent[v] <= v always. So there are no cycles, a root is the smallest id of its tree, and the result does not
 * depend on the order of events. Any thread may lower the parent of a root, but only by compare-and-swap; find_root()
 * halves paths by atomic stores of a smaller ancestor. The first phase joins only a few edges of every vertex. The
 * second phase joins the other edges, but only those of vertices outside the component that is then largest. This
 * suffices if each edge is also stored at its other end. */
#include "../progress.h"
#include "graph.h"

#define VERTICES_A_CHUNK 4096   /* vertices that a thread takes at a time */
#define SMALL            65536u /* with fewer vertices, waking the threads costs more than they save */
#define FIRST_EDGES      2
#define SAMPLE_SIZE      1024        /* vertices in the sample that guesses the largest component */
#define SAMPLE_STEP      2654435761u /* a prime near 2^32 / golden ratio */

static vertex_t load_parent(const vertex_t *parent, vertex_t v)
{
    return __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
}

static vertex_t find_root(vertex_t *parent, vertex_t v)
{
    for (;;) {
        vertex_t up = load_parent(parent, v), above = load_parent(parent, up);
        if (up == above)
            return up;
        __atomic_store_n(&parent[v], above, __ATOMIC_RELAXED); /* v is not a root, and never becomes one again */
        v = above;
    }
}

/* Joins the trees of u and v. Returns a common ancestor. */
static vertex_t join(vertex_t *parent, vertex_t u, vertex_t v)
{
    while (load_parent(parent, v) != u) {
        u = find_root(parent, u);
        v = find_root(parent, v);
        vertex_t low = u < v ? u : v, high = u < v ? v : u, expected = high;
        if (low == high ||
            __atomic_compare_exchange_n(&parent[high], &expected, low, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return low;
    }
    return u;
}

/* Joins every vertex outside the tree of `skip` to its neighbours first .. end - 1. */
static void join_edges(const struct graph *graph, vertex_t *parent, vertex_t skip, edge_t first, edge_t end)
{
    struct progress_listener *listener = progress_listener;
    vertex_t n = graph->num_vertices;
#pragma omp parallel for schedule(dynamic) if (n >= SMALL)
    for (uint64_t chunk = 0; chunk < n; chunk += VERTICES_A_CHUNK) {
        progress_join(listener);
        vertex_t skipped = skip != NO_VERTEX ? find_root(parent, skip) : NO_VERTEX;
        uint64_t last = stop_requested() ? chunk : n - chunk > VERTICES_A_CHUNK ? chunk + VERTICES_A_CHUNK : n;
        for (uint64_t v = chunk; v < last; v++) {
            vertex_t ancestor = find_root(parent, (vertex_t)v);
            edge_t begin = graph->offsets[v], all = graph->offsets[v + 1];
            for (edge_t e = begin + first; ancestor != skipped && e < all && e - begin < end; e++)
                ancestor = join(parent, ancestor, graph->targets[e]);
        }
    }
}

/* Returns the most frequent root in a sample of vertices, or another frequent one: a wrong guess only costs time. */
static vertex_t frequent_root(vertex_t *parent, vertex_t num_vertices)
{
    vertex_t candidate = 0;
    int lead = 0; /* Boyer-Moore majority vote */
    for (uint64_t i = 0; i < SAMPLE_SIZE && i < num_vertices; i++) {
        vertex_t root = find_root(parent, (vertex_t)(i * SAMPLE_STEP % num_vertices));
        if (lead == 0)
            candidate = root;
        lead += root == candidate ? 1 : -1;
    }
    return candidate;
}

void label_components(const struct graph *out, const struct graph *in, vertex_t *label)
{
    vertex_t n = out->num_vertices;
#pragma omp parallel for schedule(static) if (n >= SMALL)
    for (vertex_t v = 0; v < n; v++)
        label[v] = v;
    join_edges(out, label, NO_VERTEX, 0, FIRST_EDGES);
    vertex_t frequent = in != NULL && n > 0 ? frequent_root(label, n) : NO_VERTEX;
    join_edges(out, label, frequent, FIRST_EDGES, UINT64_MAX);
    if (in != NULL && in != out)
        join_edges(in, label, frequent, 0, UINT64_MAX);
#pragma omp parallel for schedule(static) if (n >= SMALL)
    for (vertex_t v = 0; v < n; v++)
        __atomic_store_n(&label[v], find_root(label, v), __ATOMIC_RELAXED);
}
