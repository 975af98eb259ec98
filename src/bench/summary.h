/* summary.h: the figures of a trial, and their summary over all trials. */
#ifndef GTRAV_SUMMARY_H
#define GTRAV_SUMMARY_H

#include "quality.h"

enum verdict { NOT_VERIFIED, VERIFIED, VERIFY_FAILED };

/* Which trials are verified; and the name of a mode on the command line, in records and in JSON. */
enum verify_mode { VERIFY_NONE, VERIFY_FIRST, VERIFY_ALL };
const char *verify_word(enum verify_mode mode);

struct trial {
    vertex_t source; /* NO_VERTEX: the family has none */
    double time_ms; /* from a resident graph to the finished result, reset included; in a batch, one source's share */
    double kernel_ms; /* the traversal alone; in a batch, one source's share */
    uint32_t batch;   /* number of sources of its batch; 0: the family has no batches */
    uint64_t edges;   /* sum of the out-degrees of the reached vertices */
    uint64_t reached;
    double mteps; /* edges / kernel_ms */
    enum verdict verdict;
    struct quality quality; /* known if the trial was verified and gives a tree */
    bool resumed;           /* taken over from an earlier run's records */
};

struct summary {
    int trials; /* number of trials that the figures below cover */
    double mean_time_ms, mean_kernel_ms, median_kernel_ms, min_kernel_ms, max_kernel_ms;
    double kernel_spread;                   /* standard deviation of kernel_ms over its mean */
    double mean_mteps, harmonic_mean_mteps; /* trials without edges are left out of the harmonic mean */
    const char *verified;                   /* "all", "first", "none", "FAILED" */
    int trees;                              /* trials whose tree's quality is known: */
    double mean_tree_depth, mean_cross_share;
    uint32_t batch_sources; /* size of the largest batch; 0: the family has no batches */
    double batch_kernel_ms; /* mean over the batches of that size */
};

/* STATUS_INPUT if memory is short. */
int summarize(const struct trial *trials, int count, struct summary *summary, struct error *error);

/* The value of summary.verified for these trials. */
const char *verified_word(const struct trial *trials, int count);

#endif
