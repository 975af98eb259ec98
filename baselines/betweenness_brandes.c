/* betweenness_brandes.c: betweenness from the dependencies of each source (Brandes, J. Math. Sociol. 2001; the
 * formulas are in src/verify/betweenness.h). Each thread runs a search of its own, without lists of predecessors
 * (Madduri et al., IPDPS 2009).
 *
 * A search goes forward level by level and counts paths, and then goes back. Each step reads the edges of a level or
 * of the next one. On a symmetric graph it reads the edges of whichever level has fewer, as in direction-optimising
 * BFS (Beamer et al., SC 2012). Unlike in BFS, a vertex cannot stop early; on the way forward, every unreached vertex
 * may be in the next level. On the way back, it has this choice only if sums of edges are not wanted. Each thread
 * has its own sums, except for edges: these are too many, so the threads share their sums. */
#include <omp.h>

#include "../src/algorithm.h"
#include "../src/progress.h"
#include "../src/verify/betweenness.h"

struct level {
    vertex_t begin; /* index of its first vertex in the queue */
    edge_t edges;   /* number of its vertices' out-edges */
};

/* A thread's memory. */
struct worker {
    double *sigma;        /* num_vertices; on the way back, finished levels hold 1 / sigma + c */
    double *c;            /* num_vertices; 0 except for the current level */
    double *sum;          /* num_vertices; dependencies summed over all sources */
    struct level *levels; /* num_vertices + 2; the entry after the last level has the queue's end */
    uint32_t *level;      /* num_vertices */
    vertex_t *queue;      /* num_vertices; in the order in which they were reached */
};

struct state {
    struct worker *workers; /* num_workers; a worker's arrays are one allocation, which begins at sigma */
    int num_workers;
    double *vertex, *edge; /* the result; edge is NULL if not wanted */
    uint32_t num_sources;  /* sources of the last query */
    bool too_many_paths;
};

/* Allocates a worker for each thread, but at most as many as there are sources or as memory allows. */
static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    size_t bytes = n * (3 * sizeof(double) + 2 * sizeof(uint32_t)) + (n + 2) * sizeof(struct level);
    int threads = run->num_sources < omp_get_max_threads() ? run->num_sources : omp_get_max_threads();
    struct state *state = run->state;
    while (threads > 1 && require_memory((double)bytes * threads, "", &(struct error){0}) != STATUS_OK)
        threads /= 2;
    run->batch_size =
        run->graph->num_vertices > (uint32_t)run->num_sources ? run->graph->num_vertices : (uint32_t)run->num_sources;
    run_allocate(run, &state->vertex, n, sizeof *state->vertex);
    if (run->outputs & OUTPUT_EDGE_BETWEENNESS)
        run_allocate(run, &state->edge, run->graph->num_edges, sizeof *state->edge);
    if (run_allocate(run, &state->workers, (size_t)threads, sizeof *state->workers) != STATUS_OK)
        return run->error->status;
    for (; state->num_workers < threads; state->num_workers++) {
        struct worker *worker = &state->workers[state->num_workers];
        if (run_allocate(run, &worker->sigma, bytes, 1) != STATUS_OK)
            return run->error->status;
        worker->c = worker->sigma + n;
        worker->sum = worker->c + n;
        worker->levels = (struct level *)(worker->sum + n);
        worker->level = (uint32_t *)(worker->levels + n + 2);
        worker->queue = worker->level + n;
    }
    return run->error->status;
}

/* ---- forth ---- */

/* push() and pull() find the vertices of the next level and append them to the queue. They return its new end. */

static vertex_t push(const struct graph *graph, const struct worker *my, uint32_t depth, vertex_t tail)
{
    for (vertex_t i = my->levels[depth].begin, end = tail; i < end; i++) {
        double sigma = my->sigma[my->queue[i]];
        for (edge_t e = graph->offsets[my->queue[i]]; e < graph->offsets[my->queue[i] + 1]; e++) {
            vertex_t w = graph->targets[e];
            if (my->level[w] == UNREACHED) {
                my->level[w] = depth + 1;
                my->sigma[w] = sigma;
                my->queue[tail++] = w;
            } else if (my->level[w] == depth + 1)
                my->sigma[w] += sigma;
        }
    }
    return tail;
}

static vertex_t pull(const struct graph *graph, const struct worker *my, uint32_t depth, vertex_t tail)
{
    for (vertex_t w = 0; w < graph->num_vertices; w++) {
        double sigma = 0;
        if (my->level[w] != UNREACHED)
            continue;
        for (edge_t e = graph->offsets[w]; e < graph->offsets[w + 1]; e++)
            sigma += my->level[graph->targets[e]] == depth ? my->sigma[graph->targets[e]] : 0;
        if (sigma > 0) {
            my->level[w] = depth + 1;
            my->sigma[w] = sigma;
            my->queue[tail++] = w;
        }
    }
    return tail;
}

/* Counts the paths to all vertices. Returns the number of levels. */
static uint32_t count_paths(const struct graph *graph, vertex_t source, const struct worker *my)
{
    edge_t left = graph->num_edges; /* out-edges of unreached vertices */
    uint32_t depth = 0;
    memset(my->level, 0xff, graph->num_vertices * sizeof *my->level); /* UNREACHED */
    my->level[source] = 0;
    my->sigma[source] = 1;
    my->queue[0] = source;
    for (vertex_t begin = 0, tail = 1; begin < tail; depth++) {
        struct level *level = &my->levels[depth];
        *level = (struct level){.begin = begin};
        for (vertex_t i = begin; i < tail; i++)
            level->edges += graph_degree(graph, my->queue[i]);
        left -= level->edges;
        begin = tail;
        tail = (graph->symmetric && left + graph->num_vertices < level->edges ? pull : push)(graph, my, depth, tail);
        my->levels[depth + 1].begin = begin;
    }
    return depth;
}

/* ---- back ---- */

/* Sums up c for the vertices of a level, over the edges of this level or, if `backward`, of the next one. */
static void add_successors(const struct graph *graph, const struct worker *my, uint32_t depth, double *edge)
{
    bool of_next = graph->symmetric && edge == NULL && my->levels[depth + 1].edges < my->levels[depth].edges;
    uint32_t here = depth + of_next, there = depth + !of_next;
    for (vertex_t i = my->levels[here].begin; i < my->levels[here + 1].begin; i++)
        for (edge_t e = graph->offsets[my->queue[i]]; e < graph->offsets[my->queue[i] + 1]; e++) {
            vertex_t u = my->queue[i], v = graph->targets[e];
            if (my->level[v] != there)
                continue;
            my->c[of_next ? v : u] += my->sigma[of_next ? u : v];
            if (edge != NULL)
#pragma omp atomic
                edge[e] += my->sigma[u] * my->sigma[v];
        }
}

/* Adds the dependencies of the source. Returns false if a vertex has too many paths. */
static bool add_dependencies(const struct graph *graph, const struct worker *my, uint32_t num_levels, double *edge)
{
    bool exact = true;
    for (uint32_t depth = num_levels; depth-- > 0;) {
        if (depth + 1 < num_levels && (depth > 0 || edge != NULL))
            add_successors(graph, my, depth, edge);
        for (vertex_t i = my->levels[depth].begin; i < my->levels[depth + 1].begin; i++) {
            vertex_t v = my->queue[i];
            exact = exact && my->sigma[v] <= MOST_PATHS;
            my->sum[v] += depth > 0 ? my->sigma[v] * my->c[v] : 0;
            my->sigma[v] = 1 / my->sigma[v] + my->c[v];
            my->c[v] = 0;
        }
    }
    return exact;
}

/* ---- all sources ---- */

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    const struct graph *graph = run->graph;
    uint32_t done = 0;
    int team = query->num_sources < (uint32_t)state->num_workers ? (int)query->num_sources : state->num_workers;
    struct progress_listener *listener = progress_listener;
    state->num_sources = query->num_sources;
    state->too_many_paths = false;
    if (state->edge != NULL)
        memset(state->edge, 0, graph->num_edges * sizeof *state->edge);
    run_kernel_begin(run);
#pragma omp parallel num_threads(team)
    {
        const struct worker *my = &state->workers[omp_get_thread_num()];
        progress_join(listener);
        memset(my->sum, 0, graph->num_vertices * sizeof *my->sum);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t i = 0; i < query->num_sources; i++) {
            if (stop_requested())
                continue;
            if (!add_dependencies(graph, my, count_paths(graph, query->sources[i], my), state->edge))
                __atomic_store_n(&state->too_many_paths, true, __ATOMIC_RELAXED);
            progress_set(__atomic_add_fetch(&done, 1, __ATOMIC_RELAXED));
        }
#pragma omp for
        for (vertex_t v = 0; v < graph->num_vertices; v++) {
            state->vertex[v] = 0;
            for (int worker = 0; worker < omp_get_num_threads(); worker++)
                state->vertex[v] += state->workers[worker].sum[v];
        }
    }
    run_kernel_end(run);
    if (done < query->num_sources)
        return error_set(run->error, STATUS_INTERRUPTED, "interrupted");
    return state->too_many_paths ? betweenness_refuse(graph, run->error) : STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    copy_wanted(result->betweenness, state->vertex, run->graph->num_vertices * sizeof *result->betweenness);
    copy_wanted(result->edge_betweenness, state->edge, run->graph->num_edges * sizeof *result->edge_betweenness);
    betweenness_finish(run->graph, state->num_sources, result->betweenness, result->edge_betweenness);
    return STATUS_OK;
}

const struct algorithm betweenness_brandes = {
    .family = "betweenness",
    .variant = "brandes",
    .title = "Brandes's dependencies, a search for each thread",
    .citation = "Brandes 2001; Madduri et al. 2009",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_BETWEENNESS,
    .on_request = OUTPUT_EDGE_BETWEENNESS,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
};
