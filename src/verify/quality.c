/* quality.c: measures how depth-first a traversal's tree is: its depth, and the share of cross edges among the
 * non-tree edges.
 *
 * A non-tree edge between reached vertices is a back edge if it joins a vertex to an ancestor (on a directed graph
 * a forward edge if it joins a vertex to a descendant). Otherwise it is a cross edge. cross_share is the share of
 * cross edges among the non-tree edges, 0 if there are none. In an undirected graph every undirected edge counts
 * once; a depth-first search leaves no cross edges (Tarjan, SIAM J. Comput. 1972), and a breadth-first search leaves
 * only cross edges. In a directed graph every edge counts, and both searches leave edges of each kind. */
#include "quality.h"

/* An undirected graph with levels needs no numbering. The ends of an edge are at most one level apart. If they are
 * on the same level, neither is an ancestor of the other. If they are one level apart, one is an ancestor of the
 * other only if it is the parent, and then the edge belongs to the tree. */
static void judge_levels(const struct graph *graph, const uint32_t *level, struct quality *quality)
{
    uint32_t depth = 0;
    uint64_t edges = 0, reached = 0;
#pragma omp parallel for reduction(max : depth) reduction(+ : edges, reached)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (level[v] != UNREACHED) {
            depth = level[v] > depth ? level[v] : depth;
            edges += graph_degree(graph, v);
            reached++;
        }
    *quality = (struct quality){true, depth, edges / 2 > reached - 1 ? 1 : 0};
}

/* Derives a tree from levels: the parent of v is its in-neighbour with the lowest id one level lower. */
static void parents_of_levels(const struct graph *graph, vertex_t source, const uint32_t *level, vertex_t *parent)
{
    memset(parent, 0xff, graph->num_vertices * sizeof *parent); /* NO_VERTEX, above any other */
    parent[source] = source;
#pragma omp parallel for schedule(dynamic, 1024)
    for (vertex_t u = 0; u < graph->num_vertices; u++)
        for (edge_t e = graph->offsets[u]; level[u] != UNREACHED && e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (level[v] != level[u] + 1)
                continue;
            vertex_t lowest = __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
            while (u < lowest &&
                   !__atomic_compare_exchange_n(&parent[v], &lowest, u, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                ;
        }
}

/* Walks the tree in depth-first order and numbers the vertices as it enters them. The subtree of v consists of the
 * vertices numbered enter[v] .. leave[v] - 1. Returns the number of edges on the longest path from the source. The
 * walk needs no stack, which could grow as large as the number of vertices: it goes back along the parents. Until v
 * is entered, enter[v] holds its next sibling; until v is left, leave[v] holds its first child that is not entered
 * yet. */
static uint32_t number_subtrees(const struct graph *graph, vertex_t source, const vertex_t *parent, uint32_t *enter,
                                uint32_t *leave)
{
    vertex_t *next_sibling = enter, *first_child = leave;
    memset(first_child, 0xff, graph->num_vertices * sizeof *first_child); /* NO_VERTEX */
    for (vertex_t v = graph->num_vertices; v-- > 0;)
        if (parent[v] != NO_VERTEX && v != source) {
            next_sibling[v] = first_child[parent[v]];
            first_child[parent[v]] = v;
        }
    uint32_t entered = 0, level = 0, depth = 0;
    enter[source] = entered++;
    for (vertex_t v = source;;) {
        vertex_t child = first_child[v];
        if (child != NO_VERTEX) {
            first_child[v] = next_sibling[child];
            enter[child] = entered++;
            v = child;
            level++;
            depth = level > depth ? level : depth;
            continue;
        }
        leave[v] = entered;
        if (v == source)
            return depth;
        v = parent[v];
        level--;
    }
}

static double share_of_cross_edges(const struct graph *graph, const vertex_t *parent, const uint32_t *enter,
                                   const uint32_t *leave)
{
    uint64_t beside = 0, cross = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : beside, cross)
    for (vertex_t u = 0; u < graph->num_vertices; u++)
        for (edge_t e = graph->offsets[u]; parent[u] != NO_VERTEX && e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (parent[v] == u || (graph->symmetric && (parent[u] == v || v < u)))
                continue;
            beside++;
            cross += enter[u] < enter[v] ? enter[v] >= leave[u] : enter[u] >= leave[v];
        }
    return beside > 0 ? (double)cross / (double)beside : 0;
}

static int judge_parents(const struct graph *graph, vertex_t source, const vertex_t *parent, struct quality *quality,
                         struct error *error)
{
    uint32_t *enter = NULL, *leave = NULL;
    if (allocate(&enter, graph->num_vertices, sizeof *enter, "the tree's quality", error) == STATUS_OK &&
        allocate(&leave, graph->num_vertices, sizeof *leave, "the tree's quality", error) == STATUS_OK) {
        quality->tree_depth = number_subtrees(graph, source, parent, enter, leave);
        quality->cross_share = share_of_cross_edges(graph, parent, enter, leave);
        quality->known = true;
    }
    free(enter);
    free(leave);
    return error->status;
}

int tree_quality(const struct graph *graph, vertex_t source, const struct traversal *result, struct quality *quality,
                 struct error *error)
{
    vertex_t *parent;
    *quality = (struct quality){0};
    if (result->level != NULL && graph->symmetric) {
        judge_levels(graph, result->level, quality);
        return STATUS_OK;
    }
    if (result->parent != NULL)
        return judge_parents(graph, source, result->parent, quality, error);
    if (result->level == NULL)
        return STATUS_OK;
    if (allocate(&parent, graph->num_vertices, sizeof *parent, "the tree's quality", error) == STATUS_OK) {
        parents_of_levels(graph, source, result->level, parent);
        judge_parents(graph, source, parent, quality, error);
    }
    free(parent);
    return error->status;
}
