/* paths.cuh: how paths are stored as bit strings, and how two of them are compared.
 *
 * Paths take most of the memory. Each begins at a word of the pool, with its first bit as the word's highest bit. A
 * position among d children takes ceil(log2 d) bits, the minimum. The position of an only child takes no bits, so
 * chains cost nothing. Two paths to the same vertex agree up to the vertex where they part. There both append the
 * same number of bits, but different ones. So their words compare as unsigned numbers, neither path is a prefix of
 * the other, and the bits after that place do not matter. A path is stored once and never changes. On a graph without
 * a cycle, a vertex without children stores no path, and an only child shares the path of its parent. */
#pragma once

#include "state.cuh"

namespace BACKEND::nvg
{

#define WORD_BITS  32u
#define HEAD_WORDS 2u  /* words of two paths that one lane compares; its warp compares the rest */
#define LONG_HEAD  32u /* words that one lane compares of an offer and the target's path */
#define UNROLL     4u  /* words that a lane loads together when a warp compares */

/* A path with one position appended. */
struct offer {
    struct path path;
    uint32_t position;
};

/* Returns the number of bits of a position among `degree` children. */
static __host__ __device__ __forceinline__ uint32_t width_of(uint64_t degree)
{
    uint32_t width = 0;
    while (degree > (uint64_t)1 << width)
        width++;
    return width;
}

DEVICE struct path path_of(const struct search &search, vertex_t vertex)
{
    const struct path *path = &search.paths[vertex];
    return {__ldcg(&path->start), __ldcg(&path->bits), __ldcg(&path->width)};
}

/* Returns the path of a vertex as an offer without an appended position. */
DEVICE struct offer own_path(const struct search &search, vertex_t vertex)
{
    struct path path = path_of(search, vertex);
    path.width = 0;
    return {path, 0};
}

DEVICE uint64_t words_of(const struct offer &offer)
{
    return ((uint64_t)offer.path.bits + offer.path.width + WORD_BITS - 1) / WORD_BITS;
}

/* Returns word `index` of the string; zero bits follow its end. The bits of the last position may span two words. */
DEVICE uint32_t word_of(const struct search &search, const struct offer &offer, uint64_t index)
{
    uint64_t begin = index * WORD_BITS, path_end = offer.path.bits, end = path_end + offer.path.width;
    uint32_t word = begin < path_end ? __ldcg(&search.pool[offer.path.start + index]) : 0;
    if (begin < end && end <= begin + WORD_BITS)
        word |= offer.position << (begin + WORD_BITS - end);
    else if (path_end < begin + WORD_BITS && end > begin + WORD_BITS)
        word |= offer.position >> (end - begin - WORD_BITS);
    return word;
}

/* Compares the first `words` words of two strings. Returns -1 if the first string is smaller, 1 if it is larger, 0 if
 * these words are equal. */
DEVICE int compare_heads(const struct search &search, const struct offer &a, const struct offer &b, uint64_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        uint32_t x = word_of(search, a, i), y = word_of(search, b, i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* Compares the remaining words in the same way. The whole warp calls it; all lanes pass the same arguments. */
DEVICE int compare_tails(const struct search &search, const struct offer &a, const struct offer &b)
{
    uint64_t words = min(words_of(a), words_of(b));
    for (uint64_t first = HEAD_WORDS; first < words; first += UNROLL * WARP_SIZE) {
        uint32_t x[UNROLL], y[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            x[i] = word_of(search, a, first + i * WARP_SIZE + lane_id());
            y[i] = word_of(search, b, first + i * WARP_SIZE + lane_id());
        }
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            unsigned differing = __ballot_sync(WHOLE_WARP, x[i] != y[i]);
            if (differing != 0)
                return __shfl_sync(WHOLE_WARP, x[i] < y[i] ? -1 : 1, __ffs((int)differing) - 1);
        }
    }
    return 0;
}

} // namespace BACKEND::nvg
