/* blest.h: `bfs blest` for use inside another algorithm. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::blest
{

#define REORDER       "auto"    /* section 4: JaccardWithWindows for scale-free-like graphs, RCM for others */
#define PAPER_REORDER "auto:18" /* the authors' rule for the same choice; the number is AUTHORS_MEAN_DEGREE */

enum { UNIT_TENSOR, UNIT_CUDA };
#define UNIT_OPTION                                                                                                    \
    CHOICE_OPTION("unit", BACKEND::blest::UNIT_TENSOR, "tensor|cuda",                                                  \
                  "what tests slices against the frontier: tensor cores, or CUDA cores by a bytewise AND")

/* Returns the order for the given options. mode: the index of the option mode. */
template <int mode>
static const char *reorder_by(const double *options)
{
    return (int)options[mode] == MODE_PAPER ? PAPER_REORDER : REORDER;
}

GPU_ALGORITHM(bfs_blest);

/* Prepares the caller's run, whose state must be NULL, with default options except for the mode. Like the functions
 * below, returns a status and sets run->error. The caller must release the run of bfs_blest even after an error. */
int single_prepare(struct run *run, double mode);

/* Returns the number of levels that single_search writes: num_vertices, rounded up to whole slice sets. */
size_t single_row_length(const struct run *run);

/* Starts a search from the source and may return before it ends. level: single_row_length entries of device memory;
 * the first num_vertices of them are the result. Marks no kernel times. */
int single_search(struct run *run, vertex_t source, uint32_t *level);

/* Waits for the searches. Returns STATUS_DEVICE if any search since single_prepare timed out at a grid barrier. */
int single_check(struct run *run);

} // namespace BACKEND::blest
