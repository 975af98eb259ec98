/* summary.h: the figures of a trial, and their summary over all trials. */
#pragma once

#include "../request.h"
#include "../verify/quality.h"

enum verdict { NOT_VERIFIED, VERIFIED, VERIFY_FAILED };

/* The times of one query, from a graph on the device to the finished result, by the device's clock. */
struct search_times {
    double time_ms;   /* the first member: the whole query */
    double reset_ms;  /* resetting the state of the last query; 0 if the traversal does that */
    double kernel_ms; /* the traversal alone, between the algorithm's run_kernel_begin() and run_kernel_end() */
};

#define NOT_MEASURED (-1.0) /* a time that is not known */

/* Times are those of struct search_times; in a batch, one source's share. */
struct trial {
    vertex_t source; /* NO_VERTEX: the family has none */
    double time_ms, reset_ms, kernel_ms;
    double download_ms; /* time to fetch the result; NOT_MEASURED: not fetched, or missing in an old record */
    uint32_t repeat;    /* which of its repeats this is, from 1 on */
    uint32_t batch;     /* number of sources of its batch; 0: the family has no batches */
    uint64_t edges;     /* sum of the out-degrees of the reached vertices */
    uint64_t reached;
    double search_mteps; /* edges / time_ms */
    double mteps;        /* edges / kernel_ms */
    unsigned sm_mhz;     /* clock of the GPU's SMs after the trial; 0: unknown */
    enum verdict verdict;
    struct quality quality; /* known if the trial was verified and has a tree */
    enum memory_step step;  /* how its run prepared */
    bool resumed;           /* taken over from an earlier run's records */
};

/* The distribution of a time over the trials. */
struct spread {
    double mean_ms, median_ms, min_ms, max_ms;
    double deviation; /* standard deviation divided by the mean */
};

/* The mean of a rate, and its harmonic mean, which leaves out trials without edges. */
struct rate {
    double mean, harmonic_mean;
};

struct summary {
    int trials;                 /* number of trials that the figures below cover */
    struct spread time, kernel; /* spreads of time_ms and kernel_ms */
    double mean_reset_ms, median_reset_ms;
    double download_ms;              /* median over the trials with a measured download; NOT_MEASURED: there are none */
    struct rate search_mteps, mteps; /* rates by time_ms and by kernel_ms */
    double total_mteps;              /* edges of all trials / time_ms of all trials */
    const char *verified;            /* "all", "first", "none", "FAILED" */
    int trees;                       /* trials whose tree's quality is known; 0: the means are NOT_MEASURED */
    double mean_tree_depth, mean_cross_share;
    uint32_t batch_sources;                /* size of the largest batch; 0: the family has no batches */
    double batch_time_ms, batch_kernel_ms; /* means over the batches of that size; NOT_MEASURED: no batches */
};

/* Returns millions of edges per second; 0 if ms is 0. */
static inline double mteps_of(uint64_t edges, double ms)
{
    return ms > 0 ? (double)edges / ms * 1e-3 : 0;
}

/* STATUS_INPUT if memory is short. */
int summarize(const struct trial *trials, int count, struct summary *summary, struct error *error);

/* For qsort(): compares doubles, or structs by their first member, a double. */
int compare_doubles(const void *a, const void *b);

/* Sorts the values and returns their median. count: at least 1. */
double median_of(double *values, int count);

/* "yes", "no" (not checked) or "FAILED". */
const char *verdict_word(enum verdict verdict);

/* Returns the value of summary.verified for these trials. */
const char *verified_word(const struct trial *trials, int count);
