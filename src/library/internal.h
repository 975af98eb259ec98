/* internal.h: declarations that the library's files share. Users see only gtrav.h. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "../../include/gtrav.h"
#include "../graph/graph.h"
#include "../progress.h"
#include "../run/engine.h"
#include "../session/choose.h"
#include "../session/orders.h"

/* ---- calls (call.c) ---- */

/* The function that the library calls to report progress. */
struct reporter {
    gtrav_progress *report; /* NULL: none */
    void *context;
};

/* A call. With a context it listens to its thread's progress (progress.h), and uses the context's number of threads. */
struct library_call {
    struct progress_listener listener; /* first member, so a pointer to it is a pointer to the call */
    bool listens;
    struct error error; /* the error of the call; call_end() gives it to the caller */
    gtrav_error *public_error;
    struct reporter reporter;
    atomic_bool *cancelled;     /* the query's request to stop; NULL: there is no query */
    const atomic_uint *cancels; /* counts cancellations of the context, */
    unsigned cancels_before;    /* and its value when the call began */
    atomic_bool stopped;        /* the reporter has asked to stop */
    atomic_ullong done;         /* progress within the phase */
    char phase[64];
    uint64_t total;
    double reported_ms; /* when the reporter was last called */
    pthread_t thread;   /* the thread that calls the reporter */
    struct progress_listener *outer;
    int outer_threads;
};

/* Begins a call. False if it must do nothing: *public_error holds an earlier error, or the process was forked. The
 * caller calls call_end() in every case. context: NULL for short calls that do not search. query: may be NULL. */
bool call_begin(struct library_call *call, gtrav_context *context, gtrav_query *query, gtrav_error *public_error);
/* After call_begin(): says that the call reads about `entries` vertices and edges, `times` times. A small call runs
 * on one thread, whatever the context's number. */
void call_expect(uint64_t entries, uint64_t times);
/* Ends a call and returns its status, STATUS_INTERRUPTED if it was cancelled. Fills the gtrav_error, unless that
 * holds an error already; no other function does. */
int call_end(struct library_call *call);

/* Ends a call with the status of an earlier error, or with STATUS_INPUT if the condition `needs` is false. */
#define REQUIRE(public_error, needs)                                                                                   \
    do {                                                                                                               \
        if (check_arguments(__func__, #needs, needs, public_error) != STATUS_OK)                                       \
            return (public_error) != NULL ? (public_error)->status : STATUS_INPUT;                                     \
    } while (0)
int check_arguments(const char *function, const char *needs, bool given, gtrav_error *public_error);

/* Fails in a process that was forked after its parent had used the library. */
int refuse_fork(pid_t process_of_context, struct error *error);

/* ---- devices (shared_gpus.c) ---- */

/* A GPU and the devices that can stand in for it, shared by all contexts of the process. */
struct shared_gpu {
    struct shared_gpu *next;
    int users;
    struct machine machine;
    pthread_mutex_t turn;
};
/* Returns a shared GPU; shared_gpu_put() gives it back. NULL: memory is short. */
struct shared_gpu *shared_gpu_take(int number, struct error *error);
void shared_gpu_put(struct shared_gpu *gpu);

/* Waits until no other thread searches on the GPU (or emulator), and makes it the thread's device. STATUS_INTERRUPTED
 * if the call is cancelled meanwhile. After a success the caller calls shared_gpu_leave(). gpu: NULL for the CPU,
 * where searches run side by side: both functions then do nothing. */
int shared_gpu_enter(struct shared_gpu *gpu, enum device_kind kind, struct error *error);
void shared_gpu_leave(struct shared_gpu *gpu, enum device_kind kind);

/* The device on which to search: "gpu:1" is a choice and a number. */
struct place {
    enum device_choice choice;
    int number;
};
int place_parse(const char *text, struct place *place, struct error *error);

/* The fewest edges that a call builds on its device, by enum device_kind; fewer are the host's. Tests set it. */
extern uint64_t least_edges_on[NUM_DEVICES];

/* ---- handles ---- */

struct gtrav_context {
    atomic_int references; /* one of the caller, which gtrav_context_free() drops, and one per graph */
    struct place place;
    struct shared_gpu *gpu; /* the GPU of the place */
    int threads;
    pid_t process; /* the process that made the context */
    char device[128];
    atomic_uint cancels;
    pthread_mutex_t lock; /* guards the reporter */
    struct reporter reporter;
};

/* Arrays of the caller that a graph uses; NULL: none. */
struct borrowed {
    const void *offsets, *targets;
};

struct prepared; /* an engine and everything that it uses */

struct gtrav_graph {
    gtrav_context *context;
    struct graph graph;
    struct borrowed borrowed;
    struct graph of_file; /* the same graph in its file's order; empty if that is the same order */
    uint64_t *ids;        /* the ids, if the graph is reordered and has numbers as ids; NULL: use graph.ids */
    vertex_t *place_of;   /* the inverse of the permutation; NULL: not made yet. Guarded by the lock */
    struct orders orders;
    pthread_mutex_t lock;
    struct prepared *idle; /* list of engines that no search uses; `lock` guards it and `forgotten` */
    unsigned forgotten;    /* number of calls of gtrav_graph_forget() */
};

struct gtrav_query {
    char *variant, *device, *reorder; /* NULL: the default */
    bool verify, bytes, on_device, counts_edges, optional_order;
    const char **settings; /* num_settings: "alpha=14" */
    int num_settings;
    struct reporter reporter;
    atomic_bool cancelled;
    struct gtrav_times times;
    char ran[128], note[NOTE_BYTES];
};

/* The life of a search. Each family of calls fills a `wanted`: the answers that it takes, and what the result depends
 * on. With the query it becomes wishes, for which choose() (session/choose.h) gives a choice: algorithm, device,
 * options. The choice and an order are the preparation, for which the graph keeps or makes a `prepared`: an engine
 * with its request. search_end() gives it back. */

/* ---- engines (prepared.c) ---- */

/* What an engine is prepared for. */
struct preparation {
    struct choice choice;
    struct shared_gpu *gpu;        /* NULL: it searches on the CPU */
    struct order *order;           /* NULL: the graph's own order, or the file's */
    const struct graph *reordered; /* the graph in that order, or in the file's; NULL: its own order */
    unsigned outputs;
    uint64_t num_sources;
};

struct prepared {
    struct prepared *next;
    struct preparation preparation; /* holds references to the GPU and the order */
    struct bench_request request;
    struct engine engine;
    struct device cpu;     /* the engine's own CPU device, with its own clock; open only if it runs there */
    unsigned generation;   /* generation of the device when the engine was made */
    unsigned forgotten;    /* the graph's `forgotten` when the engine was made */
    bool is_new;           /* the engine was made for the search in progress */
    char phase[64];        /* for progress_begin(): "bfs gap" */
    struct traversal room; /* arrays for outputs that the caller does not want */
    uint32_t *wide_levels; /* on the device, for end_levels(); NULL: not needed yet */
};

/* Takes an idle engine of the graph, or prepares one, on a device that the caller has entered. The engine reports
 * errors in *error until prepared_put() gives it back. NULL: preparing failed. */
struct prepared *prepared_take(gtrav_graph *graph, const struct preparation *wanted, struct error *error);
/* Gives the engine back. The graph keeps it for a later search, unless `status` is a failure. */
void prepared_put(gtrav_graph *graph, struct prepared *prepared, int status);

/* ---- searches (search.c) ---- */

#define SOURCES_UNKNOWN UINT64_MAX

struct wanted {
    struct answer answers[MAX_ANSWERS]; /* in order of preference; ends with a NULL family */
    bool prefers_cpu;                   /* by default the CPU searches, unless the user names a device */
    bool by_own_ids;                    /* the result depends on the order of the vertices */
    bool of_lengths;                    /* the result depends on lengths of paths, which are counted in edges */
    bool in_own_order;                  /* the algorithm gets the graph in its own order */
    uint64_t num_pairs;                 /* number of pairs to answer; a CPU may answer few pairs (pairs.h) */
    bool has_paths;                     /* paths of the pairs are wanted */
    unsigned optional;                  /* with OUTPUTS_NEEDED: further outputs, if the algorithm can compute them */
    uint64_t num_sources;               /* number of sources that will follow, or SOURCES_UNKNOWN */
    /* The outputs with which the engine is opened. By default: those of the algorithm and those of the answer. */
    enum { OUTPUTS_DEFAULT, OUTPUTS_NEEDED, OUTPUTS_OF_PAIRS, OUTPUTS_OF_CLOSENESS } outputs;
};

struct search {
    struct library_call call;
    gtrav_graph *graph;
    gtrav_query *query;             /* NULL: all defaults */
    struct shared_gpu *gpu;         /* the GPU of the place, whether the search uses it or not */
    struct preparation preparation; /* holds a reference to the order */
    struct prepared *prepared;
    bool entered; /* the device is entered, and must be left */
    uint64_t seed;
    double began_ms, searched_ms; /* searched_ms includes resets */
    struct gtrav_times times;
    const struct algorithm *asked; /* the algorithm chosen first; few pairs may get another one */
};

/* Begins a search: chooses the algorithm and takes an engine. Without sources or vertices search->prepared is NULL.
 * False: *public_error or search->call.error says why. The caller always calls search_end(), and gets the status. */
bool search_begin(struct search *search, gtrav_graph *graph, gtrav_query *query, const struct wanted *wanted,
                  gtrav_error *public_error);
int search_end(struct search *search);

/* Runs the engine once, and adds the times to the search's. Fails if the search was cancelled. */
int search_traverse(struct search *search, const struct query *query);
/* Fetches the arrays of result that are not NULL, for source number result->which. */
int search_fetch(struct search *search, uint32_t num_sources, struct traversal *result);

/* STATUS_INPUT if a vertex is not in the graph. what: "source" */
int check_vertices(const struct graph *graph, const uint32_t *vertices, uint64_t count, const char *what,
                   struct error *error);

static inline bool verifies(const struct search *search)
{
    return search->query != NULL && search->query->verify;
}
static inline bool narrows(const struct search *search) /* levels become bytes */
{
    return search->query != NULL && search->query->bytes;
}

/* Sets each array of the result that the engine needs and the caller has not given to one of the engine's room. */
int complete_arrays(struct search *search, struct traversal *result);
/* Runs a query that is one search. Fetches the result and checks it. */
int search_once(struct search *search, const struct query *query, struct traversal *result);

/* ---- results that stay on a device, levels as bytes (memory.c) ---- */

/* Before a search, begin_levels() sets *level to the array for its levels: `wanted`, or NULL for the engine's own.
 * Afterwards, end_levels() converts the levels to bytes if the caller wants bytes. */
int begin_levels(struct search *search, uint32_t *wanted, uint32_t **level);
int end_levels(struct search *search, uint32_t *level, uint32_t *wanted);

/* ---- graphs (graph.c) ---- */

/* Makes a handle that owns the graph, and empties *own; on failure the caller still owns it. borrowed may be NULL. */
int graph_adopt(gtrav_context *context, struct graph *own, const struct borrowed *borrowed, gtrav_graph **graph,
                struct error *error);
/* Frees a graph, but not its borrowed arrays. */
void graph_release_own(struct graph *graph, const struct borrowed *borrowed);
/* Ends a call that makes a graph. Sets *graph to NULL if the call has failed. Returns the status. */
int graph_call_end(struct library_call *call, gtrav_graph **graph);
