/* test_ibfs_choice.c: ibfs-auto's rule against the committed records of IBFS's schemes on an H200. */
#include "pairs_cells.h"

#include "../../kernels/msbfs/ibfs/choice.h"

#define FOLDER       "results/nvidia-h200/msbfs/pairs/nvidia-h200/"
#define FEWEST_CELLS 30
#define MOST_TIMES   1.10 /* the best scheme's time, that the chosen one may take */

/* A file that is read. */
struct reading {
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
    struct reading *reading = context;
    const char *options = pairs_field(fields, "options");
    if (has_other(options, "mode=", "best") || has_other(options, "bottom-up-percent=", "5") ||
        has_other(options, "instances=", "auto") || has_other(options, "edge-threads=", "8"))
        return;
    cell_of(reading->cells, 0, fields)->search_ms[reading->scheme] =
        strtod(pairs_field(fields, "time_ms"), NULL); /* the newest */
}

TEST(choice_is_near_the_best)
{
    static const char *const files[] = {[IBFS_WORKGROUP] = FOLDER "msbfs_ibfs-workgroup_pairs.csv",
                                        [IBFS_COALESCED] = FOLDER "msbfs_ibfs-coalesced_pairs.csv",
                                        [IBFS_BOTTOM_UP] = FOLDER "msbfs_ibfs-bottomup_pairs.csv"};
    struct cells cells = {0};
    size_t compared = 0;
    for (enum ibfs_scheme scheme = IBFS_WORKGROUP; scheme <= IBFS_BOTTOM_UP; scheme++) {
        struct reading reading = {&cells, scheme};
        read_cells(files[scheme], take_time, &reading);
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
    assert_true(compared >= FEWEST_CELLS);
}

TESTS(NULL, NULL)
