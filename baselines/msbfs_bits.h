/* msbfs_bits.h: breadth-first searches that keep a bit for each source: what MS-BFS (msbfs_then.c) and MS-PBFS
 * (msbfs_pbfs.c) share.
 *
 * A vertex has three rows of `words` words, a bit for each source: seen (reached so far), frontier (reached on the
 * last level) and next (being reached). A level is two passes over the vertices top-down, or one bottom-up (Then et
 * al., VLDB 2014, listings 3 and 4: aggregated neighbour processing):
 *
 *   expand      next[w] |= frontier[v]                          for every v -> w out of a row that is not empty
 *   settle      next[v] &= ~seen[v];  seen[v] |= next[v];  frontier[v] = 0
 *   bottom_up   next[v] = OR of frontier[u] over u -> v, until all that is missing is there; then as settle
 *
 * and then frontier and next change places. The vertices are looked at in chunks, of which two bytes tell whether
 * there is anything: active, a row of the frontier, and touched, a row of next that expand wrote to; they change
 * places too. Without them every level of a graph of thousands would read all rows. `alive` has the bits of the
 * searches that go on: those that found something on the last level, and have destinations left where a query names
 * some. Whoever is not alive is not waited for bottom-up. Levels are kept a byte each while that is enough, then two,
 * then four.
 *
 * The steps are compiled for 1, 4 and 8 words (64, 256, 512 sources) and for AVX2 and AVX-512 beside the portable
 * code; the machine's best is taken when the program runs, unless an option says otherwise. */
#ifndef GTRAV_MSBFS_BITS_H
#define GTRAV_MSBFS_BITS_H

#include "../src/algorithm.h"

#define WORD_BITS   64u
#define MAX_WORDS   8u
#define MAX_LANES   (WORD_BITS * MAX_WORDS)
#define PLANES      8u /* of the counters of a worker: they are emptied every 2^PLANES - 1 vertices */
#define MAX_WORKERS 1024
#define CHUNK       32u /* vertices */
#define APART       128 /* bytes between what different threads write: two cache lines, fetched in pairs */

/* Options that both have, first in their tables, in this order. */
enum { WIDTH, CODE, ALPHA, THREADS };
#define WIDTH_OPTION "width", 0, 0, 0, "auto|64|256|512", "sources of one search"
#define CODE_OPTION                                                                                                  \
    "code", 0, 0, 0, "auto|portable|avx2|avx512", "instructions; of those that the machine lacks, the next best"
#define ALPHA_OPTION                                                                                                 \
    "alpha", 6, 1, 1e9, NULL, "go bottom-up while the frontier has more than 1/alpha of the edges that are left"
#define THREADS_OPTION "threads", 0, 0, MAX_WORKERS, NULL, "threads; 0: as many as the program may use"

/* What one thread finds in a pass. */
struct worker {
    uint64_t planes[PLANES][MAX_WORDS]; /* vertical counters: bit k of source s's count is bit s of planes[k] */
    unsigned added;                     /* rows since the planes were emptied */
    uint64_t count[MAX_LANES];          /* of each source, vertices found on this level */
    uint64_t found[MAX_WORDS];          /* OR of the rows found */
    edge_t edges;                       /* out of the vertices found */
    edge_t closed;                      /* into those that every search has seen now */
    char apart[APART];
};

struct search {
    struct bits *bits;                /* whose it is */
    uint64_t *seen, *frontier, *next; /* num_vertices x words */
    uint8_t *active, *touched;        /* num_chunks */
    void *level;                      /* num_vertices x lanes, of level_bytes each; NULL: not wanted */
    unsigned level_bytes;
    struct worker *workers; /* num_workers */
    int num_workers;
    uint32_t first, num_sources; /* of the query's sources, those that it searches from */
    uint64_t alive[MAX_WORDS];
    uint32_t depth; /* the level being found */
    struct open_destination {
        struct destination destination; /* which: counted from `first` */
        uint64_t index;                 /* in the query */
    } * open;                           /* num_open that are not found yet */
    uint64_t num_open;
    uint32_t open_of[MAX_LANES]; /* how many of them are each source's */
};

/* A step on the chunks first .. last - 1. Each chunk is one worker's, but for what expand writes of others. */
typedef void range_step(struct search *search, struct worker *worker, uint32_t first, uint32_t last);
struct steps {
    range_step *expand, *expand_shared, *settle, *bottom_up; /* expand_shared: while others expand too */
};

/* The state of a run. */
struct bits {
    const struct graph *out, *in; /* in: the transpose of a directed graph */
    struct graph transpose;
    struct steps steps;
    unsigned words;
    uint32_t lanes;          /* words * WORD_BITS: sources of one search at most */
    struct search *searches; /* num_searches, with one worker each or one with all */
    int num_searches;
    uint32_t num_chunks;
    struct worker *workers; /* num_workers */
    int num_workers;
    struct source_sums *sums; /* num_searches x lanes; NULL: not wanted */
    uint64_t *far;            /* num_vertices; NULL: not wanted */
    uint32_t *far_count;      /* num_vertices; the same */
    uint32_t *length;         /* num_lengths */
    uint64_t num_lengths;
    uint32_t num_sources; /* of the last query */
};

/* Does a step on all chunks, in whatever parts. */
typedef void pass_all(struct search *search, range_step *step);

/* prepare, fetch and release of both. shared: one search by all threads, else one for each thread, as far as there
 * are sources for them. */
int bits_prepare(struct run *run, bool shared, const char *name);
int bits_fetch(struct run *run, struct traversal *result);
void bits_release(struct run *run);

/* Before run_kernel_begin: clears what the last query left, with all threads. */
int bits_reset(struct run *run, const struct query *query);
/* One search to its end; fails only where there is no memory for deeper levels. A search works on its sources alone,
 * so that several may be run at once. */
int bits_search(struct search *search, const struct query *query, pass_all *pass, range_step *push, double alpha,
                struct error *error);

#endif
