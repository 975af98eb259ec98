/* limited.c: checks a breadth-first search with limits against a serial one. The serial search ignores the limit of
 * levels, and the levels beyond it are removed afterwards. */
#include "verify.h"

/* Whether the masks allow the edge e and its target. */
static bool is_left(const struct graph *graph, const struct limits *limits, edge_t e)
{
    return (limits->edges == NULL || limits->edges[e]) &&
           (limits->vertices == NULL || limits->vertices[graph->targets[e]]);
}

/* Returns the last level of the search: the lower of its limit and the farthest destination's level. That level is
 * UNREACHED, above any limit, if a destination is not reached. */
static uint32_t last_level(const struct query *query, const uint32_t *level)
{
    uint32_t farthest = query->destinations != NULL ? 0 : UNREACHED; /* UNREACHED is the highest number */
    for (uint64_t i = 0; query->destinations != NULL && i < query->num_destinations; i++)
        if (level[query->destinations[i].vertex] > farthest)
            farthest = level[query->destinations[i].vertex];
    return farthest < query->limits->max_level ? farthest : query->limits->max_level;
}

int levels_within(const struct graph *graph, const struct query *query, uint32_t **levels, struct error *error)
{
    size_t n = graph->num_vertices, tail = 0;
    vertex_t *queue = NULL;
    if (allocate(levels, n, sizeof **levels, "verification", error) != STATUS_OK ||
        allocate(&queue, n, sizeof *queue, "verification", error) != STATUS_OK)
        return error->status;
    uint32_t *level = *levels;
    memset(level, 0xff, n * sizeof *level); /* UNREACHED */
    for (uint32_t i = 0; i < query->num_sources; i++)
        if (level[query->sources[i]] == UNREACHED) {
            level[query->sources[i]] = 0;
            queue[tail++] = query->sources[i];
        }
    for (size_t head = 0; head < tail; head++)
        for (edge_t e = graph->offsets[queue[head]]; e < graph->offsets[queue[head] + 1]; e++)
            if (level[graph->targets[e]] == UNREACHED && is_left(graph, query->limits, e)) {
                level[graph->targets[e]] = level[queue[head]] + 1;
                queue[tail++] = graph->targets[e];
            }
    uint32_t last = last_level(query, level);
    for (size_t i = 0; i < tail; i++)
        if (level[queue[i]] > last)
            level[queue[i]] = UNREACHED;
    free(queue);
    return STATUS_OK;
}

int check_bfs_parents(const struct graph *graph, const struct limits *limits, const struct traversal *result,
                      struct error *error)
{
    vertex_t bad = NO_VERTEX;
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : bad)
    for (vertex_t v = 0; v < graph->num_vertices; v++) {
        vertex_t parent = result->parent[v];
        uint32_t level = result->level[v];
        bool inner = level > 0 && level != UNREACHED;
        bool one_lower = inner && parent < graph->num_vertices && result->level[parent] + 1 == level;
        edge_t e = one_lower ? find_edge(graph, parent, v) : NO_EDGE;
        bool right = inner ? e != NO_EDGE && is_left(graph, limits, e) : parent == (level == 0 ? v : NO_VERTEX);
        if (!right && v < bad)
            bad = v;
    }
    if (bad == NO_VERTEX)
        return STATUS_OK;
    return error_set(error, STATUS_WRONG, "parent of vertex %u is %u, which is not an in-neighbour one level lower",
                     bad, result->parent[bad]);
}

int verify_limited(const struct graph *graph, const struct query *query, const struct traversal *result,
                   struct error *error)
{
    uint32_t *truth = NULL;
    vertex_t v = 0;
    char found[16], expected[16];
    int status = levels_within(graph, query, &truth, error);
    while (status == STATUS_OK && v < graph->num_vertices && result->level[v] == truth[v])
        v++;
    if (status == STATUS_OK && v < graph->num_vertices) {
        snprintf(found, sizeof found, result->level[v] == UNREACHED ? "unreached" : "%u", result->level[v]);
        snprintf(expected, sizeof expected, truth[v] == UNREACHED ? "unreached" : "%u", truth[v]);
        error_set(error, STATUS_WRONG, "level of vertex %u is %s, the serial BFS's is %s", v, found, expected);
    } else if (status == STATUS_OK && result->parent != NULL)
        check_bfs_parents(graph, query->limits, result, error);
    free(truth);
    return error->status;
}
