/* checkpoint.h: how far a closeness run has come, in files that the next one goes on from.
 *
 * Rank 0 keeps its totals in the file NAME, rank r in NAME.r: which sources they are of (a bit each), and what these
 * sum up to. The next run may have any number of ranks: each file found goes to one of them. */
#ifndef GTRAV_CHECKPOINT_H
#define GTRAV_CHECKPOINT_H

#include "../graph/graph.h"

/* What some of the sources sum up to: at any time exactly those that are marked done. */
struct totals {
    uint64_t *done; /* bit_words(num_sources): a bit for each source */
    uint64_t num_done;
    uint64_t *far;       /* num_vertices: as in struct traversal */
    uint32_t *far_count; /* the same */
    uint32_t batch_sources;
    double time_ms, kernel_ms; /* that it took, in all runs so far */
};

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
    char *own_name;              /* of this rank's file */
    struct checkpoint_head head; /* of files of this run */
    uint32_t *merged; /* num_merged: other files that are in the totals, to go once the own one is written */
    uint32_t num_merged;
};

static inline uint64_t bit_words(uint64_t num_bits)
{
    return (num_bits + 63) / 64;
}
static inline bool has_bit(const uint64_t *bits, uint64_t bit)
{
    return bits[bit / 64] >> (bit % 64) & 1;
}
static inline void set_bit(uint64_t *bits, uint64_t bit)
{
    bits[bit / 64] |= 1ull << (bit % 64);
}

/* checkpoint_close() in every case. */
int checkpoint_open(struct checkpoint *checkpoint, const char *name, const struct graph *graph,
                    const vertex_t *sources, uint64_t num_sources, struct error *error);
void checkpoint_close(struct checkpoint *checkpoint);

/* By all ranks: adds to the totals, zero so far, what earlier runs left for this rank, and marks in all_done the
 * sources that are in any rank's. The times are of all. What no file is there for is left as it is. */
int checkpoint_take_up(struct checkpoint *checkpoint, struct totals *totals, uint64_t *all_done, struct error *error);

/* Replaces this rank's file. */
int checkpoint_save(struct checkpoint *checkpoint, const struct totals *totals, struct error *error);

/* Removes the files of all ranks. */
void checkpoint_forget(const char *name);

#endif
