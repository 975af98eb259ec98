/* limits.c: breadth-first search within limits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* A call of gtrav_bfs_within(). */
struct within {
    gtrav_limits asked;
    struct limits limits;
    struct query query; /* its destinations are owned */
    uint32_t *level, *parent, *reached;
    uint64_t *num_reached;
};

static int check(const struct graph *graph, const struct within *within, const gtrav_query *query,
                 struct error *error)
{
    const gtrav_limits *asked = &within->asked;
    bool wants_reached = within->reached != NULL || within->num_reached != NULL;
    if (asked->num_sources == 0 || asked->num_sources >= UINT32_MAX)
        return error_set(error, STATUS_INPUT, "a search takes 1 to %u sources, not %llu", UINT32_MAX - 1,
                         (unsigned long long)asked->num_sources);
    if (wants_reached && query != NULL && (query->on_device || query->bytes))
        return error_set(error, STATUS_INPUT, "the vertices reached are told of levels as numbers on the host");
    if (check_vertices(graph, asked->sources, asked->num_sources, "source", error) != STATUS_OK ||
        check_vertices(graph, asked->targets, asked->num_targets, "target", error) != STATUS_OK)
        return error->status;
    for (uint64_t i = 0; asked->vertices != NULL && i < asked->num_sources; i++)
        if (!asked->vertices[asked->sources[i]])
            return error_set(error, STATUS_INPUT, "source %u is left out by the mask of vertices", asked->sources[i]);
    return STATUS_OK;
}

static int fill_query(struct within *within, struct error *error)
{
    const gtrav_limits *asked = &within->asked;
    struct destination *destinations = NULL;
    bool ends = asked->num_levels > 0 && asked->num_levels <= UINT32_MAX;
    within->limits =
        (struct limits){ends ? (uint32_t)asked->num_levels - 1 : UNREACHED, asked->vertices, asked->edges};
    if (asked->num_targets > 0 &&
        allocate(&destinations, asked->num_targets, sizeof *destinations, "the targets", error) != STATUS_OK)
        return error->status;
    for (uint64_t i = 0; i < asked->num_targets; i++)
        destinations[i] = (struct destination){0, asked->targets[i]};
    within->query = (struct query){.sources = asked->sources,
                                   .num_sources = (uint32_t)asked->num_sources,
                                   .destinations = destinations,
                                   .num_destinations = asked->num_targets,
                                   .limits = &within->limits};
    return STATUS_OK;
}

/* Tells which vertices were reached: from the result's order, or else from levels. */
static int tell_reached(struct search *search, const struct within *within, struct traversal *result)
{
    vertex_t n = search->graph->graph.num_vertices;
    uint64_t count = result->num_ordered;
    if (count == 0 && result->level == NULL &&
        (complete_arrays(search, result) != STATUS_OK || search_fetch(search, 1, result) != STATUS_OK))
        return search->call.error.status;
    for (vertex_t v = 0; result->num_ordered == 0 && v < n; v++)
        if (result->level[v] != UNREACHED) {
            if (within->reached != NULL)
                within->reached[count] = v;
            count++;
        }
    if (within->num_reached != NULL)
        *within->num_reached = count;
    return STATUS_OK;
}

static int search_within(struct search *search, struct within *within)
{
    struct traversal result = {.parent = within->parent};
    bool wants_reached = within->reached != NULL || within->num_reached != NULL;
    const struct engine *engine = &search->prepared->engine;
    if (engine->request->algorithm->limited && engine->request->reordered == NULL)
        result.order = within->reached;
    if (begin_levels(search, within->level, &result.level) != STATUS_OK ||
        search_once(search, &within->query, &result) != STATUS_OK ||
        (wants_reached && tell_reached(search, within, &result) != STATUS_OK))
        return search->call.error.status;
    if (engine->cut != NULL && search->query != NULL) {
        size_t length = strlen(search->query->note);
        snprintf(search->query->note + length, sizeof search->query->note - length,
                 "%sthe whole graph was searched, and cut off at the limits", length > 0 ? "; " : "");
    }
    return end_levels(search, result.level, within->level);
}

int gtrav_bfs_within(gtrav_graph *graph, gtrav_query *query, const gtrav_limits *limits, uint32_t *level,
                     uint32_t *parent, uint32_t *reached, uint64_t *num_reached, gtrav_error *public_error)
{
    struct search search;
    struct within within = {.level = level, .parent = parent, .reached = reached, .num_reached = num_reached};
    REQUIRE(public_error, graph != NULL && limits != NULL && (limits->num_sources == 0 || limits->sources != NULL) &&
                              (limits->num_targets == 0 || limits->targets != NULL));
    const gtrav_limits *asked = &within.asked;
    memcpy(&within.asked, limits, limits->size < sizeof within.asked ? limits->size : sizeof within.asked);
    bool has_masks = asked->vertices != NULL || asked->edges != NULL;
    struct wanted wanted = {
        .answers = {{"bfs", (level != NULL ? OUTPUT_LEVEL : 0u) | (parent != NULL ? OUTPUT_PARENT : 0u)}},
        .is_limited = has_masks || asked->num_sources > 1 || (query != NULL && (query->bytes || query->on_device)),
        .has_masks = has_masks,
        .num_sources = SOURCES_UNKNOWN};
    if (search_begin(&search, graph, query, &wanted, public_error) &&
        check(&graph->graph, &within, query, &search.call.error) == STATUS_OK &&
        fill_query(&within, &search.call.error) == STATUS_OK)
        search_within(&search, &within);
    free((void *)within.query.destinations);
    return search_end(&search);
}
