/* checkpoint.h: the state of a closeness run in a file from which the next run continues: a bit for each source that
 * is done, and the sums over these sources. Rank 0 alone reads and writes it. */
#pragma once

#include "totals.h"

/* A file begins with this; the bits, farness and farness_count follow. Little-endian, as .gtrav files. */
struct checkpoint_head {
    char magic[8];
    uint32_t version, batch_sources;
    uint64_t num_vertices, num_edges, graph_hash, num_sources, sources_hash;
    uint64_t num_done;
    double time_ms, kernel_ms;
    uint64_t payload_hash; /* of all of the file but itself */
};

struct checkpoint {
    const char *name;
    struct checkpoint_head head; /* of files of this run */
};

/* Describes the file of a run. name must outlive *checkpoint, which needs no closing. */
void checkpoint_open(struct checkpoint *checkpoint, const char *name, const struct graph *graph,
                     const vertex_t *sources, uint64_t num_sources);

/* Adds the sums of earlier runs to the totals, which must be empty. Without a file they stay empty. STATUS_INPUT if a
 * file is damaged or belongs to another graph or other sources. */
int checkpoint_take_up(const struct checkpoint *checkpoint, struct totals *totals, struct error *error);

/* Replaces the file. */
int checkpoint_save(const struct checkpoint *checkpoint, const struct totals *totals, struct error *error);

/* Removes the file. */
void checkpoint_forget(const char *name);
