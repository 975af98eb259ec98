/* two_ended.h: searches a shortest path between two vertices from both ends (two_ended.c). */
#pragma once

#include "../src/algorithm.h"

/* A search and its arrays. The caller owns the arrays, and sets all members except those that the search sets. */
struct two_ended {
    const struct graph *out, *in; /* the transpose of out, or out itself if symmetric; NULL: search from one end only */
    uint8_t *mark;                /* num_vertices; all 0 between searches */
    vertex_t *queue;              /* num_vertices */
    vertex_t *parent;             /* num_vertices; the next vertex towards its end; NULL if paths are not wanted */
    uint64_t scanned;             /* edges scanned since the caller last set it to 0 */
    vertex_t meeting[2]; /* edge where the last search's ends met; if they met at a vertex, twice this vertex */
};

/* Returns the number of edges on a shortest path from one vertex to another; UNREACHED if there is none. */
uint32_t two_ended_length(struct two_ended *search, vertex_t from, vertex_t to);

/* Writes the length + 1 vertices of the path found by the last search. That search must have wanted a path and
 * returned `length`. */
void two_ended_path(const struct two_ended *search, uint32_t length, vertex_t *path);
