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
    bool needs_limited; /* masks or several sources, for which an algorithm must be made */
};

static int check(const struct graph *graph, const struct within *within, const gtrav_query *query,
                 struct error *error)
{
    const gtrav_limits *asked = &within->asked;
    bool tells = within->reached != NULL || within->num_reached != NULL;
    if (asked->num_sources == 0 || asked->num_sources > UINT32_MAX)
        error_set(error, STATUS_INPUT, "a search takes 1 to %u sources, not %llu", UINT32_MAX,
                  (unsigned long long)asked->num_sources);
    else if (tells && query != NULL && (query->on_device || query->bytes))
        error_set(error, STATUS_INPUT, "the vertices reached are told of levels as numbers on the host");
    else if (check_vertices(graph, asked->sources, asked->num_sources, "source", error) == STATUS_OK)
        check_vertices(graph, asked->targets, asked->num_targets, "target", error);
    for (uint64_t i = 0; error->status == STATUS_OK && asked->vertices != NULL && i < asked->num_sources; i++)
        if (!asked->vertices[asked->sources[i]])
            error_set(error, STATUS_INPUT, "source %u is left out by the mask of vertices", asked->sources[i]);
    return error->status;
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
    bool is_whole = !ends && destinations == NULL && !within->needs_limited;
    within->query = (struct query){asked->sources, (uint32_t)asked->num_sources, destinations, asked->num_targets,
                                   is_whole ? NULL : &within->limits};
    return STATUS_OK;
}

/* Tells which vertices were reached: from the result's order, or else from levels. */
static void tell_reached(struct search *search, const struct within *within, struct traversal *result)
{
    uint64_t count = result->num_ordered;
    if (within->reached == NULL && within->num_reached == NULL)
        return;
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

static void search_within(struct search *search, const struct within *within)
{
    struct traversal result = {.parent = within->parent};
    const struct bench_request *request = &search->prepared->request;
    if (within->query.limits != NULL && request->algorithm->limited && request->reordered == NULL)
        result.order = within->reached;
    if (begin_levels(search, within->level, &result.level) != STATUS_OK ||
        search_once(search, &within->query, &result) != STATUS_OK)
        return;
    tell_reached(search, within, &result);
    end_levels(search, result.level, within->level);
    if (within->query.limits != NULL && !request->algorithm->limited && search->query != NULL) {
        char *note = search->query->note;
        size_t length = strlen(note);
        snprintf(note + length, NOTE_BYTES - length, "%sall was searched, and cut off at the limits",
                 length > 0 ? "; " : "");
    }
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
    within.needs_limited = asked->vertices != NULL || asked->edges != NULL || asked->num_sources > 1;
    bool ends = asked->num_levels > 0 || asked->num_targets > 0;
    bool for_limits = within.needs_limited || (ends && query != NULL && (query->bytes || query->on_device));
    struct wanted wanted = {
        .answers = {{"bfs", (level != NULL ? OUTPUT_LEVEL : 0u) | (parent != NULL ? OUTPUT_PARENT : 0u) |
                                (for_limits ? FOR_LIMITS : 0u)}},
        .in_own_order = within.needs_limited,
        .num_sources = SOURCES_UNKNOWN};
    if (search_begin(&search, graph, query, &wanted, public_error) &&
        check(&graph->graph, &within, query, &search.call.error) == STATUS_OK &&
        fill_query(&within, &search.call.error) == STATUS_OK)
        search_within(&search, &within);
    free((void *)within.query.destinations);
    return search_end(&search);
}
