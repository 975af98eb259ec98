/* fuzz_pairs.c: --pairs, on a graph whose vertices are numbers and on two with ids of their own. An input is the
 * file. */
#include "../../src/run/pairs.h"
#include "fuzz.h"

#define NUM_VERTICES 1000

static void read_as_pairs(const struct graph *graph, const char *path)
{
    struct error error = {0};
    struct pair_list list;
    int status = read_pairs(graph, path, NULL, &list, &error);
    check_error(status, &error);
    REQUIRE((status == STATUS_OK) == (list.count + list.num_absent > 0));
    for (uint64_t i = 0; i < list.count; i++)
        REQUIRE(list.pairs[i].source < NUM_VERTICES && list.pairs[i].destination < NUM_VERTICES);
    for (uint64_t i = 0; i < list.num_absent; i++)
        REQUIRE(list.absent[i].before <= list.count && list.absent[i].id[0][0] != '\0' &&
                list.absent[i].id[1][0] != '\0');
    pair_list_release(&list);
}

void fuzz_pairs(const uint8_t *data, size_t size)
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
    static char names[NUM_VERTICES * 6];
    static uint64_t name_at[NUM_VERTICES + 1];
    for (vertex_t v = 0; v < NUM_VERTICES; v++) {
        name_at[v] = v * 6;
        snprintf(names + name_at[v], 6, "v%04u", v);
    }
    name_at[NUM_VERTICES] = sizeof names;
    graph.ids = NULL;
    graph.names = names;
    graph.name_at = name_at;
    read_as_pairs(&graph, path);
}
