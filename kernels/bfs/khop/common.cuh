/* common.cuh: constants and helpers shared by the parts of bfs khop. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/ids.cuh"

namespace BACKEND::khop
{

#define THREADS         1024u /* of a block that traverses */
#define MAX_LIST_SIZE   1024u /* items in a list of a block */
#define LEAST_LIST_SIZE 32u

/* For a condition that is seldom true: the compiler moves its code out of the hot path. */
#define RARELY(condition) __builtin_expect((condition), false)

} // namespace BACKEND::khop
