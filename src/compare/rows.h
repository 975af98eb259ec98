/* rows.h: reads the rows that a comparison uses: summaries of trials, path lengths and closeness, by any version of
 * gtrav. A row is one launch on one graph. */
#pragma once

#include "../error.h"

/* The columns that are read, of *_perf.csv and *_pairs.csv (docs/records.md). */
enum field {
    GRAPH,
    VERTICES,
    EDGES,
    GRAPH_HASH,
    FAMILY,
    VARIANT,
    OPTIONS,
    DEVICE,
    THREADS,
    PAIRS,
    SOURCES,
    BUILD,
    LAUNCH,
    TURN,
    MACHINE,
    DRIVER,
    REPEATS,
    BATCH_SOURCES,
    TRIAL_MS,
    TRIAL_EDGES,
    SOURCE_LIST,
    SMALL_REACH,
    TIME_MS,
    MEAN_TIME_MS,
    FACTS,
    CORES,
    BUSY_CORES,
    THROTTLED,
    CLOCK_LIMITS,
    VERIFICATION,
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
