/* searches.c: the calls that search once: bfs, count_paths, dfs, sssp, reach, topo, components. */
#include "../verify/verify.h"
#include "internal.h"

/* Searches from a vertex; NO_VERTEX in a family without sources. */
static int search_from_one(struct search *search, uint32_t source, struct traversal *result)
{
    struct query query = {.sources = &source, .num_sources = 1};
    return search_once(search, &query, result);
}

/* Begins a search, and searches from a vertex. The result may have arrays of the caller. */
static bool search_from(struct search *search, gtrav_graph *graph, gtrav_query *query, const struct wanted *wanted,
                        uint32_t source, struct traversal *result, gtrav_error *public_error)
{
    return search_begin(search, graph, query, wanted, public_error) &&
           check_vertices(&graph->graph, &source, 1, "source", &search->call.error) == STATUS_OK &&
           search_from_one(search, source, result) == STATUS_OK;
}

int gtrav_bfs(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint32_t *level, uint32_t *parent,
              gtrav_error *public_error)
{
    gtrav_limits limits = {.size = sizeof limits, .sources = &source, .num_sources = 1};
    REQUIRE(public_error, graph != NULL);
    return gtrav_bfs_within(graph, query, &limits, level, parent, NULL, NULL, public_error);
}

/* Counts shortest paths level by level, so the count of a vertex is complete when the queue reaches it. */
static int count_paths(const struct graph *graph, vertex_t source, const uint32_t *level, double *count,
                       struct error *error)
{
    vertex_t *queue;
    if (allocate(&queue, graph->num_vertices, sizeof *queue, "the numbers of paths", error) != STATUS_OK)
        return error->status;
    memset(count, 0, graph->num_vertices * sizeof *count);
    count[source] = 1;
    queue[0] = source;
    for (vertex_t head = 0, tail = 1; head < tail; head++)
        for (edge_t e = graph->offsets[queue[head]]; e < graph->offsets[queue[head] + 1]; e++) {
            vertex_t w = graph->targets[e];
            if (level[w] != level[queue[head]] + 1)
                continue;
            if (count[w] == 0)
                queue[tail++] = w;
            count[w] += count[queue[head]];
        }
    free(queue);
    return STATUS_OK;
}

int gtrav_count_paths(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint32_t *level, double *count,
                      gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.level = level};
    struct wanted wanted = {.answers = {{"bfs", OUTPUT_LEVEL}}, .of_lengths = true, .num_sources = SOURCES_UNKNOWN};
    REQUIRE(public_error, graph != NULL);
    if (search_from(&search, graph, query, &wanted, source, &result, public_error) && count != NULL)
        count_paths(&graph->graph, source, result.level, count, &search.call.error);
    return search_end(&search);
}

int gtrav_dfs(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint32_t *parent, uint32_t *order,
              uint64_t *num_ordered, gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.parent = parent, .order = order};
    bool optional = query != NULL && query->variant != NULL && query->optional_order;
    struct wanted wanted = {
        .answers = {{"dfs", (parent != NULL ? OUTPUT_PARENT : 0u) | (order != NULL && !optional ? OUTPUT_ORDER : 0u)}},
        .prefers_cpu = order != NULL,
        .by_own_ids = true,
        .num_sources = SOURCES_UNKNOWN,
        .outputs = order != NULL && !optional && (query == NULL || !query->verify) ? OUTPUTS_NEEDED : OUTPUTS_DEFAULT};
    REQUIRE(public_error, graph != NULL);
    if (search_from(&search, graph, query, &wanted, source, &result, public_error)) {
        uint64_t edges, reached;
        if (num_ordered != NULL && order != NULL) {
            *num_ordered = search.preparation.outputs & OUTPUT_ORDER ? result.num_ordered : 0;
        } else if (num_ordered != NULL) {
            count_reached(&graph->graph, &result, &reached, &edges);
            *num_ordered = reached;
        }
    }
    return search_end(&search);
}

int gtrav_sssp(gtrav_graph *graph, gtrav_query *query, uint32_t source, double *distance, uint32_t *parent,
               gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.distance = distance, .parent = parent};
    struct wanted wanted = {.answers = {{"sssp", OUTPUT_DISTANCE | (parent != NULL ? OUTPUT_PARENT : 0u)}},
                            .num_sources = SOURCES_UNKNOWN};
    REQUIRE(public_error, graph != NULL);
    search_from(&search, graph, query, &wanted, source, &result, public_error);
    return search_end(&search);
}

int gtrav_reach(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint8_t *visited, uint64_t *num_reached,
                gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.visited = visited};
    struct wanted wanted = {.answers = {{"bfs", OUTPUT_LEVEL}, {"dfs", OUTPUT_VISITED}},
                            .num_sources = SOURCES_UNKNOWN};
    uint64_t edges, reached;
    REQUIRE(public_error, graph != NULL);
    vertex_t n = graph->graph.num_vertices;
    if (search_from(&search, graph, query, &wanted, source, &result, public_error)) {
        bool by_level = visited != NULL && result.level != NULL; /* vertices with a level are reached */
#pragma omp parallel for
        for (vertex_t v = 0; v < (by_level ? n : 0); v++)
            visited[v] = result.level[v] != UNREACHED;
        if (num_reached != NULL) {
            result.visited = result.level != NULL ? NULL : result.visited;
            count_reached(&graph->graph, &result, &reached, &edges);
            *num_reached = reached;
        }
    }
    return search_end(&search);
}

int gtrav_topo(gtrav_graph *graph, gtrav_query *query, uint32_t *order, gtrav_error *public_error)
{
    struct search search;
    struct wanted wanted = {.answers = {{"topo", OUTPUT_ORDER}}, .num_sources = SOURCES_UNKNOWN};
    REQUIRE(public_error, graph != NULL);
    if (search_begin(&search, graph, query, &wanted, public_error) && graph->graph.num_vertices > 0)
        search_from_one(&search, NO_VERTEX, &(struct traversal){.order = order});
    return search_end(&search);
}

int gtrav_components(gtrav_graph *graph, gtrav_query *query, bool strong, uint32_t *label, uint64_t *num_components,
                     gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.component = label};
    REQUIRE(public_error, graph != NULL);
    const char *family = strong && !graph->graph.symmetric ? "scc" : "wcc"; /* the same if symmetric */
    struct wanted wanted = {.answers = {{family, OUTPUT_COMPONENT}, {strong ? "scc" : NULL, OUTPUT_COMPONENT}},
                            .num_sources = SOURCES_UNKNOWN};
    vertex_t n = graph->graph.num_vertices;
    if (search_begin(&search, graph, query, &wanted, public_error) &&
        (n == 0 || search_from_one(&search, NO_VERTEX, &result) == STATUS_OK) && num_components != NULL) {
        *num_components = 0;
        for (vertex_t v = 0; v < n; v++)
            *num_components += result.component[v] == v;
    }
    return search_end(&search);
}
