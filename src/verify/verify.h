/* verify.h: checks of results. */
#pragma once

#include "../algorithm.h"

/* The functions below return STATUS_OK, STATUS_WRONG with the first bad vertex in error, or STATUS_INPUT where memory
 * is short. */

/* Verify a result of a family (families.h) from a source, NO_VERTEX for a family without sources. */
int verify_bfs(const struct graph *graph, vertex_t source, const struct algorithm *algorithm,
               const struct traversal *result, struct error *error);
int verify_dfs(const struct graph *graph, vertex_t source, const struct algorithm *algorithm,
               const struct traversal *result, struct error *error);
int verify_topo(const struct graph *graph, vertex_t source, const struct algorithm *algorithm,
                const struct traversal *result, struct error *error);
int verify_components(const struct graph *graph, vertex_t source, const struct algorithm *algorithm,
                      const struct traversal *result, struct error *error);

/* Checks a search of the family bfs with query->limits. */
int verify_limited(const struct graph *graph, const struct query *query, const struct traversal *result,
                   struct error *error);

/* Checks the sums of source number result->which of a batch. */
int verify_sums(const struct graph *graph, const vertex_t *sources, uint32_t num_sources,
                const struct traversal *result, struct error *error);

/* Checks the farness of a batch, over all its sources; and those of one vertex, by one search back from it, as a run
 * with these outputs has them. */
int verify_farness(const struct graph *graph, const vertex_t *sources, uint32_t num_sources,
                   const struct traversal *result, struct error *error);
int verify_farness_of(const struct graph *graph, const vertex_t *sources, int num_sources, vertex_t vertex,
                      unsigned outputs, const struct traversal *result, struct error *error);

/* Checks the lengths of the shortest paths from a source to num destinations. */
int verify_lengths(const struct graph *graph, vertex_t source, const struct destination *destinations,
                   const uint32_t *length, uint64_t num, struct error *error);

/* Checks that num_vertices vertices are a path from the source to the destination. */
int verify_path(const struct graph *graph, vertex_t source, vertex_t destination, const vertex_t *path,
                uint64_t num_vertices, struct error *error);

/* The levels of a search with limits, serial. The caller frees *levels, on failure too. */
int levels_within(const struct graph *graph, const struct query *query, uint32_t **levels, struct error *error);
/* Checks that a parent of every reached vertex is one level lower, and that there is an edge that the limits allow.
 */
int check_bfs_parents(const struct graph *graph, const struct limits *limits, const struct traversal *result,
                      struct error *error);

#define NO_EDGE UINT64_MAX
/* The place of an edge in graph->targets; NO_EDGE: there is none. */
edge_t find_edge(const struct graph *graph, vertex_t source, vertex_t target);

/* Counts the vertices that a result reached, and sums their out-degrees. */
void count_reached(const struct graph *graph, const struct traversal *result, uint64_t *reached, uint64_t *edges);

/* Counts the same without a result, by a serial traversal; on a symmetric graph by one for each component. Zeroed
 * before the first call; reach_release() frees it. */
struct reach {
    uint32_t *part;  /* num_vertices: 1 + the index of the vertex's component or of the last search that met it; 0:
                        none has */
    vertex_t *queue; /* num_vertices */
    struct reach_size {
        uint64_t vertices, edges;
    } * sizes; /* size of each component, or search, from 1 on */
    uint32_t num_parts;
};
int reach_count(const struct graph *graph, vertex_t source, struct reach *reach, uint64_t *reached, uint64_t *edges,
                struct error *error);
void reach_release(struct reach *reach);
