/* test_bench.c: options, figures of trials, and the trial loop. */
#include "record_rows.h"

#include <math.h>

/* ---- options ---- */

#define OF_SIZE ": expected a whole number from 1 to 64"

static int count_of(const char *const settings[3])
{
    int count = 0;
    while (count < 3 && settings[count] != NULL)
        count++;
    return count;
}

TEST(options)
{
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
        {{"size="}, NULL, "--set size=" OF_SIZE},
        {{"size=0"}, NULL, "--set size=0" OF_SIZE},
        {{"size=65"}, NULL, "--set size=65" OF_SIZE},
        {{"size=4.5"}, NULL, "--set size=4.5" OF_SIZE},
        {{"size=many"}, NULL, "--set size=many" OF_SIZE},
        {{"size=99999999999999999999"}, NULL, "--set size=99999999999999999999" OF_SIZE},
        {{"policy=load"}, NULL, "--set policy=load: expected one of random|load-aware|none"},
        {{"policy="}, NULL, "--set policy=: expected one of random|load-aware|none"},
        {{"policy=1"}, NULL, "--set policy=1: expected one of random|load-aware|none"},
        {{"siz=4"}, NULL, "--set siz=4: bfs fake has the options size, policy"},
        {{"sizes=4"}, NULL, "--set sizes=4: bfs fake has the options size, policy"},
        {{"=4"}, NULL, "--set =4: bfs fake has the options size, policy"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double values[MAX_OPTIONS] = {0};
        bool good = cases[i].message == NULL;
        assert_error(options_parse(&fake_bfs, cases[i].settings, count_of(cases[i].settings), values, &error),
                     good ? STATUS_OK : STATUS_INPUT, good ? "" : cases[i].message);
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
    double none[MAX_OPTIONS] = {0};
    const char *setting = "size=4";
    char text[8] = "x";
    options_format(&fake_topo, none, text, sizeof text);
    assert_string_equal(text, "");
    assert_error(options_parse(&fake_topo, &setting, 1, none, &error), STATUS_INPUT,
                 "--set size=4: topo fake has no options");
}

/* mode=paper: the paper's values, but those of the user before or after it win. */
TEST(mode)
{
    static const struct option_spec specs[] = {
        {"size", 4, 1, 64, NULL, "how large", "9"},
        {"policy", 1, 0, 2, "random|load-aware|none", "which", "none"},
        {"other", 3, 1, 64, NULL, "as in the paper"},
        MODE_OPTION("a structure"),
        {0},
    };
    static const struct algorithm algorithm = {.family = "bfs", .variant = "modal", .options = specs};
    static const struct {
        const char *settings[3], *text;
    } cases[] = {
        {{NULL}, "size=4 policy=load-aware other=3 mode=best"},
        {{"mode=best"}, "size=4 policy=load-aware other=3 mode=best"},
        {{"mode=paper"}, "size=9 policy=none other=3 mode=paper"},
        {{"size=4", "mode=paper"}, "size=4 policy=none other=3 mode=paper"},
        {{"mode=paper", "policy=random", "other=8"}, "size=9 policy=random other=8 mode=paper"},
        {{"mode=paper", "mode=best", "size=5"}, "size=5 policy=load-aware other=3 mode=best"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double values[MAX_OPTIONS] = {0};
        char text[96];
        assert_ok(options_parse(&algorithm, cases[i].settings, count_of(cases[i].settings), values, &error));
        options_format(&algorithm, values, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

/* ---- figures ---- */

static void assert_spread(size_t i, const char *what, const struct spread *found, const struct spread *expected)
{
    const double of_found[] = {found->mean_ms, found->median_ms, found->min_ms, found->max_ms, found->deviation};
    const double of_expected[] = {expected->mean_ms, expected->median_ms, expected->min_ms, expected->max_ms,
                                  expected->deviation};
    for (size_t f = 0; f < COUNT(of_found); f++)
        if (!(fabs(of_found[f] - of_expected[f]) < 1e-12))
            fail_msg("case %zu, %s, figure %zu: %.17g, expected %.17g", i, what, f, of_found[f], of_expected[f]);
}

static void assert_rate(struct rate found, struct rate expected)
{
    assert_true(fabs(found.mean - expected.mean) < 1e-12);
    assert_true(fabs(found.harmonic_mean - expected.harmonic_mean) < 1e-12);
}

/* The times are those of the kernel; the whole search takes twice as long, and 1 ms. */
static const struct summary_case {
    int count;
    struct trial trials[4];
    struct spread kernel;
    struct rate mteps;
    const char *verified;
    int trees;
    double depth, share;
} summary_cases[] = {
    {0, {{0}}, {0, 0, 0, 0, 0}, {0, 0}, "none"},
    {1, {{.kernel_ms = 2, .mteps = 5, .verdict = VERIFIED}}, {2, 2, 2, 2, 0}, {5, 5}, "all"},
    {1, {{.kernel_ms = 2}}, {2, 2, 2, 2, 0}, {0, 0}, "none"}, /* a source without edges */
    {2,
     {{.kernel_ms = 3, .mteps = 2, .verdict = VERIFIED}, {.kernel_ms = 1, .mteps = 6}},
     {2, 2, 1, 3, 0.70710678118654752}, /* sqrt(2) / 2 */
     {4, 3},
     "first"},
    {2, {{0}, {0}}, {0, 0, 0, 0, 0}, {0, 0}, "none"}, /* quicker than the clock */
    {3,
     {{.kernel_ms = 5, .mteps = 1}, {.kernel_ms = 1, .mteps = 4}, {.kernel_ms = 3, .mteps = 4}},
     {3, 3, 1, 5, 2 / 3.},
     {3, 2},
     "none"},
    {4,
     {{.kernel_ms = 1, .mteps = 1, .verdict = VERIFIED},
      {.kernel_ms = 9, .mteps = 0, .verdict = VERIFIED}, /* counts for all but the harmonic mean */
      {.kernel_ms = 2, .mteps = 0.5, .verdict = VERIFY_FAILED},
      {.kernel_ms = 4, .mteps = 1, .verdict = VERIFIED}},
     {4, 3, 1, 9, 0.88975652100260934}, /* sqrt(38 / 3) / 4 */
     {0.625, 0.75},
     "FAILED"},
    {3,
     {{.kernel_ms = 1, .quality = {true, 7, 0.5}},
      {.kernel_ms = 1, .quality = {false, 1000, 1}},
      {.kernel_ms = 1, .quality = {true, 2, 0}}},
     {1, 1, 1, 1, 0},
     {0, 0},
     "none",
     2,
     4.5,
     0.25},
};

/* The trials of a case, with the times of the whole search; returns how these are spread. */
static struct spread complete(const struct summary_case *one, struct trial trials[4])
{
    const struct spread *kernel = &one->kernel;
    for (int t = 0; t < 4; t++) {
        trials[t] = one->trials[t];
        trials[t].time_ms = 1 + 2 * trials[t].kernel_ms;
        trials[t].reset_ms = 1 + trials[t].kernel_ms;
        trials[t].search_mteps = 3 * trials[t].mteps;
    }
    if (one->count == 0)
        return (struct spread){0};
    double mean_ms = 1 + 2 * kernel->mean_ms;
    return (struct spread){mean_ms, 1 + 2 * kernel->median_ms, 1 + 2 * kernel->min_ms, 1 + 2 * kernel->max_ms,
                           2 * kernel->deviation * kernel->mean_ms / mean_ms};
}

TEST(summarize)
{
    for (size_t i = 0; i < COUNT(summary_cases); i++) {
        const struct summary_case *one = &summary_cases[i];
        struct summary s;
        struct trial trials[4];
        struct spread time = complete(one, trials);
        assert_ok(summarize(trials, one->count, &s, &error));
        assert_spread(i, "kernel", &s.kernel, &one->kernel);
        assert_spread(i, "time", &s.time, &time);
        assert_true(fabs(s.mean_reset_ms - (time.mean_ms - one->kernel.mean_ms)) < 1e-12);
        assert_true(fabs(s.median_reset_ms - (time.median_ms - one->kernel.median_ms)) < 1e-12);
        assert_rate(s.mteps, one->mteps);
        assert_rate(s.search_mteps, (struct rate){3 * one->mteps.mean, 3 * one->mteps.harmonic_mean});
        assert_int_equal(s.trials, one->count);
        assert_int_equal(s.trees, one->trees);
        assert_true(s.mean_tree_depth == (one->trees > 0 ? one->depth : NOT_MEASURED));
        assert_true(s.mean_cross_share == (one->trees > 0 ? one->share : NOT_MEASURED));
        assert_string_equal(s.verified, one->verified);
    }
}

/* ---- trials ---- */

TEST(trials)
{
    static const struct {
        enum verify_mode mode;
        int verified; /* trials, from the first */
        const char *word;
    } modes[] = {{VERIFY_NONE, 0, "none"}, {VERIFY_FIRST, 1, "first"}, {VERIFY_ALL, 3, "all"}};
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct bench_request request = request_of(sources, 3, modes[m].mode);
        RESULT result;
        request.records = NULL;
        memset(&fake, 0, sizeof fake);
        assert_ok(trials_run(&request, &result, &error));
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
            assert_true(fabs(trial->reset_ms - trial->kernel_ms / 2) < 1e-15);
            assert_true(fabs(trial->search_mteps - trial->mteps / 2) < 1e-9);
            assert_true(fabs(trial->mteps - 18. / (sources[i] + 1)) < 1e-9);
            assert_int_equal(trial->verdict, i < modes[m].verified ? VERIFIED : NOT_VERIFIED);
            assert_false(trial->resumed);
        }
        assert_string_equal(result.summary.verified, modes[m].word);
        assert_true(fabs(result.summary.kernel.mean_ms - 5e-3) < 1e-15);
        assert_int_equal(result.last.level[0], 9); /* of the last source */
        assert_null(result.last.parent);
        assert_string_equal(result.wrong, "");
        assert_int_equal(access(RECORDS, F_OK), -1);
    }
}

/* What goes wrong where, what is said, and how many trials there are nevertheless. */
TEST(failures)
{
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
        RESULT result;
        request.records = NULL;
        memset(&fake, 0, sizeof fake);
        fake.fail_prepare = cases[i].fail_prepare;
        fake.fail_fetch = cases[i].fail_fetch;
        fake.failing = cases[i].failing;
        fake.interrupting = cases[i].interrupting;
        int status = trials_run(&request, &result, &error);
        ctrl_c_pressed = false;
        assert_error(status, cases[i].status, cases[i].message);
        assert_int_equal(result.num_trials, cases[i].trials);
        assert_int_equal(result.summary.trials, cases[i].trials);
        assert_int_equal(fake.traversals, cases[i].traversals);
        assert_int_equal(fake.released, 1);
    }
}

/* The other trials still run, and the first wrong one is told. */
TEST(wrong_result)
{
    struct bench_request request = request_of(sources, 4, VERIFY_ALL);
    RESULT result;
    request.records = NULL;
    fake.wrong[0] = fake.wrong[5] = true;
    static const char wrong[] = "bfs fake on path:10 from source 0: level of vertex 2 is 3, the serial BFS's is 2";
    assert_error(trials_run(&request, &result, &error), STATUS_WRONG, wrong);
    assert_string_equal(result.wrong, wrong);
    assert_int_equal(result.num_trials, 4);
    static const enum verdict verdicts[] = {VERIFIED, VERIFY_FAILED, VERIFIED, VERIFY_FAILED};
    for (int i = 0; i < 4; i++)
        assert_int_equal(result.trials[i].verdict, verdicts[i]);
    assert_string_equal(result.summary.verified, "FAILED");
}

TEST(empty_graph)
{
    GRAPH empty = make_graph("path:0", 0);
    struct bench_request request = request_of(sources, 1, VERIFY_ALL);
    RESULT result;
    request.graph = &empty;
    assert_error(trials_run(&request, &result, &error), STATUS_INPUT,
                 "path:0: the graph has no vertices; nothing to traverse");
    trials_release(&result);
    request.algorithm = &fake_topo; /* which needs no start */
    request.family = family_of("topo");
    request.sources = NULL;
    request.records = NULL;
    assert_ok(trials_run(&request, &result, &error));
}

TESTS_EACH(enter_folder, leave_folder, set_up, tear_down)
