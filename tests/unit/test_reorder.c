/* test_reorder.c: graphs put into every order, specs of orders, and the files that keep an order. */
#include "graph_files.h"

#include <omp.h>

#include "../../src/graph/reorder.h"

/* ---- graphs and orders ---- */

/* Edges written out have that many vertices. Several components, isolated vertices, twins, directed and undirected.
 */
static const struct {
    const char *text;
    vertex_t vertices;
    uint64_t rcm, jaccard; /* hashes of the orders */
} graphs[] = {
    {"", 0, 0xcbf29ce484222325u, 0xcbf29ce484222325u},
    {"", 1, 0xaf63bd4c8601b7dfu, 0xa8c7f832281a39c5u},
    {"", 5, 0xe3671b16371fea8fu, 0x8a7582a247c077e5u},
    {"0>1 1>0", 2, 0x08328707b4eb6e3au, 0x9790210c17b78b85u},
    {"0>1", 4, 0x4478937f98e32ebbu, 0x30c4ee1ff3950f85u},
    {"3>0 0>2 2>3 1>2", 6, 0x74bbe113e01d65e8u, 0xbb3c986357cdd4f5u},
    {"0>1 1>0 2>3 3>2 4>5 5>4", 7, 0xbe932a48410ce578u, 0xcde72c5543182e3du},
    {"0>9 9>0 1>9 9>1 2>9 9>2 3>8 8>3 4>8 8>4 8>9 9>8", 10, 0x7c743219f0dd3b84u,
     0x4524e915d94c3257u}, /* twins 0 1 2, twins 3 4 */
    {"0>2 1>2 0>3 1>3 4>2 4>3 5>0 6>0 7>1", 9, 0x0736e45e83e6e53fu, 0x11a769ec853ce48du},
    {"path:1", 0, 0xaf63bd4c8601b7dfu, 0xa8c7f832281a39c5u},
    {"path:40", 0, 0xc9ccf0fe5fbdeb1du, 0x49c5c9fda50595e3u},
    {"cycle:17", 0, 0x605f6942c1d27ae7u, 0x58ec4a853de9e075u},
    {"star:30", 0, 0xc2c92f6d80eac3eau, 0x997172c1d6252bd5u},
    {"star:600", 0, 0x121c3d0b0ae335e7u, 0x89cefeb9aacbf965u}, /* a degree above 255 */
    {"complete:12", 0, 0xa02fed5a4dc58283u, 0x3741488df49df045u},
    {"complete:300", 0, 0x8ca799b4e9efb903u,
     0xdfce79688b3a5745u}, /* all degrees are above 255, and every level is shared */
    {"tree:100", 0, 0xb820035d5c224f1du, 0xd7df811a2561b9abu},
    {"grid:9x7", 0, 0x37db4850b26f87d0u, 0x4c4ed304af67b8edu},
    {"grid:40x3", 0, 0x404eeda66dbc533bu, 0xfcee7c514ea8155bu},
    {"road:4", 0, 0x059a9049ff7bbf4cu, 0xaee0fd9491401b5fu},
    {"rgg:8", 0, 0xb98bba5e2cd3ac7du, 0xb0af2001d2fa95f9u},
    {"urand:7", 0, 0x027251b3a9131d09u, 0x407ad509ed589845u},
    {"kron:8", 0, 0x2c63e12433352e7du, 0x611c0bb51bd17ad7u},
    {"kron:10", 0, 0x64867babbb9437f9u, 0x2b1f7ee13e5a6d95u},
    {"dag:60:0.3", 0, 0x5665fb85909203b7u, 0x2827db996e11fdc7u},
    {"dag:200:0.02", 0, 0xb709f95762a810a3u, 0x67ebf1aa8c95e7d9u},
};

static struct reorder parse(const char *spec)
{
    struct reorder reorder;
    assert_ok(reorder_parse(spec, &reorder, &error));
    return reorder;
}

static struct graph reordered_by(const struct graph *graph, const char *spec)
{
    struct graph reordered;
    struct reorder reorder = parse(spec);
    if (graph_reorder(graph, &reorder, &reordered, &error) != STATUS_OK)
        fail_msg("%s by %s: %s", graph->name, spec, error.text);
    return reordered;
}

static const char *const specs[] = {"natural",   "rcm",  "random",     "random:7",    "jaccard:1", "jaccard:2",
                                    "jaccard:8", "auto", "jaccard:64", "jaccard:100", "jaccard",   "random:4294967295"};

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

TEST(natural_order)
{
    GRAPH graph = make_graph("0>1 0>2 1>2 3>0 3>1 3>2 4>0 4>1", 6);
    static const vertex_t natural[] = {0, 1, 2, 3, 4, 5};
    GRAPH reordered = reordered_by(&graph, "natural");
    assert_memory_equal(reordered.permutation, natural, sizeof natural);
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

/* FNV-1a, continued over a permutation. */
static uint64_t hash_order(const struct graph *graph, const char *spec, uint64_t hash)
{
    GRAPH reordered = reordered_by(graph, spec);
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        hash = (hash ^ reordered.permutation[v]) * 0x100000001b3u;
    return hash;
}

/* Reverse Cuthill-McKee, and JaccardWithWindows with eight widths. Plain serial code, written after their
 * definitions, gave the same orders. */
TEST(known_orders)
{
    static const char *const windows[] = {"jaccard:1",  "jaccard:2",   "jaccard:8",     "jaccard:12",
                                          "jaccard:64", "jaccard:100", "jaccard:65536", "jaccard:1048576"};
    for (size_t i = 0; i < COUNT(graphs); i++) {
        GRAPH graph = make_graph(graphs[i].text, graphs[i].vertices);
        uint64_t rcm = hash_order(&graph, "rcm", 0xcbf29ce484222325u), jaccard = 0xcbf29ce484222325u;
        for (size_t w = 0; w < COUNT(windows); w++)
            jaccard = hash_order(&graph, windows[w], jaccard);
        if (rcm != graphs[i].rcm || jaccard != graphs[i].jaccard)
            fail_msg("\"%s\": rcm 0x%016llx, jaccard 0x%016llx", graphs[i].text, (unsigned long long)rcm,
                     (unsigned long long)jaccard);
    }
}

/* Time is linear in the vertices, however many components there are. */
TEST(rcm_of_many_components)
{
    const vertex_t pairs = 200000;
    struct builder builder;
    GRAPH graph;
    assert_ok(builder_init(&builder, 2 * pairs, &error));
    for (vertex_t i = 0; i < pairs; i++)
        push_undirected_edge(&builder.writers[0], i, 2 * pairs - 1 - i);
    assert_ok(builder_finish(&builder, 2 * pairs, &graph, &error));
    graph.symmetric = true;
    graph.name = strdup("pairs");
    GRAPH reordered = reordered_by(&graph, "rcm");
    for (vertex_t v = 0; v < 2 * pairs; v++)
        assert_true(reordered.targets[reordered.offsets[v]] == (v ^ 1));
}

/* ---- threads, Ctrl-C ---- */

TEST(threads)
{
    static const char *const large[] = {"kron:13", "urand:13", "star:70000", "road:9", "grid:100x80", "dag:700:0.2"};
    static const char *const orders[] = {"rcm", "jaccard:512", "jaccard", "random", "natural"};
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
        {"auto:18", NULL},
        {"jaccard:1", NULL},
        {"jaccard:65536", NULL},
        {"jaccard:4294967295", NULL},
        {"random:0", NULL},
        {"", "unknown order ''; there are natural, rcm, jaccard, random, auto"},
        {"rc", "unknown order 'rc'; did you mean 'rcm'?"},
        {"rcmm", "unknown order 'rcmm'; did you mean 'rcm'?"},
        {"RCM", "unknown order 'RCM'; did you mean 'rcm'?"},
        {":", "unknown order ''; there are natural, rcm, jaccard, random, auto"},
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
    } cases[] = {{"kron:10", 0, "jaccard:65536"},
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
