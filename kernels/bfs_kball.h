/* bfs_kball.h: what other algorithms may use of bfs_kball.cu: how balls grow in a graph, and its traversals. */
#ifndef GTRAV_BFS_KBALL_H
#define GTRAV_BFS_KBALL_H

#include "backend/backend.h"

namespace BACKEND
{

#define LARGEST_RADIUS  31u   /* of the balls of an index */
#define SAMPLED_RADIUS  32u   /* of a sample */
#define LARGEST_BALL    1000u /* entries that a ball may have */
#define MOST_LISTED     1024u /* items of a block */
#define MOST_OF_CLUSTER 16u   /* blocks */

/* How many vertices lie within r steps of one, over a sample of the vertices; arrays by r, [0] unused. The vertex
 * itself does not count. A ball of more than `bound` vertices was not counted out: it counts as bound + 1. */
struct ball_growth {
    uint32_t num_samples, bound;
    double mean_entries[SAMPLED_RADIUS + 1];
    double share_over[SAMPLED_RADIUS + 1]; /* of the sample: balls of more than `bound` */
    uint32_t largest[SAMPLED_RADIUS + 1];
};

/* Samples at most so many vertices of a graph on the device; bound: at most LARGEST_BALL. Costs a fraction of a
 * millisecond on large graphs. */
int ball_growth_sample(const struct gpu_graph *graph, uint32_t most_samples, uint32_t bound,
                       struct ball_growth *growth, struct error *error);

/* The first of an algorithm's options, for one that uses the functions below. */
enum kball_option {
    KBALL_K,
    KBALL_INDEX_MB,
    KBALL_MAX_BALL,
    KBALL_LIST_SIZE,
    KBALL_ENTRY_BITS,
    KBALL_OFFSET_BITS,
    NUM_KBALL_OPTIONS
};
#define KBALL_OPTIONS                                                                                                \
    {"k", 0, 0, LARGEST_RADIUS, NULL, "radius of the balls, levels to a round; 0: by a sample of their growth"},     \
        {"index-mb",                                                                                                 \
         -1,                                                                                                         \
         -1,                                                                                                         \
         1 << 20,                                                                                                    \
         NULL,                                                                                                       \
         "device memory for the index in MB; 0: none, one cluster traverses; -1: a quarter of what is free"},        \
        {"max-ball", LARGEST_BALL, 8, LARGEST_BALL, NULL, "vertices of a ball; a larger one gets a smaller radius"}, \
        {"list-size",                                                                                                \
         MOST_LISTED,                                                                                                \
         32,                                                                                                         \
         MOST_LISTED,                                                                                                \
         NULL,                                                                                                       \
         "items that a block lists; more of them cost a sweep over all levels, or, in a cluster, global memory"},    \
        {"entry-bits", 0, 0, 0, "auto|64", "width of an index entry: 32 where the graph allows it, or always 64"},   \
    {                                                                                                                \
        "offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"       \
    }

/* Makes run->state for a graph that is on the device already, whose owner it becomes: *graph is emptied, whatever is
 * returned. The rest are as in struct algorithm; kball_release in any case. */
int kball_prepare(struct run *run, struct gpu_graph *graph);
int kball_traverse(struct run *run, const struct query *query);
int kball_fetch(struct run *run, struct traversal *result);
void kball_release(struct run *run);

} // namespace BACKEND

#endif
