/* msbfs_bits.c: the steps of a level, and a search, of msbfs_bits.h for each width and instruction set. */
#include "msbfs_bits.h"

#include <omp.h>

#include "../src/farness.h"
#include "../src/progress.h"

#define INLINE          static inline __attribute__((always_inline))
#define PREFETCH_AHEAD  16u /* edges between prefetching a row and using it, so that a few cache misses overlap */
#define BOTTOM_UP_ALPHA 6   /* bottom-up while the frontier has more than 1/6 of the remaining edges */

/* ---- recording what a step finds ---- */

static void empty_planes(struct worker *worker, unsigned words)
{
    for (uint32_t s = 0; s < words * WORD_BITS; s++)
        for (unsigned plane = 0; plane < PLANES; plane++)
            worker->count[s] += (worker->planes[plane][s / WORD_BITS] >> (s % WORD_BITS) & 1) << plane;
    memset(worker->planes, 0, sizeof worker->planes);
    worker->added = 0;
}

/* Adds a row to the vertical counters: one binary addition for all sources. */
INLINE void count_row(struct worker *worker, const uint64_t *row, unsigned words)
{
    for (unsigned w = 0; w < words; w++) {
        uint64_t carry = row[w];
        for (unsigned plane = 0; carry != 0; plane++) {
            uint64_t bits = worker->planes[plane][w];
            worker->planes[plane][w] = bits ^ carry;
            carry &= bits;
        }
    }
    if (++worker->added == (1u << PLANES) - 1)
        empty_planes(worker, words);
}

/* Writes the level into each of eight bytes whose bit is set. Such a byte was 0xff before. Little-endian. */
INLINE void put_eight(uint8_t *levels, uint64_t bits, uint8_t level)
{
    const uint64_t each = 0x0101010101010101u, diagonal = 0x8040201008040201u;
    uint64_t set = (((bits * each & diagonal) + 0x7f * each) >> 7 & each) * 0xff, old;
    memcpy(&old, levels, sizeof old);
    old ^= set & (uint8_t)~level * each;
    memcpy(levels, &old, sizeof old);
}

INLINE void put_levels(const struct search *search, vertex_t v, const uint64_t *row, unsigned words)
{
    size_t at = (size_t)v * words * WORD_BITS;
    for (unsigned w = 0; w < words; w++, at += WORD_BITS) {
        if (search->level_bytes == 1) {
            for (unsigned i = 0; i < 8; i++)
                put_eight((uint8_t *)search->level + at + 8 * i, row[w] >> 8 * i & 0xff, (uint8_t)search->depth);
            continue;
        }
        for (uint64_t bits = row[w]; bits != 0; bits &= bits - 1) {
            size_t s = at + (unsigned)__builtin_ctzll(bits);
            if (search->level_bytes == 2)
                ((uint16_t *)search->level)[s] = (uint16_t)search->depth;
            else
                ((uint32_t *)search->level)[s] = search->depth;
        }
    }
}

/* Adds to farness atomically, because all searches of a batch share it. */
INLINE void add_farness(const struct search *search, vertex_t v, const uint64_t *row, unsigned words)
{
    uint64_t term = farness_term(search->bits->outputs, search->bits->out->num_vertices, search->depth);
    unsigned count = 0;
    for (unsigned w = 0; w < words; w++)
        count += (unsigned)__builtin_popcountll(row[w]);
    __atomic_fetch_add(&search->bits->farness[v], term * count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&search->bits->farness_count[v], count, __ATOMIC_RELAXED);
}

/* Records what the searches have found at v in this level. The row is not empty. */
INLINE void note_found(struct search *search, struct worker *worker, vertex_t v, const uint64_t *row, unsigned words)
{
    for (unsigned w = 0; w < words; w++)
        worker->found[w] |= row[w];
    worker->edges += graph_degree(search->bits->out, v);
    if (search->level != NULL)
        put_levels(search, v, row, words);
    if (search->bits->farness != NULL)
        add_farness(search, v, row, words);
    if (search->bits->sums != NULL)
        count_row(worker, row, words);
}

/* ---- the steps ---- */

INLINE bool is_empty(const uint64_t *row, unsigned words)
{
    uint64_t any = 0;
    for (unsigned w = 0; w < words; w++)
        any |= row[w];
    return any == 0;
}

/* Returns whether every alive bit is set in one of the two rows. */
INLINE bool is_full(const uint64_t *alive, const uint64_t *row, const uint64_t *other, unsigned words)
{
    uint64_t missing = 0;
    for (unsigned w = 0; w < words; w++)
        missing |= alive[w] & ~(row[w] | other[w]);
    return missing == 0;
}

INLINE void expand_row(struct search *search, vertex_t v, unsigned words, bool shared)
{
    const struct graph *graph = search->bits->out;
    const uint64_t *row = search->frontier + (size_t)v * words;
    for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
        vertex_t target = graph->targets[e];
        uint64_t *next = search->next + (size_t)target * words;
        if (!__atomic_load_n(&search->touched[target / CHUNK], __ATOMIC_RELAXED))
            __atomic_store_n(&search->touched[target / CHUNK], 1, __ATOMIC_RELAXED);
        if (e + PREFETCH_AHEAD < graph->num_edges)
            __builtin_prefetch(search->next + (size_t)graph->targets[e + PREFETCH_AHEAD] * words, 1);
        for (unsigned w = 0; w < words; w++)
            if (!shared)
                next[w] |= row[w];
            else if ((row[w] & ~__atomic_load_n(&next[w], __ATOMIC_RELAXED)) !=
                     0) /* most targets already have these bits */
                __atomic_fetch_or(&next[w], row[w], __ATOMIC_RELAXED);
    }
}

INLINE vertex_t end_of_chunk(const struct search *search, uint32_t chunk)
{
    vertex_t n = search->bits->out->num_vertices;
    return n - chunk * CHUNK > CHUNK ? (chunk + 1) * CHUNK : n;
}

INLINE void expand(struct search *search, uint32_t first, uint32_t last, unsigned words, bool shared)
{
    for (uint32_t chunk = first; chunk < last; chunk++) {
        if (!search->active[chunk])
            continue;
        for (vertex_t v = chunk * CHUNK, end = end_of_chunk(search, chunk); v < end; v++)
            if (!is_empty(search->frontier + (size_t)v * words, words))
                expand_row(search, v, words, shared);
    }
}

/* Clears the bits of next[v] that were already seen, and records the others. */
INLINE void settle_row(struct search *search, struct worker *worker, vertex_t v, unsigned words)
{
    uint64_t *next = search->next + (size_t)v * words, *seen = search->seen + (size_t)v * words;
    bool was_full = is_full(search->alive, seen, seen, words);
    for (unsigned w = 0; w < words; w++) {
        next[w] &= search->alive[w] & ~seen[w];
        seen[w] |= next[w];
    }
    if (is_empty(next, words))
        return;
    if (!was_full && is_full(search->alive, seen, seen, words))
        worker->closed += graph_degree(search->bits->in, v);
    note_found(search, worker, v, next, words);
}

INLINE void settle(struct search *search, struct worker *worker, uint32_t first, uint32_t last, unsigned words)
{
    for (uint32_t chunk = first; chunk < last; chunk++) {
        vertex_t begin = chunk * CHUNK, end = end_of_chunk(search, chunk);
        if (search->touched[chunk])
            for (vertex_t v = begin; v < end; v++)
                if (!is_empty(search->next + (size_t)v * words, words))
                    settle_row(search, worker, v, words);
        if (search->active[chunk])
            memset(search->frontier + (size_t)begin * words, 0, (size_t)(end - begin) * words * sizeof(uint64_t));
        search->active[chunk] = 0;
    }
}

/* Gathers next[v] from the in-neighbours and settles it. Returns false if no in-neighbour had a bit. */
INLINE bool pull_row(struct search *search, struct worker *worker, vertex_t v, unsigned words)
{
    const struct graph *in = search->bits->in;
    const uint64_t *seen = search->seen + (size_t)v * words;
    uint64_t row[MAX_WORDS] = {0};
    bool full = is_full(search->alive, seen, seen, words);
    for (edge_t e = in->offsets[v]; !full && e < in->offsets[v + 1]; e++) {
        const uint64_t *frontier = search->frontier + (size_t)in->targets[e] * words;
        if (e + PREFETCH_AHEAD < in->num_edges)
            __builtin_prefetch(search->frontier + (size_t)in->targets[e + PREFETCH_AHEAD] * words);
        for (unsigned w = 0; w < words; w++)
            row[w] |= frontier[w];
        full = is_full(search->alive, seen, row, words);
    }
    memcpy(search->next + (size_t)v * words, row, words * sizeof *row);
    if (is_empty(row, words))
        return false;
    settle_row(search, worker, v, words);
    return true;
}

INLINE void bottom_up(struct search *search, struct worker *worker, uint32_t first, uint32_t last, unsigned words)
{
    for (uint32_t chunk = first; chunk < last; chunk++) {
        bool any = false;
        for (vertex_t v = chunk * CHUNK, end = end_of_chunk(search, chunk); v < end; v++)
            any = pull_row(search, worker, v, words) || any;
        search->touched[chunk] = any;
    }
}

/* ---- the steps for each width and instruction set ---- */

#define STEPS(name, words, target)                                                                                     \
    target static void expand_##name(struct search *search, UNUSED struct worker *worker, uint32_t first,              \
                                     uint32_t last)                                                                    \
    {                                                                                                                  \
        expand(search, first, last, words, false);                                                                     \
    }                                                                                                                  \
    target static void expand_shared_##name(struct search *search, UNUSED struct worker *worker, uint32_t first,       \
                                            uint32_t last)                                                             \
    {                                                                                                                  \
        expand(search, first, last, words, true);                                                                      \
    }                                                                                                                  \
    target static void settle_##name(struct search *search, struct worker *worker, uint32_t first, uint32_t last)      \
    {                                                                                                                  \
        settle(search, worker, first, last, words);                                                                    \
    }                                                                                                                  \
    target static void bottom_up_##name(struct search *search, struct worker *worker, uint32_t first, uint32_t last)   \
    {                                                                                                                  \
        bottom_up(search, worker, first, last, words);                                                                 \
    }
#define STEPS_OF(name)                                                                                                 \
    {                                                                                                                  \
        expand_##name, expand_shared_##name, settle_##name, bottom_up_##name                                           \
    }

STEPS(portable_1, 1, )
STEPS(portable_4, 4, )
STEPS(portable_8, 8, )
#ifdef __x86_64__
#define AVX2   __attribute__((target("avx2,popcnt,bmi")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx2,popcnt,bmi")))
STEPS(avx2_1, 1, AVX2)
STEPS(avx2_4, 4, AVX2)
STEPS(avx2_8, 8, AVX2)
STEPS(avx512_1, 1, AVX512)
STEPS(avx512_4, 4, AVX512)
STEPS(avx512_8, 8, AVX512)
#endif

static const struct bit_steps all_steps[][3] = {
    [PORTABLE] = {STEPS_OF(portable_1), STEPS_OF(portable_4), STEPS_OF(portable_8)},
#ifdef __x86_64__
    [WITH_AVX2] = {STEPS_OF(avx2_1), STEPS_OF(avx2_4), STEPS_OF(avx2_8)},
    [WITH_AVX512] = {STEPS_OF(avx512_1), STEPS_OF(avx512_4), STEPS_OF(avx512_8)},
#endif
};

int bits_best_instructions(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return WITH_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
        return WITH_AVX2;
#endif
    return PORTABLE;
}

struct bit_steps bits_steps(int instructions, int width)
{
    return all_steps[instructions][width];
}

/* ---- a search ---- */

void bits_fill(void *memory, int value, size_t bytes, int threads)
{
#pragma omp parallel num_threads(threads)
    {
        size_t parts = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        size_t first = bytes / parts * me, last = me + 1 < parts ? bytes / parts * (me + 1) : bytes;
        memset((char *)memory + first, value, last - first);
    }
}

/* Widens the bytes of each level, the last one first, so that none is overwritten before it is read. */
static int widen_levels(struct search *search, size_t count, struct error *error)
{
    unsigned before = search->level_bytes, after = 2 * before;
    void *wider = realloc(search->level, count * after);
    if (wider == NULL)
        return error_set(error, STATUS_INPUT, "out of memory: levels of more than %u bytes need %.1f MB", before,
                         1e-6 * (double)count * after);
    search->level = wider;
    search->level_bytes = after;
    for (size_t i = count; i-- > 0;)
        if (before == 1) {
            uint8_t level = ((uint8_t *)wider)[i];
            ((uint16_t *)wider)[i] = level == UINT8_MAX ? UINT16_MAX : level;
        } else {
            uint16_t level = ((uint16_t *)wider)[i];
            ((uint32_t *)wider)[i] = level == UINT16_MAX ? UINT32_MAX : level;
        }
    return STATUS_OK;
}

/* Sets the lengths of destinations found in the last level, and ends searches without open destinations. */
static void close_destinations(struct search *search)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < search->num_open; i++) {
        const struct open_destination *open = &search->open[i];
        uint32_t which = open->destination.which;
        const uint64_t *seen = search->seen + (size_t)open->destination.vertex * search->bits->words;
        if (!(seen[which / WORD_BITS] >> (which % WORD_BITS) & 1)) {
            search->open[kept++] = *open;
            continue;
        }
        search->bits->length[open->index] = search->depth;
        search->open_of[which]--;
    }
    search->num_open = kept;
    for (uint32_t which = 0; which < search->num_sources; which++)
        if (search->open_of[which] == 0)
            search->alive[which / WORD_BITS] &= ~(1ull << (which % WORD_BITS));
}

/* Collects what the workers found in a level. Sets *edges to the out-edges of the new frontier. Subtracts from *left
 * the edges into vertices that all searches have seen. Returns false if no search is alive. */
static bool gather(struct search *search, const struct query *query, edge_t *edges, edge_t *left)
{
    unsigned words = search->bits->words;
    uint64_t found[MAX_WORDS] = {0}, any = 0;
    *edges = 0;
    for (int i = 0; i < search->num_workers; i++) {
        struct worker *worker = &search->workers[i];
        for (unsigned w = 0; w < words; w++)
            found[w] |= worker->found[w];
        *edges += worker->edges;
        *left -= worker->closed < *left ? worker->closed : *left;
        if (search->bits->sums != NULL) {
            struct source_sums *sums = search->bits->sums + search->first;
            empty_planes(worker, words);
            for (uint32_t s = 0; s < search->num_sources; s++) {
                sums[s].reached += worker->count[s];
                sums[s].level_sum += worker->count[s] * search->depth;
                sums[s].eccentricity = worker->count[s] > 0 ? search->depth : sums[s].eccentricity;
            }
        }
        memset(worker, 0, sizeof *worker);
    }
    for (unsigned w = 0; w < words; w++)
        search->alive[w] &= found[w];
    if (query->destinations != NULL)
        close_destinations(search);
    for (unsigned w = 0; w < words; w++)
        any |= search->alive[w];
    return any != 0;
}

/* Sets level 0: the sources. */
static void start(struct search *search, const struct query *query)
{
    unsigned words = search->bits->words;
    search->depth = 0;
    memset(search->alive, 0, sizeof search->alive);
    if (search->bits->sums != NULL)
        memset(search->bits->sums + search->first, 0, search->num_sources * sizeof *search->bits->sums);
    for (uint32_t s = 0; s < search->num_sources; s++) {
        uint64_t row[MAX_WORDS] = {0};
        vertex_t source = query->sources[search->first + s];
        row[s / WORD_BITS] = 1ull << (s % WORD_BITS);
        for (unsigned w = 0; w < words; w++) {
            search->alive[w] |= row[w];
            search->seen[(size_t)source * words + w] |= row[w];
            search->frontier[(size_t)source * words + w] |= row[w];
        }
        search->active[source / CHUNK] = 1;
        note_found(search, search->workers, source, row, words);
    }
}

static void swap_rows(struct search *search)
{
    uint64_t *swap = search->frontier;
    search->frontier = search->next;
    search->next = swap;
    uint8_t *flags = search->active;
    search->active = search->touched;
    search->touched = flags;
}

int bits_search(struct search *search, const struct query *query, pass_all *pass, range_step *push, struct error *error)
{
    const struct bits *bits = search->bits;
    size_t rows = (size_t)bits->out->num_vertices * bits->words;
    edge_t edges, left = bits->out->num_edges;
    bool stale = false; /* next still holds an old frontier */
    start(search, query);
    while (gather(search, query, &edges, &left)) {
        search->depth++;
        uint32_t most = search->level_bytes == 1 ? UINT8_MAX : search->level_bytes == 2 ? UINT16_MAX : UNREACHED;
        if (search->level != NULL && search->depth == most &&
            widen_levels(search, rows * WORD_BITS, error) != STATUS_OK)
            return error->status;
        if (edges * BOTTOM_UP_ALPHA > left) {
            pass(search, bits->steps.bottom_up);
            stale = true;
        } else {
            if (stale) {
                bits_fill(search->next, 0, rows * sizeof *search->next, search->num_workers);
                memset(search->touched, 0, bits->num_chunks);
            }
            pass(search, push);
            pass(search, bits->steps.settle);
            stale = false;
        }
        if (stop_requested()) /* if so, the passes may have skipped chunks */
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        swap_rows(search);
    }
    return STATUS_OK;
}
