/* sssp_delta.c: delta-stepping on all cores (Meyer and Sanders, J. Algorithms 2003) with the bucket fusion of the GAP
 * Benchmark Suite (Zhang et al., CGO 2020).
 *
 * Bucket i holds vertices whose distance is in [i delta, (i + 1) delta). Steps relax the edges of the lowest bucket's
 * vertices until it stays empty. Each thread keeps the vertices whose distances it has lowered in buckets of its own.
 * A step's frontier is the lowest bucket of all threads together. Fusion: a thread relaxes what it adds to the
 * current bucket at once, as long as that is little, which saves most of the steps on graphs of many levels.
 *
 * A vertex is added whenever its distance falls, and is skipped if its distance has moved to a lower bucket since,
 * where it was added again. Two threads may relax a vertex at the same time, or with an old distance: whoever lowers
 * a distance adds the vertex, so the last distance is always relaxed.
 *
 * A thread has lists for NUM_BUCKETS buckets from `base` on, and one for all vertices beyond. Once the buckets are
 * empty, base moves to the lowest bucket beyond. Of these vertices, those in lower buckets have been relaxed since. */
#include <omp.h>

#include "../src/algorithm.h"
#include "../src/distance.h"
#include "../src/progress.h"

enum { DELTA };
static const struct option_spec options[] = {
    [DELTA] = NUMBER_OPTION("delta", 0, 0, UINT32_MAX, "width of a bucket; 0: chosen by mean weight and degree"),
    {0},
};

#define NUM_BUCKETS 64u
#define FEW         1000u /* a thread relaxes at once what it adds to the current bucket, if it is less */
#define LAST_BUCKET (1ull << 62)
#define NO_BUCKET   UINT64_MAX
#define FLAT_DEGREE 4.0  /* with a lower mean degree, a graph is like a road network: deep, of little work a level */
#define FLAT_TIMES  64.0 /* wider buckets there: more work, but fewer steps */

struct list {
    vertex_t *vertices; /* size of them, room for `room` */
    size_t size, room;
};

struct buckets {
    struct list of[NUM_BUCKETS], beyond; /* of[i]: bucket base + i */
};

struct state {
    double *distance;         /* num_vertices */
    vertex_t *parent, *queue; /* num_vertices; NULL if parents are not wanted */
    struct list frontier;     /* of the current step */
    struct buckets *buckets;  /* num_threads */
    int num_threads;
    double delta;
    uint64_t base, current; /* current: the bucket of the step; NO_BUCKET: the search ends */
    bool failed;            /* memory is short */
};

static double load_distance(const double *distance)
{
    double value;
    __atomic_load(distance, &value, __ATOMIC_RELAXED);
    return value;
}

/* Returns the number of the bucket of a distance. Buckets from LAST_BUCKET on are one. */
static uint64_t bucket_of(const struct state *state, double distance)
{
    double bucket = distance / state->delta;
    return bucket < (double)LAST_BUCKET ? (uint64_t)bucket : LAST_BUCKET;
}

static bool reserve(struct list *list, size_t room)
{
    if (room <= list->room)
        return true;
    room = room > 2 * list->room ? room : 2 * list->room;
    vertex_t *larger = realloc(list->vertices, room * sizeof *larger);
    if (larger == NULL)
        return false;
    list->vertices = larger;
    list->room = room;
    return true;
}

static void add(struct state *state, struct buckets *mine, vertex_t v, double distance)
{
    uint64_t bucket = bucket_of(state, distance);
    struct list *list = bucket - state->base < NUM_BUCKETS ? &mine->of[bucket - state->base] : &mine->beyond;
    if (reserve(list, list->size + 1))
        list->vertices[list->size++] = v;
    else
        __atomic_store_n(&state->failed, true, __ATOMIC_RELAXED);
}

/* Relaxes the edges of a vertex, unless this was done in a lower bucket. */
static void relax(struct state *state, const struct graph *graph, struct buckets *mine, vertex_t u)
{
    double from = load_distance(&state->distance[u]);
    if (bucket_of(state, from) < state->current)
        return;
    for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
        vertex_t v = graph->targets[e];
        double sum = distance_over(graph, from, e), old = load_distance(&state->distance[v]);
        while (sum < old &&
               !__atomic_compare_exchange(&state->distance[v], &old, &sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
        if (sum < old)
            add(state, mine, v, sum);
    }
}

/* Relaxes what the thread has added to the current bucket, while it is little. */
static void fuse(struct state *state, const struct graph *graph, struct buckets *mine)
{
    vertex_t few[FEW];
    struct list *list = &mine->of[state->current - state->base];
    while (list->size > 0 && list->size < FEW) {
        size_t size = list->size;
        memcpy(few, list->vertices, size * sizeof *few);
        list->size = 0;
        for (size_t i = 0; i < size; i++)
            relax(state, graph, mine, few[i]);
    }
}

/* Returns whether a vertex is in a bucket beyond, from which it has not moved to a lower one. */
static bool is_beyond(const struct state *state, vertex_t v)
{
    return bucket_of(state, state->distance[v]) - state->base >= NUM_BUCKETS;
}

/* Moves the base to the lowest bucket beyond, or to NO_BUCKET if there is none, and the vertices beyond to lists. */
static void move_base(struct state *state)
{
    uint64_t base = NO_BUCKET;
    for (int i = 0; i < state->num_threads; i++) {
        struct list *list = &state->buckets[i].beyond;
        size_t size = 0;
        for (size_t k = 0; k < list->size; k++)
            if (is_beyond(state, list->vertices[k])) {
                uint64_t bucket = bucket_of(state, state->distance[list->vertices[k]]);
                base = bucket < base ? bucket : base;
                list->vertices[size++] = list->vertices[k];
            }
        list->size = size;
    }
    state->base = state->current = base;
    for (int i = 0; i < state->num_threads && base != NO_BUCKET; i++) {
        struct list list = state->buckets[i].beyond;
        state->buckets[i].beyond = (struct list){0};
        for (size_t k = 0; k < list.size; k++)
            add(state, &state->buckets[i], list.vertices[k], state->distance[list.vertices[k]]);
        free(list.vertices);
    }
}

/* Makes the lowest bucket of all threads current, and the frontier. */
static void choose_frontier(struct state *state)
{
    state->frontier.size = 0;
    while (state->current != NO_BUCKET && state->frontier.size == 0) {
        for (int i = 0; i < state->num_threads; i++) {
            struct list *list = &state->buckets[i].of[state->current - state->base];
            if (list->size > 0 && !reserve(&state->frontier, state->frontier.size + list->size)) {
                state->failed = true;
                return;
            }
            if (list->size > 0)
                memcpy(state->frontier.vertices + state->frontier.size, list->vertices, list->size * sizeof(vertex_t));
            state->frontier.size += list->size;
            list->size = 0;
        }
        if (state->frontier.size == 0 && ++state->current - state->base == NUM_BUCKETS)
            move_base(state);
    }
}

static void search(struct state *state, const struct graph *graph)
{
#pragma omp parallel num_threads(state->num_threads)
    {
        struct buckets *mine = &state->buckets[omp_get_thread_num()];
        while (state->current != NO_BUCKET) {
#pragma omp for schedule(dynamic, 64) nowait
            for (size_t i = 0; i < state->frontier.size; i++)
                relax(state, graph, mine, state->frontier.vertices[i]);
            fuse(state, graph, mine);
#pragma omp barrier
#pragma omp single
            {
                choose_frontier(state);
                if (state->failed || stop_requested())
                    state->current = NO_BUCKET;
            }
        }
    }
}

/* ---- parents ---- */

/* Gives every reached vertex a parent: an edge from it must be tight, that is, give the vertex exactly its distance.
 * Tight edges from nearer vertices cannot form a cycle. Where a vertex has none, a search goes along edges of weight
 * 0, or of weights that vanish in the sum, from vertices that have a parent. */
static void find_parents(const struct state *state, const struct graph *graph, vertex_t source, vertex_t *queue)
{
    const double *distance = state->distance;
    vertex_t *parent = state->parent, tail = 0, num_found = 0, num_reached = 0;
    memset(parent, 0xff, graph->num_vertices * sizeof *parent); /* NO_VERTEX */
    parent[source] = source;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(state->num_threads)
    for (vertex_t u = 0; u < graph->num_vertices; u++)
        for (edge_t e = graph->offsets[u]; distance[u] != NO_PATH && e < graph->offsets[u + 1]; e++)
            if (distance[u] < distance[graph->targets[e]] &&
                distance_over(graph, distance[u], e) == distance[graph->targets[e]])
                __atomic_store_n(&parent[graph->targets[e]], u, __ATOMIC_RELAXED);
#pragma omp parallel for reduction(+ : num_found, num_reached) num_threads(state->num_threads)
    for (vertex_t v = 0; v < graph->num_vertices; v++) {
        num_reached += distance[v] != NO_PATH;
        num_found += parent[v] != NO_VERTEX;
    }
    for (vertex_t v = 0; num_found < num_reached && v < graph->num_vertices; v++)
        if (parent[v] != NO_VERTEX)
            queue[tail++] = v;
    for (vertex_t head = 0; num_found < num_reached && head < tail; head++)
        for (edge_t e = graph->offsets[queue[head]]; e < graph->offsets[queue[head] + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (parent[v] == NO_VERTEX && distance_over(graph, distance[queue[head]], e) == distance[v]) {
                parent[v] = queue[head];
                queue[tail++] = v;
            }
        }
}

/* ---- the algorithm ---- */

#define SMALL_EDGES 4096u /* on graphs of so few edges, one thread is faster than a team */

static double choose_delta(const struct graph *graph)
{
    double sum = 0, num_edges = (double)graph->num_edges;
#pragma omp parallel for reduction(+ : sum)
    for (edge_t e = 0; e < graph->num_edges; e++)
        sum += graph_weight(graph, e) / num_edges;
    double degree = num_edges / graph->num_vertices, delta = sum / degree;
    return delta > 0 ? delta * (degree < FLAT_DEGREE ? FLAT_TIMES : 1) : 1;
}

static int prepare(struct run *run)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    state->num_threads = graph->num_edges > SMALL_EDGES ? omp_get_max_threads() : 1;
    state->delta = run->options[DELTA] > 0 ? run->options[DELTA] : choose_delta(graph);
    run_allocate(run, &state->distance, graph->num_vertices, sizeof *state->distance);
    if (run->outputs & OUTPUT_PARENT) {
        run_allocate(run, &state->parent, graph->num_vertices, sizeof *state->parent);
        run_allocate(run, &state->queue, graph->num_vertices, sizeof *state->queue);
    }
    snprintf(run->note, sizeof run->note, "delta %g", state->delta);
    return run_allocate(run, &state->buckets, (size_t)state->num_threads, sizeof *state->buckets);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    vertex_t source = query->sources[0];
#pragma omp parallel for num_threads(state->num_threads)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        state->distance[v] = NO_PATH;
    state->failed = false;
    state->base = state->current = 0;
    state->distance[source] = 0;
    add(state, &state->buckets[0], source, 0);
    run_kernel_begin(run);
    choose_frontier(state);
    search(state, graph);
    if (state->parent != NULL)
        find_parents(state, graph, source, state->queue);
    for (int i = 0; i < state->num_threads; i++) /* of an interrupted search */
        for (unsigned k = 0; k < NUM_BUCKETS; k++)
            state->buckets[i].of[k].size = state->buckets[i].beyond.size = 0;
    if (state->failed)
        error_set(run->error, STATUS_INPUT, "out of memory: the buckets");
    else if (stop_requested())
        error_set(run->error, STATUS_INTERRUPTED, "interrupted");
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    copy_wanted(result->distance, state->distance, run->graph->num_vertices * sizeof *result->distance);
    copy_wanted(result->parent, state->parent, run->graph->num_vertices * sizeof *result->parent);
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    for (int i = 0; state->buckets != NULL && i < state->num_threads; i++) {
        for (unsigned k = 0; k < NUM_BUCKETS; k++)
            free(state->buckets[i].of[k].vertices);
        free(state->buckets[i].beyond.vertices);
    }
    free(state->frontier.vertices);
}

const struct algorithm sssp_delta = {
    .family = "sssp",
    .variant = "delta",
    .title = "Delta-stepping with bucket fusion, all cores",
    .citation = "Meyer and Sanders, J. Algorithms 2003; GAP Benchmark Suite (Beamer et al. 2015)",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_DISTANCE,
    .on_request = OUTPUT_PARENT,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
