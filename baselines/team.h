/* team.h: common parts of the depth-first traversals by a team of threads (dfs_ckl.c, dfs_acr.c).
 *
 * The visited array has a byte per vertex. Threads write it at the same time without ordering: a byte says nothing
 * about other memory, and the end of the parallel region orders all writes before the result is fetched.
 *
 * Termination. `active` counts the threads with work. A thread without work decrements it (team_leave), looks for
 * work, and ends when it reads 0. Only counted threads hold work: a thread leaves when it has none, and an idle
 * thread receives work only after it was counted (team_join), from a thread that is still counted. So when the count
 * is 0, there is no work and never will be; a thread that joins then finds nothing and leaves again. Join and leave
 * are read-modify-writes with acquire and release order. Each algorithm argues why the receiver's join comes before
 * the giver's leave. */
#pragma once

#include <omp.h>
#include <sched.h>

#include "../src/algorithm.h"
#include "../src/graph/random.h"

#define MAX_THREADS 1024
#define APART       128 /* bytes between words of different threads: a pair of cache lines */

#define THREADS_OPTION                                                                                                 \
    NUMBER_OPTION("threads", 0, 0, MAX_THREADS, "threads of the traversal; 0: as many as the program may use")

/* The first member of a traversal's state, so that team_fetch finds it. */
struct team {
    uint8_t *visited; /* num_vertices */
    int size;         /* threads */
};

/* Returns the number of threads, at most one for each vertex. */
static inline int team_size(double option, const struct graph *graph)
{
    vertex_t size = option > 0 ? (vertex_t)option : (vertex_t)omp_get_max_threads();
    size = size < MAX_THREADS ? size : MAX_THREADS;
    return (int)(size < graph->num_vertices ? size : graph->num_vertices);
}

/* Clears the visited bytes, and starts the threads, so that the traversal's time does not include their start. */
static inline void team_reset(struct team *team, size_t num_vertices)
{
#pragma omp parallel num_threads(team->size)
    {
        size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        size_t first = num_vertices * me / threads, last = num_vertices * (me + 1) / threads;
        memset(team->visited + first, 0, last - first);
    }
}

static inline void team_join(uint32_t *active)
{
    __atomic_fetch_add(active, 1, __ATOMIC_ACQ_REL);
}

static inline void team_leave(uint32_t *active)
{
    __atomic_fetch_sub(active, 1, __ATOMIC_ACQ_REL);
}

static inline bool team_is_idle(const uint32_t *active)
{
    return __atomic_load_n(active, __ATOMIC_ACQUIRE) == 0;
}

static inline int team_fetch(struct run *run, struct traversal *result)
{
    const struct team *team = run->state;
    memcpy(result->visited, team->visited, run->graph->num_vertices);
    return STATUS_OK;
}

/* Returns a random member. *draws: the thread's counter of draws; every thread starts it at another number. */
static inline int team_draw(uint64_t *draws, int size)
{
    return (int)((random_bits((*draws)++) >> 32) * (uint64_t)size >> 32);
}

static inline bool is_visited(const uint8_t *visited, vertex_t v)
{
    return __atomic_load_n(&visited[v], __ATOMIC_RELAXED) != 0;
}

/* Marks the vertex as visited. Returns true to exactly one caller. */
static inline bool claim(uint8_t *visited, vertex_t v)
{
    uint8_t unvisited = 0;
    return __atomic_compare_exchange_n(&visited[v], &unvisited, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
