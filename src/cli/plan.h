/* plan.h: the algorithms that run here, their options and device: --algo, --variant, --device and --set. */
#pragma once

#include "../algorithm.h"
#include "../run/machine.h"
#include "../run/run.h"
#include "options.h"

struct planned_run {
    const struct algorithm *algorithm;
    enum device_kind on; /* where it runs: a GPU algorithm on the GPU or on the emulator */
    double options[MAX_OPTIONS];
};

struct plan {
    const struct family *family;
    struct planned_run *runs; /* num_runs, owned */
    int num_runs;
    const struct algorithm *falls_back; /* the default, if it runs on the CPU for want of a GPU; else NULL */
};

/* Fails if names or options are wrong, or if no requested algorithm can run here. plan_release() follows. */
int plan_make(const struct settings *settings, struct machine *machine, struct plan *plan, struct error *error);
void plan_release(struct plan *plan);
