/* internal.h: what the files of the library share. gtrav.h is what others see of it. */
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

/* Who is told of progress. */
struct reporter {
    gtrav_progress *report; /* NULL: nobody */
    void *context;
};

/* A call of the library. A call with a context listens to progress.h for its thread, and uses the context's number of
 * OpenMP threads. */
struct library_call {
    struct progress_listener listener; /* first, so that a listener is its call */
    bool listens;
    struct error error; /* every error of the call; call_end() gives it to the caller */
    gtrav_error *public_error;
    struct reporter reporter;
    atomic_bool *cancelled;     /* the query's request to stop; NULL: there is no query */
    const atomic_uint *cancels; /* how often the context was cancelled; */
    unsigned cancels_before;    /* and at the begin of the call */
    atomic_bool stopped;        /* the reporter has asked for the end */
    atomic_ullong done;         /* progress within the phase */
    char phase[64];
    uint64_t total;
    double reported_ms; /* when the reporter was last called */
    pthread_t thread;   /* the thread that calls the reporter */
    struct progress_listener *outer;
    int outer_threads;
};

/* False: the call does nothing, because *public_error holds the error of an earlier one, or because the process was
 * forked. call_end() follows in every case. context: NULL for a call that neither takes long nor searches; query:
 * NULL if there is none. */
bool call_begin(struct library_call *call, gtrav_context *context, gtrav_query *query, gtrav_error *public_error);
/* Call it after call_begin(). The call reads about `entries` vertices and edges, `times` times. A small call runs on
 * one thread, whatever the context says. */
void call_expect(uint64_t entries, uint64_t times);
/* Returns the status of the call, STATUS_INTERRUPTED if it was cancelled. The one place that fills a gtrav_error,
 * unless that holds an error already. */
int call_end(struct library_call *call);

/* Ends a call with the status of an earlier error, or with STATUS_INPUT unless `needs` holds of its arguments. */
#define REQUIRE(public_error, needs)                                                                                 \
    do {                                                                                                             \
        if (check_arguments(__func__, #needs, needs, public_error) != STATUS_OK)                                     \
            return (public_error) != NULL ? (public_error)->status : STATUS_INPUT;                                   \
    } while (0)
int check_arguments(const char *function, const char *needs, bool given, gtrav_error *public_error);

/* Refuses a process that was forked after its parent had used the library. */
int refuse_fork(pid_t process_of_context, struct error *error);

/* ---- devices (shared_gpus.c) ---- */

/* A GPU and the devices that can stand in for it, shared by all contexts of the process. */
struct shared_gpu {
    struct shared_gpu *next;
    int users;
    struct machine machine; /* guarded by opening */
    pthread_mutex_t opening, turn;
};
/* shared_gpu_put() gives it back. NULL: memory is short. */
struct shared_gpu *shared_gpu_take(int number, struct error *error);
void shared_gpu_put(struct shared_gpu *gpu);

/* Waits until no other thread searches on a GPU or the emulator, and makes that the thread's device. Ends with
 * STATUS_INTERRUPTED if it is cancelled meanwhile. shared_gpu_leave() follows a success. gpu: NULL on the CPU, where
 * searches run side by side, so that both do nothing. */
int shared_gpu_enter(struct shared_gpu *gpu, enum device_kind kind, struct error *error);
void shared_gpu_leave(struct shared_gpu *gpu, enum device_kind kind);

/* Where to search: "gpu:1" is a choice and a number. */
struct place {
    enum device_choice choice;
    int number;
};
int place_parse(const char *text, struct place *place, struct error *error);

/* ---- handles ---- */

struct gtrav_context {
    atomic_int references; /* the caller's, and one for each graph; gtrav_context_free() gives one up */
    struct place place;
    struct shared_gpu *gpu; /* the GPU of the place */
    int threads;
    pid_t process; /* that made it */
    char device[128];
    atomic_uint cancels;
    pthread_mutex_t lock; /* guards the reporter */
    struct reporter reporter;
};

/* Arrays of the caller that a graph may consist of; NULL: none. */
struct borrowed {
    const void *offsets, *targets;
};

struct prepared; /* an engine, with all that it needs */

struct gtrav_graph {
    gtrav_context *context;
    struct graph graph;
    struct borrowed borrowed;
    struct graph of_file; /* the same graph in the order in which its file had it; empty: there is no other */
    uint64_t *ids;        /* ids of a reordered graph that has numbers as ids; NULL: graph.ids */
    vertex_t *place_of;   /* the inverse of the permutation; NULL: not made yet. Guarded by the lock */
    struct orders orders;
    pthread_mutex_t lock;
    struct prepared *idle; /* engines that no search uses. Guarded by the lock, as is the next field */
    unsigned forgotten;    /* how often gtrav_graph_forget() was called */
};

struct gtrav_query {
    char *variant, *device, *reorder; /* NULL: the default */
    bool verify, bytes, on_device, optional_order;
    const char **settings; /* num_settings: "alpha=14" */
    int num_settings;
    struct reporter reporter;
    atomic_bool cancelled;
    struct gtrav_times times;
    char ran[128], note[NOTE_BYTES];
};

/* ---- engines (prepared.c) ---- */

/* The search for which an engine is prepared. */
struct preparation {
    struct choice choice;
    struct shared_gpu *gpu;        /* NULL: the search runs on the CPU */
    struct order *order;           /* NULL: the graph's own, or the file's */
    const struct graph *reordered; /* the graph in that order, or in the file's; NULL: in its own */
    unsigned outputs;
    uint64_t num_sources;
};

struct prepared {
    struct prepared *next;
    struct preparation preparation; /* with references of its own to the GPU and the order */
    struct bench_request request;
    struct engine engine;
    struct device cpu;     /* its own, as a CPU's clock is of one search; not open: it runs elsewhere */
    unsigned generation;   /* generation of the device when the engine was made */
    unsigned forgotten;    /* the graph's count when the engine was made */
    bool is_new;           /* whether it was made for the search in progress */
    struct traversal room; /* arrays for outputs that the caller does not want */
    uint32_t *wide_levels; /* on the device, for end_levels(); NULL: not needed yet */
};

/* Takes an idle engine of the graph, or prepares one, on a device that the caller has entered. The engine sets this
 * error until prepared_put() gives it back. NULL: it could not be prepared. */
struct prepared *prepared_take(gtrav_graph *graph, const struct preparation *wanted, struct error *error);
/* Keeps the engine for the next search, unless the search ended with the status of a failure. */
void prepared_put(gtrav_graph *graph, struct prepared *prepared, int status);

/* ---- searches (search.c) ---- */

#define SOURCES_UNKNOWN UINT64_MAX

struct wanted {
    struct answer answers[MAX_ANSWERS]; /* the preferred one first; ends with a NULL family */
    bool prefers_cpu;                   /* the default is for the CPU, unless a device is named */
    bool by_own_ids;                    /* the result depends on the order of the vertices */
    bool in_own_order;                  /* the algorithm gets the graph in its own order */
    uint64_t num_pairs;                 /* whose lengths are wanted; few may be left to a CPU (pairs.h) */
    bool has_paths;                     /* paths of the pairs are wanted */
    unsigned optional;                  /* outputs that the engine gives if it can, with OUTPUTS_NEEDED */
    uint64_t num_sources;               /* number of sources to come; SOURCES_UNKNOWN: nobody knows */
    /* The outputs with which an engine is opened: by default the algorithm's own and the answer's. */
    enum { OUTPUTS_DEFAULT, OUTPUTS_NEEDED, OUTPUTS_OF_PAIRS, OUTPUTS_OF_CLOSENESS } outputs;
};

struct search {
    struct library_call call;
    gtrav_graph *graph;
    gtrav_query *query;             /* NULL: the defaults */
    struct shared_gpu *gpu;         /* the GPU of the place, whether the search uses it or not */
    struct preparation preparation; /* with a reference to the order */
    struct prepared *prepared;
    bool entered; /* the device */
    uint64_t seed;
    double began_ms, searched_ms; /* searched_ms: resets included */
    struct gtrav_times times;
    const struct algorithm *asked; /* chosen first; the preparation may have another, for few pairs */
};

/* Begins a search: chooses the algorithm and takes an engine, but none if there are no sources or no vertices: then
 * search->prepared is NULL. False: *public_error or search->call.error has the reason; in every case search_end()
 * ends it and returns the status. */
bool search_begin(struct search *search, gtrav_graph *graph, gtrav_query *query, const struct wanted *wanted,
                  gtrav_error *public_error);
int search_end(struct search *search);

/* Runs the engine once, and adds up the times. Fails if the search was cancelled. */
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
static inline bool narrows(const struct search *search) /* levels to bytes */
{
    return search->query != NULL && search->query->bytes;
}

/* Gives the result arrays for all outputs of the engine that the caller does not want, from its room. */
int complete_arrays(struct search *search, struct traversal *result);
/* Runs a query of one search, and fetches and checks the result. */
int search_once(struct search *search, const struct query *query, struct traversal *result);

/* ---- results that stay on a device, levels as bytes (memory.c) ---- */

/* begin_levels() runs before a search and sets *level, the array that the search fetches levels into: `wanted`, or
 * NULL for the engine's own. end_levels() runs after it, and gives the caller levels as bytes if it asked for them.
 */
int begin_levels(struct search *search, uint32_t *wanted, uint32_t **level);
int end_levels(struct search *search, uint32_t *level, uint32_t *wanted);

/* ---- graphs (graph.c) ---- */

/* Makes a handle of a graph. Takes the graph over and empties *own; on failure the caller keeps it. borrowed may be
 * NULL. */
int graph_adopt(gtrav_context *context, struct graph *own, const struct borrowed *borrowed, gtrav_graph **graph,
                struct error *error);
/* Frees a graph without the arrays that are the caller's. */
void graph_release_own(struct graph *graph, const struct borrowed *borrowed);
/* Ends a call that makes a graph: if it has failed, *graph becomes NULL. Returns the status. */
int graph_call_end(struct library_call *call, gtrav_graph **graph);
