/* quality.h: measures how depth-first a tree is. */
#pragma once

#include "../algorithm.h"

struct quality {
    bool known;
    uint32_t tree_depth; /* edges on the longest path from the source */
    double cross_share;  /* share of non-tree edges that do not join an ancestor to a descendant: 0 to 1 */
};

/* Measures the tree of a result's parents, or else a tree derived from its levels. Without either the quality stays
 * unknown. The result must have been verified: every parent must lead to the source. STATUS_INPUT if memory is
 * short. */
int tree_quality(const struct graph *graph, vertex_t source, const struct traversal *result, struct quality *quality,
                 struct error *error);
