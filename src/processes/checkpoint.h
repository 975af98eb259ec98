/* checkpoint.h: the partial sums of closeness, and the checkpoint file from which the next run continues. The file
 * holds a bit for each source that is done, and the sums over these sources. Rank 0 alone reads and writes it. */
#pragma once

#include "../graph/graph.h"

/* ---- totals ---- */

/* The sums over exactly the sources that are marked done. All lies in one block of memory, to be sent and written. */
struct totals {
    uint64_t num_sources;
    vertex_t num_vertices;
    size_t bytes; /* size of the block, which consists of: */
    struct totals_head {
        uint64_t num_done;
        double time_ms, kernel_ms; /* time taken by all runs so far */
        double held_ms;            /* in a totals message: how long it delayed the workers of its rank */
        uint64_t batch_sources;
    } * head;
    uint64_t *done;          /* bit_words(num_sources): a bit for each source */
    uint64_t *farness;       /* num_vertices: as in struct traversal */
    uint32_t *farness_count; /* num_vertices: as in struct traversal */
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

/* Makes empty totals. totals_close() frees them, in every case. */
int totals_open(struct totals *totals, uint64_t num_sources, vertex_t num_vertices, struct error *error);
void totals_close(struct totals *totals);

/* Copies totals of the same size. */
void totals_copy(struct totals *copy, const struct totals *totals);

/* Adds totals of other sources. The times become the longer ones. */
void totals_add(struct totals *totals, const struct totals *others);

/* Removes all sources. Keeps the times. */
void totals_clear(struct totals *totals);

/* ---- the file ---- */

/* The beginning of a file; the block of the totals follows. Little-endian, as in .gtrav files. */
struct checkpoint_head {
    char magic[8];
    uint64_t version, num_vertices, num_edges, graph_hash, num_sources, sources_hash;
    uint64_t totals_hash;
};

struct checkpoint {
    const char *name;
    struct checkpoint_head head; /* head of the files of this run */
};

/* Describes the file of a run. name must outlive *checkpoint, which needs no closing. hash: graph_hash(graph). */
void checkpoint_open(struct checkpoint *checkpoint, const char *name, const struct graph *graph, uint64_t hash,
                     const vertex_t *sources, uint64_t num_sources);

/* Reads the sums of earlier runs into the totals, which must be empty and stay so if there is no file. STATUS_INPUT
 * if the file is damaged or belongs to another graph or other sources. */
int checkpoint_take_up(const struct checkpoint *checkpoint, struct totals *totals, struct error *error);

/* Replaces the file. */
int checkpoint_save(const struct checkpoint *checkpoint, const struct totals *totals, struct error *error);
