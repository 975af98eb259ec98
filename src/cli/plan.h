/* plan.h: the plan of a job: the algorithms to run, from --algo, --variant, --device and --set. */
#pragma once

#include "../session/choose.h"
#include "options.h"

struct plan {
    const struct family *family;
    struct choices choices;
    bool falls_back; /* without a GPU the default variant runs on the CPU; the user has not been told yet */
};

/* Chooses the algorithms, and prints notices if the choice may surprise the user. STATUS_INPUT if names or options
 * are wrong, or if no requested algorithm can run here. Call choices_release() afterwards. */
int plan_make(const struct settings *settings, struct machine *machine, struct plan *plan, struct error *error);
