/* distances.c: verifies weighted distances by a certificate: conditions that hold if and only if they are right.
 *
 * (1) The source has distance 0. (2) No edge out of a reached vertex leads to a shorter distance than its target has.
 * (3) Tight edges, those that give their target exactly its distance, lead from the source to every reached vertex. By
 * (1) and (2) no distance is too large, by (1) and (3) none is too small. A tight edge into each vertex would not
 * prove (3): on a cycle of weight 0 all edges may be tight, although the source does not reach it. But a vertex with a
 * tight edge from a nearer vertex is reached if that one is. So (3) needs a search only among the others. */
#include "../distance.h"
#include "verify.h"

#define wrong(error, ...) error_set(error, STATUS_WRONG, __VA_ARGS__)

/* NaN counts as reached, so that (3) finds it. */
static bool is_reached(double distance)
{
    return distance != NO_PATH;
}

static bool is_tight(const struct graph *graph, const double *distance, vertex_t u, edge_t e)
{
    return distance_over(graph, distance[u], e) == distance[graph->targets[e]];
}

/* Checks (2). */
static int check_edges(const struct graph *graph, const double *distance, struct error *error)
{
    vertex_t bad = NO_VERTEX;
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : bad)
    for (vertex_t u = 0; u < graph->num_vertices; u++)
        for (edge_t e = graph->offsets[u]; is_reached(distance[u]) && e < graph->offsets[u + 1]; e++)
            if (!(distance[graph->targets[e]] <= distance_over(graph, distance[u], e)) && graph->targets[e] < bad)
                bad = graph->targets[e];
    if (bad == NO_VERTEX)
        return STATUS_OK;
    return wrong(error, "distance of vertex %u is %.17g, but an edge gives it a shorter one", bad, distance[bad]);
}

/* Completes (3): *known is 1 for the source and all vertices with a tight edge from a nearer vertex. */
static int search_tight_edges(const struct graph *graph, const double *distance, uint8_t *known, struct error *error)
{
    vertex_t *queue, tail = 0;
    if (allocate(&queue, graph->num_vertices, sizeof *queue, "verification", error) != STATUS_OK)
        return error->status;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (known[v])
            queue[tail++] = v;
    for (vertex_t head = 0; head < tail; head++)
        for (edge_t e = graph->offsets[queue[head]]; e < graph->offsets[queue[head] + 1]; e++)
            if (!known[graph->targets[e]] && is_tight(graph, distance, queue[head], e))
                known[queue[tail++] = graph->targets[e]] = 1;
    free(queue);
    return STATUS_OK;
}

/* Returns the first vertex that is reached but not known; NO_VERTEX: there is none. */
static vertex_t first_unknown(vertex_t num_vertices, const double *distance, const uint8_t *known)
{
    vertex_t bad = NO_VERTEX;
#pragma omp parallel for reduction(min : bad)
    for (vertex_t v = 0; v < num_vertices; v++)
        if (is_reached(distance[v]) && !known[v] && v < bad)
            bad = v;
    return bad;
}

/* Checks (3). */
static int check_paths(const struct graph *graph, vertex_t source, const double *distance, struct error *error)
{
    vertex_t n = graph->num_vertices;
    uint8_t *known;
    if (allocate_zeroed(&known, n, 1, "verification", error) != STATUS_OK)
        return error->status;
    known[source] = 1;
#pragma omp parallel for schedule(dynamic, 1024)
    for (vertex_t u = 0; u < n; u++)
        for (edge_t e = graph->offsets[u]; is_reached(distance[u]) && e < graph->offsets[u + 1]; e++)
            if (distance[u] < distance[graph->targets[e]] && is_tight(graph, distance, u, e))
                __atomic_store_n(&known[graph->targets[e]], 1, __ATOMIC_RELAXED);
    vertex_t bad = first_unknown(n, distance, known);
    if (bad != NO_VERTEX && search_tight_edges(graph, distance, known, error) == STATUS_OK)
        bad = first_unknown(n, distance, known);
    free(known);
    if (bad == NO_VERTEX || error->status != STATUS_OK)
        return error->status;
    return wrong(error, "distance of vertex %u is %.17g, but no path from the source is that short", bad,
                 distance[bad]);
}

/* Checks that parents form a tree of tight edges. */
static int check_parents(const struct graph *graph, vertex_t source, const struct traversal *result,
                         struct error *error)
{
    const vertex_t *parent = result->parent;
    vertex_t bad = NO_VERTEX;
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : bad)
    for (vertex_t v = 0; v < graph->num_vertices; v++) {
        bool inner = v != source && is_reached(result->distance[v]);
        bool is_vertex = parent[v] < graph->num_vertices && is_reached(result->distance[parent[v]]);
        edge_t e = inner && is_vertex ? find_edge(graph, parent[v], v) : NO_EDGE;
        bool right = inner ? e != NO_EDGE && is_tight(graph, result->distance, parent[v], e)
                           : parent[v] == (v == source ? v : NO_VERTEX);
        if (!right && v < bad)
            bad = v;
    }
    if (bad != NO_VERTEX)
        return wrong(error, "parent of vertex %u is %d, which is not the last step of a shortest path", bad,
                     (int)parent[bad]);
    return check_no_cycle(graph->num_vertices, source, parent, error);
}

int verify_sssp(const struct graph *graph, vertex_t source, UNUSED const struct algorithm *algorithm,
                const struct traversal *result, struct error *error)
{
    const double *distance = result->distance;
    if (distance[source] != 0)
        return wrong(error, "distance of vertex %u, the source, is %.17g", source, distance[source]);
    if (check_edges(graph, distance, error) == STATUS_OK && check_paths(graph, source, distance, error) == STATUS_OK &&
        result->parent != NULL)
        check_parents(graph, source, result, error);
    return error->status;
}
