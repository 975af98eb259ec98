/* many_sources.h: what the tests of algorithms that take many sources share: the CPU's algorithms, and an algorithm
 * that is made up where something must go wrong. */
#pragma once

#include "support.h"

#include "../../src/graph/hash.h"
#include "../harness.h"

static struct device cpu;

static inline const struct algorithm *find_algorithm(const char *family, const char *variant)
{
    for (int i = 0; i < num_algorithms; i++)
        if (strcmp(algorithms[i]->family, family) == 0 && strcmp(algorithms[i]->variant, variant) == 0)
            return algorithms[i];
    fail_msg("there is no %s %s", family, variant);
    return NULL;
}

/* An algorithm's defaults, and if a setting is given, that. */
static inline const double *options_of(const struct algorithm *algorithm, const char *setting)
{
    static double values[MAX_OPTIONS];
    assert_ok(options_parse(algorithm, &setting, setting != NULL, values, &error));
    return values;
}

/* Of the algorithm on the graph by the CPU, with its defaults; everything is checked. sources: NULL: none. */
static inline struct bench_request request_for(const struct algorithm *algorithm, const struct graph *graph,
                                               const vertex_t *sources, int num_sources)
{
    return (struct bench_request){.algorithm = algorithm,
                                  .family = family_of(algorithm->family),
                                  .graph = graph,
                                  .graph_hash = graph_hash(graph),
                                  .device = &cpu,
                                  .options = options_of(algorithm, NULL),
                                  .sources = sources,
                                  .num_sources = num_sources,
                                  .verify = VERIFY_ALL};
}

/* ---- one that goes wrong: on a path, like the serial one but for what is told wrong ---- */

static struct {
    enum output wrong; /* 0: nothing */
    uint32_t num_sources;
    vertex_t sources[16];
    const struct destination *destinations;
    uint64_t num_destinations;
    int failing; /* the traversal that fails; 0: none */
    int traversals;
    long slow_ms; /* that fetching takes at least */
} fake;

static inline int fake_prepare(struct run *run)
{
    run->batch_size = 3;
    return STATUS_OK;
}

static inline int fake_traverse(struct run *run, const struct query *query)
{
    memcpy(fake.sources, query->sources, query->num_sources * sizeof *query->sources);
    fake.num_sources = query->num_sources;
    fake.destinations = query->destinations;
    fake.num_destinations = query->num_destinations;
    return ++fake.traversals == fake.failing ? error_set(run->error, STATUS_DEVICE, "on fire") : STATUS_OK;
}

static inline uint32_t fake_level(vertex_t u, vertex_t v)
{
    return u < v ? v - u : u - v;
}

static inline int fake_fetch(struct run *run, struct traversal *result)
{
    vertex_t n = run->graph->num_vertices;
    nanosleep(&(struct timespec){.tv_nsec = fake.slow_ms * 1000000}, NULL);
    for (vertex_t v = 0; result->level != NULL && v < n; v++)
        result->level[v] = fake_level(fake.sources[result->which], v);
    if (result->level != NULL && fake.wrong == OUTPUT_LEVEL)
        result->level[n - 1]++;
    for (uint32_t i = 0; result->sums != NULL && i < fake.num_sources; i++) {
        result->sums[i] = (struct source_sums){.reached = n};
        for (vertex_t v = 0; v < n; v++) {
            uint32_t level = fake_level(fake.sources[i], v);
            result->sums[i].level_sum += level;
            result->sums[i].eccentricity = level > result->sums[i].eccentricity ? level : result->sums[i].eccentricity;
        }
        result->sums[i].level_sum += fake.wrong == OUTPUT_SUMS;
    }
    for (uint64_t i = 0; result->length != NULL && i < fake.num_destinations; i++)
        result->length[i] = fake_level(fake.sources[fake.destinations[i].which], fake.destinations[i].vertex) +
                            (fake.wrong == OUTPUT_LENGTH);
    return STATUS_OK;
}

static inline void fake_release(struct run *run)
{
}

static const struct algorithm fake_algorithm = {
    .family = "msbfs",
    .variant = "fake",
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_LENGTH,
    .state_bytes = 1,
    .prepare = fake_prepare,
    .traverse = fake_traverse,
    .fetch = fake_fetch,
    .release = fake_release,
};

/* ---- a group of tests ---- */

static inline int enter_with_cpu(void **state)
{
    return device_open(DEVICE_CPU, &cpu, 0, &error) != STATUS_OK || enter_folder(state) != 0;
}

static inline int leave_with_cpu(void **state)
{
    cpu.close(&cpu);
    return leave_folder(state);
}
