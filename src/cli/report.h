/* report.h: lists of algorithms and descriptions of graphs, printed on stdout as tables or as JSON. */
#pragma once

#include "../graph/statistics.h"
#include "plan.h"
#include "table.h"

/* --list: the algorithms of a family (NULL: of all), and whether they can run on this machine. Without --long or
 * --json a table of families and variants, which fits a screen. */
int report_list(FILE *file, const struct settings *settings, const struct family *family, struct machine *machine,
                struct error *error);

/* Writes the names of outputs (enum output, or'ed), each between two copies of `quote`: "level, parent". */
void list_outputs(unsigned outputs, const char *quote, char *text, size_t size);

/* "europe_osm: 50,912,018 vertices, 108,109,320 edges, undirected (symmetric file), 0 self-loops and 0 duplicates
 * dropped, read in 1.2 s" */
void describe_graph(const struct graph *graph, double load_ms, char *text, size_t size);

/* --info: properties of a graph; with --device, the memory that each algorithm needs, or STATUS_DEVICE without it. */
int report_info(FILE *file, const struct settings *settings, const struct graph *graph, const gtrav_info *info,
                double load_ms, struct machine *machine, struct error *error);
