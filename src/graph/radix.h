/* radix.h: stable radix sort of whole-number keys on one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * share costs one pass that only reads. spare: room for as many. Returns which of the two holds the sorted keys. */
uint64_t *radix_sort_array(uint64_t *keys, uint64_t *spare, size_t count, unsigned first_bit, unsigned end_bit);
/* The same for the first count of radix->keys, which hold the sorted keys afterwards. */
void radix_sort(struct radix *radix, size_t count, unsigned first_bit, unsigned end_bit);
