/* graph.h: the graph type (CSR) and what can be done with a whole graph. */
#ifndef GTRAV_GRAPH_H
#define GTRAV_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t vertex_t; /* vertex id, 0-based */
typedef uint64_t edge_t;   /* offset into the adjacency array */

#define NO_VERTEX    UINT32_MAX /* no parent; also why a graph has fewer than 2^32 vertices */
#define MAX_VERTICES UINT32_MAX /* vertices of the largest graph: ids 0 .. 2^32 - 2 */

#define MAX_REORDERING 24 /* bytes of a reordering's spec, reorder.h */

/* A directed graph in compressed sparse rows; an undirected one stores every edge as two arcs and is symmetric.
 * The out-neighbours of v are targets[offsets[v]] .. targets[offsets[v + 1] - 1], ascending, each once, never v. */
struct graph {
    char *name; /* the file's stem or the generator's spec, "+undirected" appended where that was asked for */
    vertex_t num_vertices;
    edge_t num_edges;  /* stored arcs */
    edge_t *offsets;   /* num_vertices + 1 */
    vertex_t *targets; /* num_edges */
    bool symmetric;    /* for every arc u -> v there is v -> u */
    char origin[32];   /* how it came to be so: "symmetric file", "general file", "generated" */
    uint64_t self_loops_dropped, duplicates_dropped; /* arcs that the input had beyond the stored ones */
    vertex_t *permutation;           /* num_vertices: the input's id of each vertex; NULL: they are the input's */
    char reordering[MAX_REORDERING]; /* how the vertices were reordered: "jaccard:65536"; "" if they were not */
    uint64_t *ids; /* num_vertices, ascending: what the file calls its vertices, in the input's order, whatever the
                      permutation; NULL: by their numbers */
    void *mapping; /* the mapped .gtrav file that the arrays point into; NULL: they are malloc'd */
    size_t mapping_bytes;
};

static inline edge_t graph_degree(const struct graph *graph, vertex_t v)
{
    return graph->offsets[v + 1] - graph->offsets[v];
}

/* What the user calls the input's vertex v, and the vertex of such an id; false: there is none. */
static inline uint64_t graph_id(const struct graph *graph, vertex_t v)
{
    return graph->ids != NULL ? graph->ids[v] : v;
}
bool graph_find(const struct graph *graph, uint64_t id, vertex_t *vertex);

/* Bytes of the two CSR arrays. */
static inline uint64_t graph_bytes(const struct graph *graph)
{
    return ((uint64_t)graph->num_vertices + 1) * sizeof(edge_t) + graph->num_edges * sizeof(vertex_t);
}

/* What an edge list's ids are: numbers of vertices, up to the largest of them (dense), or names, of which the
 * distinct ones are the vertices (any: see ids). auto: numbers, and a file is refused whose ids are sparse
 * (read_edges.c). */
enum id_mode { IDS_AUTO, IDS_ANY, IDS_DENSE };

/* Loads what a --graph argument names: a file of any supported format, standard input ("-") with text in one, or a
 * generator's spec (load.c has the rules). undirected: add the reverse of every arc; cache: read and write the binary
 * form beside the file; ids: of an edge list, any other input is refused with it. On failure *graph is empty.
 * graph_release() frees it. */
struct load_options {
    bool undirected, cache;
    enum id_mode ids;
};
int graph_load(const char *spec, const struct load_options *options, struct graph *graph, struct error *error);

/* Frees what the graph holds and empties it; an empty graph is left alone. */
void graph_release(struct graph *graph);

/* The reverse of every arc, as a new graph; name and counts are not carried over. In transpose.c, as the next. */
int graph_transpose(const struct graph *graph, struct graph *transpose, struct error *error);

/* The graph with the reverse of every arc added, as a new graph; name and counts are not carried over. */
int graph_symmetrize(const struct graph *graph, struct graph *both, struct error *error);

/* Whether every arc has its reverse: two order-free sums of 64-bit hashes of the arcs and of the reversed arcs agree.
 * One streaming pass, no random access; two different arc sets agree with a chance of 2^-64. */
bool graph_test_symmetry(const struct graph *graph);

/* Whether there is no directed cycle (an undirected edge is one). Parallel; 8 bytes a vertex where it is directed.
 * STATUS_INTERRUPTED on Ctrl-C. In statistics.c. */
int graph_test_acyclic(const struct graph *graph, bool *acyclic, struct error *error);

/* Checks what struct graph promises (offsets ascend, targets in range and ascending, no self-loop, symmetric if it
 * says so); for data that came from outside. */
int graph_validate(const struct graph *graph, const char *path, struct error *error);

/* Writes the graph to a file whose name's ending picks the form: .mtx (Matrix Market, pattern, symmetric where the
 * graph is) or .gtrav, which alone keeps a permutation. Written beside it and renamed when complete. */
int graph_write(const struct graph *graph, const char *path, struct error *error);

#ifdef __cplusplus
}
#endif
#endif
