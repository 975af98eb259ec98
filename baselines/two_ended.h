/* two_ended.h: a shortest path between two vertices, searched from both ends (two_ended.c). */
#pragma once

#include "../src/algorithm.h"

/* A search and its arrays; whoever makes it owns them, and sets all but what the search tells. */
struct two_ended {
    const struct graph *out,
        *in;             /* in: the reverse of out, or out itself if it is symmetric; NULL: from one end only */
    uint8_t *mark;       /* num_vertices: 0 between searches */
    vertex_t *queue;     /* num_vertices */
    vertex_t *parent;    /* num_vertices: the next vertex on the way to its end; NULL: no path is wanted */
    uint64_t scanned;    /* edges, since whoever reads it set it to 0 */
    vertex_t meeting[2]; /* edge where the ends of the last search met; the same vertex twice if they met at one */
};

/* Edges on a shortest path from one vertex to another; UNREACHED if there is none. */
uint32_t two_ended_length(struct two_ended *search, vertex_t from, vertex_t to);

/* Writes the length + 1 vertices of the path that the last search found; it wanted a path and returned `length`. */
void two_ended_path(const struct two_ended *search, uint32_t length, vertex_t *path);
