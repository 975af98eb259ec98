/* test_many_sources.c: batches in the trial loop and in records, early stops, path lengths of pairs, and closeness
 * with its checkpoints: with the CPU's algorithms, and one that is made up where something must go wrong. */
#include "support.h"

#include <math.h>
#include <sys/stat.h>

#include "../../src/bench/bench.h"
#include "../../src/bench/checkpoint.h"
#include "../../src/bench/closeness.h"
#include "../../src/bench/engine.h"
#include "../../src/bench/pairs.h"

#define UNKNOWN UINT32_MAX

static struct device cpu;

static const struct algorithm *find_algorithm(const char *family, const char *variant)
{
    for (int i = 0; i < num_algorithms; i++)
        if (strcmp(algorithms[i]->family, family) == 0 && strcmp(algorithms[i]->variant, variant) == 0)
            return algorithms[i];
    fail_msg("there is no %s %s", family, variant);
    return NULL;
}

/* An algorithm's defaults, and if a setting is given, that. */
static const double *options_of(const struct algorithm *algorithm, const char *setting)
{
    static double values[MAX_OPTIONS];
    struct error error = {0};
    if (options_parse(algorithm, &setting, setting != NULL, values, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return values;
}

/* The distances between all vertices, by Floyd and Warshall: n x n; the caller frees. */
static uint32_t *distances_of(const struct graph *graph)
{
    vertex_t n = graph->num_vertices;
    uint32_t *d = malloc((size_t)n * n * sizeof *d);
    assert_non_null(d);
    memset(d, 0xff, (size_t)n * n * sizeof *d);
    for (vertex_t u = 0; u < n; u++) {
        d[u * n + u] = 0;
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
            d[u * n + graph->targets[e]] = 1;
    }
    for (vertex_t k = 0; k < n; k++)
        for (vertex_t u = 0; u < n; u++)
            for (vertex_t v = 0; d[u * n + k] != UNKNOWN && v < n; v++)
                if (d[k * n + v] != UNKNOWN && d[u * n + k] + d[k * n + v] < d[u * n + v])
                    d[u * n + v] = d[u * n + k] + d[k * n + v];
    return d;
}

/* ---- batches ---- */

static void test_batches(void **state)
{
    (void)state;
    static const vertex_t sources[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 35};
    static const uint32_t sizes[] = {4, 4, 4, 4, 4, 4, 4, 4, 2, 2};
    struct graph graph = make_graph("grid:6x6", 0);
    const struct algorithm *serial = find_algorithm("msbfs", "serial");
    struct bench_request request = {.algorithm = serial,
                                    .graph = &graph,
                                    .device = &cpu,
                                    .options = options_of(serial, "batch=4"),
                                    .sources = sources,
                                    .num_sources = 10,
                                    .verify = VERIFY_ALL};
    for (int aggregates = 0; aggregates < 2; aggregates++) {
        struct bench_result result;
        struct error error = {0};
        assert_int_equal(bench_run(&request, &(struct trials_options){.aggregates = aggregates}, &result, &error),
                         STATUS_OK);
        assert_int_equal(result.num_trials, 10);
        for (int i = 0; i < 10; i++) {
            const struct trial *trial = &result.trials[i];
            assert_int_equal(trial->source, sources[i]);
            assert_int_equal(trial->batch, sizes[i]);
            assert_int_equal(trial->reached, 36);
            assert_int_equal(trial->edges, graph.num_edges);
            assert_int_equal(trial->verdict, VERIFIED);
            assert_true(trial->kernel_ms == result.trials[i / 4 * 4].kernel_ms); /* each has the same share */
        }
        assert_int_equal(result.summary.batch_sources, 4);
        double mean = (4 * result.trials[0].kernel_ms + 4 * result.trials[4].kernel_ms) / 2;
        assert_true(fabs(result.summary.batch_kernel_ms - mean) < 1e-12);
        if (aggregates) {
            assert_null(result.last.level);
            assert_int_equal(result.last.sums[1].eccentricity, 10); /* of the last batch: 5 and 35 */
            assert_int_equal(result.last.sums[1].reached, 36);
        } else {
            assert_int_equal(result.last.level[0], 10);
            assert_int_equal(result.last.level[35], 0);
        }
        bench_release(&result);
    }
    graph_release(&graph);
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
static void test_batches_are_resumed(void **state)
{
    (void)state;
    static const vertex_t sources[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    char path[512], options[64];
    struct graph graph = make_graph("path:10", 0);
    const struct algorithm *serial = find_algorithm("msbfs", "serial");
    struct bench_request request = {.algorithm = serial,
                                    .graph = &graph,
                                    .device = &cpu,
                                    .options = options_of(serial, "batch=4"),
                                    .sources = sources,
                                    .num_sources = 4,
                                    .verify = VERIFY_FIRST,
                                    .records = "records"};
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

/* ---- one that goes wrong: on a path, like the serial one but for what is told wrong ---- */

static struct {
    enum output wrong; /* 0: nothing */
    uint32_t num_sources;
    vertex_t sources[16];
    const struct destination *destinations;
    uint64_t num_destinations;
    int failing; /* the traversal that fails; 0: none */
    int traversals;
} fake;

static int fake_prepare(struct run *run)
{
    run->batch_size = 3;
    return STATUS_OK;
}

static int fake_traverse(struct run *run, const struct query *query)
{
    memcpy(fake.sources, query->sources, query->num_sources * sizeof *query->sources);
    fake.num_sources = query->num_sources;
    fake.destinations = query->destinations;
    fake.num_destinations = query->num_destinations;
    return ++fake.traversals == fake.failing ? error_set(run->error, STATUS_DEVICE, "on fire") : STATUS_OK;
}

static uint32_t fake_level(vertex_t u, vertex_t v)
{
    return u < v ? v - u : u - v;
}

static int fake_fetch(struct run *run, struct traversal *result)
{
    vertex_t n = run->graph->num_vertices;
    for (vertex_t v = 0; result->level != NULL && v < n; v++)
        result->level[v] = fake_level(fake.sources[result->which], v);
    if (result->level != NULL && fake.wrong == OUTPUT_LEVEL)
        result->level[n - 1]++;
    for (uint32_t i = 0; result->sums != NULL && i < fake.num_sources; i++) {
        result->sums[i] = (struct source_sums){.reached = n};
        for (vertex_t v = 0; v < n; v++) {
            uint32_t level = fake_level(fake.sources[i], v);
            result->sums[i].level_sum += level;
            result->sums[i].eccentricity =
                level > result->sums[i].eccentricity ? level : result->sums[i].eccentricity;
        }
        result->sums[i].level_sum += fake.wrong == OUTPUT_SUMS;
    }
    for (uint64_t i = 0; result->length != NULL && i < fake.num_destinations; i++)
        result->length[i] = fake_level(fake.sources[fake.destinations[i].which], fake.destinations[i].vertex) +
                            (fake.wrong == OUTPUT_LENGTH);
    return STATUS_OK;
}

static void fake_release(struct run *run)
{
    (void)run;
}

static const struct algorithm fake_algorithm = {
    .family = "msbfs",
    .variant = "fake",
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_LENGTH,
    .prepare = fake_prepare,
    .traverse = fake_traverse,
    .fetch = fake_fetch,
    .release = fake_release,
};

static void test_wrong_results_are_told(void **state)
{
    (void)state;
    static const vertex_t sources[] = {0, 4, 2, 3};
    struct graph graph = make_graph("path:5", 0);
    const double none[MAX_OPTIONS] = {0};
    struct bench_request request = {.algorithm = &fake_algorithm,
                                    .graph = &graph,
                                    .device = &cpu,
                                    .options = none,
                                    .sources = sources,
                                    .num_sources = 4,
                                    .verify = VERIFY_ALL};
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
        struct bench_result result;
        struct error error = {0};
        memset(&fake, 0, sizeof fake);
        fake.wrong = cases[i].wrong;
        const struct trials_options asked = {.aggregates = cases[i].aggregates};
        int status = bench_run(&request, &asked, &result, &error);
        assert_int_equal(status, cases[i].wrong != 0 ? STATUS_WRONG : STATUS_OK);
        assert_string_equal(error.text, cases[i].message);
        assert_int_equal(result.num_trials, 4);
        bench_release(&result);
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
    graph_release(&graph);
}

/* ---- early stops ---- */

/* Lengths are right; levels are, below the farthest destination's, and from there on right or UNREACHED. */
static void test_destinations(void **state)
{
    (void)state;
    static const char *const specs[] = {"grid:7x9", "dag:60:0.1", "kron:6", "path:40"};
    for (int a = 0; a < num_algorithms; a++) {
        const struct algorithm *algorithm = algorithms[a];
        if (strcmp(algorithm->family, "msbfs") != 0 || algorithm->device != DEVICE_CPU)
            continue;
        for (size_t g = 0; g < COUNT(specs); g++) {
            struct graph graph = make_graph(specs[g], 0);
            vertex_t n = graph.num_vertices;
            uint32_t *truth = distances_of(&graph), *level = malloc(n * sizeof *level), length[5];
            const vertex_t sources[] = {0, n / 2, 0, n - 1};
            const struct destination destinations[] = {{0, 0}, {0, n / 3}, {1, n - 1}, {1, n - 1}, {3, 1}};
            struct bench_request request = {
                .algorithm = algorithm, .graph = &graph, .device = &cpu, .options = options_of(algorithm, NULL)};
            struct query query = {
                .sources = sources, .num_sources = 4, .destinations = destinations, .num_destinations = 5};
            struct engine engine;
            struct error error = {0};
            double time_ms, kernel_ms;
            assert_int_equal(engine_open(&engine, &request, &cpu, OUTPUT_LEVEL | OUTPUT_LENGTH, 4, &error),
                             STATUS_OK);
            for (int again = 0; again < 2; again++) {
                assert_int_equal(engine_traverse(&engine, &query, &time_ms, &kernel_ms), STATUS_OK);
                struct traversal lengths = {.length = length};
                assert_int_equal(engine_fetch(&engine, 4, &lengths), STATUS_OK);
                for (size_t d = 0; d < COUNT(destinations); d++)
                    assert_int_equal(length[d], truth[sources[destinations[d].which] * n + destinations[d].vertex]);
                for (uint32_t which = 0; which < 4; which++) {
                    struct traversal levels = {.which = which, .level = level};
                    uint32_t farthest = 0;
                    bool all = true;
                    for (size_t d = 0; d < COUNT(destinations); d++)
                        if (destinations[d].which == which) {
                            all = all && length[d] != UNREACHED;
                            farthest = length[d] != UNREACHED && length[d] > farthest ? length[d] : farthest;
                        }
                    assert_int_equal(engine_fetch(&engine, 4, &levels), STATUS_OK);
                    for (vertex_t v = 0; v < n; v++) {
                        uint32_t right = truth[sources[which] * n + v];
                        if (level[v] != right && (level[v] != UNREACHED || right < farthest || !all))
                            fail_msg("%s on %s: level %u of %u from source %u, not %u", algorithm->variant, specs[g],
                                     level[v], v, which, right);
                    }
                }
            }
            engine_close(&engine);
            free(truth);
            free(level);
            graph_release(&graph);
        }
    }
}

/* ---- pairs ---- */

static void test_reading_pairs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t count;
        struct pair pairs[3];
    } good[] = {
        {"1,2\n", 1, {{1, 2}}},
        {"src,dst\n1,2\n3,4", 2, {{1, 2}, {3, 4}}},
        {"Person1Id|Person2Id\r\n1|2\r\n\r\n3|4\r\n", 2, {{1, 2}, {3, 4}}},
        {"# comment\n\nsource destination\n 0\t9 \n# more\n9 ; 0\n1, 2", 3, {{0, 9}, {9, 0}, {1, 2}}},
        {"5,5\n5,5\n", 2, {{5, 5}, {5, 5}}},
    };
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "pairs.csv: no pairs in the file"},
        {"src,dst\n", "pairs.csv: no pairs in the file"},
        {"src,dst\nagain,more\n1,2\n", "pairs.csv:2:1: expected a vertex id"},
        {"1,2\nsrc,dst\n", "pairs.csv:2:1: expected a vertex id"},
        {"1\n", "pairs.csv:1:2: expected a second vertex id"},
        {"1,\n", "pairs.csv:1:3: expected a second vertex id"},
        {"1,2,3\n", "pairs.csv:1:4: expected the end of the line"},
        {"\n\n  1,x\n", "pairs.csv:3:5: expected a vertex id"},
        {"1,2x\n", "pairs.csv:1:3: expected a vertex id"},
        {"-1,2\n", "pairs.csv:1:1: expected a vertex id"},
        {"0,9\n1,10\n", "pairs.csv:2:3: 10 is not a vertex of path:10, which has 10 (numbered from 0)"},
        {"99999999999999999999,1\n",
         "pairs.csv:1:1: 99999999999999999999 is not a vertex of path:10, which has 10 (numbered from 0)"},
        {"4294967296,1\n", "pairs.csv:1:1: 4294967296 is not a vertex of path:10, which has 10 (numbered from 0)"},
    };
    struct graph graph = make_graph("path:10", 0);
    struct pair *pairs;
    uint64_t count;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct error error = {0};
        put_text("pairs.csv", good[i].text);
        assert_int_equal(read_pairs(&graph, "pairs.csv", &pairs, &count, &error), STATUS_OK);
        assert_int_equal(count, good[i].count);
        assert_memory_equal(pairs, good[i].pairs, count * sizeof *pairs);
        free(pairs);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct error error = {0};
        put_text("pairs.csv", bad[i].text);
        assert_int_equal(read_pairs(&graph, "pairs.csv", &pairs, &count, &error), STATUS_INPUT);
        assert_string_equal(error.text, bad[i].message);
        assert_null(pairs);
    }
    struct error error = {0};
    assert_int_equal(read_pairs(&graph, "none.csv", &pairs, &count, &error), STATUS_INPUT);
    assert_string_equal(error.text, "none.csv: cannot open: No such file or directory");
    graph_release(&graph);
}

/* What pairs_write gives for some pairs. */
static void assert_pairs(const struct bench_request *bench, bool paths, const struct pair *pairs, uint64_t count,
                         bool swapped, uint64_t num_sources, const char *expected)
{
    struct pairs_request request = {bench, pairs, count, paths};
    struct pairs_result result;
    struct error error = {0};
    if (pairs_run(&request, &result, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(result.swapped, swapped);
    assert_int_equal(result.num_sources, num_sources);
    assert_int_equal(pairs_write(&request, &result, "lengths.csv", &error), STATUS_OK);
    pairs_release(&result);
    char *text = get_bytes("lengths.csv", NULL);
    assert_string_equal(text, expected);
    free(text);
}

static const char *const pair_variants[][2] = {
    {"msbfs", "serial"}, {"msbfs", "then"}, {"msbfs", "pbfs"}, {"bfs", "serial"}, {"bfs", "gap"}};

static void test_pairs(void **state)
{
    (void)state;
    static const struct pair of_path[] = {{0, 3}, {3, 0}, {2, 2}, {0, 3}, {5, 6}};
    static const struct pair few_ends[] = {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {0, 4}};
    static const struct pair of_cycle[] = {{0, 4}, {4, 0}, {1, 0}};
    struct graph path = make_graph("0>1 1>0 1>2 2>1 2>3 3>2 5>4 4>5", 7),
                 cycle = make_graph("0>1 1>2 2>3 3>4 4>0", 5);
    struct graph line = make_graph("path:5", 0);
    uint64_t ids[] = {10, 20, 30, 40, 50, 60, 70};
    for (size_t i = 0; i < COUNT(pair_variants); i++) {
        const struct algorithm *algorithm = find_algorithm(pair_variants[i][0], pair_variants[i][1]);
        struct bench_request bench = {.algorithm = algorithm,
                                      .graph = &path,
                                      .device = &cpu,
                                      .options = options_of(algorithm, NULL),
                                      .verify = VERIFY_ALL};
        assert_pairs(&bench, false, of_path, 5, false, 4, "src,dst,length\n0,3,3\n3,0,3\n2,2,0\n0,3,3\n5,6,-1\n");
        assert_pairs(&bench, true, of_path, 5, false, 4,
                     "src,dst,length,path\n0,3,3,0 1 2 3\n3,0,3,3 2 1 0\n2,2,0,2\n0,3,3,0 1 2 3\n5,6,-1,\n");
        path.ids = ids;
        assert_pairs(&bench, true, of_path, 1, false, 1, "src,dst,length,path\n10,40,3,10 20 30 40\n");
        path.ids = NULL;
        bench.graph = &cycle; /* directed: never from the other side */
        assert_pairs(&bench, true, of_cycle, 3, false, 3,
                     "src,dst,length,path\n0,4,4,0 1 2 3 4\n4,0,1,4 0\n1,0,4,1 2 3 4 0\n");
        bench.graph = &line;
        assert_pairs(
            &bench, true, few_ends, 5, true, 1,
            "src,dst,length,path\n0,4,4,0 1 2 3 4\n1,4,3,1 2 3 4\n2,4,2,2 3 4\n3,4,1,3 4\n0,4,4,0 1 2 3 4\n");
    }
    graph_release(&path);
    graph_release(&cycle);
    graph_release(&line);
}

/* All pairs of random graphs, by every variant, in batches of every kind. */
static void test_all_pairs(void **state)
{
    (void)state;
    static const char *const specs[] = {"urand:6:1", "dag:70:0.05", "kron:6:2"};
    for (size_t g = 0; g < COUNT(specs); g++) {
        struct graph graph = make_graph(specs[g], 0);
        vertex_t n = graph.num_vertices;
        uint32_t *truth = distances_of(&graph);
        struct pair *pairs = malloc((size_t)n * n * sizeof *pairs);
        for (vertex_t u = 0; u < n; u++)
            for (vertex_t v = 0; v < n; v++)
                pairs[u * n + v] = (struct pair){v, u};
        for (size_t i = 0; i < COUNT(pair_variants); i++)
            for (int paths = 0; paths < 2; paths++) {
                const struct algorithm *algorithm = find_algorithm(pair_variants[i][0], pair_variants[i][1]);
                struct bench_request bench = {.algorithm = algorithm,
                                              .graph = &graph,
                                              .device = &cpu,
                                              .options = options_of(algorithm, NULL),
                                              .verify = VERIFY_ALL};
                struct pairs_request request = {&bench, pairs, (uint64_t)n * n, paths};
                struct pairs_result result;
                struct error error = {0};
                if (pairs_run(&request, &result, &error) != STATUS_OK)
                    fail_msg("%s", error.text);
                assert_int_equal(result.num_sources, n);
                assert_int_equal(result.num_keys, (uint64_t)n * n);
                for (uint64_t key = 0; key < result.num_keys; key++) /* they ascend */
                    assert_int_equal(result.length[key], truth[key]);
                pairs_release(&result);
            }
        free(pairs);
        free(truth);
        graph_release(&graph);
    }
}

/* ---- closeness ---- */

static const char *const closeness_variants[] = {"serial", "then", "pbfs"};

/* Of all vertices, or of the first ones of a list. */
static int run_closeness(const struct graph *graph, const char *variant, const vertex_t *sources, int count,
                         const char *checkpoint, struct closeness_result *result, struct error *error)
{
    const struct algorithm *algorithm = find_algorithm("msbfs", variant);
    struct bench_request bench = {.algorithm = algorithm,
                                  .graph = graph,
                                  .device = &cpu,
                                  .options = options_of(algorithm, NULL),
                                  .sources = sources,
                                  .num_sources = count,
                                  .verify = VERIFY_ALL};
    struct closeness_request request = {.bench = &bench, .checkpoint = checkpoint};
    return closeness_run(&request, result, error);
}

#define MOST 200
static vertex_t every[MOST];

static void test_closeness_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *arcs;
        vertex_t vertices;
        double closeness[6];
    } cases[] = {
        {"path:1", 0, {0}},
        {"path:2", 0, {1, 1}},
        {"path:3", 0, {2 / 3., 1, 2 / 3.}},
        {"star:5", 0, {1, 4 / 7., 4 / 7., 4 / 7., 4 / 7.}},
        {"0>1 1>0 1>2 2>1 3>4 4>3",
         6, /* components of 3, 2 and 1: (r - 1) / 5 times that within each */
         {2 / 5. * 2 / 3., 2 / 5., 2 / 5. * 2 / 3., 1 / 5., 1 / 5., 0}},
        {"0>1 1>2 2>0 2>3", 4, {2 / 3. * 2 / 3., 2 / 3. * 2 / 3., 2 / 3. * 2 / 3., 3 / 6.}}, /* distances to it */
        {"0>1 1>2", 3, {0, 1 / 2., 2 / 3.}},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t k = 0; k < COUNT(closeness_variants); k++) {
            struct graph graph = make_graph(cases[i].arcs, cases[i].vertices);
            struct closeness_result result;
            struct error error = {0};
            if (run_closeness(&graph, closeness_variants[k], every, (int)graph.num_vertices, NULL, &result, &error) !=
                STATUS_OK)
                fail_msg("%s", error.text);
            for (vertex_t v = 0; v < graph.num_vertices; v++)
                if (fabs(result.closeness[v] - cases[i].closeness[v]) > 1e-15)
                    fail_msg("%s: closeness of %u is %g, not %g", cases[i].arcs, v, result.closeness[v],
                             cases[i].closeness[v]);
            closeness_release(&result);
            graph_release(&graph);
        }
}

/* From some of the vertices an estimate, which is exact once they are all. */
static void test_sampled_closeness(void **state)
{
    (void)state;
    static const char *const specs[] = {"kron:7", "dag:100:0.05", "grid:10x10"};
    for (size_t i = 0; i < COUNT(specs); i++) {
        struct graph graph = make_graph(specs[i], 0);
        vertex_t n = graph.num_vertices, drawn[MOST], again[MOST];
        struct closeness_result exact, all, some;
        struct error error = {0};
        bool is[MOST] = {false};
        assert_int_equal(sample_vertices(&graph, (int)n, drawn, &error), STATUS_OK);
        assert_int_equal(sample_vertices(&graph, (int)n / 2, again, &error), STATUS_OK);
        for (vertex_t v = 0; v < n; v++) {
            assert_true(drawn[v] < n && !is[drawn[v]]);
            is[drawn[v]] = true;
            assert_true(v >= n / 2 || again[v] == drawn[v]);
        }
        assert_int_equal(run_closeness(&graph, "then", every, (int)n, NULL, &exact, &error), STATUS_OK);
        assert_int_equal(run_closeness(&graph, "pbfs", drawn, (int)n, NULL, &all, &error), STATUS_OK);
        assert_int_equal(run_closeness(&graph, "serial", drawn, (int)n / 2, NULL, &some, &error), STATUS_OK);
        double off = 0, sum = 0;
        for (vertex_t v = 0; v < n; v++) {
            assert_true(exact.closeness[v] == all.closeness[v]);
            off += fabs(exact.closeness[v] - some.closeness[v]);
            sum += exact.closeness[v];
        }
        if (off > (graph.symmetric ? 0.1 : 0.3) * sum)
            fail_msg("%s: off by %g of %g", specs[i], off, sum);
        closeness_release(&exact);
        closeness_release(&all);
        closeness_release(&some);
        assert_int_equal(sample_vertices(&graph, (int)n + 1, drawn, &error), STATUS_INPUT);
        graph_release(&graph);
    }
}

static void test_closeness_refuses(void **state)
{
    (void)state;
    static const vertex_t twice[] = {1, 2, 1};
    struct graph graph = make_graph("path:5", 0), directed = make_graph("0>1 1>2", 3);
    struct closeness_result result;
    struct error error = {0};
    assert_int_equal(run_closeness(&graph, "then", twice, 3, NULL, &result, &error), STATUS_INPUT);
    assert_string_equal(error.text, "closeness takes each source once; 1 is there twice");
    closeness_release(&result);
    /* The fake one gives sums a source and no far values. */
    const double none[MAX_OPTIONS] = {0};
    struct bench_request bench = {.algorithm = &fake_algorithm,
                                  .graph = &graph,
                                  .device = &cpu,
                                  .options = none,
                                  .sources = every,
                                  .num_sources = 5,
                                  .verify = VERIFY_ALL};
    struct closeness_request request = {.bench = &bench};
    memset(&fake, 0, sizeof fake);
    error = (struct error){0};
    if (closeness_run(&request, &result, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_true(result.closeness[2] == 4 / 6. && result.closeness[0] == 4 / 10.);
    closeness_release(&result);
    fake.wrong = OUTPUT_SUMS;
    assert_int_equal(closeness_run(&request, &result, &error), STATUS_WRONG);
    closeness_release(&result);
    error = (struct error){0};
    bench.num_sources = 4;
    assert_int_equal(closeness_run(&request, &result, &error), STATUS_INPUT);
    assert_non_null(strstr(error.text, "gives sums a source and no far values"));
    closeness_release(&result);
    error = (struct error){0};
    bench.graph = &directed;
    bench.num_sources = 3;
    assert_int_equal(closeness_run(&request, &result, &error), STATUS_INPUT);
    closeness_release(&result);
    graph_release(&graph);
    graph_release(&directed);
}

/* Wherever it is interrupted, what was done is kept, and another variant goes on. */
static void test_closeness_goes_on(void **state)
{
    (void)state;
    const double none[MAX_OPTIONS] = {0};
    struct graph graph = make_graph("path:16", 0);
    struct closeness_result whole, part, rest;
    struct error error = {0};
    assert_int_equal(run_closeness(&graph, "serial", every, 16, NULL, &whole, &error), STATUS_OK);
    for (int failing = 1; failing <= 7; failing++) { /* in batches of three: the seventh never comes */
        struct bench_request bench = {.algorithm = &fake_algorithm,
                                      .graph = &graph,
                                      .device = &cpu,
                                      .options = none,
                                      .sources = every,
                                      .num_sources = 16};
        struct closeness_request request = {.bench = &bench, .checkpoint = "state"};
        memset(&fake, 0, sizeof fake);
        ctrl_c_pressed = failing == 7;
        int status = closeness_run(&request, &part, &error);
        ctrl_c_pressed = false;
        assert_int_equal(status, failing == 7 ? STATUS_INTERRUPTED : STATUS_OK);
        if (failing == 7)
            assert_int_equal(part.num_done, 0);
        closeness_release(&part);
        error = (struct error){0};
        assert_int_equal(run_closeness(&graph, "then", every, 16, "state", &rest, &error), STATUS_OK);
        assert_int_equal(rest.num_resumed, failing == 7 ? 0 : 16);
        for (vertex_t v = 0; v < 16; v++)
            assert_true(rest.closeness[v] == whole.closeness[v]);
        closeness_release(&rest);
        closeness_forget(&request);
        assert_int_equal(access("state", F_OK), -1);
    }
    closeness_release(&whole);
    graph_release(&graph);
}

static void test_bad_checkpoints(void **state)
{
    (void)state;
    struct graph graph = make_graph("path:16", 0), other = make_graph("star:16", 0);
    struct closeness_result result;
    struct error error = {0};
    assert_int_equal(run_closeness(&graph, "then", every, 16, "state", &result, &error), STATUS_OK);
    closeness_release(&result);
    size_t length;
    char *whole = get_bytes("state", &length);
    static const char *const damaged[] = {
        "state: damaged checkpoint; remove it to begin anew",
        "state: not a checkpoint of this gtrav; name another file, or remove it",
        ("state: checkpoint of another graph, or of other sources; name another file, or remove it"),
    };
    for (size_t byte = 0; byte <= length; byte++) { /* and at last one too many */
        char *spoilt = malloc(length + 1);
        memcpy(spoilt, whole, length);
        spoilt[byte] = byte < length ? (char)(spoilt[byte] ^ 4) : 0;
        put_bytes("state", spoilt, byte < length ? length : length + 1);
        free(spoilt);
        error = (struct error){0};
        int status = run_closeness(&graph, "then", every, 16, "state", &result, &error);
        closeness_release(&result);
        if (status != STATUS_INPUT)
            fail_msg("byte %zu of %zu: %d", byte, length, status);
        bool told = false;
        for (size_t i = 0; i < COUNT(damaged); i++)
            told = told || strcmp(error.text, damaged[i]) == 0;
        if (!told)
            fail_msg("byte %zu: %s", byte, error.text);
    }
    for (size_t cut = 0; cut < length; cut += 7) {
        put_bytes("state", whole, cut);
        error = (struct error){0};
        assert_int_equal(run_closeness(&graph, "then", every, 16, "state", &result, &error), STATUS_INPUT);
        closeness_release(&result);
    }
    put_bytes("state", whole, length);
    error = (struct error){0};
    assert_int_equal(run_closeness(&other, "then", every, 16, "state", &result, &error), STATUS_INPUT);
    assert_string_equal(error.text, damaged[2]);
    closeness_release(&result);
    error = (struct error){0};
    assert_int_equal(run_closeness(&graph, "then", every, 15, "state", &result, &error), STATUS_INPUT);
    assert_string_equal(error.text, damaged[2]);
    closeness_release(&result);
    free(whole);
    graph_release(&graph);
    graph_release(&other);
}

/* ---- checkpoints of several ranks ---- */

#define CHECKPOINT_SOURCES 16

/* A file of this rank: of the sources from first on, each of which adds one to each vertex. */
static void put_part(struct checkpoint *checkpoint, uint32_t rank, uint64_t first, uint64_t last)
{
    uint64_t done[1] = {0}, far[CHECKPOINT_SOURCES];
    uint32_t far_count[CHECKPOINT_SOURCES];
    struct error error = {0};
    struct totals totals = {.num_sources = CHECKPOINT_SOURCES,
                            .num_vertices = CHECKPOINT_SOURCES,
                            .done = done,
                            .num_done = last - first,
                            .far = far,
                            .far_count = far_count};
    char name[32];
    for (uint64_t source = first; source < last; source++)
        set_bit(done, source);
    for (int v = 0; v < CHECKPOINT_SOURCES; v++)
        far[v] = far_count[v] = (uint32_t)(last - first);
    totals.time_ms = totals.kernel_ms = 10 + rank;
    assert_int_equal(checkpoint_save(checkpoint, &totals, &error), STATUS_OK);
    if (rank > 0) {
        snprintf(name, sizeof name, "state.%u", rank);
        assert_int_equal(rename("state", name), 0);
    }
}

/* Files that ranks left in every state that a kill can leave them in; one rank takes them up. */
static void test_checkpoints_of_ranks(void **state)
{
    (void)state;
    static const struct {
        struct {
            uint32_t rank;
            uint64_t first, last;
        } parts[4];        /* none: first = last */
        uint64_t num_done; /* 0: an error */
        double time_ms;
    } cases[] = {
        {.num_done = 0, .time_ms = 0},
        {{{0, 0, 5}}, 5, 10},
        {{{3, 0, 5}}, 5, 13},
        {{{0, 0, 5}, {1, 5, 9}, {2, 9, 16}}, 16, 12},
        {{{0, 0, 9}, {2, 0, 5}, {1, 9, 12}}, 12, 11}, /* 0 has taken up 2, and was killed before it removed it */
        {{{0, 0, 5}, {1, 0, 12}, {2, 12, 14}, {4, 5, 7}}, 14, 12}, /* 1 has taken up two */
        {{{0, 3, 8}, {1, 3, 8}}, 8 - 3, 10},                       /* the same twice */
        {{{0, 0, 5}, {1, 4, 9}}, 0, 0},
        {{{0, 0, 5}, {1, 5, 9}, {2, 4, 6}}, 0, 0}, /* of both, a subset of neither */
    };
    struct graph graph = make_graph("path:16", 0);
    checkpoint_forget("state"); /* what the tests before left */
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t done[1] = {0}, far[CHECKPOINT_SOURCES] = {0}, wanted[1] = {0};
        uint32_t far_count[CHECKPOINT_SOURCES] = {0};
        struct totals totals = {.num_sources = CHECKPOINT_SOURCES,
                                .num_vertices = CHECKPOINT_SOURCES,
                                .done = done,
                                .far = far,
                                .far_count = far_count};
        struct checkpoint checkpoint;
        struct error error = {0};
        bool any = false;
        checkpoint_open(&checkpoint, "state", &graph, every, CHECKPOINT_SOURCES);
        for (int p = 3; p >= 0; p--) { /* rank 0's last: the others pass through its name */
            uint32_t rank = cases[i].parts[p].rank;
            uint64_t first = cases[i].parts[p].first, last = cases[i].parts[p].last;
            if (first == last)
                continue;
            put_part(&checkpoint, rank, first, last);
            any = true;
            for (uint64_t source = first; source < last; source++)
                set_bit(wanted, source);
        }
        int status = checkpoint_take_up(&checkpoint, &totals, &error);
        if (any && cases[i].num_done == 0) {
            assert_int_equal(status, STATUS_INPUT);
            assert_non_null(strstr(error.text, "state: two of its files have sources in common"));
        } else {
            assert_int_equal(status, STATUS_OK);
            assert_int_equal(totals.num_done, cases[i].num_done);
            assert_true(done[0] == wanted[0]);
            for (int v = 0; v < CHECKPOINT_SOURCES; v++)
                assert_true(far[v] == cases[i].num_done && far_count[v] == cases[i].num_done);
            assert_true(totals.time_ms == cases[i].time_ms);
            if (any)
                assert_int_equal(checkpoint_save(&checkpoint, &totals, &error), STATUS_OK);
            for (int rank = 1; rank < 5; rank++) { /* what was merged goes once the whole is written */
                char name[32];
                snprintf(name, sizeof name, "state.%d", rank);
                assert_int_equal(access(name, F_OK), -1);
            }
        }
        checkpoint_close(&checkpoint);
        put_bytes("state.7", "", 0);
        put_bytes("state.txt", "", 0);
        checkpoint_forget("state");
        assert_true(access("state", F_OK) < 0 && access("state.7", F_OK) < 0 && access("state.txt", F_OK) == 0);
    }
    graph_release(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_batches_are_resumed),
        cmocka_unit_test(test_wrong_results_are_told),
        cmocka_unit_test(test_destinations),
        cmocka_unit_test(test_reading_pairs),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_all_pairs),
        cmocka_unit_test(test_closeness_by_hand),
        cmocka_unit_test(test_sampled_closeness),
        cmocka_unit_test(test_closeness_refuses),
        cmocka_unit_test(test_closeness_goes_on),
        cmocka_unit_test(test_bad_checkpoints),
        cmocka_unit_test(test_checkpoints_of_ranks),
    };
    struct error error = {0};
    for (vertex_t v = 0; v < MOST; v++)
        every[v] = v;
    if (device_open_cpu(&cpu, 0, &error) != STATUS_OK)
        return 1;
    int failed = cmocka_run_group_tests_name("many sources", tests, enter_folder, leave_folder);
    cpu.close(&cpu);
    return failed;
}
