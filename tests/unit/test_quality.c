/* test_quality.c: a tree's depth and share of cross edges against the definitions, vertex by vertex and edge by edge,
 * on many trees of many small graphs; and a deep one. */
#include "support.h"

#include <math.h>

#include "../../src/graph/random.h"
#include "../harness.h"

#define MAX_SIZE 14   /* vertices of the random graphs */
#define CASES    1000 /* of random graphs, with either kind of tree */

/* ---- the definitions, in the simplest code ---- */

static bool is_ancestor(const vertex_t *parent, vertex_t source, vertex_t ancestor, vertex_t v)
{
    while (v != ancestor && v != source)
        v = parent[v];
    return v == ancestor;
}

static struct quality find_truth(const struct graph *graph, vertex_t source, const vertex_t *parent)
{
    struct quality truth = {.known = true};
    unsigned beside = 0, cross = 0;
    for (vertex_t u = 0; u < graph->num_vertices; u++) {
        uint32_t depth = 0;
        if (parent[u] == NO_VERTEX)
            continue;
        for (vertex_t v = u; v != source; v = parent[v])
            depth++;
        truth.tree_depth = depth > truth.tree_depth ? depth : truth.tree_depth;
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            bool in_tree = parent[v] == u || (graph->symmetric && parent[u] == v);
            if (in_tree || (graph->symmetric && u > v))
                continue;
            beside++;
            cross += !is_ancestor(parent, source, u, v) && !is_ancestor(parent, source, v, u);
        }
    }
    truth.cross_share = beside > 0 ? (double)cross / beside : 0;
    return truth;
}

static void assert_quality(const struct graph *graph, vertex_t source, const struct traversal *result,
                           struct quality expected)
{
    struct quality found;
    assert_ok(tree_quality(graph, source, result, &found, &error));
    assert_int_equal(found.known, expected.known);
    if (found.tree_depth != expected.tree_depth || fabs(found.cross_share - expected.cross_share) > 1e-12)
        fail_msg("%s from %u: depth %u, share %g; expected %u and %g", graph->name, source, found.tree_depth,
                 found.cross_share, expected.tree_depth, expected.cross_share);
}

/* ---- random graphs and trees ---- */

static unsigned draw_below(struct mt64 *draws, unsigned limit)
{
    return (unsigned)(mt64_draw(draws) % limit);
}

/* Each pair of vertices is an edge with one chance in `rarity`. */
static struct graph random_graph(struct mt64 *draws, vertex_t vertices, unsigned rarity, bool directed)
{
    char edges[16 * MAX_SIZE * MAX_SIZE] = "", *end = edges;
    for (vertex_t u = 0; u < vertices; u++)
        for (vertex_t v = 0; v < vertices; v++)
            if (u != v && (directed || u < v) && draw_below(draws, rarity) == 0)
                end += sprintf(end, directed ? "%u>%u " : "%1$u>%2$u %2$u>%1$u ", u, v);
    return make_graph(edges, vertices);
}

/* A tree of all that the source reaches: grown by edges taken at random, or, where by_levels, as a breadth-first
 * search may. level may be NULL. */
static void random_tree(struct mt64 *draws, const struct graph *graph, vertex_t source, bool by_levels,
                        vertex_t *parent, uint32_t *level)
{
    vertex_t n = graph->num_vertices, tails[MAX_SIZE * MAX_SIZE], heads[MAX_SIZE * MAX_SIZE];
    for (vertex_t v = 0; v < n; v++) {
        parent[v] = NO_VERTEX;
        level[v] = UNREACHED;
    }
    parent[source] = source;
    level[source] = 0;
    for (uint32_t reached = 0;; reached++) {
        unsigned count = 0;
        uint32_t lowest = UNREACHED;
        for (vertex_t u = 0; u < n; u++)
            for (edge_t e = graph->offsets[u]; parent[u] != NO_VERTEX && e < graph->offsets[u + 1]; e++)
                if (parent[graph->targets[e]] == NO_VERTEX && (!by_levels || level[u] <= lowest)) {
                    count = by_levels && level[u] < lowest ? 0 : count;
                    lowest = level[u];
                    tails[count] = u;
                    heads[count++] = graph->targets[e];
                }
        if (count == 0)
            return;
        unsigned chosen = draw_below(draws, count);
        parent[heads[chosen]] = tails[chosen];
        level[heads[chosen]] = level[tails[chosen]] + 1;
    }
}

/* Any tree, and one of a breadth-first search, whose levels alone stand for the tree with the lowest possible
 * parents. */
TEST(random_trees)
{
    struct mt64 draws;
    mt64_seed(&draws, 1);
    unsigned with_cross = 0;
    for (int i = 0; i < 2 * CASES; i++) {
        bool by_levels = i >= CASES;
        vertex_t n = 1 + draw_below(&draws, MAX_SIZE), parent[MAX_SIZE];
        uint32_t level[MAX_SIZE];
        GRAPH graph = random_graph(&draws, n, 1 + draw_below(&draws, n), i % 2 == 0);
        vertex_t source = draw_below(&draws, n);
        random_tree(&draws, &graph, source, by_levels, parent, level);
        struct quality truth = find_truth(&graph, source, parent);
        assert_quality(&graph, source, &(struct traversal){.parent = parent, .level = by_levels ? level : NULL}, truth);
        with_cross += !by_levels && truth.cross_share > 0 && truth.cross_share < 1;
        for (vertex_t v = 0; by_levels && v < n; v++)
            for (vertex_t u = n; level[v] != UNREACHED && v != source && u-- > 0;)
                for (edge_t e = graph.offsets[u]; level[u] + 1 == level[v] && e < graph.offsets[u + 1]; e++)
                    parent[v] = graph.targets[e] == v ? u : parent[v];
        if (by_levels)
            assert_quality(&graph, source, &(struct traversal){.level = level}, find_truth(&graph, source, parent));
    }
    assert_true(with_cross > CASES / 4);
}

/* ---- what is known ---- */

/* Deeper than recursion could go. */
TEST(deep_tree)
{
    enum { VERTICES = 3000000, SOURCE = 1000000 };
    GRAPH graph = make_graph("path:3000000", 0);
    FREED vertex_t *parent = malloc(VERTICES * sizeof *parent);
    assert_non_null(parent);
    for (vertex_t v = 0; v < VERTICES; v++)
        parent[v] = v < SOURCE ? v + 1 : v > SOURCE ? v - 1 : v;
    assert_quality(&graph, SOURCE, &(struct traversal){.parent = parent}, (struct quality){true, 1999999, 0});
}

/* A result without a tree has no quality. */
TEST(no_tree)
{
    GRAPH graph = make_graph("cycle:4", 0);
    uint8_t visited[] = {1, 1, 1, 1};
    vertex_t order[] = {0, 1, 2, 3};
    assert_quality(&graph, 0, &(struct traversal){.visited = visited, .order = order, .num_ordered = 4},
                   (struct quality){0});
}

TESTS(NULL, NULL)
