/* msbfs_pbfs.c: MS-PBFS (Kaufmann, Then, Kemper, Neumann, "Parallel array-based single- and multi-source breadth
 * first searches on large dense graphs", EDBT 2017): all threads work on one search from up to 512 sources, with the
 * rows of msbfs_bits.h.
 *
 * Threads take ranges of a few chunks of vertices (section 4.1). Each thread starts with a stretch of ranges. When it
 * has taken all of them, it steals from the stretches of the other threads, one after another.
 *
 * Every range is taken once. A stretch is a counter that only grows; a thread adds the length of a range with an
 * atomic read-modify-write and owns the range at the old value, if that lies within the stretch. A thread that has
 * seen all counters at their ends knows that every range is taken. The end of the parallel region waits for threads
 * that are still working.
 *
 * Threads write to common words only in expand: they add bits to next by atomic OR, and store ones to touched.
 * Relaxed order is enough, since these words are read after the parallel region. In settle and bottom_up only the
 * thread that owns the range writes to a vertex's rows, and no thread writes to the frontier. */
#include <omp.h>

#include "../src/progress.h"
#include "msbfs_bits.h"

#define RANGE 8u /* chunks of 32 vertices; section 4.1 uses 256 vertices and more */

static int prepare(struct run *run)
{
    return bits_prepare(run, true, "msbfs pbfs");
}

/* Takes the next range of a stretch. Returns false if none is left. */
static bool take_range(struct stretch *stretch, uint32_t *first, uint32_t *last)
{
    if (__atomic_load_n(&stretch->next, __ATOMIC_RELAXED) >= stretch->end) /* keeps the counter from overflowing */
        return false;
    uint64_t begin = __atomic_fetch_add(&stretch->next, RANGE, __ATOMIC_RELAXED);
    if (begin >= stretch->end)
        return false;
    *first = (uint32_t)begin;
    *last = stretch->end - *first > RANGE ? *first + RANGE : stretch->end;
    return true;
}

static void pass_shared(struct search *search, range_step *step)
{
    int team = search->num_workers;
    uint64_t n = search->bits->num_chunks;
    struct progress_listener *listener = progress_listener;
    for (int i = 0; i < team; i++)
        search->workers[i].stretch = (struct stretch){.next = n * (uint64_t)i / (uint64_t)team,
                                                      .end = (uint32_t)(n * (uint64_t)(i + 1) / (uint64_t)team)};
#pragma omp parallel num_threads(team)
    for (int turn = 0, me = omp_get_thread_num(); turn < team; turn++) {
        uint32_t first, last;
        progress_join(listener);
        while (take_range(&search->workers[(me + turn) % team].stretch, &first, &last) &&
               !(first % LOOK < RANGE && stop_requested()))
            step(search, &search->workers[me], first, last);
    }
}

static int traverse(struct run *run, const struct query *query)
{
    const struct bits *bits = run->state;
    if (bits_reset(run, query) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    bits_search(bits->searches, query, pass_shared, bits->steps.expand_shared, run->error);
    run_kernel_end(run);
    return run->error->status;
}

const struct algorithm msbfs_pbfs =
    BITS_ALGORITHM("pbfs", "MS-PBFS, one search of many sources on all cores", "Kaufmann et al., EDBT 2017");
