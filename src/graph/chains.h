/* chains.h: an undirected graph without the vertices of degree 2 that most of a road network is made of.
 *
 * A junction is a vertex of any other degree, and one vertex of every cycle that has none. The rest lies on chains
 * between two junctions (or one, twice), which become arcs with a length. From the distances of the junctions follow
 * those of all vertices: on a chain the shortest way comes from one end or the other, or along the chain itself if
 * the source lies on it. */
#ifndef GTRAV_CHAINS_H
#define GTRAV_CHAINS_H

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a vertex lies: between which junctions, and how many steps from each. A junction lies between itself and
 * itself, 0 steps away. */
struct chain_place {
    uint32_t junction[2], steps[2];
} __attribute__((aligned(16)));

struct chain_arc {
    uint32_t junction, length; /* where it leads, and in how many steps */
} __attribute__((aligned(8)));

struct chains {
    uint32_t num_junctions; /* numbered in the order of their vertices, those of cycles last */
    uint64_t num_arcs;
    uint64_t *offsets;          /* num_junctions + 1: a junction's arcs, those of junctions of cycles none */
    struct chain_arc *arcs;     /* num_arcs */
    struct chain_place *places; /* num_vertices */
    uint32_t *positions;        /* num_vertices: ascending by one along each chain; NO_VERTEX: of a junction */
};

/* Junctions but those of cycles. */
vertex_t chains_count_junctions(const struct graph *graph);

/* The graph must be symmetric. chains_release in any case. */
int chains_contract(const struct graph *graph, struct chains *chains, struct error *error);
void chains_release(struct chains *chains);

#ifdef __cplusplus
}
#endif
#endif
