/* sources.h: the source vertices of trials. */
#pragma once

#include "graph.h"

#define DEFAULT_SOURCES 64 /* GAP's number of trials for BFS */

/* Draws count sources by GAP's rule: one seed for all graphs; if a vertex has no out-neighbours, another is drawn.
 * STATUS_INPUT if the graph has no edges. */
int pick_sources(const struct graph *graph, int count, vertex_t *sources, struct error *error);

/* Reads the value of an option ("--source"), a list of ids such as "5,17,3". An id with a comma is quoted as in CSV.
 * STATUS_INPUT if an id is not in the graph. The caller frees *vertices. */
int parse_vertices(const struct graph *graph, const char *option, const char *list, vertex_t **vertices, int *count,
                   struct error *error);

/* Reads the ids from a file in the same way, one on each line. Skips blank lines and # comments. */
int read_sources(const struct graph *graph, const char *path, vertex_t **sources, int *count, struct error *error);
