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
 * empty, base moves to the lowest bucket beyond, and the vertices beyond are put into the lists again.
 *
 * Distances are kept as the bits of numbers of the weights' type (src/graph/weights.h), which order as the numbers do.
 * The compiler makes a function for each type. */
#include <omp.h>

#include "../src/algorithm.h"
#include "../src/distance.h"
#include "../src/graph/weights.h"
#include "../src/progress.h"

enum { DELTA };
static const struct option_spec options[] = {
    [DELTA] = NUMBER_OPTION("delta", 0, 0, UINT32_MAX, "width of a bucket; 0: chosen by mean weight and degree"),
    {0},
};

#define NUM_BUCKETS 256u
#define AHEAD       8u    /* vertices that the prefetching is ahead */
#define FEW         1000u /* a thread relaxes at once what it adds to the current bucket, if it is less */
#define LAST_BUCKET (1ull << 62)
#define NO_BUCKET   UINT64_MAX
/* On flat graphs buckets are so much wider: more work, but fewer steps, at whose ends all threads wait. */
#define FLAT_TIMES(threads) (12.0 + 4.0 * (threads))
#define MANY                16384u /* so many vertices of a frontier are collected by all threads */

struct list {
    vertex_t *vertices; /* size of them, room for `room` */
    size_t size, room;
};

struct state {
    enum weight_type type;
    void *distance;                        /* num_vertices numbers of the type; all bits set: no path */
    vertex_t *parent;                      /* num_vertices; NULL if not wanted */
    struct list frontier;                  /* of the current step */
    struct list (*lists)[NUM_BUCKETS + 1]; /* num_threads; entry i: bucket base + i; the last one: all beyond */
    size_t *places;                        /* num_threads: where the frontier has the vertices of each thread */
    int num_threads;
    double delta;
    uint64_t base, current; /* current: the bucket of the step; NO_BUCKET: the search ends */
    bool failed;            /* memory is short */
};

#define INLINE static inline __attribute__((always_inline))

/* ---- distances as bits; `type` is a constant in the functions that relax ---- */

INLINE uint64_t not_reached(enum weight_type type)
{
    return type == WEIGHTS_DOUBLE ? UINT64_MAX : UINT32_MAX;
}

INLINE uint64_t load_distance(const struct state *state, vertex_t v, enum weight_type type)
{
    return type == WEIGHTS_DOUBLE ? __atomic_load_n((const uint64_t *)state->distance + v, __ATOMIC_RELAXED)
                                  : __atomic_load_n((const uint32_t *)state->distance + v, __ATOMIC_RELAXED);
}

/* Lowers a distance to sum. Returns false if it was not larger. */
INLINE bool lower_distance(const struct state *state, vertex_t v, uint64_t sum, enum weight_type type)
{
    uint64_t old = load_distance(state, v, type);
    uint32_t narrow = (uint32_t)old;
    bool done = false;
    while (sum < old && !done) {
        if (type == WEIGHTS_DOUBLE)
            done = __atomic_compare_exchange_n((uint64_t *)state->distance + v, &old, sum, false, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED);
        else
            done = __atomic_compare_exchange_n((uint32_t *)state->distance + v, &narrow, (uint32_t)sum, false,
                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        old = type == WEIGHTS_DOUBLE ? old : narrow;
    }
    return done;
}

INLINE double number_of(uint64_t bits, enum weight_type type)
{
    const uint32_t narrow_bits = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &narrow_bits, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return type == WEIGHTS_UINT32 ? (double)bits : type == WEIGHTS_FLOAT ? narrow : wide;
}

/* Returns the distance over one more edge, as distance_sum() does. */
INLINE uint64_t sum_of(uint64_t distance, uint64_t weight, enum weight_type type)
{
    if (type != WEIGHTS_UINT32)
        return weight_as_bits(distance_sum(type, number_of(distance, type), number_of(weight, type)), type);
    return distance + weight < UINT32_MAX - 1 ? distance + weight : UINT32_MAX - 1;
}

/* ---- buckets ---- */

/* Returns the number of the bucket of a distance. Buckets from LAST_BUCKET on are one. */
INLINE uint64_t bucket_of(const struct state *state, uint64_t distance, enum weight_type type)
{
    double bucket = number_of(distance, type) / state->delta;
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

/* Adds a vertex to its bucket. */
INLINE void add(struct state *state, struct list *mine, vertex_t v, uint64_t distance, enum weight_type type)
{
    uint64_t place = bucket_of(state, distance, type) - state->base;
    struct list *list = &mine[place < NUM_BUCKETS ? place : NUM_BUCKETS];
    if (list->size < list->room || reserve(list, list->size + 1))
        list->vertices[list->size++] = v;
    else
        __atomic_store_n(&state->failed, true, __ATOMIC_RELAXED);
}

/* Relaxes the edges of a vertex, unless this was done in a lower bucket. */
INLINE void relax_by(struct state *state, const struct graph *graph, struct list *mine, vertex_t u,
                     enum weight_type type)
{
    uint64_t from = load_distance(state, u, type);
    if (bucket_of(state, from, type) < state->current)
        return;
    const vertex_t *targets = graph->targets;
    const void *weights = graph->weights;
    for (edge_t e = graph->offsets[u], end = graph->offsets[u + 1]; e < end; e++) {
        vertex_t v = targets[e];
        uint64_t sum = sum_of(from, get_weight_bits(weights, weight_bytes(type), e), type);
        if (lower_distance(state, v, sum, type))
            add(state, mine, v, sum, type);
    }
}

/* Fetches what relaxing vertices will read into the cache, some vertices before vertex number i is relaxed. */
INLINE void look_ahead(const struct state *state, const struct graph *graph, const vertex_t *vertices, size_t i,
                       size_t size)
{
    if (i + 2 * AHEAD < size) {
        __builtin_prefetch(&graph->offsets[vertices[i + 2 * AHEAD]]);
        __builtin_prefetch((const char *)state->distance + vertices[i + 2 * AHEAD] * weight_bytes(state->type));
    }
    if (i + AHEAD < size) {
        edge_t first = graph->offsets[vertices[i + AHEAD]];
        __builtin_prefetch(&graph->targets[first]);
        __builtin_prefetch((const char *)graph->weights + first * weight_bytes(state->type));
    }
}

/* Relaxes vertex number i of several. */
static void relax(struct state *state, const struct graph *graph, struct list *mine, const vertex_t *vertices, size_t i,
                  size_t size)
{
    vertex_t u = vertices[i];
    look_ahead(state, graph, vertices, i, size);
    if (state->type == WEIGHTS_UINT32)
        relax_by(state, graph, mine, u, WEIGHTS_UINT32);
    else if (state->type == WEIGHTS_FLOAT)
        relax_by(state, graph, mine, u, WEIGHTS_FLOAT);
    else
        relax_by(state, graph, mine, u, WEIGHTS_DOUBLE);
}

/* Relaxes what the thread has added to the current bucket, while it is little. */
static void fuse(struct state *state, const struct graph *graph, struct list *mine)
{
    vertex_t few[FEW];
    struct list *list = &mine[state->current - state->base];
    while (list->size > 0 && list->size < FEW) {
        size_t size = list->size;
        memcpy(few, list->vertices, size * sizeof *few);
        list->size = 0;
        for (size_t i = 0; i < size; i++)
            relax(state, graph, mine, few, i, size);
    }
}

/* Returns the number of a vertex's bucket. */
static uint64_t bucket_at(const struct state *state, vertex_t v)
{
    return bucket_of(state, load_distance(state, v, state->type), state->type);
}

/* Moves the base to the lowest bucket beyond, or to NO_BUCKET if there is none, and the vertices there to their lists.
 * Vertices whose distances have fallen since were added to other lists then. */
static void move_base(struct state *state)
{
    const uint64_t beyond = state->base + NUM_BUCKETS;
    uint64_t base = NO_BUCKET;
    for (int i = 0; i < state->num_threads; i++) {
        const struct list *list = &state->lists[i][NUM_BUCKETS];
        for (size_t k = 0; k < list->size; k++) {
            uint64_t bucket = bucket_at(state, list->vertices[k]);
            base = bucket >= beyond && bucket < base ? bucket : base;
        }
    }
    state->base = state->current = base;
    for (int i = 0; i < state->num_threads; i++) {
        struct list *list = &state->lists[i][NUM_BUCKETS], old = *list;
        *list = (struct list){0};
        for (size_t k = 0; k < old.size; k++)
            if (bucket_at(state, old.vertices[k]) >= beyond)
                add(state, state->lists[i], old.vertices[k], load_distance(state, old.vertices[k], state->type),
                    state->type);
        free(old.vertices);
    }
}

/* Moves a thread's vertices of the current bucket to the frontier. */
static void collect(struct state *state, int thread)
{
    struct list *list = &state->lists[thread][state->current - state->base];
    if (list->size > 0)
        memcpy(state->frontier.vertices + state->places[thread], list->vertices, list->size * sizeof(vertex_t));
    list->size = 0;
}

/* Makes the lowest bucket of all threads current, and makes room for it in the frontier. If the bucket has many
 * vertices, each thread then collects its own. */
static void choose_frontier(struct state *state)
{
    size_t size = 0;
    while (state->current != NO_BUCKET && size == 0) {
        for (int i = 0; i < state->num_threads; i++) {
            state->places[i] = size;
            size += state->lists[i][state->current - state->base].size;
        }
        if (size == 0 && ++state->current - state->base == NUM_BUCKETS)
            move_base(state);
    }
    if (!reserve(&state->frontier, size))
        state->failed = true;
    state->frontier.size = state->failed ? 0 : size;
    for (int i = 0; i < state->num_threads && 0 < size && size < MANY && !state->failed; i++)
        collect(state, i);
}

static void search(struct state *state, const struct graph *graph)
{
#pragma omp parallel num_threads(state->num_threads)
    {
        struct list *mine = state->lists[omp_get_thread_num()];
        while (state->current != NO_BUCKET) {
#pragma omp for schedule(dynamic, 64) nowait
            for (size_t i = 0; i < state->frontier.size; i++)
                relax(state, graph, mine, state->frontier.vertices, i, state->frontier.size);
            fuse(state, graph, mine);
#pragma omp barrier
#pragma omp master
            {
                choose_frontier(state);
                if (state->failed || stop_requested())
                    state->current = NO_BUCKET;
            }
#pragma omp barrier
            if (state->current != NO_BUCKET && state->frontier.size >= MANY) {
                collect(state, omp_get_thread_num());
#pragma omp barrier
            }
        }
    }
}

/* ---- parents ---- */

/* Gives targets of tight edges, which give the target exactly its distance, their parents. equal: over edges from
 * vertices with a parent to targets at the same distance; otherwise over edges to farther targets. So each parent is
 * nearer, or got its own parent before. Returns whether a reached vertex has no parent. */
static bool adopt(const struct state *state, const struct graph *graph, bool equal)
{
    bool lacks = false;
#pragma omp parallel num_threads(state->num_threads) reduction(|| : lacks)
    {
#pragma omp for schedule(dynamic, 1024)
        for (vertex_t u = 0; u < graph->num_vertices; u++) {
            uint64_t from = load_distance(state, u, state->type);
            if (from == not_reached(state->type) ||
                (equal && __atomic_load_n(&state->parent[u], __ATOMIC_RELAXED) == NO_VERTEX))
                continue;
            for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
                vertex_t v = graph->targets[e], none = NO_VERTEX;
                uint64_t weight = get_weight_bits(graph->weights, weight_bytes(state->type), e);
                uint64_t sum = sum_of(from, weight, state->type);
                if (sum == load_distance(state, v, state->type) && (sum == from) == equal)
                    __atomic_compare_exchange_n(&state->parent[v], &none, u, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
            }
        }
#pragma omp for
        for (vertex_t v = 0; v < graph->num_vertices; v++)
            lacks = lacks ||
                    (state->parent[v] == NO_VERTEX && load_distance(state, v, state->type) != not_reached(state->type));
    }
    return lacks;
}

static void find_parents(const struct state *state, const struct graph *graph, vertex_t source)
{
    memset(state->parent, 0xff, graph->num_vertices * sizeof *state->parent); /* NO_VERTEX */
    state->parent[source] = source;
    for (bool equal = false; adopt(state, graph, equal); equal = true)
        ;
}

/* ---- the algorithm ---- */

#define SMALL_EDGES 4096u /* on graphs of so few edges, one thread is faster than a team */

static int prepare(struct run *run)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    state->num_threads = graph->num_edges > SMALL_EDGES ? omp_get_max_threads() : 1;
    state->delta = run->options[DELTA] > 0 ? run->options[DELTA] : mean_delta(graph, FLAT_TIMES(state->num_threads));
    state->type = graph->weight_type;
    run_allocate(run, &state->distance, graph->num_vertices, weight_bytes(state->type));
    if (run->outputs & OUTPUT_PARENT)
        run_allocate(run, &state->parent, graph->num_vertices, sizeof *state->parent);
    snprintf(run->note, sizeof run->note, "delta %g", state->delta);
    run_allocate(run, &state->places, (size_t)state->num_threads, sizeof *state->places);
    return run_allocate(run, &state->lists, (size_t)state->num_threads, sizeof *state->lists);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    vertex_t source = query->sources[0];
    memset(state->distance, 0xff, graph->num_vertices * weight_bytes(state->type));
    state->failed = false;
    state->base = state->current = 0;
    lower_distance(state, source, 0, state->type);
    add(state, state->lists[0], source, 0, state->type);
    run_kernel_begin(run);
    choose_frontier(state);
    search(state, graph);
    for (int i = 0; i < state->num_threads; i++) /* of an interrupted search */
        for (unsigned k = 0; k <= NUM_BUCKETS; k++)
            state->lists[i][k].size = 0;
    if (state->failed)
        error_set(run->error, STATUS_INPUT, "out of memory: the buckets");
    else if (stop_requested())
        error_set(run->error, STATUS_INTERRUPTED, "interrupted");
    else if (state->parent != NULL)
        find_parents(state, graph, source);
    return run_kernel_end(run);
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    vertex_t n = run->graph->num_vertices;
    copy_wanted(result->parent, state->parent, n * sizeof *result->parent);
    for (vertex_t v = 0; result->distance != NULL && v < n; v++) {
        uint64_t distance = load_distance(state, v, state->type);
        result->distance[v] = distance != not_reached(state->type) ? number_of(distance, state->type) : NO_PATH;
    }
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    for (int i = 0; state->lists != NULL && i < state->num_threads; i++)
        for (unsigned k = 0; k <= NUM_BUCKETS; k++)
            free(state->lists[i][k].vertices);
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
