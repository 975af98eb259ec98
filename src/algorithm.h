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
    /* Outputs of algorithms that take many sources at once: */
    OUTPUT_SUMS = 1u << 5,
    OUTPUT_FARNESS = 1u << 6,
    OUTPUT_HARMONIC = 1u << 7, /* farness sums reciprocals of levels (farness.h); comes with OUTPUT_FARNESS */
    OUTPUT_LENGTH = 1u << 8,
    OUTPUT_PATH = 1u << 9, /* comes with OUTPUT_LENGTH */
    /* Outputs of a single family: */
    OUTPUT_COMPONENT = 1u << 10,   /* wcc, scc */
    OUTPUT_BETWEENNESS = 1u << 11, /* betweenness */
    OUTPUT_EDGE_BETWEENNESS = 1u << 12,
    OUTPUT_DISTANCE = 1u << 13 /* sssp */
};

#define UNREACHED UINT32_MAX /* the level of a vertex that the source does not reach */

/* A table that a search gives in addition to its result, if an option of the algorithm requests it. The harness
 * writes it to a file next to the records. */
struct side_table {
    const char *name, *columns; /* "counters", "what,number" */
    char *rows;                 /* the text of the rows: one line per row, values separated by commas; allocated */
    size_t bytes;
};
#define MAX_SIDE_TABLES 2

/* The sums over the levels of one source. */
struct source_sums {
    uint64_t reached;      /* number of vertices, the source included */
    uint64_t level_sum;    /* sum of the levels of the reached vertices */
    uint32_t eccentricity; /* the highest level */
};

/* The result of one trial in host memory, in the ids of the input. The harness owns the arrays. An array is NULL if
 * the run does not have the output (run->outputs), or, with an algorithm that takes many sources, if this call does
 * not want it. */
struct traversal {
    /* Arrays with an entry per vertex are about one source of the last query: the harness sets `which` to its index,
     * 0 to num_sources - 1. Until the next traverse, fetch may be called for any source, in any order. */
    uint32_t which;
    uint8_t *visited; /* num_vertices: 1 if the vertex is reached, else 0 */
    vertex_t *parent; /* num_vertices: the parent; the source is its own parent; NO_VERTEX if not reached */
    uint32_t *level;  /* num_vertices: distance from the source in edges, or UNREACHED */
    vertex_t *order;  /* num_ordered: the vertices in order of discovery, or in topological order */
    vertex_t *finish; /* num_ordered: the vertices in the order in which a DFS finished them */
    uint64_t num_ordered;

    /* ---- many sources ---- */
    struct source_sums *sums; /* num_sources of the last query */
    /* The next two arrays are sums over all sources of all queries since their last fetch (or since prepare).
     * Fetching them resets the algorithm's sums to 0. Either both arrays are wanted or neither is. */
    uint64_t *farness;       /* num_vertices: sum of the distances to the vertex from all sources that reach it */
    uint32_t *farness_count; /* num_vertices: number of sources that reach it, itself included */
    uint32_t *length;        /* num_destinations of the last query: the level of each destination, or UNREACHED */
    /* num_path: for each reached destination, the length + 1 vertices of a shortest path, beginning at its source;
     * one path after another. The caller of fetch computes num_path from the lengths. */
    vertex_t *path;
    uint64_t num_path;

    /* ---- one family ---- */
    vertex_t *component;      /* num_vertices: the smallest vertex in the component of each vertex */
    double *betweenness;      /* num_vertices: sums over all sources of the query (betweenness.h) */
    double *edge_betweenness; /* num_edges: the same sums for each edge, in the order of graph->targets */
    double *distance;         /* num_vertices: sum of the weights of a shortest path, or NO_PATH (distance.h) */

    /* num_tables; side_table_begin() adds one. Tables of a query come with the result for source number 0. */
    struct side_table tables[MAX_SIDE_TABLES];
    int num_tables;
};

/* A vertex whose level is wanted. A search may end once all its destinations are reached. */
struct destination {
    uint32_t which; /* index of its source in the query */
    vertex_t vertex;
};

/* The part of the graph to which a search is limited. */
struct limits {
    uint32_t max_level;      /* the last level that is searched; UNREACHED: no limit */
    const uint8_t *vertices; /* num_vertices: 0 removes the vertex and its edges, but no source. NULL: removes none */
    const uint8_t *edges;    /* num_edges, in the order of graph->targets: 0 removes the edge. NULL: removes none */
};

struct query {
    /* num_sources, 1 to run->batch_size; a vertex may occur twice; NO_VERTEX in families without sources */
    const vertex_t *sources;
    uint32_t num_sources;
    /* num_destinations, ascending by `which`. NULL: every level is wanted. Otherwise a search may end once all its
     * destinations are reached. The levels of the destinations, and all levels lower than the highest of these, must
     * then be right; every other vertex has its level or UNREACHED. Sums and farness are not fetched. */
    const struct destination *destinations;
    uint64_t num_destinations;
    /* NULL: no limits. Only an algorithm that is `limited` gets limits. All sources are then level 0 of one search.
     * Once all destinations are reached, the search completes the level of the farthest one and ends. */
    const struct limits *limits;
};

#define NOTE_BYTES 512 /* size of a run's note, with the zero at its end */

/* A named value that a run reports, such as the size of a format, or a choice. Names and words are constants without
 * quotes or backslashes. */
struct fact {
    const char *name, *word; /* word: the value; NULL: the value is `number` */
    double number;           /* finite */
};
#define MAX_FACTS   16
#define FACTS_BYTES 1024 /* size of all facts of a run as JSON, with the zero at its end */

/* State for preparing step by step, if nobody knows how many sources follow: prepare may omit expensive work, and
 * leave it to advance. */
struct steps {
    bool wanted;
    double searched_ms;    /* time of all searches so far, set by advance's caller; on the emulator 1 ms per search */
    unsigned num_searched; /* number of searches so far */
    unsigned num_done;     /* number of calls of advance that have prepared something */
};

/* One algorithm at work on one graph. */
struct run {
    const struct graph *graph;
    struct device *device;
    int team_size;               /* of an algorithm that `splits`: the number of devices from `device` on; 0: one */
    double options[MAX_OPTIONS]; /* values, in the order of algorithm->options */
    unsigned outputs;            /* the outputs of this run, enum output or'ed; fetch gets no others */
    uint64_t device_bytes;       /* memory of the first device that must be left after prepare, for the caller */
    int num_sources;             /* number of sources that will follow; prepare does only work that pays off for them */
    struct steps steps;
    uint64_t spare_bytes; /* of device memory that prepare may fill beyond its estimate, to keep less in host memory */
    bool profile;         /* --profile: fetch gives a side table of levels; only for a `profiled` algorithm */
    void *state;          /* private to the algorithm; state_bytes, zeroed before prepare */
    void **blocks;        /* num_blocks; memory from run_allocate() */
    uint64_t num_blocks, block_capacity;
    struct error *error;
    /* Set by prepare: */
    char note[NOTE_BYTES];        /* one line for the user: what was chosen for this graph, and why; or "" */
    struct fact facts[MAX_FACTS]; /* num_facts; run_add_fact() adds one; for programs that read records */
    int num_facts;
    enum memory_step memory_step; /* set by memory_fit() or prepare */
    uint32_t batch_size;          /* maximal number of sources of a traverse; 0 means 1 */
    double build_ms;              /* time that the device took to build formats from the graph, or 0 */
};

struct algorithm {
    const char *family, *variant; /* "bfs", "queue" */
    const char *title, *citation; /* "WarpNet, frontier queue", "Kalra, 2025, section 1.3.1" */
    enum device_kind device;
    unsigned outputs;                  /* outputs computed by default; enum output, or'ed */
    unsigned on_request;               /* outputs computed on request; measured times include them */
    const struct option_spec *options; /* NULL: none */
    const char *reorder;               /* the wanted vertex order, unless the user names one (reorder.h); NULL: any */

    size_t state_bytes; /* size of run->state; 0: prepare allocates it, or the algorithm has none */

    /* Each returns a status, with the message in run->error. A run with a state is released even if prepare fails. */
    int (*prepare)(struct run *run);                             /* uploads, builds formats: timed separately */
    int (*traverse)(struct run *run, const struct query *query); /* one trial: timed */
    int (*fetch)(struct run *run, struct traversal *result);     /* copies the result: not timed */
    void (*release)(struct run *run); /* frees all but the state and run_allocate()'s blocks; NULL: there is no more */

    /* ---- members that most algorithms leave out ---- */
    bool profiled; /* honours run->profile */
    bool serial;   /* a CPU algorithm that runs on one thread, however many there are */
    bool splits;   /* honours run->team_size: one search on several devices. After each call, run->device is in use */
    bool limited;  /* honours query->limits; its fetch fills every array of the result that is not NULL, and may fill
                    * result->order with the reached vertices, in any order */
    /* Returns whether prepare, with these options, can build the lists of a graph without any in host memory. NULL: it
     * cannot, so the graph must have lists. */
    bool (*builds)(const double *options);
    /* Prepares more, between searches, once run->steps.searched_ms reaches the cost of that preparation. */
    int (*advance)(struct run *run);
    /* Returns the vertex order that these options want; replaces `reorder`. */
    const char *(*reorder_by)(const double *options);
    /* With mode=paper, each pair has a search of its own: source i of a query searches for destination i. A vertex
     * may be a source more than once. */
    bool searches_pairs;
    /* Returns an algorithm of the same family that answers this number of pairs faster on the CPU, or NULL. */
    const struct algorithm *(*hands_over)(const double *options, uint64_t num_pairs);
};

/* ---- what an algorithm may call ---- */

/* Returns all outputs that an algorithm can compute, by default or on request, or'ed. */
static inline unsigned all_outputs(const struct algorithm *algorithm)
{
    return algorithm->outputs | algorithm->on_request;
}

/* Allocates zeroed host memory, which run_release() frees. On failure *memory is NULL. */
static inline int run_allocate(struct run *run, void *memory, size_t count, size_t size)
{
    void *block = NULL;
    if (allocate_more(&run->blocks, run->num_blocks, 1, &run->block_capacity, sizeof block, "the search", run->error) ==
            STATUS_OK &&
        allocate_zeroed(&block, count, size, "the search", run->error) == STATUS_OK)
        run->blocks[run->num_blocks++] = block;
    memcpy(memory, &block, sizeof block);
    return run->error->status;
}

/* For fetch: copies bytes of the result, unless the caller does not want them: then `wanted` is NULL. */
static inline void copy_wanted(void *wanted, const void *from, size_t bytes)
{
    if (wanted != NULL)
        memcpy(wanted, from, bytes);
}

/* Adds a fact to the run, which holds at most MAX_FACTS. If the run has a fact of this name, nothing changes. */
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

/* For fetch: begins a table. The caller prints its rows to the returned file and closes it. NULL: memory is short. */
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

/* Allocates the run's state. Call it before the algorithm's prepare, and run_release in any case. */
static inline int run_begin(const struct algorithm *algorithm, struct run *run)
{
    if (algorithm->state_bytes > 0)
        allocate_zeroed(&run->state, 1, algorithm->state_bytes, "the search", run->error);
    return run->error->status;
}

/* Ends a run, after prepare. */
static inline void run_release(const struct algorithm *algorithm, struct run *run)
{
    if (algorithm->release != NULL && run->state != NULL)
        algorithm->release(run);
    free(run->state);
    while (run->num_blocks > 0)
        free(run->blocks[--run->num_blocks]);
    free(run->blocks);
}

/* In traverse, these two calls enclose the traversal proper (kernel_ms), after the reset of per-source state
 * (reset_ms). If an algorithm calls neither, kernel_ms = time_ms and reset_ms = 0. */
static inline void run_kernel_begin(struct run *run)
{
    run->device->mark(run->device, MARK_KERNEL_BEGIN);
}
/* Returns the status of the run, which traverse can return. */
static inline int run_kernel_end(struct run *run)
{
    run->device->mark(run->device, MARK_KERNEL_END);
    return run->error->status;
}

/* registry.c */
extern const struct algorithm *const algorithms[];
extern const int num_algorithms;
/* Returns the version of a GPU algorithm for the emulator, or NULL if this build has none. */
const struct algorithm *emulated_algorithm(const struct algorithm *algorithm);

C_NAMES_END
