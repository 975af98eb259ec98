/* bfs_gap.c: direction-optimising BFS on all cores, like that of the GAP Benchmark Suite (Beamer, Asanovic,
 * Patterson, SC 2012).
 *
 * Top-down steps push from a queue. Once the frontier has more than 1/alpha of the unexplored edges, bottom-up steps
 * look for a visited in-neighbour of every unvisited vertex, until a step finds fewer than 1/beta of the vertices.
 *
 *   level     num_vertices; UNREACHED until found; claimed by compare-and-swap in top-down steps
 *   queue     the vertices that top-down steps have found; the frontier is its last part
 *   visited   a bitmap, valid in bottom-up steps only
 *   parent    num_vertices, only on request: found by the levels at the end, from the in-neighbours of each vertex
 *
 * One thread takes the steps of a narrow frontier, and all steps of a small graph: waking the others would take
 * longer.
 *
 * Limits: with masks all steps are top-down, since a bottom-up step would have to know the place of each edge among
 * those of its source.
 *
 * There is no bitmap of the frontier. If an unvisited vertex has a visited in-neighbour, it has one in the
 * frontier, since an earlier in-neighbour would have found it. So a step only asks whether a vertex was visited
 * before the step. It reads one bitmap and writes the other, in whole words, without atomics. */
#include <stdlib.h>
#include <string.h>

#include "../src/progress.h"
#include "limits.h"

enum { ALPHA, BETA, NARROW };
static const struct option_spec options[] = {
    [ALPHA] = NUMBER_OPTION("alpha", 15, 1, 1e9,
                            "go bottom-up when the frontier has more than 1/alpha of the unexplored edges"),
    [BETA] =
        NUMBER_OPTION("beta", 18, 1, 1e9, "go top-down again when a step finds fewer than 1/beta of the vertices"),
    [NARROW] = NUMBER_OPTION(
        "narrow", 4096, 0, 1e9,
        "one thread pushes while the frontier has at most so many edges, or 16 times as many are unexplored"),
    {0},
};

#define WORD_BITS    64u
#define LOCAL_BUFFER 1024u /* vertices that a thread collects before it reserves a place in the queue */
#define SMALL_TIMES  16u   /* so many times narrow edges are a small rest, and as many levels one thread resets */
#define SPARSE_SHARE 16u   /* of the vertices: up to this share, a reset takes back single ones */
#define NARROW_STEPS 1024u /* between two looks at whether the search is abandoned */

struct state {
    struct graph transpose;    /* of a directed graph; empty otherwise */
    const struct graph *in;    /* in-neighbours: the graph itself if it is symmetric */
    uint32_t *level;           /* num_vertices */
    vertex_t *parent;          /* num_vertices; NULL: not wanted */
    vertex_t *queue;           /* num_vertices */
    uint64_t *visited, *found; /* num_words each: before the bottom-up step, after it */
    uint64_t *candidates;      /* num_words: vertices with in-neighbours */
    size_t num_words;
    bool complete;             /* the queue has all vertices reached, not only those of top-down steps */
    vertex_t reached;          /* so many, by the last search; num_vertices if the queue is not complete */
    const struct query *query; /* of the search */
    struct limits limits;
};

static int prepare(struct run *run)
{
    const struct graph *graph = run->graph;
    size_t n = graph->num_vertices, words = (n + WORD_BITS - 1) / WORD_BITS;
    struct state *state;
    if (run_allocate(run, &run->state, 1, sizeof *state) != STATUS_OK)
        return run->error->status;
    state = run->state;
    state->num_words = words;
    state->reached = graph->num_vertices;
    state->in = graph->symmetric ? graph : &state->transpose;
    run_allocate(run, &state->level, n, sizeof *state->level);
    run_allocate(run, &state->queue, n, sizeof *state->queue);
    run_allocate(run, &state->visited, words, sizeof *state->visited);
    run_allocate(run, &state->found, words, sizeof *state->found);
    run_allocate(run, &state->candidates, words, sizeof *state->candidates);
    if (run->outputs & OUTPUT_PARENT)
        run_allocate(run, &state->parent, n, sizeof *state->parent);
    if (run->error->status != STATUS_OK ||
        (!graph->symmetric && graph_transpose(graph, &state->transpose, run->error) != STATUS_OK))
        return run->error->status;
#pragma omp parallel for
    for (size_t w = 0; w < words; w++)
        for (size_t v = w * WORD_BITS; v < n && v < (w + 1) * WORD_BITS; v++)
            if (graph_degree(state->in, (vertex_t)v) > 0)
                state->candidates[w] |= 1ull << (v % WORD_BITS);
    return STATUS_OK;
}

/* Vertices of the next frontier that one thread has found; moved to the queue when full. */
struct local_queue {
    vertex_t vertices[LOCAL_BUFFER];
    unsigned count;
};

static void flush_local(struct local_queue *local, vertex_t *queue, vertex_t *tail)
{
    vertex_t position = __atomic_fetch_add(tail, local->count, __ATOMIC_RELAXED);
    memcpy(queue + position, local->vertices, local->count * sizeof *queue);
    local->count = 0;
}

/* Where a search is: the frontier is queue[head .. tail). */
struct position {
    vertex_t head, tail;
    uint32_t next;      /* the level being found */
    edge_t scout_edges; /* out of the frontier */
    edge_t unexplored;  /* edges out of vertices that no top-down step has pushed from */
    uint64_t found;     /* of the destinations; see has_found_all() */
};

static bool ends_here(const struct state *state, struct position *at)
{
    return at->next > state->limits.max_level || has_found_all(state->query, state->level, &at->found);
}

/* Pushes from the frontier to the next level. */
static void top_down_step(const struct graph *graph, const struct state *state, struct position *at)
{
    uint32_t next = at->next++;
    edge_t scout_edges = 0;
    vertex_t head = at->head, end = at->tail;
#pragma omp parallel reduction(+ : scout_edges)
    {
        struct local_queue local;
        local.count = 0;
#pragma omp for schedule(dynamic, 64) nowait
        for (vertex_t i = head; i < end; i++) {
            vertex_t u = state->queue[i];
            for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
                vertex_t v = graph->targets[e];
                uint32_t unreached = UNREACHED;
                if (__atomic_load_n(&state->level[v], __ATOMIC_RELAXED) != UNREACHED ||
                    is_left_out(&state->limits, v, e) ||
                    !__atomic_compare_exchange_n(&state->level[v], &unreached, next, false, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED))
                    continue;
                scout_edges += graph_degree(graph, v);
                local.vertices[local.count++] = v;
                if (local.count == LOCAL_BUFFER)
                    flush_local(&local, state->queue, &at->tail);
            }
        }
        flush_local(&local, state->queue, &at->tail);
    }
    at->head = end;
    at->unexplored -= at->scout_edges;
    at->scout_edges = scout_edges;
}

/* scout_edges is not known after bottom-up steps, but no frontier has more vertices than edges. */
static bool is_narrow(const struct position *at, edge_t narrow)
{
    return at->unexplored <= SMALL_TIMES * narrow || (at->scout_edges <= narrow && at->tail - at->head <= narrow);
}

/* Top-down steps on this thread alone while the frontier is narrow. */
static void narrow_steps(const struct graph *graph, const struct state *state, edge_t narrow, struct position *end)
{
    struct position at = *end;
    for (unsigned step = 0; step < NARROW_STEPS && at.head < at.tail && is_narrow(&at, narrow); step++, at.next++) {
        if (ends_here(state, &at))
            break;
        at.unexplored -= at.scout_edges;
        at.scout_edges = 0;
        for (vertex_t last = at.tail; at.head < last; at.head++) {
            vertex_t u = state->queue[at.head];
            for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
                vertex_t v = graph->targets[e];
                if (state->level[v] != UNREACHED || is_left_out(&state->limits, v, e))
                    continue;
                state->level[v] = at.next;
                state->queue[at.tail++] = v;
                at.scout_edges += graph_degree(graph, v);
            }
        }
    }
    *end = at;
}

/* Sets the bitmap of visited vertices by the levels, before a run of bottom-up steps. */
static void levels_to_bitmaps(const struct graph *graph, const struct state *state)
{
#pragma omp parallel for
    for (size_t w = 0; w < state->num_words; w++) {
        size_t first = w * WORD_BITS, count = graph->num_vertices - first;
        uint64_t bits = 0;
        for (size_t i = 0; i < (count < WORD_BITS ? count : WORD_BITS); i++)
            bits |= (uint64_t)(state->level[first + i] != UNREACHED) << i;
        state->visited[w] = bits;
    }
}

static bool has_visited_neighbour(const struct state *state, vertex_t v)
{
    for (edge_t e = state->in->offsets[v]; e < state->in->offsets[v + 1]; e++) {
        vertex_t u = state->in->targets[e];
        if (state->visited[u / WORD_BITS] >> (u % WORD_BITS) & 1)
            return true;
    }
    return false;
}

/* Gives level `next` to every unvisited vertex with a visited in-neighbour. Returns their number. */
static vertex_t bottom_up_step(struct state *state, uint32_t next)
{
    vertex_t awake = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : awake)
    for (size_t w = 0; w < state->num_words; w++) {
        uint64_t found = 0;
        for (uint64_t open = state->candidates[w] & ~state->visited[w]; open != 0; open &= open - 1) {
            vertex_t v = (vertex_t)(w * WORD_BITS) + (vertex_t)__builtin_ctzll(open);
            if (!has_visited_neighbour(state, v))
                continue;
            state->level[v] = next;
            found |= open & -open;
        }
        state->found[w] = state->visited[w] | found;
        awake += (vertex_t)__builtin_popcountll(found);
    }
    uint64_t *swap = state->visited;
    state->visited = state->found;
    state->found = swap;
    return awake;
}

/* Refills the queue with the vertices of a level. */
static void level_to_queue(const struct graph *graph, const struct state *state, uint32_t level, vertex_t *tail)
{
#pragma omp parallel
    {
        struct local_queue local;
        local.count = 0;
#pragma omp for nowait
        for (vertex_t v = 0; v < graph->num_vertices; v++)
            if (state->level[v] == level) {
                local.vertices[local.count++] = v;
                if (local.count == LOCAL_BUFFER)
                    flush_local(&local, state->queue, tail);
            }
        flush_local(&local, state->queue, tail);
    }
}

/* The parent of a vertex is its first in-neighbour on the level before. */
static void find_parents(struct state *state, vertex_t num_vertices)
{
    const uint32_t *level = state->level;
#pragma omp parallel for schedule(dynamic, 1024)
    for (vertex_t v = 0; v < num_vertices; v++) {
        state->parent[v] = level[v] == 0 ? v : NO_VERTEX;
        if (level[v] == 0 || level[v] == UNREACHED)
            continue;
        edge_t e = state->in->offsets[v];
        while (level[state->in->targets[e]] + 1 != level[v]) /* UNREACHED + 1 is 0, and only a source's is that */
            e++;
        state->parent[v] = state->in->targets[e];
    }
}

/* The same of a complete queue, in time of what was reached: any in-neighbour on the level before. */
static void push_parents(const struct graph *graph, const struct state *state, edge_t narrow)
{
    const uint32_t *level = state->level;
#pragma omp parallel for schedule(dynamic, 64) if (state->reached > narrow)
    for (vertex_t i = 0; i < state->reached; i++) {
        vertex_t u = state->queue[i];
        if (level[u] == 0)
            state->parent[u] = u;
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (level[v] == level[u] + 1 && !is_left_out(&state->limits, v, e))
                __atomic_store_n(&state->parent[v], u, __ATOMIC_RELAXED);
        }
    }
}

/* Takes back single entries if the last search wrote few. parents: they will be pushed. */
static void reset(const struct state *state, vertex_t num_vertices, bool parents, edge_t narrow)
{
    bool sparse = state->reached <= num_vertices / SPARSE_SHARE;
    for (vertex_t i = 0; i < (sparse ? state->reached : 0); i++) {
        state->level[state->queue[i]] = UNREACHED;
        if (state->parent != NULL)
            state->parent[state->queue[i]] = NO_VERTEX;
    }
#pragma omp parallel for if (!sparse && num_vertices > SMALL_TIMES * narrow)
    for (vertex_t v = 0; v < (sparse ? 0 : num_vertices); v++) {
        state->level[v] = UNREACHED;
        if (parents)
            state->parent[v] = NO_VERTEX;
    }
}

/* Bottom-up steps until they find little; the queue then has the last level. */
static void bottom_up_steps(const struct graph *graph, struct state *state, vertex_t beta, struct position *at)
{
    vertex_t awake = at->tail - at->head, before;
    levels_to_bitmaps(graph, state);
    do {
        before = awake;
        awake = bottom_up_step(state, at->next++);
    } while ((awake >= before || awake > graph->num_vertices / beta) && !ends_here(state, at));
    at->head = at->tail = 0;
    level_to_queue(graph, state, at->next - 1, &at->tail);
    at->scout_edges = 1; /* like GAP: top-down from here on, unless the frontier grows again */
    state->complete = false;
}

static struct position seed(const struct graph *graph, struct state *state)
{
    struct position at = {.next = 1, .unexplored = graph->num_edges};
    at.tail = seed_queue(state->query, state->level, state->queue);
    for (vertex_t i = 0; i < at.tail; i++)
        at.scout_edges += graph_degree(graph, state->queue[i]);
    return at;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    edge_t alpha = (edge_t)run->options[ALPHA], narrow = (edge_t)run->options[NARROW];
    bool pushes = state->parent != NULL && query->limits != NULL;
    reset(state, graph->num_vertices, pushes, narrow);
    state->reached = graph->num_vertices; /* if it is abandoned */
    state->complete = true;
    state->query = query;
    state->limits = limits_of(query);

    run_kernel_begin(run);
    struct position at = seed(graph, state);
    while (at.head < at.tail && !ends_here(state, &at)) {
        if (abandon_requested())
            return error_set(run->error, STATUS_INTERRUPTED, "interrupted");
        if (is_narrow(&at, narrow)) {
            narrow_steps(graph, state, narrow, &at);
            continue;
        }
        if (state->limits.vertices != NULL || state->limits.edges != NULL || at.scout_edges <= at.unexplored / alpha)
            top_down_step(graph, state, &at);
        else
            bottom_up_steps(graph, state, (vertex_t)run->options[BETA], &at);
    }
    if (state->complete)
        state->reached = at.tail;
    if (pushes && state->complete)
        push_parents(graph, state, narrow);
    else if (state->parent != NULL)
        find_parents(state, graph->num_vertices);
    run_kernel_end(run);
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    if (result->level != NULL)
        memcpy(result->level, state->level, run->graph->num_vertices * sizeof *result->level);
    if (result->parent != NULL)
        memcpy(result->parent, state->parent, run->graph->num_vertices * sizeof *result->parent);
    if (result->order != NULL && state->complete)
        memcpy(result->order, state->queue, (result->num_ordered = state->reached) * sizeof *result->order);
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    if (state != NULL)
        graph_release(&state->transpose);
}

const struct algorithm bfs_gap = {
    .family = "bfs",
    .variant = "gap",
    .title = "Both directions, all cores",
    .citation = "GAP Benchmark Suite (Beamer et al. 2015)",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .limited = true,
    .options = options,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
