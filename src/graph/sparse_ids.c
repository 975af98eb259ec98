/* sparse_ids.c: whether the ids of an edge list are numbers of vertices, of which most would have no edge. */
#include <inttypes.h>
#include <stdlib.h>

#include "readers.h"

#define FEW_VERTICES 1000000u /* smaller graphs are accepted, however few of their vertices have edges */
#define SPARSE_RATIO 16u      /* ids are sparse if there are at least so many vertices per distinct id */

struct id_count {
    uint64_t *seen;  /* a bit for each id */
    uint64_t found;  /* distinct ids so far */
    uint64_t enough; /* counting stops at this many */
};

static bool count_edge(const struct edge *edge, void *context)
{
    struct id_count *count = context;
    const vertex_t ids[] = {edge->source, edge->target};
    for (int i = 0; i < 2; i++) {
        uint64_t *word = &count->seen[ids[i] / 64], bit = (uint64_t)1 << ids[i] % 64;
        count->found += (*word & bit) == 0;
        *word |= bit;
    }
    return count->found < count->enough;
}

/* Rejects a graph with more than FEW_VERTICES vertices if fewer than one in SPARSE_RATIO is in the file. For ordinary
 * files, a small part of the edges decides. */
int refuse_sparse(struct builder *builder, const struct text_input *input, uint64_t num_vertices, struct error *error)
{
    struct id_count count = {.enough = (num_vertices + SPARSE_RATIO - 1) / SPARSE_RATIO};
    if (num_vertices <= FEW_VERTICES)
        return STATUS_OK;
    if (allocate_zeroed(&count.seen, num_vertices / 64 + 1, sizeof *count.seen, "counting the ids", error) !=
        STATUS_OK)
        return error->status;
    builder_visit(builder, count_edge, &count);
    free(count.seen);
    if (count.found >= count.enough)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: ids up to %" PRIu64 ", but only %" PRIu64 " distinct; --ids any numbers these from 0 on, "
                     "--ids dense takes all %" PRIu64 " vertices",
                     input->path, num_vertices - 1, count.found, num_vertices);
}
