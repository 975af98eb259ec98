/* common.cuh: constants and helpers that the parts of bfs kball share. */
#ifndef GTRAV_BFS_KBALL_COMMON_CUH
#define GTRAV_BFS_KBALL_COMMON_CUH

#include "../../backend/backend.h"

namespace BACKEND::kball
{

#define THREADS       1024u /* of a block that traverses */
#define MAX_LIST_SIZE 1024u /* items in a list of a block */

/* Moves code that seldom runs out of the hot path. */
#define RARELY(condition) __builtin_expect((condition), false)

static __device__ __forceinline__ uint64_t thread_of_grid(void)
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint64_t threads_of_grid(void)
{
    return (uint64_t)gridDim.x * blockDim.x;
}

} // namespace BACKEND::kball

#endif
