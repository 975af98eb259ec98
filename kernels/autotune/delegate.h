/* delegate.h: the algorithm that another algorithm has chosen to do its work. */
#pragma once

#include "../../src/algorithm_options.h"
#include "../../src/run/memory.h"
#include "../backend/backend.h"

namespace BACKEND
{

struct delegate {
    const char *name;                  /* the name that the caller uses for it */
    const struct algorithm *algorithm; /* NULL if none is chosen yet */
    int (*prepare)(struct run *run, struct gpu_graph *graph);
    struct device *device; /* the device it runs on (e.g. the CPU) if not the graph's device; otherwise NULL */
    double options[MAX_OPTIONS];
    char reason[256];
    char step[NOTE_BYTES]; /* how it prepares if memory is short (delegate_fit), to precede its note; or "" */
    struct run run;        /* the chosen algorithm's own run, set by delegate_prepare */
};

/* Returns whether the algorithm can compute all outputs of the run. */
static inline bool gives_outputs(const struct run *run, const struct algorithm *algorithm)
{
    return (run->outputs & ~all_outputs(algorithm)) == 0;
}

/* Chooses an algorithm with the default values of its options. */
static inline void delegate_begin(struct delegate *delegate, const char *name, const struct algorithm *algorithm,
                                  int (*prepare)(struct run *run, struct gpu_graph *graph))
{
    *delegate = {name, algorithm, prepare, NULL, {}, {}, {}, {}};
    for (int i = 0; algorithm->options[i].name != NULL; i++)
        delegate->options[i] = algorithm->options[i].default_value;
}

/* Sets an option of the algorithm. Does nothing if it has no option of that name. */
static inline void delegate_set(struct delegate *delegate, const char *name, double value)
{
    int i = options_find(delegate->algorithm, name, strlen(name));
    if (i >= 0)
        delegate->options[i] = value;
}

/* Copies the chosen algorithm's device, batch size, note and facts to `run`. The reason for the choice precedes the
 * note. If the chosen algorithm has chosen another one, the fact "engine" names the first of the two. */
static inline void delegate_report(const struct delegate *delegate, struct run *run)
{
    const int step = (int)strnlen(delegate->step, 100);
    run->device = delegate->run.device;
    run->batch_size = delegate->run.batch_size;
    run->memory_step = delegate->run.memory_step;
    snprintf(run->note, sizeof run->note, "%s%s%.*s%.*s", delegate->reason, delegate->run.note[0] != '\0' ? ": " : "",
             step, delegate->step, 253 - step, delegate->run.note);
    run->num_facts = 0;
    run_add_word(run, "engine", delegate->name);
    for (int i = 0; i < delegate->run.num_facts; i++)
        run_add_fact(run, delegate->run.facts[i]);
}

/* If the algorithm would not fit, sets its options so that it prepares less (memory_fit), and empties *graph: the
 * algorithm then starts from the graph in host memory. Fails if nothing helps. */
static inline int delegate_fit(struct delegate *delegate, struct run *run, struct gpu_graph *graph)
{
    struct run trial = *run;
    if (delegate->device != NULL || gpu_counting())
        return run->error->status;
    trial.state = NULL;
    memcpy(trial.options, delegate->options, sizeof trial.options);
    memory_fit(delegate->algorithm, &trial, graph->targets != NULL ? gpu_graph_bytes(graph) : 0, delegate->step,
               run->error);
    memcpy(delegate->options, trial.options, sizeof trial.options);
    run->memory_step = trial.memory_step;
    run->spare_bytes = trial.spare_bytes;
    if (run->memory_step != MEMORY_SUFFICES)
        gpu_graph_free(graph);
    return run->error->status;
}

/* Prepares the chosen algorithm, adds its time to run->build_ms, and reports it (delegate_report). Takes ownership of
 * the graph: *graph is empty afterwards, even after a failure. If it was empty before, takes the graph in host memory.
 * Call delegate_release in any case. */
static inline int delegate_prepare(struct delegate *delegate, struct run *run, struct gpu_graph *graph)
{
    delegate->run = *run;
    delegate->run.state = NULL;
    delegate->run.build_ms = 0;
    delegate->run.batch_size = 0;
    delegate->run.num_facts = 0;
    delegate->run.note[0] = '\0';
    if (delegate->device != NULL)
        delegate->run.device = delegate->device;
    memcpy(delegate->run.options, delegate->options, sizeof delegate->run.options);
    if (run_begin(delegate->algorithm, &delegate->run) == STATUS_OK && delegate->device == NULL &&
        graph->targets == NULL)
        delegate->algorithm->prepare(&delegate->run);
    else if (run->error->status == STATUS_OK)
        delegate->prepare(&delegate->run, graph);
    gpu_graph_free(graph);
    run->build_ms += delegate->run.build_ms;
    delegate_report(delegate, run);
    return run->error->status;
}

/* Releases the chosen algorithm. Does nothing if none is prepared. */
static inline void delegate_release(struct delegate *delegate)
{
    if (delegate->run.graph != NULL)
        run_release(delegate->algorithm, &delegate->run);
    delegate->run = {};
}

} // namespace BACKEND
