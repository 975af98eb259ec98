/* result.h: the result of a run's trials. */
#pragma once

#include "summary.h"
#include "warnings.h"

#define WRONG_BYTES 512

/* The state of the machine around the measured searches of a run (machine_state.c). */
struct machine_state {
    bool known;                            /* machine_state_before() was called */
    unsigned sm_mhz_before, sm_mhz_after;  /* clock of the GPU's SMs before the first search and after the last one */
    unsigned temperature_c;                /* the highest of the GPU */
    unsigned cpu_mhz;                      /* clock of the CPU: the mean over its cores before the first search */
    char clock_limits[CLOCK_LIMITS_BYTES]; /* why the GPU lowered its clocks at any time: names of clock_limits[],
                                            * separated by blanks; "": none, or unknown */
};

/* machine_state_before() notes the state before the first search of a run, machine_state_after() after each search.
 * machine_state_join() adds another device of the run: the lower clock and the higher temperature count. */
void machine_state_before(struct machine_state *state, struct device *device);
void machine_state_after(struct machine_state *state, struct device *device);
void machine_state_join(struct machine_state *state, const struct machine_state *other);

/* The preparation of an algorithm on a graph, and the state of the machine that ran it. */
struct setup {
    double prepare_ms;          /* the first member, since pairs.c sorts by it */
    double load_ms, reorder_ms; /* those of the request */
    double upload_ms;           /* the part of prepare_ms that copied to the device; 0 on a CPU */
    double build_ms;            /* the part of prepare_ms in which the device built formats */
    uint64_t device_bytes;      /* the most device memory that the algorithm held while it ran; 0 on a CPU */
    uint64_t peak_device_bytes; /* the same, preparation included */
    char note[NOTE_BYTES];      /* in words: what the algorithm chose for this graph; "" if nothing */
    char facts[FACTS_BYTES];    /* a JSON object: what the algorithm found out; "" if nothing */
    struct machine_state state;
};

/* The energy that a device uses to repeat the searches of all trials, without fetching or checking. */
struct energy {
    double searches; /* their number; 0: not measured */
    double seconds;
    double joules_per_search, mteps_per_watt;
    double idle_watts; /* power before the searches, with the graph on the device */
};
#define ENERGY_FACT "joules_per_search" /* a fact of every record with measured energy */

struct trials_result {
    struct trial *trials; /* num_trials, in the order of the sources */
    int num_trials;
    struct setup setup;
    /* A whole call, from the graph in host memory to the result in host memory: preparation, and the median search or
     * batch with its download; for closeness, all batches. NOT_MEASURED if no download was measured. */
    double total_ms;
    uint64_t throttled; /* how often the kernel stopped a run on the CPU because its cgroup's quota was used up */
    int time_limit_s;   /* the limit, of the request or of the resumed record, if it ended the trials; 0: all ran */
    uint32_t *target_levels; /* num_trials x num_targets, row by row; NULL: no targets */
    struct summary summary;
    struct energy energy;
    struct traversal last; /* arrays of the last result fetched; all NULL if every trial was resumed */
    char resumed_version[64],
        resumed_date[32];     /* version and date of the newest record from which a trial was taken; "": none */
    struct warnings warnings; /* none for emulated runs, whose times mean nothing */
    char wrong[WRONG_BYTES];  /* the first failed verification: which trial, which vertex; "" if none */
};

/* How many trials at the beginning were all taken from records. */
static inline int num_leading(const struct trials_result *result)
{
    int count = 0;
    while (count < result->num_trials && result->trials[count].resumed)
        count++;
    return count;
}

/* How many trials were taken from records. */
static inline int num_resumed(const struct trials_result *result)
{
    int count = 0;
    for (int i = 0; i < result->num_trials; i++)
        count += result->trials[i].resumed;
    return count;
}
