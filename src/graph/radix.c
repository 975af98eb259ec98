#include "radix.h"

#include <stdlib.h>

#define DIGIT_BITS 11u /* 2048 counters stay in the L1 cache */
#define DIGITS     (1u << DIGIT_BITS)

bool radix_reserve(struct radix *radix, size_t count)
{
    if (count <= radix->capacity)
        return true;
    radix_release(radix);
    size_t capacity = count + count / 4; /* some more, so that it grows less often */
    radix->keys = malloc(capacity * sizeof *radix->keys);
    radix->spare = malloc(capacity * sizeof *radix->spare);
    if (radix->keys == NULL || radix->spare == NULL) {
        radix_release(radix);
        return false;
    }
    radix->capacity = capacity;
    return true;
}

void radix_release(struct radix *radix)
{
    free(radix->keys);
    free(radix->spare);
    *radix = (struct radix){0};
}

void radix_sort(struct radix *radix, size_t count, unsigned first_bit, unsigned end_bit)
{
    for (unsigned shift = first_bit; shift < end_bit && count > 1; shift += DIGIT_BITS) {
        uint64_t mask = end_bit - shift < DIGIT_BITS ? (UINT64_C(1) << (end_bit - shift)) - 1 : DIGITS - 1;
        size_t position[DIGITS] = {0}, sum = 0;
        for (size_t i = 0; i < count; i++)
            position[radix->keys[i] >> shift & mask]++;
        if (position[radix->keys[0] >> shift & mask] == count)
            continue;
        for (size_t digit = 0; digit <= mask; digit++) {
            size_t keys = position[digit];
            position[digit] = sum;
            sum += keys;
        }
        for (size_t i = 0; i < count; i++)
            radix->spare[position[radix->keys[i] >> shift & mask]++] = radix->keys[i];
        uint64_t *swap = radix->keys;
        radix->keys = radix->spare;
        radix->spare = swap;
    }
}
