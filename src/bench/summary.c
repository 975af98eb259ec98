#include "summary.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int median(const struct trial *trials, int count, double *middle, struct error *error)
{
    double *sorted;
    if (allocate(&sorted, (size_t)count, sizeof *sorted, "the median", error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < count; i++)
        sorted[i] = trials[i].kernel_ms;
    qsort(sorted, (size_t)count, sizeof *sorted, compare_doubles);
    *middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return STATUS_OK;
}

const char *verify_word(enum verify_mode mode)
{
    static const char *const words[] = {[VERIFY_NONE] = "none", [VERIFY_FIRST] = "first", [VERIFY_ALL] = "all"};
    return words[mode];
}

const char *verified_word(const struct trial *trials, int count)
{
    int verified = 0;
    for (int i = 0; i < count; i++) {
        if (trials[i].verdict == VERIFY_FAILED)
            return "FAILED";
        verified += trials[i].verdict == VERIFIED;
    }
    return verify_word(count > 0 && verified == count ? VERIFY_ALL : verified > 0 ? VERIFY_FIRST : VERIFY_NONE);
}

int summarize(const struct trial *trials, int count, struct summary *summary, struct error *error)
{
    *summary = (struct summary){.trials = count, .verified = verified_word(trials, count)};
    if (count == 0)
        return STATUS_OK;
    double time = 0, kernel = 0, squares = 0, mteps = 0, inverse = 0, batch_kernel = 0;
    int with_edges = 0, in_batches = 0;
    summary->min_kernel_ms = INFINITY;
    for (int i = 0; i < count; i++) {
        time += trials[i].time_ms;
        kernel += trials[i].kernel_ms;
        mteps += trials[i].mteps;
        summary->min_kernel_ms = fmin(summary->min_kernel_ms, trials[i].kernel_ms);
        summary->max_kernel_ms = fmax(summary->max_kernel_ms, trials[i].kernel_ms);
        if (trials[i].mteps > 0) {
            inverse += 1 / trials[i].mteps;
            with_edges++;
        }
        if (trials[i].quality.known) {
            summary->trees++;
            summary->mean_tree_depth += trials[i].quality.tree_depth;
            summary->mean_cross_share += trials[i].quality.cross_share;
        }
    }
    if (summary->trees > 0) {
        summary->mean_tree_depth /= summary->trees;
        summary->mean_cross_share /= summary->trees;
    }
    for (int i = 0; i < count; i++)
        if (trials[i].batch > summary->batch_sources)
            summary->batch_sources = trials[i].batch;
    for (int i = 0; i < count; i++) /* a mean over the sources of the largest batches, times their size */
        if (trials[i].batch == summary->batch_sources) {
            batch_kernel += trials[i].kernel_ms * trials[i].batch;
            in_batches++;
        }
    summary->batch_kernel_ms = batch_kernel / in_batches;
    summary->mean_time_ms = time / count;
    summary->mean_kernel_ms = kernel / count;
    summary->mean_mteps = mteps / count;
    summary->harmonic_mean_mteps = with_edges > 0 ? with_edges / inverse : 0;
    for (int i = 0; i < count; i++) {
        double distance = trials[i].kernel_ms - summary->mean_kernel_ms;
        squares += distance * distance;
    }
    if (count > 1 && summary->mean_kernel_ms > 0)
        summary->kernel_spread = sqrt(squares / (count - 1)) / summary->mean_kernel_ms;
    return median(trials, count, &summary->median_kernel_ms, error);
}
