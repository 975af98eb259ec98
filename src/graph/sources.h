/* sources.h: the source vertices of trials. */
#pragma once

#include "graph.h"

#define DEFAULT_SOURCES 64 /* GAP's number of trials for BFS */

/* Draws count sources by GAP's rule: one seed for all graphs; if a vertex has no out-neighbours, another is drawn.
 * STATUS_INPUT if the graph has no edges. */
int pick_sources(const struct graph *graph, int count, vertex_t *sources, struct error *error);

/* Reads "5" or "5,17,3", the value of an option, "--source": ids as the graph has them; one with a comma is quoted as
 * in CSV. Each must be a vertex of the graph, else STATUS_INPUT. The caller frees *vertices. */
int parse_vertices(const struct graph *graph, const char *option, const char *list, vertex_t **vertices, int *count,
                   struct error *error);

/* Reads a file with a source in each line; blank lines and # comments are skipped. Otherwise the same. */
int read_sources(const struct graph *graph, const char *path, vertex_t **sources, int *count, struct error *error);
