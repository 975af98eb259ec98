/* test_dfs_model.c: what `dfs auto` expects of its engines, on graphs whose times were measured: on an H200 and 16
 * cores, results/nvidia-h200/fastest. */
#include "support.h"

#include "../../kernels/dfs/model.h"

#define THREADS     16
#define MOST_FACTOR 3.0 /* that a prediction may be wrong by */

/* Reach: means over 32 searches spread over the graph. Times: milliseconds, means over 64 sources. */
static const struct measured_graph {
    const char *name;
    double vertices, edges, levels, degree;
    double handoff, acr, serial;
} graphs[] = {
    {"luxembourg_osm", 114599, 239332, 1004, 2.09, 0.786, 0.190, 1.378},
    {"motorBike", 126371, 756401, 342, 5.98, 0.800, 1.108, 4.527},
    {"USA-road-d.FLA", 1070376, 2687902, 1488, 2.51, 1.833, 2.122, 25.590},
    {"USA-road-d.NE", 1524453, 3868020, 1548, 2.54, 2.143, 3.279, 44.258},
    {"road:17", 1501499, 3109462, 2913, 2.07, 1.993, 1.757, 17.450},
    {"rgg:20", 1048572, 13788146, 689, 13.1, 1.829, 3.878, 59.201},
    {"grid:2048x2048", 4194304, 16769024, 3097, 4.0, 4.020, 9.977, 36.389},
    {"delaunay:20", 1048576, 6291372, 412, 6.0, 1.118, 5.186, 91.005},
    {"kron:20", 645268, 31399000, 7, 29.9, 0.371, 8.058, 102.014},
    {"urand:20", 1048576, 33553824, 6, 32.0, 0.484, 9.739, 186.717},
};

static struct reach_of_searches reach_of(const struct measured_graph *graph, double threads)
{
    return (struct reach_of_searches){graph->vertices, graph->edges, graph->levels, graph->degree, threads};
}

static void assert_near(const char *name, const char *engine, double predicted, double measured)
{
    if (predicted > MOST_FACTOR * measured || measured > MOST_FACTOR * predicted)
        fail_msg("%s: %s is predicted to take %.3g ms and takes %.3g", name, engine, predicted, measured);
}

TEST(predictions)
{
    for (size_t i = 0; i < COUNT(graphs); i++) {
        const struct measured_graph *graph = &graphs[i];
        struct reach_of_searches reach = reach_of(graph, THREADS);
        assert_near(graph->name, "handoff", handoff_ms(&reach), graph->handoff);
        assert_near(graph->name, "acr", acr_ms(&reach), graph->acr);
        assert_near(graph->name, "serial", serial_ms(&reach), graph->serial);
    }
}

/* The faster of handoff and acr is never left out of measurements, and chosen without them where it is far ahead. */
TEST(choices)
{
    for (size_t i = 0; i < COUNT(graphs); i++) {
        const struct measured_graph *graph = &graphs[i];
        struct reach_of_searches reach = reach_of(graph, THREADS);
        double lead = acr_ms(&reach) / handoff_ms(&reach), measured = graph->acr / graph->handoff;
        if ((lead > UNSURE_FACTOR && measured < 1) || (lead < 1 / UNSURE_FACTOR && measured > 1) ||
            (measured > UNSURE_FACTOR && lead < 1))
            fail_msg("%s: acr takes %.3g times as long as handoff, not %.3g times", graph->name, measured, lead);
    }
}

/* Few edges cost a core nothing; a level costs the GPU a microsecond; fewer cores take longer. */
TEST(small_and_few)
{
    struct reach_of_searches small = {100, 120, 40, 8, THREADS}, large = reach_of(&graphs[9], THREADS);
    struct reach_of_searches on_two = reach_of(&graphs[9], 2), on_many = reach_of(&graphs[9], 4 * THREADS);
    assert_true(serial_ms(&small) < acr_ms(&small) && acr_ms(&small) < handoff_ms(&small));
    assert_true(acr_ms(&on_two) > 7 * acr_ms(&large));
    assert_true(acr_ms(&on_many) == acr_ms(&large));
    assert_true(ckl_ms(&large) > acr_ms(&large));
}

TESTS(NULL, NULL)
