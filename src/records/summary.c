#include "summary.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
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

/* A figure of a trial. */
typedef double figure(const struct trial *trial);

static double time_of(const struct trial *trial)
{
    return trial->time_ms;
}
static double edges_of(const struct trial *trial)
{
    return (double)trial->edges;
}
static double reset_of(const struct trial *trial)
{
    return trial->reset_ms;
}
static double kernel_of(const struct trial *trial)
{
    return trial->kernel_ms;
}
static double search_mteps_of(const struct trial *trial)
{
    return trial->search_mteps;
}
static double kernel_mteps_of(const struct trial *trial)
{
    return trial->mteps;
}

/* sorted: room for count values, which holds the figure's in ascending order afterwards. */
static double median(const struct trial *trials, int count, figure *of, double *sorted)
{
    for (int i = 0; i < count; i++)
        sorted[i] = of(&trials[i]);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_doubles);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static double mean(const struct trial *trials, int count, figure *of)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += of(&trials[i]);
    return sum / count;
}

static struct spread spread_of(const struct trial *trials, int count, figure *of, double *sorted)
{
    struct spread spread = {.mean_ms = mean(trials, count, of),
                            .median_ms = median(trials, count, of, sorted),
                            .min_ms = sorted[0],
                            .max_ms = sorted[count - 1]};
    double squares = 0;
    for (int i = 0; i < count; i++)
        squares += pow(of(&trials[i]) - spread.mean_ms, 2);
    if (count > 1 && spread.mean_ms > 0)
        spread.deviation = sqrt(squares / (count - 1)) / spread.mean_ms;
    return spread;
}

static struct rate rate_of(const struct trial *trials, int count, figure *of)
{
    double inverse = 0;
    int with_edges = 0;
    for (int i = 0; i < count; i++)
        if (of(&trials[i]) > 0) {
            inverse += 1 / of(&trials[i]);
            with_edges++;
        }
    return (struct rate){mean(trials, count, of), with_edges > 0 ? with_edges / inverse : 0};
}

/* The median of the downloads that were measured. sorted: as in median(). */
static double median_download(const struct trial *trials, int count, double *sorted)
{
    int known = 0;
    for (int i = 0; i < count; i++)
        if (trials[i].download_ms >= 0)
            sorted[known++] = trials[i].download_ms;
    qsort(sorted, (size_t)known, sizeof *sorted, compare_doubles);
    return known > 0 ? (sorted[(known - 1) / 2] + sorted[known / 2]) / 2 : NOT_MEASURED;
}

/* Means over the trials whose tree's quality is known. */
static void summarize_trees(const struct trial *trials, int count, struct summary *summary)
{
    for (int i = 0; i < count; i++)
        if (trials[i].quality.known) {
            summary->trees++;
            summary->mean_tree_depth += trials[i].quality.tree_depth;
            summary->mean_cross_share += trials[i].quality.cross_share;
        }
    summary->mean_tree_depth = summary->trees > 0 ? summary->mean_tree_depth / summary->trees : NOT_MEASURED;
    summary->mean_cross_share = summary->trees > 0 ? summary->mean_cross_share / summary->trees : NOT_MEASURED;
}

/* Means over the sources of the largest batches, times their size. */
static void summarize_batches(const struct trial *trials, int count, struct summary *summary)
{
    int in_batches = 0;
    for (int i = 0; i < count; i++)
        if (trials[i].batch > summary->batch_sources)
            summary->batch_sources = trials[i].batch;
    if (summary->batch_sources == 0) {
        summary->batch_time_ms = summary->batch_kernel_ms = NOT_MEASURED;
        return;
    }
    for (int i = 0; i < count; i++)
        if (trials[i].batch == summary->batch_sources) {
            summary->batch_time_ms += trials[i].time_ms * trials[i].batch;
            summary->batch_kernel_ms += trials[i].kernel_ms * trials[i].batch;
            in_batches++;
        }
    summary->batch_time_ms /= in_batches;
    summary->batch_kernel_ms /= in_batches;
}

int summarize(const struct trial *trials, int count, struct summary *summary, struct error *error)
{
    double *sorted;
    *summary =
        (struct summary){.trials = count, .verified = verified_word(trials, count), .download_ms = NOT_MEASURED};
    summarize_trees(trials, count, summary);
    summarize_batches(trials, count, summary);
    if (count == 0)
        return STATUS_OK;
    if (allocate(&sorted, (size_t)count, sizeof *sorted, "the median", error) != STATUS_OK)
        return error->status;
    summary->time = spread_of(trials, count, time_of, sorted);
    summary->kernel = spread_of(trials, count, kernel_of, sorted);
    summary->mean_reset_ms = mean(trials, count, reset_of);
    summary->median_reset_ms = median(trials, count, reset_of, sorted);
    summary->download_ms = median_download(trials, count, sorted);
    summary->search_mteps = rate_of(trials, count, search_mteps_of);
    summary->mteps = rate_of(trials, count, kernel_mteps_of);
    summary->total_mteps =
        summary->time.mean_ms > 0 ? 1e-3 * mean(trials, count, edges_of) / summary->time.mean_ms : 0;
    free(sorted);
    return STATUS_OK;
}
