/* quality.h: how depth-first a tree is. */
#ifndef GTRAV_QUALITY_H
#define GTRAV_QUALITY_H

#include "../algorithm.h"

struct quality {
    bool known;
    uint32_t tree_depth; /* edges on the longest path from the source */
    double cross_share;  /* of the edges beside the tree, those that join no ancestor to a descendant: 0 to 1 */
};

/* Measures the tree that a result's parents form, or else one that follows its levels. Without parents and levels the
 * quality stays unknown. The result must have been verified: every parent must lead to the source. STATUS_INPUT where
 * memory is short. */
int tree_quality(const struct graph *graph, vertex_t source, const struct traversal *result, struct quality *quality,
                 struct error *error);

#endif
