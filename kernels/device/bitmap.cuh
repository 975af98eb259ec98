/* bitmap.cuh: bitmaps. Element i is bit i % 32 of word i / 32.
 *
 * Claims. Several threads may set the same bit by an atomic or (atomicOr, or_if). Only the thread whose atomic comes
 * first gets back a word with a clear bit: it has claimed the element. A thread may read the word first to avoid the
 * atomic; if that read is outdated, the atomic still decides.
 *
 * The functions take words that the caller has read, so that the caller can overlap several reads or atomics. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

#define BITMAP_BITS 32u /* bits of a word */

HOST_DEVICE uint32_t bitmap_words(uint32_t elements)
{
    return elements / BITMAP_BITS + (elements % BITMAP_BITS > 0);
}

template <typename word_t>
DEVICE word_t *bitmap_word(word_t *bitmap, uint32_t element)
{
    return &bitmap[element / BITMAP_BITS];
}

HOST_DEVICE uint32_t bit_of(uint32_t element)
{
    return 1u << element % BITMAP_BITS;
}

HOST_DEVICE bool has_bit(uint32_t word, uint32_t element)
{
    return word >> element % BITMAP_BITS & 1;
}

/* Sets an element's bit, without returning the old word. */
DEVICE void set_bit(uint32_t *bitmap, uint32_t element)
{
    or_into(bitmap_word(bitmap, element), bit_of(element));
}

/* Sets an element's bit if the condition holds. Returns the old word, or all ones if the condition does not hold. */
DEVICE uint32_t set_bit_if(bool condition, uint32_t *bitmap, uint32_t element)
{
    return or_if(condition, bitmap_word(bitmap, element), bit_of(element));
}

} // namespace BACKEND
