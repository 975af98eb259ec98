/* whole_call.h: which algorithm answers path lengths in the least time of a whole call, for `msbfs auto`.
 *
 * On a graph that is not on the GPU, copying it there takes longer than a CPU takes for a few searches. So the time
 * of each algorithm that may be the fastest is predicted: preparing, searching and fetching the lengths. The model is
 * of graphs with few levels, and was fitted to the records of an H200 and 16 cores; whole_call.c has the constants.
 */
#pragma once

#include "request.h"

/* What is asked, and where. */
struct call {
    uint64_t num_vertices, num_edges;
    uint64_t num_searches;  /* distinct sources */
    bool paths;             /* all levels of a search are wanted, not only the lengths of pairs */
    bool warm;              /* every algorithm is prepared: only searching and fetching count */
    int threads;            /* of the CPU, at least 1 */
    double upload_gb_per_s; /* to the GPU, as measured; 0: not measured here, so that of the records */
};

/* An algorithm that may be the fastest. */
struct call_candidate {
    const char *variant; /* of msbfs */
    enum device_kind on; /* DEVICE_CPU or DEVICE_GPU */
};
#define NUM_CALL_CANDIDATES 5
extern const struct call_candidate call_candidates[NUM_CALL_CANDIDATES];

/* The predicted milliseconds of the call with candidate number `index`; HUGE_VAL if it does not give paths, or if it
 * is not for such a graph. */
double call_ms(const struct call *call, int index);

/* The index of the candidate with the least predicted time, among those that run where `on` allows (an or of
 * 1 << DEVICE_CPU and 1 << DEVICE_GPU). */
int call_fastest(const struct call *call, unsigned on);

/* The algorithm that a request for `msbfs auto` becomes. */
struct chosen_call {
    struct bench_request request; /* the asked one with another algorithm, device and options */
    double options[MAX_OPTIONS];  /* its options */
    struct device cpu;            /* opened if it runs on the CPU */
    char note[NOTE_BYTES];        /* what was chosen and why; "": the request is as it was */
};

/* Chooses for a request of path lengths. Only `msbfs auto` on one device of one process is changed, and not with
 * call=gpu. device_is_given: the user named the device, so the CPU is not chosen instead of it. Copies the request
 * otherwise. Call call_close() in every case, once the request's engine is closed. */
int call_choose(const struct bench_request *asked, uint64_t num_searches, bool paths, bool device_is_given,
                struct chosen_call *chosen, struct error *error);
/* Puts the choice before the note of the algorithm that ran. */
void call_report(const struct chosen_call *chosen, char note[NOTE_BYTES]);
void call_close(struct chosen_call *chosen);
