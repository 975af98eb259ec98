/* record_tables.h: the tables of records, and the indices of the columns that are read. records.c names all
 * columns. */
#pragma once

#include "record_key.h"

extern const struct csv_table trial_table, summary_table, pairs_table, failure_table;

enum trial_column {
    T_SOURCE = RECORD_KEY_FIELDS,
    T_EDGES,
    T_REACHED,
    T_TIME,
    T_RESET,
    T_KERNEL,
    T_SEARCH_MTEPS,
    T_MTEPS,
    T_VERIFIED,
    T_TREE_DEPTH,
    T_CROSS_SHARE,
    T_BATCH,
    T_DOWNLOAD,
    T_THREADS,
    T_BUILD_ID,
    T_VERSION,
    T_DATE,
    T_COLUMNS
};

enum summary_column {
    S_SOURCES = RECORD_KEY_FIELDS,
    S_VERIFIED,
    S_LOAD,
    S_PREPARE,
    S_UPLOAD,
    S_REORDER = 30,
    S_BUILD,
    S_DEVICE_BYTES,
    S_PEAK_BYTES,
    S_NOTE,
    S_BATCH,
    S_TIME_LIMIT = 43,
    S_THREADS = 45,
    S_BUILD_ID,
    S_VERSION,
    S_DATE,
    S_COLUMNS
};

enum key_column { KEY_GRAPH, KEY_VERTICES, KEY_EDGES, KEY_OPTIONS = 5 };

enum pairs_column {
    P_PAIRS = RECORD_KEY_FIELDS, /* belongs to the key */
    P_SOURCES,
    P_TIME = 14,
    P_TOTAL = 22,
    P_COLUMNS = 30
};
#define F_COLUMNS (RECORD_KEY_FIELDS + 7)
