/* searches.c: the calls that search once: bfs, dfs, reach, topo. */
#include <stdio.h>

#include "internal.h"

/* Gives the result arrays for all outputs of the engine that the caller does not want, from its room. */
static int complete_arrays(struct search *search, struct traversal *result)
{
    struct prepared *prepared = search->prepared;
    struct error *error = &search->call.error;
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++) {
        if (!(prepared->outputs & array->output) || entries_of(result, array) != NULL)
            continue;
        if (entries_of(&prepared->room, array) == NULL &&
            outputs_allocate(&search->graph->graph, array->output, 1, &prepared->room, error) != STATUS_OK)
            return error->status;
        set_entries(result, array, entries_of(&prepared->room, array));
    }
    return STATUS_OK;
}

static int verify(struct search *search, uint32_t source, const struct traversal *result)
{
    const struct algorithm *algorithm = search->prepared->request.algorithm;
    if (!verifies(search))
        return STATUS_OK;
    return family_of(algorithm->family)
        ->verify(&search->graph->graph, source, algorithm, result, &search->call.error);
}

/* Searches from a vertex, NO_VERTEX for a family without sources, and fetches the result. */
static int search_once(struct search *search, uint32_t source, struct traversal *result)
{
    const struct algorithm *algorithm = search->prepared->request.algorithm;
    struct query query = {.sources = &source, .num_sources = 1};
    char phase[64];
    snprintf(phase, sizeof phase, "%s %s", algorithm->family, algorithm->variant);
    progress_begin(phase, 0);
    if (search_traverse(search, &query) == STATUS_OK && complete_arrays(search, result) == STATUS_OK &&
        search_fetch(search, 1, result) == STATUS_OK)
        verify(search, source, result);
    progress_end();
    outputs_free_tables(result);
    return search->call.error.status;
}

/* The same with everything around it. The result may have arrays of the caller. */
static bool search_from(struct search *search, gtrav_graph *graph, gtrav_query *query, const struct wanted *wanted,
                        uint32_t source, struct traversal *result, gtrav_error *public_error)
{
    return search_begin(search, graph, query, wanted, public_error) &&
           check_vertices(&graph->graph, &source, 1, "source", &search->call.error) == STATUS_OK &&
           search_once(search, source, result) == STATUS_OK;
}

int gtrav_bfs(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint32_t *level, uint32_t *parent,
              gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.parent = parent};
    struct wanted wanted = {
        .answers = {{"bfs", (level != NULL ? OUTPUT_LEVEL : 0u) | (parent != NULL ? OUTPUT_PARENT : 0u)}},
        .num_sources = SOURCES_UNKNOWN};
    REQUIRE(public_error, graph != NULL);
    if (search_begin(&search, graph, query, &wanted, public_error) &&
        check_vertices(&graph->graph, &source, 1, "source", &search.call.error) == STATUS_OK &&
        begin_levels(&search, level, &result.level) == STATUS_OK &&
        search_once(&search, source, &result) == STATUS_OK)
        end_levels(&search, result.level, level);
    return search_end(&search);
}

int gtrav_dfs(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint32_t *parent, uint32_t *order,
              uint64_t *num_ordered, gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.parent = parent, .order = order};
    bool optional = query != NULL && query->variant != NULL && query->optional_order;
    struct wanted wanted = {.answers = {{"dfs", (parent != NULL ? OUTPUT_PARENT : 0u) |
                                                    (order != NULL && !optional ? OUTPUT_ORDER : 0u)}},
                            .on_cpu = order != NULL,
                            .by_own_ids = true,
                            .num_sources = SOURCES_UNKNOWN,
                            .outputs = order != NULL && !optional && (query == NULL || !query->verify)
                                           ? OUTPUTS_NEEDED
                                           : OUTPUTS_DEFAULT};
    REQUIRE(public_error, graph != NULL);
    if (search_from(&search, graph, query, &wanted, source, &result, public_error)) {
        uint64_t edges, reached;
        bool lacks_order = result.unordered || !(search.prepared->outputs & OUTPUT_ORDER);
        if (order != NULL && lacks_order && !optional)
            error_set(&search.call.error, STATUS_INPUT,
                      "%s: the graph has a cycle, of which this variant gives no order; serial does",
                      graph->graph.name);
        else if (num_ordered != NULL && order != NULL) {
            *num_ordered = lacks_order ? 0 : result.num_ordered;
        } else if (num_ordered != NULL) {
            count_reached(&graph->graph, &result, &reached, &edges);
            *num_ordered = reached;
        }
    }
    return search_end(&search);
}

int gtrav_reach(gtrav_graph *graph, gtrav_query *query, uint32_t source, uint8_t *visited, uint64_t *num_reached,
                gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.visited = visited};
    struct wanted wanted = {.answers = {{"reach", OUTPUT_VISITED}, {"bfs", OUTPUT_LEVEL}, {"dfs", OUTPUT_VISITED}},
                            .num_sources = SOURCES_UNKNOWN};
    uint64_t edges, reached;
    REQUIRE(public_error, graph != NULL);
    vertex_t n = graph->graph.num_vertices;
    if (search_from(&search, graph, query, &wanted, source, &result, public_error)) {
        bool by_level = visited != NULL && result.level != NULL; /* it reaches what has a level */
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
        search_once(&search, NO_VERTEX, &(struct traversal){.order = order});
    return search_end(&search);
}
