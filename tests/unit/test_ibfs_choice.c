/* test_ibfs_choice.c: which scheme `ibfs-auto` takes, against the committed records of an H200. */
#include "support.h"

#include "../../kernels/msbfs/ibfs/choice.h"
#include "../../src/records/columns.h"

/* ---- the committed tables of pairs by cell, a graph and a number of pairs ---- */

#define MOST_CELLS   500
#define MOST_CHOICES 5
#define MOST_TIMES   1.10 /* the time of the chosen scheme over the least time */

struct cell {
    char graph[64];
    uint64_t pairs, searches, vertices, edges;
    double search_ms[MOST_CHOICES]; /* 0: not measured */
};
struct cells {
    struct cell cell[MOST_CELLS];
    size_t count;
};

/* The field of a row of pairs. */
static const char *pairs_field(char *const *fields, const char *name)
{
    return record_field(pairs_columns, fields, name);
}

/* Calls take() for each row of a committed table, which older versions may have written: each line is read by the
 * names in the header above it. A missing file has no rows. */
static void read_cells(const char *path, void (*take)(char *fields[], void *context), void *context)
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

/* The cell of a row; a new one if there is none. */
static struct cell *cell_of(struct cells *cells, char *fields[CSV_MAX_COLUMNS])
{
    const char *graph = pairs_field(fields, "graph");
    uint64_t pairs = strtoull(pairs_field(fields, "pairs"), NULL, 10);
    size_t i = 0;
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

/* ---- which scheme ---- */

#define FOLDER            "results/nvidia-h200/msbfs/pairs/nvidia-h200/"
#define FEWEST_IBFS_CELLS 30

/* A file that is read. */
struct ibfs_reading {
    struct cells *cells;
    enum ibfs_scheme scheme;
};

static bool has_other(const char *options, const char *name, const char *value)
{
    const char *found = strstr(options, name);
    return found != NULL && strncmp(found + strlen(name), value, strlen(value)) != 0;
}

static void take_time(char *fields[CSV_MAX_COLUMNS], void *context)
{
    struct ibfs_reading *reading = context;
    const char *options = pairs_field(fields, "options");
    if (has_other(options, "mode=", "best") || has_other(options, "bottom-up-percent=", "5") ||
        has_other(options, "instances=", "auto") || has_other(options, "edge-threads=", "8"))
        return;
    cell_of(reading->cells, fields)->search_ms[reading->scheme] =
        strtod(pairs_field(fields, "time_ms"), NULL); /* the newest */
}

TEST(choice_is_near_the_best)
{
    static const char *const of_schemes[] = {[IBFS_WORKGROUP] = FOLDER "msbfs_ibfs-workgroup_pairs.csv",
                                             [IBFS_COALESCED] = FOLDER "msbfs_ibfs-coalesced_pairs.csv",
                                             [IBFS_BOTTOM_UP] = FOLDER "msbfs_ibfs-bottomup_pairs.csv"};
    struct cells cells = {0};
    size_t compared = 0;
    for (enum ibfs_scheme scheme = IBFS_WORKGROUP; scheme <= IBFS_BOTTOM_UP; scheme++) {
        struct ibfs_reading reading = {&cells, scheme};
        read_cells(of_schemes[scheme], take_time, &reading);
    }
    for (size_t i = 0; i < cells.count; i++) {
        const struct cell *cell = &cells.cell[i];
        const double *ms = cell->search_ms;
        double best = ms[IBFS_WORKGROUP];
        if (ms[IBFS_WORKGROUP] <= 0 || ms[IBFS_COALESCED] <= 0 || ms[IBFS_BOTTOM_UP] <= 0)
            continue;
        best = ms[IBFS_COALESCED] < best ? ms[IBFS_COALESCED] : best;
        best = ms[IBFS_BOTTOM_UP] < best ? ms[IBFS_BOTTOM_UP] : best;
        double chosen = ms[ibfs_choose_scheme(cell->searches, cell->vertices, cell->edges)];
        if (chosen > MOST_TIMES * best)
            fail_msg("%s, %llu pairs: the scheme chosen takes %.3f ms, the best %.3f", cell->graph,
                     (unsigned long long)cell->pairs, chosen, best);
        compared++;
    }
    assert_true(compared >= FEWEST_IBFS_CELLS);
}

TESTS(NULL, NULL)
