#include "warnings.h"

#include <math.h>
#include <stdarg.h>

#include "summary.h"

/* Trials are alike if their number of edges differs from the median by at most this share. */
#define ALIKE 0.1
/* Fewer trials do not show what time is usual. */
#define FEWEST_TRIALS 8
/* A BFS from the periphery of a graph has up to twice as many levels as one from its centre, and may choose another
 * direction on some of them. docs/usage.md says how many of the committed records exceed this factor. */
#define OUTLIER 5.0
/* A first trial slower than the others by this factor was not warmed up. */
#define SLOW_FIRST 2.0

__attribute__((format(printf, 2, 3))) static void add(struct warnings *warnings, const char *format, ...)
{
    va_list arguments;
    if (warnings->count == MAX_WARNINGS)
        return;
    va_start(arguments, format);
    vsnprintf(warnings->text[warnings->count++], WARNING_BYTES, format, arguments);
    va_end(arguments);
}

void warn_of_threads(struct warnings *warnings, int threads, int free_cores)
{
    if (threads > free_cores)
        add(warnings, "%d threads share %d core%s; use fewer with --threads or OMP_NUM_THREADS", threads, free_cores,
            free_cores == 1 ? "" : "s");
}

void warn_of_load(struct warnings *warnings, int wanted, int processes, int threads, int cores)
{
    int others = wanted - processes, ours = processes * threads;
    if (others > 0 && others + ours > cores)
        add(warnings,
            "other programs keep %d of this machine's %d cores busy and this run uses %d; stop them or use fewer "
            "--threads",
            others < cores ? others : cores, cores, ours);
}

void warn_of_throttling(struct warnings *warnings, uint64_t times)
{
    if (times > 0)
        add(warnings,
            "the kernel stopped this run %" PRIu64
            " times because the CPU quota of its cgroup was used up; use fewer --threads or raise the quota",
            times);
}

void warn_of_clocks(struct warnings *warnings, const char *limits)
{
    if (limits[0] != '\0')
        add(warnings,
            "the GPU lowered its clocks (%s); cool it, raise its power limit or stop other programs on it, and "
            "measure again with --fresh",
            limits);
}

/* Collects the times of the trials that this run measured and that are alike, in their order.
 * *first_is_alike: the first trial measured is among them. Returns their number; scratch has room for num_trials. */
static int times_of_alike(const struct trial *trials, int num_trials, double *times, double *scratch,
                          bool *first_is_alike)
{
    int count = 0, measured = 0;
    for (int i = 0; i<num_trials; i += trials[i].batch> 0 ? (int)trials[i].batch : 1)
        if (!trials[i].resumed)
            scratch[measured++] = (double)trials[i].edges;
    if (measured == 0)
        return 0;
    double edges = median_of(scratch, measured);
    int seen = 0;
    for (int i = 0; i<num_trials; i += trials[i].batch> 0 ? (int)trials[i].batch : 1) {
        if (trials[i].resumed)
            continue;
        bool alike = fabs((double)trials[i].edges - edges) <= ALIKE * edges;
        if (seen++ == 0)
            *first_is_alike = alike;
        if (alike)
            times[count++] = trials[i].time_ms;
    }
    return count;
}

/* times: the times of alike trials in order; the function sorts them. has_first: they include the first trial. */
static void judge(struct warnings *warnings, double *times, int count, bool has_first)
{
    double first = times[0], most_of_others = 0, most = first;
    for (int i = 1; i < count; i++)
        most_of_others = fmax(most_of_others, times[i]);
    most = fmax(first, most_of_others);
    double middle = median_of(times, count);
    if (has_first && first > SLOW_FIRST * most_of_others)
        add(warnings,
            "the first timed trial took %.4g ms, %.1f times as long as the slowest of the others; files, memory or "
            "clocks were still warming up",
            first, first / most_of_others);
    else if (middle > 0 && most > OUTLIER * middle)
        add(warnings,
            "the slowest trial took %.4g ms, %.1f times the median of %d trials with about as many edges; something "
            "disturbed the run; measure again, or take the median",
            most, most / middle, count);
}

void warn_of_trials(struct warnings *warnings, const struct trial *trials, int num_trials)
{
    bool has_first;
    double *times = num_trials > 0 ? malloc(2 * (size_t)num_trials * sizeof *times) : NULL;
    if (times == NULL) /* without memory the warning is omitted; it is not essential */
        return;
    int count = times_of_alike(trials, num_trials, times, times + num_trials, &has_first);
    if (count >= FEWEST_TRIALS)
        judge(warnings, times, count, has_first);
    free(times);
}
