/* test_interval.c: shifts, Holm's correction and numbers of launches against values found by hand. The comparison
 * with SciPy is in tests/cli/test_interval.py. */
#include "support.h"

#include <limits.h>
#include <math.h>

#include "../../src/compare/interval.h"

#define MOST 5

static void assert_close(double found, double expected, const char *what)
{
    if (found != expected && !(fabs(found - expected) <= 1e-12))
        fail_msg("%s is %.17g, not %.17g", what, found, expected);
}

TEST(known_shifts)
{
    static const struct {
        int num_a, num_b;
        double a[MOST], b[MOST], confidence;
        struct shift expected;
    } known[] = {
        {1, 1, {1}, {1.5}, 0.95, {0.5, -INFINITY, INFINITY, 1}},
        {1, 5, {0}, {5, 1, 4, 2, 3}, 0.95, {3, -INFINITY, INFINITY, 2.0 / 6}},
        {1, 5, {0}, {5, 1, 4, 2, 3}, 0.6, {3, 1, 5, 2.0 / 6}},
        {3, 3, {1, 2, 3}, {11, 12, 13}, 0.95, {10, -INFINITY, INFINITY, 2.0 / 20}},
        {3, 3, {1, 2, 3}, {11, 12, 13}, 0.9, {10, 8, 12, 2.0 / 20}}, /* 1 - 2/20 exactly */
        {4, 4, {4, 2, 3, 1}, {11, 13, 12, 14}, 0.95, {10, 7, 13, 2.0 / 70}},
        {4, 4, {11, 13, 12, 14}, {4, 2, 3, 1}, 0.95, {-10, -13, -7, 2.0 / 70}},
        /* the third of 61 71 72 81 82 ..., as 2 (1 + 1 + 2) / 252 <= 0.05 */
        {5, 5, {0, 10, 20, 30, 40}, {101, 112, 123, 134, 145}, 0.95, {103, 72, 134, 2.0 / 252}},
        /* ties: U is 1, then 1/2, which counts as 1 */
        {3, 3, {1, 2, 2}, {2, 3, 3}, 0.95, {1, -INFINITY, INFINITY, 2 * 2.0 / 20}},
        {2, 2, {1, 2}, {2, 3}, 0.95, {1, -INFINITY, INFINITY, 2 * 2.0 / 6}},
        {5, 5, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}, 0.95, {0, -3, 3, 1}},
        {4, 4, {7, 7, 7, 7}, {7, 7, 7, 7}, 0.95, {0, 0, 0, 1}},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        struct shift found;
        print_message("shift %zu\n", i);
        assert_ok(
            shift_of(known[i].a, known[i].num_a, known[i].b, known[i].num_b, known[i].confidence, &found, &error));
        assert_close(found.estimate, known[i].expected.estimate, "the estimate");
        assert_close(found.low, known[i].expected.low, "the lower end");
        assert_close(found.high, known[i].expected.high, "the upper end");
        assert_close(found.p, known[i].expected.p, "p");
    }
}

/* With sides that are far apart, p is 2 over the number of orders, which an int or a float could not hold. */
TEST(many_values)
{
    enum { SIDE = 400 };
    double a[SIDE], b[SIDE];
    struct shift shift;
    for (int i = 0; i < SIDE; i++) {
        a[i] = i;
        b[i] = i + 1000;
    }
    assert_ok(shift_of(a, SIDE, b, SIDE, 0.95, &shift, &error));
    assert_close(log(shift.p), log(2) + 2 * lgamma(SIDE + 1) - lgamma(2 * SIDE + 1), "the logarithm of p");
    assert_fails(shift_of(a, SIDE, b, SIDE + 1, 0.95, &shift, &error), STATUS_INPUT, "leave out all but 800");
}

TEST(holm)
{
    static const struct {
        int count;
        double p[MOST], expected[MOST];
    } known[] = {
        {1, {0.3}, {0.3}},
        {4, {0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02}},
        {3, {0.9, 0, 0.9}, {1, 0, 1}},
        {3, {0.02, 0.02, 0.02}, {0.06, 0.06, 0.06}},
    };
    holm_adjust(NULL, 0);
    for (size_t i = 0; i < COUNT(known); i++) {
        double p[MOST];
        memcpy(p, known[i].p, sizeof p);
        holm_adjust(p, known[i].count);
        for (int k = 0; k < known[i].count; k++)
            assert_close(p[k], known[i].expected[k], "the corrected p");
    }
}

TEST(launches)
{
    static const struct {
        struct shift shift;
        int num_a, num_b;
        double same;
        int expected;
    } known[] = {
        {{0.1, -0.1, 0.3}, 10, 10, 0.02, 40},   /* half the width excludes 0 */
        {{0.1, 0, 0.3}, 10, 10, 0.02, 40},      /* the end that is further away counts */
        {{-0.1, -0.3, 0.1}, 20, 5, 0.02, 32},   /* 20 and 5 launches count as 8 a side */
        {{-0.01, -0.3, 0.2}, 10, 10, 0.25, 19}, /* lies within log(1.25) = 0.223: 0.213 are allowed, and 0.29 there */
        {{1e-9, -1, 1}, 10, 10, 0, INT_MAX},    /* 10^19 */
        {{0, -1, 1}, 10, 10, 0, 0},             /* no number suffices */
        {{0.5, -INFINITY, INFINITY}, 1, 1, 0.02, 0},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        assert_int_equal(launches_needed(&known[i].shift, known[i].num_a, known[i].num_b, known[i].same),
                         known[i].expected);
}

TESTS(NULL, NULL)
