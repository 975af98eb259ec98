/* radix.h: sorting on one thread: rows of a few ids by insertion, and whole-number keys by a stable radix sort. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHORT_ROW 32u /* longest row that is sorted by insertion */

/* sort_short_row() and sort_short_keys() sort a few numbers. */
#define SORT_SHORT(name, type)                                                                                         \
    static inline void name(type *row, uint64_t length)                                                                \
    {                                                                                                                  \
        for (uint64_t i = 1; i < length; i++) {                                                                        \
            type target = row[i];                                                                                      \
            uint64_t place = i;                                                                                        \
            for (; place > 0 && row[place - 1] > target; place--)                                                      \
                row[place] = row[place - 1];                                                                           \
            row[place] = target;                                                                                       \
        }                                                                                                              \
    }
SORT_SHORT(sort_short_row, uint32_t)
SORT_SHORT(sort_short_keys, uint64_t)

/* Returns the binary digits of the largest number below count; 0 if count is 0 or 1. */
static inline unsigned bits_below(uint64_t count)
{
    return count > 1 ? 64u - (unsigned)__builtin_clzll(count - 1) : 0;
}

/* One thread's keys, and a buffer of the same size. All zero: empty. */
struct radix {
    uint64_t *keys, *spare;
    size_t capacity;
};

/* Makes room for count keys; their values are undefined. Returns false if memory is short. The caller calls
 * radix_release(), even after a failure. */
bool radix_reserve(struct radix *radix, size_t count);
void radix_release(struct radix *radix);

/* Sorts keys by their bits first_bit .. end_bit - 1; keys with equal bits keep their order. A digit that all keys
 * share costs one pass that only reads. spare: room for count keys. Returns the one with the result. */
uint64_t *radix_sort_array(uint64_t *keys, uint64_t *spare, size_t count, unsigned first_bit, unsigned end_bit);
/* Sorts the first count keys of radix->keys in the same way. The result is in radix->keys. */
void radix_sort(struct radix *radix, size_t count, unsigned first_bit, unsigned end_bit);
