/* weights.h: what readers, the builder and orders do with the weights of edges. They handle weights as bits: 4 or 8
 * bytes that order as the weights do (enum weight_type). */
#pragma once

#include "graph.h"
#include "radix.h"

static inline uint64_t get_weight_bits(const void *weights, size_t bytes, edge_t e)
{
    uint32_t narrow;
    uint64_t wide;
    if (bytes == sizeof wide) {
        memcpy(&wide, (const char *)weights + e * sizeof wide, sizeof wide);
        return wide;
    }
    memcpy(&narrow, (const char *)weights + e * sizeof narrow, sizeof narrow);
    return narrow;
}

static inline void set_weight_bits(void *weights, size_t bytes, edge_t e, uint64_t bits)
{
    uint32_t narrow = (uint32_t)bits;
    if (bytes == sizeof bits)
        memcpy((char *)weights + e * sizeof bits, &bits, sizeof bits);
    else
        memcpy((char *)weights + e * sizeof narrow, &narrow, sizeof narrow);
}

/* Returns the bits of a weight in a type that can hold it. */
static inline uint64_t weight_as_bits(double weight, enum weight_type type)
{
    float narrow = (float)weight;
    uint64_t bits = type == WEIGHTS_UINT32 ? (uint32_t)weight : 0;
    if (type == WEIGHTS_FLOAT)
        memcpy(&bits, &narrow, sizeof narrow);
    else if (type == WEIGHTS_DOUBLE)
        memcpy(&bits, &weight, sizeof weight);
    return bits;
}

/* Returns whether WEIGHTS_UINT32 can hold a weight. */
static inline bool is_whole_weight(double weight)
{
    return weight <= UINT32_MAX && weight == (uint32_t)weight;
}

/* Reads a weight: a decimal number, perhaps with an exponent (also Fortran's D). Returns NULL, or what is wrong: it is
 * no number, negative, infinite, NaN, a whole number above 2^53, or longer than 127 bytes. */
const char *scan_weight(const char *text, size_t length, double *weight);

/* Returns whether all values of an array are weights: no NaN, not infinite, not negative. */
bool are_weights(const void *weights, enum weight_type type, uint64_t count);

/* Sorts a row by its ids, of id_bits bits, and moves the weights with them. Equal ids keep their order. Returns false
 * if memory is short, or if the row has 2^32 ids or more. */
bool sort_weighted_row(vertex_t *row, void *weights, size_t bytes, edge_t length, struct radix *radix,
                       unsigned id_bits);
