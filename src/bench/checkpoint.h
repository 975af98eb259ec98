/* checkpoint.h: how far a closeness run has come, in a file that the next one goes on from: which sources are done (a
 * bit each), and what they sum up to. Rank 0 alone reads and writes it.
 *
 * Older builds kept a file for each rank (NAME.1, NAME.2, ...). They are still taken up. */
#ifndef GTRAV_CHECKPOINT_H
#define GTRAV_CHECKPOINT_H

#include "totals.h"

/* A file begins with this; the bits, far and far_count follow. Little-endian, as .gtrav files. */
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
    uint32_t
        *merged; /* num_merged: numbers of other files that are in the totals, to go once the own one is written */
    uint32_t num_merged;
};

/* checkpoint_close() in every case. */
void checkpoint_open(struct checkpoint *checkpoint, const char *name, const struct graph *graph,
                     const vertex_t *sources, uint64_t num_sources);
void checkpoint_close(struct checkpoint *checkpoint);

/* Adds what earlier runs left to the totals, which are empty so far. If there is no file, they stay so. */
int checkpoint_take_up(struct checkpoint *checkpoint, struct totals *totals, struct error *error);

/* Replaces the file. */
int checkpoint_save(struct checkpoint *checkpoint, const struct totals *totals, struct error *error);

/* Removes the file, and those that the ranks of an older build left. */
void checkpoint_forget(const char *name);

#endif
