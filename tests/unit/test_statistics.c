/* test_statistics.c: what --info says, of graphs small enough to know. */
#include "support.h"

#include <math.h>
#include <omp.h>

#include "../../src/graph/hash.h"
#include "../../src/graph/statistics.h"

static gtrav_info statistics_of(const struct graph *graph)
{
    gtrav_info statistics;
    assert_ok(graph_statistics(graph, &statistics, &error));
    return statistics;
}

TEST(known_graphs)
{
    static const char *const names[] = {"max_degree",      "isolated", "sum_squared_degrees", "components", "largest",
                                        "pseudo_diameter", "acyclic"};
    static const struct {
        const char *graph;
        vertex_t vertices; /* of edges written out */
        uint64_t expected[COUNT(names)];
    } known[] = {
        {"path:0", 0, {0, 0, 0, 0, 0, 0, 1}},
        {"path:1", 0, {0, 1, 0, 1, 1, 0, 1}},
        {"path:2", 0, {1, 0, 2, 1, 2, 1, 0}},
        {"path:5000", 0, {2, 0, 4 * 4998 + 2, 1, 5000, 4999, 0}},
        {"cycle:9", 0, {2, 0, 36, 1, 9, 4, 0}},
        {"star:8", 0, {7, 0, 56, 1, 8, 2, 0}},
        {"complete:6", 0, {5, 0, 150, 1, 6, 1, 0}},
        {"tree:7", 0, {3, 0, 26, 1, 7, 4, 0}},
        {"grid:100x37", 0, {4, 0, 57290, 1, 3700, 99 + 36, 0}},
        {"dag:300:1", 0, {299, 0, 299 * 300 * 599 / 6, 1, 300, 1, 1}},
        {"", 3, {0, 3, 0, 3, 1, 0, 1}},
        {"0>1 1>2 2>0", 3, {1, 0, 3, 1, 3, 1, 0}},
        {"0>1 1>2 0>2", 3, {2, 0, 5, 1, 3, 1, 1}},
        {"0>1 1>2 2>3 3>1", 4, {1, 0, 4, 1, 4, 2, 0}},
        {"1>0 1>2 3>2 3>4 6>5", 8, {2, 1, 9, 3, 5, 4, 1}}, /* 0-1-2-3-4, 5-6, 7: connected only if both ways */
        {"0>1 1>0 2>3 4>3 5>3", 6, {1, 0, 5, 2, 4, 2, 0}},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        GRAPH graph = make_graph(known[i].graph, known[i].vertices);
        gtrav_info statistics = statistics_of(&graph);
        const uint64_t found[] = {statistics.max_degree, statistics.isolated,          statistics.sum_squared_degrees,
                                  statistics.components, statistics.largest_component, statistics.pseudo_diameter,
                                  statistics.acyclic};
        for (size_t k = 0; k < COUNT(found); k++)
            if (found[k] != known[i].expected[k])
                fail_msg("\"%s\": %s is %llu", known[i].graph, names[k], (unsigned long long)found[k]);
    }
}

/* The values are those of splitmix64, computed apart. */
TEST(hashes_of_contents)
{
    static const struct {
        const char *graph;
        vertex_t vertices;
        uint64_t hash;
    } known[] = {
        {"", 0, 0xa706dd2f4d197e6f}, {"0>1 1>2", 3, 0x57fd5792243524c4}, {"0>1 1>2 2>0", 3, 0x0a587d56c4b8c03b}};
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        for (size_t i = 0; i < COUNT(known); i++) {
            GRAPH graph = make_graph(known[i].graph, known[i].vertices);
            assert_true(graph_hash(&graph) == known[i].hash);
        }
    }
    GRAPH one = make_graph("0>1 1>2 2>3 3>4", 5), other = make_graph("0>1 1>2 2>0 3>4", 5);
    GRAPH moved = make_graph("0>1 0>2 2>3 3>4", 5);
    assert_true(graph_hash(&one) != graph_hash(&other) && graph_hash(&one) != graph_hash(&moved));
}

TEST(histogram)
{
    GRAPH graph = make_graph("0>1 0>2 0>3 1>2 1>3 2>3 4>0 4>1 4>2 4>3", 7);
    gtrav_info statistics = statistics_of(&graph);
    static const uint64_t expected[GTRAV_DEGREE_BINS] = {3, 1, 2, 1}; /* degrees 3 2 1 0 4 0 0 */
    assert_memory_equal(statistics.degree_histogram, expected, sizeof expected);
}

/* Blest's rule, and each of its two halves; of the last graph only the in-degrees are heavy-tailed. */
TEST(scale_free)
{
    static const struct {
        const char *graph;
        bool scale_free;
    } known[] = {{"kron:16", true},
                 {"kron:10", true},
                 {"urand:16", false},
                 {"grid:100x37", false},
                 {"road:10", false},
                 {"rgg:14", false},
                 {"path:1000", false},
                 {"complete:50", false},
                 {"tree:999", false},
                 {"star:1000", true},
                 {"1>0 2>0 3>0 4>0 5>0 6>0 7>0 8>0 9>0 10>0 11>0", true}};
    for (size_t i = 0; i < COUNT(known); i++) {
        GRAPH graph = make_graph(known[i].graph, 12);
        if (statistics_of(&graph).scale_free != known[i].scale_free)
            fail_msg("%s", known[i].graph);
    }
}

/* 5, 10, 20 or 40: so many vertices have each of these degrees. */
static int degree_of(vertex_t v, const vertex_t counts[4])
{
    int i = 0;
    for (; v >= counts[i]; i++)
        v -= counts[i];
    return 5 << i;
}

/* Out-degrees 5, 10, 20, 40 of 512, 64, 8, 1 vertices: exactly the power law of gamma = 3, and no large share. A
 * histogram that rises as much is not heavy-tailed. Targets are spread so that in-degrees say nothing. */
TEST(power_law)
{
    static const vertex_t counts[2][4] = {{512, 64, 8, 1}, {1, 8, 64, 512}}, num_vertices = 585;
    for (int rises = 0; rises <= 1; rises++) {
        struct builder builder;
        GRAPH graph;
        assert_ok(builder_init(&builder, num_vertices, &error));
        for (vertex_t v = 0, target = 0; v < num_vertices; v++)
            for (int k = degree_of(v, counts[rises]); k > 0; target = (target + 1) % num_vertices, k--) {
                target = target == v ? (target + 1) % num_vertices : target;
                push_edge(&builder.writers[0], v, target);
            }
        assert_ok(builder_finish(&builder, num_vertices, &graph, &error));
        gtrav_info statistics = statistics_of(&graph);
        assert_true(fabs(statistics.fit_slope - (rises ? 3 : -3)) < 1e-9);
        assert_true(fabs(statistics.fit_r2 - 1) < 1e-9);
        assert_true(statistics.top1_share < 0.05 || statistics.top10_share < 0.40);
        assert_int_equal(statistics.scale_free, !rises);
    }
}

TESTS(NULL, NULL)
