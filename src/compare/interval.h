/* interval.h: the shift between the values of two sides, its confidence interval and its test. They assume that both
 * sides have the same distribution, of any shape, apart from the shift. */
#pragma once

#include "../error.h"

/* If the values are logarithms of times, a shift is the logarithm of a ratio of times. */
struct shift {
    double estimate;
    double low, high; /* the confidence interval; -INFINITY and INFINITY if there are too few values for it */
    double p;         /* two-sided p value of the test that the shift is 0 */
};

/* Estimates the shift of the values of b against those of a: Hodges and Lehmann's estimate, which is the median of
 * all b[j] - a[i], with the exact interval and p value of the rank sum test of Wilcoxon, Mann and Whitney.
 * confidence: of the interval, such as 0.95. Values are finite; each side has at least one. STATUS_INPUT if memory is
 * short, or if both sides together have over 800 values; 400 a side take 0.6 s. */
int shift_of(const double *a, int num_a, const double *b, int num_b, double confidence, struct shift *shift,
             struct error *error);

/* Replaces p values by those of Holm's step-down correction (1979): if the rows with p <= alpha are called different,
 * the chance that a row without a difference is among them is at most alpha. Rows keep their order. The values are
 * not negative. The time is quadratic. */
void holm_adjust(double *p, int count);

/* Estimates how many values a side would decide an unclear comparison, so that the interval excludes 0 or lies within
 * +-log(1 + same). It assumes that the estimate stays, and that the interval shrinks with the square root of the
 * number of values. Returns 0 if the number is unknown: the interval is infinite, or estimate and same are 0. */
int launches_needed(const struct shift *shift, int num_a, int num_b, double same);
