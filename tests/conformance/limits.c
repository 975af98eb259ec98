/* limits.c: searches with limits, one after the other with one engine, against the serial search of verify_limited().
 */
#include <stdlib.h>

#include "../../src/graph/random.h"
#include "../../src/run/engine.h"
#include "../../src/verify/verify.h"
#include "graphs.h"

enum { SEARCHES = 6, MOST_SOURCES = 4, MOST_TARGETS = 3, LEFT_OUT = 6 /* one in so many is */ };

static uint64_t draw(uint64_t *state, uint64_t below)
{
    return random_bits((*state)++) % below;
}

static void draw_mask(uint8_t *mask, uint64_t count, uint64_t *state)
{
    for (uint64_t i = 0; i < count; i++)
        mask[i] = draw(state, LEFT_OUT) > 0 ? (uint8_t)(1 + draw(state, UINT8_MAX)) : 0;
}

/* Asks a question that the state draws. vertices, edges: room for masks. */
static int ask(struct engine *engine, const struct graph *graph, uint64_t *state, uint8_t *vertices, uint8_t *edges,
               struct traversal *result, struct error *error)
{
    static const uint32_t max_levels[] = {0, 1, 2, 5, UNREACHED, UNREACHED};
    vertex_t sources[MOST_SOURCES];
    struct destination targets[MOST_TARGETS];
    struct search_times times;
    uint64_t reached = 0, num_edges;
    draw_mask(vertices, graph->num_vertices, state);
    draw_mask(edges, graph->num_edges, state);
    for (int i = 0; i < MOST_SOURCES; i++)
        vertices[sources[i] = (vertex_t)draw(state, graph->num_vertices)] = 1;
    for (int i = 0; i < MOST_TARGETS; i++)
        targets[i] = (struct destination){0, (vertex_t)draw(state, graph->num_vertices)};
    struct limits limits = {max_levels[draw(state, 6)], draw(state, 2) ? vertices : NULL,
                            draw(state, 2) ? edges : NULL};
    struct query query = {sources, 1 + (uint32_t)draw(state, MOST_SOURCES), draw(state, 2) ? targets : NULL,
                          1 + draw(state, MOST_TARGETS), &limits};
    if (engine_traverse(engine, &query, &times) != STATUS_OK || engine_fetch(engine, 1, result) != STATUS_OK ||
        verify_limited(graph, &query, result, error) != STATUS_OK)
        return error->status;
    count_reached(graph, result, &reached, &num_edges);
    uint64_t more = result->num_ordered - reached;
    for (uint64_t i = 0; i < result->num_ordered; i++) { /* each vertex reached is there once */
        reached -= result->level[result->order[i]] != UNREACHED;
        result->level[result->order[i]] = UNREACHED;
    }
    if (result->num_ordered > 0 && (reached != 0 || more != 0))
        error_set(error, STATUS_WRONG, "the order is not that of the vertices reached");
    return error->status;
}

int check_limits(const struct bench_request *request, uint64_t seed, struct error *error)
{
    const struct graph *graph = request->graph;
    const struct algorithm *algorithm = request->algorithm;
    unsigned outputs = algorithm->outputs | (seed % 2 ? algorithm->on_request : 0u);
    uint8_t *vertices = NULL, *edges = NULL;
    struct traversal result = {0};
    struct engine engine;
    uint64_t state = seed << 32;
    if (engine_open(&engine, request, request->device, outputs, 1, error) == STATUS_OK &&
        outputs_allocate(graph, outputs | OUTPUT_ORDER, 1, &result, error) == STATUS_OK &&
        allocate(&vertices, graph->num_vertices, 1, "a mask", error) == STATUS_OK &&
        allocate(&edges, graph->num_edges, 1, "a mask", error) == STATUS_OK)
        for (int i = 0; i < SEARCHES && error->status == STATUS_OK; i++)
            ask(&engine, graph, &state, vertices, edges, &result, error);
    engine_close(&engine);
    outputs_release(&result);
    free(vertices);
    free(edges);
    return error->status;
}
