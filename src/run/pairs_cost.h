/* pairs_cost.h: what answering all pairs takes, each time they are answered, and for how long it may go on. */
#pragma once

#include "../records/pairs_request.h"

/* What answering all pairs once took; zeroed, nothing. */
struct pairs_cost {
    struct search_times times;
    double download_ms;
};

/* Raises each part of the most to that of the cost. */
void pairs_cost_raise(struct pairs_cost *most, const struct pairs_cost *cost);

/* All ranks: every rank gets the most of each part. */
void pairs_cost_share(struct pairs_cost *most);

/* Sets the times of the result, which has result->repeats of them, and sorts them by time. */
void pairs_cost_summarise(struct pairs_cost repeats[], struct pairs_result *result);

/* What preparing once took; upload_ms: of it, copying to the device. */
struct pairs_preparation {
    double prepare_ms, upload_ms;
};

/* The median of count, at least 1, by prepare_ms: of an even number the lower one. Sorts them. */
struct pairs_preparation pairs_median_preparation(struct pairs_preparation preparations[], unsigned count);

struct time_limit {
    double end_ms; /* of now_ms(); 0: there is none */
};

/* Begins now. seconds 0: no limit. */
struct time_limit limit_begin(int seconds);
bool limit_is_over(const struct time_limit *limit);

/* Sets the error of pairs that took too long: STATUS_INPUT, of the algorithm. */
int limit_report(const struct bench_request *request, uint64_t begun, uint64_t num_searches, struct error *error);
