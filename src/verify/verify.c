/* verify.c: how a result is verified.
 *
 * The checks are certificates: conditions on the result that hold if and only if it is right. They are checked edge
 * by edge in parallel, so verifying a trial costs about as much as reading the graph once. They share no code with
 * the algorithms that they verify. */
#include "verify.h"
#include "../distance.h"
#include "../farness.h"

#define wrong(error, ...) error_set(error, STATUS_WRONG, __VA_ARGS__)

edge_t find_edge(const struct graph *graph, vertex_t source, vertex_t target)
{
    edge_t low = graph->offsets[source], high = graph->offsets[source + 1];
    while (low < high) {
        edge_t middle = low + (high - low) / 2;
        if (graph->targets[middle] < target)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->offsets[source + 1] && graph->targets[low] == target ? low : NO_EDGE;
}

static const struct limits no_limits = {.max_level = UNREACHED};

/* Computes the level of every vertex by a serial BFS, for results without a certificate. The caller frees *levels,
 * also on failure. */
static int serial_levels(const struct graph *graph, vertex_t source, uint32_t **levels, struct error *error)
{
    struct query query = {.sources = &source, .num_sources = 1, .limits = &no_limits};
    return levels_within(graph, &query, levels, error);
}

/* ---- BFS ---- */

/* Levels are right if and only if (1) the source has level 0; (2) no edge u -> v out of a reached vertex has
 * level[v] > level[u] + 1, unreached counting as infinite; (3) every reached vertex but the source has an
 * in-neighbour one level lower. By (1) and (2) no level exceeds the distance; by (1) and (3) none is below it. */
static bool levels_are_right(const struct graph *graph, vertex_t source, const uint32_t *level, uint8_t *has_lower)
{
    bool right = level[source] == 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : right)
    for (vertex_t u = 0; u < graph->num_vertices; u++) {
        if (level[u] == UNREACHED)
            continue;
        uint32_t next = level[u] + 1;
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            right = right && level[v] <= next;
            if (level[v] == next) /* several threads may write it, all the same value */
                __atomic_store_n(&has_lower[v], 1, __ATOMIC_RELAXED);
        }
    }
#pragma omp parallel for reduction(&& : right)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        right = right && (level[v] == UNREACHED || v == source || has_lower[v]);
    return right;
}

int verify_bfs(const struct graph *graph, vertex_t source, UNUSED const struct algorithm *algorithm,
               const struct traversal *result, struct error *error)
{
    uint8_t *has_lower;
    if (allocate_zeroed(&has_lower, graph->num_vertices, 1, "verification", error) != STATUS_OK)
        return error->status;
    struct query query = {.sources = &source, .num_sources = 1, .limits = &no_limits};
    if (!levels_are_right(graph, source, result->level, has_lower))
        verify_limited(graph, &query, result, error); /* finds the lowest vertex whose level is wrong */
    else if (result->parent != NULL)
        check_bfs_parents(graph, &no_limits, result, error);
    free(has_lower);
    return error->status;
}

/* ---- many sources ---- */

struct source_sums sum_levels(const uint32_t *level, vertex_t num_vertices)
{
    struct source_sums sums = {0};
    for (vertex_t v = 0; v < num_vertices; v++)
        if (level[v] != UNREACHED) {
            sums.reached++;
            sums.level_sum += level[v];
            sums.eccentricity = level[v] > sums.eccentricity ? level[v] : sums.eccentricity;
        }
    return sums;
}

int verify_sums(const struct graph *graph, const vertex_t *sources, UNUSED uint32_t num_sources,
                const struct traversal *result, struct error *error)
{
    uint32_t *level = NULL;
    const struct source_sums *found = &result->sums[result->which];
    struct source_sums truth = {0};
    if (serial_levels(graph, sources[result->which], &level, error) == STATUS_OK)
        truth = sum_levels(level, graph->num_vertices);
    if (found->reached != truth.reached || found->level_sum != truth.level_sum ||
        found->eccentricity != truth.eccentricity)
        wrong(error, "%llu vertices reached, levels up to %u, their sum %llu; by the serial BFS %llu, up to %u, %llu",
              (unsigned long long)found->reached, found->eccentricity, (unsigned long long)found->level_sum,
              (unsigned long long)truth.reached, truth.eccentricity, (unsigned long long)truth.level_sum);
    free(level);
    return error->status;
}

int verify_lengths(const struct graph *graph, vertex_t source, const struct destination *destinations,
                   const uint32_t *length, uint64_t num, struct error *error)
{
    uint32_t *level = NULL;
    if (serial_levels(graph, source, &level, error) == STATUS_OK)
        for (uint64_t i = 0; i < num && error->status == STATUS_OK; i++)
            if (length[i] != level[destinations[i].vertex])
                wrong(error, "the length to vertex %u is %d, by the serial BFS it is %d (-1: no path)",
                      destinations[i].vertex, (int)length[i], (int)level[destinations[i].vertex]);
    free(level);
    return error->status;
}

int verify_path(const struct graph *graph, vertex_t source, vertex_t destination, const vertex_t *path,
                uint64_t num_vertices, struct error *error)
{
    if (path[0] != source || path[num_vertices - 1] != destination)
        return wrong(error, "a path goes from vertex %u to %u, not from %u to %u", path[0], path[num_vertices - 1],
                     source, destination);
    for (uint64_t i = 1; i < num_vertices; i++)
        if (find_edge(graph, path[i - 1], path[i]) == NO_EDGE)
            return wrong(error, "a path to vertex %u goes from %u to %u, where there is no edge", destination,
                         path[i - 1], path[i]);
    return STATUS_OK;
}

int verify_farness(const struct graph *graph, const vertex_t *sources, uint32_t num_sources,
                   const struct traversal *result, struct error *error)
{
    uint64_t *farness = NULL;
    uint32_t *count = NULL;
    vertex_t bad = NO_VERTEX, n = graph->num_vertices;
    if (allocate_zeroed(&farness, n, sizeof *farness, "verification", error) != STATUS_OK ||
        allocate_zeroed(&count, n, sizeof *count, "verification", error) != STATUS_OK)
        goto end;
#pragma omp parallel for schedule(dynamic, 1)
    for (uint32_t i = 0; i < num_sources; i++) {
        struct error failed = {0};
        uint32_t *level = NULL;
        int status = serial_levels(graph, sources[i], &level, &failed);
#pragma omp critical
        {
            for (vertex_t v = 0; status == STATUS_OK && v < n; v++)
                if (level[v] != UNREACHED) {
                    farness[v] += level[v];
                    count[v]++;
                }
            if (status != STATUS_OK)
                error_set(error, status, "%s", failed.text);
        }
        free(level);
    }
    for (vertex_t v = n; v-- > 0;)
        bad = result->farness[v] != farness[v] || result->farness_count[v] != count[v] ? v : bad;
    if (error->status == STATUS_OK && bad != NO_VERTEX)
        wrong(error, "%u sources reach vertex %u at levels whose sum is %llu; by the serial BFS %u, %llu",
              result->farness_count[bad], bad, (unsigned long long)result->farness[bad], count[bad],
              (unsigned long long)farness[bad]);
end:
    free(farness);
    free(count);
    return error->status;
}

int verify_farness_of(const struct graph *graph, const vertex_t *sources, int num_sources, vertex_t vertex,
                      unsigned outputs, const struct traversal *result, struct error *error)
{
    struct graph transpose = {0};
    uint32_t *level = NULL, count = 0;
    uint64_t farness = 0;
    if ((!graph->symmetric && graph_transpose(graph, &transpose, error) != STATUS_OK) ||
        serial_levels(graph->symmetric ? graph : &transpose, vertex, &level, error) != STATUS_OK)
        goto end;
    for (int i = 0; i < num_sources; i++)
        if (level[sources[i]] != UNREACHED) {
            farness += farness_term(outputs, graph->num_vertices, level[sources[i]]);
            count++;
        }
    if (result->farness[vertex] != farness || result->farness_count[vertex] != count)
        wrong(error, "%u sources reach vertex %u at levels whose sum is %llu; by a serial BFS back from it %u, %llu",
              result->farness_count[vertex], vertex, (unsigned long long)result->farness[vertex], count,
              (unsigned long long)farness);
end:
    graph_release(&transpose);
    free(level);
    return error->status;
}

/* ---- DFS ---- */

/* The visited set is the reachable set if it contains the source, is closed under edges (checked here), and a chain
 * of parents leads from every member to the source (check_parents_lead_to_source). */
static int check_closed(const struct graph *graph, vertex_t source, const uint8_t *visited, struct error *error)
{
    vertex_t bad = NO_VERTEX;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (visited[v] > 1)
            return wrong(error, "visited of vertex %u is %u, neither 0 nor 1", v, visited[v]);
    if (!visited[source])
        return wrong(error, "vertex %u is the source but not visited", source);
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : bad)
    for (vertex_t u = 0; u < graph->num_vertices; u++)
        for (edge_t e = graph->offsets[u]; visited[u] && e < graph->offsets[u + 1]; e++)
            if (!visited[graph->targets[e]] && graph->targets[e] < bad)
                bad = graph->targets[e];
    return bad == NO_VERTEX ? STATUS_OK : wrong(error, "vertex %u is reachable but not visited", bad);
}

static int check_parents_lead_to_source(const struct graph *graph, vertex_t source, const struct traversal *result,
                                        struct error *error)
{
    const vertex_t *parent = result->parent;
    vertex_t bad = NO_VERTEX;
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : bad)
    for (vertex_t v = 0; v < graph->num_vertices; v++) {
        bool right = !result->visited[v] ? parent[v] == NO_VERTEX
                     : v == source       ? parent[v] == source
                                         : parent[v] < graph->num_vertices && result->visited[parent[v]] &&
                                         find_edge(graph, parent[v], v) != NO_EDGE;
        if (!right && v < bad)
            bad = v;
    }
    if (bad != NO_VERTEX)
        return result->visited[bad]
                   ? wrong(error, "parent of vertex %u is %u, which is not a visited in-neighbour", bad, parent[bad])
                   : wrong(error, "vertex %u is not visited but has the parent %u", bad, parent[bad]);
    return check_no_cycle(graph->num_vertices, source, parent, error);
}

/* Walks up from each vertex to one that is known to lead to the source; then all vertices on the walk are known. */
int check_no_cycle(vertex_t num_vertices, vertex_t source, const vertex_t *parent, struct error *error)
{
    enum { UNKNOWN, ON_THIS_WALK, LEADS };
    vertex_t bad = NO_VERTEX;
    uint8_t *known;
    if (allocate_zeroed(&known, num_vertices, 1, "verification", error) != STATUS_OK)
        return error->status;
    known[source] = LEADS;
    for (vertex_t v = 0; v < num_vertices && bad == NO_VERTEX; v++) {
        vertex_t top = v;
        if (parent[v] == NO_VERTEX)
            continue;
        for (; known[top] == UNKNOWN; top = parent[top])
            known[top] = ON_THIS_WALK;
        if (known[top] == ON_THIS_WALK)
            bad = v;
        for (top = v; bad == NO_VERTEX && known[top] == ON_THIS_WALK; top = parent[top])
            known[top] = LEADS;
    }
    free(known);
    return bad == NO_VERTEX ? STATUS_OK
                            : wrong(error, "parents of vertex %u form a cycle and do not lead to the source", bad);
}

/* Let `last` be the highest number in the subtree of v. In a correct post-order all vertices with numbers up to
 * `last` finish before v, except v itself and its ancestors. So the place of v is `last` minus the depth of v. */
static int check_finish(const struct graph *graph, const struct traversal *result, const uint32_t *last,
                        struct error *error)
{
    uint32_t *depth;
    vertex_t bad = NO_VERTEX;
    if (allocate(&depth, graph->num_vertices, sizeof *depth, "verification", error) != STATUS_OK)
        return error->status;
    for (uint64_t i = 0; i < result->num_ordered; i++) {
        vertex_t v = result->order[i];
        depth[v] = i > 0 ? depth[result->parent[v]] + 1 : 0;
        if (result->finish[last[v] - depth[v]] != v && v < bad)
            bad = v;
    }
    free(depth);
    return bad == NO_VERTEX ? STATUS_OK : wrong(error, "vertex %u is at the wrong place in the post-order", bad);
}

/* The order is that of the serial, lexicographic DFS if and only if every visited u passes this scan of its
 * neighbours in order. `done` is the last number given so far, at first u's own. A neighbour has a number up to
 * `done`, or it has the number done + 1 and the parent u; then `done` becomes the last number of its subtree. At the
 * end `done` is the last number of u's subtree. Proof by induction over the size of the subtree: a serial DFS that
 * enters u when exactly the lower numbers are visited gives u's subtree these numbers. */
static int check_lexicographic(const struct graph *graph, vertex_t source, const struct traversal *result,
                               struct error *error)
{
    uint32_t *number = NULL, *last = NULL; /* position in the order; highest number in the subtree */
    uint64_t visited = 0, count = result->num_ordered;
    vertex_t bad = NO_VERTEX;
    if (allocate(&number, graph->num_vertices, sizeof *number, "verification", error) != STATUS_OK ||
        allocate(&last, graph->num_vertices, sizeof *last, "verification", error) != STATUS_OK)
        goto end;
    memset(number, 0xff, graph->num_vertices * sizeof *number);
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        visited += result->visited[v];
    if (count != visited || result->order[0] != source) {
        error_set(error, STATUS_WRONG, "the order has %llu vertices and starts at %u; %llu are visited from %u",
                  (unsigned long long)count, count > 0 ? result->order[0] : NO_VERTEX, (unsigned long long)visited,
                  source);
        goto end;
    }
    for (uint32_t i = 0; i < count; i++) {
        vertex_t v = result->order[i];
        if (v >= graph->num_vertices || !result->visited[v] || number[v] != UINT32_MAX ||
            (v != source && number[result->parent[v]] == UINT32_MAX)) {
            wrong(error, "vertex %u is not visited, or is in the order twice or before its parent", v);
            goto end;
        }
        number[v] = last[v] = i;
    }
    for (uint64_t i = count; i-- > 1;) { /* a subtree and its last child's subtree have the same last number */
        vertex_t v = result->order[i], parent = result->parent[v];
        if (last[parent] < last[v])
            last[parent] = last[v];
    }
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : bad)
    for (vertex_t u = 0; u < graph->num_vertices; u++) {
        if (!result->visited[u])
            continue;
        uint32_t done = number[u];
        bool right = true;
        for (edge_t e = graph->offsets[u]; right && e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (number[v] <= done)
                continue;
            right = number[v] == done + 1 && result->parent[v] == u;
            done = last[v];
        }
        if ((!right || done != last[u]) && u < bad)
            bad = u;
    }
    if (bad != NO_VERTEX)
        wrong(error, "at vertex %u the order is not that of the serial DFS", bad);
    else if (result->finish != NULL)
        check_finish(graph, result, last, error);
end:
    free(number);
    free(last);
    return error->status;
}

/* Without parents no chain leads to the source, so a serial traversal computes the reachable set. */
static int check_only_reachable(const struct graph *graph, vertex_t source, const uint8_t *visited, struct error *error)
{
    uint32_t *level = NULL;
    vertex_t bad = NO_VERTEX;
    if (serial_levels(graph, source, &level, error) == STATUS_OK) {
        for (vertex_t v = graph->num_vertices; v-- > 0;)
            bad = visited[v] && level[v] == UNREACHED ? v : bad;
        if (bad != NO_VERTEX)
            wrong(error, "vertex %u is visited but not reachable", bad);
    }
    free(level);
    return error->status;
}

int verify_dfs(const struct graph *graph, vertex_t source, const struct algorithm *algorithm,
               const struct traversal *result, struct error *error)
{
    if (check_closed(graph, source, result->visited, error) != STATUS_OK)
        return error->status;
    if (!(algorithm->outputs & OUTPUT_PARENT))
        return check_only_reachable(graph, source, result->visited, error);
    if (check_parents_lead_to_source(graph, source, result, error) != STATUS_OK || !(algorithm->outputs & OUTPUT_ORDER))
        return error->status;
    return check_lexicographic(graph, source, result, error);
}

/* ---- topological order ---- */

/* Checks that the order is a permutation in which every edge goes forward. */
int verify_topo(const struct graph *graph, UNUSED vertex_t source, UNUSED const struct algorithm *algorithm,
                const struct traversal *result, struct error *error)
{
    uint32_t *position;
    if (result->num_ordered != graph->num_vertices)
        return error_set(error, STATUS_WRONG, "the order has %llu of %u vertices",
                         (unsigned long long)result->num_ordered, graph->num_vertices);
    if (allocate(&position, graph->num_vertices, sizeof *position, "verification", error) != STATUS_OK)
        return error->status;
    memset(position, 0xff, graph->num_vertices * sizeof *position);
    for (uint32_t i = 0; i < graph->num_vertices && error->status == STATUS_OK; i++) {
        vertex_t v = result->order[i];
        if (v >= graph->num_vertices || position[v] != UINT32_MAX)
            wrong(error, "vertex %u is twice in the order, or not in the graph", v);
        else
            position[v] = i;
    }
    vertex_t bad = NO_VERTEX;
    if (error->status == STATUS_OK) {
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : bad)
        for (vertex_t u = 0; u < graph->num_vertices; u++)
            for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
                if (position[graph->targets[e]] < position[u] && graph->targets[e] < bad)
                    bad = graph->targets[e];
    }
    free(position);
    return bad == NO_VERTEX ? error->status : wrong(error, "vertex %u comes before one of its in-neighbours", bad);
}

/* ---- what was reached ---- */

void count_reached(const struct graph *graph, const struct traversal *result, uint64_t *reached, uint64_t *num_edges)
{
    uint64_t vertices = 0, edges = 0;
    const double *distance = result->distance;
    if (result->visited == NULL && result->level == NULL && distance == NULL) { /* of the whole graph */
        *reached = result->component != NULL ? graph->num_vertices : result->num_ordered;
        *num_edges = graph->num_edges;
        return;
    }
#pragma omp parallel for reduction(+ : vertices, edges)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (distance != NULL          ? distance[v] != NO_PATH
            : result->visited != NULL ? result->visited[v]
                                      : result->level[v] != UNREACHED) {
            vertices++;
            edges += graph_degree(graph, v);
        }
    *reached = vertices;
    *num_edges = edges;
}

int reach_count(const struct graph *graph, vertex_t source, struct reach *reach, uint64_t *reached, uint64_t *edges,
                struct error *error)
{
    size_t n = graph->num_vertices;
    if (reach->part == NULL &&
        (allocate_zeroed(&reach->part, n, sizeof *reach->part, "counting edges", error) != STATUS_OK ||
         allocate(&reach->queue, n, sizeof *reach->queue, "counting edges", error) != STATUS_OK))
        return error->status;
    bool known = graph->symmetric && reach->part[source] > 0;
    uint32_t part = known ? reach->part[source] : ++reach->num_parts;
    if (!known) {
        struct reach_size size = {1, graph_degree(graph, source)}, *larger;
        if ((part & (part - 1)) == 0) { /* room for the next power of two */
            if ((larger = realloc(reach->sizes, 2 * (size_t)part * sizeof *larger)) == NULL)
                return error_set(error, STATUS_INPUT, "out of memory: counting edges");
            reach->sizes = larger;
        }
        reach->part[source] = part;
        reach->queue[0] = source;
        for (vertex_t head = 0; head < size.vertices; head++)
            for (edge_t e = graph->offsets[reach->queue[head]]; e < graph->offsets[reach->queue[head] + 1]; e++) {
                vertex_t v = graph->targets[e];
                if (reach->part[v] == part)
                    continue;
                reach->part[v] = part;
                reach->queue[size.vertices++] = v;
                size.edges += graph_degree(graph, v);
            }
        reach->sizes[part] = size;
    }
    *reached = reach->sizes[part].vertices;
    *edges = reach->sizes[part].edges;
    return STATUS_OK;
}

void reach_release(struct reach *reach)
{
    free(reach->part);
    free(reach->queue);
    free(reach->sizes);
    *reach = (struct reach){0};
}
