/* msbfs_pbfs.c: MS-PBFS (Kaufmann, Then, Kemper, Neumann, "Parallel array-based single- and multi-source breadth
 * first searches on large dense graphs", EDBT 2017): one search of up to 512 sources by all threads, on the rows of
 * msbfs_bits.h.
 *
 * Every step is dealt out in ranges of vertices, some chunks each (section 4.1): each thread has a stretch of them,
 * takes range after range off it, and then goes round the others' stretches and takes what is left there. A stretch
 * is a counter that only grows: whoever adds a range's length to it, by an atomic read-modify-write, has the range
 * that it stood at if that lies within the stretch; so each range is taken once, and a thread that has found every
 * counter at its end knows that all ranges are taken. The end of the parallel region waits for those who still work
 * on theirs.
 *
 * Words that threads share within a step: only next and touched in expand, to which bits are added by atomic OR, and
 * ones written (relaxed: what they say is read after the region's end). In settle and bottom_up the rows of a vertex
 * are written by whoever has its range, and the frontier is only read. */
#include <omp.h>

#include "msbfs_bits.h"

static const struct option_spec options[] = {
    [WIDTH] = {WIDTH_OPTION}, [CODE] = {CODE_OPTION}, [ALPHA] = {ALPHA_OPTION}, [THREADS] = {THREADS_OPTION}, {0}};

#define RANGE 8u /* chunks, 256 vertices; the paper's section 4.1 has as many and more */

struct stretch {
    uint64_t next; /* the first chunk not taken */
    uint32_t end;
} __attribute__((aligned(APART)));

static int prepare(struct run *run)
{
    return bits_prepare(run, true, "msbfs pbfs");
}

/* The next range of a stretch; false: there is none. */
static bool take_range(struct stretch *stretch, uint32_t *first, uint32_t *last)
{
    if (__atomic_load_n(&stretch->next, __ATOMIC_RELAXED) >= stretch->end) /* the counter shall not run away */
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
    struct stretch stretches[MAX_WORKERS];
    for (int i = 0; i < team; i++)
        stretches[i] = (struct stretch){.next = n * (uint64_t)i / (uint64_t)team,
                                        .end = (uint32_t)(n * (uint64_t)(i + 1) / (uint64_t)team)};
#pragma omp parallel num_threads(team)
    for (int turn = 0, me = omp_get_thread_num(); turn < team; turn++) {
        uint32_t first, last;
        while (take_range(&stretches[(me + turn) % team], &first, &last))
            step(search, &search->workers[me], first, last);
    }
}

static int traverse(struct run *run, const struct query *query)
{
    const struct bits *bits = run->state;
    if (bits_reset(run, query) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    bits_search(bits->searches, query, pass_shared, bits->steps.expand_shared, run->options[ALPHA], run->error);
    run_kernel_end(run);
    return run->error->status;
}

const struct algorithm msbfs_pbfs = {
    .family = "msbfs",
    .variant = "pbfs",
    .title = "MS-PBFS, one search of many sources on all cores",
    .citation = "Kaufmann et al., EDBT 2017",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FAR | OUTPUT_LENGTH,
    .options = options,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = bits_fetch,
    .release = bits_release,
};
