/* algorithm.h: the one interface between the harness and every algorithm.
 *
 * An algorithm is one struct algorithm, defined in its own file and named in registry.c. The harness calls its
 * functions in this order, with one struct run:
 *
 *     prepare                  uploads the graph, builds what searches need
 *       traverse, fetch        searches (timed), copies the result to a struct traversal; once for each query
 *     release
 *
 * An algorithm gets the graph, its device and its options. It depends on no command line, file or CSV. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "graph/graph.h"
#include "option_spec.h"

C_NAMES_BEGIN

/* What an algorithm computes. struct traversal has an array for each; the comments there say what it holds. */
enum output {
    OUTPUT_VISITED = 1u << 0,
    OUTPUT_PARENT = 1u << 1,
    OUTPUT_LEVEL = 1u << 2,
    OUTPUT_ORDER = 1u << 3,
    OUTPUT_FINISH = 1u << 4, /* comes with OUTPUT_ORDER */
    /* Of algorithms that take many sources at once: */
    OUTPUT_SUMS = 1u << 5,
    OUTPUT_FARNESS = 1u << 6,
    OUTPUT_HARMONIC = 1u << 7, /* farness sums reciprocals of levels (farness.h); comes with OUTPUT_FARNESS */
    OUTPUT_LENGTH = 1u << 8,
    OUTPUT_PATH = 1u << 9, /* comes with OUTPUT_LENGTH */
    /* Of one family: */
    OUTPUT_COMPONENT = 1u << 10,   /* wcc, scc */
    OUTPUT_BETWEENNESS = 1u << 11, /* betweenness */
    OUTPUT_EDGE_BETWEENNESS = 1u << 12,
    OUTPUT_TASKS = 1u << 13 /* dfs: DiggerBees */
};

#define UNREACHED UINT32_MAX /* the level of a vertex that the source does not reach */

/* A table about a search, beside its result, that an option of the algorithm asks for. It is written to a file beside
 * the records. */
struct side_table {
    const char *name, *columns; /* "counters", "what,number" */
    char *rows;                 /* a line of values each, with commas between them; allocated */
    size_t bytes;
};
#define MAX_SIDE_TABLES 2

/* The sums over the levels of one source. */
struct source_sums {
    uint64_t reached;      /* number of vertices, the source included */
    uint64_t level_sum;    /* sum of the levels of the reached vertices */
    uint32_t eccentricity; /* the highest level */
};

#define MAX_BLOCKS 4096 /* of a grid whose tasks are counted */

/* The result of one trial in host memory, in the ids of the input. The harness owns the arrays. An array is NULL if
 * the run does not have the output (run->outputs), or, with an algorithm that takes many sources, if this call does
 * not want it. */
struct traversal {
    /* For a batch, arrays of vertices belong to source number `which`, which the harness sets: 0 to num_sources - 1
     * of the last query. fetch may be called for each source, in any order, until the next traverse. */
    uint32_t which;
    uint8_t *visited; /* num_vertices: 1: reached, 0: not */
    vertex_t *parent; /* num_vertices: the vertex from which it was reached; the source for the source; NO_VERTEX */
    uint32_t *level;  /* num_vertices: number of edges from the source; UNREACHED */
    vertex_t *order;  /* num_ordered: vertices as they were discovered, or in topological order */
    vertex_t *finish; /* num_ordered: vertices as a DFS finished them */
    uint64_t num_ordered;
    bool unordered; /* the algorithm set no order, because the graph has a cycle */

    /* ---- many sources ---- */
    struct source_sums *sums; /* num_sources of the last query */
    /* Sums over all sources of all queries since the last fetch of these two arrays (or since prepare). Fetching them
     * sets the algorithm's sums to 0. Both are wanted or neither. */
    uint64_t *farness;       /* num_vertices: sum of the vertex's levels from the sources that reach it */
    uint32_t *farness_count; /* num_vertices: number of sources that reach it, itself included */
    uint32_t *length;        /* num_destinations of the last query: levels; UNREACHED */
    /* num_path: for each destination that is reached, the length + 1 vertices of a shortest path from its source on,
     * one path after another. The caller of fetch knows num_path by the lengths. */
    vertex_t *path;
    uint64_t num_path;

    /* ---- one family ---- */
    vertex_t *component;      /* num_vertices: the smallest vertex of its component */
    double *betweenness;      /* num_vertices: sums over all sources of the query (betweenness.h) */
    double *edge_betweenness; /* num_edges, in the order of the graph's targets */
    uint64_t *tasks;          /* num_blocks, at most MAX_BLOCKS: vertices that each block of the grid claimed */
    uint32_t num_blocks;

    struct side_table tables[MAX_SIDE_TABLES]; /* num_tables, by side_table_begin() */
    int num_tables;
};

/* A vertex whose level is wanted. A search may end once all its destinations are reached. */
struct destination {
    uint32_t which; /* index of its source in the query */
    vertex_t vertex;
};

/* The part of the graph to which a search is limited. */
struct limits {
    uint32_t max_level;      /* highest level; UNREACHED: no limit */
    const uint8_t *vertices; /* num_vertices: 0: left out, with its edges; no source is left out. NULL: none is */
    const uint8_t *edges;    /* num_edges, by place in graph->targets: 0: left out. NULL: none is */
};

struct query {
    /* num_sources, 1 to run->batch_size; may repeat; NO_VERTEX in families without sources */
    const vertex_t *sources;
    uint32_t num_sources;
    /* num_destinations, ascending by `which`. NULL: every level is wanted. Otherwise a search may end once all its
     * destinations are reached. Then their levels must be right, and all levels below that of the farthest one; any
     * other vertex has its level or UNREACHED. Sums and farness are not fetched. */
    const struct destination *destinations;
    uint64_t num_destinations;
    /* NULL: none. Otherwise, only for an algorithm that is `limited`: all sources are level 0 of one search, and a
     * search whose destinations are all reached ends with the level of the farthest, which is complete. */
    const struct limits *limits;
};

#define NOTE_BYTES 512 /* of a run's note, with the zero at its end */

/* A named value that a run found out, such as the size of a format, or a choice. Names and words are constants
 * without quotes or backslashes. */
struct fact {
    const char *name, *word; /* word NULL: a number */
    double number;           /* finite */
};
#define MAX_FACTS   10
#define FACTS_BYTES 512 /* of all facts of a run as JSON, with the zero at its end */

/* Preparing bit by bit, while nobody knows how many sources follow: prepare may do without what costs much, and leave
 * it to advance. */
struct steps {
    bool wanted;
    double searched_ms;    /* time of all searches so far, by the caller of advance; on the emulator 1 ms a search */
    unsigned num_searched; /* number of these searches */
    unsigned num_done;     /* times that advance has prepared something */
};

#define RUN_BLOCKS 12

/* One algorithm at work on one graph. */
struct run {
    const struct graph *graph;
    struct device *device;
    double options[MAX_OPTIONS]; /* in the order of algorithm->options */
    unsigned outputs;            /* enum output, or'ed: the outputs of this run; fetch is called for no others */
    int num_trials;              /* number of sources that will follow, by which prepare decides how much work pays */
    struct steps steps;
    void *state;              /* private to the algorithm: prepare allocates it, release frees it */
    void *blocks[RUN_BLOCKS]; /* num_blocks, by run_allocate() */
    int num_blocks;
    struct error *error;
    /* Set by prepare: */
    char note[NOTE_BYTES];        /* one line for the user: what was chosen for this graph, and why; or "" */
    struct fact facts[MAX_FACTS]; /* num_facts, by run_add_fact(): for programs that read records */
    int num_facts;
    uint32_t batch_size; /* the most sources that traverse takes at once; 0 means 1 */
    double build_ms;     /* time in which the device built formats from the graph; or 0 */
};

struct algorithm {
    const char *family, *variant; /* "bfs", "queue" */
    const char *title, *citation; /* "WarpNet, frontier queue", "Kalra, 2025, section 1.3.1" */
    enum device_kind device;
    unsigned outputs;                  /* enum output, or'ed: computed by default */
    unsigned on_request;               /* computed only on request, within the measured time */
    const struct option_spec *options; /* NULL: none */
    const char *reorder;               /* the order of the graph unless the user chose one (reorder.h); NULL: any */

    /* Each returns a status, with the message in run->error. release follows prepare even if that failed. */
    int (*prepare)(struct run *run);                             /* uploads, builds formats: timed separately */
    int (*traverse)(struct run *run, const struct query *query); /* one trial: timed */
    int (*fetch)(struct run *run, struct traversal *result);     /* copies the result: not timed */
    void (*release)(struct run *run);                            /* NULL: frees nothing but run_allocate()'s blocks */

    /* ---- what few algorithms have ---- */
    bool serial;  /* a CPU algorithm that runs on one thread, however many there are */
    bool limited; /* honours query->limits. Its fetch takes whatever arrays of outputs are given, and may fill
                     result->order with the vertices reached, in any order */
    /* Prepares more, between searches, once run->steps.searched_ms reaches its price. */
    int (*advance)(struct run *run);
    /* Returns the order of the graph by the options, in place of `reorder`. */
    const char *(*reorder_by)(const double *options);
    /* With mode=paper, each pair has a search of its own: source i of a query searches for destination i. A vertex
     * may be a source more than once. */
    bool searches_pairs;
    /* Returns the algorithm of its family that answers so few pairs on the CPU in less time, or NULL. */
    const struct algorithm *(*hands_over)(const double *options, uint64_t num_pairs);
};

/* ---- what an algorithm may call ---- */

/* All outputs that an algorithm can give, by default or on request; or'ed. */
static inline unsigned all_outputs(const struct algorithm *algorithm)
{
    return algorithm->outputs | algorithm->on_request;
}

/* Allocates zeroed host memory, at most RUN_BLOCKS times in a run, that run_release() frees. */
static inline int run_allocate(struct run *run, void *memory, size_t count, size_t size)
{
    allocate_zeroed(memory, count, size, "the search", run->error);
    memcpy(&run->blocks[run->num_blocks++], memory, sizeof *run->blocks);
    return run->error->status;
}

/* Adds a fact, at most MAX_FACTS in a run. A name that is there already keeps its value. */
static inline void run_add_fact(struct run *run, struct fact fact)
{
    for (int i = 0; i < run->num_facts; i++)
        if (strcmp(run->facts[i].name, fact.name) == 0)
            return;
    run->facts[run->num_facts++] = fact;
}
static inline void run_add_number(struct run *run, const char *name, double number)
{
    struct fact fact = {name, NULL, number};
    run_add_fact(run, fact);
}
static inline void run_add_word(struct run *run, const char *name, const char *word)
{
    struct fact fact = {name, word, 0};
    run_add_fact(run, fact);
}

/* In fetch: the file to which the rows of a new table are printed; the caller closes it. NULL: memory is short. */
static inline FILE *side_table_begin(struct run *run, struct traversal *result, const char *name, const char *columns)
{
    struct side_table *table = &result->tables[result->num_tables++];
    table->name = name;
    table->columns = columns;
    table->rows = NULL;
    FILE *file = open_memstream(&table->rows, &table->bytes);
    if (file == NULL)
        error_set(run->error, STATUS_INPUT, "out of memory: the table of %s", name);
    return file;
}

/* Ends a run, after prepare. */
static inline void run_release(const struct algorithm *algorithm, struct run *run)
{
    if (algorithm->release != NULL)
        algorithm->release(run);
    while (run->num_blocks > 0)
        free(run->blocks[--run->num_blocks]);
}

/* Brackets the traversal alone (kernel_ms) inside traverse, after the reset of per-source state (reset_ms). An
 * algorithm that calls neither has kernel_ms = time_ms and reset_ms = 0. */
static inline void run_kernel_begin(struct run *run)
{
    run->device->mark(run->device, MARK_KERNEL_BEGIN);
}
/* Returns the run's status, as traverse does. */
static inline int run_kernel_end(struct run *run)
{
    run->device->mark(run->device, MARK_KERNEL_END);
    return run->error->status;
}

/* registry.c */
extern const struct algorithm *const algorithms[];
extern const int num_algorithms;
/* The version of a GPU algorithm that runs on the emulator; NULL if this build has none. */
const struct algorithm *emulated_algorithm(const struct algorithm *algorithm);

C_NAMES_END
