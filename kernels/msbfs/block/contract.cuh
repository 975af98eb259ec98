/* contract.cuh: the graph that is searched: records of neighbours, or junctions and arcs. */
#pragma once

#include <stdlib.h>

#include "host.cuh"

namespace BACKEND::block
{

#define NARROW_MEAN        4.0  /* mean degree up to which a record has 4 words */
#define WINDOW_ARCS        3    /* window, in mean lengths of arcs */
#define MOST_JUNCTIONS     0.25 /* share of the vertices up to which chains become arcs */
#define SHARE_OF_DISTANCES 0.25 /* share of free memory that the distances of junctions may take */

static int build_records(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct gpu_graph *graph = &state->graph;
    double mean = (double)graph->num_edges / graph->num_vertices;
    int asked = (int)run->options[RECORDS];
    state->units = asked == RECORDS_4 || (asked == RECORDS_AUTO && mean <= NARROW_MEAN) ? 1 : 4;
    size_t all = (size_t)graph->num_vertices * state->units;
    if (gpu_allocate(&state->records, all, "the rows", run->error) != STATUS_OK)
        return run->error->status;
    if (graph->wide)
        gpu_launch(make_records<edge_t>, gpu_wide_grid(all), 0, run->error, csr_of<edge_t>(graph), state->units,
                   state->records);
    else
        gpu_launch(make_records<uint32_t>, gpu_wide_grid(all), 0, run->error, csr_of<uint32_t>(graph), state->units,
                   state->records);
    gpu_free(graph->offsets); /* waits for the kernel above */
    graph->offsets = NULL;
    state->batch.records = state->records;
    state->batch.targets = graph->targets;
    return run->error->status;
}

/* Whether chains become arcs. A search of junctions knows no level before its end, so it cannot stop early at
 * destinations. */
static bool wants_chains(const struct run *run, uint32_t batch_size)
{
    const struct graph *graph = run->graph;
    struct error ignored = {};
    int asked = (int)run->options[CHAINS];
    if (asked == CHAINS_NO || !graph->symmetric || run->outputs & OUTPUT_LENGTH ||
        graph->num_vertices >
            UINT32_MAX / 2) /* a path may be twice as long as the shortest one before it is lowered */
        return false;
    double number = (double)chains_count_junctions(graph);
    return (asked == CHAINS_YES || number <= MOST_JUNCTIONS * graph->num_vertices) &&
           number * batch_size * sizeof(uint32_t) <= SHARE_OF_DISTANCES * free_memory(&ignored);
}

template <typename type>
static int upload(const type **device, const type *host, size_t count, struct error *error)
{
    type *copy = NULL;
    if (gpu_allocate(&copy, count, "the chains", error) == STATUS_OK)
        gpu_check(cudaMemcpy(copy, host, count * sizeof *host, cudaMemcpyHostToDevice), "uploading the chains",
                  error);
    *device = copy;
    return error->status;
}

static int upload_first_arcs(struct junctions *junctions, const struct chains *chains, struct error *error)
{
    struct chain_arc *first;
    size_t number = (size_t)chains->num_junctions * FIRST_ARCS;
    if (allocate_zeroed(&first, number, sizeof *first, "the chains", error) != STATUS_OK)
        return error->status;
    for (uint64_t j = 0; j < chains->num_junctions; j++)
        for (uint64_t i = 0; i < FIRST_ARCS && chains->offsets[j] + i < chains->offsets[j + 1]; i++)
            first[j * FIRST_ARCS + i] = chains->arcs[chains->offsets[j] + i];
    upload(&junctions->first_arcs, first, number, error);
    free(first);
    return error->status;
}

static uint64_t mean_length(const struct chains *chains)
{
    uint64_t steps = 0;
    for (uint64_t i = 0; i < chains->num_arcs; i++)
        steps += chains->arcs[i].length;
    return chains->num_arcs > 0 ? steps / chains->num_arcs : 1;
}

/* Replaces the graph on the device by that of its junctions. */
static int build_junctions(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct junctions *junctions = &state->junctions;
    struct error *error = run->error;
    struct chains chains;
    size_t n = run->graph->num_vertices;
    gpu_graph_free(&state->graph);
    if (chains_contract(run->graph, &chains, error) == STATUS_OK) {
        junctions->number = chains.num_junctions;
        junctions->window = (uint32_t)mean_length(&chains) * WINDOW_ARCS;
        upload(&junctions->offsets, chains.offsets, (size_t)chains.num_junctions + 1, error);
        upload(&junctions->arcs, chains.arcs, chains.num_arcs, error);
        upload(&junctions->places, chains.places, n, error);
        upload(&junctions->positions, chains.positions, n, error);
        upload_first_arcs(junctions, &chains, error);
    }
    chains_release(&chains);
    return error->status;
}

} // namespace BACKEND::block
