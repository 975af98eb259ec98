/* test_weights.c: the weights of edges: the default ones, and what happens to weights of the input. */
#include "graph_files.h"

#include "../../src/graph/random.h"

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

TESTS(enter_folder, leave_folder)
