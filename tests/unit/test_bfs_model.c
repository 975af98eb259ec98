/* test_bfs_model.c: what `bfs auto` takes before it measures anything, by its model, for graphs whose times were
 * measured on an H200 (kernels/bfs/NOTES.md). */
#include "support.h"

#include "../../kernels/bfs/model.h"

/* Numbers of sources. */
#define FEW  8
#define MANY 64

#define LEVELS_OFF 1.0 /* from the level that a note tells, which is rounded */

/* BY_LEVELS: `bfs dobfs`, or the one over slices. */
enum kind { BY_LEVELS, BY_QUEUE, BY_BALLS };

/* A graph as bfs auto sees it, and what is right for it, as far as comments have times; else as it was. */
static const struct measured_graph {
    const char *name;
    double vertices, edges;
    double grown, levels; /* levels expected from the growth of balls; levels of a search, which deep graphs sample */
    bool near_ids;
    enum kind few, many;
    unsigned uncut;    /* the largest radius at which all balls of the sample have at most 500 vertices */
    const char *balls; /* their mean size, for radius 1, 2, ..., while nine of ten have at most 500 */
} graphs[] = {
    /* Few: dobfs took 350 ms with bottom-up levels and 9.6 without, the queue takes 10. */
    {"mesh:303", 27818127, 718324516, 561, 278, true, BY_QUEUE, BY_QUEUE, 3, "25.824 122.73 337.406"},
    /* Few: the queue takes 9.5 ms, dobfs 12.6, khop 64. */
    {"mesh:346:7", 41421736, 247812120, 1065, 714, true, BY_QUEUE, BY_QUEUE, 6,
     "5.988 23.91 61.641 126.98 227.668 371.387"},
    /* Few: khop took 135 ms, without an index; the queue takes 25, dobfs 37. Many: dobfs 37 to 45, khop 248. */
    {"kmer:25", 207791505, 440389544, 9216, 552, false, BY_QUEUE, BY_QUEUE, 7,
     "2.148 5.07 9.426 15.496 23.574 34.207 48.527 66.582 88.457 114.016 143.457 174.52"},
    /* Many: dobfs takes 1.99 ms, the queue 2.19, khop 19.9. */
    {"kmer:20", 6493484, 13762173, 2110, 330, false, BY_QUEUE, BY_QUEUE, 7,
     "2.148 5.07 9.426 15.496 23.574 34.207 48.527 66.582 88.457 114.016 143.457 174.52"},
    /* Many: dobfs takes 13.3 ms, the queue 18.9, khop 20. */
    {"delaunay:24", 16777216, 100663200, 3078, 1572, false, BY_LEVELS, BY_LEVELS, 5,
     "6.148 20.078 43.312 76.574 120.078 175.387 241.297 317.883 404.871"},
    /* Many: khop takes 8.5 ms, and 860 to prepare. */
    {"rgg:24", 16777216, 265095480, 3039, 2481, true, BY_BALLS, BY_LEVELS, 6,
     "15.75 48.336 100.625 174.531 269.262 383.648"},
    /* Few: khop takes 1.1 ms, many: 0.68; the queue 8.5. */
    {"rgg:20", 1048576, 13788148, 772, 697, true, BY_BALLS, BY_BALLS, 6,
     "12.977 39.012 79.883 136.762 211.75 302.781 409.039"},
    /* Many: khop takes 3.3 ms, the queue 53. */
    {"road:21", 24125108, 49923206, 17440, 13036, false, BY_BALLS, BY_BALLS, 24,
     "2.059 4.367 6.961 9.891 13.168 16.883 21.016 25.465 30.551 36.281 42.582 49.508 57.141 65.453 74.297 83.746 "
     "93.965 104.898 116.516 129.043 142.41 156.625 172.062 188.18 205.051 222.559 240.535 258.867 277.277 295.898"},
    /* Smaller ones of the kinds mawi:28 and web:25:28. There dobfs takes 11 ms and 5.3, the queue 4,546 and 8.9. */
    {"mawi:20", 1048576, 2228168, 10, 10, false, BY_LEVELS, BY_LEVELS, 1, "1.031"},
    {"web:20:28", 1048576, 27810698, 10, 10, false, BY_LEVELS, BY_LEVELS, 1, "25.746"},
};

static struct estimate estimate_of(const struct measured_graph *graph)
{
    struct estimate estimate = {graph->vertices, graph->edges, 0, graph->near_ids, {0}};
    struct ball_growth *growth = &estimate.growth;
    const char *text = graph->balls;
    for (unsigned r = 1; r <= SAMPLED_RADIUS; r++) {
        bool counted = *text != '\0';
        growth->mean_entries[r] = counted ? strtod(text, (char **)&text) : growth->mean_entries[r - 1];
        growth->share_over[r] = !counted ? 1 : r > graph->uncut ? MOST_SHARE_CUT : 0;
    }
    estimate.levels = graph->levels;
    return estimate;
}

static enum kind kind_for(const struct estimate *estimate, int trials)
{
    return is_for_khop(estimate, trials) ? BY_BALLS : is_for_queue(estimate) ? BY_QUEUE : BY_LEVELS;
}

/* Which search it is; that levels are those of the records; and that dobfs goes top-down in deep graphs if it does
 * not prepare: its trials never found a bottom-up level that paid there. On the others both directions are right. */
TEST(searches)
{
    for (size_t i = 0; i < COUNT(graphs); i++) {
        const struct measured_graph *graph = &graphs[i];
        struct estimate estimate = estimate_of(graph);
        enum kind few = kind_for(&estimate, FEW), many = kind_for(&estimate, MANY);
        if (few != graph->few || many != graph->many)
            fail_msg("%s: kinds %d and %d, not %d and %d", graph->name, few, many, graph->few, graph->many);
        assert_float_equal(expected_levels(&estimate.growth, estimate.vertices), graph->grown, LEVELS_OFF);
        assert_int_equal(is_deep(&estimate), graph->grown > SHALLOW_LEVELS);
        if (strcmp(graph->name, "rgg:20") == 0) { /* the radius in a record of khop, and the one that it takes itself */
            assert_int_equal(radius_for(&estimate, FEW), 2);
            assert_int_equal(radius_for(&estimate, MANY), 6);
        }
    }
}

TESTS(NULL, NULL)
