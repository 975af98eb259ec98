/* test_ibfs_choice.c: ibfs-auto's rule against the committed records of IBFS's schemes on an H200. */
#include "support.h"

#include "../../kernels/msbfs/ibfs/choice.h"
#include "../../src/bench/csv.h"
#include "../../src/bench/record_tables.h"

#define FOLDER       "results/nvidia-h200/msbfs/pairs/nvidia-h200/"
#define MOST_CELLS   500
#define FEWEST_CELLS 30
#define MOST_TIMES   1.10 /* the best scheme's time, that the chosen one may take */

/* A graph and a number of pairs, and the newest time of each scheme with the options that ibfs-auto gives it. */
struct cell {
    char graph[64];
    uint64_t pairs, searches, vertices, edges;
    double ms[IBFS_BOTTOM_UP + 1];
};
struct cells {
    enum ibfs_scheme scheme; /* of the file that is read */
    struct cell cell[MOST_CELLS];
    size_t count;
};

static struct cell *cell_of(struct cells *cells, const char *graph, uint64_t pairs)
{
    size_t i = 0;
    while (i < cells->count && (strcmp(cells->cell[i].graph, graph) != 0 || cells->cell[i].pairs != pairs))
        i++;
    assert_true(i < MOST_CELLS);
    if (i == cells->count) {
        snprintf(cells->cell[i].graph, sizeof cells->cell[i].graph, "%s", graph);
        cells->cell[i].pairs = pairs;
        cells->count++;
    }
    return &cells->cell[i];
}

static bool has_other(const char *options, const char *name, const char *value)
{
    const char *found = strstr(options, name);
    return found != NULL && strncmp(found + strlen(name), value, strlen(value)) != 0;
}

static void take_time(char *fields[CSV_MAX_COLUMNS], void *context)
{
    struct cells *cells = context;
    const char *options = fields[KEY_OPTIONS];
    if (has_other(options, "mode=", "best") || has_other(options, "bottom-up-percent=", "5") ||
        has_other(options, "instances=", "auto") || has_other(options, "edge-threads=", "8"))
        return;
    struct cell *cell = cell_of(cells, fields[KEY_GRAPH], strtoull(fields[P_PAIRS], NULL, 10));
    cell->vertices = strtoull(fields[KEY_VERTICES], NULL, 10);
    cell->edges = strtoull(fields[KEY_EDGES], NULL, 10);
    cell->searches = strtoull(fields[P_SOURCES], NULL, 10);
    cell->ms[cells->scheme] = strtod(fields[P_TIME], NULL);
}

static void test_choice_is_near_the_best(void **state)
{
    (void)state;
    static const char *const files[] = {[IBFS_WORKGROUP] = FOLDER "msbfs_ibfs-workgroup_pairs.csv",
                                        [IBFS_COALESCED] = FOLDER "msbfs_ibfs-coalesced_pairs.csv",
                                        [IBFS_BOTTOM_UP] = FOLDER "msbfs_ibfs-bottomup_pairs.csv"};
    struct cells cells = {0};
    struct error error = {0};
    size_t compared = 0;
    for (cells.scheme = IBFS_WORKGROUP; cells.scheme <= IBFS_BOTTOM_UP; cells.scheme++)
        assert_int_equal(csv_read(files[cells.scheme], &pairs_table, take_time, &cells, &error), STATUS_OK);
    for (size_t i = 0; i < cells.count; i++) {
        const struct cell *cell = &cells.cell[i];
        const double *ms = cell->ms;
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
    assert_true(compared >= FEWEST_CELLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_choice_is_near_the_best)};
    return cmocka_run_group_tests_name("ibfs-auto's choice", tests, NULL, NULL);
}
