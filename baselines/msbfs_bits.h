/* msbfs_bits.h: breadth-first searches from many sources with one bit per source, for MS-BFS and MS-PBFS
 * (msbfs_then_pbfs.c).
 *
 * Each vertex has three rows of `words` words, with one bit per source: seen (reached so far), frontier (reached on
 * the last level) and next (reached on this level). A level takes two passes over the vertices top-down, or one
 * bottom-up (Then et al., VLDB 2014, listings 3 and 4: aggregated neighbour processing):
 *
 *   expand      next[w] |= frontier[v]                          for every v -> w where frontier[v] is not empty
 *   settle      next[v] &= ~seen[v];  seen[v] |= next[v];  frontier[v] = 0
 *   bottom_up   next[v] = OR of frontier[u] over u -> v, until no bit is missing; then like settle
 *
 * Then frontier and next are swapped. Vertices are processed in chunks. Two bytes per chunk say whether there is
 * anything to do: `active` if a row of the frontier may be set, `touched` if expand has written to a row of next.
 * These bytes are swapped as well. Without them, every level of a graph with thousands of levels would read all rows.
 *
 * `alive` has the bits of unfinished searches: they found a vertex in the last level and, if the query has
 * destinations, have open destinations. A bottom-up step does not wait for the bits of other searches. Levels take
 * one byte each while that is enough, then two, then four.
 *
 * The steps are compiled for 1, 4 and 8 words (64, 256, 512 sources), each in portable code, for AVX2 and for
 * AVX-512. The program takes the best that the machine has, unless an option names another. */
#pragma once

#include "../src/algorithm.h"

#define WORD_BITS   64u
#define MAX_WORDS   8u
#define MAX_LANES   (WORD_BITS * MAX_WORDS)
#define PLANES      8u /* bits of the vertical counters; a worker empties them every 2^PLANES - 1 vertices */
#define MAX_WORKERS 1024
#define LOOK        4096u /* chunks between two checks whether the user wants to stop */
#define CHUNK       32u   /* vertices */
#define APART       128   /* bytes between data of different threads: two cache lines, which are fetched together */

/* What one thread finds in a step. */
struct worker {
    uint64_t planes[PLANES][MAX_WORDS]; /* vertical counters: bit k of source s's count is bit s of planes[k] */
    unsigned added;                     /* number of rows since the planes were emptied */
    uint64_t count[MAX_LANES];          /* vertices that each source has found in this level */
    uint64_t found[MAX_WORDS];          /* OR of the rows found */
    edge_t edges;                       /* out-edges of the vertices found */
    edge_t closed;                      /* in-edges of vertices that all searches have now seen */
    char apart[APART];
    struct stretch {   /* chunks that the worker starts with, and that others steal from (msbfs_then_pbfs.c) */
        uint64_t next; /* the first chunk not taken */
        uint32_t end;
    } stretch;
    char apart_from_next[APART];
};

struct search {
    struct bits *bits;                /* the run that the search belongs to */
    uint64_t *seen, *frontier, *next; /* num_vertices x words */
    uint8_t *active, *touched;        /* num_chunks */
    void *level;                      /* num_vertices x lanes, level_bytes each; NULL if not wanted */
    unsigned level_bytes;
    struct worker *workers; /* num_workers */
    int num_workers;
    uint32_t first, num_sources; /* its part of the query's sources: the first one, and their number */
    uint64_t alive[MAX_WORDS];
    uint32_t depth; /* the level being found */
    struct open_destination {
        struct destination destination; /* `which` counts from the search's first source */
        uint64_t index;                 /* index in the query */
    } * open;                           /* num_open destinations that are not found yet */
    uint64_t num_open;
    uint32_t open_of[MAX_LANES]; /* number of open destinations of each source */
};

/* A step on chunks first .. last - 1. Each chunk has one worker; only expand writes rows of other chunks. */
typedef void range_step(struct search *search, struct worker *worker, uint32_t first, uint32_t last);
struct bit_steps {
    range_step *expand, *expand_shared, *settle, *bottom_up; /* expand_shared: for several threads at once */
};

/* The state of a run. */
struct bits {
    const struct graph *out, *in; /* in: the transpose of a directed graph */
    struct graph transpose;
    struct bit_steps steps;
    unsigned words;
    uint32_t lanes;          /* words * WORD_BITS: sources of one search, at most */
    struct search *searches; /* num_searches with one worker each, or one search with all workers */
    int num_searches;
    uint32_t num_chunks;
    struct worker *workers; /* num_workers */
    int num_workers;
    struct source_sums *sums; /* num_searches x lanes; NULL if not wanted */
    unsigned outputs;         /* the run's */
    uint64_t *farness;        /* num_vertices; NULL if not wanted */
    uint32_t *farness_count;  /* num_vertices; the same */
    uint32_t *length;         /* num_lengths */
    uint64_t num_lengths;
    uint32_t num_sources; /* sources of the last query */
};

/* Runs a step on all chunks, in any division, or only on some of them if the user wants to stop. */
typedef void pass_all(struct search *search, range_step *step);

/* ---- msbfs_bits.c: the steps, and a search made of them ---- */

/* Instruction sets, in the order of the option CODE. */
enum { PORTABLE, WITH_AVX2, WITH_AVX512 };
int bits_best_instructions(void); /* Returns the best that this machine has. */
/* Returns the steps for rows of 1, 4 or 8 words (width 0, 1, 2). */
struct bit_steps bits_steps(int instructions, int width);
void bits_fill(void *memory, int value, size_t bytes, int threads); /* memset on `threads` threads */

/* Runs one search to its end. Fails only if there is no memory for wider levels. Searches write to different rows, so
 * several may run at once. */
int bits_search(struct search *search, const struct query *query, pass_all *pass, range_step *push,
                struct error *error);
