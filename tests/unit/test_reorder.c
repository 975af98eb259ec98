/* test_reorder.c: graphs put into every order, specs of orders, and the files that keep an order. */
#include "graph_files.h"
#include "reordered.h"

#include <omp.h>

static const char *const specs[] = {"natural",     "rcm",       "degree",           "random", "random:7",
                                    "jaccard:1",   "jaccard:2", "jaccard:8",        "auto",   "jaccard:64",
                                    "jaccard:100", "jaccard",   "random:4294967295"};

static bool has_edge(const struct graph *graph, vertex_t u, vertex_t v)
{
    for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
        if (graph->targets[e] == v)
            return true;
    return false;
}

static void assert_same_graph(const struct graph *a, const struct graph *b)
{
    assert_int_equal(a->num_vertices, b->num_vertices);
    assert_int_equal(a->num_edges, b->num_edges);
    assert_int_equal(a->symmetric, b->symmetric);
    assert_memory_equal(a->offsets, b->offsets, (a->num_vertices + (size_t)1) * sizeof *a->offsets);
    assert_memory_equal(a->targets, b->targets, a->num_edges * sizeof *a->targets);
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->origin, b->origin);
}

/* ---- every order: a permutation, the same graph, and back ---- */

TEST(reordered_graphs)
{
    for (size_t i = 0; i < COUNT(graphs); i++) {
        struct graph graph = make_graph(graphs[i].text, graphs[i].vertices), restored;
        for (size_t s = 0; s < COUNT(specs); s++) {
            GRAPH reordered = reordered_by(&graph, specs[s]);
            bool valid = false;
            assert_ok(test_permutation(reordered.permutation, graph.num_vertices, &valid, &error));
            assert_true(valid);
            assert_ok(graph_validate(&reordered, "reordered", &error));
            assert_int_equal(reordered.num_edges, graph.num_edges);
            for (vertex_t v = 0; v < graph.num_vertices; v++)
                for (edge_t e = reordered.offsets[v]; e < reordered.offsets[v + 1]; e++)
                    assert_true(
                        has_edge(&graph, reordered.permutation[v], reordered.permutation[reordered.targets[e]]));
            assert_ok(graph_restore(&reordered, &restored, &error));
            assert_same_graph(&restored, &graph);
            assert_null(restored.permutation);
            graph_release(&restored);
        }
        graph_release(&graph);
    }
}

TEST(permutations)
{
    static const struct {
        vertex_t order[4];
        vertex_t count;
        bool right;
    } cases[] = {
        {{0}, 0, true},        {{0}, 1, true},        {{1}, 1, false},         {{2, 0, 1}, 3, true},
        {{2, 0, 2}, 3, false}, {{0, 1, 3}, 3, false}, {{3, 2, 1, 0}, 4, true}, {{0, 1, 2, NO_VERTEX}, 4, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool yes = !cases[i].right;
        assert_ok(test_permutation(cases[i].order, cases[i].count, &yes, &error));
        assert_int_equal(yes, cases[i].right);
    }
}

TEST(simple_orders)
{
    GRAPH graph = make_graph("0>1 0>2 1>2 3>0 3>1 3>2 4>0 4>1", 6);
    static const vertex_t by_degree[] = {3, 0, 4, 1, 2, 5}, natural[] = {0, 1, 2, 3, 4, 5};
    struct graph reordered = reordered_by(&graph, "degree");
    assert_memory_equal(reordered.permutation, by_degree, sizeof by_degree);
    assert_edges(&reordered, "0>1 0>3 0>4 1>3 1>4 2>1 2>3 3>4 ");
    graph_release(&reordered);
    reordered = reordered_by(&graph, "natural");
    assert_memory_equal(reordered.permutation, natural, sizeof natural);
    graph_release(&reordered);
}

/* By std::mt19937_64 and the inside-out shuffle, in code that is independent of gtrav. */
TEST(known_shuffles)
{
    static const struct {
        const char *spec;
        vertex_t order[12];
    } known[] = {{"random", {1, 5, 6, 0, 2, 11, 8, 4, 7, 10, 9, 3}},
                 {"random:27491095", {1, 5, 6, 0, 2, 11, 8, 4, 7, 10, 9, 3}},
                 {"random:1", {10, 4, 0, 6, 2, 8, 11, 3, 5, 1, 7, 9}},
                 {"random:0", {5, 1, 4, 7, 10, 2, 3, 11, 0, 9, 6, 8}}};
    GRAPH graph = make_graph("cycle:12", 0);
    for (size_t i = 0; i < COUNT(known); i++) {
        GRAPH shuffled = reordered_by(&graph, known[i].spec);
        assert_memory_equal(shuffled.permutation, known[i].order, sizeof known[i].order);
    }
}

/* ---- threads, Ctrl-C ---- */

TEST(threads)
{
    static const char *const large[] = {"kron:13", "road:9", "grid:100x80", "dag:700:0.2"};
    static const char *const orders[] = {"rcm", "jaccard:512", "jaccard", "degree", "random", "natural"};
    static const int threads[] = {2, 4, 7};
    int before = omp_get_max_threads();
    for (size_t i = 0; i < COUNT(large); i++) {
        GRAPH graph = make_graph(large[i], 0);
        for (size_t s = 0; s < COUNT(orders); s++) {
            omp_set_num_threads(1);
            GRAPH one = reordered_by(&graph, orders[s]);
            for (size_t t = 0; t < COUNT(threads); t++) {
                omp_set_num_threads(threads[t]);
                GRAPH many = reordered_by(&graph, orders[s]);
                assert_memory_equal(one.permutation, many.permutation, graph.num_vertices * sizeof(vertex_t));
                assert_same_graph(&one, &many);
            }
        }
    }
    omp_set_num_threads(before);
}

TEST(interrupt)
{
    static const char *const orders[] = {"rcm", "jaccard", "jaccard:8"};
    struct graph graph = make_graph("kron:8", 0), reordered;
    for (size_t s = 0; s < COUNT(orders); s++) {
        struct reorder reorder = parse(orders[s]);
        ctrl_c_pressed = true;
        int status = graph_reorder(&graph, &reorder, &reordered, &error);
        ctrl_c_pressed = false;
        assert_fails(status, STATUS_INTERRUPTED, "");
        assert_null(reordered.offsets);
        assert_null(reordered.permutation);
    }
    graph_release(&graph);
}

/* ---- specs ---- */

TEST(specs)
{
    static const struct {
        const char *spec, *message; /* NULL: it is a valid spec, and formats as itself */
    } cases[] = {
        {"rcm", NULL},
        {"natural", NULL},
        {"degree", NULL},
        {"auto:18", NULL},
        {"jaccard:1", NULL},
        {"jaccard:65536", NULL},
        {"jaccard:4294967295", NULL},
        {"random:0", NULL},
        {"", "no reordering is called \"\""},
        {"rc", "no reordering is called \"rc\""},
        {"rcmm", "no reordering is called \"rcmm\""},
        {"RCM", "no reordering is called \"RCM\""},
        {":", "no reordering is called \"\""},
        {"rcm:", "bad reordering \"rcm:\": rcm takes no parameter"},
        {"auto:x", "bad reordering \"auto:x\": a whole number from 0 to 4294967295 goes into auto[:D]"},
        {"jaccard:", "bad reordering \"jaccard:\": a whole number from 1 to 4294967295 goes into jaccard[:W]"},
        {"jaccard:0", "bad reordering \"jaccard:0\": a whole number from 1 to 4294967295 goes into jaccard[:W]"},
        {"jaccard:-1", "bad reordering \"jaccard:-1\": a whole number from 1 to 4294967295 goes into jaccard[:W]"},
        {"jaccard:8x", "bad reordering \"jaccard:8x\": a whole number from 1 to 4294967295 goes into jaccard[:W]"},
        {"jaccard: 8", "bad reordering \"jaccard: 8\": a whole number from 1 to 4294967295 goes into jaccard[:W]"},
        {"jaccard:4294967296",
         "bad reordering \"jaccard:4294967296\": a whole number from 1 to 4294967295 goes into jaccard[:W]"},
        {"random:99999999999999999999",
         "bad reordering \"random:99999999999999999999\": a whole number from 0 to 4294967295 goes into "
         "random[:SEED]"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reorder reorder;
        char text[MAX_REORDERING];
        if (cases[i].message != NULL) {
            assert_error(reorder_parse(cases[i].spec, &reorder, &error), STATUS_INPUT, cases[i].message);
            continue;
        }
        assert_ok(reorder_parse(cases[i].spec, &reorder, &error));
        reorder_format(&reorder, text, sizeof text);
        assert_string_equal(text, cases[i].spec);
    }
    assert_true(is_reordering("jaccard:65536") && is_reordering("rcm") && is_reordering("random:27491095"));
    assert_false(is_reordering("jaccard") || is_reordering("auto") || is_reordering("natural"));
    assert_false(is_reordering("jaccard:08") || is_reordering("") || is_reordering("rcm "));
}

TEST(auto)
{
    static const struct {
        const char *graph;
        vertex_t vertices;
        const char *reordering;
    } cases[] = {
        {"kron:10", 0, "jaccard:65536"},
        {"star:1000", 0, "jaccard:65536"},
        {"grid:20x20", 0, "rcm"},
        {"road:6", 0, "rcm"},
        {"1>0 2>0 3>0 4>0 5>0 6>0 7>0 8>0 9>0 10>0 11>0", 12, "jaccard:65536"}, /* only in-degrees are heavy */
        {"path:0", 0, "rcm"},
        {"", 9, "rcm"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        GRAPH graph = make_graph(cases[i].graph, cases[i].vertices), reordered = reordered_by(&graph, "auto");
        assert_string_equal(reordered.reordering, cases[i].reordering);
    }
}

/* ---- files ---- */

static const struct load_options as_is, undirected = {.undirected = true};

/* A file keeps the order, also when reverse edges are added. */
TEST(files)
{
    for (size_t i = 0; i < COUNT(graphs); i++)
        for (int both = 0; both <= 1; both++) {
            GRAPH graph = make_graph(graphs[i].text, graphs[i].vertices);
            GRAPH reordered = reordered_by(&graph, "jaccard:8");
            write_ok(&reordered, "r.gtrav");
            GRAPH loaded = load_ok("r.gtrav", both ? &undirected : &as_is);
            assert_non_null(loaded.permutation);
            assert_memory_equal(loaded.permutation, reordered.permutation, graph.num_vertices * sizeof(vertex_t));
            assert_string_equal(loaded.reordering, "jaccard:8");
            free(reordered.name);
            reordered.name = strdup("r");
            if (both)
                assert_true(loaded.symmetric);
            else
                assert_same_graph(&loaded, &reordered);
        }
}

TESTS(enter_folder, leave_folder)
