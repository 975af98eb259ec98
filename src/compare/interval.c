/* interval.c: the shift between two sides by ranks, after
 *
 *     Mann, Whitney: On a test of whether one of two random variables is stochastically larger than the other.
 *     Annals of Mathematical Statistics 18, 1947
 *     Hodges, Lehmann: Estimates of location based on rank tests. Annals of Mathematical Statistics 34, 1963
 *     Hollander, Wolfe: Nonparametric Statistical Methods, 1999, section 4.3: the interval
 *     Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 1979
 *
 * Their statistic U is the number of differences b[j] - a[i] below 0; a difference of 0 counts one half. */
#include "interval.h"

#include <limits.h>
#include <math.h>

#include "../records/summary.h"

#define MOST_VALUES 800  /* of both sides together */
#define ROUNDING    1e-9 /* more than the relative error of a p value */

/* Adds to each value those at distances step, 2 step, 3 step, ... before it. */
static void accumulate(long double *values, size_t count, size_t step)
{
    for (size_t i = step; i < count; i++)
        values[i] += values[i - step];
}

/* Fills chance[u] with P(U <= u) for all u < count, if the shift is 0 and no values are equal. The number of orders
 * with U = u is the coefficient of x^u in the product, over i = 1 ... m, of (1 - x^(n+i)) / (1 - x^i). Scaling each
 * factor to a sum of 1 gives probabilities. The subtractions amplify rounding errors: with 400 values a side they
 * reach 3e-12, and would reach 4e-9 in doubles. */
static void distribute(size_t m, size_t n, long double *chance, size_t count)
{
    for (size_t u = 0; u < count; u++)
        chance[u] = u == 0;
    for (size_t i = 1; i <= m; i++) {
        long double scale = (long double)i / (long double)(n + i);
        for (size_t u = count; u-- > 0;)
            chance[u] = scale * (chance[u] - (u >= n + i ? chance[u - n - i] : 0));
        accumulate(chance, count, i);
    }
    accumulate(chance, count, 1);
}

/* Returns the p value of the test of shift 0. Over all samples, ties make the test conservative: they narrow the
 * distribution of U, and a U between two integers is rounded towards its mean. For a given pattern of ties, p may be
 * too small. chance: P(U <= u) for all u up to half of count; beyond, p is 1. */
static double p_value(const double *differences, size_t count, const long double *chance)
{
    double below = 0;
    for (size_t i = 0; i < count; i++)
        below += differences[i] < 0 ? 1 : differences[i] == 0 ? 0.5 : 0;
    double u = ceil(fmin(below, (double)count - below));
    return u > (double)(count / 2) ? 1 : fmin(1, (double)(2 * chance[(size_t)u]));
}

/* Sets the interval. It ends at the k-th difference from below and from above, where k is the number of values of U
 * whose p value is at most 1 - confidence. */
static void set_interval(const double *sorted, size_t count, const long double *chance, double confidence,
                         struct shift *shift)
{
    size_t k = 0;
    while (k <= count / 2 && 2 * chance[k] <= (1 - confidence) * (1 + ROUNDING))
        k++;
    shift->low = k > 0 ? sorted[k - 1] : -INFINITY;
    shift->high = k > 0 ? sorted[count - k] : INFINITY;
}

int shift_of(const double *a, int num_a, const double *b, int num_b, double confidence, struct shift *shift,
             struct error *error)
{
    size_t m = (size_t)num_a, n = (size_t)num_b, count = m * n;
    double *differences;
    long double *chance = NULL;
    if (num_a + num_b > MOST_VALUES)
        return error_set(error, STATUS_INPUT, "%d and %d launches are too many to compare; leave out all but %d", num_a,
                         num_b, MOST_VALUES);
    if (allocate(&differences, count, sizeof *differences, "the differences", error) == STATUS_OK &&
        allocate(&chance, count / 2 + 1, sizeof *chance, "the rank sum test", error) == STATUS_OK) {
        for (size_t i = 0; i < count; i++)
            differences[i] = b[i % n] - a[i / n];
        distribute(m < n ? m : n, m < n ? n : m, chance, count / 2 + 1);
        shift->estimate = median_of(differences, (int)count); /* sorts them */
        shift->p = p_value(differences, count, chance);
        set_interval(differences, count, chance, confidence, shift);
    }
    free(differences);
    free(chance);
    return error->status;
}

void holm_adjust(double *p, int count)
{
    double adjusted = 0;
    for (int left = count; left > 0; left--) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (!signbit(p[i]) && (least < 0 || p[i] < p[least]))
                least = i;
        adjusted = fmin(1, fmax(adjusted, left * p[least]));
        p[least] = -adjusted; /* the sign marks what is done */
    }
    for (int i = 0; i < count; i++)
        p[i] = -p[i];
}

int launches_needed(const struct shift *shift, int num_a, int num_b, double same)
{
    double far = fmax(shift->high - shift->estimate, shift->estimate - shift->low);
    double allowed = fmax(fabs(shift->estimate), log1p(same) - fabs(shift->estimate));
    double now = 2 / (1.0 / num_a + 1.0 / num_b); /* equal sides of this size give as wide an interval */
    return isinf(far) || allowed <= 0 ? 0 : (int)fmin(INT_MAX, ceil(now * pow(far / allowed, 2)));
}
