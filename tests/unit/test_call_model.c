/* test_call_model.c: where `msbfs auto` answers pairs: the model against the committed records of an H200 and the 16
 * cores beside it, and what is asked of it. */
#include "pairs_cells.h"

#include "../../kernels/msbfs/call_model.h"
#include "../../src/run/whole_call.h"

#include <math.h>

#define FEWEST_CELLS 25
#define MOST_TIMES   1.10 /* the least time, that the chosen algorithm may take */
#define CPU_THREADS  16

/* Whole calls count in rows from that day on: before, preparing was timed once, which loads kernels, and large copies
 * were slower. */
#define WHOLE_FROM "2026-11-23"

static const char *const folders[] = {"results/nvidia-h200/msbfs/pairs/", "results/nvidia-h200/run_msbfs/pairs/"};

/* The files of the candidates; an algorithm may have several, of which the fastest counts. ibfs-auto chooses among
 * the schemes of IBFS (test_ibfs_choice.c), and had an older rule in the oldest records. auto chose its engine with
 * preparing in mind for few pairs; if the call is warm, it measures all of them, bitparallel among them. Rows of auto
 * that could choose a CPU are none of a candidate. */
static const struct {
    const char *file;
    int candidate;
    bool only_warm;
} files[] = {
    {"cpu-intel-r-xeon-r-processor/msbfs_serial_pairs.csv", 0, false},
    {"cpu-intel-r-xeon-r-processor/msbfs_pbfs_pairs.csv", 1, false},
    {"nvidia-h200/msbfs_ibfs-auto_pairs.csv", 2, false},
    {"nvidia-h200/msbfs_ibfs-bottomup_pairs.csv", 2, false},
    {"nvidia-h200/msbfs_auto_pairs.csv", 3, false},
    {"nvidia-h200/msbfs_bitparallel_pairs.csv", 3, true},
    {"nvidia-h200/msbfs_bitparallel_pairs.csv", 4, false},
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

/* The choice in every cell that has a CPU's time and a GPU's, or both GPU candidates'. */
static void check_choices(const struct cells *cells, bool warm)
{
    size_t compared = 0, wrong = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const double *ms = warm ? cell->search_ms : cell->whole_ms;
        struct call call = call_of(cell, warm);
        int best = -1, number = 0, chosen = msbfs_call_model.fastest(&call, 1u << DEVICE_CPU | 1u << DEVICE_GPU);
        for (int c = 0; c < msbfs_call_model.num_candidates; c++) {
            number += ms[c] > 0;
            best = ms[c] > 0 && (best < 0 || ms[c] < ms[best]) ? c : best;
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
    assert_true(compared >= FEWEST_CELLS);
}

TEST(cold_calls)
{
    struct cells cells = {0};
    read_all(&cells);
    check_choices(&cells, false);
}

TEST(warm_calls)
{
    struct cells cells = {0};
    read_all(&cells);
    check_choices(&cells, true);
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
    const unsigned gpu = 1u << DEVICE_GPU, both = gpu | 1u << DEVICE_CPU;
    struct call call = snb_100(100);
    assert_string_equal(variant_for(&call, both), "bitparallel");
    call.upload_gb_per_s = 5; /* a slow bus */
    assert_string_equal(variant_for(&call, both), "pbfs");
    assert_string_equal(variant_for(&call, gpu), "bitparallel");
    call.threads = 4;
    assert_string_equal(variant_for(&call, both), "bitparallel");
    call = snb_100(100);
    call.num_vertices *= 4; /* few edges a vertex: there may be many levels */
    assert_string_equal(variant_for(&call, both), "ibfs-auto");
    call = snb_100(100);
    call.warm = true;
    assert_string_equal(variant_for(&call, both), "auto");
    call = snb_100(1);
    assert_string_equal(variant_for(&call, both), "serial");
    call = snb_100(65536);
    assert_string_equal(variant_for(&call, both), "bitparallel");
    call = snb_100(1000);
    call.paths = true; /* which ibfs-auto does not give */
    assert_string_equal(variant_for(&call, gpu), "bitparallel");
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

TESTS(NULL, NULL)
