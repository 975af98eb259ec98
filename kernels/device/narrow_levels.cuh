/* narrow_levels.cuh: levels of 1, 2 or 4 bytes, and copies of them in wider types.
 *
 * In every width the largest value means unreached, as UNREACHED does in 32 bits. So setting all bytes of an array to
 * 0xff marks every vertex unreached in any width, and the highest level is one below the largest value. */
#pragma once

#include "ids.cuh"

namespace BACKEND
{

/* The value of an unreached vertex. */
template <typename level_t>
constexpr level_t NO_LEVEL = (level_t)UNREACHED;

/* Returns the highest level that fits in this many bytes (1, 2 or 4). */
HOST_DEVICE uint32_t highest_level(uint32_t bytes)
{
    return (bytes == 1 ? NO_LEVEL<uint8_t> : bytes == 2 ? NO_LEVEL<uint16_t> : NO_LEVEL<uint32_t>)-1;
}

/* Returns the smallest number of bytes (1, 2 or 4) that holds a level. */
HOST_DEVICE uint32_t bytes_for_level(uint64_t level)
{
    return level <= highest_level(1) ? 1 : level <= highest_level(2) ? 2 : 4;
}

/* Returns a level in a wider type. */
template <typename to_t, typename from_t>
HOST_DEVICE to_t widened(from_t level)
{
    return level == NO_LEVEL<from_t> ? NO_LEVEL<to_t> : (to_t)level;
}

/* Calls use with a pointer to levels of 1, 2 or 4 bytes, in the type of that size. Returns the result of use. */
static auto with_levels(const void *levels, uint32_t bytes, auto use)
{
    return bytes == 1   ? use((const uint8_t *)levels)
           : bytes == 2 ? use((const uint16_t *)levels)
                        : use((const uint32_t *)levels);
}

/* Sets to[i] to level place(i) of `from`, for i < number. to_t is at least as wide as from_t. */
template <typename from_t, typename to_t, typename place_t>
__global__ void copy_levels(const from_t *from, uint64_t number, place_t place, to_t *to)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        to[i] = widened<to_t>(from[place(i)]);
}

/* Places first, first + stride, first + 2 * stride, ... */
struct strided {
    uint64_t first, stride;
    __device__ __forceinline__ uint64_t operator()(uint64_t i) const
    {
        return first + i * stride;
    }
};

} // namespace BACKEND
