/* test_batches.c: how the time of a batch is shared out among its sources, with an algorithm that takes four sources
 * at once and a device whose clock is made up; and what sources reach whose results are not fetched. */
#include "support.h"

#include <math.h>

#include "../../src/run/run.h"

enum { BATCH = 4, BATCH_MS = 12, RESET_MS = 3, KERNEL_MS = 8 }; /* of a batch, whatever its size */

static uint32_t sources_of_last; /* of the last query: all on a path */
static const vertex_t *last_sources;

static int prepare(struct run *run)
{
    run->batch_size = BATCH;
    return STATUS_OK;
}

static int traverse(struct run *run, const struct query *query)
{
    sources_of_last = query->num_sources;
    last_sources = query->sources;
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    vertex_t source = last_sources[result->which];
    assert_true(result->which < sources_of_last);
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        result->level[v] = v > source ? v - source : source - v;
    return STATUS_OK;
}

static void release(struct run *run)
{
}

static const struct algorithm fake_msbfs = {.family = "msbfs",
                                            .variant = "fake",
                                            .device = DEVICE_CPU,
                                            .outputs = OUTPUT_LEVEL,
                                            .prepare = prepare,
                                            .traverse = traverse,
                                            .fetch = fetch,
                                            .release = release};

static void mark(struct device *device, enum mark which)
{
}

static int elapsed(struct device *device, double *time_ms, double *kernel_ms, struct error *error)
{
    *time_ms = BATCH_MS;
    device->reset_ms = RESET_MS;
    *kernel_ms = KERNEL_MS;
    return STATUS_OK;
}

static struct device fake_device = {.name = "Fake", .slug = "fake", .mark = mark, .elapsed = elapsed};

/* Six sources: a batch of four, and one of two. */
TEST(shares_of_a_batch)
{
    static const vertex_t sources[] = {0, 3, 5, 9, 2, 2};
    static const double options[MAX_OPTIONS];
    GRAPH graph = make_graph("path:10", 0);
    struct bench_request request = {.algorithm = &fake_msbfs,
                                    .family = family_of(fake_msbfs.family),
                                    .graph = &graph,
                                    .device = &fake_device,
                                    .options = options,
                                    .sources = sources,
                                    .num_sources = COUNT(sources),
                                    .verify = VERIFY_ALL};
    RESULT result;
    struct error error = {0};
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_OK);
    assert_int_equal(result.num_trials, COUNT(sources));
    for (int i = 0; i < result.num_trials; i++) {
        const struct trial *trial = &result.trials[i];
        uint32_t size = i < BATCH ? BATCH : COUNT(sources) - BATCH;
        assert_int_equal(trial->batch, size);
        assert_true(trial->time_ms == (double)BATCH_MS / size && trial->kernel_ms == (double)KERNEL_MS / size);
        assert_true(trial->reset_ms == (double)RESET_MS / size);
        assert_true(fabs(trial->search_mteps - 18 * size / (1e3 * BATCH_MS)) < 1e-12);
        assert_true(fabs(trial->mteps - 18 * size / (1e3 * KERNEL_MS)) < 1e-12);
    }
    assert_int_equal(result.summary.batch_sources, BATCH);
    assert_true(result.summary.batch_time_ms == BATCH_MS && result.summary.batch_kernel_ms == KERNEL_MS);
}

/* On a directed graph, a vertex that an earlier source reaches need not reach the same vertices. */
TEST(reach)
{
    static const struct {
        vertex_t source;
        uint64_t reached, edges;
    } cases[] = {{0, 4, 3}, {2, 2, 1}, {3, 1, 0}, {1, 3, 2}, {0, 4, 3}};
    GRAPH graph = make_graph("0>1 1>2 2>3", 5);
    struct reach reach = {0};
    struct error error = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t reached, edges;
        assert_int_equal(reach_count(&graph, cases[i].source, &reach, &reached, &edges, &error), STATUS_OK);
        assert_int_equal(reached, cases[i].reached);
        assert_int_equal(edges, cases[i].edges);
    }
    reach_release(&reach);
}

TESTS(NULL, NULL)
