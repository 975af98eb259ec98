/* test_many_sources.c: batches in the trial loop and in records, how their time is shared out, what sources reach,
 * wrong results, and early stops. */
#include "many_sources.h"

#include <math.h>

#include "../../src/run/closeness.h"
#include "../../src/run/engine.h"
#include "../../src/run/pairs.h"

/* ---- batches ---- */

enum { BATCH = 3, BATCH_MS = 12, RESET_MS = 3, KERNEL_MS = 8 }; /* of a batch, whatever its size */

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

/* Five sources: a batch of three, and one of two. The clock is made up. */
TEST(shares_of_a_batch)
{
    static const vertex_t sources[] = {0, 3, 5, 9, 2};
    struct device device = {.name = "Fake", .slug = "fake", .mark = mark, .elapsed = elapsed};
    GRAPH graph = make_graph("path:10", 0);
    struct bench_request request = request_for(&fake_algorithm, &graph, sources, COUNT(sources));
    RESULT result;
    struct error error = {0};
    memset(&fake, 0, sizeof fake);
    request.device = &device;
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_OK);
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

/* How many trials a run measured, those of the records left aside. */
static int measured(const struct bench_request *request, bool fresh)
{
    struct bench_result result;
    struct error error = {0};
    int count = 0;
    if (bench_run(request, &(struct trials_options){.fresh = fresh}, &result, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (int i = 0; i < result.num_trials; i++)
        count += !result.trials[i].resumed;
    bench_release(&result);
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
        {4, 4, 4},   {4, 0, 4},   {10, 6, 10},
        {10, 0, 10}, {8, 0, 10},  {6, 2, 12}, /* 4 and 5 were of a batch of four */
        {6, 0, 12},  {10, 4, 16},             /* 4 to 7 again; 8 and 9 are a batch of two as before */
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
        struct error error = {0};
        memset(&fake, 0, sizeof fake);
        fake.wrong = cases[i].wrong;
        const struct trials_options asked = {.aggregates = cases[i].aggregates};
        int status = bench_run(&request, &asked, &result, &error);
        assert_int_equal(status, cases[i].wrong != 0 ? STATUS_WRONG : STATUS_OK);
        assert_string_equal(error.text, cases[i].message);
        assert_int_equal(result.num_trials, 4);
    }
    struct pair pairs[] = {{0, 3}, {4, 4}};
    struct pairs_request asked = {&request, pairs, 2, false};
    struct pairs_result answers;
    struct error error = {0};
    memset(&fake, 0, sizeof fake);
    fake.wrong = OUTPUT_LENGTH;
    assert_int_equal(pairs_run(&asked, &answers, &error), STATUS_WRONG);
    assert_string_equal(
        error.text, "msbfs fake on path:5 from source 0: the length to vertex 3 is 4, by the serial BFS it is 3 (-1: "
                    "no path)");
    assert_string_equal(answers.verified, "FAILED");
    pairs_release(&answers);
}

/* ---- early stops ---- */

#define NUM_DESTINATIONS 5

/* Levels of one source are right below that of its farthest destination, and from there on right or UNREACHED. */
static void check_levels(const struct engine *engine, const struct query *query, const struct traversal *levels,
                         const uint32_t *length, const uint32_t *truth)
{
    const struct destination *destinations = query->destinations;
    vertex_t n = engine->request->graph->num_vertices;
    uint32_t farthest = 0, which = levels->which;
    bool all = true;
    for (uint64_t d = 0; d < query->num_destinations; d++)
        if (destinations[d].which == which) {
            all = all && length[d] != UNREACHED;
            farthest = length[d] != UNREACHED && length[d] > farthest ? length[d] : farthest;
        }
    for (vertex_t v = 0; v < n; v++) {
        uint32_t right = truth[query->sources[which] * n + v];
        if (levels->level[v] != right && (levels->level[v] != UNREACHED || right < farthest || !all))
            fail_msg("%s on %s: level %u of %u from source %u, not %u", engine->request->algorithm->variant,
                     engine->request->graph->name, levels->level[v], v, which, right);
    }
}

static void check_query(struct engine *engine, const struct query *query, const uint32_t *truth, vertex_t n)
{
    uint32_t length[NUM_DESTINATIONS], *level = malloc(n * sizeof *level);
    struct search_times times;
    struct traversal lengths = {.length = length};
    assert_int_equal(engine_traverse(engine, query, &times), STATUS_OK);
    assert_int_equal(engine_fetch(engine, query->num_sources, &lengths), STATUS_OK);
    for (size_t d = 0; d < NUM_DESTINATIONS; d++) {
        const struct destination *destination = &query->destinations[d];
        assert_int_equal(length[d], truth[query->sources[destination->which] * n + destination->vertex]);
    }
    for (uint32_t which = 0; which < query->num_sources; which++) {
        struct traversal levels = {.which = which, .level = level};
        assert_int_equal(engine_fetch(engine, query->num_sources, &levels), STATUS_OK);
        check_levels(engine, query, &levels, length, truth);
    }
    free(level);
}

static void check_destinations(const struct algorithm *algorithm, const struct graph *graph)
{
    vertex_t n = graph->num_vertices;
    FREED uint32_t *truth = distances_of(graph);
    const vertex_t sources[] = {0, n / 2, 0, n - 1};
    const struct destination destinations[NUM_DESTINATIONS] = {{0, 0}, {0, n / 3}, {1, n - 1}, {1, n - 1}, {3, 1}};
    struct bench_request request = request_for(algorithm, graph, NULL, 0);
    request.verify = VERIFY_NONE;
    struct query query = {.sources = sources,
                          .num_sources = COUNT(sources),
                          .destinations = destinations,
                          .num_destinations = NUM_DESTINATIONS};
    struct engine engine;
    struct error error = {0};
    assert_int_equal(engine_open(&engine, &request, &cpu, OUTPUT_LEVEL | OUTPUT_LENGTH, COUNT(sources), &error),
                     STATUS_OK);
    for (int again = 0; again < 2; again++)
        check_query(&engine, &query, truth, n);
    engine_close(&engine);
}

TEST(destinations)
{
    static const char *const specs[] = {"grid:7x9", "dag:60:0.1", "kron:6", "path:40"};
    for (size_t g = 0; g < COUNT(specs); g++) {
        GRAPH graph = make_graph(specs[g], 0);
        for (int a = 0; a < num_algorithms; a++)
            if (strcmp(algorithms[a]->family, "msbfs") == 0 && algorithms[a]->device == DEVICE_CPU)
                check_destinations(algorithms[a], &graph);
    }
}

TESTS(enter_with_cpu, leave_with_cpu)
