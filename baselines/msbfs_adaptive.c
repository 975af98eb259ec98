/* msbfs_adaptive.c: searches from many sources on a CPU, each in the cheapest way; the default on a CPU.
 *
 * Levels and sums: every thread takes a source and searches alone (bfs_gap.h), so that no thread waits for another.
 * Many sources on a graph of few levels are searched together by msbfs pbfs, which visits a vertex once for many
 * sources. In prepare, a search from the vertex of the highest degree counts the levels.
 *
 * Lengths and paths: every thread takes a source, and searches from the source and from each of its destinations
 * (two_ended.h). When these searches have scanned TWO_ENDED_SHARE of the graph, one search of the whole graph finds
 * the source's other destinations. So a source costs at most about twice as much as in the cheaper way. Likewise, if
 * the first sources of a query predict more work than pbfs needs for all, pbfs takes the others.
 *
 * A directed graph is transposed when past and requested searches together cost as much as the transpose.
 *
 * Threads share only the graph and the query. A worker owns its arrays and writes the levels and lengths of its
 * sources; they are read after the parallel region. */
#include <omp.h>

#include "../src/algorithm_options.h"
#include "../src/progress.h"
#include "bfs_gap.h"
#include "two_ended.h"

enum { FORCE };
enum { FORCE_NOTHING, FORCE_ALONE, FORCE_TOGETHER };
static const struct option_spec options[] = {
    [FORCE] = FORCE_OPTION("alone|together"),
    {0},
};

#define TWO_ENDED_SHARE 0.25       /* share of the graph that pairs may scan; then one search finds the rest */
#define MANY_SOURCES    16u        /* from this number of sources on, pbfs may be faster */
#define FEW_LEVELS      32u        /* levels of a graph with few levels */
#define SOURCES_A_TURN  4u         /* sources per thread and turn; their levels stay in the cache until fetched */
#define MOST_A_BATCH    1024u      /* sources per batch if levels are not kept */
#define PAIRS_A_BATCH   512u       /* sources per batch of pairs: as many as pbfs takes */
#define LITTLE_WORK     (1u << 20) /* edges that one thread scans in about 2 ms */
#define PBFS_LANES_EDGE 16u        /* for pbfs, this many sources cost as much as scanning an edge (kron:18:16) */

struct worker {
    struct gap_search alone;
    struct two_ended pair;
    uint64_t *farness;       /* num_vertices; over the worker's sources; NULL if not wanted */
    uint32_t *farness_count; /* num_vertices; number of these sources */
};

struct state {
    struct graph transpose; /* the transpose of a directed graph, once made; otherwise empty */
    struct worker *workers; /* num_workers */
    int num_workers;
    uint64_t *candidates;     /* bitmap of the vertices with in-neighbours (bfs_gap.h) */
    uint32_t *level;          /* num_vertices x batch_size if levels are an output, otherwise x num_workers */
    struct source_sums *sums; /* batch_size */
    uint64_t num_searched;    /* number of sources searched so far, over all queries */
    struct run pbfs;          /* prepared if it may be faster; otherwise without algorithm */
    bool asked_for_pbfs;      /* it is known whether pbfs may be faster */
    bool has_pbfs, by_pbfs;   /* pbfs is prepared; pbfs answered the last query */
    uint32_t num_sources;     /* sources of the last query */
    uint64_t num_lengths;     /* lengths of the last query */
    uint32_t *length;         /* num_lengths */
    vertex_t **path_of;       /* num_lengths; the path to each destination, or NULL; NULL if paths are not wanted */
};

extern const struct algorithm msbfs_pbfs;

/* ---- preparing ---- */

/* Gives the workers the in-neighbours. Without them, the workers search in one direction. */
static int learn_in_neighbours(struct run *run)
{
    struct state *state = run->state;
    const struct graph *graph = run->graph, *in = graph->symmetric ? graph : &state->transpose;
    if (!graph->symmetric && graph_transpose(graph, &state->transpose, run->error) != STATUS_OK)
        return run->error->status;
    gap_find_candidates(in, state->candidates);
    for (int i = 0; i < state->num_workers; i++)
        state->workers[i].alone.in = state->workers[i].pair.in = in;
    return STATUS_OK;
}

/* Calls learn_in_neighbours if it pays off with `more` further sources. */
static int learn_if_many(struct run *run, uint64_t more)
{
    const struct state *state = run->state;
    if (state->workers[0].alone.in != NULL ||
        (!run->graph->symmetric && state->num_searched + more < GAP_SEARCHES_A_TRANSPOSE))
        return STATUS_OK;
    return learn_in_neighbours(run);
}

static int allocate_workers(struct run *run)
{
    struct state *state = run->state;
    const struct graph *graph = run->graph;
    size_t n = graph->num_vertices, words = gap_words(graph), count = (size_t)state->num_workers;
    bool has_farness = run->outputs & OUTPUT_FARNESS, has_paths = run->outputs & OUTPUT_PATH;
    uint64_t *bitmaps, *farness;
    uint32_t *farness_count;
    vertex_t *queues, *parents;
    uint8_t *marks;
    run_allocate(run, &state->workers, count, sizeof *state->workers);
    run_allocate(run, &queues, count * n, sizeof *queues);
    run_allocate(run, &bitmaps, 2 * count * words, sizeof *bitmaps);
    run_allocate(run, &marks, count * n, sizeof *marks);
    run_allocate(run, &parents, has_paths ? count * n : 0, sizeof *parents);
    run_allocate(run, &farness, has_farness ? count * n : 0, sizeof *farness);
    run_allocate(run, &farness_count, has_farness ? count * n : 0, sizeof *farness_count);
    for (size_t i = 0; run->error->status == STATUS_OK && i < count; i++)
        state->workers[i] = (struct worker){.alone = {.out = graph,
                                                      .queue = queues + i * n,
                                                      .visited = bitmaps + 2 * i * words,
                                                      .found = bitmaps + (2 * i + 1) * words,
                                                      .candidates = state->candidates,
                                                      .alpha = GAP_ALPHA,
                                                      .beta = GAP_BETA,
                                                      .narrow = GAP_NARROW,
                                                      .alone = true},
                                            .pair = {.out = graph, .mark = marks + i * n, .queue = queues + i * n},
                                            .farness = has_farness ? farness + i * n : NULL,
                                            .farness_count = has_farness ? farness_count + i * n : NULL};
    for (size_t i = 0; run->error->status == STATUS_OK && has_paths && i < count; i++)
        state->workers[i].pair.parent = parents + i * n;
    return run->error->status;
}

/* Searches from a source alone. Returns the worker's levels. which: number of the source. */
static const uint32_t *search_alone(struct run *run, struct worker *worker, vertex_t source, uint32_t which,
                                    struct error *error)
{
    const struct state *state = run->state;
    size_t n = run->graph->num_vertices,
           place = run->outputs & OUTPUT_LEVEL ? which : (size_t)(worker - state->workers);
    worker->alone.level = state->level + place * n;
    memset(worker->alone.level, 0xff, n * sizeof *worker->alone.level); /* UNREACHED */
    gap_run(&worker->alone, &(struct query){.sources = &source, .num_sources = 1}, error);
    return worker->alone.level;
}

/* Returns whether the graph has few levels in a search from a vertex of the highest degree. */
static bool has_few_levels(struct run *run)
{
    const struct state *state = run->state;
    vertex_t hub = 0;
    for (vertex_t v = 1; v < run->graph->num_vertices; v++)
        hub = graph_degree(run->graph, v) > graph_degree(run->graph, hub) ? v : hub;
    search_alone(run, &state->workers[0], hub, 0, run->error);
    return state->workers[0].alone.depth < FEW_LEVELS;
}

/* Prepares pbfs if it may be faster. If memory is short, continues without pbfs. */
static void prepare_pbfs(struct run *run)
{
    struct state *state = run->state;
    struct error failed = {0};
    if (run->outputs & OUTPUT_PATH || (int)run->options[FORCE] == FORCE_ALONE || state->asked_for_pbfs)
        return;
    state->asked_for_pbfs = true;
    if ((int)run->options[FORCE] == FORCE_NOTHING &&
        ((uint32_t)run->num_sources < MANY_SOURCES || !has_few_levels(run)))
        return;
    state->pbfs = (struct run){.graph = run->graph,
                               .device = run->device,
                               .outputs = run->outputs,
                               .num_sources = run->num_sources,
                               .error = &failed};
    options_parse(&msbfs_pbfs, NULL, 0, state->pbfs.options, &failed);
    state->has_pbfs =
        run_begin(&msbfs_pbfs, &state->pbfs) == STATUS_OK && msbfs_pbfs.prepare(&state->pbfs) == STATUS_OK;
    if (!state->has_pbfs)
        run_release(&msbfs_pbfs, &state->pbfs);
}

static int prepare(struct run *run)
{
    struct state *state = run->state;
    vertex_t n = run->graph->num_vertices;
    int threads = omp_get_max_threads();
    uint32_t trials = run->num_sources > 0 ? (uint32_t)run->num_sources : 1;
    state->num_workers = (uint32_t)threads < trials ? threads : (int)trials;
    uint32_t turn = (uint32_t)state->num_workers * SOURCES_A_TURN;
    bool of_pairs = run->outputs & OUTPUT_LENGTH;
    run->batch_size = of_pairs ? PAIRS_A_BATCH : MOST_A_BATCH;
    if (run->outputs & OUTPUT_LEVEL)
        run->batch_size = turn < trials ? turn : trials;
    run_allocate(run, &state->level,
                 (size_t)n * (run->outputs & OUTPUT_LEVEL ? run->batch_size : (uint32_t)state->num_workers),
                 sizeof *state->level);
    run_allocate(run, &state->sums, MOST_A_BATCH, sizeof *state->sums);
    run_allocate(run, &state->candidates, gap_words(run->graph), sizeof *state->candidates);
    if (allocate_workers(run) != STATUS_OK || learn_if_many(run, trials) != STATUS_OK)
        return run->error->status;
    if (!of_pairs || (int)run->options[FORCE] == FORCE_TOGETHER)
        prepare_pbfs(run);
    if (state->has_pbfs)
        run->batch_size = state->pbfs.batch_size;
    snprintf(run->note, sizeof run->note, "%s%d thread%s, each with a source of its own",
             state->has_pbfs ? "all sources together by pbfs, or " : "", state->num_workers,
             state->num_workers > 1 ? "s" : "");
    return run->error->status;
}

/* ---- levels and sums ---- */

static void add_up(const uint32_t *level, vertex_t n, const struct worker *worker, struct source_sums *sums)
{
    uint64_t reached = 0, sum = 0;
    for (vertex_t v = 0; v < n; v++) {
        bool is_reached = level[v] != UNREACHED;
        reached += is_reached;
        sum += is_reached ? level[v] : 0;
    }
    for (vertex_t v = 0; worker->farness != NULL && v < n; v++) {
        bool is_reached = level[v] != UNREACHED;
        worker->farness[v] += is_reached ? level[v] : 0;
        worker->farness_count[v] += is_reached;
    }
    *sums = (struct source_sums){.reached = reached, .level_sum = sum, .eccentricity = worker->alone.depth};
}

static void take_source(struct run *run, const struct query *query, uint32_t which, struct worker *worker,
                        struct error *error)
{
    const struct state *state = run->state;
    const uint32_t *level = search_alone(run, worker, query->sources[which], which, error);
    if (run->outputs & (OUTPUT_SUMS | OUTPUT_FARNESS))
        add_up(level, run->graph->num_vertices, worker, &state->sums[which]);
}

/* ---- lengths and paths ---- */

/* Writes a path after a search of the whole graph: walks back from a vertex, level by level. */
static void walk_back(const struct worker *worker, vertex_t v, uint32_t length, vertex_t *path)
{
    const struct graph *in = worker->alone.in;
    path[length] = v;
    while (length-- > 0) {
        edge_t e = in->offsets[v];
        while (worker->alone.level[in->targets[e]] != length)
            e++;
        path[length] = v = in->targets[e];
    }
}

/* Sets the length of destination number d. level: of a whole search from its source; NULL if there was none. */
static int take_destination(struct state *state, const struct query *query, uint64_t d, struct worker *worker,
                            const uint32_t *level, struct error *error)
{
    const struct destination *destination = &query->destinations[d];
    vertex_t source = query->sources[destination->which];
    uint32_t length =
        level != NULL ? level[destination->vertex] : two_ended_length(&worker->pair, source, destination->vertex);
    state->length[d] = length;
    if (state->path_of == NULL || length == UNREACHED)
        return STATUS_OK;
    if (allocate(&state->path_of[d], (size_t)length + 1, sizeof **state->path_of, "the paths", error) != STATUS_OK)
        return error->status;
    if (level != NULL)
        walk_back(worker, destination->vertex, length, state->path_of[d]);
    else
        two_ended_path(&worker->pair, length, state->path_of[d]);
    return STATUS_OK;
}

/* Finds the lengths of a source's destinations. Without in-neighbours, paths come from two-ended searches alone. */
static void take_pairs(struct run *run, const struct query *query, uint32_t which, struct worker *worker,
                       struct error *error)
{
    struct state *state = run->state;
    const struct destination *destinations = query->destinations;
    uint64_t low = 0, high = query->num_destinations;
    double budget = TWO_ENDED_SHARE * ((double)run->graph->num_edges + run->graph->num_vertices);
    const uint32_t *level = NULL;
    while (low < high) { /* finds the first destination of this source */
        uint64_t middle = low + (high - low) / 2;
        if (destinations[middle].which < which)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint64_t d = low; d < query->num_destinations && destinations[d].which == which; d++) {
        if (stop_requested()) {
            error_set(error, STATUS_INTERRUPTED, "interrupted");
            return;
        }
        if (level == NULL && worker->pair.in != NULL && (double)worker->pair.scanned >= budget)
            level = search_alone(run, worker, query->sources[which], which, error);
        if (error->status != STATUS_OK || take_destination(state, query, d, worker, level, error) != STATUS_OK)
            return;
    }
}

/* ---- a query ---- */

/* Searches from sources first .. last - 1 on at most `most` threads. Returns the number of edges scanned for
 * pairs. */
static uint64_t search_each(struct run *run, const struct query *query, uint32_t first, uint32_t last, int most)
{
    struct state *state = run->state;
    struct progress_listener *listener = progress_listener;
    uint64_t scanned = 0;
    int threads = last - first < (uint32_t)most ? (int)(last - first) : most;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(+ : scanned)
    for (uint32_t which = first; which < last; which++) {
        struct worker *worker = &state->workers[omp_get_thread_num()];
        struct error error = {0};
        progress_join(listener);
        worker->pair.scanned = 0;
        (state->length != NULL ? take_pairs : take_source)(run, query, which, worker, &error);
        scanned += worker->pair.scanned;
#pragma omp critical(msbfs_adaptive)
        if (error.status != STATUS_OK)
            error_set(run->error, error.status, "%s", error.text);
    }
    return scanned;
}

static int search_together(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    state->pbfs.error = run->error;
    state->by_pbfs = true;
    return msbfs_pbfs.traverse(&state->pbfs, query);
}

/* Returns whether pbfs would take less time for a query than the sources left after the first `done`. */
static bool pbfs_is_faster(struct run *run, const struct query *query, uint32_t done, uint64_t scanned)
{
    const struct state *state = run->state;
    double left = (double)scanned / done * (query->num_sources - done);
    double lanes = query->num_sources + 2.0 * PBFS_LANES_EDGE;
    if (left <= (double)run->graph->num_edges * lanes / PBFS_LANES_EDGE)
        return false;
    prepare_pbfs(run);
    return state->has_pbfs && query->num_sources <= state->pbfs.batch_size;
}

/* Answers pairs. Uses one thread if the first source predicts little work for the others. */
static int search_pairs(struct run *run, const struct query *query)
{
    const struct state *state = run->state;
    uint32_t sample = query->num_sources < MANY_SOURCES ? query->num_sources : MANY_SOURCES;
    uint64_t scanned = search_each(run, query, 0, 1, 1);
    int most = scanned < LITTLE_WORK / query->num_sources ? 1 : state->num_workers;
    if (run->error->status == STATUS_OK && sample > 1)
        scanned += search_each(run, query, 1, sample, most);
    if (run->error->status == STATUS_OK && pbfs_is_faster(run, query, sample, scanned))
        return search_together(run, query);
    if (run->error->status == STATUS_OK && sample < query->num_sources)
        search_each(run, query, sample, query->num_sources, most);
    return run->error->status;
}

static void forget_pairs(struct state *state)
{
    for (uint64_t d = 0; state->path_of != NULL && d < state->num_lengths; d++)
        free(state->path_of[d]);
    free(state->length);
    free(state->path_of);
    state->length = NULL;
    state->path_of = NULL;
}

static int reset(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    bool wants_lengths = query->destinations != NULL && run->outputs & OUTPUT_LENGTH;
    forget_pairs(state);
    state->by_pbfs = false;
    state->num_sources = query->num_sources;
    state->num_lengths = wants_lengths ? query->num_destinations : 0;
    if (wants_lengths)
        allocate(&state->length, state->num_lengths, sizeof *state->length, "destinations", run->error);
    if (wants_lengths && run->outputs & OUTPUT_PATH)
        allocate_zeroed(&state->path_of, state->num_lengths, sizeof *state->path_of, "the paths", run->error);
    return run->error->status;
}

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    bool together = (int)run->options[FORCE] == FORCE_TOGETHER;
    if (reset(run, query) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    uint64_t work = state->length != NULL ? query->num_destinations : query->num_sources;
    if (learn_if_many(run, work) != STATUS_OK)
        return run->error->status;
    state->num_searched += work;
    if (state->has_pbfs && (together || state->length == NULL))
        search_together(run, query);
    else if (state->length != NULL)
        search_pairs(run, query);
    else
        search_each(run, query, 0, query->num_sources, state->num_workers);
    return run_kernel_end(run);
}

/* ---- results ---- */

static void fetch_paths(const struct state *state, vertex_t *to)
{
    for (uint64_t d = 0; d < state->num_lengths; d++)
        if (state->length[d] != UNREACHED) {
            memcpy(to, state->path_of[d], ((size_t)state->length[d] + 1) * sizeof *to);
            to += (size_t)state->length[d] + 1;
        }
}

/* Adds up the workers' farness, and clears it. */
static void fetch_farness(const struct state *state, vertex_t n, const struct traversal *result)
{
#pragma omp parallel for
    for (vertex_t v = 0; v < n; v++) {
        result->farness[v] = result->farness_count[v] = 0;
        for (int i = 0; i < state->num_workers; i++) {
            const struct worker *worker = &state->workers[i];
            result->farness[v] += worker->farness[v];
            result->farness_count[v] += worker->farness_count[v];
            worker->farness[v] = worker->farness_count[v] = 0;
        }
    }
}

static int fetch(struct run *run, struct traversal *result)
{
    struct state *state = run->state;
    size_t n = run->graph->num_vertices;
    state->pbfs.error = run->error;
    if (state->by_pbfs)
        return msbfs_pbfs.fetch(&state->pbfs, result);
    copy_wanted(result->level, state->level + result->which * n, n * sizeof *result->level);
    copy_wanted(result->sums, state->sums, state->num_sources * sizeof *result->sums);
    copy_wanted(result->length, state->length, state->num_lengths * sizeof *result->length);
    if (result->path != NULL)
        fetch_paths(state, result->path);
    if (result->farness != NULL)
        fetch_farness(state, run->graph->num_vertices, result);
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    if (state->has_pbfs)
        run_release(&msbfs_pbfs, &state->pbfs);
    graph_release(&state->transpose);
    forget_pairs(state);
}

const struct algorithm msbfs_adaptive = {
    .family = "msbfs",
    .variant = "adaptive",
    .title = "A source per thread, from both ends for pairs, or pbfs",
    .citation = "Pohl 1971; GAP Benchmark Suite (Beamer et al. 2015)",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FARNESS | OUTPUT_LENGTH | OUTPUT_PATH,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
