/* wcc_afforest.c: weakly connected components by all threads (../src/graph/components.c), which --info needs, too. */
#include <string.h>

#include "../src/algorithm.h"
#include "../src/graph/components.h"
#include "../src/progress.h"

static int prepare(struct run *run)
{
    return run_allocate(run, &run->state, run->graph->num_vertices, sizeof(vertex_t));
}

/* A directed graph is taken without its transpose, which takes longer to make than all edges to read. */
static int traverse(struct run *run, const struct query *query)
{
    (void)query;
    label_components(run->graph, run->graph->symmetric ? run->graph : NULL, run->state);
    return stop_requested() ? error_set(run->error, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    memcpy(result->component, run->state, run->graph->num_vertices * sizeof *result->component);
    return STATUS_OK;
}

const struct algorithm wcc_afforest = {
    .family = "wcc",
    .variant = "afforest",
    .title = "concurrent union-find, sampled edges first",
    .citation = "after Sutton, Ben-Nun and Barak, IPDPS 2018",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_COMPONENT,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
};
