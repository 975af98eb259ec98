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

#define NO_VERTEX    UINT32_MAX /* no parent; therefore a graph has fewer than 2^32 vertices */
#define MAX_VERTICES UINT32_MAX /* vertices of the largest graph: ids 0 .. 2^32 - 2 */

#define MAX_REORDERING 24 /* bytes of a reordering's spec, reorder.h */

/* A directed graph in compressed sparse rows; an undirected one stores every edge as two arcs and is symmetric.
 * The out-neighbours of v are targets[offsets[v]] .. targets[offsets[v + 1] - 1], ascending, each once, never v. */
struct graph {
    char *name; /* the file's stem or the generator's spec; "+undirected" is appended if requested */
    vertex_t num_vertices;
    edge_t num_edges;  /* stored arcs */
    edge_t *offsets;   /* num_vertices + 1 */
    vertex_t *targets; /* num_edges */
    bool symmetric;    /* for every arc u -> v there is v -> u */
    char origin[32];   /* where it comes from: "symmetric file", "general file", "generated" */
    uint64_t self_loops_dropped, duplicates_dropped; /* arcs of the input that are not stored */
    vertex_t *permutation;           /* num_vertices: the input's id of each vertex; NULL: not reordered */
    char reordering[MAX_REORDERING]; /* how the vertices were reordered: "jaccard:65536"; "": not at all */
    uint64_t *ids; /* num_vertices, ascending: the ids of the vertices in the file, in the input's order even if
                      the graph is reordered; NULL: they are 0, 1, 2, ... */
    void *mapping; /* the mapped .gtrav file that the arrays point into; NULL: they are malloc'd */
    size_t mapping_bytes;
};

static inline edge_t graph_degree(const struct graph *graph, vertex_t v)
{
    return graph->offsets[v + 1] - graph->offsets[v];
}

/* The user's id of the input's vertex v; and the vertex with an id (false if there is none). */
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

/* What the ids of an edge list mean. dense: vertex numbers, so the graph has all vertices up to the largest id. any:
 * names, so the vertices are the distinct ids (see graph->ids). auto: like dense, but a file with sparse ids is
 * rejected (read_edges.c). */
enum id_mode { IDS_AUTO, IDS_ANY, IDS_DENSE };

/* Loads the graph that a --graph argument names: a file in any supported format, standard input ("-") with text in
 * one of them, or a generator's spec (load.c has the rules). undirected: adds the reverse of every arc. cache: reads
 * and writes a .gtrav file beside the input. ids: only for edge lists; any other input is rejected. kept_in: NULL, or
 * a folder in which generated graphs are kept; kept_by: the build that generates them, for no other trusts them. On
 * failure *graph is empty. The caller frees it with graph_release(). */
struct load_options {
    bool undirected, cache;
    enum id_mode ids;
    const char *kept_in;
    uint64_t kept_by;
};
int graph_load(const char *spec, const struct load_options *options, struct graph *graph, struct error *error);

/* Frees the memory of a graph and empties it. An empty graph stays empty. */
void graph_release(struct graph *graph);

/* Makes a new graph of the reverses of all arcs, without name and counts. In transpose.c, like the next function. */
int graph_transpose(const struct graph *graph, struct graph *transpose, struct error *error);

/* Makes a new graph of all arcs and their reverses, without name and counts. */
int graph_symmetrize(const struct graph *graph, struct graph *both, struct error *error);

/* Whether every arc has its reverse. Compares the sum of 64-bit hashes of the arcs with that of the reversed arcs, in
 * one pass without random access. Different sets of arcs have the same sum with probability 2^-64. */
bool graph_test_symmetry(const struct graph *graph);

/* Whether the graph has no directed cycle (an undirected edge is one). Parallel; takes 8 bytes per vertex if the
 * graph is directed. STATUS_INTERRUPTED on Ctrl-C. In statistics.c. */
int graph_test_acyclic(const struct graph *graph, bool *acyclic, struct error *error);

/* Checks the invariants of struct graph, for data from outside: offsets ascend, targets are in range and ascend,
 * there is no self-loop, and a graph marked symmetric is. */
int graph_validate(const struct graph *graph, const char *path, struct error *error);

/* Writes the graph in the format of the name's ending: .mtx (Matrix Market, pattern, symmetric if the graph is) or
 * .gtrav, which alone keeps a permutation. The file is written under another name beside it, and renamed when
 * complete. */
int graph_write(const struct graph *graph, const char *path, struct error *error);

#ifdef __cplusplus
}
#endif
#endif
