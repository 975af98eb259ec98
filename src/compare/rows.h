/* rows.h: reads the rows that a comparison uses: summaries of trials, path lengths and closeness, by any version of
 * gtrav. A row is one launch on one graph. */
#pragma once

#include "../error.h"

/* The columns that are read, of *_perf.csv and *_pairs.csv (docs/records.md). */
/* clang-format off */
#define FIELDS(FIELD)                                                                                                \
    FIELD(GRAPH, "graph") FIELD(VERTICES, "vertices") FIELD(EDGES, "edges") FIELD(GRAPH_HASH, "graph_hash")          \
    FIELD(FAMILY, "family") FIELD(VARIANT, "variant") FIELD(OPTIONS, "options") FIELD(DEVICE, "device")              \
    FIELD(THREADS, "threads") FIELD(PAIRS, "pairs") FIELD(SOURCES, "sources") FIELD(BUILD, "build")                  \
    FIELD(LAUNCH, "launch") FIELD(TURN, "turn") FIELD(MACHINE, "machine") FIELD(DRIVER, "driver")                    \
    FIELD(REPEATS, "repeats") FIELD(BATCH_SOURCES, "batch_sources") FIELD(TRIAL_MS, "trial_ms")                      \
    FIELD(TRIAL_EDGES, "trial_edges") FIELD(SOURCE_LIST, "source_list") FIELD(SMALL_REACH, "small_reach")            \
    FIELD(TIME_MS, "time_ms") FIELD(MEAN_TIME_MS, "mean_time_ms") FIELD(FACTS, "facts") FIELD(CORES, "cores")        \
    FIELD(BUSY_CORES, "busy_cores") FIELD(THROTTLED, "throttled") FIELD(CLOCK_LIMITS, "clock_limits")                \
    FIELD(VERIFICATION, "verified")
/* clang-format on */

enum field {
#define FIELD_ID(id, name) id,
    FIELDS(FIELD_ID)
#undef FIELD_ID
        NUM_FIELDS
};

struct row {
    const char *field[NUM_FIELDS]; /* "" for a column that the file lacks */
    char *texts;                   /* owned: the fields */
};

struct rows {
    struct row *items; /* count, in the order of the files and of their lines */
    size_t count;
    uint64_t capacity;
};

/* Reads the summaries in a file, or in all files below a folder, in the order of their names. STATUS_INPUT if there
 * are none, or if one cannot be read. Call rows_release() in every case. */
int rows_read(const char *path, struct rows *rows, struct error *error);
void rows_release(struct rows *rows);

/* The column's name in the records. */
const char *field_name(enum field field);
