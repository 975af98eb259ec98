/* pairs_cells.h: the committed tables of pairs by cell, a graph and a number of pairs, for tests of choices. */
#pragma once

#include "support.h"

#include "../../src/records/csv.h"
#include "../../src/records/record_tables.h"

#define MOST_CELLS   500
#define MOST_CHOICES 5

struct cell {
    char graph[64];
    uint64_t pairs, searches, vertices, edges;
    double whole_ms[MOST_CHOICES], search_ms[MOST_CHOICES]; /* 0: not measured */
};
struct cells {
    struct cell cell[MOST_CELLS];
    size_t count;
};

/* The cell of a row, from number `first` on; a new one if there is none. */
static inline struct cell *cell_of(struct cells *cells, size_t first, char *fields[CSV_MAX_COLUMNS])
{
    const char *graph = fields[KEY_GRAPH];
    uint64_t pairs = strtoull(fields[P_PAIRS], NULL, 10);
    size_t i = first;
    while (i < cells->count && (strcmp(cells->cell[i].graph, graph) != 0 || cells->cell[i].pairs != pairs))
        i++;
    assert_true(i < MOST_CELLS);
    struct cell *cell = &cells->cell[i];
    if (i == cells->count) {
        snprintf(cell->graph, sizeof cell->graph, "%s", graph);
        cell->pairs = pairs;
        cells->count++;
    }
    cell->vertices = strtoull(fields[KEY_VERTICES], NULL, 10);
    cell->edges = strtoull(fields[KEY_EDGES], NULL, 10);
    cell->searches = strtoull(fields[P_SOURCES], NULL, 10);
    return cell;
}
