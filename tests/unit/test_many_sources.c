/* test_many_sources.c: batches in the trial loop and in records, how their time is shared out, what sources reach,
 * and wrong results. Destinations, which end searches early, are asked for by the conformance program. */
#include "many_sources.h"

#include <math.h>

#include "../../src/run/pairs.h"

/* ---- batches ---- */

enum { BATCH = 3, BATCH_MS = 12, RESET_MS = 3, KERNEL_MS = 8 }; /* of a batch, whatever its size */

static void mark(struct device *device, enum mark which)
{
}

static int elapsed(struct device *device, double *time_ms, double *kernel_ms, struct error *failure)
{
    *time_ms = BATCH_MS;
    device->reset_ms = RESET_MS;
    *kernel_ms = KERNEL_MS;
    return STATUS_OK;
}

/* Five sources: a batch of three, and one of two. The clock is made up. */
TEST(shares_of_a_batch)
{
    static const vertex_t sources[] = {0, 3, 5, 9, 2};
    struct device device = {.name = "Fake", .slug = "fake", .use = cpu.use, .mark = mark, .elapsed = elapsed};
    GRAPH graph = make_graph("path:10", 0);
    struct bench_request request = request_for(&fake_algorithm, &graph, sources, COUNT(sources));
    RESULT result;
    memset(&fake, 0, sizeof fake);
    request.device = &device;
    assert_ok(trials_run(&request, &result, &error));
    assert_int_equal(result.num_trials, COUNT(sources));
    for (int i = 0; i < result.num_trials; i++) {
        const struct trial *trial = &result.trials[i];
        uint32_t size = i < BATCH ? BATCH : COUNT(sources) - BATCH;
        assert_int_equal(trial->source, sources[i]);
        assert_int_equal(trial->batch, size);
        assert_int_equal(trial->verdict, VERIFIED);
        assert_true(trial->time_ms == (double)BATCH_MS / size && trial->kernel_ms == (double)KERNEL_MS / size);
        assert_true(trial->reset_ms == (double)RESET_MS / size);
        assert_true(fabs(trial->search_mteps - 18 * size / (1e3 * BATCH_MS)) < 1e-12);
        assert_true(fabs(trial->mteps - 18 * size / (1e3 * KERNEL_MS)) < 1e-12);
    }
    assert_int_equal(result.summary.batch_sources, BATCH);
    assert_true(result.summary.batch_time_ms == BATCH_MS && result.summary.batch_kernel_ms == KERNEL_MS);
    assert_int_equal(result.last.level[0], 2); /* of the last source */
    assert_true(result.total_ms == result.setup.prepare_ms + BATCH_MS + BATCH * result.summary.download_ms);
}

/* Only the largest batches count, as the last one may be smaller. */
TEST(means_of_batches)
{
    const struct trial trials[] = {{.batch = 2, .time_ms = 3, .kernel_ms = 2},
                                   {.batch = 2, .time_ms = 3, .kernel_ms = 2},
                                   {.batch = 2, .time_ms = 5, .kernel_ms = 4},
                                   {.batch = 2, .time_ms = 5, .kernel_ms = 4},
                                   {.batch = 1, .time_ms = 60, .kernel_ms = 50}};
    struct summary summary;
    assert_ok(summarize(trials, COUNT(trials), &summary, &error));
    assert_int_equal(summary.batch_sources, 2);
    assert_true(summary.batch_time_ms == 8 && summary.batch_kernel_ms == 6);
}

/* A result of a whole batch is fetched once, and each source has its share of the time. */
TEST(shares_of_a_download)
{
    static const vertex_t sources[] = {0, 3, 5, 9, 2, 1, 4, 6};
    GRAPH graph = make_graph("path:10", 0);
    struct bench_request request = request_for(&fake_algorithm, &graph, sources, COUNT(sources));
    request.aggregates = true;
    RESULT result;
    memset(&fake, 0, sizeof fake);
    fake.slow_ms = 50;
    double begin_ms = now_ms(), sum_ms = 0;
    assert_ok(trials_run(&request, &result, &error));
    double all_ms = now_ms() - begin_ms;
    for (int i = 0; i < result.num_trials; i++)
        sum_ms += result.trials[i].download_ms;
    assert_int_equal(result.num_trials, COUNT(sources));
    assert_true(sum_ms >= 2 * 50 && sum_ms <= all_ms);
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
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t reached, edges;
        assert_ok(reach_count(&graph, cases[i].source, &reach, &reached, &edges, &error));
        assert_int_equal(reached, cases[i].reached);
        assert_int_equal(edges, cases[i].edges);
    }
    reach_release(&reach);
}

/* How many trials a run measured, those of the records left aside. */
static int measured(const struct bench_request *request, bool fresh)
{
    struct trials_result result;
    int count = 0;
    struct bench_request asked = *request;
    asked.fresh = fresh;
    assert_ok(trials_run(&asked, &result, &error));
    for (int i = 0; i < result.num_trials; i++)
        count += !result.trials[i].resumed;
    trials_release(&result);
    return count;
}

static int rows_in(const char *path)
{
    char *text = get_bytes(path, NULL);
    int rows = -1; /* the header is none */
    for (const char *c = text; *c != '\0'; c++)
        rows += *c == '\n';
    free(text);
    return rows;
}

/* A batch is resumed whole, at its size, or measured again. */
TEST(batches_are_resumed)
{
    static const vertex_t sources[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    char path[512], options[64];
    struct graph graph = make_graph("path:10", 0);
    const struct algorithm *serial = find_algorithm("msbfs", "serial");
    struct bench_request request = request_for(serial, &graph, sources, 4);
    request.options = options_of(serial, "batch=4");
    request.verify = VERIFY_FIRST;
    request.records = "records";
    snprintf(path, sizeof path, "records/%s/trials/msbfs_serial_path:10.csv", cpu.slug);
    snprintf(options, sizeof options, "batch=4");
    static const struct {
        int num_sources, measured, rows;
    } runs[] = {
        {4, 4, 4},  {4, 0, 4},   {10, 6, 10}, {10, 0, 10}, {8, 0, 10}, {6, 2, 12}, /* 4 and 5 were of a batch of four */
        {6, 0, 12}, {10, 4, 16}, /* 4 to 7 again; 8 and 9 are a batch of two as before */
    };
    for (size_t i = 0; i < COUNT(runs); i++) {
        request.num_sources = runs[i].num_sources;
        int found = measured(&request, false);
        if (found != runs[i].measured || rows_in(path) != runs[i].rows)
            fail_msg("run %zu: %d measured, %d rows", i, found, rows_in(path));
    }
    assert_int_equal(measured(&request, true), 10);
    assert_int_equal(rows_in(path), 26);
    graph_release(&graph);
    remove_tree("records");
}

/* ---- wrong results ---- */

TEST(wrong_results_are_reported)
{
    static const vertex_t sources[] = {0, 4, 2, 3};
    GRAPH graph = make_graph("path:5", 0);
    struct bench_request request = request_for(&fake_algorithm, &graph, sources, 4);
    static const struct {
        enum output wrong;
        bool aggregates;
        const char *message;
    } cases[] = {
        {0, false, ""},
        {0, true, ""},
        {OUTPUT_LEVEL, false, "msbfs fake on path:5 from source 0: level of vertex 4 is 5, the serial BFS's is 4"},
        {OUTPUT_SUMS, true,
         "msbfs fake on path:5 from source 0: 5 vertices reached, levels up to 4, their sum 11; by the serial BFS 5, "
         "up to 4, 10"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        RESULT result;
        memset(&fake, 0, sizeof fake);
        fake.wrong = cases[i].wrong;
        request.aggregates = cases[i].aggregates;
        assert_error(trials_run(&request, &result, &error), cases[i].wrong != 0 ? STATUS_WRONG : STATUS_OK,
                     cases[i].message);
        assert_int_equal(result.num_trials, 4);
    }
    struct pair pairs[] = {{0, 3}, {4, 4}};
    request.aggregates = false;
    struct pairs_request asked = {&request, pairs, 2, false};
    struct pairs_result answers;
    memset(&fake, 0, sizeof fake);
    fake.wrong = OUTPUT_LENGTH;
    assert_error(pairs_run(&asked, &answers, &error), STATUS_WRONG,
                 "msbfs fake on path:5 from source 0: the length to vertex 3 is 4, by the serial BFS it is 3 (-1: "
                 "no path)");
    assert_string_equal(answers.verified, "FAILED");
    pairs_release(&answers);
}

TESTS(enter_with_cpu, leave_with_cpu)
