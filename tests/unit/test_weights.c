/* test_weights.c: the weights of edges: the default ones, and what happens to weights of the input. */
#include "graph_files.h"

#include <math.h>

#include "../../src/graph/graph500_list.h"
#include "../../src/graph/hash.h"
#include "../../src/graph/random.h"
#include "../../src/graph/reorder.h"

static const struct load_options weighted = {.weights = "auto"};

TEST(hashed_weights)
{
    static const char *const graphs[] = {"grid:7x5", "path:1", "path:0", "star:40", "dag:60:0.2", "web:6"};
    for (size_t i = 0; i < COUNT(graphs); i++) {
        GRAPH graph = load_ok(graphs[i], &weighted);
        assert_int_equal(graph.weight_type, WEIGHTS_UINT32);
        assert_int_equal(graph.weight_source, WEIGHTS_HASHED);
        assert_int_equal(graph.symmetric_weights, graph.symmetric);
        for (vertex_t v = 0; v < graph.num_vertices; v++)
            for (edge_t e = graph.offsets[v]; e < graph.offsets[v + 1]; e++) {
                uint64_t low = v < graph.targets[e] ? v : graph.targets[e], high = v + graph.targets[e] - low;
                assert_int_equal(((uint32_t *)graph.weights)[e], 1 + random_bits(low << 32 | high) % 255);
            }
        graph_release(&graph);
        assert_null(graph.weights);
        graph = load_ok(graphs[i], &(struct load_options){0});
        assert_null(graph.weights);
    }
}

/* ---- what happens to weights ---- */

#define NO_EDGE -1.0

/* The weight of every edge, as the graphs must have them. */
struct map {
    vertex_t n;
    double *weight; /* n * n, by source and target; NO_EDGE */
};

static double *weight_of(const struct map *map, vertex_t u, vertex_t v)
{
    return &map->weight[(size_t)u * map->n + v];
}

/* order: the map's vertex of each of the graph's; NULL: the same. */
static void assert_weights(const struct graph *graph, const struct map *map, const vertex_t *order)
{
    edge_t edges = 0;
    assert_int_equal(graph->num_vertices, map->n);
    for (size_t i = 0; i < (size_t)map->n * map->n; i++)
        edges += map->weight[i] != NO_EDGE;
    assert_int_equal(graph->num_edges, edges);
    for (vertex_t v = 0; v < map->n; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            vertex_t u = order != NULL ? order[v] : v, w = order != NULL ? order[graph->targets[e]] : graph->targets[e];
            if (graph_weight(graph, e) != *weight_of(map, u, w))
                fail_msg("%u>%u: %.17g, not %.17g", u, w, graph_weight(graph, e), *weight_of(map, u, w));
        }
    assert_int_equal(graph->symmetric_weights, graph_test_symmetric_weights(graph));
    assert_ok(graph_validate(graph, "weighted", &error));
}

static double draw_weight(uint64_t i, enum weight_type type)
{
    return type == WEIGHTS_UINT32  ? (double)(i % 5 == 0 ? UINT32_MAX - random_bits(i) % 3 : random_bits(i) % 7)
           : type == WEIGHTS_FLOAT ? (double)(float)(random_unit(i) * 1e9)
                                   : random_unit(i) / 3;
}

/* Builds a graph of random edges, with many duplicates and self-loops, and sets the map to what it must be. */
static struct graph draw_graph(vertex_t n, uint64_t count, bool from_first, bool undirected, enum weight_type type,
                               struct map *map)
{
    struct builder builder;
    struct graph graph;
    *map = (struct map){n, malloc((size_t)n * n * sizeof(double))};
    for (size_t i = 0; i < (size_t)n * n; i++)
        map->weight[i] = NO_EDGE;
    assert_ok(builder_init(&builder, n, &error));
    builder.weight_type = type;
    for (uint64_t i = 0; i < count; i++) {
        vertex_t u = from_first && i % 2 == 0 ? 0 : (vertex_t)(random_bits(3 * i) % n);
        vertex_t v = (vertex_t)(random_bits(3 * i + 1) % n);
        double weight = draw_weight(3 * i + 2, type), *both[] = {weight_of(map, u, v), weight_of(map, v, u)};
        push_weighted_edge(&builder.writers[i % (unsigned)builder.num_writers], u, v, weight, undirected);
        for (int k = 0; k <= undirected && u != v; k++)
            *both[k] = *both[k] == NO_EDGE || weight < *both[k] ? weight : *both[k];
    }
    assert_ok(builder_finish(&builder, n, &graph, &error));
    assert_int_equal(graph.weight_type, type);
    graph.symmetric = graph_test_symmetry(&graph);
    graph.symmetric_weights = graph_test_symmetric_weights(&graph);
    assert_true(!undirected || graph.symmetric_weights);
    graph.name = strdup("drawn");
    return graph;
}

/* Turns the map around; both: adds the turned one. */
static void turn(const struct map *map, bool both)
{
    for (vertex_t u = 0; u < map->n; u++)
        for (vertex_t v = 0; v < u; v++) {
            double *one = weight_of(map, u, v), *other = weight_of(map, v, u), swap = *one;
            bool smaller = *other != NO_EDGE && (*one == NO_EDGE || *other < *one);
            *one = !both || smaller ? *other : *one;
            *other = both ? *one : swap;
        }
}

static void check_derived(const struct graph *graph, const struct map *map)
{
    static const char *const orders[] = {"random:5", "rcm"};
    for (size_t i = 0; i < COUNT(orders); i++) {
        struct reorder reorder;
        GRAPH ordered, restored;
        assert_ok(reorder_parse(orders[i], &reorder, &error));
        assert_ok(graph_reorder(graph, &reorder, &ordered, &error));
        assert_weights(&ordered, map, ordered.permutation);
        assert_ok(graph_restore(&ordered, &restored, &error));
        assert_weights(&restored, map, NULL);
        assert_int_equal(graph_hash(&restored), graph_hash(graph));
    }
    GRAPH reversed, both, back;
    write_ok(graph, "x.gtrav");
    back = load_ok("x.gtrav", &weighted);
    assert_weights(&back, map, NULL);
    assert_int_equal(back.symmetric_weights, graph->symmetric_weights);
    assert_int_equal(back.weight_source, graph->weight_source);
    assert_ok(graph_reverse(graph, &reversed, &error));
    turn(map, false);
    assert_weights(&reversed, map, NULL);
    turn(map, false);
    assert_ok(graph_symmetrize(graph, &both, &error));
    turn(map, true);
    assert_weights(&both, map, NULL);
    assert_int_equal(both.symmetric_weights, graph->num_edges > 0 || both.weights != NULL);
}

TEST(weights_stay_with_their_edges)
{
    static const struct {
        vertex_t n;
        uint64_t edges;
        bool from_first;
    } sizes[] = {{1, 0, false}, {1, 3, false}, {2, 9, false}, {40, 300, false}, {40, 30000, true}, {600, 4000, true}};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (enum weight_type type = WEIGHTS_UINT32; type <= WEIGHTS_DOUBLE; type++)
            for (int undirected = 0; undirected <= 1; undirected++) {
                struct map map;
                GRAPH graph = draw_graph(sizes[i].n, sizes[i].edges, sizes[i].from_first, undirected, type, &map);
                assert_weights(&graph, &map, NULL);
                check_derived(&graph, &map);
                free(map.weight);
            }
}

/* ---- .gtrav ---- */

TEST(files_with_weights)
{
    struct graph graph = load_ok("grid:3x3", &weighted), back;
    uint32_t version;
    size_t length;
    write_ok(&graph, "x.gtrav");
    char *whole = get_bytes("x.gtrav", &length);
    memcpy(&version, whole + 8, sizeof version);
    assert_int_equal(version, 2); /* so an older program says that the file is newer */
    free(whole);
    back = load_ok("x.gtrav", &(struct load_options){0}); /* without weights, as every file */
    assert_null(back.weights);
    assert_true(back.weights_ignored);
    write_ok(&back, "y.gtrav");
    assert_refused("y.gtrav", &weighted, "y.gtrav: was written without its input's weights; write it with --weights");
    graph_release(&back);
    assert_refused("x.gtrav", &(struct load_options){.weights = "cost"},
                   "x.gtrav: --weights cost is a column of an edge list; --weights auto is for gtrav's own format");
    graph.symmetric_weights = true;
    ((uint32_t *)graph.weights)[0]++;
    write_ok(&graph, "x.gtrav");
    assert_refused("x.gtrav", &weighted, "x.gtrav: not a valid graph (a weight is wrong); write it anew");
    graph_release(&graph);
    static const double wrong[] = {-1, -0.0, INFINITY, NAN};
    for (enum weight_type type = WEIGHTS_FLOAT; type <= WEIGHTS_DOUBLE; type++)
        for (size_t i = 0; i < COUNT(wrong); i++) {
            struct map map;
            graph = draw_graph(2, 5, false, false, type, &map);
            set_weight_bits(graph.weights, weight_bytes(type), 0, weight_as_bits(wrong[i], type));
            write_ok(&graph, "x.gtrav");
            assert_refused("x.gtrav", &weighted, "x.gtrav: not a valid graph (a weight is wrong); write it anew");
            graph_release(&graph);
            free(map.weight);
        }
}

/* ---- readers ---- */

#define REAL    BANNER "real "
#define INTEGER BANNER "integer "

static const char *weights_of(const struct graph *graph)
{
    static char text[1024];
    int length = snprintf(text, sizeof text, "%.0d", 0);
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            length += snprintf(text + length, sizeof text - (size_t)length, "%u>%u:%.17g ", v, graph->targets[e],
                               graph_weight(graph, e));
    return text;
}

/* Texts with weights, and the graphs that they are. */
static const struct {
    const char *name, *text;
    struct load_options options;
    enum weight_type type;
    const char *expected;
} weighted_texts[] = {
    {"a.mtx",
     INTEGER "general\n3 3 4\n1 2 7\n2 2 9\n1 2 5\n3 1 +4294967295\n",
     {0},
     WEIGHTS_UINT32,
     "0>1:5 2>0:4294967295 "},
    {"a.mtx", REAL "symmetric\n3 3 2\n2 1 2.50\n3 1 1D2\n", {0}, WEIGHTS_DOUBLE, "0>1:2.5 0>2:100 1>0:2.5 2>0:100 "},
    {"a.mtx", REAL "general\n2 2 2\n1 2 3.0\n2 1 1\n", {.undirected = true}, WEIGHTS_UINT32, "0>1:1 1>0:1 "},
    {"a.mtx", REAL "general\n2 2 2\n1 2 -0.0\n2 1 .1\n", {0}, WEIGHTS_DOUBLE, "0>1:0 1>0:0.10000000000000001 "},
    {"a.mtx", REAL "general\n2 2 1\n1 2 0.12345678901234567890123\n", {0}, WEIGHTS_DOUBLE, "0>1:0.12345678901234568 "},
    {"a.mtx",
     INTEGER "general\n2 2 2\n1 2 4294967296\n2 1 9007199254740992\n",
     {0},
     WEIGHTS_DOUBLE,
     "0>1:4294967296 1>0:9007199254740992 "},
    {"a.gr", "c x\np sp 3 3\na 1 2 803\na 2 1 803\na 2 3 5\n", {0}, WEIGHTS_UINT32, "0>1:803 1>0:803 1>2:5 "},
    {"a.graph", "3 2 1\n2 4 3 6\n1 4\n1 6\n", {0}, WEIGHTS_UINT32, "0>1:4 0>2:6 1>0:4 2>0:6 "},
    {"a.graph", "2 1 11 1\n9 2 4\n8 1 3\n", {.undirected = true}, WEIGHTS_UINT32, "0>1:3 1>0:3 "},
    {"a.txt", "0 1 0.5\n1 2 7\n", {0}, WEIGHTS_DOUBLE, "0>1:0.5 1>2:7 "},
    {"a.csv", "src,cost,dst\n0,3,1\n2,4,1\n2,1,1\n", {0}, WEIGHTS_UINT32, "0>1:3 2>1:1 "},
    {"a.csv", "src,dst,km,cost\n0,1,8,3\n", {.weights = "km"}, WEIGHTS_UINT32, "0>1:8 "},
    {"a.csv", "0,1,8,3\n", {.weights = "4"}, WEIGHTS_UINT32, "0>1:3 "},
    {"a.csv",
     "src,dst,weight\n\"a\"\"b\",c,1.5\nc,\"a\"\"b\",\"2\"\nc,d,2\n",
     {.undirected = true},
     WEIGHTS_DOUBLE,
     "0>1:1.5 1>0:1.5 1>2:2 2>1:2 "},
    {"a.txt", "7 9000000000 3\n9000000000 -1 4\n", {.ids = IDS_ANY}, WEIGHTS_UINT32, "1>2:3 2>0:4 "},
    {"a.txt", "0 1 {'weight': 3}\n1 2 {'since': 4, 'weight': 0.25}\n", {0}, WEIGHTS_DOUBLE, "0>1:3 1>2:0.25 "},
    {"g.properties",
     "graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.directed = false\n",
     {0},
     WEIGHTS_DOUBLE,
     "0>1:0.5 1>0:0.5 1>2:2 2>1:2 "},
};

TEST(texts_with_weights)
{
    put_bytes("g.v", "10\n20\n30\n40\n", 12);
    put_bytes("g.e", "10 20 0.5\n20 30 2.0\n", 20);
    for (size_t i = 0; i < COUNT(weighted_texts); i++) {
        struct load_options options = weighted_texts[i].options;
        options.weights = options.weights != NULL ? options.weights : "auto";
        put_bytes(weighted_texts[i].name, weighted_texts[i].text, strlen(weighted_texts[i].text));
        GRAPH graph = load_ok(weighted_texts[i].name, &options), back;
        assert_string_equal(weights_of(&graph), weighted_texts[i].expected);
        assert_int_equal(graph.weight_type, weighted_texts[i].type);
        assert_int_equal(graph.weight_source, WEIGHTS_INPUT);
        assert_int_equal(graph.symmetric_weights, graph_test_symmetric_weights(&graph));
        assert_false(graph.weights_ignored);
        write_ok(&graph, "back.mtx");
        back = load_ok("back.mtx", &weighted);
        assert_string_equal(weights_of(&back), weighted_texts[i].expected);
        assert_int_equal(back.symmetric_weights, graph.symmetric_weights);
    }
}

/* Files without values get hashed weights, also if a cache is between. */
TEST(texts_without_weights)
{
    static const struct {
        const char *name, *text;
    } files[] = {
        {"a.mtx", BANNER "pattern general\n3 3 2\n1 2\n3 2\n"},
        {"a.gr", "p tw 3 2\n1 2\n3 2\n"},
        {"a.graph", "3 2\n2\n1 3\n2\n"},
        {"a.txt", "0 1\n2 1\n"},
        {"a.csv", "src,dst\n0,1\n2,1\n"},
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        put_bytes(files[i].name, files[i].text, strlen(files[i].text));
        for (int round = 0; round < 3; round++) {
            GRAPH graph = load_ok(files[i].name, &(struct load_options){.weights = "auto", .cache = round > 0});
            assert_int_equal(graph.weight_source, WEIGHTS_HASHED);
            assert_int_equal(((uint32_t *)graph.weights)[0], 1 + random_bits(1) % 255);
        }
    }
}

TEST(weights_that_are_refused)
{
    static const struct {
        const char *name, *text, *column, *message;
    } files[] = {
        {"a.mtx", REAL "general\n2 2 2\n1 2 3\n2 2 -1.5\n", "auto",
         "a.mtx:4:5: a negative weight; weights are 0 or more"}, /* although this self-loop would be dropped */
        {"a.mtx", REAL "general\n2 2 1\n1 2 inf\n", "auto", "a.mtx:3:5: a weight that is infinite or no number"},
        {"a.mtx", REAL "general\n2 2 1\n1 2 NaN\n", "auto", "a.mtx:3:5: a weight that is infinite or no number"},
        {"a.mtx", REAL "general\n2 2 1\n1 2 1e400\n", "auto", "a.mtx:3:5: a weight that is infinite or no number"},
        {"a.mtx", INTEGER "general\n2 2 1\n1 2 9007199254740993\n", "auto",
         "a.mtx:3:5: a whole number above 2^53, which weights cannot hold"},
        {"a.mtx", BANNER "complex general\n2 2 1\n1 2 1 1\n", "auto", "a.mtx:1:34: complex values are no weights"},
        {"a.mtx", REAL "skew-symmetric\n2 2 1\n2 1 1\n", "auto",
         "a.mtx:1:39: skew-symmetric values are no weights: one of each pair is negative"},
        {"a.mtx", REAL "general\n2 2 1\n1 2 1\n", "cost",
         "a.mtx: --weights cost is a column of an edge list; --weights auto is for Matrix Market"},
        {"a.gr", "p sp 2 1\na 1 2\n", "auto", "a.gr:2:6: expected the edge's weight; it has none"},
        {"a.graph", "2 1 1\n2 4\n1 5\n", "auto",
         "a.graph: the edge of vertices 1 and 2 has weights 4 and 5; in METIS both are the same (--undirected takes "
         "the smaller)"},
        {"a.txt", "0 1 2\n1 2 -7\n", "auto", "a.txt:2:5: a negative weight; weights are 0 or more"},
        {"a.csv", "src,dst,cost\n0,1,5\n1,2,\n", "auto", "a.csv:3:5: expected the edge's weight; it has none"},
        {"a.csv", "src,dst,cost\n0,1,5\n1,2\n", "auto", "a.csv:3:4: expected the edge's weight; it has none"},
        {"a.csv", "src,dst,cost\n0,1,5\n1,2,five\n", "auto", "a.csv:3:5: expected a weight, a number"},
        {"a.csv", "src,dst,cost\n0,1,5\n", "km",
         "a.csv:1:1: --weights km: not the number of a column, nor the name of one column in a header"},
        {"a.csv", "src,dst,cost\n0,1,5\n", "2", "a.csv:1:1: --weights 2: this column holds ids"},
        {"a.csv", "src,dst,name\n0,1,x\n2,1,y\n", "auto",
         "a.csv:1:1: which column has the weights? name or number it by --weights COLUMN; auto takes the only one with "
         "a name such as weight, or without a header the third, if it is a number"},
        {"a.txt", "0 1 {'weight': 3}\n1 2 {}\n", "auto", "a.txt:2:5: expected the edge's weight; it has none"},
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        put_bytes(files[i].name, files[i].text, strlen(files[i].text));
        assert_refused(files[i].name, &(struct load_options){.weights = files[i].column}, files[i].message);
    }
    put_bytes("a.mtx", files[0].text, strlen(files[0].text)); /* as today without weights */
    GRAPH graph = load_ok("a.mtx", &(struct load_options){0});
    assert_null(graph.weights);
    assert_true(graph.weights_ignored);
}

/* A weighted cache has its own name, and another column another stamp. */
TEST(caches_with_weights)
{
    static const char *const columns[] = {NULL, "auto", "4", "auto"};
    put_bytes("c.csv", "0,1,5,6\n", 8);
    for (size_t i = 0; i < COUNT(columns); i++)
        for (int round = 0; round < 2; round++) {
            GRAPH graph = load_ok("c.csv", &(struct load_options){.weights = columns[i], .cache = true});
            assert_int_equal(graph.weights != NULL, i > 0);
            if (i > 0)
                assert_true(graph_weight(&graph, 0) == (i == 2 ? 6 : 5));
            assert_int_equal(access("c.csv+weights.gtrav", F_OK) == 0, i > 0);
            assert_int_equal(access("c.csv.gtrav", F_OK), 0);
        }
}

/* ---- generators ---- */

/* The smallest weight of each pair of vertices, from both sides. */
static void note_edge(const struct map *map, vertex_t u, vertex_t v, double weight)
{
    double *both[] = {weight_of(map, u, v), weight_of(map, v, u)};
    for (int k = 0; k < 2 && u != v; k++)
        *both[k] = *both[k] == NO_EDGE || weight < *both[k] ? weight : *both[k];
}

static unsigned note_edges(const struct graph500_edge *edges, unsigned count, void *map)
{
    for (unsigned i = 0; i < count; i++)
        note_edge(map, edges[i].u, edges[i].v, graph500_weight(edges[i]));
    return count;
}

TEST(weights_of_graph500)
{
    struct map map = {256, malloc(256 * 256 * sizeof(double))};
    struct graph500_list list;
    for (size_t i = 0; i < 256 * 256; i++)
        map.weight[i] = NO_EDGE;
    assert_ok(graph500_list_init(&list, 8, 16, &error));
    graph500_visit(&list, 0, list.num_edges, note_edges, &map);
    GRAPH graph = load_ok("graph500:8", &weighted);
    assert_int_equal(graph.weight_type, WEIGHTS_FLOAT);
    assert_int_equal(graph.weight_source, WEIGHTS_GRAPH500);
    assert_true(graph.symmetric_weights);
    assert_weights(&graph, &map, NULL);
    check_derived(&graph, &map);
    free(map.weight);
}

TESTS(enter_folder, leave_folder)
