/* chains.h: contracts the chains of degree-2 vertices in an undirected graph, such as those of a road network.
 *
 * A junction is a vertex whose degree is not 2; a cycle without such a vertex makes one of its vertices a junction.
 * All other vertices lie on chains between two junctions, which may be the same. Each chain becomes an edge with a
 * length. Distances of junctions determine the distances of all vertices: the shortest path to a vertex on a chain
 * comes from one of its ends, or along the chain if the source lies on it. */
#pragma once

#include "graph.h"

C_NAMES_BEGIN

/* The two junctions between which a vertex lies, and its distances to them. For a junction, both ends are the
 * junction itself. */
struct chain_place {
    uint32_t junction[2], steps[2];
} __attribute__((aligned(16)));

struct chain_edge {
    uint32_t junction, length; /* the junction at the other end, and the number of original edges to it */
} __attribute__((aligned(8)));

struct chains {
    uint32_t num_junctions; /* numbered in the order of their vertices; junctions of cycles come last */
    uint64_t num_edges;
    uint64_t *offsets; /* num_junctions + 1: index of each junction's first edge; junctions of cycles have no edges */
    struct chain_edge *edges;   /* num_edges */
    struct chain_place *places; /* num_vertices */
    uint32_t *positions;        /* num_vertices: consecutive along each chain; NO_VERTEX for junctions */
};

/* Returns the number of junctions, without those that are made on cycles. */
vertex_t chains_count_junctions(const struct graph *graph);

/* Contracts a symmetric graph. The caller calls chains_release, even after a failure. */
int chains_contract(const struct graph *graph, struct chains *chains, struct error *error);
void chains_release(struct chains *chains);

C_NAMES_END
