/* test_verify_many.c: verification of results that are not one value per vertex: sums, farness, lengths, paths.
 * Each figure is one too high, then one too low. */
#include "support.h"

#include "../../src/verify/betweenness.h"
#include "../harness.h"

enum { VERTICES = 6 };

static struct graph graph; /* 0 > 1 > 2 > 3, 0 > 4, and 5 apart */
static const uint32_t level_from_0[VERTICES] = {0, 1, 2, 3, 1, UNREACHED};

static int enter(void **state)
{
    graph = make_graph("0>1 1>2 2>3 0>4", VERTICES);
    return 0;
}

static int leave(void **state)
{
    graph_release(&graph);
    return 0;
}

TEST(lengths)
{
    struct destination destinations[VERTICES];
    uint32_t length[VERTICES];
    for (vertex_t v = 0; v < VERTICES; v++)
        destinations[v] = (struct destination){0, v};
    for (int change = -1; change <= 1; change++)
        for (vertex_t v = 0; v < VERTICES; v++) {
            memcpy(length, level_from_0, sizeof length);
            length[v] += (uint32_t)change;
            assert_fails(verify_lengths(&graph, 0, destinations, length, VERTICES, &error),
                         change == 0 ? STATUS_OK : STATUS_WRONG, "");
        }
}

TEST(sums)
{
    for (int change = -1; change <= 1; change++)
        for (int figure = 0; figure < 3; figure++) {
            struct source_sums sums = {.reached = 5, .level_sum = 7, .eccentricity = 3};
            struct traversal result = {.sums = &sums};
            sums.reached += (uint64_t)(figure == 0 ? change : 0);
            sums.level_sum += (uint64_t)(figure == 1 ? change : 0);
            sums.eccentricity += (uint32_t)(figure == 2 ? change : 0);
            static const vertex_t source = 0;
            assert_fails(verify_sums(&graph, &source, 1, &result, &error), change == 0 ? STATUS_OK : STATUS_WRONG, "");
        }
}

TEST(farness)
{
    static const vertex_t sources[] = {0, 2};
    static const uint64_t farness_of_both[VERTICES] = {0, 1, 2, 3 + 1, 1, 0};
    static const uint32_t count_of_both[VERTICES] = {1, 1, 2, 2, 1, 0};
    for (int change = -1; change <= 1; change++)
        for (vertex_t v = 0; v < 2 * VERTICES; v++) {
            uint64_t farness[VERTICES];
            uint32_t count[VERTICES];
            struct traversal result = {.farness = farness, .farness_count = count};
            memcpy(farness, farness_of_both, sizeof farness);
            memcpy(count, count_of_both, sizeof count);
            if (v < VERTICES)
                farness[v] += (uint64_t)change;
            else
                count[v - VERTICES] += (uint32_t)change;
            int expected = change == 0 ? STATUS_OK : STATUS_WRONG;
            assert_fails(verify_farness(&graph, sources, COUNT(sources), &result, &error), expected, "");
            assert_fails(
                verify_farness_of(&graph, sources, COUNT(sources), v % VERTICES, OUTPUT_FARNESS, &result, &error),
                expected, "");
        }
}

TEST(betweenness)
{
    static const vertex_t sources[] = {0, 1, 2, 3, 4, 5};
    for (int change = -1; change <= 1; change++)
        for (vertex_t v = 0; v < VERTICES; v++) {
            double vertex[VERTICES] = {0, 2, 2, 0, 0, 0}, edge[] = {3, 1, 4, 3};
            struct traversal result = {.betweenness = vertex, .edge_betweenness = edge};
            *(v % 2 ? &vertex[v] : &edge[v / 2]) += change * 1e-6;
            assert_fails(verify_betweenness(&graph, sources, VERTICES, &result, &error),
                         change == 0 ? STATUS_OK : STATUS_WRONG, "");
        }
}

/* Rounding may change sums in their last digits, but not what is 0. */
TEST(betweenness_rounded)
{
    static const vertex_t sources[] = {0, 1, 2, 3, 4, 5};
    double vertex[VERTICES] = {0, 2 + 1e-12, 2, 0, 0, 0};
    struct traversal result = {.betweenness = vertex};
    assert_ok(verify_betweenness(&graph, sources, VERTICES, &result, &error));
    vertex[3] = 1e-12;
    assert_fails(verify_betweenness(&graph, sources, VERTICES, &result, &error), STATUS_WRONG, "vertex 3");
}

TEST(paths)
{
    static const struct {
        vertex_t path[4];
        uint64_t length; /* vertices */
        int status;
    } paths[] = {
        {{0, 1, 2, 3}, 4, STATUS_OK},    {{0, 4, 2, 3}, 4, STATUS_WRONG}, {{0, 1, 4, 3}, 4, STATUS_WRONG},
        {{0, 1, 1, 3}, 4, STATUS_WRONG}, {{1, 2, 3}, 3, STATUS_WRONG},    {{0, 1, 2}, 3, STATUS_WRONG},
        {{0, 3}, 2, STATUS_WRONG},
    };
    for (size_t i = 0; i < COUNT(paths); i++)
        assert_fails(verify_path(&graph, 0, 3, paths[i].path, paths[i].length, &error), paths[i].status, "");
}

TESTS(enter, leave)
