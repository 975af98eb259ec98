#include "summary.h"

#include <math.h>

int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {[NOT_VERIFIED] = "no", [VERIFIED] = "yes", [VERIFY_FAILED] = "FAILED"};
    return words[verdict];
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

/* The offset of a double in struct trial. */
#define FIGURE(member) offsetof(struct trial, member)

static double figure_of(const struct trial *trial, size_t at)
{
    double value;
    memcpy(&value, (const char *)trial + at, sizeof value);
    return value;
}

/* sorted: room for count values; afterwards it holds the figure's values in ascending order. */
static double median(const struct trial *trials, int count, size_t figure, double *sorted)
{
    for (int i = 0; i < count; i++)
        sorted[i] = figure_of(&trials[i], figure);
    return median_of(sorted, count);
}

static double mean(const struct trial *trials, int count, size_t figure)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += figure_of(&trials[i], figure);
    return sum / count;
}

static struct spread spread_of(const struct trial *trials, int count, size_t figure, double *sorted)
{
    struct spread spread = {.mean_ms = mean(trials, count, figure),
                            .median_ms = median(trials, count, figure, sorted),
                            .min_ms = sorted[0],
                            .max_ms = sorted[count - 1]};
    double squares = 0;
    for (int i = 0; i < count; i++)
        squares += pow(figure_of(&trials[i], figure) - spread.mean_ms, 2);
    if (count > 1 && spread.mean_ms > 0)
        spread.deviation = sqrt(squares / (count - 1)) / spread.mean_ms;
    return spread;
}

static struct rate rate_of(const struct trial *trials, int count, size_t figure)
{
    double inverse = 0;
    int with_edges = 0;
    for (int i = 0; i < count; i++)
        if (figure_of(&trials[i], figure) > 0) {
            inverse += 1 / figure_of(&trials[i], figure);
            with_edges++;
        }
    return (struct rate){mean(trials, count, figure), with_edges > 0 ? with_edges / inverse : 0};
}

/* The median of the downloads that were measured. sorted: as in median(). */
static double median_download(const struct trial *trials, int count, double *sorted)
{
    int known = 0;
    for (int i = 0; i < count; i++)
        if (trials[i].download_ms >= 0)
            sorted[known++] = trials[i].download_ms;
    return known > 0 ? median_of(sorted, known) : NOT_MEASURED;
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

/* Computes means over the largest batches: the mean over their sources, times their size. */
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
    *summary = (struct summary){.trials = count, .verified = verified_word(trials, count), .download_ms = NOT_MEASURED};
    summarize_trees(trials, count, summary);
    summarize_batches(trials, count, summary);
    if (count == 0)
        return STATUS_OK;
    if (allocate(&sorted, (size_t)count, sizeof *sorted, "the median", error) != STATUS_OK)
        return error->status;
    summary->time = spread_of(trials, count, FIGURE(time_ms), sorted);
    summary->kernel = spread_of(trials, count, FIGURE(kernel_ms), sorted);
    summary->mean_reset_ms = mean(trials, count, FIGURE(reset_ms));
    summary->median_reset_ms = median(trials, count, FIGURE(reset_ms), sorted);
    summary->download_ms = median_download(trials, count, sorted);
    summary->search_mteps = rate_of(trials, count, FIGURE(search_mteps));
    summary->mteps = rate_of(trials, count, FIGURE(mteps));
    uint64_t edges = 0;
    for (int i = 0; i < count; i++)
        edges += trials[i].edges;
    summary->total_mteps = mteps_of(edges, count * summary->time.mean_ms);
    free(sorted);
    return STATUS_OK;
}
