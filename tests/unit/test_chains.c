/* test_chains.c: contracted graphs have the same distances as the graphs that they are made from. */
#include "support.h"

#include "../../src/graph/chains.h"

/* Edges written out have that many vertices. With and without cycles, lollipops (a chain from a junction to itself),
 * chains side by side, isolated vertices. */
static const struct {
    const char *text;
    vertex_t vertices;
} graphs[] = {
    {"", 1},
    {"0>1 1>0", 2},
    {"0>1 1>0 1>2 2>1", 4},
    {"0>1 1>0 1>2 2>1 2>0 0>2", 5},
    {"0>1 1>0 1>2 2>1 2>0 0>2 2>3 3>2", 4},
    {"0>2 2>0 2>1 1>2 0>3 3>0 3>1 1>3 0>4 4>0 4>1 1>4", 5},
    {"0>2 2>0 2>1 1>2 0>3 3>0 3>1 1>3 0>1 1>0", 4},
    {"path:40", 0},
    {"cycle:17", 0},
    {"star:30", 0},
    {"grid:9x7", 0},
    {"road:6", 0},
    {"rgg:8", 0},
    {"kron:8", 0},
};

/* Lowers distances along edges until nothing changes. */
static void find_distances(const struct chains *chains, const struct chain_place *source, uint32_t *distance)
{
    bool changed = true;
    memset(distance, 0xff, chains->num_junctions * sizeof *distance);
    for (int end = 0; end < 2; end++)
        if (source->steps[end] < distance[source->junction[end]])
            distance[source->junction[end]] = source->steps[end];
    while (changed) {
        changed = false;
        for (uint32_t j = 0; j < chains->num_junctions; j++)
            for (uint64_t e = chains->offsets[j]; distance[j] != UINT32_MAX && e < chains->offsets[j + 1]; e++) {
                uint32_t *other = &distance[chains->edges[e].junction];
                if (distance[j] + chains->edges[e].length < *other) {
                    *other = distance[j] + chains->edges[e].length;
                    changed = true;
                }
            }
    }
}

static uint32_t level_in_chains(const struct chains *chains, const uint32_t *distance, vertex_t source, vertex_t v)
{
    const struct chain_place *place = &chains->places[v], *from = &chains->places[source];
    uint32_t level = UINT32_MAX;
    for (int end = 0; end < 2; end++)
        if (distance[place->junction[end]] != UINT32_MAX &&
            distance[place->junction[end]] + place->steps[end] < level)
            level = distance[place->junction[end]] + place->steps[end];
    if (chains->positions[v] != NO_VERTEX && chains->positions[source] != NO_VERTEX) {
        int64_t ahead = (int64_t)chains->positions[v] - chains->positions[source];
        if (ahead < from->steps[1] && -ahead < from->steps[0] && llabs(ahead) < level)
            level = (uint32_t)llabs(ahead);
    }
    return level;
}

static void find_levels(const struct graph *graph, vertex_t source, uint32_t *level, vertex_t *queue)
{
    memset(level, 0xff, graph->num_vertices * sizeof *level);
    level[source] = 0;
    queue[0] = source;
    for (vertex_t head = 0, tail = 1; head < tail; head++)
        for (edge_t e = graph->offsets[queue[head]]; e < graph->offsets[queue[head] + 1]; e++)
            if (level[graph->targets[e]] == UINT32_MAX) {
                level[graph->targets[e]] = level[queue[head]] + 1;
                queue[tail++] = graph->targets[e];
            }
}

TEST(distances)
{
    for (size_t i = 0; i < COUNT(graphs); i++) {
        GRAPH graph = make_graph(graphs[i].text, graphs[i].vertices);
        struct chains chains;
        assert_ok(chains_contract(&graph, &chains, &error));
        assert_true(chains.num_junctions >= chains_count_junctions(&graph));
        uint32_t *distance = malloc((chains.num_junctions + 1) * sizeof *distance);
        uint32_t *level = malloc(graph.num_vertices * sizeof *level);
        vertex_t *queue = malloc(graph.num_vertices * sizeof *queue);
        for (vertex_t source = 0; source < graph.num_vertices; source++) {
            find_distances(&chains, &chains.places[source], distance);
            find_levels(&graph, source, level, queue);
            for (vertex_t v = 0; v < graph.num_vertices; v++)
                if (level_in_chains(&chains, distance, source, v) != level[v])
                    fail_msg("%s: vertex %u from %u: %u, not %u", graphs[i].text, v, source,
                             level_in_chains(&chains, distance, source, v), level[v]);
        }
        free(distance);
        free(level);
        free(queue);
        chains_release(&chains);
    }
}

TESTS(NULL, NULL)
