/* test_repeats.c: a short search is timed right after the same search, whatever ran before: what is verified, fetched
 * or written does not change the times. */
#include "record_rows.h"

#include <math.h>

#include "../../src/run/engine.h"

/* The fake's cold searches take COLD times as long: none counts, and the repetition of each does. */
TEST(times_whatever_is_verified)
{
    static const enum verify_mode modes[] = {VERIFY_NONE, VERIFY_FIRST, VERIFY_ALL};
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct bench_request request = request_of(sources, 4, modes[m]);
        RESULT result;
        remove_tree(RECORDS);
        memset(&fake, 0, sizeof fake);
        assert_ok(trials_run(&request, &result, &error));
        assert_int_equal(fake.traversals, 1 + 4);
        assert_int_equal(fake.repeats, 4); /* one for each trial; the warm-up has none */
        for (int i = 0; i < 4; i++)
            assert_true(fabs(result.trials[i].kernel_ms - (sources[i] + 1) * 1e-3) < 1e-12);
    }
}

/* What takes long is timed as it is, and so is what the emulator runs. */
TEST(what_is_not_repeated)
{
    static const struct {
        double long_ms;
        enum device_kind device;
        int repeats;
    } cases[] = {{LONG_SEARCH_MS - 0.001, DEVICE_CPU, 3},
                 {LONG_SEARCH_MS, DEVICE_CPU, 0},
                 {1000, DEVICE_GPU, 0},
                 {0, DEVICE_GPU, 3},
                 {0, DEVICE_EMULATOR, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bench_request request = request_of(sources, 3, VERIFY_ALL);
        request.records = NULL;
        memset(&fake, 0, sizeof fake);
        fake.long_ms = cases[i].long_ms;
        fake_device.kind = cases[i].device;
        run_and_expect(&request, STATUS_OK, 3, 1 + 3);
        assert_int_equal(fake.repeats, cases[i].repeats);
    }
    fake_device.kind = DEVICE_CPU;
}

static int num_coolings;

static int fake_cool(struct device *device, struct error *failure)
{
    num_coolings++;
    fake.fetched = true; /* the next search is a cold one */
    return STATUS_OK;
}

/* gtrav empties the caches before each cold search, also in repeats, and once when it opens the engine, as a check.
 */
TEST(cold_searches)
{
    struct bench_request request = request_of(sources, 3, VERIFY_NONE);
    request.records = NULL;
    request.cold = true;
    RESULT result;
    assert_fails(trials_run(&request, &result, &error), STATUS_INPUT, "--cold: Fake: its caches cannot be emptied");
    fake_device.cool = fake_cool;
    for (unsigned repeats = 1; repeats <= 2; repeats++) {
        request.repeats = repeats;
        num_coolings = 0;
        memset(&fake, 0, sizeof fake);
        trials_release(&result);
        assert_ok(trials_run(&request, &result, &error));
        assert_int_equal(fake.traversals, 1 + 3 * repeats);
        assert_int_equal(num_coolings, 1 + 3 * repeats);
        assert_int_equal(fake.repeats, 0);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(result.trials[i].kernel_ms - COLD * (sources[i] + 1) * 1e-3) < 1e-12);
    }
    fake_device.cool = NULL;
}

/* ---- sums over queries ---- */

static uint64_t farness_sum;
static bool adds_sums; /* the algorithm gives sums, too, which each query sets anew */

static int prepare_farness(struct run *run)
{
    assert_int_equal(run->outputs, adds_sums ? OUTPUT_SUMS : OUTPUT_FARNESS);
    return STATUS_OK;
}

static int traverse_farness(struct run *run, const struct query *query)
{
    fake.traversals++;
    fake.source = query->sources[0];
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        farness_sum += v > query->sources[0] ? v - query->sources[0] : query->sources[0] - v;
    return STATUS_OK;
}

static int fetch_farness(struct run *run, struct traversal *result)
{
    vertex_t n = run->graph->num_vertices, source = fake.source;
    uint64_t sum = 0;
    for (vertex_t v = 0; v < n; v++) {
        uint32_t level = v > source ? v - source : source - v;
        sum += level;
        if (result->farness != NULL) {
            result->farness[v] = level;
            result->farness_count[v] = 1;
        }
    }
    if (result->sums != NULL)
        *result->sums = (struct source_sums){n, sum, source > n - 1 - source ? source : n - 1 - source};
    else
        assert_int_equal(farness_sum, sum); /* of one search since the last fetch */
    farness_sum = 0;
    return STATUS_OK;
}

TEST(sums_count_once)
{
    static const double none[MAX_OPTIONS];
    for (int sums = 0; sums < 2; sums++) {
        struct algorithm algorithm = {.family = "msbfs",
                                      .variant = "farness",
                                      .outputs = OUTPUT_LEVEL,
                                      .on_request = OUTPUT_FARNESS | (sums ? OUTPUT_SUMS : 0),
                                      .state_bytes = 1,
                                      .prepare = prepare_farness,
                                      .traverse = traverse_farness,
                                      .fetch = fetch_farness,
                                      .release = fake_release};
        struct bench_request request = request_of(sources, 3, VERIFY_ALL);
        request.algorithm = &algorithm;
        request.options = none;
        request.records = NULL;
        request.aggregates = true;
        adds_sums = sums;
        farness_sum = 0;
        fake.prepared = fake.released = 0;
        RESULT result;
        fake.traversals = 0;
        assert_ok(trials_run(&request, &result, &error));
        assert_int_equal(fake.traversals, sums ? 1 + 2 * 3 : 1 + 3);
    }
}

TESTS_EACH(enter_folder, leave_folder, set_up, tear_down)
