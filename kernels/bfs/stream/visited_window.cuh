/* visited_window.cuh: how bottom-up levels look up visited vertices: in the current bitmap in device memory,
 * and in the window, a copy of its first words in shared memory. Hubs have the lowest ids, so most look-ups hit
 * the window. */
#pragma once

#include "state.cuh"

namespace BACKEND::stream
{

#define WINDOW_FROM 16u /* the window pays off while more than a 16th of the vertices are unvisited */

/* The vertices visited before the level. */
struct view {
    const uint32_t *bitmap;
    uint32_t window_words; /* words copied to the window; a word of zeros follows them there */
};

/* The address is derived here so that the compiler knows that it is in shared memory. */
static __device__ __forceinline__ uint32_t *window_of_block(void)
{
    return (uint32_t *)(block_shared<struct shared>() + 1);
}

/* Whether one of the packed neighbours is visited. Neighbours beyond the window are looked up in device memory,
 * but only if none inside the window is visited. */
template <typename format, bool windowed>
static __device__ __forceinline__ bool any_visited(const struct view &view, uint4 packed)
{
    vertex_t ids[format::number];
    uint32_t words[format::number], bits = 0;
    const uint32_t *window = window_of_block();
    format::unpack(packed, ids);
    if (windowed) {
        bool beyond = false;
#pragma unroll
        for (unsigned i = 0; i < format::number; i++) { /* ids beyond the window read the word of zeros behind it */
            bits |= window[min(ids[i] / WARP_SIZE, view.window_words)] >> ids[i] % WARP_SIZE;
            beyond |= ids[i] >= view.window_words * WARP_SIZE && ids[i] != format::none;
        }
        if ((bits & 1) || !beyond)
            return bits & 1;
    }
    uint32_t from = windowed ? view.window_words * WARP_SIZE : 0;
#pragma unroll
    for (unsigned i = 0; i < format::number; i++)
        words[i] = look_if(ids[i] >= from && ids[i] != format::none, bitmap_word(view.bitmap, ids[i]));
#pragma unroll
    for (unsigned i = 0; i < format::number; i++)
        bits |= ids[i] >= from && ids[i] != format::none ? words[i] >> ids[i] % WARP_SIZE : 0;
    return bits & 1;
}

/* The word that holds the bit of a vertex; meaningless for NO_VERTEX. */
template <bool windowed>
static __device__ __forceinline__ uint32_t word_of(const struct view &view, vertex_t id)
{
    bool near = windowed && id < view.window_words * WARP_SIZE;
    uint32_t near_word = near ? *bitmap_word(window_of_block(), id) : 0;
    uint32_t far_word = look_if(!near && id != NO_VERTEX, bitmap_word(view.bitmap, id));
    return near ? near_word : far_word;
}

/* Whether the level uses the window. */
static __device__ __forceinline__ bool has_window(const struct rules &rules, const struct progress &at,
                                                  vertex_t num_ids)
{
    return rules.window_words > 0 && (at.frontier == FRONTIER_MARKED || at.unvisited > num_ids / WINDOW_FROM);
}

} // namespace BACKEND::stream
