/* compressed_lists.cuh: reads compressed lists (compressed_lists.h). */
#pragma once

#include "../device/list_units.cuh"
#include "compressed_lists.h"

namespace BACKEND
{

#define FIRST_CODES 0x0101010101010101u /* the low bits of the codes of first values, in eight bytes of lengths */
#define LOW_CODES   0x5555555555555555u /* the low bits of all codes */

DEVICE unsigned length_of(uint32_t table, unsigned code)
{
    return table >> 8 * code & 0xff;
}

/* The weights of a table's bits: code 0 takes `none` bits, and a code's bits add to that. */
struct code_weights {
    unsigned none, low, high, both;
};

DEVICE struct code_weights weights_of(uint32_t table)
{
    unsigned none = length_of(table, 0), low = length_of(table, 1) - none, high = length_of(table, 2) - none;
    return {none, low, high, length_of(table, 3) - none - low - high};
}

/* Returns the bits of the codes whose low bits are in `mask`. The codes without a bit are not counted. */
DEVICE unsigned bits_of_codes(uint64_t codes, uint64_t mask, const struct code_weights &weights)
{
    uint64_t low = codes & mask, high = codes >> 1 & mask;
    return weights.low * (unsigned)__popcll(low) + weights.high * (unsigned)__popcll(high) +
           weights.both * (unsigned)__popcll(low & high);
}

/* Returns the bits of the record's first `number` groups. */
DEVICE unsigned bits_before(const uint64_t (&lengths)[3], unsigned number, const struct code_lengths &tables)
{
    const struct code_weights first = weights_of(tables.first), gap = weights_of(tables.gap);
    unsigned sum = number * (first.none + (GROUP_TARGETS - 1) * gap.none);
#pragma unroll
    for (unsigned i = 0; i < 3; i++) {
        unsigned bytes = number > 8 * i ? min(number - 8 * i, 8u) : 0;
        uint64_t some = bytes == 0 ? 0 : lengths[i] & ~0ull >> (64 - 8 * bytes);
        sum += bits_of_codes(some, FIRST_CODES, first) + bits_of_codes(some, LOW_CODES ^ FIRST_CODES, gap);
    }
    return sum;
}

/* Returns the length of value i of a group. codes: the group's byte of lengths. */
DEVICE unsigned length_of_value(unsigned codes, unsigned i, const struct code_lengths &tables)
{
    return length_of(i == 0 ? tables.first : tables.gap, codes >> 2 * i & 3);
}

template <>
struct units_of<struct compressed_targets> {
    typedef vertex_t target_t;
    static constexpr unsigned targets = GROUP_TARGETS;
};

DEVICE void load_unit(const struct compressed_targets &targets, uint64_t index, bool has, vertex_t *to, bool *there)
{
    const struct list_record *record = &targets.records[index / GROUPS_PER_RECORD];
    const unsigned number = (unsigned)(index % GROUPS_PER_RECORD);
    const uint64_t place = load_if(has, &record->place);
    uint64_t lengths[3];
#pragma unroll
    for (unsigned i = 0; i < 3; i++)
        lengths[i] = load_if(has, &record->lengths[i]);
    const struct list_piece *piece = &targets.pieces[has ? place >> PLACE_BITS : 0];
    const uint64_t *values = (const uint64_t *)load_if(has, &piece->values);
    const uint64_t tables = load_if(has, &piece->lengths) & (has ? ~0ull : 0);
    const struct code_lengths table = {(uint32_t)tables, (uint32_t)(tables >> 32)};
    const unsigned codes = (unsigned)((number < 8    ? lengths[0]
                                       : number < 16 ? lengths[1]
                                                     : lengths[2]) >>
                                      number % 8 * 8) &
                           0xff;
    const uint64_t bit = (place & ((1ull << PLACE_BITS) - 1)) + bits_before(lengths, number, table);
    const unsigned shift = bit % 64;
    unsigned length[GROUP_TARGETS], all = 0;
#pragma unroll
    for (unsigned i = 0; i < GROUP_TARGETS; i++) {
        length[i] = length_of_value(codes, i, table);
        all += length[i];
    }
    const uint64_t *from = &values[bit / 64];
    uint64_t words[3];
#pragma unroll
    for (unsigned i = 0; i < 3; i++)
        words[i] = load_if(has && shift + all > 64 * i, &from[i]);
    uint64_t low = words[0] >> shift | words[1] << 1 << (63 - shift);
    uint64_t high = words[1] >> shift | words[2] << 1 << (63 - shift);
    vertex_t last = NO_VERTEX; /* plus the first neighbour plus 1: the first neighbour */
#pragma unroll
    for (unsigned i = 0; i < GROUP_TARGETS; i++) {
        uint32_t value = (uint32_t)(low & ((1ull << length[i]) - 1));
        last += value;
        there[i] = value != 0;
        to[i] = there[i] ? last : NO_VERTEX;
        low = low >> length[i] | high << 1 << (63 - length[i]);
        high >>= length[i];
    }
}

} // namespace BACKEND
