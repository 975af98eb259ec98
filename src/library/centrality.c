/* centrality.c: the calls that give each vertex, or edge, its centrality: closeness, harmonic, betweenness. */
#include <limits.h>

#include "../run/closeness.h"
#include "../verify/betweenness.h"
#include "internal.h"

/* Begins a search from num_sources sources; 0: all vertices. Returns false if there is nothing to compute. */
static bool begin(struct search *search, gtrav_graph *graph, gtrav_query *query, struct wanted *wanted,
                  uint64_t num_sources, gtrav_error *public_error)
{
    wanted->of_lengths = true;
    wanted->num_sources = num_sources > 0 ? num_sources : graph->graph.num_vertices;
    return search_begin(search, graph, query, wanted, public_error) && graph->graph.num_vertices > 0;
}

/* Copies the given sources; NULL: draws num_sources; 0: takes all vertices. The caller frees *sources in any case. */
static int choose_sources(const struct graph *graph, const uint32_t *given, uint64_t num_sources, vertex_t **sources,
                          int *count, struct error *error)
{
    *sources = NULL;
    if (num_sources > graph->num_vertices)
        return error_set(error, STATUS_INPUT, "%llu sources, but %s has only %u vertices",
                         (unsigned long long)num_sources, graph->name, graph->num_vertices);
    *count = num_sources < INT_MAX ? (int)num_sources : INT_MAX;
    if (given == NULL || num_sources == 0)
        return draw_vertices(graph, *count, sources, count, error);
    if (check_vertices(graph, given, num_sources, "source", error) == STATUS_OK &&
        allocate(sources, num_sources, sizeof **sources, "the sources", error) == STATUS_OK)
        memcpy(*sources, given, num_sources * sizeof *given);
    return error->status;
}

/* ---- closeness and harmonic ---- */

static int compute_closeness(struct search *search, const uint32_t *given, uint64_t num_sources, bool harmonic,
                             double *closeness)
{
    struct prepared *prepared = search->prepared;
    const struct graph *graph = &search->graph->graph;
    struct error *error = &search->call.error;
    struct closeness_request request = {.bench = &prepared->request, .engine = &prepared->engine, .harmonic = harmonic};
    struct closeness_result result = {0};
    vertex_t *sources;
    int count;
    if (choose_sources(graph, given, num_sources, &sources, &count, error) == STATUS_OK) {
        prepared->request.verify = verifies(search) ? VERIFY_FIRST : VERIFY_NONE;
        prepared->request.sources = sources;
        prepared->request.num_sources = count;
        closeness_run(&request, &result, error);
        prepared->request.sources = NULL;
        search->times.kernel_ms = result.all_kernel_ms;
        search->times.download_ms = result.download_ms;
    }
    if (error->status == STATUS_OK && closeness != NULL)
        memcpy(closeness, result.closeness, graph->num_vertices * sizeof *closeness);
    closeness_release(&result);
    free(sources);
    return error->status;
}

int gtrav_closeness(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, uint64_t num_sources,
                    double *closeness, gtrav_error *public_error)
{
    struct search search;
    REQUIRE(public_error, graph != NULL);
    if (begin(&search, graph, query,
              &(struct wanted){.answers = {{"msbfs", .any = OUTPUT_SUMS | OUTPUT_FARNESS}},
                               .outputs = OUTPUTS_OF_CLOSENESS},
              num_sources, public_error))
        compute_closeness(&search, sources, num_sources, false, closeness);
    return search_end(&search);
}

int gtrav_harmonic(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, uint64_t num_sources,
                   double *harmonic, gtrav_error *public_error)
{
    struct search search;
    struct wanted wanted = {
        .answers = {{"msbfs", OUTPUT_FARNESS | OUTPUT_HARMONIC}}, .prefers_cpu = true, .outputs = OUTPUTS_NEEDED};
    REQUIRE(public_error, graph != NULL);
    if (begin(&search, graph, query, &wanted, num_sources, public_error))
        compute_closeness(&search, sources, num_sources, true, harmonic);
    return search_end(&search);
}

/* ---- betweenness ---- */

static int compute_betweenness(struct search *search, const uint32_t *given, uint64_t num_sources,
                               struct traversal *result)
{
    const struct graph *graph = &search->graph->graph;
    struct error *error = &search->call.error;
    vertex_t *sources;
    int count;
    if (choose_sources(graph, given, num_sources, &sources, &count, error) == STATUS_OK) {
        struct query query = {.sources = sources, .num_sources = (uint32_t)count};
        progress_begin("betweenness", query.num_sources);
        if (search_traverse(search, &query) == STATUS_OK &&
            search_fetch(search, query.num_sources, result) == STATUS_OK && verifies(search))
            verify_betweenness(graph, sources, query.num_sources, result, error);
        progress_end();
    }
    free(sources);
    return error->status;
}

int gtrav_betweenness(gtrav_graph *graph, gtrav_query *query, const uint32_t *sources, uint64_t num_sources,
                      double *vertex, double *edge, gtrav_error *public_error)
{
    struct search search;
    struct traversal result = {.betweenness = vertex, .edge_betweenness = edge};
    REQUIRE(public_error, graph != NULL);
    struct wanted wanted = {
        .answers = {{"betweenness", OUTPUT_BETWEENNESS | (edge != NULL ? OUTPUT_EDGE_BETWEENNESS : 0u)}},
        .by_own_ids = edge != NULL,
        .outputs = OUTPUTS_NEEDED};
    if (begin(&search, graph, query, &wanted, num_sources, public_error))
        compute_betweenness(&search, sources, num_sources, &result);
    return search_end(&search);
}
