/* msbfs_then_pbfs.c: breadth-first searches from many sources with one bit per source (msbfs_bits.h): up to 512
 * searches share each visit of an edge.
 *
 * `msbfs then`: MS-BFS (Then et al., "The More the Merrier", VLDB 2014). Each thread runs a search of its own
 * (section 6), with aggregated neighbour processing (4.1), direction switching (4.2) and prefetching (4.3).
 *
 * `msbfs pbfs`: MS-PBFS (Kaufmann, Then, Kemper, Neumann, "Parallel array-based single- and multi-source breadth
 * first searches on large dense graphs", EDBT 2017). All threads work on one search. */
#include "msbfs_bits.h"

#include <omp.h>

#include "../src/progress.h"

enum { WIDTH, CODE, THREADS };
static const struct option_spec options[] = {
    [WIDTH] = CHOICE_OPTION("width", 0, "auto|64|256|512", "sources of one search"),
    [CODE] = CHOICE_OPTION("code", 0, "auto|portable|avx2|avx512",
                           "instructions; if the machine lacks them, the next best", .for_tests = true),
    [THREADS] = NUMBER_OPTION("threads", 0, 0, MAX_WORKERS, "threads; 0: as many as the program may use"),
    {0},
};
static const char *const instruction_names[] = {"portable", "AVX2", "AVX-512"};
static const unsigned width_words[] = {1, 4, 8};

/* ---- preparing ---- */

/* Returns the narrowest width that holds all sources, because a row is read whole even if few bits are used. */
static int pick_width(const struct run *run, int instructions)
{
    int widest = instructions == WITH_AVX512 ? 2 : 1, width = 0;
    if (run->options[WIDTH] > 0)
        return (int)run->options[WIDTH] - 1;
    while (width < widest && (uint32_t)run->num_sources > width_words[width] * WORD_BITS)
        width++;
    return width;
}

static int allocate_arrays(struct run *run, const char *name)
{
    struct bits *bits = run->state;
    size_t n = run->graph->num_vertices, rows = n * bits->words, searches = (size_t)bits->num_searches;
    run_allocate(run, &bits->workers, (size_t)bits->num_workers, sizeof *bits->workers);
    if (run->outputs & OUTPUT_SUMS)
        run_allocate(run, &bits->sums, searches * bits->lanes, sizeof *bits->sums);
    if (run->outputs & OUTPUT_FARNESS) {
        run_allocate(run, &bits->farness, n, sizeof *bits->farness);
        run_allocate(run, &bits->farness_count, n, sizeof *bits->farness_count);
    }
    if (run_allocate(run, &bits->searches, searches, sizeof *bits->searches) != STATUS_OK)
        return run->error->status;
    for (struct search *search = bits->searches; search < bits->searches + searches; search++) {
        run_allocate(run, &search->seen, rows, sizeof *search->seen);
        run_allocate(run, &search->frontier, rows, sizeof *search->frontier);
        run_allocate(run, &search->next, rows, sizeof *search->next);
        run_allocate(run, &search->active, bits->num_chunks, 1);
        run_allocate(run, &search->touched, bits->num_chunks, 1);
        search->level_bytes = 1;
        if (run->outputs & OUTPUT_LEVEL)
            allocate(&search->level, rows, WORD_BITS, name, run->error);
    }
    return run->error->status;
}

/* shared: one search on all threads; otherwise each thread has a search, if there are enough sources. */
static int prepare(struct run *run, bool shared, const char *name)
{
    int best = bits_best_instructions(), asked = (int)run->options[CODE] - 1; /* -1: auto */
    int instructions = asked >= 0 && asked < best ? asked : best, width = pick_width(run, instructions);
    int threads = run->options[THREADS] > 0 ? (int)run->options[THREADS] : omp_get_max_threads();
    struct bits *bits = run->state;
    bits->steps = bits_steps(instructions, width);
    bits->words = width_words[width];
    bits->lanes = bits->words * WORD_BITS;
    bits->outputs = run->outputs;
    bits->num_chunks = (uint32_t)(((uint64_t)run->graph->num_vertices + CHUNK - 1) / CHUNK);
    threads = threads < MAX_WORKERS ? threads : MAX_WORKERS; /* at most one per chunk */
    bits->num_workers = (uint32_t)threads < bits->num_chunks ? threads : (int)bits->num_chunks;
    int wanted = (int)(((uint32_t)run->num_sources + bits->lanes - 1) / bits->lanes);
    bits->num_searches = shared || wanted < 1 ? 1 : wanted < bits->num_workers ? wanted : bits->num_workers;
    run->batch_size = (uint32_t)bits->num_searches * bits->lanes;
    bits->out = run->graph;
    bits->in = run->graph->symmetric ? run->graph : &bits->transpose;
    double row = (double)run->graph->num_vertices * bits->words * sizeof(uint64_t);
    double needed = bits->num_searches * row * (run->outputs & OUTPUT_LEVEL ? 3 + 8 : 3);
    char what[128];
    snprintf(what, sizeof what, "%s with %u sources at once on %.48s", name, run->batch_size, run->graph->name);
    if (require_memory(needed, what, run->error) != STATUS_OK ||
        (!run->graph->symmetric && graph_transpose(run->graph, &bits->transpose, run->error) != STATUS_OK) ||
        allocate_arrays(run, name) != STATUS_OK)
        return run->error->status;
    snprintf(run->note, sizeof run->note, "%d search%s of up to %u sources at once on %d thread%s by %s code",
             bits->num_searches, bits->num_searches > 1 ? "es" : "", bits->lanes, bits->num_workers,
             bits->num_workers > 1 ? "s" : "", instruction_names[instructions]);
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct bits *bits = run->state;
    for (int i = 0; bits->searches != NULL && i < bits->num_searches; i++) {
        free(bits->searches[i].level);
        free(bits->searches[i].open);
    }
    graph_release(&bits->transpose);
    free(bits->length);
}

/* ---- a query ---- */

/* Gives each search its sources and its destinations; both are consecutive in the query. */
static int share_out(struct run *run, const struct query *query)
{
    struct bits *bits = run->state;
    uint64_t d = 0, num = query->destinations != NULL ? query->num_destinations : 0;
    for (int i = 0; i < bits->num_searches; i++) {
        struct search *search = &bits->searches[i];
        uint32_t first = (uint32_t)i * bits->lanes, left = query->num_sources > first ? query->num_sources - first : 0;
        uint64_t begin = d;
        search->bits = bits;
        search->first = first;
        search->num_sources = left < bits->lanes ? left : bits->lanes;
        search->num_workers = bits->num_searches == 1 ? bits->num_workers : 1;
        search->workers = bits->workers + (bits->num_searches == 1 ? 0 : i);
        memset(search->open_of, 0, sizeof search->open_of);
        while (d < num && query->destinations[d].which < first + bits->lanes)
            d++;
        free(search->open);
        search->open = NULL;
        search->num_open = d - begin;
        if (num > 0 &&
            allocate(&search->open, d - begin, sizeof *search->open, "destinations", run->error) != STATUS_OK)
            return run->error->status;
        for (uint64_t k = begin; k < d; k++) {
            uint32_t which = query->destinations[k].which - first;
            search->open[k - begin] = (struct open_destination){{which, query->destinations[k].vertex}, k};
            search->open_of[which]++;
        }
    }
    return STATUS_OK;
}

/* Clears the results of the last query, on all threads. */
static int reset(struct run *run, const struct query *query)
{
    struct bits *bits = run->state;
    size_t rows = (size_t)run->graph->num_vertices * bits->words * sizeof(uint64_t);
    bits->num_sources = query->num_sources;
    bits->num_lengths = query->destinations != NULL ? query->num_destinations : 0;
    free(bits->length);
    if (allocate(&bits->length, bits->num_lengths, sizeof *bits->length, "destinations", run->error) != STATUS_OK ||
        share_out(run, query) != STATUS_OK)
        return run->error->status;
    memset(bits->length, 0xff, bits->num_lengths * sizeof *bits->length); /* UNREACHED */
    memset(bits->workers, 0, (size_t)bits->num_workers * sizeof *bits->workers);
    for (int i = 0; i < bits->num_searches && bits->searches[i].num_sources > 0; i++) {
        struct search *search = &bits->searches[i];
        bits_fill(search->seen, 0, rows, bits->num_workers);
        bits_fill(search->frontier, 0, rows, bits->num_workers);
        bits_fill(search->next, 0, rows, bits->num_workers);
        memset(search->active, 0, bits->num_chunks);
        memset(search->touched, 0, bits->num_chunks);
        if (search->level != NULL)
            bits_fill(search->level, 0xff, rows * 8 * search->level_bytes, bits->num_workers); /* UNREACHED */
    }
    return STATUS_OK;
}

/* ---- results ---- */

static void fetch_levels(const struct bits *bits, vertex_t num_vertices, uint32_t which, uint32_t *level)
{
    const struct search *search = &bits->searches[which / bits->lanes];
    size_t lanes = bits->lanes, lane = which % bits->lanes;
#pragma omp parallel for
    for (vertex_t v = 0; v < num_vertices; v++) {
        size_t at = v * lanes + lane;
        if (search->level_bytes == 1) {
            uint8_t found = ((const uint8_t *)search->level)[at];
            level[v] = found == UINT8_MAX ? UNREACHED : found;
        } else if (search->level_bytes == 2) {
            uint16_t found = ((const uint16_t *)search->level)[at];
            level[v] = found == UINT16_MAX ? UNREACHED : found;
        } else {
            level[v] = ((const uint32_t *)search->level)[at];
        }
    }
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct bits *bits = run->state;
    size_t n = run->graph->num_vertices;
    if (result->level != NULL)
        fetch_levels(bits, run->graph->num_vertices, result->which, result->level);
    copy_wanted(result->sums, bits->sums, bits->num_sources * sizeof *result->sums);
    copy_wanted(result->length, bits->length, bits->num_lengths * sizeof *result->length);
    if (result->farness != NULL) {
        memcpy(result->farness, bits->farness, n * sizeof *result->farness);
        memcpy(result->farness_count, bits->farness_count, n * sizeof *result->farness_count);
        memset(bits->farness, 0, n * sizeof *bits->farness);
        memset(bits->farness_count, 0, n * sizeof *bits->farness_count);
    }
    return STATUS_OK;
}

/* ---- msbfs then ---- */

static int prepare_then(struct run *run)
{
    return prepare(run, false, "msbfs then");
}

static void pass_alone(struct search *search, range_step *step)
{
    uint32_t last, end = search->bits->num_chunks;
    for (uint32_t first = 0; first < end && !stop_requested(); first = last) {
        last = end - first > LOOK ? first + LOOK : end;
        step(search, search->workers, first, last);
    }
}

static int traverse_then(struct run *run, const struct query *query)
{
    const struct bits *bits = run->state;
    if (reset(run, query) != STATUS_OK)
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

/* ---- msbfs pbfs ----
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

#define RANGE 8u /* chunks of 32 vertices; section 4.1 uses 256 vertices and more */

static int prepare_pbfs(struct run *run)
{
    return prepare(run, true, "msbfs pbfs");
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

static int traverse_pbfs(struct run *run, const struct query *query)
{
    const struct bits *bits = run->state;
    if (reset(run, query) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    bits_search(bits->searches, query, pass_shared, bits->steps.expand_shared, run->error);
    run_kernel_end(run);
    return run->error->status;
}

/* ---- the algorithms ---- */

#define BITS_ALGORITHM(its_variant, its_title, its_citation, its_prepare, its_traverse)                                \
    {                                                                                                                  \
        .family = "msbfs", .variant = its_variant, .title = its_title, .citation = its_citation, .device = DEVICE_CPU, \
        .outputs = OUTPUT_LEVEL, .on_request = OUTPUT_SUMS | OUTPUT_FARNESS | OUTPUT_HARMONIC | OUTPUT_LENGTH,         \
        .options = options, .state_bytes = sizeof(struct bits), .prepare = its_prepare, .traverse = its_traverse,      \
        .fetch = fetch, .release = release                                                                             \
    }

const struct algorithm msbfs_then = BITS_ALGORITHM("then", "MS-BFS, a search of many sources per core",
                                                   "Then et al., VLDB 2014", prepare_then, traverse_then);
const struct algorithm msbfs_pbfs = BITS_ALGORITHM("pbfs", "MS-PBFS, one search of many sources on all cores",
                                                   "Kaufmann et al., EDBT 2017", prepare_pbfs, traverse_pbfs);
