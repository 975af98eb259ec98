/* blest.h: `bfs blest` as a part of another algorithm. */
#pragma once

#include "../../backend/backend.h"

namespace BACKEND::blest
{

#define REORDER       "auto"    /* section 4: JaccardWithWindows for scale-free-like graphs, RCM for others */
#define PAPER_REORDER "auto:18" /* the same by the authors' rule; the number is AUTHORS_MEAN_DEGREE */

enum { UNIT_TENSOR, UNIT_CUDA };
#define UNIT_OPTION                                                                                                  \
    CHOICE_OPTION("unit", BACKEND::blest::UNIT_TENSOR, "tensor|cuda",                                                \
                  "what tests slices against the frontier: tensor cores, or CUDA cores by a bytewise and")

/* Returns the order by the option of this index, which is the mode. */
template <int mode>
static const char *reorder_by(const double *options)
{
    return (int)options[mode] == MODE_PAPER ? PAPER_REORDER : REORDER;
}

/* Prepares the caller's run, whose state must be NULL, and sets its options to their defaults, except for the mode.
 * The functions return a status and set run->error. The caller calls single_release in any case. */
int single_prepare(struct run *run, double mode);

/* Entries of the levels that single_search writes: num_vertices, rounded up to whole slice sets. */
size_t single_row_length(const struct run *run);

/* Searches from the source. level: device memory of single_row_length entries; the first num_vertices entries
 * are the result. The search may still be running when the function returns. It marks no kernel times. */
int single_search(struct run *run, vertex_t source, uint32_t *level);

/* Waits for the searches. STATUS_DEVICE if any search since single_prepare was stopped at a grid barrier. */
int single_check(struct run *run);

void single_release(struct run *run);

} // namespace BACKEND::blest
