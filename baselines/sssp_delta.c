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
 * A thread has lists for NUM_BUCKETS buckets from `base` on. Once these are empty, base moves to the lowest bucket
 * beyond, and a scan of all distances fills the lists. */
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
#define FLAT_TIMES  64.0 /* on flat graphs buckets are so much wider: more work, but fewer steps */

struct list {
    vertex_t *vertices; /* size of them, room for `room` */
    size_t size, room;
};

struct state {
    double *distance;                  /* num_vertices */
    struct list frontier;              /* of the current step */
    struct list (*lists)[NUM_BUCKETS]; /* num_threads; entry i: bucket base + i */
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

/* Adds a vertex to its bucket, unless the bucket is beyond the lists. */
static void add(struct state *state, struct list *mine, vertex_t v, double distance)
{
    uint64_t place = bucket_of(state, distance) - state->base;
    if (place < NUM_BUCKETS && reserve(&mine[place], mine[place].size + 1))
        mine[place].vertices[mine[place].size++] = v;
    else if (place < NUM_BUCKETS)
        __atomic_store_n(&state->failed, true, __ATOMIC_RELAXED);
}

/* Relaxes the edges of a vertex, unless this was done in a lower bucket. */
static void relax(struct state *state, const struct graph *graph, struct list *mine, vertex_t u)
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
static void fuse(struct state *state, const struct graph *graph, struct list *mine)
{
    vertex_t few[FEW];
    struct list *list = &mine[state->current - state->base];
    while (list->size > 0 && list->size < FEW) {
        size_t size = list->size;
        memcpy(few, list->vertices, size * sizeof *few);
        list->size = 0;
        for (size_t i = 0; i < size; i++)
            relax(state, graph, mine, few[i]);
    }
}

/* Moves the base to the lowest bucket beyond, or to NO_BUCKET if there is none, and fills the lists of thread 0. */
static void move_base(struct state *state, vertex_t num_vertices)
{
    const double *distance = state->distance;
    uint64_t base = NO_BUCKET;
    for (vertex_t v = 0; v < num_vertices; v++)
        if (distance[v] != NO_PATH && bucket_of(state, distance[v]) >= state->base + NUM_BUCKETS &&
            bucket_of(state, distance[v]) < base)
            base = bucket_of(state, distance[v]);
    state->base = state->current = base;
    for (vertex_t v = 0; base != NO_BUCKET && v < num_vertices; v++)
        if (distance[v] != NO_PATH && bucket_of(state, distance[v]) >= base)
            add(state, state->lists[0], v, distance[v]);
}

/* Makes the lowest bucket of all threads current, and the frontier. */
static void choose_frontier(struct state *state, vertex_t num_vertices)
{
    state->frontier.size = 0;
    while (state->current != NO_BUCKET && state->frontier.size == 0) {
        for (int i = 0; i < state->num_threads; i++) {
            struct list *list = &state->lists[i][state->current - state->base];
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
            move_base(state, num_vertices);
    }
}

static void search(struct state *state, const struct graph *graph)
{
#pragma omp parallel num_threads(state->num_threads)
    {
        struct list *mine = state->lists[omp_get_thread_num()];
        while (state->current != NO_BUCKET) {
#pragma omp for schedule(dynamic, 64) nowait
            for (size_t i = 0; i < state->frontier.size; i++)
                relax(state, graph, mine, state->frontier.vertices[i]);
            fuse(state, graph, mine);
#pragma omp barrier
#pragma omp master
            {
                choose_frontier(state, graph->num_vertices);
                if (state->failed || stop_requested())
                    state->current = NO_BUCKET;
            }
#pragma omp barrier
        }
    }
}

/* ---- the algorithm ---- */

#define SMALL_EDGES 4096u /* on graphs of so few edges, one thread is faster than a team */

static int prepare(struct run *run)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    state->num_threads = graph->num_edges > SMALL_EDGES ? omp_get_max_threads() : 1;
    state->delta = run->options[DELTA] > 0 ? run->options[DELTA] : mean_delta(graph, FLAT_TIMES);
    run_allocate(run, &state->distance, graph->num_vertices, sizeof *state->distance);
    snprintf(run->note, sizeof run->note, "delta %g", state->delta);
    return run_allocate(run, &state->lists, (size_t)state->num_threads, sizeof *state->lists);
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
    add(state, state->lists[0], source, 0);
    run_kernel_begin(run);
    choose_frontier(state, graph->num_vertices);
    search(state, graph);
    for (int i = 0; i < state->num_threads; i++) /* of an interrupted search */
        for (unsigned k = 0; k < NUM_BUCKETS; k++)
            state->lists[i][k].size = 0;
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
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    for (int i = 0; state->lists != NULL && i < state->num_threads; i++)
        for (unsigned k = 0; k < NUM_BUCKETS; k++)
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
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
