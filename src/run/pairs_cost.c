/* pairs_cost.c: see pairs_cost.h. */
#include "pairs_cost.h"

#include <math.h>
#include <stdlib.h>

#include "../processes/ranks.h"

void pairs_cost_raise(struct pairs_cost *most, const struct pairs_cost *cost)
{
    most->times.time_ms = fmax(most->times.time_ms, cost->times.time_ms);
    most->times.reset_ms = fmax(most->times.reset_ms, cost->times.reset_ms);
    most->times.kernel_ms = fmax(most->times.kernel_ms, cost->times.kernel_ms);
    most->download_ms = fmax(most->download_ms, cost->download_ms);
}

void pairs_cost_share(struct pairs_cost *most)
{
    most->times.time_ms = ranks_most(most->times.time_ms);
    most->times.reset_ms = ranks_most(most->times.reset_ms);
    most->times.kernel_ms = ranks_most(most->times.kernel_ms);
    most->download_ms = ranks_most(most->download_ms);
}

static int by_time(const void *left, const void *right)
{
    double a = ((const struct pairs_cost *)left)->times.time_ms,
           b = ((const struct pairs_cost *)right)->times.time_ms;
    return (a > b) - (a < b);
}

void pairs_cost_summarise(struct pairs_cost repeats[], struct pairs_result *result)
{
    qsort(repeats, result->repeats, sizeof *repeats, by_time);
    result->times = repeats[(result->repeats - 1) / 2].times;
    result->download_ms = repeats[(result->repeats - 1) / 2].download_ms;
    result->min_time_ms = repeats[0].times.time_ms;
    result->max_time_ms = repeats[result->repeats - 1].times.time_ms;
}

static int by_prepare_ms(const void *left, const void *right)
{
    double a = ((const struct pairs_preparation *)left)->prepare_ms,
           b = ((const struct pairs_preparation *)right)->prepare_ms;
    return (a > b) - (a < b);
}

struct pairs_preparation pairs_median_preparation(struct pairs_preparation preparations[], unsigned count)
{
    qsort(preparations, count, sizeof *preparations, by_prepare_ms);
    return preparations[(count - 1) / 2];
}

struct time_limit limit_begin(int seconds)
{
    return (struct time_limit){seconds > 0 ? now_ms() + 1e3 * seconds : 0};
}

bool limit_is_over(const struct time_limit *limit)
{
    return limit->end_ms > 0 && now_ms() > limit->end_ms;
}

int limit_report(const struct bench_request *request, uint64_t begun, uint64_t num_searches, struct error *error)
{
    error->of_algorithm = true;
    return error_set(error, STATUS_INPUT,
                     "%s: time limit of %d s: %llu of %llu searches were begun; give --time-limit more seconds",
                     request->graph->name, request->time_limit_s, (unsigned long long)begun,
                     (unsigned long long)num_searches);
}
