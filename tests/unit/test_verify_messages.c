/* test_verify_messages.c: what verification says: the first bad vertex by its name, on small graphs and on graphs
 * large enough for several threads; how many vertices and edges count as reached. */
#include "support.h"

#include "../harness.h"

#define TREE    (OUTPUT_VISITED | OUTPUT_PARENT)
#define LEVELS  (uint32_t[]) /* of vertices 0 to 4, in braces */
#define IDS     (vertex_t[])
#define VISITED (uint8_t[])
#define CHAIN   .visited = four, .parent = chain

#define ORDER(length, ...) .order = IDS{__VA_ARGS__}, .num_ordered = length

/* Results on graphs of 5 vertices, from vertex 0; 4 is isolated. */
static uint8_t four[] = {1, 1, 1, 1, 0};
static vertex_t chain[] = {0, 0, 1, 2, NO_VERTEX};
static const struct {
    const char *family, *edges;
    struct {
        unsigned outputs;
        const char *message; /* NULL: there are no more */
        struct traversal result;
    } cases[12];
} mistakes[] = {
    {"bfs",
     "0>1 1>2 2>3 3>2",
     {{OUTPUT_LEVEL, "level of vertex 2 is 3, the serial BFS's is 2", {.level = LEVELS{0, 1, 3, 3, UNREACHED}}},
      {OUTPUT_LEVEL, "level of vertex 0 is 1, the serial BFS's is 0", {.level = LEVELS{1, 2, 3, 4, UNREACHED}}},
      {OUTPUT_LEVEL,
       "level of vertex 3 is unreached, the serial BFS's is 3",
       {.level = LEVELS{0, 1, 2, UNREACHED, UNREACHED}}},
      {OUTPUT_LEVEL, "level of vertex 4 is 4, the serial BFS's is unreached", {.level = LEVELS{0, 1, 2, 3, 4}}},
      {OUTPUT_LEVEL | OUTPUT_PARENT,
       "parent of vertex 2 is 0, which is not an in-neighbour one level lower",
       {.level = LEVELS{0, 1, 2, 3, UNREACHED}, .parent = IDS{0, 0, 0, 1, NO_VERTEX}}}}},
    {"dfs",
     "0>1 1>2 1>3 2>3 3>2",
     {{TREE, "visited of vertex 1 is 165, neither 0 nor 1", {.visited = VISITED{1, 165, 165, 1, 0}}},
      {TREE, "vertex 0 is the source but not visited", {.visited = VISITED{0, 0, 0, 0, 0}}},
      {TREE, "vertex 2 is reachable but not visited", {.visited = VISITED{1, 1, 0, 0, 0}}},
      {TREE, "vertex 4 is not visited but has the parent 3", {.visited = four, .parent = IDS{0, 0, 1, 2, 3}}},
      {TREE,
       "parent of vertex 3 is 0, which is not a visited in-neighbour",
       {.visited = four, .parent = IDS{0, 0, 1, 0, NO_VERTEX}}},
      {TREE,
       "parents of vertex 2 form a cycle and do not lead to the source",
       {.visited = four, .parent = IDS{0, 0, 3, 2, NO_VERTEX}}},
      {TREE | OUTPUT_ORDER,
       "the order has 3 vertices and starts at 0; 4 are visited from 0",
       {CHAIN, ORDER(3, 0, 1, 2)}},
      {TREE | OUTPUT_ORDER,
       "vertex 3 is not visited, or is in the order twice or before its parent",
       {CHAIN, ORDER(4, 0, 1, 3, 2)}},
      {TREE | OUTPUT_ORDER,
       "vertex 4294967295 is not visited, or is in the order twice or before its parent",
       {CHAIN, ORDER(4, 0, 1, 2, NO_VERTEX)}},
      {TREE | OUTPUT_ORDER,
       "at vertex 1 the order is not that of the serial DFS",
       {.visited = four, .parent = IDS{0, 0, 3, 1, NO_VERTEX}, ORDER(4, 0, 1, 3, 2)}},
      {TREE | OUTPUT_ORDER | OUTPUT_FINISH,
       "vertex 1 is at the wrong place in the post-order",
       {CHAIN, ORDER(4, 0, 1, 2, 3), .finish = IDS{3, 1, 2, 0}}}}},
    {"dfs",
     "0>1 1>2 1>3 2>3 3>2 4>0",
     {{OUTPUT_VISITED, "visited of vertex 3 is 2, neither 0 nor 1", {.visited = VISITED{1, 1, 1, 2, 0}}},
      {OUTPUT_VISITED, "vertex 0 is the source but not visited", {.visited = VISITED{0, 1, 1, 1, 0}}},
      {OUTPUT_VISITED, "vertex 3 is reachable but not visited", {.visited = VISITED{1, 1, 1, 0, 0}}},
      {OUTPUT_VISITED, "vertex 4 is visited but not reachable", {.visited = VISITED{1, 1, 1, 1, 1}}}}},
    {"topo",
     "0>1 1>2 2>3",
     {{OUTPUT_ORDER, "the order has 4 of 5 vertices", {ORDER(4, 0, 1, 2, 3)}},
      {OUTPUT_ORDER, "vertex 1 is twice in the order, or not in the graph", {ORDER(5, 0, 1, 1, 3, 4)}},
      {OUTPUT_ORDER, "vertex 1 comes before one of its in-neighbours", {ORDER(5, 1, 0, 3, 2, 4)}}}},
};

TEST(first_bad_vertex_is_named)
{
    for (size_t t = 0; t < COUNT(mistakes); t++) {
        GRAPH graph = make_graph(mistakes[t].edges, 5);
        for (size_t i = 0; i < COUNT(mistakes[t].cases) && mistakes[t].cases[i].message != NULL; i++) {
            struct algorithm algorithm = {.family = mistakes[t].family, .outputs = mistakes[t].cases[i].outputs};
            int status =
                family_of(mistakes[t].family)->verify(&graph, 0, &algorithm, &mistakes[t].cases[i].result, &error);
            assert_error(status, STATUS_WRONG, mistakes[t].cases[i].message);
        }
    }
}

TEST(count_reached)
{
    GRAPH graph = make_graph("0>1 0>2 1>2 3>0", 5);
    const struct {
        struct traversal result;
        uint64_t reached, edges;
    } cases[] = {
        {{.level = LEVELS{0, 1, 1, UNREACHED, UNREACHED}}, 3, 3},
        {{.level = LEVELS{UNREACHED, UNREACHED, UNREACHED, UNREACHED, 0}}, 1, 0},
        {{.visited = four}, 4, 4},
        {{ORDER(5, 4, 3, 0, 1, 2)}, 5, 4},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t reached, edges;
        count_reached(&graph, &cases[i].result, &reached, &edges);
        assert_int_equal(reached, cases[i].reached);
        assert_int_equal(edges, cases[i].edges);
    }
}

/* Graphs large enough for several threads, with results known by arithmetic: a single wrong entry is found. */
TEST(larger_graphs_by_all_threads)
{
    enum { SIDE = 60, SIZE = SIDE * SIDE };
    static const vertex_t places[] = {1, 1023, 1024, 2047, 2048, SIZE - 1};
    static uint32_t level[SIZE];
    static uint8_t visited[SIZE];
    static vertex_t grid_parent[SIZE], path_parent[SIZE], order[SIZE];
    GRAPH grid = make_graph("grid:60x60", 0), path = make_graph("path:3600", 0);
    const struct algorithm bfs = {.family = "bfs", .outputs = OUTPUT_LEVEL | OUTPUT_PARENT};
    const struct algorithm dfs = {.family = "dfs", .outputs = TREE | OUTPUT_ORDER};
    const struct traversal on_grid = {.level = level, .parent = grid_parent};
    const struct traversal on_path = {.visited = visited, .parent = path_parent, .order = order, .num_ordered = SIZE};
    for (vertex_t v = 0; v < SIZE; v++) {
        level[v] = v % SIDE + v / SIDE;
        grid_parent[v] = v % SIDE > 0 ? v - 1 : v >= SIDE ? v - SIDE : 0;
        visited[v] = 1;
        path_parent[v] = v > 0 ? v - 1 : 0;
        order[v] = v;
    }
    assert_ok(family_of("bfs")->verify(&grid, 0, &bfs, &on_grid, &error));
    assert_ok(family_of("dfs")->verify(&path, 0, &dfs, &on_path, &error));
    for (size_t i = 0; i < COUNT(places); i++) {
        char message[128];
        vertex_t v = places[i], parent = grid_parent[v];
        level[v]++;
        snprintf(message, sizeof message, "level of vertex %u is %u, the serial BFS's is %u", v, level[v],
                 level[v] - 1);
        assert_error(family_of("bfs")->verify(&grid, 0, &bfs, &on_grid, &error), STATUS_WRONG, message);
        level[v]--;
        grid_parent[v] = v;
        snprintf(message, sizeof message, "parent of vertex %u is %u, which is not an in-neighbour one level lower", v,
                 v);
        assert_error(family_of("bfs")->verify(&grid, 0, &bfs, &on_grid, &error), STATUS_WRONG, message);
        grid_parent[v] = parent;
        visited[v] = 0;
        snprintf(message, sizeof message, "vertex %u is reachable but not visited", v);
        assert_error(family_of("dfs")->verify(&path, 0, &dfs, &on_path, &error), STATUS_WRONG, message);
        visited[v] = 1;
    }
}

TESTS(NULL, NULL)
