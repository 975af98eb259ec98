/* plan.h: the plan of an algorithm that only chooses another algorithm, which then does the work. */
#ifndef GTRAV_PLAN_H
#define GTRAV_PLAN_H

#include <stdio.h>
#include <string.h>

#include "../backend/backend.h"

namespace BACKEND
{

/* The chosen algorithm and its options, for a graph that is on the device. */
struct plan {
    const struct algorithm *algorithm; /* NULL: none chosen yet */
    int (*prepare)(struct run *run, struct gpu_graph *graph);
    double options[MAX_OPTIONS];
    char reason[256];
    struct run run; /* of the chosen algorithm, from plan_prepare on */
};

/* Chooses an algorithm, with the defaults of its options. */
static inline void plan_begin(struct plan *plan, const struct algorithm *algorithm,
                              int (*prepare)(struct run *run, struct gpu_graph *graph))
{
    *plan = {algorithm, prepare, {}, {}, {}};
    for (int i = 0; algorithm->options[i].name != NULL; i++)
        plan->options[i] = algorithm->options[i].default_value;
}

/* Sets one of the algorithm's options. Does nothing if it has none of that name. */
static inline void plan_set(struct plan *plan, const char *name, double value)
{
    for (int i = 0; plan->algorithm->options[i].name != NULL; i++)
        if (strcmp(plan->algorithm->options[i].name, name) == 0)
            plan->options[i] = value;
}

/* Copies the chosen algorithm's batch size and its note, behind the reason, to `run`. */
static inline void plan_tell(const struct plan *plan, struct run *run)
{
    run->batch_size = plan->run.batch_size;
    snprintf(run->note, sizeof run->note, "%s: %.190s", plan->reason, plan->run.note);
}

/* Prepares the chosen algorithm, adds its time, and copies what plan_tell copies. Takes ownership of the graph:
 * *graph is empty afterwards, whatever is returned. Call plan_release in any case. Returns the status. */
static inline int plan_prepare(struct plan *plan, struct run *run, struct gpu_graph *graph)
{
    plan->run = *run;
    plan->run.state = NULL;
    plan->run.build_ms = 0;
    plan->run.batch_size = 0;
    memcpy(plan->run.options, plan->options, sizeof plan->run.options);
    plan->prepare(&plan->run, graph);
    gpu_graph_free(graph);
    run->build_ms += plan->run.build_ms;
    plan_tell(plan, run);
    return run->error->status;
}

static inline int plan_traverse(struct plan *plan, const struct query *query)
{
    return plan->algorithm->traverse(&plan->run, query);
}

static inline int plan_fetch(struct plan *plan, struct traversal *result)
{
    return plan->algorithm->fetch(&plan->run, result);
}

/* Does nothing if nothing is prepared. */
static inline void plan_release(struct plan *plan)
{
    if (plan->run.graph != NULL)
        plan->algorithm->release(&plan->run);
    plan->run = {};
}

} // namespace BACKEND

#endif
