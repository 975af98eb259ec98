/* summary.h: the figures of a trial, and their summary over all trials. */
#pragma once

#include "../request.h"
#include "../verify/quality.h"

enum verdict { NOT_VERIFIED, VERIFIED, VERIFY_FAILED };

/* What one query took, from a resident graph to the finished result; in milliseconds of the device's clock. */
struct search_times {
    double time_ms;   /* all of it */
    double reset_ms;  /* resetting what the last query left, before the traversal; 0 if the traversal does that */
    double kernel_ms; /* the traversal, as the algorithm brackets it (run_kernel_begin) */
};

#define NOT_MEASURED (-1.0) /* a time that is not known */

/* Times are those of struct search_times; in a batch, one source's share. */
struct trial {
    vertex_t source; /* NO_VERTEX: the family has none */
    double time_ms, reset_ms, kernel_ms;
    double download_ms; /* time to fetch its result; NOT_MEASURED: it was not fetched, or an old record says none */
    uint32_t batch;     /* number of sources of its batch; 0: the family has no batches */
    uint64_t edges;     /* sum of the out-degrees of the reached vertices */
    uint64_t reached;
    double search_mteps; /* edges / time_ms */
    double mteps;        /* edges / kernel_ms */
    enum verdict verdict;
    struct quality quality; /* known if the trial was verified and gives a tree */
    bool resumed;           /* taken over from an earlier run's records */
};

/* How a time is spread over the trials. */
struct spread {
    double mean_ms, median_ms, min_ms, max_ms;
    double deviation; /* standard deviation over the mean */
};

/* The mean of a rate, and its harmonic mean, which leaves out trials without edges. */
struct rate {
    double mean, harmonic_mean;
};

struct summary {
    int trials;                 /* number of trials that the figures below cover */
    struct spread time, kernel; /* spreads of time_ms and kernel_ms */
    double mean_reset_ms, median_reset_ms;
    double download_ms; /* the median, of the trials whose download was measured; NOT_MEASURED: none was */
    struct rate search_mteps, mteps; /* rates by time_ms and by kernel_ms */
    double total_mteps;              /* the edges of all trials over the time_ms of all */
    const char *verified;            /* "all", "first", "none", "FAILED" */
    int trees;                       /* trials whose tree's quality is known; 0: the means are NOT_MEASURED */
    double mean_tree_depth, mean_cross_share;
    uint32_t batch_sources;                /* size of the largest batch; 0: the family has no batches */
    double batch_time_ms, batch_kernel_ms; /* means over the batches of that size; NOT_MEASURED: no batches */
};

/* Millions of edges per second; 0 if it took no time. */
static inline double mteps_of(uint64_t edges, double ms)
{
    return ms > 0 ? (double)edges / ms * 1e-3 : 0;
}

/* STATUS_INPUT if memory is short. */
int summarize(const struct trial *trials, int count, struct summary *summary, struct error *error);

/* The median of count, at least 1, values, which it sorts. */
double median_of(double *values, int count);

/* The value of summary.verified for these trials. */
const char *verified_word(const struct trial *trials, int count);
