/* columns.h: the schema of all records: the name, the type and the source of every column, from which CSV's headers and
 * rows, the JSON of runs, and the reading of resumed rows follow. A new column is one new row of a table. */
#pragma once

#include "../graph/hash.h"
#include "csv.h"
#include "identity.h"
#include "result.h"

#define MOST_LISTED 256 /* trials that a summary lists one by one */

/* The values of the columns before and after a run's results. */
struct record_run {
    const struct bench_request *request;
    const char *graph, *family, *variant, *device, *machine, *driver, *build, *version, *launch, *turn;
    vertex_t vertices;
    edge_t edges;
    uint64_t num_pairs;
    unsigned repeats;
    int devices, cores, busy_cores; /* as in struct bench_request */
    char graph_hash[HASH_DIGITS + 1];
    char options[640]; /* "alpha=15 beta=18 reorder=rcm output=paths" */
    char threads[THREADS_BYTES], date[DATE_BYTES];
};

enum column_type {
    COLUMN_TEXT,     /* char[] */
    COLUMN_WORD,     /* const char *; written, never read */
    COLUMN_SOURCE,   /* vertex_t; NO_VERTEX is written as an empty field */
    COLUMN_COUNT,    /* an unsigned integer of `bytes` bytes, or an int that is not negative */
    COLUMN_SIZE,     /* like COLUMN_COUNT, but 0 is an empty field */
    COLUMN_REAL,     /* double, with the column's decimals */
    COLUMN_MEASURED, /* like COLUMN_REAL, but a negative number is an empty field */
    COLUMN_VERDICT,  /* enum verdict */
    COLUMN_LIST,     /* put() writes it; this type and those below are never read */
    COLUMN_TIMES,    /* one double per listed trial: a member of struct trial */
    COLUMN_COUNTS    /* one unsigned integer per listed trial */
};

struct column {
    const char *name;
    const char *json; /* its name in JSON; NULL: the same; "": it is not in JSON */
    enum column_type type;
    bool of_run, json_only; /* of_run: the source is struct record_run, not the result */
    size_t at, bytes;       /* offset and size of the value in the source */
    int decimals;
    size_t known; /* offset of a bool that says whether there is a value; 0: the type says it */
    void (*put)(FILE *file, const struct bench_request *request, const struct trials_result *result);
};

/* Each ends with a NULL name. Values come from struct record_run and from: */
extern const struct column trial_columns[];   /* struct trial */
extern const struct column summary_columns[]; /* struct trials_result */
extern const struct column pairs_columns[];   /* struct pairs_result */
extern const struct column failure_columns[]; /* struct failure */

struct failure {
    const char *reason, *message;
};

#define RECORD_KEY_FIELDS 8 /* the first columns of each table: graph to device */

/* Writes the names of the columns as a line of CSV. */
void record_header(const struct column *columns, char header[CSV_ROW_BYTES]);

/* Writes `count` values as CSV, separated by commas. result may be NULL if the columns describe only the run. */
void record_put_fields(FILE *file, const struct column *columns, int count, const struct record_run *run,
                       const void *result);

/* Reads a row's values, except those of the run, into the result. False if one is missing or not a number. */
bool record_read_row(const struct column *columns, char *const *fields, void *result);

/* Returns the field of the column `name`. */
const char *record_field(const struct column *columns, char *const *fields, const char *name);

/* Prints `"name": value` for each column that is in JSON, with ", " between them. A missing value becomes null. */
void json_columns(FILE *file, const struct column *columns, const struct record_run *run, const void *result);
