/* bfs_gap.c: direction-optimising BFS on all cores, like the BFS of the GAP Benchmark Suite (Beamer, Asanovic,
 * Patterson, SC 2012).
 *
 * Top-down steps push from a queue. Once the frontier has more than 1/alpha of the unexplored edges, bottom-up steps
 * look for a visited in-neighbour of every unvisited vertex, until a step finds fewer than 1/beta of the vertices.
 *
 *   level     num_vertices; UNREACHED until found; claimed by compare-and-swap in top-down steps
 *   queue     the vertices that top-down steps have found; the frontier is its last part
 *   visited   a bitmap, valid in bottom-up steps only
 *   parent    num_vertices, only on request; written by the thread that finds the vertex
 *
 * One thread runs the steps of a narrow frontier, and all steps of a small graph, because waking the other threads
 * would take longer.
 *
 * With masks all steps are top-down: a bottom-up step would need the position of each edge in its source's list.
 *
 * There is no bitmap of the frontier. If an unvisited vertex has a visited in-neighbour, that in-neighbour is in the
 * frontier; otherwise it would have found the vertex earlier. So a step only asks whether a vertex was visited before
 * the step. It reads one bitmap and writes the other, in whole words, without atomics. */
#include "bfs_gap.h"

#include "../src/progress.h"

enum { ALPHA, BETA, FORCE };
static const struct option_spec options[] = {
    [ALPHA] = NUMBER_OPTION("alpha", GAP_ALPHA, 1, 1e9,
                            "go bottom-up when the frontier has more than 1/alpha of the unexplored edges"),
    [BETA] = NUMBER_OPTION("beta", GAP_BETA, 1, 1e9,
                           "go top-down again when a step finds fewer than 1/beta of the vertices"),
    [FORCE] = FORCE_OPTION("all-threads"),
    {0},
};

#define WORD_BITS    64u
#define LOCAL_BUFFER 1024u /* vertices that a thread collects before it reserves places in the queue */
#define SMALL_TIMES  16u   /* if at most this multiple of `narrow` edges is unexplored, one thread pushes them */
#define SPARSE_SHARE 16u   /* a reset clears single entries if at most 1 / SPARSE_SHARE of the vertices was reached */
#define PASS_TIMES   256u  /* one thread resets arrays of at most this multiple of `narrow` entries */
#define NARROW_STEPS 1024u /* steps between two checks whether to abandon the search */

struct state {
    struct graph transpose; /* the transpose of a directed graph, once made; otherwise empty */
    struct gap_search search;
    uint64_t *candidates;
};

void gap_find_candidates(const struct graph *in, uint64_t *candidates)
{
    size_t n = in->num_vertices, words = gap_words(in);
#pragma omp parallel for
    for (size_t w = 0; w < words; w++)
        for (size_t v = w * WORD_BITS; v < n && v < (w + 1) * WORD_BITS; v++)
            if (graph_degree(in, (vertex_t)v) > 0)
                candidates[w] |= 1ull << (v % WORD_BITS);
}

/* Gives the search its in-neighbours, which bottom-up steps need. */
static int learn_in_neighbours(struct run *run)
{
    struct state *state = run->state;
    const struct graph *graph = run->graph;
    if (!graph->symmetric && graph_transpose(graph, &state->transpose, run->error) != STATUS_OK)
        return run->error->status;
    state->search.in = graph->symmetric ? graph : &state->transpose;
    gap_find_candidates(state->search.in, state->candidates);
    return STATUS_OK;
}

/* Allocates the arrays. Transposes a directed graph, unless the searches run in steps: the transpose takes as long as
 * several searches, so advance() makes it after that many. */
static int prepare(struct run *run)
{
    const struct graph *graph = run->graph;
    size_t n = graph->num_vertices, words = gap_words(graph);
    struct state *state = run->state;
    struct gap_search *search = &state->search;
    search->out = graph;
    search->reached = graph->num_vertices;
    search->alpha = (edge_t)run->options[ALPHA];
    search->beta = (vertex_t)run->options[BETA];
    search->narrow = run->options[FORCE] == 0 ? GAP_NARROW : 0;
    search->alone = graph->num_edges <= SMALL_TIMES * search->narrow;
    run_allocate(run, &search->level, n, sizeof *search->level);
    run_allocate(run, &search->queue, n, sizeof *search->queue);
    run_allocate(run, &search->visited, words, sizeof *search->visited);
    run_allocate(run, &search->found, words, sizeof *search->found);
    run_allocate(run, &state->candidates, words, sizeof *state->candidates);
    search->candidates = state->candidates;
    if (run->outputs & OUTPUT_PARENT)
        run_allocate(run, &search->parent, n, sizeof *search->parent);
    if (run->error->status != STATUS_OK || (run->steps.wanted && !graph->symmetric))
        return run->error->status;
    return learn_in_neighbours(run);
}

static int advance(struct run *run)
{
    const struct state *state = run->state;
    if (state->search.in != NULL || run->steps.num_searched < GAP_SEARCHES_A_TRANSPOSE)
        return STATUS_OK;
    run->steps.num_done++;
    return learn_in_neighbours(run);
}

/* Vertices of the next frontier found by one thread. They move to the queue when it is full. */
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

/* The position of a search: the frontier is queue[head .. tail). */
struct position {
    vertex_t head, tail;
    uint32_t next;      /* the level being found */
    edge_t scout_edges; /* out-edges of the frontier */
    edge_t unexplored;  /* out-edges of vertices that no top-down step has pushed from */
    uint64_t found;     /* number of destinations found; see has_found_all() */
};

static bool ends_here(const struct gap_search *search, struct position *at)
{
    return at->next > search->limits.max_level || has_found_all(search->query, search->level, &at->found);
}

/* Pushes from the frontier to the next level. */
static void top_down_step(const struct gap_search *search, struct position *at)
{
    const struct graph *graph = search->out;
    uint32_t next = at->next++;
    edge_t scout_edges = 0;
    vertex_t head = at->head, end = at->tail;
#pragma omp parallel reduction(+ : scout_edges)
    {
        struct local_queue local;
        local.count = 0;
#pragma omp for schedule(dynamic, 64) nowait
        for (vertex_t i = head; i < end; i++) {
            vertex_t u = search->queue[i];
            for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
                vertex_t v = graph->targets[e];
                uint32_t unreached = UNREACHED;
                if (__atomic_load_n(&search->level[v], __ATOMIC_RELAXED) != UNREACHED ||
                    is_left_out(&search->limits, v, e) ||
                    !__atomic_compare_exchange_n(&search->level[v], &unreached, next, false, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED))
                    continue;
                if (search->parent != NULL)
                    search->parent[v] = u;
                scout_edges += graph_degree(graph, v);
                local.vertices[local.count++] = v;
                if (local.count == LOCAL_BUFFER)
                    flush_local(&local, search->queue, &at->tail);
            }
        }
        flush_local(&local, search->queue, &at->tail);
    }
    at->head = end;
    at->unexplored -= at->scout_edges;
    at->scout_edges = scout_edges;
}

/* Returns whether the next step is bottom-up, if the frontier is not narrow. */
static bool goes_up(const struct gap_search *search, const struct position *at)
{
    bool may = search->in != NULL && search->limits.vertices == NULL && search->limits.edges == NULL;
    return may && at->scout_edges * search->alpha > at->unexplored;
}

/* Returns whether one thread runs the next step, top-down. scout_edges is unknown after bottom-up steps, so the
 * number of vertices, at most the number of edges, is also compared. */
static bool is_narrow(const struct gap_search *search, const struct position *at)
{
    edge_t narrow = search->narrow;
    if (search->alone)
        return at->scout_edges <= narrow || !goes_up(search, at);
    return at->unexplored <= SMALL_TIMES * narrow || (at->scout_edges <= narrow && at->tail - at->head <= narrow);
}

static void top_down_step_alone(const struct gap_search *search, struct position *where)
{
    const struct graph *graph = search->out;
    struct position at = *where;
    vertex_t *parent = search->parent;
    at.unexplored -= at.scout_edges;
    at.scout_edges = 0;
    for (vertex_t last = at.tail; at.head < last; at.head++) {
        vertex_t u = search->queue[at.head];
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (search->level[v] != UNREACHED || is_left_out(&search->limits, v, e))
                continue;
            search->level[v] = at.next;
            search->queue[at.tail++] = v;
            if (parent != NULL)
                parent[v] = u;
            at.scout_edges += graph_degree(graph, v);
        }
    }
    at.next++;
    *where = at;
}

static void narrow_steps(const struct gap_search *search, struct position *at)
{
    for (unsigned step = 0;
         step < NARROW_STEPS && at->head < at->tail && is_narrow(search, at) && !ends_here(search, at); step++)
        top_down_step_alone(search, at);
}

/* Sets the bitmap of visited vertices from the levels, before a series of bottom-up steps. */
static void levels_to_bitmaps(const struct gap_search *search)
{
    size_t n = search->out->num_vertices, words = gap_words(search->out);
#pragma omp parallel for if (!search->alone)
    for (size_t w = 0; w < words; w++) {
        size_t first = w * WORD_BITS, count = n - first;
        uint64_t bits = 0;
        for (size_t i = 0; i < (count < WORD_BITS ? count : WORD_BITS); i++)
            bits |= (uint64_t)(search->level[first + i] != UNREACHED) << i;
        search->visited[w] = bits;
    }
}

/* Returns a visited in-neighbour, or NO_VERTEX if there is none. */
static vertex_t visited_neighbour(const struct gap_search *search, vertex_t v)
{
    for (edge_t e = search->in->offsets[v]; e < search->in->offsets[v + 1]; e++) {
        vertex_t u = search->in->targets[e];
        if (search->visited[u / WORD_BITS] >> (u % WORD_BITS) & 1)
            return u;
    }
    return NO_VERTEX;
}

/* Gives level `next` to every unvisited vertex with a visited in-neighbour. Returns their number. */
static vertex_t bottom_up_step(struct gap_search *search, uint32_t next)
{
    vertex_t awake = 0;
    size_t words = gap_words(search->out);
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : awake) if (!search->alone)
    for (size_t w = 0; w < words; w++) {
        uint64_t found = 0;
        for (uint64_t open = search->candidates[w] & ~search->visited[w]; open != 0; open &= open - 1) {
            vertex_t v = (vertex_t)(w * WORD_BITS) + (vertex_t)__builtin_ctzll(open);
            vertex_t u = visited_neighbour(search, v);
            if (u == NO_VERTEX)
                continue;
            search->level[v] = next;
            if (search->parent != NULL)
                search->parent[v] = u;
            found |= open & -open;
        }
        search->found[w] = search->visited[w] | found;
        awake += (vertex_t)__builtin_popcountll(found);
    }
    uint64_t *swap = search->visited;
    search->visited = search->found;
    search->found = swap;
    return awake;
}

static void level_to_queue(const struct gap_search *search, uint32_t level, vertex_t *tail)
{
#pragma omp parallel if (!search->alone)
    {
        struct local_queue local;
        local.count = 0;
#pragma omp for nowait
        for (vertex_t v = 0; v < search->out->num_vertices; v++)
            if (search->level[v] == level) {
                local.vertices[local.count++] = v;
                if (local.count == LOCAL_BUFFER)
                    flush_local(&local, search->queue, tail);
            }
        flush_local(&local, search->queue, tail);
    }
}

static inline void reset_vertex(const struct gap_search *search, vertex_t v)
{
    search->level[v] = UNREACHED;
    if (search->parent != NULL)
        search->parent[v] = NO_VERTEX;
}

/* Resets the arrays, entry by entry if the last search wrote few. */
static void reset(const struct gap_search *search)
{
    vertex_t n = search->out->num_vertices;
    if (search->reached <= n / SPARSE_SHARE) {
        for (vertex_t i = 0; i < search->reached; i++)
            reset_vertex(search, search->queue[i]);
    } else if (search->alone || n <= PASS_TIMES * search->narrow) {
        for (vertex_t v = 0; v < n; v++)
            reset_vertex(search, v);
    } else {
#pragma omp parallel for
        for (vertex_t v = 0; v < n; v++)
            reset_vertex(search, v);
    }
}

/* Runs bottom-up steps until one finds little. Then the queue holds the last level. */
static void bottom_up_steps(struct gap_search *search, struct position *at)
{
    vertex_t awake = at->tail - at->head, before;
    levels_to_bitmaps(search);
    do {
        before = awake;
        awake = bottom_up_step(search, at->next++);
    } while ((awake >= before || awake > search->out->num_vertices / search->beta) && !ends_here(search, at));
    at->head = at->tail = 0;
    level_to_queue(search, at->next - 1, &at->tail);
    at->scout_edges = 1; /* as in GAP: steps are top-down from here on, unless the frontier grows again */
    search->complete = false;
}

static struct position seed(const struct gap_search *search)
{
    struct position at = {.next = 1, .unexplored = search->out->num_edges};
    at.tail = seed_queue(search->query, search->level, search->queue);
    for (vertex_t i = 0; i < at.tail; i++) {
        at.scout_edges += graph_degree(search->out, search->queue[i]);
        if (search->parent != NULL)
            search->parent[search->queue[i]] = search->queue[i];
    }
    return at;
}

static int search_levels(struct gap_search *search, struct error *error)
{
    struct position at = seed(search);
    while (at.head < at.tail && !ends_here(search, &at)) {
        if (stop_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        if (is_narrow(search, &at))
            narrow_steps(search, &at);
        else if (goes_up(search, &at))
            bottom_up_steps(search, &at);
        else
            top_down_step(search, &at);
    }
    search->depth = at.next - 2; /* the last step found nothing */
    search->reached = search->complete ? at.tail : search->reached;
    return STATUS_OK;
}

int gap_run(struct gap_search *search, const struct query *query, struct error *error)
{
    search->query = query;
    search->limits = limits_of(query);
    search->reached = search->out->num_vertices; /* in case the search is abandoned */
    search->complete = true;
    return search_levels(search, error);
}

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    reset(&state->search);
    run_kernel_begin(run);
    gap_run(&state->search, query, run->error);
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct gap_search *search = &((struct state *)run->state)->search;
    copy_wanted(result->level, search->level, run->graph->num_vertices * sizeof *result->level);
    copy_wanted(result->parent, search->parent, run->graph->num_vertices * sizeof *result->parent);
    if (result->order != NULL && search->complete)
        memcpy(result->order, search->queue, (result->num_ordered = search->reached) * sizeof *result->order);
    return STATUS_OK;
}

static void release(struct run *run)
{
    graph_release(&((struct state *)run->state)->transpose);
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
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .advance = advance,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
