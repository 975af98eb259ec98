/* whole_call.h: lets the algorithm answer path lengths that takes the least time of a whole call, for an algorithm
 * that has a model of that (struct call_model), which is `msbfs auto`. */
#pragma once

#include "../records/request.h"

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
