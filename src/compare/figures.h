/* figures.h: the figure of a launch, the logarithm of its time over the sources that both sides share. */
#pragma once

#include "../records/columns.h"
#include "rows.h"

#define WHY_BYTES 384

/* The trials that two rows share, as places in the lists of each row. A row without trials (path lengths, closeness)
 * has only the time of the whole run. */
struct shared {
    int count; /* 0: rows without trials */
    int place[2][MOST_LISTED];
};

/* Finds the sources of large reach that both rows have. False if the rows cannot be compared, for the reason that
 * `why` gives. */
bool shared_find(const struct row *a, const struct row *b, struct shared *shared, char why[WHY_BYTES]);

/* Returns the mean time of the shared trials of a row of side 0 or 1, in ms; 0 if the row lacks one of them. */
double shared_mean_ms(const struct row *row, const struct shared *shared, int side);

/* Finds the quartiles of the ratios b / a of the shared trials of two rows. False if there are fewer than 8, or if
 * batches share their times. */
bool shared_spread(const struct row *a, const struct row *b, const struct shared *shared, double quartiles[2]);
