/* sides.h: groups the launches of a side into cells, and finds the cell of the other side that belongs to a row. */
#pragma once

#include "rows.h"

/* The launches of one side on one graph, by one variant with the same options, device and threads. */
struct cell {
    const struct row **launches; /* count, the newest row of each; owned. If count is 0, launches[0] is a mixed row */
    int count;
    int mixed; /* number of rows left out, since several launches measured their trials */
    bool matched;
};

struct side {
    struct cell *cells; /* count; owned */
    int count;
};

/* Groups rows into cells. STATUS_INPUT if memory is short. Call side_release() in every case. */
int side_make(const struct rows *rows, struct side *side, struct error *error);
void side_release(struct side *side);

/* Returns the only unmatched cell that agrees with a row; NULL if there is none or if there are several. */
typedef bool agreement(const struct row *a, const struct row *b);
struct cell *only_match(const struct side *side, const struct row *row, agreement *agree);
int num_unmatched(const struct side *side);

bool row_equal(const struct row *a, const struct row *b, enum field field);

/* Agreements, the strictest first: on all fields of the key; the same, but the graph's hash may be missing, as in
 * rows of an older gtrav; on graph, family, pairs and variant; on graph, family and pairs. */
bool same_key(const struct row *a, const struct row *b);
bool same_run(const struct row *a, const struct row *b);
bool same_variant(const struct row *a, const struct row *b);
bool same_task(const struct row *a, const struct row *b);
