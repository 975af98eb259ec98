/* graph500_tree.h: validates a tree of a BFS or of shortest paths by the five rules of the Graph500 specification.
 *
 *   1. The tree has no cycle: following the parents from any of its vertices ends at the search key.
 *   2. A tree edge joins levels that differ by one. Levels are counted along the parents, as in the reference's
 *      validate.c; so a vertex that is too deep in the tree breaks rule 3 at the edge to its true parent.
 *   3. The levels of an input edge's two vertices differ by one at most, or neither vertex is in the tree.
 *   4. The tree spans the component: no input edge has only one vertex in the tree.
 *   5. A vertex and its parent are joined by an input edge.
 * In a tree of shortest paths, distances take the place of levels in the rules 2 and 3: the root's is 0, that of each
 * other vertex is its parent's plus the weight of an input edge between them, and no input edge leads to a vertex on a
 * shorter path. So all distances are right. Rule 1 still counts levels, since edges may have the weight 0.
 * Only parents, distances and the input edges are used, which are generated again. Below is what each of the four
 * passes does to one vertex or edge, for the CPU (graph500_tree.c) and for kernels/graph/graph500_tree.cu. */
#pragma once

#include "../device.h"
#include "../distance.h"
#include "../graph/graph500_list.h"

#ifdef __cplusplus
extern "C" {
#endif

enum graph500_rule {
    RULE_TREE,     /* 1 and 2 */
    RULE_DISTANCE, /* 2 */
    RULE_LEVELS,   /* 3 */
    RULE_LENGTHS,  /* 3, of shortest paths */
    RULE_SPAN,     /* 4 */
    RULE_EDGES,    /* 5 */
    RULE_TIGHT,    /* 2 and 5, of shortest paths */
    NUM_RULES
};

struct graph500_findings {
    uint64_t num_edges;      /* input edges between vertices of the tree, without self-loops: those that TEPS count */
    uint64_t bad[NUM_RULES]; /* the least edge (u << 32 | v) or vertex (v << 32 | parent) that breaks the rule;
                                UINT64_MAX: none does */
};

/* A place is (parent << 32 | PLACE_CONFIRMED | level). The parent is NO_VERTEX outside the tree; PLACE_CONFIRMED is
 * set once an input edge joins the vertex and its parent; the level is PLACE_NO_LEVEL until it is known. */
#define PLACE_CONFIRMED ((uint64_t)1 << 31)
#define PLACE_NO_LEVEL  (PLACE_CONFIRMED - 1)

struct graph500_tree {
    vertex_t root, num_vertices;
    uint64_t *places;       /* num_vertices */
    const double *distance; /* num_vertices, infinity outside the tree; NULL: a BFS tree */
    struct graph500_findings *findings;
};

/* The bytes that device->validate takes on its device. */
static inline uint64_t graph500_validation_bytes(vertex_t num_vertices, bool distances)
{
    return num_vertices * (sizeof(uint64_t) + sizeof(vertex_t) + (distances ? sizeof(double) : 0)) +
           sizeof(struct graph500_findings) + sizeof(uint32_t);
}

/* Validates the tree of a search on the CPU; device->validate does so on its device. parent and distance: num_vertices
 * entries; distance NULL: of a BFS. STATUS_INPUT, or STATUS_DEVICE on a device, if memory is short. */
graph500_validation graph500_validate;

/* STATUS_WRONG with the first rule that is broken and where, or STATUS_OK. */
int graph500_judge(const struct graph500_findings *findings, vertex_t root, struct error *error);

#ifdef __cplusplus
}
#endif

/* ---- the steps; kernels define GRAPH500_STEP, graph500_load, _store and _note themselves ---- */

#ifndef GRAPH500_STEP
#define GRAPH500_STEP                static inline
#define graph500_load(place)         __atomic_load_n(place, __ATOMIC_RELAXED)
#define graph500_store(place, value) __atomic_store_n(place, value, __ATOMIC_RELAXED)
static inline void graph500_note(const struct graph500_tree *tree, int rule, uint64_t first, uint64_t second)
{
    uint64_t what = first << 32 | second, *bad = &tree->findings->bad[rule];
#pragma omp critical(graph500)
    *bad = what < *bad ? what : *bad;
}
#endif

/* The distance over one more edge, rounded as by distance_sum(). */
GRAPH500_STEP double graph500_sum(double distance, struct graph500_edge edge)
{
    return (float)(distance + (double)graph500_weight(edge));
}

/* Whether an edge may lead from a parent to a vertex. */
GRAPH500_STEP bool graph500_fits(const struct graph500_tree *tree, vertex_t parent, vertex_t v,
                                 struct graph500_edge edge)
{
    return tree->distance == NULL || graph500_sum(tree->distance[parent], edge) == tree->distance[v];
}

/* 1. For the later steps, a vertex with an impossible parent is outside the tree. */
GRAPH500_STEP void graph500_place_vertex(const struct graph500_tree *tree, vertex_t v, vertex_t parent)
{
    bool is_root = v == tree->root, may = parent < tree->num_vertices && (parent == v) == is_root;
    if (!may && (is_root || parent != NO_VERTEX))
        graph500_note(tree, RULE_TREE, v, parent);
    if (tree->distance != NULL && (is_root ? tree->distance[v] != 0 : !may && tree->distance[v] != NO_PATH))
        graph500_note(tree, RULE_DISTANCE, v, parent);
    tree->places[v] = (uint64_t)(may ? parent : NO_VERTEX) << 32 | (is_root ? PLACE_CONFIRMED : PLACE_NO_LEVEL);
}

/* 2. Called with level 0, 1, ... until it returns false for all vertices. If the parent has this level, the vertex
 * gets the next one. Other threads write only the next level, so no parent gets this level meanwhile. */
GRAPH500_STEP bool graph500_place_below(const struct graph500_tree *tree, vertex_t v, uint32_t level)
{
    uint64_t place = graph500_load(&tree->places[v]), parent = place >> 32;
    if (parent == NO_VERTEX || (place & PLACE_NO_LEVEL) != PLACE_NO_LEVEL ||
        (graph500_load(&tree->places[parent]) & PLACE_NO_LEVEL) != level)
        return false;
    graph500_store(&tree->places[v], parent << 32 | (level + 1));
    return true;
}

/* 3. Returns whether the edge counts for TEPS. All threads that confirm a vertex write the same value. */
GRAPH500_STEP bool graph500_check_edge(const struct graph500_tree *tree, struct graph500_edge edge)
{
    uint64_t u = graph500_load(&tree->places[edge.u]), v = graph500_load(&tree->places[edge.v]);
    bool has_u = u >> 32 != NO_VERTEX, has_v = v >> 32 != NO_VERTEX;
    if (has_u != has_v)
        graph500_note(tree, RULE_SPAN, edge.u, edge.v);
    else if (has_u && tree->distance != NULL) {
        double one = tree->distance[edge.u], other = tree->distance[edge.v];
        if (!(other <= graph500_sum(one, edge) && one <= graph500_sum(other, edge)))
            graph500_note(tree, RULE_LENGTHS, edge.u, edge.v);
    } else if (has_u && (u & PLACE_NO_LEVEL) - (v & PLACE_NO_LEVEL) + 1 > 2) /* not -1, 0 or 1 */
        graph500_note(tree, RULE_LEVELS, edge.u, edge.v);
    if (u >> 32 == edge.v && !(u & PLACE_CONFIRMED) && graph500_fits(tree, edge.v, edge.u, edge))
        graph500_store(&tree->places[edge.u], u | PLACE_CONFIRMED);
    if (v >> 32 == edge.u && !(v & PLACE_CONFIRMED) && graph500_fits(tree, edge.u, edge.v, edge))
        graph500_store(&tree->places[edge.v], v | PLACE_CONFIRMED);
    return has_u && has_v && edge.u != edge.v;
}

/* 4. Reports vertices on a cycle, and tree edges that are not input edges. */
GRAPH500_STEP void graph500_check_vertex(const struct graph500_tree *tree, vertex_t v)
{
    uint64_t place = tree->places[v], parent = place >> 32;
    if (parent != NO_VERTEX && (place & PLACE_NO_LEVEL) == PLACE_NO_LEVEL)
        graph500_note(tree, RULE_TREE, v, parent);
    if (parent != NO_VERTEX && !(place & PLACE_CONFIRMED))
        graph500_note(tree, tree->distance != NULL ? RULE_TIGHT : RULE_EDGES, v, parent);
}
