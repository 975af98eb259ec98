/* options.cuh: the options of `bfs dobfs`, and their limits. */
#pragma once

#include "../../graph/degree_order.h"
#include "state.cuh"

namespace BACKEND::dobfs
{

#define HIGH_DEGREE_STEPS       8
#define MOST_STEPS              (1 << 20)
#define MARK_ABOVE              200000
#define SINGLE_BLOCK_EDGES      2048
#define MOST_SINGLE_BLOCK_EDGES 4096
#define MOST_WINDOW             (1u << 22) /* vertices; more than the bits of any GPU's shared memory */

enum {
    PREPARE,
    RELABEL,
    DIRECTION,
    MARK_ABOVE_OPTION,
    SINGLE_BLOCK_OPTION,
    STEPS_OPTION,
    WINDOW_OPTION,
    LEVELS_OPTION,
    OFFSET_BITS,
    ID_BITS
};
static const struct option_spec dobfs_options[] = {
    {"prepare", 1, 0, 1, NULL, "0: neither relabel vertices nor pack neighbours, which suits a single source"},
    {"relabel", RELABEL_AUTO, 0, 0, "auto|0|1",
     "number vertices by degree class, high degrees first; auto: if degrees are heavy-tailed"},
    {"direction", DIRECTION_AUTO, 0, 0, "auto|top-down|bottom-up|alternating",
     "direction of the levels; auto: the cheaper one"},
    {"mark-above", MARK_ABOVE, 0, 1 << 30, NULL,
     "a top-down level with more edges (and more than 1/32 of the vertices; 0: any) only marks; bottom-up follows"},
    {"single-block-edges", SINGLE_BLOCK_EDGES, 0, MOST_SINGLE_BLOCK_EDGES, NULL,
     "the most edges of a level that a single block runs; 0: none"},
    {"high-degree-steps", HIGH_DEGREE_STEPS, 1, MOST_STEPS, NULL,
     "steps of 128 neighbours that a warp takes alone in a bottom-up level; all warps share the rest of high-degree "
     "vertices"},
    {"window", MOST_WINDOW, 0, MOST_WINDOW, NULL,
     "vertices whose visited bits bottom-up levels keep in shared memory, at most as many as fit"},
    {"byte-levels", MATERIALISED, 1, MATERIALISED, NULL,
     "number of levels kept in bytes before they are written to the result"},
    OFFSET_BITS_OPTION,
    {"id-bits", 0, 0, 0, "auto|32", "width of packed neighbours: 25 if the graph allows it, or always 32"},
    {},
};

} // namespace BACKEND::dobfs
