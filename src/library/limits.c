/* limits.c: breadth-first search within limits. */
#include "internal.h"

/* A call of gtrav_bfs_within(). */
struct within {
    gtrav_limits asked;
    struct limits limits;
    struct query query; /* owns its destinations */
    bool in_own_order;  /* needed for masks and for several sources */
    uint32_t *level, *parent, *reached;
    uint64_t *num_reached;
};

static int make_query(const struct graph *graph, struct within *within, struct error *error)
{
    const gtrav_limits *asked = &within->asked;
    struct destination *destinations = NULL;
    if (asked->num_sources == 0 || asked->num_sources > UINT32_MAX)
        return error_set(error, STATUS_INPUT, "a search takes 1 to %u sources, not %llu", UINT32_MAX,
                         (unsigned long long)asked->num_sources);
    if (check_vertices(graph, asked->sources, asked->num_sources, "source", error) != STATUS_OK ||
        check_vertices(graph, asked->targets, asked->num_targets, "target", error) != STATUS_OK)
        return error->status;
    for (uint64_t i = 0; asked->vertices != NULL && i < asked->num_sources; i++)
        if (!asked->vertices[asked->sources[i]])
            return error_set(error, STATUS_INPUT, "source %u is left out by the mask of vertices", asked->sources[i]);
    if (asked->num_targets > 0)
        allocate(&destinations, asked->num_targets, sizeof *destinations, "the targets", error);
    for (uint64_t i = 0; destinations != NULL && i < asked->num_targets; i++)
        destinations[i] = (struct destination){0, asked->targets[i]};
    bool ends = asked->num_levels > 0 && asked->num_levels <= UINT32_MAX;
    bool is_limited = ends || destinations != NULL || within->in_own_order;
    within->limits = (struct limits){ends ? (uint32_t)asked->num_levels - 1 : UNREACHED, asked->vertices, asked->edges};
    within->query = (struct query){asked->sources, (uint32_t)asked->num_sources, destinations, asked->num_targets,
                                   is_limited ? &within->limits : NULL};
    return error->status;
}

/* Writes which vertices were reached, from the result's order or else from the levels. */
static void tell_reached(struct search *search, const struct within *within, struct traversal *result)
{
    uint64_t count = result->num_ordered;
    if (count == 0 && result->level == NULL &&
        (complete_arrays(search, result) != STATUS_OK || search_fetch(search, 1, result) != STATUS_OK))
        return;
    for (vertex_t v = 0; result->num_ordered == 0 && v < search->graph->graph.num_vertices; v++)
        if (result->level[v] != UNREACHED) {
            if (within->reached != NULL)
                within->reached[count] = v;
            count++;
        }
    if (within->num_reached != NULL)
        *within->num_reached = count;
}

static int search_within(struct search *search, const struct within *within)
{
    struct traversal result = {.parent = within->parent};
    bool tells = within->reached != NULL || within->num_reached != NULL;
    if (tells && search->query != NULL && (search->query->on_device || search->query->bytes))
        return error_set(&search->call.error, STATUS_INPUT,
                         "on-device and bytes give no list or number of the vertices reached");
    if (within->query.limits != NULL && search->prepared->request.reordered == NULL)
        result.order = within->reached;
    if (begin_levels(search, within->level, &result.level) != STATUS_OK ||
        search_once(search, &within->query, &result) != STATUS_OK)
        return search->call.error.status;
    if (tells)
        tell_reached(search, within, &result);
    return end_levels(search, result.level, within->level);
}

int gtrav_bfs_within(gtrav_graph *graph, gtrav_query *query, const gtrav_limits *limits, uint32_t *level,
                     uint32_t *parent, uint32_t *reached, uint64_t *num_reached, gtrav_error *public_error)
{
    struct search search;
    struct within within = {.level = level, .parent = parent, .reached = reached, .num_reached = num_reached};
    const gtrav_limits *asked = &within.asked;
    REQUIRE(public_error, graph != NULL && limits != NULL && (limits->num_sources == 0 || limits->sources != NULL) &&
                              (limits->num_targets == 0 || limits->targets != NULL));
    memcpy(&within.asked, limits, limits->size < sizeof within.asked ? limits->size : sizeof within.asked);
    within.in_own_order = asked->vertices != NULL || asked->edges != NULL || asked->num_sources > 1;
    unsigned outputs = (level != NULL ? OUTPUT_LEVEL : 0u) | (parent != NULL ? OUTPUT_PARENT : 0u);
    if (within.in_own_order || asked->num_levels > 0 || asked->num_targets > 0)
        outputs |= FOR_LIMITS;
    struct wanted wanted = {
        .answers = {{"bfs", outputs}}, .in_own_order = within.in_own_order, .num_sources = SOURCES_UNKNOWN};
    if (search_begin(&search, graph, query, &wanted, public_error) &&
        make_query(&graph->graph, &within, &search.call.error) == STATUS_OK)
        search_within(&search, &within);
    free((void *)within.query.destinations);
    return search_end(&search);
}
