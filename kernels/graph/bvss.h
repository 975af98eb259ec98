/* bvss.h: the graph in formats for tensor cores: Binarized Virtual Slice Sets (Blest, section 3.1), and the Binarized
 * Row Slices (BRS) of BerryBees (Niu and Casas, PPoPP 2025; Blest, section 3). */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

/* The paper's constants. With A[i][j] = 1 for an edge j -> i, slice set s holds the SIGMA columns from s * SIGMA on.
 * A row with in-neighbours among these columns has a slice in the set: a mask of SIGMA bits. */
#define SIGMA 8u                  /* columns per slice set */
#define THETA (WARP_SIZE / SIGMA) /* slices of a VSS that one lane holds */
#define TAU   (WARP_SIZE * THETA) /* slices per VSS */

/* The slices of a set are sorted by row and cut into virtual slice sets (VSSs) of TAU slices. Empty masks pad the
 * last VSS. A VSS is a matrix of WARP_SIZE x THETA slices, filled column by column: slice k is at lane k % WARP_SIZE,
 * column k / WARP_SIZE. So the lanes of a warp touch neighbouring rows at the same time. In a sparse graph a set has
 * few slices, and all of them are in the first column.
 *
 * The paper's virtualToReal, which maps a VSS to its set, is made only for mode=paper. Otherwise queue entries hold
 * both numbers, which saves a dependent load.
 *
 * Without padding, as in the authors' code on scale-free graphs, the last VSS of a set has only as many lanes as its
 * slices need: s slices fill s / THETA lanes, again column by column, and the remaining s % THETA slices are in one
 * more lane. A tile is the THETA slices of a lane; tile_ptrs says where the tiles of a VSS begin. */
struct bvss {
    vertex_t num_vertices;
    uint32_t num_sets, num_vss;
    uint64_t num_slices;
    uint32_t *real_ptrs;       /* num_sets + 1: set s has VSSs real_ptrs[s] .. real_ptrs[s + 1] - 1 */
    uint64_t num_tiles;        /* num_vss * WARP_SIZE, or fewer without padding */
    uint4 *row_ids;            /* num_tiles; the tile's THETA rows; 0 for an empty mask */
    uint32_t *masks;           /* num_tiles; the tile's THETA masks, column 0 lowest; bit b: column b of the set */
    uint32_t *virtual_to_real; /* num_vss; the set of each VSS; NULL unless the form asks for it */
    uint64_t *tile_ptrs;       /* num_vss + 1: VSS v has tiles tile_ptrs[v] .. tile_ptrs[v + 1] - 1; NULL: padded */
    double compression_ratio;  /* section 4.1: mean share of set bits in a slice; 0 if there are no slices */
    double update_divergence;  /* section 4.2: standard deviation of the rows in a column: its mean over a VSS's
                                  non-empty columns, and then over the VSSs */
    double authors_divergence; /* the same over all THETA columns (0 if empty), as in the authors' code; table I */
};

/* The optional parts of a BVSS. */
struct bvss_form {
    bool virtual_to_real, unpadded;
};

/* Builds the BVSS of a graph on the device, in memory of the arena. The graph holds out-neighbours in ascending
 * lists. Error: out of memory (STATUS_DEVICE). */
int bvss_build(const struct gpu_graph *graph, struct bvss_form form, struct gpu_arena *arena, struct bvss *bvss,
               struct error *error);

/* Writes the size of the BVSS into the run's note, at the beginning, and into its facts. */
void bvss_describe(const struct bvss *bvss, struct run *run);

/* The slices of all sets, one set after another; within a set, sorted by row. */
struct brs {
    vertex_t num_vertices;
    uint32_t num_sets;
    uint64_t num_slices;
    uint64_t *set_ptrs;       /* num_sets + 1: set s has slices set_ptrs[s] .. set_ptrs[s + 1] - 1 */
    vertex_t *row_ids;        /* num_slices */
    uint8_t *masks;           /* num_slices; bit b: the set's column b */
    double compression_ratio; /* as above */
};

/* Builds the BRS; otherwise like bvss_build. */
int brs_build(const struct gpu_graph *graph, struct gpu_arena *arena, struct brs *brs, struct error *error);

} // namespace BACKEND
