/* msbfs_then.c: MS-BFS (Then et al., "The More the Merrier", VLDB 2014): up to 512 searches share each visit of an
 * edge, with one bit per source (msbfs_bits.h). It has aggregated neighbour processing (section 4.1), direction
 * switching (4.2) and neighbour prefetching (4.3). Each thread runs a search of its own (6). */

#include "../src/progress.h"
#include "msbfs_bits.h"

static int prepare(struct run *run)
{
    return bits_prepare(run, false, "msbfs then");
}

static void pass_alone(struct search *search, range_step *step)
{
    uint32_t last, end = search->bits->num_chunks;
    for (uint32_t first = 0; first < end && !stop_requested(); first = last) {
        last = end - first > LOOK ? first + LOOK : end;
        step(search, search->workers, first, last);
    }
}

static int traverse(struct run *run, const struct query *query)
{
    const struct bits *bits = run->state;
    if (bits_reset(run, query) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    struct progress_listener *listener = progress_listener;
#pragma omp parallel for schedule(dynamic, 1) num_threads(bits->num_workers)
    for (int i = 0; i < bits->num_searches; i++) {
        progress_join(listener);
        struct error failed = {0};
        if (bits->searches[i].num_sources > 0 &&
            bits_search(&bits->searches[i], query, pass_alone, bits->steps.expand, &failed) != STATUS_OK) {
#pragma omp critical
            error_set(run->error, failed.status, "%s", failed.text);
        }
    }
    run_kernel_end(run);
    return run->error->status;
}

const struct algorithm msbfs_then =
    BITS_ALGORITHM("then", "MS-BFS, a search of many sources per core", "Then et al., VLDB 2014");
