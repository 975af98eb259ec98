/* statistics.c: degrees, components, pseudo-diameter and acyclicity of a graph, in parallel. */
#include "statistics.h"

#include <math.h>

#include "../progress.h"
#include "tail.h"

struct both_ways {
    const struct graph *out;
    const struct graph *in; /* the transpose of `out`; `out` itself if the graph is symmetric */
};

/* ---- degrees ---- */

static void examine_degrees(struct both_ways graph, gtrav_info *info)
{
    uint64_t histogram[GTRAV_DEGREE_BINS] = {0}, isolated = 0, sum_squared = 0;
    edge_t max_degree = 0;
#pragma omp parallel for schedule(static) reduction(+ : histogram, isolated, sum_squared) reduction(max : max_degree)
    for (vertex_t v = 0; v < graph.out->num_vertices; v++) {
        edge_t degree = graph_degree(graph.out, v);
        histogram[degree > 0 ? 64 - __builtin_clzll(degree) : 0]++;
        isolated += degree == 0 && graph_degree(graph.in, v) == 0;
        sum_squared += degree * degree;
        max_degree = degree > max_degree ? degree : max_degree;
    }
    memcpy(info->degree_histogram, histogram, sizeof histogram);
    info->max_degree = max_degree;
    info->isolated = isolated;
    info->sum_squared_degrees = sum_squared;
}

static int examine_tails(struct both_ways graph, gtrav_info *info, struct error *error)
{
    struct degree_tail out, in;
    if (examine_tail(graph.out, &out, error))
        return error->status;
    in = out;
    if (graph.in != graph.out && examine_tail(graph.in, &in, error))
        return error->status;
    const struct degree_tail *better = in.fit_r2 > out.fit_r2 ? &in : &out;
    info->top1_share = fmax(out.top1_share, in.top1_share);
    info->top10_share = fmax(out.top10_share, in.top10_share);
    info->fit_slope = better->fit_slope;
    info->fit_r2 = better->fit_r2;
    info->scale_free = out.heavy || in.heavy;
    return STATUS_OK;
}

/* ---- components ---- */

/* Sets component[v] to the smallest vertex of v's component, and *largest to that of the largest component. Counts
 * the components, and the vertices of the largest one. */
static int find_components(struct both_ways graph, vertex_t *component, vertex_t *largest, gtrav_info *info,
                           struct error *error)
{
    vertex_t n = graph.out->num_vertices;
    uint32_t *sizes;
    if (allocate_zeroed(&sizes, n, sizeof *sizes, "the component sizes", error))
        return error->status;
    label_components(graph.out, graph.in, component);
    for (vertex_t v = 0; v < n; v++) {
        info->components += component[v] == v;
        sizes[component[v]]++;
    }
    for (vertex_t v = 0; v < n; v++)
        if (sizes[v] > info->largest_component)
            info->largest_component = sizes[ *largest = v];
    free(sizes);
    return stop_requested() ? error_set(error, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

/* ---- level by level: breadth-first search, and Kahn's topological sort ----
 *
 * The queue holds every vertex at most once, level after level. A thread claims a neighbour by an atomic operation on
 * `state`, which succeeds for only one thread, and appends the neighbour. The end of a parallel loop makes the
 * entries of a level visible before they are read. */

#define SERIAL_LEVEL   1024 /* on levels of fewer vertices, waking the threads costs more than they save */
#define BUFFER_ENTRIES 1024 /* vertices that a thread gathers before it appends them */

typedef bool claim_function(void *state, vertex_t v);

struct queue {
    vertex_t *vertices;        /* num_vertices */
    uint64_t level_start, end; /* the last level is [level_start, end) */
    uint64_t num_levels;
};

struct buffer {
    uint64_t count;
    vertex_t entries[BUFFER_ENTRIES];
};

static void flush(struct queue *queue, struct buffer *buffer)
{
    uint64_t place;
#pragma omp atomic capture
    {
        place = queue->end;
        queue->end += buffer->count;
    }
    memcpy(queue->vertices + place, buffer->entries, buffer->count * sizeof *buffer->entries);
    buffer->count = 0;
}

static inline __attribute__((always_inline)) void visit_row(const struct graph *graph, vertex_t v, struct queue *queue,
                                                            struct buffer *buffer, claim_function claim, void *state)
{
    for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
        if (claim(state, graph->targets[e])) {
            buffer->entries[buffer->count++] = graph->targets[e];
            if (buffer->count == BUFFER_ENTRIES)
                flush(queue, buffer);
        }
}

/* Processes the queue, which holds the first level, until it is empty. in == out: follows only the out-edges. */
static inline __attribute__((always_inline)) int sweep(const struct graph *out, const struct graph *in,
                                                       struct queue *queue, claim_function claim, void *state,
                                                       struct error *error)
{
    queue->num_levels = 0;
    for (uint64_t start = 0, end = queue->end; start < end; start = end, end = queue->end) {
        if (stop_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
#pragma omp parallel if (end - start >= SERIAL_LEVEL)
        {
            struct buffer buffer;
            buffer.count = 0;
#pragma omp for schedule(dynamic, 64) nowait
            for (uint64_t i = start; i < end; i++) {
                visit_row(out, queue->vertices[i], queue, &buffer, claim, state);
                if (in != out)
                    visit_row(in, queue->vertices[i], queue, &buffer, claim, state);
            }
            flush(queue, &buffer);
        }
        queue->level_start = start;
        queue->num_levels++;
    }
    return STATUS_OK;
}

/* ---- pseudo-diameter ---- */

#define MAX_SWEEPS 10
#define WORD_BITS  64u

/* state: for each vertex a bit, which is set if the vertex is in the queue. */
static inline bool claim_unseen(void *state, vertex_t v)
{
    uint64_t *word = (uint64_t *)state + v / WORD_BITS, bit = (uint64_t)1 << v % WORD_BITS;
    if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit)
        return false;
    return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
}

static edge_t total_degree(struct both_ways graph, vertex_t v)
{
    return graph_degree(graph.out, v) + (graph.in != graph.out ? graph_degree(graph.in, v) : 0);
}

/* Returns the vertex of highest degree in the component; of several, the lowest. */
static vertex_t find_highest_degree(struct both_ways graph, const vertex_t *component, vertex_t wanted)
{
    vertex_t highest = NO_VERTEX;
    edge_t highest_degree = 0;
    for (vertex_t v = 0; v < graph.out->num_vertices; v++)
        if (component[v] == wanted && (highest == NO_VERTEX || total_degree(graph, v) > highest_degree)) {
            highest = v;
            highest_degree = total_degree(graph, v);
        }
    return highest;
}

/* Returns the vertex of lowest degree on the last level; of several, the lowest. */
static vertex_t farthest_vertex(struct both_ways graph, const struct queue *queue)
{
    vertex_t farthest = queue->vertices[queue->level_start];
    for (uint64_t i = queue->level_start + 1; i < queue->end; i++) {
        vertex_t v = queue->vertices[i];
        edge_t degree = total_degree(graph, v), best = total_degree(graph, farthest);
        if (degree < best || (degree == best && v < farthest))
            farthest = v;
    }
    return farthest;
}

static int find_pseudo_diameter(struct both_ways graph, vertex_t start, vertex_t *vertices, gtrav_info *info,
                                struct error *error)
{
    size_t num_words = graph.out->num_vertices / WORD_BITS + 1;
    uint64_t *seen;
    if (allocate(&seen, num_words, sizeof *seen, "the visited bits", error))
        return error->status;
    bool grows = true;
    for (int i = 0; i < MAX_SWEEPS && grows && error->status == STATUS_OK; i++) {
        struct queue queue = {.vertices = vertices, .end = 1};
        memset(seen, 0, num_words * sizeof *seen);
        vertices[0] = start;
        claim_unseen(seen, start);
        if (sweep(graph.out, graph.in, &queue, claim_unseen, seen, error))
            break;
        uint64_t eccentricity = queue.num_levels - 1;
        grows = i == 0 || eccentricity > info->pseudo_diameter;
        if (eccentricity > info->pseudo_diameter)
            info->pseudo_diameter = eccentricity;
        start = farthest_vertex(graph, &queue);
    }
    free(seen);
    return error->status;
}

/* ---- acyclicity ---- */

/* state: for each vertex, the number of its in-neighbours that are not in the queue yet. */
static inline bool claim_last_edge(void *state, vertex_t v)
{
    return __atomic_sub_fetch((uint32_t *)state + v, 1, __ATOMIC_RELAXED) == 0;
}

/* Kahn's test: removes vertices without in-neighbours, again and again. If this removes all, the graph is acyclic. */
int graph_test_acyclic(const struct graph *graph, bool *acyclic, struct error *error)
{
    vertex_t n = graph->num_vertices;
    struct queue queue = {0};
    uint32_t *waiting = NULL;
    *acyclic = graph->num_edges == 0;
    if (graph->symmetric || *acyclic)
        return STATUS_OK;
    if (allocate_zeroed(&waiting, n, sizeof *waiting, "the in-degrees", error) == STATUS_OK &&
        allocate(&queue.vertices, n, sizeof *queue.vertices, "the test for cycles", error) == STATUS_OK) {
#pragma omp parallel for schedule(static)
        for (edge_t e = 0; e < graph->num_edges; e++)
            __atomic_fetch_add(&waiting[graph->targets[e]], 1, __ATOMIC_RELAXED);
        for (vertex_t v = 0; v < n; v++)
            if (waiting[v] == 0)
                queue.vertices[queue.end++] = v;
        sweep(graph, graph, &queue, claim_last_edge, waiting, error);
        *acyclic = queue.end == n;
    }
    free(waiting);
    free(queue.vertices);
    return error->status;
}

/* ---- all statistics ---- */

static int examine(struct both_ways graph, gtrav_info *info, vertex_t *vertices, struct error *error)
{
    examine_degrees(graph, info);
    if (examine_tails(graph, info, error))
        return error->status;
    vertex_t largest = NO_VERTEX;
    if (find_components(graph, vertices, &largest, info, error))
        return error->status;
    vertex_t highest = find_highest_degree(graph, vertices, largest);
    if (highest != NO_VERTEX && find_pseudo_diameter(graph, highest, vertices, info, error))
        return error->status;
    graph_test_acyclic(graph.out, &info->acyclic, error);
    info->acyclic = info->acyclic && !graph_has_loops(graph.out);
    return error->status;
}

int graph_statistics(const struct graph *graph, gtrav_info *info, struct error *error)
{
    struct graph transpose = {0};
    struct both_ways both_ways = {graph, graph};
    *info = (gtrav_info){.num_vertices = graph->num_vertices,
                         .num_edges = graph->num_edges,
                         .bytes = graph_bytes(graph),
                         .self_loops_dropped = graph->self_loops_dropped,
                         .duplicates_dropped = graph->duplicates_dropped,
                         .symmetric = graph->symmetric};
    if (!graph->symmetric) {
        if (graph_transpose(graph, &transpose, error))
            return error->status;
        both_ways.in = &transpose;
    }
    vertex_t *vertices; /* for the components first, then for the queue */
    int status = allocate(&vertices, graph->num_vertices, sizeof *vertices, "the statistics", error);
    if (status == STATUS_OK) {
        progress_begin("examining", 0);
        status = examine(both_ways, info, vertices, error);
        progress_end();
    }
    free(vertices);
    graph_release(&transpose);
    return status;
}
