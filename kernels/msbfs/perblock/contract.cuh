/* contract.cuh: prepares the graph that is searched (records of neighbours, or junctions and edges), and adds up the
 * farness of batches.
 *
 * A record holds up to 4 or 16 neighbours, followed by NO_VERTEX. If the vertex has more, its record is long: the
 * last four words are (low half of an edge, high half, NO_VERTEX, number), and `number` further neighbours are in the
 * CSR, from that edge on. In all other records, NO_VERTEX is followed only by NO_VERTEX. A warp puts vertices with
 * long records aside until it has several, and visits their further neighbours together (level.cuh): SPAN_LANES lanes
 * share a vertex, or the whole warp takes it, or the whole block after the barrier of the level. */
#pragma once

#include "host.cuh"

namespace BACKEND::perblock
{

/* Makes the records. One thread makes one unit. */
template <typename offset_t>
__global__ void make_records(csr<offset_t> graph, unsigned units, uint4 *records)
{
    uint64_t all = (uint64_t)graph.num_vertices * units;
    for (uint64_t i = thread_of_grid(); i < all; i += threads_of_grid()) {
        uint64_t vertex = i / units, first = i % units * UNIT, words = units * UNIT;
        edge_t edge = graph.offsets[vertex], degree = graph.offsets[vertex + 1] - edge;
        edge_t kept = degree <= words ? degree : words - UNIT, rest = edge + kept;
        uint32_t word[UNIT];
        for (unsigned k = 0; k < UNIT; k++)
            word[k] = load_if(first + k < kept, &graph.targets[edge + first + k]);
        if (degree > words && first == words - UNIT)
            records[i] = {(uint32_t)rest, (uint32_t)(rest >> WORD_BITS), NO_VERTEX, (uint32_t)(degree - kept)};
        else
            records[i] = {word[0], word[1], word[2], word[3]};
    }
}

/* Adds the farness of a batch to the total of all batches, unless the batch will be repeated. Clears it. */
__global__ void add_farness(const struct progress *progress, vertex_t num_vertices, uint64_t *batch, uint64_t *farness,
                            uint32_t *farness_count)
{
    bool counts = !progress->too_deep;
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid()) {
        uint64_t found = batch[v];
        batch[v] = 0;
        if (counts) {
            farness[v] += found >> COUNT_BITS;
            farness_count[v] += (uint32_t)(found & ((1u << COUNT_BITS) - 1));
        }
    }
}

#define NARROW_MEAN        4.0  /* mean degree up to which a record has 4 words, not 16 */
#define BUCKET_EDGES       3    /* width of a bucket, in mean edge lengths */
#define MOST_JUNCTIONS     0.25 /* chains become edges if junctions are at most this share of the vertices */
#define SHARE_OF_DISTANCES 0.25 /* share of free memory that the distances of junctions may take */

/* Returns whether any vertex has more neighbours than a record of this many words. */
static bool exceeds_records(const struct graph *graph, edge_t words)
{
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (graph_degree(graph, v) > words)
            return true;
    return false;
}

static void build_records(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct gpu_graph *graph = &state->graph;
    double mean = (double)graph->num_edges / graph->num_vertices;
    int asked = (int)run->options[RECORDS];
    state->units = asked == RECORDS_4 || (asked == RECORDS_AUTO && mean <= NARROW_MEAN) ? 1 : 4;
    state->has_long = exceeds_records(run->graph, UNIT * state->units);
    size_t all = (size_t)graph->num_vertices * state->units;
    uint4 *records = gpu_take<uint4>(&state->memory, all, "the rows", run->error);
    with_offsets(graph, [&]<typename offset_t>(csr<offset_t> edges) {
        gpu_launch(make_records<offset_t>, gpu_wide_grid(all), 0, run->error, edges, state->units, records);
    });
    gpu_free(graph->offsets); /* waits for the kernel above */
    graph->offsets = NULL;
    state->batch.records = records;
    state->batch.targets = graph->targets;
}

/* Returns whether chains become edges. A search of junctions has no levels before its end, so it could not stop early
 * at destinations. */
static bool wants_chains(const struct run *run, uint32_t batch_size)
{
    const struct graph *graph = run->graph;
    struct error ignored = {};
    int asked = (int)run->options[CHAINS];
    if (asked == CHAINS_NO || !graph->symmetric || run->outputs & OUTPUT_LENGTH ||
        graph->num_vertices > UINT32_MAX / 2) /* a length may be up to twice the shortest one before it is lowered */
        return false;
    double number = (double)chains_count_junctions(graph);
    return (asked == CHAINS_YES || number <= MOST_JUNCTIONS * graph->num_vertices) &&
           number * batch_size * sizeof(uint32_t) <= SHARE_OF_DISTANCES * (double)gpu_memory_left(&ignored);
}

template <typename type>
static const type *upload(struct gpu_arena *memory, const type *host, size_t count, struct error *error)
{
    type *copy = gpu_take<type>(memory, count, "the chains", error);
    gpu_upload(copy, host, count, error);
    return copy;
}

static const struct chain_edge *upload_first_edges(struct gpu_arena *memory, const struct chains *chains,
                                                   struct error *error)
{
    struct chain_edge *first;
    size_t number = (size_t)chains->num_junctions * FIRST_EDGES;
    if (allocate_zeroed(&first, number, sizeof *first, "the chains", error) != STATUS_OK)
        return NULL;
    for (uint64_t j = 0; j < chains->num_junctions; j++)
        for (uint64_t i = 0; i < FIRST_EDGES && chains->offsets[j] + i < chains->offsets[j + 1]; i++)
            first[j * FIRST_EDGES + i] = chains->edges[chains->offsets[j] + i];
    const struct chain_edge *copy = upload(memory, first, number, error);
    free(first);
    return copy;
}

static uint64_t mean_length(const struct chains *chains)
{
    uint64_t steps = 0;
    for (uint64_t i = 0; i < chains->num_edges; i++)
        steps += chains->edges[i].length;
    return chains->num_edges > 0 ? steps / chains->num_edges : 1;
}

/* Replaces the graph on the device by the graph of its junctions. */
static void build_junctions(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct junctions *junctions = &state->junctions;
    struct gpu_arena *memory = &state->memory;
    struct error *error = run->error;
    struct chains chains;
    size_t n = run->graph->num_vertices;
    gpu_graph_free(&state->graph);
    if (gpu_counting()) { /* contracting takes long */
        gpu_cannot_count(error);
        return;
    }
    if (chains_contract(run->graph, &chains, error) == STATUS_OK) {
        junctions->number = chains.num_junctions;
        junctions->bucket_width = (uint32_t)mean_length(&chains) * BUCKET_EDGES;
        junctions->offsets = upload(memory, chains.offsets, (size_t)chains.num_junctions + 1, error);
        junctions->edges = upload(memory, chains.edges, chains.num_edges, error);
        junctions->places = upload(memory, chains.places, n, error);
        junctions->positions = upload(memory, chains.positions, n, error);
        junctions->first_edges = upload_first_edges(memory, &chains, error);
    }
    chains_release(&chains);
}

} // namespace BACKEND::perblock
