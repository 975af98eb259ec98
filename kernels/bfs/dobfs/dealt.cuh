/* dealt.cuh: how the ids of one graph are dealt to the parts of a search, and what a GPU knows of the others while one
 * kernel on each of them runs the search together (linked.cuh).
 *
 * Turns of consecutive ids are dealt to the parts in order. A part has arrays by place: the number of an id among the
 * own ids. Bitmaps are of all ids, on every GPU. */
#pragma once

#include "../../device/bitmap.cuh"
#include "../../device/grid_barrier.cuh"
#include "../../device/team_barrier.cuh"

namespace BACKEND::dobfs
{

/* How words of 32 ids are dealt. */
struct deal {
    uint32_t parts, part; /* number of parts, number of this part */
    uint32_t turn_bits;   /* a turn has 1 << turn_bits words */
};

/* Returns the part that owns a word. */
HOST_DEVICE uint32_t owner_of_word(const struct deal &deal, uint32_t word)
{
    return (word >> deal.turn_bits) % deal.parts;
}

/* Returns the word with number `place` among those of a part. */
HOST_DEVICE uint32_t word_at(const struct deal &deal, uint32_t part, uint32_t place)
{
    const uint32_t within = (1u << deal.turn_bits) - 1;
    return ((place >> deal.turn_bits) * deal.parts + part) << deal.turn_bits | (place & within);
}

/* Returns the place of a vertex among those of its owner. */
HOST_DEVICE uint32_t place_of(const struct deal &deal, vertex_t id)
{
    const uint32_t word = id / BITMAP_BITS, within = (1u << deal.turn_bits) - 1;
    const uint32_t place = (word >> deal.turn_bits) / deal.parts << deal.turn_bits | (word & within);
    return place * BITMAP_BITS + id % BITMAP_BITS;
}

/* Returns the vertex with number `place` among those of a part. */
HOST_DEVICE vertex_t vertex_at(const struct deal &deal, uint32_t part, uint32_t place)
{
    return word_at(deal, part, place / BITMAP_BITS) * BITMAP_BITS + place % BITMAP_BITS;
}

/* A vertex that a part has found for its owner. */
typedef uint2 message; /* x: the vertex, y: its parent */

/* What the GPUs of a team know of each other. Arrays have an element for each GPU; pointers are to its memory. */
struct links {
    uint32_t own_words;                   /* words of own ids, the same number on every GPU */
    uint32_t all_ids, outside_giant;      /* number of ids that have edges; of those outside the giant component */
    uint32_t num_ids[MOST_IN_TEAM];       /* ids of the GPU that have edges; they have the first places */
    const vertex_t *places[MOST_IN_TEAM]; /* the place of each own input id, by its place among the own input ids */
    const uint32_t *giant[MOST_IN_TEAM];  /* bitmap of these places: in the giant component; NULL: not measured yet */
    struct team_barrier *barriers[MOST_IN_TEAM];
    uint32_t *bitmaps[2][MOST_IN_TEAM]; /* search.visited and search.next */
    uint32_t *marks[MOST_IN_TEAM];      /* bitmap of all ids; what the GPU has found by top-down levels */
    message *sent[MOST_IN_TEAM];        /* (parts - 1) * own_words * 32; to each other GPU */
    uint32_t *num_sent[MOST_IN_TEAM];   /* NUM_COUNTS * MOST_IN_TEAM: number of messages to each, in rotation */
};

/* The lists of own vertices, by place, of ids that are dealt. Code for all kinds of lists asks is_dealt. */
template <typename offset_t>
struct dealt_csr : csr<offset_t> {
    const struct links *links; /* in device memory */
    struct deal deal;
};
template <typename type>
constexpr bool is_dealt = false;
template <typename offset_t>
constexpr bool is_dealt<dealt_csr<offset_t>> = true;

/* Returns the bitmap's word of own word number `place`. Consecutive words of a chunk stay consecutive. */
template <typename csr_t>
DEVICE uint32_t bitmap_place(const csr_t &lists, uint32_t place)
{
    if constexpr (is_dealt<csr_t>)
        return word_at(lists.deal, lists.deal.part, place);
    else
        return place;
}

/* Returns the number of an input id in the arrays by input id; NO_VERTEX if another part has it. */
template <typename csr_t>
DEVICE vertex_t own_input(const csr_t &lists, vertex_t input)
{
    if constexpr (is_dealt<csr_t>)
        return owner_of_word(lists.deal, input / BITMAP_BITS) == lists.deal.part ? place_of(lists.deal, input)
                                                                                 : NO_VERTEX;
    else
        return input;
}

/* Returns the own element of a pair of arrays that this bitmap is one of: 0 for search.visited, 1 for search.next. */
DEVICE unsigned which_bitmap(const struct links &links, unsigned own, const uint32_t *bitmap)
{
    return bitmap == links.bitmaps[1][own];
}

/* Stores a word of own vertices in a bitmap, on all GPUs. word: its place in the bitmap. */
template <typename csr_t>
DEVICE void publish_word(const csr_t &lists, uint32_t *bitmap, uint32_t word, uint32_t value)
{
    __stcg(&bitmap[word], value);
    if constexpr (is_dealt<csr_t>) {
        const struct links &links = *lists.links;
        const unsigned which = which_bitmap(links, lists.deal.part, bitmap);
        for (uint32_t i = 0; i < lists.deal.parts; i++)
            if (i != lists.deal.part)
                __stcg(&links.bitmaps[which][i][word], value);
    }
}

/* Sets the bit of an own vertex, by place, in a bitmap on all GPUs. Returns whether it was clear. */
template <typename csr_t>
DEVICE bool publish_bit(const csr_t &lists, uint32_t *bitmap, uint32_t place)
{
    const uint32_t word = bitmap_place(lists, place / BITMAP_BITS);
    const bool fresh = !has_bit(atomicOr(&bitmap[word], bit_of(place)), place);
    if constexpr (is_dealt<csr_t>) {
        const struct links &links = *lists.links;
        const unsigned which = which_bitmap(links, lists.deal.part, bitmap);
        for (uint32_t i = 0; fresh && i < lists.deal.parts; i++)
            if (i != lists.deal.part)
                atomicOr_system(&links.bitmaps[which][i][word], bit_of(place));
    }
    return fresh;
}

} // namespace BACKEND::dobfs
