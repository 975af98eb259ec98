/* test_bench.c: sources, options, the trial loop, its figures, records and JSON, with an algorithm, a device and a
 * clock that are made up. */
#include "support.h"

#include <fcntl.h>
#include <math.h>
#include <omp.h>
#include <sys/stat.h>

#include "../../src/bench/bench.h"
#include "../../src/bench/identity.h"

#define FACTS       "tests/data/graph_facts.csv" /* from the root of the repository, where `make unit` runs */
#define RECORDS     "records"
#define NUM_THREADS 3 /* that OpenMP is to use */

/* ---- a fake algorithm on a path: the level of v is |v - source| ---- */

static struct {
    int prepared, traversals, released;
    vertex_t source;
    bool wrong[16];               /* sources whose result is wrong */
    int fail_prepare, fail_fetch; /* a status, or 0 */
    int failing, interrupting;    /* the traversal that fails, or in which Ctrl-C is pressed; 0: none */
    bool builds;                  /* formats, in the device's memory */
} fake;

/* The device's memory: HELD stay in use after preparing, which takes BUILDING more, and a traversal takes RUNNING. */
#define HELD     1000u
#define BUILDING 500u
#define RUNNING  200u
static struct device_memory fake_memory;

static void use_memory(uint64_t bytes)
{
    fake_memory.bytes += bytes;
    if (fake_memory.bytes > fake_memory.peak_bytes)
        fake_memory.peak_bytes = fake_memory.bytes;
}

static int fake_prepare(struct run *run)
{
    fake.prepared++;
    if (fake.builds) {
        use_memory(HELD + BUILDING);
        fake_memory.bytes -= BUILDING;
        run->build_ms = 2.5;
        snprintf(run->note, sizeof run->note, "%s", "so big, \"so\" good");
    }
    return fake.fail_prepare != 0 ? error_set(run->error, fake.fail_prepare, "cannot prepare") : STATUS_OK;
}

static int fake_traverse(struct run *run, const struct query *query)
{
    fake.traversals++;
    fake.source = query->source;
    if (fake.builds) {
        use_memory(RUNNING);
        fake_memory.bytes -= RUNNING;
    }
    ctrl_c_pressed = ctrl_c_pressed || fake.traversals == fake.interrupting;
    return fake.traversals == fake.failing ? error_set(run->error, STATUS_DEVICE, "the device is on fire")
                                           : STATUS_OK;
}

static int fake_fetch(struct run *run, struct traversal *result)
{
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        result->level[v] = v > fake.source ? v - fake.source : fake.source - v;
    result->level[2] += fake.wrong[fake.source];
    return fake.fail_fetch != 0 ? error_set(run->error, fake.fail_fetch, "cannot fetch") : STATUS_OK;
}

static int fake_fetch_order(struct run *run, struct traversal *result)
{
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        result->order[v] = v;
    result->num_ordered = run->graph->num_vertices;
    return STATUS_OK;
}

static void fake_release(struct run *run)
{
    (void)run;
    fake.released++;
    fake_memory.bytes = 0;
}

static const struct option_spec fake_options[] = {
    {"size", 4, 1, 64, NULL, "how large"},
    {"policy", 1, 0, 2, "random|load-aware|none", "which"},
    {0},
};

static const struct algorithm fake_bfs = {.family = "bfs",
                                          .variant = "fake",
                                          .device = DEVICE_CPU,
                                          .outputs = OUTPUT_LEVEL,
                                          .options = fake_options,
                                          .prepare = fake_prepare,
                                          .traverse = fake_traverse,
                                          .fetch = fake_fetch,
                                          .release = fake_release};
static const struct algorithm fake_topo = {.family = "topo",
                                           .variant = "fake",
                                           .device = DEVICE_CPU,
                                           .outputs = OUTPUT_ORDER,
                                           .prepare = fake_prepare,
                                           .traverse = fake_traverse,
                                           .fetch = fake_fetch_order,
                                           .release = fake_release};

static int fake_use(struct device *device, struct error *error)
{
    (void)device, (void)error;
    return STATUS_OK;
}

static void fake_mark(struct device *device, enum mark mark)
{
    (void)device, (void)mark;
}

/* From source s the kernel takes s + 1 microseconds, and all of the trial twice as long. */
static int fake_elapsed(struct device *device, double *time_ms, double *kernel_ms, struct error *error)
{
    (void)device, (void)error;
    *kernel_ms = fake.source == NO_VERTEX ? 0.5 : (fake.source + 1) * 1e-3;
    *time_ms = 2 * *kernel_ms;
    return STATUS_OK;
}

static struct device fake_device = {.name = "Fake",
                                    .slug = "fake",
                                    .memory = &fake_memory,
                                    .mark = fake_mark,
                                    .elapsed = fake_elapsed,
                                    .use = fake_use};

/* ---- one run of it ---- */

static struct graph path_10, dag_4;
static double options[MAX_OPTIONS];

static struct trials_options asked; /* of runs */

/* Before every test: nothing recorded, the fake at its best. */
static int set_up(void **state)
{
    (void)state;
    struct error error = {0};
    remove_tree(RECORDS);
    memset(&fake, 0, sizeof fake);
    asked = (struct trials_options){0};
    fake_memory = (struct device_memory){0, 1u << 30}; /* a run before this one needed more */
    path_10 = make_graph("path:10", 0);
    dag_4 = make_graph("0>1 1>2 2>3", 4);
    return options_parse(&fake_bfs, NULL, 0, options, &error);
}

static int tear_down(void **state)
{
    (void)state;
    ctrl_c_pressed = false;
    graph_release(&path_10);
    graph_release(&dag_4);
    return 0;
}

static struct bench_request request_of(const vertex_t *sources, int num_sources, enum verify_mode verify)
{
    return (struct bench_request){.algorithm = &fake_bfs,
                                  .graph = &path_10,
                                  .device = &fake_device,
                                  .options = options,
                                  .sources = sources,
                                  .num_sources = num_sources,
                                  .verify = verify,
                                  .load_ms = 1.5,
                                  .records = RECORDS};
}

/* Runs and expects a status, so many trials in the result, and so many traversals for them (a warm-up is one, too).
 */
static void run_and_expect(const struct bench_request *request, int status, int trials, int traversals)
{
    struct bench_result result;
    struct error error = {0};
    fake.traversals = 0;
    assert_int_equal(bench_run(request, &asked, &result, &error), status);
    assert_int_equal(error.status, status);
    assert_int_equal(result.num_trials, trials);
    assert_int_equal(fake.traversals, traversals);
    assert_int_equal(fake.prepared, fake.released);
    bench_release(&result);
}

/* ---- sources ---- */

/* Whether the row lists sources; if so, they are checked. */
static bool check_facts(char *row)
{
    enum { SPEC, FIRST_SOURCES = 6 };
    vertex_t sources[64];
    struct error error = {0};
    char *fields[FIRST_SOURCES + 1];
    for (int i = 0; i <= FIRST_SOURCES; i++)
        fields[i] = strsep(&row, ",");
    if (fields[FIRST_SOURCES][0] == '\0')
        return false;
    struct graph graph = make_graph(fields[SPEC], 0);
    assert_int_equal(pick_sources(&graph, 64, sources, &error), STATUS_OK);
    char found[128] = "";
    for (int i = 0; i < 8; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%u", i > 0 ? " " : "", sources[i]);
    assert_string_equal(found, fields[FIRST_SOURCES]);
    for (int i = 0; i < 64; i++)
        assert_true(sources[i] < graph.num_vertices && graph_degree(&graph, sources[i]) > 0);
    graph_release(&graph);
    return true;
}

static char *facts; /* read before the folder is left */

static void test_sources_of_facts(void **state)
{
    (void)state;
    int checked = 0;
    char *rest = facts;
    strsep(&rest, "\n"); /* the names of the columns */
    for (char *row; (row = strsep(&rest, "\n")) != NULL && *row != '\0';)
        checked += check_facts(row);
    assert_true(checked >= 3);
}

/* Where few vertices have arcs, only these are drawn. */
static void test_sources_have_arcs(void **state)
{
    (void)state;
    vertex_t sources[10];
    struct error error = {0};
    struct graph graph = make_graph("77>3 5>77", 100), bare = make_graph("", 3);
    assert_int_equal(pick_sources(&graph, 10, sources, &error), STATUS_OK);
    for (int i = 0; i < 10; i++)
        assert_true(sources[i] == 77 || sources[i] == 5);
    free(bare.name);
    bare.name = strdup("bare");
    assert_int_equal(pick_sources(&bare, 1, sources, &error), STATUS_INPUT);
    assert_string_equal(error.text, "bare: no vertex has an out-neighbour to start from; name a start with --source");
    graph_release(&graph);
    graph_release(&bare);
}

static const struct {
    const char *list;
    int count;
    vertex_t sources[5];
    const char *message; /* NULL: it is good */
} source_lists[] = {
    {"0", 1, {0}, NULL},
    {"5,9,5", 3, {5, 9, 5}, NULL},
    {"1,2,3,4,5", 5, {1, 2, 3, 4, 5}, NULL},
    {"007", 1, {7}, NULL},
    {"", 0, {0}, "--source: '' is not a vertex number"},
    {"x", 0, {0}, "--source: 'x' is not a vertex number"},
    {"-1", 0, {0}, "--source: '-1' is not a vertex number"},
    {"1,", 0, {0}, "--source: '' is not a vertex number"},
    {"1,,2", 0, {0}, "--source: ',2' is not a vertex number"},
    {"1, 2", 0, {0}, "--source: ' 2' is not a vertex number"},
    {"1;2", 0, {0}, "--source 1;2: expected vertex numbers with commas between"},
    {"1.5", 0, {0}, "--source 1.5: expected vertex numbers with commas between"},
    {"3,10", 0, {0}, "--source: source 10 is not a vertex of path:10, which has 10 (numbered from 0)"},
    {"99999999999999999999",
     0,
     {0},
     "--source: source 99999999999999999999 is not a vertex of path:10, which has 10 (numbered from 0)"},
};

static void test_parse_sources(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(source_lists); i++) {
        vertex_t *sources;
        int count;
        struct error error = {0};
        bool good = source_lists[i].message == NULL;
        assert_int_equal(parse_sources(&path_10, source_lists[i].list, &sources, &count, &error),
                         good ? STATUS_OK : STATUS_INPUT);
        assert_string_equal(error.text, good ? "" : source_lists[i].message);
        if (good) {
            assert_int_equal(count, source_lists[i].count);
            assert_memory_equal(sources, source_lists[i].sources, (size_t)count * sizeof *sources);
        } else {
            assert_null(sources);
        }
        free(sources);
    }
}

#define LONG_TEXT "0123456789012345678901234567890123456789012345678901234567890123456789"

static void test_read_sources(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int count;
        vertex_t sources[3];
        const char *message;
    } files[] = {
        {"3\n", 1, {3}, NULL},
        {"3\n1\n3", 3, {3, 1, 3}, NULL},
        {"# three\r\n\r\n \t3 \r\n1 # one\r\n", 2, {3, 1}, NULL},
        {"# " LONG_TEXT LONG_TEXT LONG_TEXT "\n4\n", 1, {4}, NULL},
        {"", 0, {0}, "s.txt: no sources in the file"},
        {"# 3\n\n", 0, {0}, "s.txt: no sources in the file"},
        {"3\nfour\n", 0, {0}, "s.txt:2: 'four' is not a vertex number"},
        {"3 4\n", 0, {0}, "s.txt:1: expected one vertex number a line"},
        {"3\n# " LONG_TEXT LONG_TEXT "\n10\n",
         0,
         {0},
         "s.txt:3: source 10 is not a vertex of path:10, which has 10 (numbered from 0)"},
    };
    vertex_t *sources;
    int count;
    for (size_t i = 0; i < COUNT(files); i++) {
        struct error error = {0};
        bool good = files[i].message == NULL;
        put_text("s.txt", files[i].text);
        assert_int_equal(read_sources(&path_10, "s.txt", &sources, &count, &error), good ? STATUS_OK : STATUS_INPUT);
        assert_string_equal(error.text, good ? "" : files[i].message);
        if (good) {
            assert_int_equal(count, files[i].count);
            assert_memory_equal(sources, files[i].sources, (size_t)count * sizeof *sources);
        } else {
            assert_null(sources);
        }
        free(sources);
    }
    struct error missing = {0}, folder = {0};
    assert_int_equal(read_sources(&path_10, "none.txt", &sources, &count, &missing), STATUS_INPUT);
    assert_string_equal(missing.text, "none.txt: cannot open: No such file or directory");
    assert_int_equal(read_sources(&path_10, ".", &sources, &count, &folder), STATUS_INPUT);
    assert_string_equal(folder.text, ".: cannot read: Is a directory");
}

/* ---- options ---- */

static void test_options(void **state)
{
    (void)state;
    static const struct {
        const char *settings[3];
        const char *text;    /* as records have it */
        const char *message; /* NULL: they are good */
    } cases[] = {
        {{NULL}, "size=4 policy=load-aware", NULL},
        {{"size=64"}, "size=64 policy=load-aware", NULL},
        {{"policy=random", "size=1"}, "size=1 policy=random", NULL},
        {{"policy=none", "size=9", "size=8"}, "size=8 policy=none", NULL},
        {{"size"}, NULL, "--set size: expected NAME=VALUE"},
        {{"size="}, NULL, "--set size=: expected a whole number from 1 to 64"},
        {{"size=0"}, NULL, "--set size=0: expected a whole number from 1 to 64"},
        {{"size=65"}, NULL, "--set size=65: expected a whole number from 1 to 64"},
        {{"size=4.5"}, NULL, "--set size=4.5: expected a whole number from 1 to 64"},
        {{"size=many"}, NULL, "--set size=many: expected a whole number from 1 to 64"},
        {{"size=99999999999999999999"},
         NULL,
         "--set size=99999999999999999999: expected a whole number from 1 to 64"},
        {{"policy=load"}, NULL, "--set policy=load: expected one of random|load-aware|none"},
        {{"policy="}, NULL, "--set policy=: expected one of random|load-aware|none"},
        {{"policy=1"}, NULL, "--set policy=1: expected one of random|load-aware|none"},
        {{"siz=4"}, NULL, "--set siz=4: bfs fake has the options size, policy"},
        {{"sizes=4"}, NULL, "--set sizes=4: bfs fake has the options size, policy"},
        {{"=4"}, NULL, "--set =4: bfs fake has the options size, policy"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct error error = {0};
        double values[MAX_OPTIONS] = {0};
        int count = 0;
        while (count < 3 && cases[i].settings[count] != NULL)
            count++;
        bool good = cases[i].message == NULL;
        assert_int_equal(options_parse(&fake_bfs, cases[i].settings, count, values, &error),
                         good ? STATUS_OK : STATUS_INPUT);
        assert_string_equal(error.text, good ? "" : cases[i].message);
        if (!good)
            continue;
        char text[64], cut[64];
        options_format(&fake_bfs, values, text, sizeof text);
        assert_string_equal(text, cases[i].text);
        for (size_t size = 1; size <= strlen(text); size++) { /* what does not fit is cut off */
            memset(cut, 'x', sizeof cut);
            options_format(&fake_bfs, values, cut, size);
            assert_int_equal(strlen(cut), size - 1);
            assert_int_equal(strncmp(cut, text, size - 1), 0);
            assert_int_equal(cut[size], 'x');
        }
    }
    struct error error = {0};
    double none[MAX_OPTIONS] = {0};
    const char *setting = "size=4";
    char text[8] = "x";
    options_format(&fake_topo, none, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(options_parse(&fake_topo, &setting, 1, none, &error), STATUS_INPUT);
    assert_string_equal(error.text, "--set size=4: topo fake has no options");
}

/* ---- figures ---- */

static void test_summarize(void **state)
{
    (void)state;
    static const struct {
        int count;
        struct trial trials[4];
        struct summary expected;
    } cases[] = {
        {0, {{0}}, {.verified = "none"}},
        {1,
         {{.time_ms = 3, .kernel_ms = 2, .mteps = 5, .verdict = VERIFIED}},
         {1, 3, 2, 2, 2, 2, 0, 5, 5, "all", 0, 0, 0, 0, 0}},
        {1,
         {{.time_ms = 3, .kernel_ms = 2}},
         {1, 3, 2, 2, 2, 2, 0, 0, 0, "none", 0, 0, 0, 0, 0}}, /* a source without edges */
        {2,
         {{.time_ms = 1, .kernel_ms = 3, .mteps = 2, .verdict = VERIFIED},
          {.time_ms = 2, .kernel_ms = 1, .mteps = 6}},
         {2, 1.5, 2, 2, 1, 3, 0.70710678118654752, 4, 3, "first", 0, 0, 0, 0, 0}}, /* spread: sqrt(2) / 2 */
        {2, {{.time_ms = 0}, {.time_ms = 0}}, {.verified = "none"}},               /* quicker than the clock */
        {3,
         {{.time_ms = 5, .kernel_ms = 5, .mteps = 1},
          {.time_ms = 1, .kernel_ms = 1, .mteps = 4},
          {.time_ms = 3, .kernel_ms = 3, .mteps = 4}},
         {3, 3, 3, 3, 1, 5, 2 / 3., 3, 2, "none", 0, 0, 0, 0, 0}},
        {4,
         {{.time_ms = 8, .kernel_ms = 1, .mteps = 1, .verdict = VERIFIED},
          {.time_ms = 8, .kernel_ms = 9, .mteps = 0, .verdict = VERIFIED}, /* counts for all but the harmonic mean */
          {.time_ms = 8, .kernel_ms = 2, .mteps = 0.5, .verdict = VERIFY_FAILED},
          {.time_ms = 8, .kernel_ms = 4, .mteps = 1, .verdict = VERIFIED}},
         {4, 8, 4, 3, 1, 9, 0.88975652100260934, 0.625, 0.75, "FAILED", 0, 0, 0, 0, 0}}, /* sqrt(38 / 3) / 4 */
        {3,
         {{.kernel_ms = 1, .quality = {true, 7, 0.5}},
          {.kernel_ms = 1, .quality = {false, 1000, 1}},
          {.kernel_ms = 1, .quality = {true, 2, 0}}},
         {3, 0, 1, 1, 1, 1, 0, 0, 0, "none", 2, 4.5, 0.25, 0, 0}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct summary s;
        const struct summary *e = &cases[i].expected;
        struct error error = {0};
        assert_int_equal(summarize(cases[i].trials, cases[i].count, &s, &error), STATUS_OK);
        const double found[] = {s.mean_time_ms,    s.mean_kernel_ms,  s.median_kernel_ms, s.min_kernel_ms,
                                s.max_kernel_ms,   s.kernel_spread,   s.mean_mteps,       s.harmonic_mean_mteps,
                                s.mean_tree_depth, s.mean_cross_share};
        const double expected[] = {
            e->mean_time_ms,  e->mean_kernel_ms, e->median_kernel_ms,    e->min_kernel_ms,   e->max_kernel_ms,
            e->kernel_spread, e->mean_mteps,     e->harmonic_mean_mteps, e->mean_tree_depth, e->mean_cross_share};
        for (size_t f = 0; f < COUNT(found); f++)
            if (!(fabs(found[f] - expected[f]) < 1e-12))
                fail_msg("case %zu, figure %zu: %.17g, expected %.17g", i, f, found[f], expected[f]);
        assert_int_equal(s.trials, cases[i].count);
        assert_int_equal(s.trees, e->trees);
        assert_string_equal(s.verified, e->verified);
    }
}

/* ---- trials ---- */

static const vertex_t sources[] = {3, 0, 9, 5};

static void test_trials(void **state)
{
    (void)state;
    static const struct {
        enum verify_mode mode;
        int verified; /* trials, from the first */
        const char *word;
    } modes[] = {{VERIFY_NONE, 0, "none"}, {VERIFY_FIRST, 1, "first"}, {VERIFY_ALL, 3, "all"}};
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct bench_request request = request_of(sources, 3, modes[m].mode);
        struct bench_result result;
        struct error error = {0};
        request.records = NULL;
        memset(&fake, 0, sizeof fake);
        assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_OK);
        assert_int_equal(fake.traversals, 1 + 3);
        assert_int_equal(fake.prepared, 1);
        assert_int_equal(fake.released, 1);
        assert_int_equal(result.num_trials, 3);
        for (int i = 0; i < 3; i++) {
            const struct trial *trial = &result.trials[i];
            assert_int_equal(trial->source, sources[i]);
            assert_int_equal(trial->reached, 10);
            assert_int_equal(trial->edges, 18);
            assert_true(fabs(trial->kernel_ms - (sources[i] + 1) * 1e-3) < 1e-15);
            assert_true(fabs(trial->time_ms - 2 * trial->kernel_ms) < 1e-15);
            assert_true(fabs(trial->mteps - 18. / (sources[i] + 1)) < 1e-9);
            assert_int_equal(trial->verdict, i < modes[m].verified ? VERIFIED : NOT_VERIFIED);
            assert_false(trial->resumed);
        }
        assert_string_equal(result.summary.verified, modes[m].word);
        assert_true(fabs(result.summary.mean_kernel_ms - 5e-3) < 1e-15);
        assert_int_equal(result.last.level[0], 9); /* of the last source */
        assert_null(result.last.parent);
        assert_string_equal(result.wrong, "");
        assert_int_equal(access(RECORDS, F_OK), -1);
        bench_release(&result);
    }
}

/* What goes wrong where, what is said, and how many trials there are nevertheless. */
static void test_failures(void **state)
{
    (void)state;
    static const struct {
        int fail_prepare, fail_fetch, failing, interrupting;
        int status;
        const char *message;
        int trials, traversals;
    } cases[] = {
        {STATUS_DEVICE, 0, 0, 0, STATUS_DEVICE, "cannot prepare", 0, 0},
        {0, STATUS_DEVICE, 0, 0, STATUS_DEVICE, "cannot fetch", 0, 1},
        {0, 0, 1, 0, STATUS_DEVICE, "the device is on fire", 0, 1}, /* in the warm-up */
        {0, 0, 2, 0, STATUS_DEVICE, "the device is on fire", 0, 2},
        {0, 0, 4, 0, STATUS_DEVICE, "the device is on fire", 2, 4},
        {0, 0, 0, 1, STATUS_INTERRUPTED, "interrupted", 0, 1},
        {0, 0, 0, 3, STATUS_INTERRUPTED, "interrupted", 2, 3},
        {0, 0, 0, 5, STATUS_OK, "", 4, 5}, /* the last one is done all the same */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bench_request request = request_of(sources, 4, VERIFY_ALL);
        struct bench_result result;
        struct error error = {0};
        request.records = NULL;
        memset(&fake, 0, sizeof fake);
        fake.fail_prepare = cases[i].fail_prepare;
        fake.fail_fetch = cases[i].fail_fetch;
        fake.failing = cases[i].failing;
        fake.interrupting = cases[i].interrupting;
        int status = bench_run(&request, NULL, &result, &error);
        ctrl_c_pressed = false;
        assert_int_equal(status, cases[i].status);
        assert_string_equal(error.text, cases[i].message);
        assert_int_equal(result.num_trials, cases[i].trials);
        assert_int_equal(result.summary.trials, cases[i].trials);
        assert_int_equal(fake.traversals, cases[i].traversals);
        assert_int_equal(fake.released, 1);
        bench_release(&result);
    }
}

/* The other trials still run, and the first wrong one is told. */
static void test_wrong_result(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 4, VERIFY_ALL);
    struct bench_result result;
    struct error error = {0};
    request.records = NULL;
    fake.wrong[0] = fake.wrong[5] = true;
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_WRONG);
    assert_string_equal(error.text,
                        "bfs fake on path:10 from source 0: level of vertex 2 is 3, the serial BFS's is 2");
    assert_string_equal(result.wrong, error.text);
    assert_int_equal(result.num_trials, 4);
    static const enum verdict verdicts[] = {VERIFIED, VERIFY_FAILED, VERIFIED, VERIFY_FAILED};
    for (int i = 0; i < 4; i++)
        assert_int_equal(result.trials[i].verdict, verdicts[i]);
    assert_string_equal(result.summary.verified, "FAILED");
    bench_release(&result);
}

static void test_empty_graph(void **state)
{
    (void)state;
    struct graph empty = make_graph("path:0", 0);
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    struct bench_result result;
    struct error error = {0};
    request.graph = &empty;
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_INPUT);
    assert_string_equal(error.text, "path:0: the graph has no vertices; nothing to traverse");
    bench_release(&result);
    request.algorithm = &fake_topo; /* which needs no start */
    request.sources = NULL;
    request.records = NULL;
    error = (struct error){0};
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_OK);
    bench_release(&result);
    graph_release(&empty);
}

/* ---- records ---- */

#define TRIALS  RECORDS "/fake/trials/bfs_fake_path:10.csv"
#define SUMMARY RECORDS "/fake/bfs_fake_perf.csv"
#define TRIAL_HEADER                                                                                                 \
    "graph,vertices,edges,family,variant,options,device,source,trial_edges,reached,time_ms,"                         \
    "kernel_ms,mteps,verified,tree_depth,cross_share,batch_sources,threads"
#define SUMMARY_HEADER                                                                                               \
    "graph,vertices,edges,family,variant,options,device,sources,verified,load_ms,prepare_ms,mean_time_ms,"           \
    "mean_kernel_ms,median_kernel_ms,min_kernel_ms,max_kernel_ms,mean_mteps,harmonic_mean_mteps,"                    \
    "mean_tree_depth,mean_cross_share,reorder_ms,build_ms,device_bytes,peak_device_bytes,note,batch_sources,batch_"  \
    "kernel_ms,devices,threads"
#define NO_BUILDING ",0.000,0.000,0,0,,,,1,3\n" /* the last columns of a row of one that builds nothing */
#define KEY         "path:10,10,18,bfs,fake,size=4 policy=load-aware,fake,"
#define ROW3        KEY "3,18,10,0.008000,0.004000,4.500,"
#define ROW0        KEY "0,18,10,0.002000,0.001000,18.000,"
#define ROW9        KEY "9,18,10,0.020000,0.010000,1.800,"
#define ROW5        KEY "5,18,10,0.012000,0.006000,3.000,"

/* The last columns of a row are threads, build, version, date. */
#define BUILD_FROM_END   3
#define THREADS_FROM_END 4

/* Where the last `count` columns of a line begin, with the comma before them. */
static char *last_columns(char *line, const char *end, int count)
{
    char *cut = (char *)end;
    for (; count > 0 && cut != NULL; count--)
        cut = memrchr(line, ',', (size_t)(cut - line));
    assert_non_null(cut);
    return cut;
}

/* A CSV file from byte `start` on, without the last `cut_off` columns of every line; the caller frees. */
static char *rows_from(const char *path, size_t start, int cut_off)
{
    char *text = get_bytes(path, NULL), *to = text;
    memmove(text, text + start, strlen(text + start) + 1);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char *cut = last_columns(line, end, cut_off);
        memmove(to, line, (size_t)(cut - line));
        to += cut - line;
        *to++ = '\n';
    }
    *to = '\0';
    return text;
}

static void assert_rows(const char *path, const char *expected)
{
    char *rows = rows_from(path, 0, BUILD_FROM_END);
    assert_string_equal(rows, expected);
    free(rows);
}

/* The file has grown by these rows. */
static void assert_appended(const char *path, const char *before, const char *expected)
{
    char *after = get_bytes(path, NULL), *rows = rows_from(path, strlen(before), BUILD_FROM_END);
    assert_int_equal(strncmp(after, before, strlen(before)), 0);
    assert_string_equal(rows, expected);
    free(rows);
    free(after);
}

/* The newest summary, without the header. How long loading took is known here, how long preparing took is not and
 * left out. */
static void assert_summary(const char *expected)
{
    static const char load_ms[] = ",1.500,";
    char *rows = rows_from(SUMMARY, 0, BUILD_FROM_END);
    char *row = (char *)memrchr(rows, '\n', strlen(rows) - 1) + 1, *prepare_ms = strstr(row, load_ms);
    assert_non_null(prepare_ms);
    prepare_ms += sizeof load_ms - 1;
    const char *rest = prepare_ms + strcspn(prepare_ms, ",");
    memmove(prepare_ms, rest, strlen(rest) + 1);
    assert_string_equal(row, expected);
    free(rows);
}

/* Replaces one of the last columns of the file's last row, number `from_end` from the end (1: the last). */
static void put_column(const char *path, int from_end, const char *value)
{
    char *text = get_bytes(path, NULL), *end = text + strlen(text), *changed;
    char *column = last_columns(text, end, from_end), *rest = column + 1 + strcspn(column + 1, ",\n");
    assert_true(asprintf(&changed, "%.*s,%s%s", (int)(column - text), text, value, rest) > 0);
    put_text(path, changed);
    free(changed);
    free(text);
}

static int lines_of(const char *path)
{
    char *text = get_bytes(path, NULL);
    int lines = 0;
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}

static void test_rows_are_written(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 3, VERIFY_FIRST);
    run_and_expect(&request, STATUS_OK, 3, 4);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "no,,,,3\n" ROW9 "no,,,,3\n");
    assert_summary(
        KEY "3,first,1.500,,0.010000,0.005000,0.004000,0.001000,0.010000,8.100,3.600,6.000,0.000000000" NO_BUILDING);
    char *summary = rows_from(SUMMARY, 0, BUILD_FROM_END);
    assert_int_equal(strncmp(summary, SUMMARY_HEADER "\n", strlen(SUMMARY_HEADER "\n")), 0);
    free(summary);
    char *text = get_bytes(TRIALS, NULL), *last = strrchr(text, ',');
    int year, month, day, hour, minute, second, used = 0;
    assert_int_equal(sscanf(last, ",%4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour, &minute, &second, &used),
                     6);
    assert_string_equal(last + used, "\n");
    free(text);
}

/* Runs that ask for the same again measure only what is missing. */
static void test_resume(void **state)
{
    (void)state;
    struct bench_request two = request_of(sources, 2, VERIFY_FIRST), four = request_of(sources, 4, VERIFY_FIRST);
    struct bench_result result;
    struct error error = {0};
    run_and_expect(&two, STATUS_OK, 2, 3);
    run_and_expect(&four, STATUS_OK, 4, 3);
    assert_rows(TRIALS,
                TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "no,,,,3\n" ROW9 "no,,,,3\n" ROW5 "no,,,,3\n");
    fake.prepared = fake.released = 0;
    four.load_ms = 77;
    run_and_expect(&four, STATUS_OK, 4, 0);
    assert_int_equal(fake.prepared, 0);
    assert_int_equal(bench_run(&four, NULL, &result, &error), STATUS_OK);
    for (int i = 0; i < 4; i++) {
        assert_true(result.trials[i].resumed);
        assert_int_equal(result.trials[i].source, sources[i]);
        assert_int_equal(result.trials[i].edges, 18);
        assert_int_equal(result.trials[i].reached, 10);
        assert_int_equal(result.trials[i].verdict, i == 0 ? VERIFIED : NOT_VERIFIED);
        assert_true(fabs(result.trials[i].kernel_ms - (sources[i] + 1) * 1e-3) < 1e-9);
    }
    assert_true(result.load_ms == 1.5); /* as recorded */
    assert_null(result.last.level);
    assert_int_equal(result.summary.trials, 4);
    bench_release(&result);
    run_and_expect(&two, STATUS_OK, 2, 0); /* the summary is then of two, and the other trials stay */
    assert_summary(
        KEY "2,first,1.500,,0.005000,0.002500,0.002500,0.001000,0.004000,11.250,7.200,6.000,0.000000000" NO_BUILDING);
    run_and_expect(&four, STATUS_OK, 4, 0);
}

/* A source asked for twice is measured twice, and both are taken over. */
static void test_resume_of_equal_sources(void **state)
{
    (void)state;
    static const vertex_t twice[] = {3, 3, 0};
    struct bench_request request = request_of(twice, 3, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 3, 4);
    run_and_expect(&request, STATUS_OK, 3, 0);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW3 "yes,6,0.000000000,,3\n" ROW0
                                     "yes,9,0.000000000,,3\n");
}

/* Whatever ends a run, what was measured stays, and the next run does the rest. */
static void test_resume_after_a_failure(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 4, VERIFY_ALL);
    fake.failing = 4;
    run_and_expect(&request, STATUS_DEVICE, 2, 4);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n");
    assert_int_equal(access(SUMMARY, F_OK), -1);
    fake.failing = 0;
    fake.interrupting = 2;
    run_and_expect(&request, STATUS_INTERRUPTED, 3, 2);
    ctrl_c_pressed = false;
    assert_int_equal(access(SUMMARY, F_OK), -1);
    fake.interrupting = 0;
    run_and_expect(&request, STATUS_OK, 4, 2);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n" ROW9
                                     "yes,9,0.000000000,,3\n" ROW5 "yes,5,0.000000000,,3\n");
    remove(SUMMARY); /* as if killed just before it was written */
    run_and_expect(&request, STATUS_OK, 4, 0);
    assert_int_equal(access(SUMMARY, F_OK), 0);
}

/* Cut off anywhere, a file is made whole again by the next row, and no row is lost that was complete. Without its
 * line end, a row is not known to be. */
static void test_torn_rows(void **state)
{
    (void)state;
    static const vertex_t two[] = {3, 0};
    struct bench_request request = request_of(two, 2, VERIFY_ALL);
    size_t length;
    run_and_expect(&request, STATUS_OK, 2, 3);
    char *whole = get_bytes(TRIALS, &length);
    size_t header = (size_t)(strchr(whole, '\n') - whole) + 1;
    size_t first = (size_t)(strchr(whole + header, '\n') - whole) + 1;
    const size_t cuts[] = {0,         1,     header - 1, header,     header + 1, header + 30,
                           first - 1, first, first + 1,  first + 50, length - 1, length};
    for (size_t i = 0; i < COUNT(cuts); i++) {
        put_bytes(TRIALS, whole, cuts[i]);
        int complete = (cuts[i] >= first) + (cuts[i] == length);
        run_and_expect(&request, STATUS_OK, 2, complete == 2 ? 0 : 3 - complete);
        assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n");
    }
    free(whole);
}

/* A CSV text without so many of its columns, from number `first` on; the caller frees. */
static char *without_columns(const char *text, int first, int columns)
{
    char *out = malloc(strlen(text) + 1), *to = out;
    int column = 0;
    assert_non_null(out);
    for (const char *c = text; *c != '\0'; c++) {
        column = *c == '\n' ? -1 : column + (*c == ',');
        if (*c == '\n' || column < first || column >= first + columns)
            *to++ = *c;
        column += *c == '\n';
    }
    *to = '\0';
    return out;
}

#define T_QUALITY   14 /* columns before tree_depth and cross_share, which gtrav had not at first */
#define S_QUALITY   18
#define S_PREPARING 20 /* nor those of what preparing built */

/* Files of an older gtrav, with fewer columns, lose nothing: their rows serve, and new ones have a header of their
 * own.
 */
static void test_older_files(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int first;
    } files[] = {{TRIALS, T_QUALITY}, {SUMMARY, S_QUALITY}};
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    struct bench_result result;
    struct error error = {0};
    char *older[COUNT(files)];
    run_and_expect(&request, STATUS_OK, 2, 3);
    for (size_t i = 0; i < COUNT(files); i++) {
        char *text = get_bytes(files[i].path, NULL);
        older[i] = without_columns(text, files[i].first, 2);
        put_text(files[i].path, older[i]);
        free(text);
    }
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_OK);
    assert_true(result.trials[0].resumed && result.trials[1].resumed);
    assert_int_equal(result.summary.trees, 0);
    bench_release(&result);
    for (size_t i = 0; i < COUNT(files); i++)
        assert_appended(files[i].path, older[i], "");
    request.num_sources = 3;
    run_and_expect(&request, STATUS_OK, 3, 2);
    assert_appended(TRIALS, older[0], TRIAL_HEADER "\n" ROW9 "yes,9,0.000000000,,3\n");
    request.num_sources = 4;
    run_and_expect(&request, STATUS_OK, 4, 2);
    assert_appended(TRIALS, older[0], TRIAL_HEADER "\n" ROW9 "yes,9,0.000000000,,3\n" ROW5 "yes,5,0.000000000,,3\n");
    char *summary = get_bytes(SUMMARY, NULL);
    assert_int_equal(strncmp(summary, older[1], strlen(older[1])), 0);
    assert_int_equal(strncmp(summary + strlen(older[1]), SUMMARY_HEADER, strlen(SUMMARY_HEADER)), 0);
    free(summary);
    run_and_expect(&request, STATUS_OK, 4, 0);
    for (size_t i = 0; i < COUNT(files); i++)
        free(older[i]);
}

/* How long what took, and how much memory is in use: written, and read back; without it, preparing is done anew. */
static void test_what_preparing_built(void **state)
{
    (void)state;
    static const char row[] =
        KEY "2,none,1.500,,0.005000,0.002500,0.002500,0.001000,0.004000,11.250,7.200,,,7.250,2.500,1200,1500,"
            "\"so big, \"\"so\"\" good\",,,1,3\n";
    struct bench_request request = request_of(sources, 2, VERIFY_NONE);
    struct bench_result result;
    struct error error = {0};
    request.reorder_ms = 7.25;
    fake.builds = true;
    run_and_expect(&request, STATUS_OK, 2, 3);
    assert_summary(row);
    request.reorder_ms = 8;
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_OK);
    assert_int_equal(fake.prepared, 1);
    assert_true(result.reorder_ms == 7.25 && result.build_ms == 2.5);
    assert_int_equal(result.device_bytes, HELD + RUNNING);
    assert_int_equal(result.peak_device_bytes, HELD + BUILDING);
    assert_string_equal(result.note, "so big, \"so\" good");
    bench_release(&result);

    char *text = get_bytes(SUMMARY, NULL), *older = without_columns(text, S_PREPARING, 5);
    put_text(SUMMARY, older);
    free(older);
    free(text);
    request.reorder_ms = 7.25;
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(fake.prepared, 2);
    text = get_bytes(SUMMARY, NULL);
    assert_non_null(strstr(text, ",7.250,2.500,1000,1500,")); /* it ran no more */
    free(text);
}

/* Columns may stand in another order, a file may hold several headers, each for the rows below it; a row that has not
 * as many fields as its own header is torn. */
static void test_headers_within_a_file(void **state)
{
    (void)state;
    static const char key_header[] = "graph,vertices,edges,family,variant,options,device,";
    struct bench_request request = request_of(sources, 4, VERIFY_ALL);
    struct bench_request two = request_of(sources, 2, VERIFY_ALL);
    run_and_expect(&two, STATUS_OK, 2, 3);
    char *text = get_bytes(TRIALS, NULL), *mixed;
    const char *identity = last_columns(text, text + strlen(text), 4);
    int length = (int)(strrchr(text, ',') - identity);
    assert_true(
        asprintf(&mixed,
                 "%s%sthreads,build,version,verified,mteps,kernel_ms,time_ms,reached,trial_edges,source\n"
                 "\"path:10\",10,18,bfs,fake,size=4 policy=load-aware,fake%.*s,yes,1.8,0.010,0.02,10,18,9\n" KEY
                 "yes,1.8,0.010,0.02,10,18,9\n" KEY "\n",
                 text, key_header, length, identity) > 0);
    put_text(TRIALS, mixed);
    run_and_expect(&request, STATUS_OK, 4, 2);
    assert_appended(TRIALS, mixed, TRIAL_HEADER "\n" ROW5 "yes,5,0.000000000,,3\n");
    run_and_expect(&request, STATUS_OK, 4, 0);
    free(mixed);
    free(text);
}

/* Of a newer gtrav: what this one does not know it does not throw away. */
static void test_newer_files(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 1, 2);
    char *text = get_bytes(SUMMARY, NULL), *newer;
    char *header = strndup(text, strcspn(text, "\n")), *row = strdup(text + strlen(header) + 1);
    row[strcspn(row, "\n")] = '\0';
    assert_true(asprintf(&newer, "%s,smell\n%s,sweet\n", header, row) > 0);
    put_text(SUMMARY, newer);
    struct bench_result result;
    struct error error = {0};
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_INPUT);
    assert_string_equal(error.text,
                        SUMMARY ": has columns that this version of gtrav does not know; give --csv another folder");
    bench_release(&result);
    char *after = get_bytes(SUMMARY, NULL);
    assert_string_equal(after, newer);
    free(after);
    free(newer);
    free(header);
    free(row);
    free(text);
}

/* A disk that fills up in the middle of a row: no part of it stays. */
static void test_disk_full(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    struct stat facts_before, facts_after;
    run_and_expect(&request, STATUS_OK, 1, 2);
    assert_int_equal(stat(TRIALS, &facts_before), 0);
    request.num_sources = 2;
    struct rlimit before = limit_file_size((size_t)facts_before.st_size + 20);
    struct bench_result result;
    struct error error = {0};
    int status = bench_run(&request, NULL, &result, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, STATUS_INPUT);
    assert_non_null(strstr(error.text, TRIALS ": cannot write: "));
    bench_release(&result);
    assert_int_equal(stat(TRIALS, &facts_after), 0);
    assert_int_equal(facts_after.st_size, facts_before.st_size);
    run_and_expect(&request, STATUS_OK, 2, 2);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n");
}

static void test_failed_rows_are_redone(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 3, VERIFY_ALL);
    fake.wrong[0] = true;
    run_and_expect(&request, STATUS_WRONG, 3, 4);
    assert_rows(TRIALS,
                TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "FAILED,,,,3\n" ROW9 "yes,9,0.000000000,,3\n");
    assert_summary(
        KEY "3,FAILED,1.500,,0.010000,0.005000,0.004000,0.001000,0.010000,8.100,3.600,7.500,0.000000000" NO_BUILDING);
    run_and_expect(&request, STATUS_WRONG, 3, 2);
    request.verify = VERIFY_NONE; /* which does not make it right */
    run_and_expect(&request, STATUS_OK, 3, 2);
    run_and_expect(&request, STATUS_OK, 3, 0);
    request.verify = VERIFY_ALL;
    fake.wrong[0] = false;
    run_and_expect(&request, STATUS_OK, 3, 2);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "FAILED,,,,3\n" ROW9
                                     "yes,9,0.000000000,,3\n" ROW0 "FAILED,,,,3\n" ROW0 "no,,,,3\n" ROW0
                                     "yes,9,0.000000000,,3\n");
    assert_summary(
        KEY "3,all,1.500,,0.010000,0.005000,0.004000,0.001000,0.010000,8.100,3.600,8.000,0.000000000" NO_BUILDING);
}

static void test_verify_all_redoes_unverified(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 3, VERIFY_NONE);
    run_and_expect(&request, STATUS_OK, 3, 4);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "no,,,,3\n" ROW0 "no,,,,3\n" ROW9 "no,,,,3\n");
    request.verify = VERIFY_FIRST;
    run_and_expect(&request, STATUS_OK, 3, 2);
    run_and_expect(&request, STATUS_OK, 3, 0);
    request.verify = VERIFY_ALL;
    run_and_expect(&request, STATUS_OK, 3, 3);
    assert_rows(TRIALS,
                TRIAL_HEADER "\n" ROW3 "no,,,,3\n" ROW0 "no,,,,3\n" ROW9 "no,,,,3\n" ROW3
                             "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n" ROW9 "yes,9,0.000000000,,3\n");
    request.verify = VERIFY_NONE; /* what is verified serves those who do not ask for it, too */
    run_and_expect(&request, STATUS_OK, 3, 0);
    assert_summary(
        KEY "3,all,1.500,,0.010000,0.005000,0.004000,0.001000,0.010000,8.100,3.600,8.000,0.000000000" NO_BUILDING);
}

/* The newest rows are valid: of trials, of a source that is asked for twice, and of summaries. */
static void test_fresh(void **state)
{
    (void)state;
    static const vertex_t twice[] = {3, 3, 0};
    struct bench_request request = request_of(twice, 3, VERIFY_ALL);
    struct bench_result result;
    struct error error = {0};
    run_and_expect(&request, STATUS_OK, 3, 4);
    put_column(TRIALS, 1, "2020-01-02T03:04:05Z");
    char *first = get_bytes(TRIALS, NULL);
    asked.fresh = true;
    run_and_expect(&request, STATUS_OK, 3, 4);
    assert_appended(TRIALS, first,
                    ROW3 "yes,6,0.000000000,,3\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n");
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
    asked.fresh = false;
    put_column(TRIALS, 6, "9.000000000");
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_OK);
    assert_int_equal(num_resumed(&result), 3);
    assert_true(result.trials[2].quality.cross_share == 9);
    bench_release(&result);
    free(first);
}

/* An interrupted --fresh: trials that are newer than the summary make it outdated. */
static void test_outdated_summary(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 2, 3);
    put_column(SUMMARY, 1, "2020-01-02T03:04:05Z");
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
}

/* Rows of other options, of another graph of that name, and of another version share the files and are left alone. */
static void test_several_keys_in_one_file(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    struct graph namesake = make_graph("path:7", 0);
    double other[MAX_OPTIONS];
    memcpy(other, options, sizeof other);
    other[0] = 5;
    free(namesake.name);
    namesake.name = strdup("path:10");
    run_and_expect(&request, STATUS_OK, 1, 2);
    request.options = other;
    run_and_expect(&request, STATUS_OK, 1, 2);
    request.graph = &namesake;
    run_and_expect(&request, STATUS_OK, 1, 2);
    static const char rows[] = TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n"
                                            "path:10,10,18,bfs,fake,size=5 policy=load-aware,fake,3,18,10,0.008000,"
                                            "0.004000,4.500,yes,6,0.000000000,,3\n"
                                            "path:10,7,12,bfs,fake,size=5 policy=load-aware,fake,3,12,7,0.008000,"
                                            "0.004000,3.000,yes,3,0.000000000,,3\n";
    assert_rows(TRIALS, rows);
    run_and_expect(&request, STATUS_OK, 1, 0);
    request.graph = &path_10;
    run_and_expect(&request, STATUS_OK, 1, 0);
    request.options = options;
    run_and_expect(&request, STATUS_OK, 1, 0);
    assert_rows(TRIALS, rows);
    char *summaries = get_bytes(SUMMARY, NULL);
    int lines = 0;
    for (const char *c = summaries; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 1 + 3);
    free(summaries);
    graph_release(&namesake);
}

/* By another build, numbers are others: they do not serve. */
static void test_another_build(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 1, 2);
    put_column(TRIALS, BUILD_FROM_END, "0123456789ab");
    run_and_expect(&request, STATUS_OK, 1, 2);
    run_and_expect(&request, STATUS_OK, 1, 0);
    assert_int_equal(fake.prepared, 2);
    put_column(SUMMARY, BUILD_FROM_END, "0123456789ab");
    run_and_expect(&request, STATUS_OK, 1, 0);
    assert_int_equal(fake.prepared, 3);
    assert_rows(TRIALS, TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW3 "yes,6,0.000000000,,3\n");
    assert_summary(
        KEY "1,all,1.500,,0.008000,0.004000,0.004000,0.004000,0.004000,4.500,4.500,6.000,0.000000000" NO_BUILDING);
    assert_int_equal(lines_of(SUMMARY), 1 + 3);
}

/* With another number of threads, too; and here both summaries are valid. */
static void test_another_number_of_threads(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    run_and_expect(&request, STATUS_OK, 2, 3);
    omp_set_num_threads(NUM_THREADS + 1);
    run_and_expect(&request, STATUS_OK, 2, 3);
    run_and_expect(&request, STATUS_OK, 2, 0);
    omp_set_num_threads(NUM_THREADS);
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_int_equal(lines_of(TRIALS), 1 + 4);
    assert_int_equal(lines_of(SUMMARY), 1 + 2);
}

/* Files from before rows told these: nothing of them is lost, and nothing is taken for measured. */
static void test_files_without_identity(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    static const char *const files[] = {TRIALS, SUMMARY};
    char *older[COUNT(files)];
    run_and_expect(&request, STATUS_OK, 2, 3);
    for (size_t i = 0; i < COUNT(files); i++) {
        char *text = get_bytes(files[i], NULL);
        int columns = 1;
        for (const char *c = text; *c != '\n'; c++)
            columns += *c == ',';
        older[i] = without_columns(text, columns - THREADS_FROM_END, 2);
        put_text(files[i], older[i]);
        free(text);
    }
    run_and_expect(&request, STATUS_OK, 2, 3);
    run_and_expect(&request, STATUS_OK, 2, 0);
    assert_appended(TRIALS, older[0], TRIAL_HEADER "\n" ROW3 "yes,6,0.000000000,,3\n" ROW0 "yes,9,0.000000000,,3\n");
    assert_int_equal(lines_of(SUMMARY), 2 + 2);
    free(older[0]);
    free(older[1]);
}

static const struct option_spec own_threads[] = {{"threads", 0, 0, 64, NULL, "its own"}, {0}};

/* What an algorithm runs on, as its rows tell it. */
static void test_threads(void **state)
{
    (void)state;
    static const struct {
        enum device_kind device;
        bool serial;
        const struct option_spec *options;
        double value;
        const char *threads;
    } cases[] = {
        {DEVICE_CPU, false, NULL, 0, "3"},        {DEVICE_CPU, true, NULL, 0, "1"},
        {DEVICE_CPU, false, own_threads, 0, "3"}, {DEVICE_CPU, false, own_threads, 7, "7"},
        {DEVICE_GPU, false, NULL, 0, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct algorithm algorithm = {
            .device = cases[i].device, .serial = cases[i].serial, .options = cases[i].options};
        struct bench_request request = {.algorithm = &algorithm, .options = &cases[i].value};
        char threads[THREADS_BYTES];
        request_threads(&request, threads);
        assert_string_equal(threads, cases[i].threads);
    }
    assert_int_equal(strlen(gtrav_build()), 12);
    assert_int_equal(strspn(gtrav_build(), "0123456789abcdef"), 12);
}

/* Who measured what was taken over: the newest row's version and date. */
static void test_origin_of_resumed_trials(void **state)
{
    (void)state;
    struct bench_request one = request_of(sources, 1, VERIFY_NONE), three = request_of(sources, 3, VERIFY_NONE);
    struct bench_result result;
    struct error error = {0};
    assert_int_equal(bench_run(&one, NULL, &result, &error), STATUS_OK);
    assert_int_equal(num_resumed(&result), 0);
    assert_string_equal(result.resumed_version, "");
    bench_release(&result);
    put_column(TRIALS, 1, "2020-01-02T03:04:05Z");
    put_column(TRIALS, 2, "v7");
    assert_int_equal(bench_run(&three, NULL, &result, &error), STATUS_OK);
    assert_int_equal(num_resumed(&result), 1);
    assert_string_equal(result.resumed_version, "v7");
    assert_string_equal(result.resumed_date, "2020-01-02T03:04:05Z");
    bench_release(&result);
    assert_int_equal(bench_run(&three, NULL, &result, &error), STATUS_OK);
    assert_int_equal(num_resumed(&result), 3);
    assert_string_equal(result.resumed_version, gtrav_version());
    bench_release(&result);
}

/* Names that CSV, or a folder, would stumble over. */
static void test_odd_graph_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *field, *file;
    } cases[] = {
        {"a,b", "\"a,b\"", "a,b"},
        {"say \"hi\"", "\"say \"\"hi\"\"\"", "say \"hi\""},
        {"\"", "\"\"\"\"", "\""},
        {"a/b", "a/b", "a_b"},
        {"two\nlines", "two_lines", "two_lines"},
        {"tab\there", "tab_here", "tab_here"},
        {" blank ", " blank ", " blank "},
        {"100%s", "100%s", "100%s"},
        {"Z\xc3\xbcrich", "Z\xc3\xbcrich", "Z\xc3\xbcrich"},
        {"..", "..", ".."},
        {"web+undirected", "web+undirected", "web+undirected"},
    };
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char path[256], expected[1024];
        free(path_10.name);
        path_10.name = strdup(cases[i].name);
        run_and_expect(&request, STATUS_OK, 2, 3);
        run_and_expect(&request, STATUS_OK, 2, 0);
        snprintf(path, sizeof path, RECORDS "/fake/trials/bfs_fake_%s.csv", cases[i].file);
        snprintf(expected, sizeof expected, TRIAL_HEADER "\n%s%s%syes,6,0.000000000,,3\n%s%s%syes,9,0.000000000,,3\n",
                 cases[i].field, strchr(KEY, ','), strstr(ROW3, ",fake,3") + strlen(",fake,"), cases[i].field,
                 strchr(KEY, ','), strstr(ROW0, ",fake,0") + strlen(",fake,"));
        assert_rows(path, expected);
    }
    char *summaries = get_bytes(SUMMARY, NULL);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_non_null(strstr(summaries, cases[i].field));
    free(summaries);
    char name[300];
    struct bench_result result;
    struct error error = {0};
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    free(path_10.name);
    path_10.name = strdup(name);
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_INPUT);
    assert_non_null(strstr(error.text, "the graph's name is too long for a record; rename the file"));
    bench_release(&result);
}

static void test_families_without_sources(void **state)
{
    (void)state;
    struct bench_request request = request_of(NULL, 2, VERIFY_ALL);
    struct bench_result result;
    struct error error = {0};
    request.algorithm = &fake_topo;
    request.graph = &dag_4;
    fake.source = NO_VERTEX;
    assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_OK);
    assert_int_equal(result.trials[1].source, NO_VERTEX);
    assert_int_equal(result.trials[1].reached, 4);
    assert_int_equal(result.trials[1].edges, 3);
    bench_release(&result);
    static const char path[] = RECORDS "/fake/trials/topo_fake_0>1 1>2 2>3.csv";
#define TOPO_ROW "0>1 1>2 2>3,4,3,topo,fake,,fake,,3,4,1.000000,0.500000,0.006,yes,,,,3\n"
    assert_rows(path, TRIAL_HEADER "\n" TOPO_ROW TOPO_ROW);
    run_and_expect(&request, STATUS_OK, 2, 0);
    request.num_sources = 3;
    run_and_expect(&request, STATUS_OK, 3, 2);
    assert_rows(path, TRIAL_HEADER "\n" TOPO_ROW TOPO_ROW TOPO_ROW);
}

static void test_records_that_cannot_be(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *message;
    } cases[] = {
        {"s.txt", "s.txt/fake: cannot make the folder for records: Not a directory"},
        {"s.txt/deeper", "s.txt/deeper: cannot make the folder for records: Not a directory"},
    };
    put_text("s.txt", "");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bench_request request = request_of(sources, 1, VERIFY_ALL);
        struct bench_result result;
        struct error error = {0};
        request.records = cases[i].folder;
        assert_int_equal(bench_run(&request, NULL, &result, &error), STATUS_INPUT);
        assert_string_equal(error.text, cases[i].message);
        assert_int_equal(fake.prepared, 0);
        bench_release(&result);
    }
}

/* ---- tasks ---- */

/* Block b did b + 1 tasks for every vertex of the source's number. */
static int fake_fetch_tasks(struct run *run, struct traversal *result)
{
    result->num_blocks = 3;
    for (uint32_t block = 0; block < result->num_blocks; block++)
        result->tasks[block] = (block + 1) * (uint64_t)fake.source;
    return fake_fetch(run, result);
}

#define TASKS RECORDS "/fake/balance_fake/balance_path:10.csv"

/* Every run writes the tasks of all its trials, and nothing else: times of a build that counts are no times. */
static void test_tasks(void **state)
{
    (void)state;
    struct algorithm counting = fake_bfs;
    struct bench_request request = request_of(sources, 2, VERIFY_ALL);
    counting.outputs |= OUTPUT_TASKS;
    counting.fetch = fake_fetch_tasks;
    request.algorithm = &counting;
    asked.tasks = "balance_fake";
    for (int time = 0; time < 2; time++) { /* a second run does not go on where the first ended */
        run_and_expect(&request, STATUS_OK, 2, 3);
        char *rows = rows_from(TASKS, 0, 2); /* without version and date */
        assert_string_equal(rows, "graph,source,block,tasks\npath:10,3,0,3\npath:10,3,1,6\npath:10,3,2,9\n"
                                  "path:10,0,0,0\npath:10,0,1,0\npath:10,0,2,0\n");
        free(rows);
        assert_int_equal(access(SUMMARY, F_OK), -1);
        assert_int_equal(access(TRIALS, F_OK), -1);
    }
    char *before = get_bytes(TASKS, NULL);
    fake.failing = 3; /* what is cut off, or wrong, leaves the file as it was */
    run_and_expect(&request, STATUS_DEVICE, 1, 3);
    fake.failing = 0;
    fake.wrong[0] = true;
    run_and_expect(&request, STATUS_WRONG, 2, 3);
    char *after = get_bytes(TASKS, NULL);
    assert_string_equal(after, before);
    free(after);
    free(before);
    asked.tasks = NULL; /* the times go where they always go */
    fake.wrong[0] = false;
    run_and_expect(&request, STATUS_OK, 2, 3);
    assert_int_equal(access(TRIALS, F_OK), 0);
}

/* ---- JSON ---- */

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \n");
}

static const char *json_text(const char *p)
{
    if (*p++ != '"')
        return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < ' ')
            return NULL;
        if (*p == '\\' && strchr("\"\\/bfnrtu", *++p) == NULL)
            return NULL;
        if (p[-1] == '\\' && *p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") < 4)
            return NULL;
    }
    return p + 1;
}

/* Where one JSON value (RFC 8259, without exponents) at p ends; NULL: there is none. */
static const char *json_value(const char *p)
{
    static const char *const words[] = {"true", "false", "null"};
    p = skip_space(p);
    for (size_t i = 0; i < COUNT(words); i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    if (*p == '"')
        return json_text(p);
    if (*p == '{' || *p == '[') {
        char close = *p == '{' ? '}' : ']';
        const char *next = skip_space(p + 1);
        if (*next == close)
            return next + 1;
        do {
            p = skip_space(p + 1);
            if (close == '}' && ((p = json_text(p)) == NULL || *(p = skip_space(p)) != ':'))
                return NULL;
            if ((p = json_value(p + (close == '}'))) == NULL)
                return NULL;
            p = skip_space(p);
        } while (*p == ',');
        return *p == close ? p + 1 : NULL;
    }
    const char *whole = p + (*p == '-');
    size_t digits = strspn(whole, "0123456789");
    if (digits == 0 || (digits > 1 && *whole == '0'))
        return NULL;
    p = whole + digits;
    if (*p != '.')
        return p;
    digits = strspn(p + 1, "0123456789");
    return digits > 0 ? p + 1 + digits : NULL;
}

static void assert_json(const char *text)
{
    const char *end = json_value(text);
    if (end == NULL || *skip_space(end) != '\0')
        fail_msg("not JSON: %s", text);
}

static void test_json_string(void **state)
{
    (void)state;
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"say \"hi\"", "\"say \\\"hi\\\"\""},
        {"back\\slash", "\"back\\\\slash\""},
        {"a\nb\tc\x01\x1f", "\"a\\u000ab\\u0009c\\u0001\\u001f\""},
        {"Z\xc3\xbcrich/", "\"Z\xc3\xbcrich/\""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text;
        size_t size;
        FILE *to = open_memstream(&text, &size);
        json_string(to, cases[i].text);
        fclose(to);
        assert_string_equal(text, cases[i].json);
        assert_json(text);
        free(text);
    }
}

static char *json_of(const struct bench_request *request, int status)
{
    struct bench_result result;
    struct error error = {0};
    char *text;
    size_t size;
    assert_int_equal(bench_run(request, &asked, &result, &error), status);
    FILE *to = open_memstream(&text, &size);
    json_run(to, request, &result);
    fputc('}', to);
    fclose(to);
    bench_release(&result);
    assert_json(text);
    return text;
}

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("%s\nis not in\n%s", part, text);
}

static void test_json(void **state)
{
    (void)state;
    struct bench_request request = request_of(sources, 2, VERIFY_FIRST);
    request.records = NULL;
    fake.builds = true;
    char *json = json_of(&request, STATUS_OK);
    assert_contains(json, "\"graph\": {\"name\": \"path:10\", \"vertices\": 10, \"edges\": 18, \"symmetric\": true, "
                          "\"load_ms\": 1.500}");
    assert_contains(json, "\"algorithm\": {\"family\": \"bfs\", \"variant\": \"fake\", \"options\": {\"size\": 4, "
                          "\"policy\": \"load-aware\"}}");
    assert_contains(json, "\"device\": \"fake\"");
    assert_contains(json, "\"threads\": 3,");
    assert_contains(json, gtrav_version());
    assert_contains(json, gtrav_build());
    assert_contains(json, "\"date\": \"20");
    assert_contains(json, "\"warnings\": []");
    assert_contains(json, "\"resumed\": null");
    assert_contains(json, "\"verify\": \"first\"");
    assert_contains(json, "\"sources\": [3, 0]");
    assert_contains(json,
                    "{\"source\": 3, \"time_ms\": 0.008000, \"kernel_ms\": 0.004000, \"edges\": 18, \"mteps\": "
                    "4.500, \"reached\": 10, \"verified\": true, \"tree_depth\": 6, \"cross_share\": 0.000000000, "
                    "\"batch_sources\": null}");
    assert_contains(json, "{\"source\": 0, \"time_ms\": 0.002000, \"kernel_ms\": 0.001000, \"edges\": 18, \"mteps\": "
                          "18.000, \"reached\": 10, \"verified\": null, \"tree_depth\": null, \"cross_share\": null, "
                          "\"batch_sources\": null}");
    assert_contains(json, "\"summary\": {\"sources\": 2, \"verified\": \"first\", \"load_ms\": 1.500");
    assert_contains(
        json, "\"reorder_ms\": 0.000, \"build_ms\": 2.500, \"device_bytes\": 1200, \"peak_device_bytes\": 1500}");
    assert_contains(json, "\"note\": \"so big, \\\"so\\\" good\"");
    assert_null(strstr(json, "\"wrong\""));
    free(json);

    free(path_10.name);
    path_10.name = strdup("a \"quoted\"\\\nname");
    fake.wrong[3] = true;
    json = json_of(&request, STATUS_WRONG);
    assert_contains(json, "\"verified\": false, \"tree_depth\": null");
    assert_contains(json, "\"verified\": \"FAILED\"");
    assert_contains(json,
                    "\"wrong\": \"bfs fake on a \\\"quoted\\\"\\\\\\u000aname from source 3: level of vertex 2 is "
                    "2, the serial BFS's is 1\"");
    free(json);

    fake.failing = 1; /* nothing measured */
    fake.traversals = 0;
    json = json_of(&request, STATUS_DEVICE);
    assert_contains(json, "\"sources\": []");
    free(json);

    request.algorithm = &fake_topo;
    request.graph = &dag_4;
    request.sources = NULL;
    fake.failing = 0;
    json = json_of(&request, STATUS_OK);
    assert_contains(json, "\"options\": {}");
    assert_contains(json, "\"sources\": [null, null]");
    assert_contains(json, "{\"source\": null, ");
    free(json);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_sources_of_facts),
        TEST(test_sources_have_arcs),
        TEST(test_parse_sources),
        TEST(test_read_sources),
        TEST(test_options),
        TEST(test_summarize),
        TEST(test_trials),
        TEST(test_failures),
        TEST(test_wrong_result),
        TEST(test_empty_graph),
        TEST(test_rows_are_written),
        TEST(test_resume),
        TEST(test_resume_of_equal_sources),
        TEST(test_resume_after_a_failure),
        TEST(test_torn_rows),
        TEST(test_older_files),
        TEST(test_what_preparing_built),
        TEST(test_headers_within_a_file),
        TEST(test_newer_files),
        TEST(test_disk_full),
        TEST(test_failed_rows_are_redone),
        TEST(test_verify_all_redoes_unverified),
        TEST(test_fresh),
        TEST(test_outdated_summary),
        TEST(test_several_keys_in_one_file),
        TEST(test_another_build),
        TEST(test_another_number_of_threads),
        TEST(test_files_without_identity),
        TEST(test_threads),
        TEST(test_origin_of_resumed_trials),
        TEST(test_odd_graph_names),
        TEST(test_families_without_sources),
        TEST(test_records_that_cannot_be),
        TEST(test_tasks),
        TEST(test_json_string),
        TEST(test_json),
    };
    omp_set_num_threads(NUM_THREADS);
    facts = get_bytes(FACTS, NULL);
    int failed = cmocka_run_group_tests_name("bench", tests, enter_folder, leave_folder);
    free(facts);
    return failed;
}
