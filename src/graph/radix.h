/* radix.h: stable sorting of whole-number keys, for one thread each. */
#ifndef GTRAV_RADIX_H
#define GTRAV_RADIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One thread's keys, and as much room again. All zero: empty. */
struct radix {
    uint64_t *keys, *spare;
    size_t capacity;
};

/* Room for so many keys; what stood there is lost. False: out of memory. radix_release() in every case. */
bool radix_reserve(struct radix *radix, size_t count);
void radix_release(struct radix *radix);

/* Sorts the first count keys by their bits first_bit .. end_bit - 1; keys alike there keep their order. A digit that
 * all keys share costs one look at each. */
void radix_sort(struct radix *radix, size_t count, unsigned first_bit, unsigned end_bit);

#endif
