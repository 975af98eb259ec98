/* totals.h: what closeness has summed up over some of the sources, and how that goes from one place to another. */
#ifndef GTRAV_TOTALS_H
#define GTRAV_TOTALS_H

#include <stdbool.h>

#include "../graph/graph.h"

/* What some of the sources sum up to: at any time exactly those that are marked done. */
struct totals {
    uint64_t num_sources;
    vertex_t num_vertices;
    uint64_t *done; /* bit_words(num_sources): a bit for each source */
    uint64_t num_done;
    uint64_t *far;       /* num_vertices: as in struct traversal */
    uint32_t *far_count; /* the same */
    uint32_t batch_sources;
    double time_ms, kernel_ms; /* that it took, in all runs so far */
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

/* Totals in one block of memory, which can be sent as it is. */
struct parcel {
    struct totals totals; /* its arrays are in the block */
    void *block;          /* bytes; the rest of the totals and held_ms come first */
    size_t bytes;
    double held_ms; /* for how long the workers that they are of were held up */
};

/* As the totals are large; parcel_close() in every case. */
int parcel_open(struct parcel *parcel, const struct totals *like, struct error *error);
void parcel_close(struct parcel *parcel);

/* The parcel becomes a copy of the totals. */
void parcel_fill(struct parcel *parcel, const struct totals *totals, double held_ms);

/* The totals and held_ms become what the block holds, which another process has filled. */
void parcel_read(struct parcel *parcel);

/* Adds totals of other sources; the time of the longer one counts. */
void totals_add(struct totals *totals, const struct totals *others);

/* Takes all sources out. The times stay. */
void totals_clear(struct totals *totals);

#endif
