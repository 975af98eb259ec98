/* verify.h: checks of results. */
#pragma once

#include "../families.h"

/* The checks below return the same statuses as these. */
verify_result verify_bfs, verify_dfs, verify_topo, verify_sssp, verify_components;

/* Checks a search of the family bfs with query->limits. */
int verify_limited(const struct graph *graph, const struct query *query, const struct traversal *result,
                   struct error *error);

struct source_sums sum_levels(const uint32_t *level, vertex_t num_vertices);

/* Checks the sums of source number result->which of a batch. */
int verify_sums(const struct graph *graph, const vertex_t *sources, uint32_t num_sources,
                const struct traversal *result, struct error *error);

/* verify_farness() checks the farness of every vertex over all sources of a batch. verify_farness_of() checks the
 * farness of one vertex by one backward search. outputs: the run's (enum output). */
int verify_farness(const struct graph *graph, const vertex_t *sources, uint32_t num_sources,
                   const struct traversal *result, struct error *error);
int verify_farness_of(const struct graph *graph, const vertex_t *sources, int num_sources, vertex_t vertex,
                      unsigned outputs, const struct traversal *result, struct error *error);

/* Checks the lengths of the shortest paths from a source to num destinations. */
int verify_lengths(const struct graph *graph, vertex_t source, const struct destination *destinations,
                   const uint32_t *length, uint64_t num, struct error *error);

/* Checks that path, which has num_vertices vertices, leads along edges from the source to the destination. */
int verify_path(const struct graph *graph, vertex_t source, vertex_t destination, const vertex_t *path,
                uint64_t num_vertices, struct error *error);

/* Computes the levels of a search with limits, serially. The caller frees *levels, also on failure. */
int levels_within(const struct graph *graph, const struct query *query, uint32_t **levels, struct error *error);
/* Checks that the parent of every reached vertex is one level lower, and has an edge to it that the limits allow. */
int check_bfs_parents(const struct graph *graph, const struct limits *limits, const struct traversal *result,
                      struct error *error);

/* Checks that parents lead from every vertex that has one to the source, which is its own parent. */
int check_no_cycle(vertex_t num_vertices, vertex_t source, const vertex_t *parent, struct error *error);

#define NO_EDGE UINT64_MAX
/* Returns the index of an edge in graph->targets; NO_EDGE: there is no such edge. */
edge_t find_edge(const struct graph *graph, vertex_t source, vertex_t target);

/* Counts the vertices that a result reached, and sums their out-degrees. */
void count_reached(const struct graph *graph, const struct traversal *result, uint64_t *reached, uint64_t *edges);

/* reach_count() counts the same by a serial traversal. It keeps the sizes of components of a symmetric graph, and so
 * traverses each component once. The struct is zeroed before the first call; reach_release() frees it. */
struct reach {
    uint32_t *part;  /* num_vertices: 1 + the index of the vertex's component, or of the last search that reached it;
                        0: none did */
    vertex_t *queue; /* num_vertices */
    struct reach_size {
        uint64_t vertices, edges;
    } * sizes; /* entry k: size of component or search number k, from 1 */
    uint32_t num_parts;
};
int reach_count(const struct graph *graph, vertex_t source, struct reach *reach, uint64_t *reached, uint64_t *edges,
                struct error *error);
void reach_release(struct reach *reach);
