/* machine_state.h: the state of the machine around the measured searches of a run. */
#pragma once

#include "../device.h"

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
