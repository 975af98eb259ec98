/* algorithm.h: the one interface between the harness and every algorithm.
 *
 * An algorithm is one struct algorithm, defined in its own file and named in registry.c. It sees the graph, its
 * device and its options, and knows nothing of the command line, files or CSV. */
#ifndef GTRAV_ALGORITHM_H
#define GTRAV_ALGORITHM_H

#include "device.h"
#include "graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an algorithm gives per vertex; struct traversal has an array for each. */
enum output {
    OUTPUT_VISITED = 1u << 0, /* reached or not */
    OUTPUT_PARENT = 1u << 1,  /* vertex it was reached from */
    OUTPUT_LEVEL = 1u << 2,   /* number of arcs from the source */
    OUTPUT_ORDER = 1u << 3,   /* the vertices in the order they were discovered, or in topological order */
    OUTPUT_TASKS = 1u << 4,   /* tasks (vertices claimed) of every block of the grid */
    OUTPUT_FINISH = 1u << 5,  /* with OUTPUT_ORDER: the vertices in the order a DFS was done with them */
    /* Of algorithms that take many sources at once: */
    OUTPUT_SUMS = 1u << 6,  /* a row for each source: what its levels come to */
    OUTPUT_FAR = 1u << 7,   /* sum of each vertex's levels over all sources */
    OUTPUT_LENGTH = 1u << 8 /* levels of the query's destinations */
};

/* A tunable, set with --set name=value. A choice's value is the index of the word chosen. */
struct option_spec {
    const char *name;
    double default_value, minimum, maximum;
    const char *choices; /* "random|load-aware", or NULL for a whole number */
    const char *help;
};
#define MAX_OPTIONS 16 /* the list of an algorithm's options ends with a NULL name */

#define UNREACHED UINT32_MAX /* the level of a vertex that the source does not reach */

#define MAX_BLOCKS 4096

/* A level of a traversal. */
enum level_mode { LEVEL_TOP_DOWN, LEVEL_BOTTOM_UP };
struct trace_row {
    uint32_t level;    /* of the vertices that it found */
    uint64_t frontier; /* vertices that it started from */
    enum level_mode mode;
    double ms;
    /* Of algorithms that choose how a level's frontier is made: the way, in their word; else NULL, and 0 for: */
    const char *generation;
    uint64_t checked; /* edges that were looked at */
    uint64_t early;   /* vertices of the next level that were found, too */
};

/* How many frontiers of the bottom-up levels had so many edges, and looked at so many; from these numbers on, up to
 * twice as many. */
struct work_row {
    uint64_t degree, checked, frontiers;
};

/* What the levels of one source come to. */
struct source_sums {
    uint64_t reached;      /* vertices, the source included */
    uint64_t level_sum;    /* of the reached vertices */
    uint32_t eccentricity; /* the highest level */
};

/* The result of one trial in host memory, in the input's vertex ids. The harness owns the arrays; those of outputs
 * that the run does not have (run->outputs) are NULL, and of an algorithm that takes many sources those, too, that
 * are not wanted at this call. Of a batch, what is an entry a vertex is that of source number `which`; fetch may be
 * called for each of them, in any order, until the next traverse. */
struct traversal {
    uint32_t which;   /* set by the harness: 0 to num_sources - 1 of the last query */
    uint8_t *visited; /* num_vertices; 1: reached */
    vertex_t *parent; /* num_vertices; the source's is itself, NO_VERTEX where not reached */
    uint32_t *level;  /* num_vertices; UNREACHED where not reached */
    vertex_t *order;  /* the first num_ordered entries are set */
    uint64_t num_ordered;
    uint64_t *tasks; /* the first num_blocks are set; room for MAX_BLOCKS */
    uint32_t num_blocks;
    vertex_t *finish; /* the first num_ordered entries are set */
    bool unordered;   /* by an algorithm that has orders on acyclic graphs only, on one with a cycle: it sets none */
    struct trace_row *trace; /* num_trace rows, allocated by fetch if an option asks for them; else NULL and 0 */
    uint64_t num_trace;
    struct work_row *work; /* num_work rows; the same */
    uint64_t num_work;
    struct source_sums *sums; /* num_sources of the last query */
    /* Over all sources of all queries since the last fetch that took these (or since prepare): taking them sets the
     * algorithm's back to 0. Both or neither. */
    uint64_t *far;       /* num_vertices: sum of the vertex's levels, from those sources that reach it */
    uint32_t *far_count; /* num_vertices: how many of the sources reach it, itself included */
    uint32_t *length;    /* num_destinations of the last query; UNREACHED where not reached */
};

/* Where a search may end. */
struct destination {
    uint32_t which;  /* of the query's sources */
    vertex_t vertex; /* its level is wanted */
};

struct query {
    vertex_t source;         /* ignored by families without sources; of a batch, the first */
    const vertex_t *sources; /* num_sources, 1 to run->batch_size; not always distinct */
    uint32_t num_sources;
    /* Ascending by which. NULL: every level is wanted. Else a search may end once its destinations have theirs:
     * these are right, and all levels below that of its farthest one; any other vertex has its level, or UNREACHED.
     * Sums and far values are not asked for then. */
    const struct destination *destinations;
    uint64_t num_destinations;
};

/* One algorithm at work on one graph. */
struct run {
    const struct graph *graph;
    struct device *device;
    double options[MAX_OPTIONS]; /* values, in the order of algorithm->options */
    void *state;                 /* the algorithm's own: made by prepare, freed by release */
    char note[256];              /* one line for the user, by prepare: what it chose for this graph, and why; or "" */
    unsigned outputs;            /* enum output, or'ed: what this run gives; fetch is asked for nothing else */
    int num_trials;              /* sources that are to come, for prepare to weigh itself against */
    uint32_t batch_size;         /* by prepare: sources that traverse takes at once, at most; 0: one, as 1 */
    double build_ms;             /* by prepare: what it took the device to build formats from the graph there; or 0 */
    struct error *error;
};

struct algorithm {
    const char *family, *variant; /* "bfs", "queue" */
    const char *title, *citation; /* "WarpNet, frontier queue", "Kalra, 2025, section 1.3.1" */
    enum device_kind device;
    bool serial;                       /* of the CPU's: it runs on one thread, however many there are */
    unsigned outputs;                  /* enum output, or'ed: unless others are asked for */
    unsigned on_request;               /* those that it gives only if asked to, in its time */
    const struct option_spec *options; /* NULL: none */
    const char *reorder; /* the order that the graph shall be in if nobody chose one (reorder.h); NULL: any */
    /* Each returns a status, with the message in run->error. release is called after prepare whatever it returned. */
    int (*prepare)(struct run *run);                             /* upload, build formats: timed apart */
    int (*traverse)(struct run *run, const struct query *query); /* one trial: timed */
    int (*fetch)(struct run *run, struct traversal *result);     /* its result into the harness's arrays: not timed */
    void (*release)(struct run *run);
};

/* What an algorithm gives, asked for or not; or'ed. */
static inline unsigned all_outputs(const struct algorithm *algorithm)
{
    return algorithm->outputs | algorithm->on_request;
}

/* Brackets the traversal alone (kernel_ms) inside traverse, after the reset of per-source state. An algorithm that
 * calls neither has kernel_ms = time_ms. */
static inline void run_kernel_begin(struct run *run)
{
    run->device->mark(run->device, MARK_KERNEL_BEGIN);
}
static inline void run_kernel_end(struct run *run)
{
    run->device->mark(run->device, MARK_KERNEL_END);
}

/* registry.c */
extern const struct algorithm *const algorithms[];
extern const int num_algorithms;
/* A GPU algorithm's twin that runs on the emulator; NULL: this build has none. */
const struct algorithm *emulated_algorithm(const struct algorithm *algorithm);

#ifdef __cplusplus
}
#endif
#endif
