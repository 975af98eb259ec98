/* test_shuffle.c: --reorder random is a fair shuffle, and the same everywhere. */
#include "support.h"

#include "../../src/graph/reorder.h"

enum { CARDS = 12, DEALS = 300 };

/* The order of CARDS vertices by a seed. */
static void deal(uint64_t seed, vertex_t order[CARDS])
{
    GRAPH graph = make_graph("cycle:12", 0), shuffled;
    struct reorder how;
    struct error error = {0};
    char spec[32];
    snprintf(spec, sizeof spec, "random:%llu", (unsigned long long)seed);
    assert_int_equal(reorder_parse(spec, &how, &error), STATUS_OK);
    assert_int_equal(graph_reorder(&graph, &how, &shuffled, &error), STATUS_OK);
    memcpy(order, shuffled.permutation, CARDS * sizeof *order);
}

/* By std::mt19937_64 and the inside-out shuffle, in code that is independent of gtrav. */
TEST(known_shuffles)
{
    static const struct {
        uint64_t seed;
        vertex_t order[CARDS];
    } known[] = {{27491095, {1, 5, 6, 0, 2, 11, 8, 4, 7, 10, 9, 3}},
                 {1, {10, 4, 0, 6, 2, 8, 11, 3, 5, 1, 7, 9}},
                 {0, {5, 1, 4, 7, 10, 2, 3, 11, 0, 9, 6, 8}}};
    for (size_t i = 0; i < COUNT(known); i++) {
        vertex_t order[CARDS];
        deal(known[i].seed, order);
        assert_memory_equal(order, known[i].order, sizeof order);
    }
}

/* One vertex in CARDS stays where it is, on average: of DEALS shuffles, DEALS vertices, give or take 17. */
TEST(fixed_points)
{
    int fixed = 0;
    for (uint64_t seed = 0; seed < DEALS; seed++) {
        vertex_t order[CARDS];
        deal(seed, order);
        for (vertex_t v = 0; v < CARDS; v++)
            fixed += order[v] == v;
    }
    assert_in_range(fixed, DEALS - 70, DEALS + 70);
}

TESTS(NULL, NULL)
