/* delegate.h: the plan of an algorithm that only chooses another algorithm, which then does the work. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "../backend/backend.h"

namespace BACKEND
{

/* The chosen algorithm and its options, for a graph that is on the device. */
struct delegate {
    const struct algorithm *algorithm; /* NULL: none chosen yet */
    int (*prepare)(struct run *run, struct gpu_graph *graph);
    double options[MAX_OPTIONS];
    char reason[256];
    struct run run; /* of the chosen algorithm, from delegate_prepare on */
};

/* Chooses an algorithm, with the defaults of its options. */
static inline void delegate_begin(struct delegate *delegate, const struct algorithm *algorithm,
                                  int (*prepare)(struct run *run, struct gpu_graph *graph))
{
    *delegate = {algorithm, prepare, {}, {}, {}};
    for (int i = 0; algorithm->options[i].name != NULL; i++)
        delegate->options[i] = algorithm->options[i].default_value;
}

/* Sets one of the algorithm's options. Does nothing if it has none of that name. */
static inline void delegate_set(struct delegate *delegate, const char *name, double value)
{
    for (int i = 0; delegate->algorithm->options[i].name != NULL; i++)
        if (strcmp(delegate->algorithm->options[i].name, name) == 0)
            delegate->options[i] = value;
}

/* Copies the chosen algorithm's batch size and its note, behind the reason, to `run`. */
static inline void delegate_report(const struct delegate *delegate, struct run *run)
{
    run->batch_size = delegate->run.batch_size;
    snprintf(run->note, sizeof run->note, "%s: %.190s", delegate->reason, delegate->run.note);
}

/* Prepares the chosen algorithm, adds its time, and copies what delegate_report copies. Takes ownership of the graph:
 * *graph is empty afterwards, whatever is returned. Call delegate_release in any case. Returns the status. */
static inline int delegate_prepare(struct delegate *delegate, struct run *run, struct gpu_graph *graph)
{
    delegate->run = *run;
    delegate->run.state = NULL;
    delegate->run.build_ms = 0;
    delegate->run.batch_size = 0;
    memcpy(delegate->run.options, delegate->options, sizeof delegate->run.options);
    delegate->prepare(&delegate->run, graph);
    gpu_graph_free(graph);
    run->build_ms += delegate->run.build_ms;
    delegate_report(delegate, run);
    return run->error->status;
}

static inline int delegate_traverse(struct delegate *delegate, const struct query *query)
{
    return delegate->algorithm->traverse(&delegate->run, query);
}

static inline int delegate_fetch(struct delegate *delegate, struct traversal *result)
{
    return delegate->algorithm->fetch(&delegate->run, result);
}

/* Does nothing if nothing is prepared. */
static inline void delegate_release(struct delegate *delegate)
{
    if (delegate->run.graph != NULL)
        delegate->algorithm->release(&delegate->run);
    delegate->run = {};
}

} // namespace BACKEND
