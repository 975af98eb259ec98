/* team.h: what the depth-first traversals by a team of threads share (dfs_ckl.c, dfs_acr.c).
 *
 * The visited array has a byte a vertex. Threads write it at once, without ordering: a vertex's byte says nothing of
 * other memory, and the end of the parallel region orders all of it before whoever fetches the result.
 *
 * The end of a traversal. `active` counts the threads that have work. A thread that has none lowers it (team_leave),
 * looks for work, and ends when it reads 0. Work lies with counted threads only: a thread leaves when it has none,
 * and work comes to an idle thread only after that thread was counted (team_join), from one that is counted still. So
 * where the count is 0 there is no work, nor will there be: who joins then finds nothing, and leaves again. Both are
 * read-modify-writes that acquire and release; each algorithm says why the join of who takes work comes before the
 * leave of who had it. */
#ifndef GTRAV_TEAM_H
#define GTRAV_TEAM_H

#include <omp.h>
#include <sched.h>
#include <string.h>

#include "../src/algorithm.h"
#include "../src/graph/random.h"

#define MAX_THREADS 1024
#define APART       128 /* bytes between words that different threads write: two cache lines, fetched in pairs */

#define THREADS_OPTION                                                                                               \
    "threads", 0, 0, MAX_THREADS, NULL, "threads of the traversal; 0: as many as the program may use"

/* The first member of a traversal's state, where team_fetch finds it. */
struct team {
    uint8_t *visited; /* num_vertices */
    int size;         /* threads */
};

/* No more than there are vertices: the others would have nothing to do. */
static inline int team_size(double option, const struct graph *graph)
{
    vertex_t size = option > 0 ? (vertex_t)option : (vertex_t)omp_get_max_threads();
    size = size < MAX_THREADS ? size : MAX_THREADS;
    return (int)(size < graph->num_vertices ? size : graph->num_vertices);
}

/* Also wakes the team, so that its start is not part of the traversal. */
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

/* A random member; *draws counts what a thread has drawn, and starts at another number for each. */
static inline int team_draw(uint64_t *draws, int size)
{
    return (int)((random_bits((*draws)++) >> 32) * (uint64_t)size >> 32);
}

static inline bool is_visited(const uint8_t *visited, vertex_t v)
{
    return __atomic_load_n(&visited[v], __ATOMIC_RELAXED) != 0;
}

/* True for one caller alone. */
static inline bool claim(uint8_t *visited, vertex_t v)
{
    uint8_t unvisited = 0;
    return __atomic_compare_exchange_n(&visited[v], &unvisited, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#endif
