/* reorder_rcm.c: reverse Cuthill-McKee (Cuthill and McKee 1969; Liu and Sherman 1976; Blest, section 4.2).
 *
 * A breadth-first search orders the vertices of a level by the place of their first parents, vertices of the same
 * parent by ascending degree, and vertices of the same degree by id. The result is the reverse of that order. The
 * order is unique, so the number of threads does not change it.
 *
 * A component starts with its vertex of lowest degree (of several, the one of lowest id), and components follow each
 * other in the order of these vertices. So isolated vertices come first, and last in the reverse. The first sweep of
 * a component starts at this vertex. Each further sweep starts at a vertex of lowest degree on the last level of the
 * sweep before, as long as the number of levels grows (George and Liu 1979). Every sweep orders the component, and
 * the order of the last sweep is kept.
 *
 * A directed graph is ordered as if it had the reverse of every edge.
 *
 * One thread finishes a short level, such as a mesh has, before other threads have woken up. So threads share only
 * levels with many edges. Sharing reads every edge three times, so it pays off only for some threads. The phases are:
 *
 *   claim   Each vertex p of the level lowers parent[v] of each unswept neighbour v to p's place in the queue, by
 *           compare-and-swap. After the barrier, parent[v] is v's first parent, whatever the order of events.
 *   count   Counts the children of each chunk of the level. Their sums give each chunk its place in the queue.
 *   place   Each vertex p of a chunk appends, sorts and marks its children v, those with parent[v] == p. No other
 *           vertex writes to v. p resets parent[v] to NO_VERTEX; other vertices read p or NO_VERTEX there, so they
 *           do not take v for their child. */
#include <omp.h>

#include "../progress.h"
#include "radix.h"
#include "reorder.h"

#define MAX_SWEEPS       5u     /* most sweeps of a component; swept[] counts them */
#define SHORT_FANOUT     32u    /* the most children of a vertex that are sorted by insertion */
#define PREFETCH         8u     /* vertices between the current one and the one whose row is fetched */
#define SHARED_EDGES     32768u /* a level with at least this many edges is shared */
#define MIN_THREADS      4      /* fewest threads that share a level */
#define VERTICES_A_CHUNK 64u

struct cuthill_mckee {
    const struct graph *graph; /* symmetric */
    vertex_t *queue;           /* num_vertices: the order so far, then the current component */
    uint8_t *swept;            /* num_vertices: the last sweep that has reached the vertex; 0: none */
    vertex_t *parent;          /* num_vertices: claims on a shared level, otherwise NO_VERTEX */
    vertex_t *children;  /* for each chunk of a level: the number of its children, then their place in the queue */
    struct radix *radix; /* one per thread */
    int num_threads;
    bool failed; /* out of memory; written by any thread */
};

/* The place of a level in the queue, and the number of its edges. */
struct level {
    vertex_t begin, end;
    edge_t edges;
};

/* Sorts queue[first .. end - 1] by degree. They are neighbours of one vertex, so their ids ascend. Returns the sum of
 * their degrees. */
static edge_t sort_children(struct cuthill_mckee *cm, vertex_t first, vertex_t end, struct radix *radix)
{
    const struct graph *graph = cm->graph;
    vertex_t *children = cm->queue + first, count = end - first;
    edge_t edges = 0;
    if (count <= SHORT_FANOUT) {
        for (vertex_t i = 0; i < count; i++) {
            vertex_t child = children[i], place = i;
            edge_t degree = graph_degree(graph, child);
            for (; place > 0 && graph_degree(graph, children[place - 1]) > degree; place--)
                children[place] = children[place - 1];
            children[place] = child;
            edges += degree;
        }
    } else if (radix_reserve(radix, count)) {
        for (vertex_t i = 0; i < count; i++) {
            radix->keys[i] = graph_degree(graph, children[i]) << 32 | children[i];
            edges += graph_degree(graph, children[i]);
        }
        radix_sort(radix, count, 32, 64);
        for (vertex_t i = 0; i < count; i++)
            children[i] = (vertex_t)radix->keys[i];
    } else {
        __atomic_store_n(&cm->failed, true, __ATOMIC_RELAXED);
    }
    return edges;
}

/* ---- a level, by one thread ---- */

static struct level expand_alone(struct cuthill_mckee *cm, struct level level, uint8_t sweep)
{
    const struct graph *graph = cm->graph;
    const vertex_t *queue = cm->queue;
    struct level next = {level.end, level.end, 0};
    for (vertex_t p = level.begin; p < level.end; p++) {
        vertex_t first = next.end;
        if (p + PREFETCH < level.end)
            __builtin_prefetch(&graph->targets[graph->offsets[queue[p + PREFETCH]]]);
        for (edge_t e = graph->offsets[queue[p]]; e < graph->offsets[queue[p] + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (cm->swept[v] < sweep) {
                cm->swept[v] = sweep;
                cm->queue[next.end++] = v;
            }
        }
        next.edges += sort_children(cm, first, next.end, &cm->radix[0]);
    }
    return next;
}

/* ---- a level, shared by threads ---- */

static void claim(struct cuthill_mckee *cm, vertex_t p, uint8_t sweep)
{
    const struct graph *graph = cm->graph;
    for (edge_t e = graph->offsets[cm->queue[p]]; e < graph->offsets[cm->queue[p] + 1]; e++) {
        vertex_t v = graph->targets[e];
        if (cm->swept[v] == sweep)
            continue;
        vertex_t lowest = __atomic_load_n(&cm->parent[v], __ATOMIC_RELAXED);
        while (p < lowest &&
               !__atomic_compare_exchange_n(&cm->parent[v], &lowest, p, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            continue;
    }
}

static vertex_t count_children(const struct cuthill_mckee *cm, vertex_t p)
{
    const struct graph *graph = cm->graph;
    vertex_t count = 0;
    for (edge_t e = graph->offsets[cm->queue[p]]; e < graph->offsets[cm->queue[p] + 1]; e++)
        count += __atomic_load_n(&cm->parent[graph->targets[e]], __ATOMIC_RELAXED) == p;
    return count;
}

/* Places p's children at *end, and advances *end. Returns the sum of their degrees. */
static edge_t place_children(struct cuthill_mckee *cm, vertex_t p, uint8_t sweep, vertex_t *end, struct radix *radix)
{
    const struct graph *graph = cm->graph;
    vertex_t first = *end;
    for (edge_t e = graph->offsets[cm->queue[p]]; e < graph->offsets[cm->queue[p] + 1]; e++) {
        vertex_t v = graph->targets[e];
        if (__atomic_load_n(&cm->parent[v], __ATOMIC_RELAXED) != p)
            continue;
        __atomic_store_n(&cm->parent[v], NO_VERTEX, __ATOMIC_RELAXED);
        cm->swept[v] = sweep;
        cm->queue[(*end)++] = v;
    }
    return sort_children(cm, first, *end, radix);
}

static struct level expand_shared(struct cuthill_mckee *cm, struct level level, uint8_t sweep)
{
    vertex_t num_chunks = (level.end - level.begin + VERTICES_A_CHUNK - 1) / VERTICES_A_CHUNK, end = level.end;
    edge_t edges = 0;
#pragma omp parallel num_threads(cm->num_threads)
    {
        struct radix *radix = &cm->radix[omp_get_thread_num()];
#pragma omp for schedule(dynamic, VERTICES_A_CHUNK)
        for (vertex_t p = level.begin; p < level.end; p++)
            claim(cm, p, sweep);
#pragma omp for schedule(dynamic, 1)
        for (vertex_t chunk = 0; chunk < num_chunks; chunk++) {
            vertex_t first = level.begin + chunk * VERTICES_A_CHUNK, count = 0;
            for (vertex_t p = first; p < first + VERTICES_A_CHUNK && p < level.end; p++)
                count += count_children(cm, p);
            cm->children[chunk] = count;
        }
#pragma omp single
        for (vertex_t chunk = 0; chunk < num_chunks; chunk++) {
            vertex_t count = cm->children[chunk];
            cm->children[chunk] = end;
            end += count;
        }
#pragma omp for schedule(dynamic, 1) reduction(+ : edges)
        for (vertex_t chunk = 0; chunk < num_chunks; chunk++) {
            vertex_t first = level.begin + chunk * VERTICES_A_CHUNK, place = cm->children[chunk];
            for (vertex_t p = first; p < first + VERTICES_A_CHUNK && p < level.end; p++)
                edges += place_children(cm, p, sweep, &place, radix);
        }
    }
    return (struct level){level.end, end, edges};
}

/* ---- a component ---- */

/* Orders root's component from queue[start] on. Returns its last level, and sets *levels to the number of levels. */
static struct level sweep_from(struct cuthill_mckee *cm, vertex_t root, vertex_t start, uint8_t sweep, vertex_t *levels)
{
    struct level level, next = {start, start + 1, graph_degree(cm->graph, root)};
    cm->queue[start] = root;
    cm->swept[root] = sweep;
    *levels = 0;
    do {
        level = next;
        ++*levels;
        bool shared = level.edges >= SHARED_EDGES && cm->num_threads >= MIN_THREADS;
        next = (shared ? expand_shared : expand_alone)(cm, level, sweep);
    } while (next.end > next.begin && !cm->failed && !stop_requested());
    return level;
}

/* Returns the vertex of lowest degree on the level; of several, the one of lowest id. */
static vertex_t lowest_degree(const struct cuthill_mckee *cm, struct level level)
{
    vertex_t best = cm->queue[level.begin];
    for (vertex_t p = level.begin + 1; p < level.end; p++) {
        vertex_t v = cm->queue[p];
        edge_t degree = graph_degree(cm->graph, v), lowest = graph_degree(cm->graph, best);
        if (degree < lowest || (degree == lowest && v < best))
            best = v;
    }
    return best;
}

/* Orders the component of root from queue[start] on. Returns the end of the component in the queue. */
static vertex_t order_component(struct cuthill_mckee *cm, vertex_t root, vertex_t start)
{
    struct level last;
    vertex_t levels = 0, before;
    uint8_t sweep = 0;
    do {
        before = levels;
        last = sweep_from(cm, root, start, ++sweep, &levels);
        root = lowest_degree(cm, last);
    } while (levels > before && last.end - start > 1 && sweep < MAX_SWEEPS && !cm->failed && !stop_requested());
    return last.end;
}

static int order_components(struct cuthill_mckee *cm, const vertex_t *starts, struct error *error)
{
    vertex_t n = cm->graph->num_vertices, end = 0;
    for (vertex_t i = 0; i < n && !cm->failed; i++) {
        if (cm->swept[starts[i]])
            continue;
        end = order_component(cm, starts[i], end);
        progress_set(end);
        if (stop_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
    }
    return cm->failed ? error_set(error, STATUS_INPUT, "out of memory: sorting the neighbours of a vertex") : STATUS_OK;
}

static void reverse(vertex_t *order, vertex_t count)
{
#pragma omp parallel for
    for (vertex_t i = 0; i < count / 2; i++) {
        vertex_t swap = order[i];
        order[i] = order[count - 1 - i];
        order[count - 1 - i] = swap;
    }
}

/* Sorts the vertices by degree, and vertices of the same degree by id. A counting sort: one pass counts the vertices,
 * one places them. */
static int sort_by_degree(const struct graph *graph, vertex_t *order, struct error *error)
{
    vertex_t *position = NULL, before = 0;
    edge_t max_degree;
    if (graph_count_degrees(graph, &position, &max_degree, error) != STATUS_OK)
        return error->status;
    for (edge_t degree = 0; degree <= max_degree; degree++) {
        vertex_t count = position[degree];
        position[degree] = before;
        before += count;
    }
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        order[position[graph_degree(graph, v)]++] = v;
    free(position);
    return STATUS_OK;
}

static int arrange_symmetric(const struct graph *graph, vertex_t *order, struct error *error)
{
    vertex_t n = graph->num_vertices, *starts = NULL;
    struct cuthill_mckee cm = {.graph = graph, .queue = order, .num_threads = omp_get_max_threads()};
    const char what[] = "the reverse Cuthill-McKee order";
    if (allocate(&starts, n, sizeof *starts, what, error) == STATUS_OK &&
        allocate_zeroed(&cm.swept, n, sizeof *cm.swept, what, error) == STATUS_OK &&
        allocate(&cm.parent, n, sizeof *cm.parent, what, error) == STATUS_OK &&
        allocate(&cm.children, n / VERTICES_A_CHUNK + 1, sizeof *cm.children, what, error) == STATUS_OK &&
        allocate_zeroed(&cm.radix, (size_t)cm.num_threads, sizeof *cm.radix, what, error) == STATUS_OK &&
        sort_by_degree(graph, starts, error) == STATUS_OK) {
#pragma omp parallel for
        for (vertex_t v = 0; v < n; v++)
            cm.parent[v] = NO_VERTEX;
        order_components(&cm, starts, error);
    }
    if (error->status == STATUS_OK)
        reverse(order, n);
    for (int t = 0; cm.radix != NULL && t < cm.num_threads; t++)
        radix_release(&cm.radix[t]);
    free(cm.radix);
    free(cm.children);
    free(cm.parent);
    free(cm.swept);
    free(starts);
    return error->status;
}

int arrange_rcm(const struct graph *graph, UNUSED uint64_t parameter, vertex_t *order, struct error *error)
{
    struct graph both = {0};
    if (graph->symmetric)
        return arrange_symmetric(graph, order, error);
    if (graph_symmetrize(graph, &both, error) == STATUS_OK)
        arrange_symmetric(&both, order, error);
    graph_release(&both);
    return error->status;
}
