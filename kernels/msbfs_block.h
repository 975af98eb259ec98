/* msbfs_block.h: `msbfs block`, a block to a search, for who has a graph on the device already. */
#ifndef GTRAV_MSBFS_BLOCK_H
#define GTRAV_MSBFS_BLOCK_H

#include "backend/backend.h"

namespace BACKEND
{

/* The first of an algorithm's options, for one that uses the functions below. */
enum msbfs_block_option {
    BLOCK_BATCH,
    BLOCK_THREADS,
    BLOCK_QUEUE,
    BLOCK_BITMAP,
    BLOCK_ROWS,
    BLOCK_LEVEL_BITS,
    BLOCK_OFFSET_BITS,
    BLOCK_CHAINS,
    NUM_BLOCK_OPTIONS
};
#define MSBFS_BLOCK_OPTIONS                                                                                            \
    {"batch", 0, 0, 4096, NULL, "sources of a batch; 0: a multiple of the multiprocessors near 256"},                  \
        {"block-size", 1024, 32, 1024, NULL, "threads on a multiprocessor, in one block or shared by several"},        \
        {"queue", 4096, 32, 16384, NULL, "vertices of a level that a block queues in shared memory; more are slower"}, \
        {"bitmap", 0, 0, 0, "auto|shared|global", "where the reached vertices are marked; auto: shared if they fit"},  \
        {"rows", 0, 0, 0, "auto|4|16", "words of a vertex's record; auto: by the mean degree"},                        \
        {"level-bits", 0, 0, 0, "auto|8|16|32", "width that levels start with; more where that is too little"},        \
        {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},      \
    {                                                                                                                  \
        "chains", 0, 0, 0, "auto|0|1",                                                                                 \
            "whether chains of degree 2 become arcs; auto: where most vertices are on them"                            \
    }

/* Makes run->state for a graph that is on the device already, whose owner it becomes: *graph is emptied, whatever is
 * returned; run->graph is the same graph. The rest are as in struct algorithm; msbfs_block_release in any case. */
int msbfs_block_prepare(struct run *run, struct gpu_graph *graph);
int msbfs_block_traverse(struct run *run, const struct query *query);
int msbfs_block_fetch(struct run *run, struct traversal *result);
void msbfs_block_release(struct run *run);

} // namespace BACKEND

#endif
