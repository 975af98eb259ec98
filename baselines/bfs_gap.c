/* bfs_gap.c: direction-optimising BFS on all cores, like that of the GAP Benchmark Suite (Beamer, Asanovic,
 * Patterson, SC 2012).
 *
 * Top-down steps push from a queue. Once the frontier has more than 1/alpha of the unexplored edges, bottom-up
 * steps look for a visited in-neighbour of every unvisited vertex, until a step finds fewer than 1/beta of the
 * vertices.
 *
 *   level     num_vertices; UNREACHED until found; claimed by compare-and-swap in top-down steps
 *   queue     the vertices that top-down steps have found; the frontier is its last part
 *   visited   a bitmap, valid in bottom-up steps only
 *   parent    num_vertices, only on request: found by the levels at the end, from the in-neighbours of each vertex
 *
 * There is no bitmap of the frontier. If an unvisited vertex has a visited in-neighbour, it has one in the
 * frontier, since an earlier in-neighbour would have found it. So a step only asks whether a vertex was visited
 * before the step. It reads one bitmap and writes the other, in whole words, without atomics. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "../src/algorithm.h"
#include "../src/progress.h"

enum { ALPHA, BETA };
static const struct option_spec options[] = {
    [ALPHA] = {"alpha", 15, 1, 1e9, NULL,
               "go bottom-up when the frontier has more than 1/alpha of the unexplored edges"},
    [BETA] = {"beta", 18, 1, 1e9, NULL, "go top-down again when a step finds fewer than 1/beta of the vertices"},
    {0},
};

#define WORD_BITS    64u
#define LOCAL_BUFFER 1024u /* vertices that a thread collects before it reserves a place in the queue */

struct state {
    struct graph transpose;    /* of a directed graph; empty otherwise */
    const struct graph *in;    /* in-neighbours: the graph itself if it is symmetric */
    uint32_t *level;           /* num_vertices */
    vertex_t *parent;          /* num_vertices; NULL: not wanted */
    vertex_t *queue;           /* num_vertices */
    uint64_t *visited, *found; /* num_words each: before the bottom-up step, after it */
    uint64_t *candidates;      /* num_words: vertices with in-neighbours */
    size_t num_words;
};

static int prepare(struct run *run)
{
    const struct graph *graph = run->graph;
    size_t n = graph->num_vertices, words = (n + WORD_BITS - 1) / WORD_BITS;
    struct state *state;
    if (allocate_zeroed(&run->state, 1, sizeof *state, "bfs gap", run->error) != STATUS_OK)
        return run->error->status;
    state = run->state;
    state->num_words = words;
    state->in = graph->symmetric ? graph : &state->transpose;
    if (allocate(&state->level, n, sizeof *state->level, "bfs gap", run->error) != STATUS_OK ||
        allocate(&state->queue, n, sizeof *state->queue, "bfs gap", run->error) != STATUS_OK ||
        allocate(&state->visited, words, sizeof *state->visited, "bfs gap", run->error) != STATUS_OK ||
        allocate(&state->found, words, sizeof *state->found, "bfs gap", run->error) != STATUS_OK ||
        allocate_zeroed(&state->candidates, words, sizeof *state->candidates, "bfs gap", run->error) != STATUS_OK ||
        (run->outputs & OUTPUT_PARENT &&
         allocate(&state->parent, n, sizeof *state->parent, "bfs gap", run->error) != STATUS_OK) ||
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

/* Pushes from queue[head .. *tail) to the next level. Returns the number of edges out of the new frontier. */
static edge_t top_down_step(const struct graph *graph, const struct state *state, uint32_t next, vertex_t head,
                            vertex_t *tail)
{
    edge_t scout_edges = 0;
    vertex_t end = *tail;
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
                    !__atomic_compare_exchange_n(&state->level[v], &unreached, next, false, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED))
                    continue;
                scout_edges += graph_degree(graph, v);
                local.vertices[local.count++] = v;
                if (local.count == LOCAL_BUFFER)
                    flush_local(&local, state->queue, tail);
            }
        }
        flush_local(&local, state->queue, tail);
    }
    return scout_edges;
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
static void find_parents(struct state *state, vertex_t num_vertices, vertex_t source)
{
    const uint32_t *level = state->level;
#pragma omp parallel for schedule(dynamic, 1024)
    for (vertex_t v = 0; v < num_vertices; v++) {
        state->parent[v] = v == source ? source : NO_VERTEX;
        if (v == source || level[v] == UNREACHED)
            continue;
        edge_t e = state->in->offsets[v];
        while (level[state->in->targets[e]] + 1 != level[v]) /* UNREACHED + 1 is 0, and only the source's is that */
            e++;
        state->parent[v] = state->in->targets[e];
    }
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
#pragma omp parallel for
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        state->level[v] = UNREACHED;

    run_kernel_begin(run);
    edge_t alpha = (edge_t)run->options[ALPHA], scout_edges = graph_degree(graph, query->source);
    edge_t unexplored = graph->num_edges;
    vertex_t beta = (vertex_t)run->options[BETA], head = 0, tail = 1;
    uint32_t next = 1; /* the level being found */
    state->queue[0] = query->source;
    state->level[query->source] = 0;
    while (head < tail) {
        if (abandon_requested())
            return error_set(run->error, STATUS_INTERRUPTED, "interrupted");
        if (scout_edges <= unexplored / alpha) {
            vertex_t end = tail;
            unexplored -= scout_edges;
            scout_edges = top_down_step(graph, state, next++, head, &tail);
            head = end;
            continue;
        }
        vertex_t awake = tail - head, before;
        levels_to_bitmaps(graph, state);
        do {
            before = awake;
            awake = bottom_up_step(state, next++);
        } while (awake >= before || awake > graph->num_vertices / beta);
        head = tail = 0;
        level_to_queue(graph, state, next - 1, &tail);
        scout_edges = 1; /* like GAP: top-down from here on, unless the frontier grows again */
    }
    if (state->parent != NULL)
        find_parents(state, graph->num_vertices, query->source);
    run_kernel_end(run);
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    memcpy(result->level, state->level, run->graph->num_vertices * sizeof *result->level);
    if (result->parent != NULL)
        memcpy(result->parent, state->parent, run->graph->num_vertices * sizeof *result->parent);
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    if (state != NULL) {
        graph_release(&state->transpose);
        free(state->level);
        free(state->parent);
        free(state->queue);
        free(state->visited);
        free(state->found);
        free(state->candidates);
    }
    free(state);
}

const struct algorithm bfs_gap = {
    .family = "bfs",
    .variant = "gap",
    .title = "Both directions, all cores",
    .citation = "GAP Benchmark Suite (Beamer et al. 2015)",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
