/* compressed_lists.cuh: reads compressed lists (compressed_lists.h). */
#pragma once

#include "../device/list_units.cuh"
#include "compressed_lists.h"

namespace BACKEND
{

#define PLANE ((1u << GROUPS_PER_RECORD) - 1)

DEVICE unsigned length_of(uint32_t table, unsigned code)
{
    return table >> 8 * code & 0xff;
}

/* The codes of value `value` of all groups of a record: bit i of `low` and of `high` are the code of group i. Word
 * `value` has the low plane and the first byte of the high one; its other 16 bits are in the last two words. */
struct planes {
    uint32_t low, high;
};

DEVICE struct planes planes_of(const uint32_t (&codes)[6], unsigned value)
{
    return {codes[value] & PLANE,
            codes[value] >> GROUPS_PER_RECORD | (codes[4 + value / 2] >> 16 * (value % 2) & 0xffff) << 8};
}

DEVICE unsigned code_at(const uint32_t (&codes)[6], unsigned group, unsigned value)
{
    const struct planes planes = planes_of(codes, value);
    return (planes.low >> group & 1) | (planes.high >> group & 1) << 1;
}

/* Returns the length of a value of a group. */
DEVICE unsigned length_at(const uint32_t (&codes)[6], unsigned group, unsigned value, const struct code_lengths &tables)
{
    return length_of(value == 0 ? tables.first : tables.gap, code_at(codes, group, value));
}

/* Returns the bits of values by a table: of so many values, `low` codes have the low bit, and so on. */
DEVICE unsigned bits_of_codes(uint32_t table, unsigned number, unsigned low, unsigned high, unsigned both)
{
    const unsigned none = length_of(table, 0), of_low = length_of(table, 1) - none,
                   of_high = length_of(table, 2) - none;
    return number * none + low * of_low + high * of_high + both * (length_of(table, 3) - none - of_low - of_high);
}

/* Returns the bits of the record's first `number` groups. */
DEVICE unsigned bits_before(const uint32_t (&codes)[6], unsigned number, const struct code_lengths &tables)
{
    const uint32_t before = (1u << number) - 1;
    unsigned low[2] = {}, high[2] = {}, both[2] = {}; /* of first values, of gaps */
#pragma unroll
    for (unsigned i = 0; i < GROUP_TARGETS; i++) {
        const struct planes planes = planes_of(codes, i);
        low[i > 0] += (unsigned)__popc(planes.low & before);
        high[i > 0] += (unsigned)__popc(planes.high & before);
        both[i > 0] += (unsigned)__popc(planes.low & planes.high & before);
    }
    return bits_of_codes(tables.first, number, low[0], high[0], both[0]) +
           bits_of_codes(tables.gap, number * (GROUP_TARGETS - 1), low[1], high[1], both[1]);
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
    uint32_t codes[6];
#pragma unroll
    for (unsigned i = 0; i < 6; i++)
        codes[i] = load_if(has, &record->codes[i]);
    const struct list_piece *piece = &targets.pieces[has ? place >> PLACE_BITS : 0];
    const uint64_t *values = (const uint64_t *)load_if(has, &piece->values);
    const uint64_t tables = load_if(has, &piece->lengths) & (has ? ~0ull : 0);
    const struct code_lengths table = {(uint32_t)tables, (uint32_t)(tables >> 32)};
    const uint64_t bit = (place & ((1ull << PLACE_BITS) - 1)) + bits_before(codes, number, table);
    const unsigned shift = bit % 64;
    unsigned length[GROUP_TARGETS], all = 0;
#pragma unroll
    for (unsigned i = 0; i < GROUP_TARGETS; i++) {
        length[i] = length_at(codes, number, i, table);
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
