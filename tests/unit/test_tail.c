/* test_tail.c: a histogram of degrees is heavy-tailed only if it falls. */
#include "support.h"

#include "../../src/graph/tail.h"

/* Cliques apart from each other: so many of each size. */
static struct graph make_cliques(const int (*cliques)[2], size_t num_sizes)
{
    struct builder builder;
    struct graph graph;
    struct error error = {0};
    vertex_t end = 0;
    assert_int_equal(builder_init(&builder, 0, &error), STATUS_OK);
    for (size_t i = 0; i < num_sizes; i++)
        for (int clique = 0; clique < cliques[i][1]; clique++, end += (vertex_t)cliques[i][0])
            for (vertex_t u = end; u < end + (vertex_t)cliques[i][0]; u++)
                for (vertex_t v = end; v < u; v++)
                    push_undirected_edge(&builder.writers[0], u, v);
    assert_int_equal(builder_finish(&builder, end, &graph, &error), STATUS_OK);
    return graph;
}

/* The same degrees, 5, 10 and 20: many vertices of the lowest, or of the highest. */
TEST(falling_and_rising)
{
    static const int falling[][2] = {{6, 40}, {11, 5}, {21, 1}}, rising[][2] = {{6, 1}, {11, 3}, {21, 8}};
    struct degree_tail tail;
    struct error error = {0};
    GRAPH graph = make_cliques(falling, COUNT(falling));
    assert_int_equal(examine_tail(&graph, &tail, &error), STATUS_OK);
    assert_true(tail.fit_slope < -1 && tail.fit_r2 > 0.9);
    assert_true(tail.heavy);
    graph_release(&graph);
    graph = make_cliques(rising, COUNT(rising));
    assert_int_equal(examine_tail(&graph, &tail, &error), STATUS_OK);
    assert_true(tail.fit_slope > 1 && tail.fit_r2 > 0.9);
    assert_false(tail.heavy);
}

TESTS(NULL, NULL)
