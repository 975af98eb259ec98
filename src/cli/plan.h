/* plan.h: the algorithms that run, by --algo, --variant, --device and --set. */
#pragma once

#include "../session/choose.h"
#include "options.h"

struct plan {
    const struct family *family;
    struct choices choices;
    bool falls_back; /* the default runs on the CPU for want of a GPU, which the user is still to be told */
};

/* Chooses, and tells what the user may not expect of the choice. STATUS_INPUT if names or options are wrong, or if no
 * requested algorithm can run here. plan_release() follows. */
int plan_make(const struct settings *settings, struct machine *machine, struct plan *plan, struct error *error);
void plan_release(struct plan *plan);
