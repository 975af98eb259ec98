/* fuzz_pairs.c: --pairs, on a graph whose vertices are numbers and on one with ids of its own. An input is the file.
 */
#include "../../src/bench/pairs.h"
#include "fuzz.h"

#define NUM_VERTICES 1000

static void read_as_pairs(const struct graph *graph, const char *path)
{
    struct error error = {0};
    struct pair *pairs;
    uint64_t count;
    int status = read_pairs(graph, path, &pairs, &count, &error);
    check_error(status, &error);
    REQUIRE(status == STATUS_OK ? count > 0 : pairs == NULL);
    for (uint64_t i = 0; status == STATUS_OK && i < count; i++)
        REQUIRE(pairs[i].source < NUM_VERTICES && pairs[i].destination < NUM_VERTICES);
    free(pairs);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static uint64_t ids[NUM_VERTICES];
    char name[] = "graph";
    struct graph graph = {.name = name, .num_vertices = NUM_VERTICES};
    const char *path = file_of(data, size);
    for (vertex_t v = 0; v < NUM_VERTICES; v++)
        ids[v] = (uint64_t)v * v * v;
    read_as_pairs(&graph, path);
    graph.ids = ids;
    read_as_pairs(&graph, path);
}
