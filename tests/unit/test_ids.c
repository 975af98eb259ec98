/* test_ids.c: edges pushed so far, and graphs of edges between names. */
#include "support.h"

#include "../../src/graph/named_edges.h"

static bool add_up(const struct edge *edge, void *context)
{
    uint64_t *sums = context;
    sums[0]++;
    sums[1] += edge->source;
    sums[2] += edge->target;
    return sums[0] < 1000;
}

/* All pushed edges are visited, also after the buckets were widened, and more can be pushed afterwards. */
TEST(builder_visits_what_was_pushed)
{
    struct builder builder;
    struct error error = {0};
    GRAPH graph;
    uint64_t sums[3] = {0}, all[3] = {0};
    assert_int_equal(builder_init(&builder, 0, &error), STATUS_OK);
    for (vertex_t v = 0; v < 100; v++)
        push_edge(&builder.writers[0], v * v, v + 10000);
    builder_visit(&builder, add_up, sums);
    assert_int_equal(sums[0], 100);
    assert_int_equal(sums[1], 99u * 100 * 199 / 6);
    assert_int_equal(sums[2], 99 * 50 + 100 * 10000);
    for (vertex_t v = 0; v < 2000; v++)
        push_edge(&builder.writers[0], v, v + 1);
    builder_visit(&builder, add_up, all);
    assert_int_equal(all[0], 1000); /* told to stop there */
    assert_int_equal(builder_finish(&builder, 10100, &graph, &error), STATUS_OK);
    assert_int_equal(graph.num_edges + graph.duplicates_dropped, 2100);
}

TEST(names_become_numbers_in_ascending_order)
{
    static const uint64_t pairs[][2] = {{UINT64_MAX - 1, 5}, {5, 70}, {70, UINT64_MAX - 1}, {70, 70}, {5, 70}};
    static const uint64_t ids[] = {5, 70, UINT64_MAX - 1};
    struct named_edges edges; /* init() must set every field */
    memset(&edges, 0xff, sizeof edges);
    struct error error = {0};
    GRAPH graph = {0};
    struct text_input input = {.path = "test"};
    assert_int_equal(named_edges_init(&edges, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT(pairs); i++)
        assert_true(named_edges_append(&edges, pairs[i][0], pairs[i][1]));
    assert_int_equal(named_edges_finish(&edges, &input, NULL, false, "test", &graph, &error), STATUS_OK);
    named_edges_release(&edges);
    assert_int_equal(graph.num_vertices, 3);
    assert_int_equal(graph.num_edges, 3);
    assert_int_equal(graph.self_loops_dropped, 1);
    assert_int_equal(graph.duplicates_dropped, 1);
    assert_memory_equal(graph.ids, ids, sizeof ids);
    for (vertex_t v = 0; v < 3; v++) { /* 5 -> 70 -> UINT64_MAX - 1 -> 5 */
        assert_int_equal(graph_degree(&graph, v), 1);
        assert_int_equal(graph.targets[graph.offsets[v]], (v + 1) % 3);
    }
}

TESTS(NULL, NULL)
