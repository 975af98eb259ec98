/* fuzz_sources.c: --sources-file and --source. An input is the file, or the list. */
#include "../harness.h"
#include "fuzz.h"

#define NUM_VERTICES 1000

static void check_sources(int status, vertex_t *sources, int count, const struct error *error)
{
    check_error(status, error);
    REQUIRE(status == STATUS_OK ? count > 0 : sources == NULL);
    for (int i = 0; status == STATUS_OK && i < count; i++)
        REQUIRE(sources[i] < NUM_VERTICES);
    free(sources);
}

void fuzz_sources(const uint8_t *data, size_t size)
{
    char name[] = "graph";
    struct graph graph = {.name = name, .num_vertices = NUM_VERTICES};
    struct error file_error = {0}, list_error = {0};
    vertex_t *sources;
    int count;
    int status = read_sources(&graph, file_of(data, size), &sources, &count, &file_error);
    check_sources(status, sources, count, &file_error);
    status = parse_vertices(&graph, "--source", text_of(data, size), &sources, &count, &list_error);
    check_sources(status, sources, count, &list_error);
}
