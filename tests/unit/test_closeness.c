/* test_closeness.c: estimates of closeness, and its checkpoints. Its values are tested in
 * tests/cli/test_many_sources.py. */
#include "many_sources.h"

#include <math.h>

#include "../../src/run/closeness.h"

#define MOST 200
static vertex_t every[MOST];

/* Of all vertices, or of the first ones of a list. */
static int run_closeness(const struct graph *graph, const char *variant, const vertex_t *sources, int count,
                         const char *checkpoint, struct closeness_result *result)
{
    const struct algorithm *algorithm = find_algorithm("msbfs", variant);
    struct bench_request bench = request_for(algorithm, graph, sources, count);
    struct closeness_request request = {.bench = &bench, .checkpoint = checkpoint};
    return closeness_run(&request, result, &error);
}

/* From some of the vertices an estimate, which is exact once they are all. */
TEST(sampled_closeness)
{
    static const char *const specs[] = {"kron:7", "dag:100:0.05", "grid:10x10"};
    for (size_t i = 0; i < COUNT(specs); i++) {
        GRAPH graph = make_graph(specs[i], 0);
        vertex_t n = graph.num_vertices, drawn[MOST], again[MOST];
        struct closeness_result exact, all, some;
        bool is[MOST] = {false};
        assert_ok(sample_vertices(&graph, (int)n, drawn, &error));
        assert_ok(sample_vertices(&graph, (int)n / 2, again, &error));
        for (vertex_t v = 0; v < n; v++) {
            assert_true(drawn[v] < n && !is[drawn[v]]);
            is[drawn[v]] = true;
            assert_true(v >= n / 2 || again[v] == drawn[v]);
        }
        assert_ok(run_closeness(&graph, "then", every, (int)n, NULL, &exact));
        assert_ok(run_closeness(&graph, "pbfs", drawn, (int)n, NULL, &all));
        assert_ok(run_closeness(&graph, "serial", drawn, (int)n / 2, NULL, &some));
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
        assert_fails(sample_vertices(&graph, (int)n + 1, drawn, &error), STATUS_INPUT, "");
    }
}

/* Estimates from two of four vertices, by hand: c(v) sources reach v, r(v) is taken for c(v) 4 / 2 on a directed
 * graph. closeness = (r - 1) / 3 * (r - 1) / (farness r / c); harmonic = 4 / 2 * (the sum of 1 / distance). */
TEST(estimates)
{
    static const struct {
        const char *graph;
        vertex_t sources[2];
        double closeness[4], harmonic[4];
    } cases[] = {
        {"0>1 1>2 2>3 3>0", {0, 1}, {1 / 2., 3 / 2., 1 / 2., 3 / 10.}, {2 / 3., 2, 3, 5 / 3.}},
        {"0>1 1>2", {0, 3}, {0, 1 / 6., 1 / 12., 0}, {0, 2, 1, 0}},
        {"path:4", {0, 3}, {1 / 2., 1 / 2., 1 / 2., 1 / 2.}, {2 / 3., 3, 3, 2 / 3.}},
        {"path:4", {0, 1}, {3 / 2., 3 / 2., 1 / 2., 3 / 10.}, {2, 2, 3, 5 / 3.}},
    };
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        bool harmonic = i % 2 == 1;
        const double *expected = harmonic ? cases[i / 2].harmonic : cases[i / 2].closeness;
        GRAPH graph = make_graph(cases[i / 2].graph, 4);
        struct bench_request bench = request_for(find_algorithm("msbfs", "then"), &graph, cases[i / 2].sources, 2);
        bench.verify = VERIFY_FIRST;
        struct closeness_request request = {.bench = &bench, .harmonic = harmonic};
        struct closeness_result result;
        assert_ok(closeness_run(&request, &result, &error));
        for (vertex_t v = 0; v < 4; v++)
            if (fabs(result.closeness[v] - expected[v]) > 1e-9)
                fail_msg("%s, %s of %u: %.12g, not %.12g", cases[i / 2].graph, harmonic ? "harmonic" : "closeness", v,
                         result.closeness[v], expected[v]);
        closeness_release(&result);
    }
}

TEST(closeness_refuses)
{
    static const vertex_t twice[] = {1, 2, 1};
    GRAPH graph = make_graph("path:5", 0), directed = make_graph("0>1 1>2", 3);
    struct closeness_result result;
    assert_error(run_closeness(&graph, "then", twice, 3, NULL, &result), STATUS_INPUT,
                 "closeness takes each source once; 1 is named twice");
    closeness_release(&result);
    /* The fake variant gives sums for each source, but no farness. */
    struct bench_request bench = request_for(&fake_algorithm, &graph, every, 5);
    struct closeness_request request = {.bench = &bench};
    memset(&fake, 0, sizeof fake);
    assert_ok(closeness_run(&request, &result, &error));
    assert_true(result.closeness[2] == 4 / 6. && result.closeness[0] == 4 / 10.);
    closeness_release(&result);
    fake.wrong = OUTPUT_SUMS;
    assert_fails(closeness_run(&request, &result, &error), STATUS_WRONG, "");
    closeness_release(&result);
    bench.num_sources = 4;
    assert_fails(closeness_run(&request, &result, &error), STATUS_INPUT, "gives no farness");
    closeness_release(&result);
    bench.graph = &directed;
    bench.num_sources = 3;
    assert_fails(closeness_run(&request, &result, &error), STATUS_INPUT, "");
    closeness_release(&result);
}

/* Wherever it is interrupted, what was done is kept, and another variant goes on. */
TEST(closeness_goes_on)
{
    GRAPH graph = make_graph("path:16", 0);
    struct closeness_result whole, part, rest;
    assert_ok(run_closeness(&graph, "serial", every, 16, NULL, &whole));
    for (int failing = 1; failing <= 7; failing++) { /* in batches of three: the seventh never comes */
        struct bench_request bench = request_for(&fake_algorithm, &graph, every, 16);
        bench.verify = VERIFY_NONE;
        struct closeness_request request = {.bench = &bench, .checkpoint = "state"};
        memset(&fake, 0, sizeof fake);
        ctrl_c_pressed = failing == 7;
        int status = closeness_run(&request, &part, &error);
        ctrl_c_pressed = false;
        assert_fails(status, failing == 7 ? STATUS_INTERRUPTED : STATUS_OK, "");
        if (failing == 7)
            assert_int_equal(part.num_done, 0);
        closeness_release(&part);
        assert_ok(run_closeness(&graph, "then", every, 16, "state", &rest));
        assert_int_equal(rest.num_resumed, failing == 7 ? 0 : 16);
        for (vertex_t v = 0; v < 16; v++)
            assert_true(rest.closeness[v] == whole.closeness[v]);
        closeness_release(&rest);
        assert_int_equal(remove("state"), 0);
    }
    closeness_release(&whole);
}

TEST(bad_checkpoints)
{
    GRAPH graph = make_graph("path:16", 0), other = make_graph("star:16", 0);
    struct closeness_result result;
    assert_ok(run_closeness(&graph, "then", every, 16, "state", &result));
    closeness_release(&result);
    size_t length;
    TEXT whole = get_bytes("state", &length);
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
        int status = run_closeness(&graph, "then", every, 16, "state", &result);
        closeness_release(&result);
        bool reported = false;
        for (size_t i = 0; i < COUNT(damaged); i++)
            reported = reported || strcmp(error.text, damaged[i]) == 0;
        if (status != STATUS_INPUT || !reported)
            fail_msg("byte %zu of %zu: %d, %s", byte, length, status, error.text);
        error = (struct error){0};
    }
    for (size_t cut = 0; cut < length; cut += 7) {
        put_bytes("state", whole, cut);
        assert_fails(run_closeness(&graph, "then", every, 16, "state", &result), STATUS_INPUT, "");
        closeness_release(&result);
    }
    put_bytes("state", whole, length);
    assert_error(run_closeness(&other, "then", every, 16, "state", &result), STATUS_INPUT, damaged[2]);
    closeness_release(&result);
    assert_error(run_closeness(&graph, "then", every, 15, "state", &result), STATUS_INPUT, damaged[2]);
    closeness_release(&result);
    vertex_t others[16]; /* as many sources, and the same first one */
    memcpy(others, every, sizeof others);
    others[14] = every[15];
    others[15] = every[14];
    assert_error(run_closeness(&graph, "then", others, 16, "state", &result), STATUS_INPUT, damaged[2]);
    closeness_release(&result);
}

static int enter(void **state)
{
    for (vertex_t v = 0; v < MOST; v++)
        every[v] = v;
    return enter_with_cpu(state);
}

TESTS(enter, leave_with_cpu)
