/* pairs_cells.h: the committed tables of pairs by cell, a graph and a number of pairs, for tests of choices. */
#pragma once

#include "support.h"

#include "../../src/records/columns.h"

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

/* The field of a row of pairs. */
static inline const char *pairs_field(char *const *fields, const char *name)
{
    return record_field(pairs_columns, fields, name);
}

/* Calls take() for each row of a committed table, which older versions may have written: each line is read by the
 * names in the header above it. A missing file has no rows. */
static inline void read_cells(const char *path, csv_take *take, void *context)
{
    static char none[] = "";
    char names[CSV_ROW_BYTES], header[4 * CSV_ROW_BYTES], line[sizeof header];
    char *wanted[CSV_MAX_COLUMNS], *found[CSV_MAX_COLUMNS], *fields[CSV_MAX_COLUMNS], *row[CSV_MAX_COLUMNS];
    record_header(pairs_columns, names);
    names[strcspn(names, "\n")] = '\0';
    int num_wanted = csv_split_row(names, wanted), num_found = 0;
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "graph,", strlen("graph,")) == 0) {
            snprintf(header, sizeof header, "%s", line);
            num_found = csv_split_row(header, found);
            continue;
        }
        assert_int_equal(csv_split_row(line, fields), num_found);
        for (int w = 0; w < num_wanted; w++) {
            row[w] = none;
            for (int f = 0; f < num_found; f++)
                row[w] = strcmp(wanted[w], found[f]) == 0 ? fields[f] : row[w];
        }
        take(row, context);
    }
    if (file != NULL)
        fclose(file);
}

/* The cell of a row, from number `first` on; a new one if there is none. */
static inline struct cell *cell_of(struct cells *cells, size_t first, char *fields[CSV_MAX_COLUMNS])
{
    const char *graph = pairs_field(fields, "graph");
    uint64_t pairs = strtoull(pairs_field(fields, "pairs"), NULL, 10);
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
    cell->vertices = strtoull(pairs_field(fields, "vertices"), NULL, 10);
    cell->edges = strtoull(pairs_field(fields, "edges"), NULL, 10);
    cell->searches = strtoull(pairs_field(fields, "sources"), NULL, 10);
    return cell;
}
