/* limits.c: searches with limits, one after the other with one engine, against the serial search of verify_limited().
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/graph/random.h"
#include "../../src/run/engine.h"
#include "graphs.h"

#define SEARCHES     6
#define MOST_SOURCES 4u
#define MOST_TARGETS 3u
#define LEFT_OUT     6 /* one in so many is */

/* A query and what it points to. */
struct question {
    struct query query;
    struct limits limits;
    vertex_t sources[MOST_SOURCES];
    struct destination targets[MOST_TARGETS];
    uint8_t *vertices, *edges;
};

static uint64_t draw(uint64_t *state, uint64_t below)
{
    return random_bits((*state)++) % below;
}

static void draw_mask(uint8_t *mask, uint64_t count, uint64_t *state)
{
    for (uint64_t i = 0; i < count; i++)
        mask[i] = draw(state, LEFT_OUT) > 0 ? (uint8_t)(1 + draw(state, UINT8_MAX)) : 0;
}

/* all: also masks and several sources. */
static void draw_question(const struct graph *graph, bool all, uint64_t *state, struct question *question)
{
    static const uint32_t max_levels[] = {0, 1, 2, 5, UNREACHED, UNREACHED};
    vertex_t n = graph->num_vertices;
    uint32_t num_sources = all ? 1 + (uint32_t)draw(state, MOST_SOURCES) : 1;
    uint64_t num_targets = draw(state, MOST_TARGETS + 1);
    draw_mask(question->vertices, n, state);
    draw_mask(question->edges, graph->num_edges, state);
    for (uint32_t i = 0; i < num_sources; i++)
        question->vertices[question->sources[i] = (vertex_t)draw(state, n)] = 1;
    for (uint64_t i = 0; i < num_targets; i++)
        question->targets[i] = (struct destination){0, (vertex_t)draw(state, n)};
    question->limits = (struct limits){max_levels[draw(state, 6)], all && draw(state, 2) ? question->vertices : NULL,
                                       all && draw(state, 2) ? question->edges : NULL};
    question->query = (struct query){question->sources, num_sources, num_targets > 0 ? question->targets : NULL,
                                     num_targets, &question->limits};
}

static int ask(struct engine *engine, const struct graph *graph, const struct question *question,
               struct traversal *result, struct error *error)
{
    struct search_times times;
    uint64_t reached = 0, edges, ordered = 0;
    if (engine_traverse(engine, &question->query, &times) != STATUS_OK ||
        engine_fetch(engine, 1, result) != STATUS_OK ||
        verify_limited(graph, &question->query, result, error) != STATUS_OK)
        return error->status;
    count_reached(graph, result, &reached, &edges);
    for (uint64_t i = 0; i < result->num_ordered; i++) /* each level counts once */
        ordered += result->level[result->order[i]] != UNREACHED;
    for (uint64_t i = 0; i < result->num_ordered; i++)
        result->level[result->order[i]] = UNREACHED;
    count_reached(graph, result, &edges, &edges);
    if (result->num_ordered > 0 && (ordered != reached || result->num_ordered != reached || edges > 0))
        error_set(error, STATUS_WRONG, "the order is not that of the vertices reached");
    return error->status;
}

int check_limits(const struct bench_request *request, uint64_t seed, struct error *error)
{
    const struct graph *graph = request->graph;
    const struct algorithm *algorithm = request->algorithm;
    unsigned outputs = all_outputs(algorithm) & (OUTPUT_LEVEL | (seed % 2 ? OUTPUT_PARENT : 0u));
    struct question question = {0};
    struct traversal result = {0};
    struct engine engine;
    uint64_t state = seed << 32;
    if (engine_open(&engine, request, request->device, algorithm->outputs | outputs, 1, error) == STATUS_OK &&
        outputs_allocate(graph, algorithm->outputs | outputs | (algorithm->limited ? OUTPUT_ORDER : 0u), 1, &result,
                         error) == STATUS_OK &&
        allocate(&question.vertices, graph->num_vertices, 1, "a mask", error) == STATUS_OK &&
        allocate(&question.edges, graph->num_edges, 1, "a mask", error) == STATUS_OK)
        for (int i = 0; i < SEARCHES && error->status == STATUS_OK; i++) {
            draw_question(graph, algorithm->limited, &state, &question);
            ask(&engine, graph, &question, &result, error);
        }
    engine_close(&engine);
    outputs_release(&result);
    free(question.vertices);
    free(question.edges);
    return error->status;
}
