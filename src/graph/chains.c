#include "chains.h"

vertex_t chains_count_junctions(const struct graph *graph)
{
    vertex_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        count += graph_degree(graph, v) != 2;
    return count;
}

static void make_junction(struct chains *chains, vertex_t vertex)
{
    uint32_t number = chains->num_junctions++;
    chains->places[vertex] = (struct chain_place){{number, number}, {0, 0}};
}

/* Returns the neighbour of a vertex of degree 2 that is not `previous`. */
static vertex_t go_on(const struct graph *graph, vertex_t previous, vertex_t vertex)
{
    const vertex_t *neighbours = graph->targets + graph->offsets[vertex];
    return neighbours[0] == previous ? neighbours[1] : neighbours[0];
}

/* Sets the places of the vertices of a chain that begins at a junction, and their positions, from *next on. Walks the
 * chain twice, since the first walk finds the other end. */
static void lay_chain(const struct graph *graph, struct chains *chains, vertex_t junction, vertex_t first,
                      uint32_t *next)
{
    vertex_t previous = junction, v = first;
    uint32_t length = 1;
    for (; graph_degree(graph, v) == 2 && v != junction; length++) {
        vertex_t after = go_on(graph, previous, v);
        previous = v;
        v = after;
    }
    uint32_t ends[2] = {chains->places[junction].junction[0], chains->places[v].junction[0]};
    previous = junction;
    v = first;
    for (uint32_t steps = 1; steps < length; steps++) {
        vertex_t after = go_on(graph, previous, v);
        chains->places[v] = (struct chain_place){{ends[0], ends[1]}, {steps, length - steps}};
        chains->positions[v] = (*next)++;
        previous = v;
        v = after;
    }
}

static void lay_chains(const struct graph *graph, struct chains *chains)
{
    uint32_t next = 0;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (graph_degree(graph, v) != 2)
            make_junction(chains, v);
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; graph_degree(graph, v) != 2 && e < graph->offsets[v + 1]; e++) {
            vertex_t first = graph->targets[e];
            if (graph_degree(graph, first) == 2 && chains->positions[first] == NO_VERTEX)
                lay_chain(graph, chains, v, first, &next);
        }
    for (vertex_t v = 0; v < graph->num_vertices; v++) /* the remaining vertices lie on cycles */
        if (graph_degree(graph, v) == 2 && chains->positions[v] == NO_VERTEX &&
            chains->places[v].junction[0] == NO_VERTEX) {
            make_junction(chains, v);
            lay_chain(graph, chains, v, graph->targets[graph->offsets[v]], &next);
        }
}

/* Returns the contracted edge that replaces the junction's edge to its neighbour `first`. */
static struct chain_edge edge_of(const struct chains *chains, vertex_t junction, vertex_t first)
{
    uint32_t number = chains->places[junction].junction[0];
    const struct chain_place *place = &chains->places[first];
    if (chains->positions[first] == NO_VERTEX)
        return (struct chain_edge){place->junction[0], 1};
    bool forward = place->junction[0] == number; /* on a chain back to its junction both ends are the same */
    return (struct chain_edge){place->junction[forward], place->steps[0] + place->steps[1]};
}

static int make_edges(const struct graph *graph, struct chains *chains, struct error *error)
{
    uint64_t count = 0;
    uint32_t number = 0;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (graph_degree(graph, v) != 2) {
            chains->offsets[number++] = count;
            count += graph_degree(graph, v);
        }
    while (number <= chains->num_junctions)
        chains->offsets[number++] = count;
    chains->num_edges = count;
    if (allocate(&chains->edges, count, sizeof *chains->edges, "the chains", error) != STATUS_OK)
        return error->status;
#pragma omp parallel for schedule(dynamic, 4096)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (graph_degree(graph, v) != 2)
            for (edge_t e = 0; e < graph_degree(graph, v); e++)
                chains->edges[chains->offsets[chains->places[v].junction[0]] + e] =
                    edge_of(chains, v, graph->targets[graph->offsets[v] + e]);
    return STATUS_OK;
}

int chains_contract(const struct graph *graph, struct chains *chains, struct error *error)
{
    size_t n = graph->num_vertices;
    *chains = (struct chains){0};
    if (allocate(&chains->places, n, sizeof *chains->places, "the chains", error) != STATUS_OK ||
        allocate(&chains->positions, n, sizeof *chains->positions, "the chains", error) != STATUS_OK)
        return error->status;
    memset(chains->places, 0xff, n * sizeof *chains->places);       /* NO_VERTEX */
    memset(chains->positions, 0xff, n * sizeof *chains->positions); /* NO_VERTEX */
    lay_chains(graph, chains);
    if (allocate(&chains->offsets, (size_t)chains->num_junctions + 1, sizeof *chains->offsets, "the chains", error) !=
        STATUS_OK)
        return error->status;
    return make_edges(graph, chains, error);
}

void chains_release(struct chains *chains)
{
    free(chains->offsets);
    free(chains->edges);
    free(chains->places);
    free(chains->positions);
    *chains = (struct chains){0};
}
