/* test_sssp.c: every algorithm of the family sssp on distances at the end of their type, which are refused, and on
 * graphs without weights. */
#include "support.h"

#include <float.h>

#include "../../src/run/trials.h"
#include "../harness.h"

/* A path 0>1>2 of two heavy edges, and perhaps light edges 0>3>2 around it; searched from 0. */
static const struct {
    enum weight_type type;
    double heavy;
    const char *message;
} cases[] = {
    {WEIGHTS_NONE, 0, ": the graph has no weights, which sssp needs; load it with --weights auto"},
    {WEIGHTS_UINT32, 3e9, ": the distance of vertex 2 is 4294967294 or more; divide all weights by a number"},
    {WEIGHTS_UINT32, UINT32_MAX / 2,
     ": the distance of vertex 2 is 4294967294 or more; divide all weights by a number"},
    {WEIGHTS_UINT32, UINT32_MAX / 2 - 1, ""},
    {WEIGHTS_FLOAT, 0.75 * FLT_MAX,
     ": the distance of vertex 2 is 3.402823466e+38 or more; divide all weights by a number"},
    {WEIGHTS_FLOAT, FLT_MAX / 4, ""},
    {WEIGHTS_DOUBLE, 0.75 * DBL_MAX,
     ": the distance of vertex 2 is 1.797693135e+308 or more; divide all weights by a number"},
    {WEIGHTS_DOUBLE, DBL_MAX / 4, ""},
};

static void put_weight(struct graph *graph, edge_t e, double weight)
{
    if (graph->weight_type == WEIGHTS_UINT32)
        ((uint32_t *)graph->weights)[e] = (uint32_t)weight;
    else if (graph->weight_type == WEIGHTS_FLOAT)
        ((float *)graph->weights)[e] = (float)weight;
    else
        ((double *)graph->weights)[e] = weight;
}

/* Checks the message, and that the distance of 2 is the last sum of `distance`. */
static void search(const struct algorithm *algorithm, struct device *device, const struct graph *graph,
                   const char *message, double distance)
{
    double options[MAX_OPTIONS];
    vertex_t source = 0;
    struct trials_result result;
    char expected[128] = "";
    assert_ok(options_parse(algorithm, NULL, 0, options, &error));
    struct bench_request request = {.algorithm = algorithm,
                                    .family = family_of("sssp"),
                                    .graph = graph,
                                    .device = device,
                                    .options = options,
                                    .verify = VERIFY_ALL,
                                    .sources = &source,
                                    .num_sources = 1};
    if (message[0] != '\0')
        snprintf(expected, sizeof expected, "%s%s", graph->name, message);
    assert_error(trials_run(&request, &result, &error), expected[0] == '\0' ? STATUS_OK : STATUS_INPUT, expected);
    if (message[0] == '\0')
        assert_true(result.last.distance[2] == distance);
    trials_release(&result);
}

static void search_with(const struct algorithm *algorithm, struct device *device)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int around = 0; around <= 1; around++) {
            GRAPH graph = make_graph(around ? "0>1 1>2 0>3 3>2" : "0>1 1>2", 4);
            graph.name = strdup("heavy");
            graph.weight_type = cases[i].type;
            if (cases[i].type != WEIGHTS_NONE)
                graph.weights = calloc(graph.num_edges, weight_bytes(cases[i].type));
            for (vertex_t u = 0; u < 4 && graph.weights != NULL; u++)
                for (edge_t e = graph.offsets[u]; e < graph.offsets[u + 1]; e++)
                    put_weight(&graph, e, u == 3 || graph.targets[e] == 3 ? 1 : cases[i].heavy);
            bool refused = cases[i].type == WEIGHTS_NONE || !around;
            search(algorithm, device, &graph, refused ? cases[i].message : "", around ? 2 : 2 * cases[i].heavy);
        }
}

TEST(heavy_paths)
{
    struct device cpu, emulator;
    assert_ok(device_open(DEVICE_CPU, &cpu, 0, &error));
    bool emulates = device_open(DEVICE_EMULATOR, &emulator, 0, &error) == STATUS_OK;
    error = (struct error){0};
    for (int i = 0; i < num_algorithms; i++) {
        const struct algorithm *emulated = emulated_algorithm(algorithms[i]);
        if (strcmp(algorithms[i]->family, "sssp") != 0)
            continue;
        if (algorithms[i]->device == DEVICE_CPU)
            search_with(algorithms[i], &cpu);
        else if (emulates && emulated != NULL)
            search_with(emulated, &emulator);
    }
    cpu.close(&cpu);
    if (emulates)
        emulator.close(&emulator);
}

TESTS(NULL, NULL)
