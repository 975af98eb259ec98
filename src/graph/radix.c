#include "radix.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11u /* 2048 counters stay in the L1 cache */

bool radix_reserve(struct radix *radix, size_t count)
{
    if (count <= radix->capacity)
        return true;
    radix_release(radix);
    size_t capacity = count + count / 4; /* a reserve, so that the arrays grow less often */
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

uint64_t *radix_sort_array(uint64_t *keys, uint64_t *spare, size_t count, unsigned first_bit, unsigned end_bit)
{
    unsigned num_digits = (end_bit - first_bit + DIGIT_BITS - 1) / DIGIT_BITS;
    unsigned bits = num_digits > 0 ? (end_bit - first_bit + num_digits - 1) / num_digits : 0; /* bits of a digit */
    size_t position[1u << DIGIT_BITS];
    for (unsigned shift = first_bit; shift < end_bit && count > 1; shift += bits) {
        uint64_t mask = ((uint64_t)1 << (end_bit - shift < bits ? end_bit - shift : bits)) - 1;
        size_t sum = 0;
        memset(position, 0, (mask + 1) * sizeof *position);
        for (size_t i = 0; i < count; i++)
            position[keys[i] >> shift & mask]++;
        if (position[keys[0] >> shift & mask] == count)
            continue;
        for (size_t digit = 0; digit <= mask; digit++) {
            size_t of_digit = position[digit];
            position[digit] = sum;
            sum += of_digit;
        }
        for (size_t i = 0; i < count; i++)
            spare[position[keys[i] >> shift & mask]++] = keys[i];
        uint64_t *swap = keys;
        keys = spare;
        spare = swap;
    }
    return keys;
}

void radix_sort(struct radix *radix, size_t count, unsigned first_bit, unsigned end_bit)
{
    if (radix_sort_array(radix->keys, radix->spare, count, first_bit, end_bit) == radix->keys)
        return;
    uint64_t *swap = radix->keys;
    radix->keys = radix->spare;
    radix->spare = swap;
}
