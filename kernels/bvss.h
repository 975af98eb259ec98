/* bvss.h: Binarized Virtual Slice Sets (Blest, section 3.1): the graph as the tensor cores read it. */
#ifndef GTRAV_BVSS_H
#define GTRAV_BVSS_H

#include "backend/backend.h"

namespace BACKEND
{

/* The paper's constants. With A[i][j] = 1 for an arc j -> i, slice set s holds columns s * SIGMA on; a row with
 * neighbours among them has a slice there, a mask of SIGMA bits. */
#define SIGMA 8u                  /* columns of a slice set */
#define THETA (WARP_SIZE / SIGMA) /* slices that a thread of a warp has */
#define TAU   (WARP_SIZE * THETA) /* slices of a VSS */

/* A slice set's slices, in the order of their rows, are cut into virtual slice sets (VSSs) of TAU; the last is filled
 * up with empty masks. A VSS is a matrix of WARP_SIZE x THETA slices, filled column by column: its slice k is at lane
 * k % WARP_SIZE, column k / WARP_SIZE. So what the lanes do at once is to neighbouring rows, and the few slices of a
 * set in a sparse graph are all in the first column.
 *
 * The paper's virtualToReal, from a VSS to its set, is not there: queues hold both, and save a dependent read. */
struct bvss {
    vertex_t num_vertices;
    uint32_t num_sets, num_vss;
    uint64_t num_slices;
    uint32_t *real_ptrs; /* num_sets + 1: set s has VSSs real_ptrs[s] .. real_ptrs[s + 1] - 1 */
    uint4 *row_ids;      /* num_vss * WARP_SIZE: a lane's THETA rows; where a mask is empty, 0 */
    uint32_t *masks;     /* num_vss * WARP_SIZE: a lane's THETA masks, column 0 lowest; bit b: the set's column b */
    double compression_ratio; /* section 4.1: mean share of bits that are set in a slice; 0 without slices */
    double update_divergence; /* section 4.2: mean over VSSs of the mean over their non-empty columns of the standard
                                 deviation of the rows */
};

/* Builds the BVSS of a graph on the device, there, from its out-neighbours; they must ascend. bvss_free in any case.
 */
int bvss_build(const struct gpu_graph *graph, struct bvss *bvss, struct error *error);
void bvss_free(struct bvss *bvss);

} // namespace BACKEND

#endif
