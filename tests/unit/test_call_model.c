/* test_call_model.c: where `msbfs auto` answers pairs, and which scheme `ibfs-auto` takes: the models against the
 * committed records of an H200 and the 16 cores beside it, and what is asked of them. */
#include "support.h"

#include "../../kernels/msbfs/call_model.h"
#include "../../kernels/msbfs/ibfs/choice.h"
#include "../../src/records/columns.h"

#include <math.h>

/* ---- the committed tables of pairs by cell, a graph and a number of pairs ---- */

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
static const char *pairs_field(char *const *fields, const char *name)
{
    return record_field(pairs_columns, fields, name);
}

/* Calls take() for each row of a committed table, which older versions may have written: each line is read by the
 * names in the header above it. A missing file has no rows. */
static void read_cells(const char *path, csv_take *take, void *context)
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
static struct cell *cell_of(struct cells *cells, size_t first, char *fields[CSV_MAX_COLUMNS])
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

/* ---- which algorithm answers ---- */

#define FEWEST_CELLS 25
#define MOST_TIMES   1.10 /* the least time, that what is chosen may take */
#define CPU_THREADS  16
#define ON_GPU       (1u << DEVICE_GPU)
#define ON_BOTH      (ON_GPU | 1u << DEVICE_CPU)

/* Whole calls count in rows from that day on: before, preparing was timed once, which loads kernels, and large copies
 * were slower. */
#define WHOLE_FROM "2026-11-23"

static const char *const folders[] = {"results/nvidia-h200/msbfs/pairs/", "results/nvidia-h200/run_msbfs/pairs/"};

/* The files of the candidates; an algorithm may have several, of which the fastest counts. ibfs-auto chooses among
 * the schemes of IBFS, and had an older rule in the oldest records. auto chose its engine with
 * preparing in mind for few pairs; if the call is warm, it measures all of them, bitparallel among them. Rows of auto
 * that could choose a CPU are none of a candidate. */
static const struct {
    const char *file;
    int candidate;
    bool only_warm;
} files[] = {
    {"cpu-intel-r-xeon-r-processor/msbfs_adaptive_pairs.csv", 0, false},
    {"nvidia-h200/msbfs_ibfs-auto_pairs.csv", 1, false},
    {"nvidia-h200/msbfs_ibfs-bottomup_pairs.csv", 1, false},
    {"nvidia-h200/msbfs_auto_pairs.csv", 2, false},
    {"nvidia-h200/msbfs_bitparallel_pairs.csv", 2, true},
    {"nvidia-h200/msbfs_bitparallel_pairs.csv", 3, false},
};

static void keep_least(double *least, double ms)
{
    if (ms > 0 && (*least == 0 || ms < *least))
        *least = ms;
}

/* A file that is read. */
struct reading {
    struct cells *cells;
    size_t first; /* cell of its folder: the folders are of different builds, and their uploads differ */
    int candidate;
    bool only_warm;
};

static void take_times(char *fields[CSV_MAX_COLUMNS], void *context)
{
    struct reading *reading = context;
    const char *options = pairs_field(fields, "options");
    if (strstr(options, "mode=paper") != NULL || strstr(options, "call=cold") != NULL ||
        strstr(options, "call=warm") != NULL)
        return;
    bool is_whole = !reading->only_warm && strcmp(pairs_field(fields, "date"), WHOLE_FROM) >= 0;
    struct cell *cell = cell_of(reading->cells, reading->first, fields);
    double total = strtod(pairs_field(fields, "total_ms"), NULL), time = strtod(pairs_field(fields, "time_ms"), NULL);
    keep_least(&cell->whole_ms[reading->candidate], is_whole ? total : 0);
    keep_least(&cell->search_ms[reading->candidate], time);
}

static void read_all(struct cells *cells)
{
    char path[512];
    for (size_t folder = 0; folder < COUNT(folders); folder++) {
        size_t first = cells->count;
        for (size_t i = 0; i < COUNT(files); i++) {
            snprintf(path, sizeof path, "%s%s", folders[folder], files[i].file);
            struct reading reading = {cells, first, files[i].candidate, files[i].only_warm};
            read_cells(path, take_times, &reading);
        }
    }
}

static struct call call_of(const struct cell *cell, bool warm)
{
    return (struct call){.num_vertices = cell->vertices,
                         .num_edges = cell->edges,
                         .num_searches = cell->searches,
                         .warm = warm,
                         .threads = CPU_THREADS};
}

/* The choice in every cell that has two candidates' times. on: as call_model.fastest() takes it. */
static void check_choices(const struct cells *cells, bool warm, unsigned on, size_t fewest)
{
    size_t compared = 0, wrong = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const double *ms = warm ? cell->search_ms : cell->whole_ms;
        struct call call = call_of(cell, warm);
        int best = -1, number = 0, chosen = msbfs_call_model.fastest(&call, on);
        for (int c = 0; c < msbfs_call_model.num_candidates; c++) {
            bool counts = ms[c] > 0 && on >> msbfs_call_model.candidates[c].on & 1;
            number += counts;
            best = counts && (best < 0 || ms[c] < ms[best]) ? c : best;
        }
        if (number < 2 || ms[chosen] == 0)
            continue;
        compared++;
        double times = ms[chosen] / ms[best];
        if (times > MOST_TIMES) {
            print_message("%s, %llu pairs, %s: %s takes %.3f ms, %s %.3f: %.2f times\n", cell->graph,
                          (unsigned long long)cell->pairs, warm ? "warm" : "cold",
                          msbfs_call_model.candidates[chosen].variant, ms[chosen],
                          msbfs_call_model.candidates[best].variant, ms[best], times);
            wrong++;
        }
    }
    print_message("%s: %zu cells\n", warm ? "warm" : "cold", compared);
    assert_int_equal(wrong, 0);
    assert_true(compared >= fewest);
}

TEST(cold_calls)
{
    struct cells cells = {0};
    read_all(&cells);
    check_choices(&cells, false, ON_GPU, FEWEST_CELLS);
    check_choices(&cells, false, ON_BOTH, 0);
}

TEST(warm_calls)
{
    struct cells cells = {0};
    read_all(&cells);
    check_choices(&cells, true, ON_GPU, FEWEST_CELLS);
    check_choices(&cells, true, ON_BOTH, 0);
}

static struct call snb_100(uint64_t searches)
{
    return (struct call){.num_vertices = 487700, .num_edges = 46233610, .num_searches = searches, .threads = 16};
}

static const char *variant_for(const struct call *call, unsigned on)
{
    return msbfs_call_model.candidates[msbfs_call_model.fastest(call, on)].variant;
}

TEST(what_the_choice_depends_on)
{
    struct call call = snb_100(100);
    assert_string_equal(variant_for(&call, ON_BOTH), "adaptive");
    assert_string_equal(variant_for(&call, ON_GPU), "bitparallel");
    call.warm = true;
    assert_string_equal(variant_for(&call, ON_BOTH), "auto");
    call = snb_100(1);
    call.warm = true;
    assert_string_equal(variant_for(&call, ON_BOTH), "adaptive");
    call = snb_100(65536);
    assert_string_equal(variant_for(&call, ON_BOTH), "adaptive");
    call.threads = 1;
    assert_string_equal(variant_for(&call, ON_BOTH), "bitparallel");
    call = snb_100(100);
    call.num_vertices *= 4; /* few edges a vertex: there may be many levels */
    assert_string_equal(variant_for(&call, ON_GPU), "ibfs-auto");
    call.num_vertices *= 4; /* fewer still: no search of the CPU ends early, and ibfs takes too many steps */
    assert_string_equal(variant_for(&call, ON_BOTH), "auto");
    call = snb_100(1000);
    call.paths = true; /* which ibfs-auto does not give */
    assert_string_equal(variant_for(&call, ON_GPU), "bitparallel");
}

/* More searches never take less time, so that no number of pairs is a cliff. */
TEST(times_grow)
{
    for (int candidate = 0; candidate < msbfs_call_model.num_candidates; candidate++) {
        double before = 0;
        for (uint64_t searches = 1; searches <= 70000; searches += 1 + searches / 16) {
            struct call call = snb_100(searches);
            double ms = msbfs_call_model.ms(&call, candidate);
            assert_true(isfinite(ms) && ms >= before);
            before = ms;
        }
    }
}

/* ---- which scheme of IBFS ---- */

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
    cell_of(reading->cells, 0, fields)->search_ms[reading->scheme] =
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
