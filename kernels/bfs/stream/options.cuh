/* options.cuh: the options of `bfs stream`, and their limits. */
#pragma once

#include "state.cuh"

namespace BACKEND::stream
{

#define LONG_STEPS              8
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
enum { RELABEL_AUTO, RELABEL_NO, RELABEL_YES };
static const struct option_spec stream_options[] = {
    {"prepare", 1, 0, 1, NULL,
     "0: neither relabelling nor streams, for a single source; levels as well as that goes"},
    {"relabel", RELABEL_AUTO, 0, 0, "auto|0|1",
     "rows by degree class, hubs first; auto: if degrees are heavy-tailed"},
    {"direction", DIRECTION_AUTO, 0, 0, "auto|top-down|bottom-up|alternating",
     "of the levels; auto: the cheaper one"},
    {"mark-above", MARK_ABOVE, 0, 1 << 30, NULL,
     "a top-down level of more edges (0: any; else, and than a 32nd of the vertices) only marks, bottom-up follows"},
    {"alone-edges", SINGLE_BLOCK_EDGES, 0, MOST_SINGLE_BLOCK_EDGES, NULL,
     "edges of a level that one block runs alone, at most; 0: none"},
    {"long-steps", LONG_STEPS, 1, MOST_STEPS, NULL,
     "times 128 neighbours that a warp looks at by itself in a bottom-up level, of rows of many; all share the rest"},
    {"window", MOST_WINDOW, 0, MOST_WINDOW, NULL,
     "rows whose bits bottom-up levels keep in shared memory, as far as they fit"},
    {"byte-levels", MATERIALISED, 1, MATERIALISED, NULL, "levels that are told apart before they are given out"},
    {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},
    {"id-bits", 0, 0, 0, "auto|32", "width of packed neighbours: 25 where the graph allows it, or always 32"},
    {},
};

} // namespace BACKEND::stream
