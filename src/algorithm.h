/* algorithm.h: the one interface between the harness and every algorithm.
 *
 * An algorithm is one struct algorithm, defined in its own file and named in registry.c. It gets the graph, its
 * device and its options; it depends on no command line, file or CSV. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "graph/graph.h"

C_NAMES_BEGIN

/* What an algorithm gives per vertex; struct traversal has an array for each. */
enum output {
    OUTPUT_VISITED = 1u << 0, /* reached or not */
    OUTPUT_PARENT = 1u << 1,  /* the vertex from which it was reached */
    OUTPUT_LEVEL = 1u << 2,   /* number of edges from the source */
    OUTPUT_ORDER = 1u << 3,   /* the vertices in the order they were discovered, or in topological order */
    OUTPUT_TASKS = 1u << 4,   /* tasks (vertices claimed) of every block of the grid */
    OUTPUT_FINISH = 1u << 5,  /* with OUTPUT_ORDER: the vertices in the order in which a DFS finished them */
    /* Only from algorithms that take many sources at once: */
    OUTPUT_SUMS = 1u << 6,         /* a struct source_sums for each source */
    OUTPUT_FARNESS = 1u << 7,      /* sum of each vertex's levels over all sources */
    OUTPUT_LENGTH = 1u << 8,       /* levels of the query's destinations */
    OUTPUT_HARMONIC = 1u << 9,     /* with OUTPUT_FARNESS: that sums reciprocals of levels, as farness_term() */
    OUTPUT_BETWEENNESS = 1u << 10, /* of each vertex, over all sources of the query (betweenness.h) */
    OUTPUT_EDGE_BETWEENNESS = 1u << 11,
    OUTPUT_COMPONENT = 1u << 12, /* the smallest vertex of its component */
    OUTPUT_PATH = 1u << 13       /* with OUTPUT_LENGTH: shortest paths to the query's destinations */
};

/* A tunable, set with --set name=value. A choice's value is the index of the word chosen. */
struct option_spec {
    const char *name;
    double default_value, minimum, maximum;
    const char *choices; /* "random|load-aware", or NULL for a whole number */
    const char *help;
    const char *paper; /* its value with mode=paper, as --set takes it, unless the user sets it; NULL: no other */
    bool for_tests;    /* a hook for tests, which no help shows */
};
#define MAX_OPTIONS 16 /* the list of an algorithm's options ends with a NULL name */

/* An option: a whole number, or one of some words. After the help, any of the other fields: .paper = "32" */
#define NUMBER_OPTION(NAME, DEFAULT, MINIMUM, MAXIMUM, ...)                                                          \
    {                                                                                                                \
        .name = NAME, .default_value = DEFAULT, .minimum = MINIMUM, .maximum = MAXIMUM, .help = __VA_ARGS__          \
    }
#define CHOICE_OPTION(NAME, DEFAULT, CHOICES, ...)                                                                   \
    {                                                                                                                \
        .name = NAME, .default_value = DEFAULT, .choices = CHOICES, .help = __VA_ARGS__                              \
    }

/* A hook for tests: forces code on small graphs that otherwise needs large ones. The first choice is "nothing". */
#define FORCE_OPTION(CHOICES)                                                                                        \
    CHOICE_OPTION("force", 0, "nothing|" CHOICES, "code that tests force on small graphs", .for_tests = true)

/* The option that restores a paper's own settings and structure. what: those that no option of its own restores. */
#define MODE_OPTION(what) CHOICE_OPTION("mode", MODE_BEST, "best|paper", "paper: as the paper has it: " what)
enum option_mode { MODE_BEST, MODE_PAPER };
static inline bool is_paper_mode(double mode) /* the option's value */
{
    return (int)mode == MODE_PAPER;
}

#define UNREACHED UINT32_MAX /* the level of a vertex that the source does not reach */

#define MAX_BLOCKS 4096

enum level_mode { LEVEL_TOP_DOWN, LEVEL_BOTTOM_UP };

/* What a search tells beside its result, if an option asks for it: a table, which is written beside the records. */
struct side_table {
    const char *name, *columns; /* "counters", "what,number" */
    char *rows;                 /* a line of values each, with commas between them; allocated */
    size_t bytes;
};
#define MAX_SIDE_TABLES 2

/* The sums over the levels of one source. */
struct source_sums {
    uint64_t reached;      /* number of vertices, the source included */
    uint64_t level_sum;    /* of the reached vertices */
    uint32_t eccentricity; /* the highest level */
};

/* The result of one trial in host memory, in the input's vertex ids. The harness owns the arrays. An array is NULL
 * if the run does not have the output (run->outputs), or, with an algorithm that takes many sources, if this call
 * does not want it. For a batch, an array with an entry for each vertex belongs to source number `which`; fetch may
 * be called for each source, in any order, until the next traverse. */
struct traversal {
    uint32_t which;   /* set by the harness: 0 to num_sources - 1 of the last query */
    uint8_t *visited; /* num_vertices; 1: reached, 0: not */
    vertex_t *parent; /* num_vertices; the source itself for the source, NO_VERTEX if not reached */
    uint32_t *level;  /* num_vertices; UNREACHED if not reached */
    vertex_t *order;  /* the first num_ordered entries are set */
    uint64_t num_ordered;
    uint64_t *tasks; /* the first num_blocks are set; room for MAX_BLOCKS */
    uint32_t num_blocks;
    vertex_t *finish;                          /* the first num_ordered entries are set */
    bool unordered;                            /* the algorithm set no order, because the graph has a cycle */
    struct side_table tables[MAX_SIDE_TABLES]; /* num_tables; see side_table_begin() */
    int num_tables;
    struct source_sums *sums; /* num_sources of the last query */
    /* Over all sources of all queries since the last fetch of these two arrays (or since prepare); fetching them
     * resets the algorithm's sums to 0. Both are wanted or neither. */
    uint64_t *farness;       /* num_vertices: sum of the vertex's levels from the sources that reach it */
    uint32_t *farness_count; /* num_vertices: how many of the sources reach it, itself included */
    uint32_t *length;        /* num_destinations of the last query; UNREACHED if not reached */
    double *betweenness, *edge_betweenness; /* num_vertices; num_edges, in the order of the graph's targets */
    vertex_t *component;                    /* num_vertices: the smallest vertex of its component */
    /* One after another, the length + 1 vertices of a path to each destination of the last query that is reached,
     * from its source on: num_path in all, which whoever fetches them knows by the lengths. */
    vertex_t *path;
    uint64_t num_path;
};

/* A vertex whose level is wanted; once all are reached, a search may end. */
struct destination {
    uint32_t which; /* index of the source in the query */
    vertex_t vertex;
};

/* What a search is limited to. */
struct limits {
    uint32_t max_level;      /* vertices beyond it are not reached; UNREACHED: no limit */
    const uint8_t *vertices; /* num_vertices; 0: left out, with its edges; no source is. NULL: none is */
    const uint8_t *edges;    /* num_edges, by place in graph->targets; 0: left out. NULL: none is */
};

struct query {
    const vertex_t
        *sources; /* num_sources, 1 to run->batch_size; may repeat; NO_VERTEX in families without sources */
    uint32_t num_sources;
    /* Ascending by which. NULL: every level is wanted. Otherwise a search may end once all its destinations are
     * reached: their levels must be right, and all levels below that of the farthest one; any other vertex has its
     * level or UNREACHED. Sums and farness are not fetched then. */
    const struct destination *destinations;
    uint64_t num_destinations;
    /* NULL: none. Otherwise, for an algorithm that is `limited`: the sources, any number, are level 0 of one search,
     * and a search whose destinations are all reached ends with the level of the farthest, which is complete. */
    const struct limits *limits;
};

#define NOTE_BYTES 512 /* of a run's note, with the zero at its end */

/* A value by its name that a run found out, such as how large a format is, or what was chosen. Both names and words
 * are constants without quotes or backslashes. */
struct fact {
    const char *name, *word; /* word NULL: a number */
    double number;           /* finite */
};
#define MAX_FACTS   10
#define FACTS_BYTES 512 /* of all facts of a run as JSON, with the zero at its end */

#define RUN_BLOCKS 12

/* One algorithm at work on one graph. */
struct run {
    const struct graph *graph;
    struct device *device;
    double options[MAX_OPTIONS]; /* in the order of algorithm->options */
    void *state;                 /* private to the algorithm: prepare allocates it, release frees it */
    void *blocks[RUN_BLOCKS];    /* num_blocks: of run_allocate() */
    int num_blocks;
    char note[NOTE_BYTES]; /* one line for the user, set by prepare: what it chose for this graph and why; or "" */
    struct fact facts[MAX_FACTS]; /* num_facts, set by prepare with run_add_fact(): for programs that read records */
    int num_facts;
    unsigned outputs; /* enum output, or'ed: the outputs of this run; fetch is called for no others */
    int num_trials;   /* number of sources that will follow, so that prepare can decide how much work pays */
    /* Nobody knows how many sources follow: prepare may do without what costs much, and leave it to advance. */
    bool in_steps;
    /* in_steps: what all searches so far have taken, set by the caller of advance; on the emulator, whose times mean
     * nothing, each is 1 ms. And how often advance has prepared. */
    double searched_ms;
    unsigned num_searched, steps;
    uint32_t batch_size; /* set by prepare: the most sources that traverse takes at once; 0 means 1 */
    double build_ms;     /* set by prepare: time in which the device built formats from the graph; or 0 */
    struct error *error;
};

struct algorithm {
    const char *family, *variant; /* "bfs", "queue" */
    const char *title, *citation; /* "WarpNet, frontier queue", "Kalra, 2025, section 1.3.1" */
    enum device_kind device;
    bool serial;                       /* CPU only: runs on one thread, however many there are */
    unsigned outputs;                  /* enum output, or'ed: computed by default */
    unsigned on_request;               /* computed only on request, within the measured time */
    bool limited;                      /* honours query->limits; its fetch takes what arrays of outputs are given, and
                                          may fill result->order with the vertices reached, in any order */
    const struct option_spec *options; /* NULL: none */
    bool searches_pairs;               /* with mode=paper, path lengths take a search for each pair: destination i of
                                          a query is the one of source i, which may repeat */
    /* Returns the algorithm of its family that answers so few pairs on the CPU in less time, or NULL. A NULL function
     * hands over none. */
    const struct algorithm *(*hands_over)(const double *options, uint64_t num_pairs);
    const char *on_named_device; /* the setting that keeps it on the device that the user has named, unless the user
                                    sets this option; NULL: it never leaves the device */
    const char *reorder;         /* the order of the graph unless the user chose one (reorder.h); NULL: any */
    const char *(*reorder_by)(const double *options); /* that order if it depends on the options; NULL: reorder */
    /* Each returns a status, with the message in run->error. release follows prepare even if that failed. */
    int (*prepare)(struct run *run); /* uploads, builds formats: timed separately */
    /* Between searches in_steps: prepares more once searched_ms reaches its price. NULL: there is nothing more. */
    int (*advance)(struct run *run);
    int (*traverse)(struct run *run, const struct query *query); /* one trial: timed */
    int (*fetch)(struct run *run,
                 struct traversal *result); /* copies its result to the harness's arrays: not timed */
    void (*release)(struct run *run);       /* NULL: nothing but blocks of run_allocate() */
};

/* What a level adds to farness. Reciprocals are in units of 1 / harmonic_one(), so that farness is below 2^63 and
 * does not depend on the order of the sources; rounding takes less than n^2 / 2^64 off a sum. */
static inline uint64_t harmonic_one(vertex_t num_vertices)
{
    return UINT64_MAX / 2 / num_vertices;
}
static inline uint64_t farness_term(unsigned outputs, vertex_t num_vertices, uint32_t level)
{
    if (!(outputs & OUTPUT_HARMONIC))
        return level;
    return level > 0 ? (harmonic_one(num_vertices) + level / 2) / level : 0;
}

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
