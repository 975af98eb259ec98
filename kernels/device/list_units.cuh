/* list_units.cuh: how kernels read neighbour lists: in units, which are single targets in a CSR, and groups of targets
 * in compressed lists (graph/compressed_lists.cuh). Offsets and edge queues count units. */
#pragma once

#include <utility>

#include "../backend/backend.h"

namespace BACKEND
{

/* The type of a target, and how many targets a unit has. */
template <typename targets_t>
struct units_of {
    typedef decltype(load_if(true, std::declval<targets_t>())) target_t;
    static constexpr unsigned targets = 1;
};

/* Loads the targets of a unit, if has is true. there[i]: set to whether there is target i; otherwise it is NO_VERTEX.
 * targets: a pointer, or what has a + and a load_if() like one. */
DEVICE void load_unit(auto targets, auto index, bool has, auto *to, bool *there)
{
    *to = load_if(has, targets + index);
    *there = has;
}

} // namespace BACKEND
