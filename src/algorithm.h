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
    OUTPUT_FINISH = 1u << 5   /* with OUTPUT_ORDER: the vertices in the order a DFS was done with them */
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
};

/* The result of one trial in host memory, in the input's vertex ids. The harness owns the arrays; those of outputs
 * that the algorithm does not have are NULL. */
struct traversal {
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
};

struct query {
    vertex_t source; /* ignored by families without sources */
};

/* One algorithm at work on one graph. */
struct run {
    const struct graph *graph;
    struct device *device;
    double options[MAX_OPTIONS]; /* values, in the order of algorithm->options */
    void *state;                 /* the algorithm's own: made by prepare, freed by release */
    char note[256];              /* one line for the user, by prepare: what it chose for this graph, and why; or "" */
    unsigned outputs;            /* enum output, or'ed: what this run gives */
    struct error *error;
};

struct algorithm {
    const char *family, *variant; /* "bfs", "queue" */
    const char *title, *citation; /* "WarpNet, frontier queue", "Kalra, 2025, section 1.3.1" */
    enum device_kind device;
    unsigned outputs;                  /* enum output, or'ed */
    unsigned on_request;               /* those that it gives only if asked to, in its time */
    const struct option_spec *options; /* NULL: none */
    /* Each returns a status, with the message in run->error. release is called after prepare whatever it returned. */
    int (*prepare)(struct run *run);                             /* upload, reorder, build formats: timed apart */
    int (*traverse)(struct run *run, const struct query *query); /* one trial: timed */
    int (*fetch)(struct run *run, struct traversal *result);     /* its result into the harness's arrays: not timed */
    void (*release)(struct run *run);
};

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
