/* comparison.h: compares the times of two sides: ratios, intervals, verdicts.
 *
 * The unit of evidence is a launch, a process of its own: times within one process agree better with each other than
 * with the next process. A launch's figure is the logarithm of its mean time over the sources that both sides share.
 */
#pragma once

#include "figures.h"
#include "interval.h"

#define FEWEST_LAUNCHES 4      /* on each side, for a verdict */
#define MOST_NEEDED     100000 /* a larger estimate of the launches needed counts as unknown */
#define CONFIDENCE      0.95

enum outcome {
    REFUSED,    /* the rows cannot be compared; the remark says why */
    ONE_LAUNCH, /* at least one side has only one launch: a ratio, and no verdict */
    TOO_FEW,    /* at least one side has fewer than FEWEST_LAUNCHES */
    SAME,       /* the interval lies within the margin */
    FASTER,     /* the new side takes less time: the interval excludes 1, after Holm's correction over all rows */
    SLOWER,
    UNCLEAR
};

struct comparison {
    const struct row *row[2]; /* of the old and the new side, for the names; owned by the caller's rows */
    int launches[2];
    double ms[2];        /* mean time over the shared sources: the median of the launches */
    int num_sources;     /* shared sources; 0: rows without trials */
    struct shift shift;  /* of the logarithms of the times; its p is after Holm's correction */
    double quartiles[2]; /* of the ratios of single sources, so not a confidence interval; 0: unknown */
    enum outcome outcome;
    int needed; /* UNCLEAR: about how many launches a side would give a verdict; 0: unknown */
    char remark[WHY_BYTES];
};

struct comparisons {
    struct comparison *items; /* count; owned */
    int count;
    int unmatched[2]; /* graphs and variants that only one side has */
};

struct comparison_options {
    double same;      /* the margin of SAME: 0.02 means 2% */
    bool of_commands; /* the user named a command for each side, so variants, options and threads may differ */
};

/* Compares the rows of the old side with those of the new. STATUS_INPUT if memory is short or if no graph and variant
 * is on both sides. Call comparisons_release() in every case. */
int compare_rows(const struct rows sides[2], const struct comparison_options *options, struct comparisons *found,
                 struct error *error);
void comparisons_release(struct comparisons *comparisons);

/* "same", "faster", ... */
const char *outcome_word(enum outcome outcome);
