/* fuzz_format.c: which reader takes a file, by its content and the ending of its name, which the input's first byte
 * picks. */
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

static const char *const endings[] = {"",     ".mtx", ".gr",    ".col",    ".graph", ".metis",
                                      ".txt", ".csv", ".gtrav", ".mtx.gz", ".gz",    ".graph.gz"};
#define NUM_ENDINGS (sizeof endings / sizeof endings[0])

/* A link of each ending to the file in memory. */
static void make_links(const char *target, char paths[NUM_ENDINGS][96])
{
    for (size_t i = 0; i < NUM_ENDINGS; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/graph%s", own_folder(), endings[i]);
        REQUIRE(symlink(target, paths[i]) == 0);
    }
}

void fuzz_format(const uint8_t *data, size_t size)
{
    static char paths[NUM_ENDINGS][96];
    if (size < 1)
        return;
    const char *target = file_of(data + 1, size - 1), *path = paths[data[0] % NUM_ENDINGS];
    if (paths[0][0] == '\0')
        make_links(target, paths);
    struct graph graph;
    struct error error = {0};
    struct load_options options = {.undirected = data[0] >= 128, .weights = data[0] % 128 >= 64 ? "auto" : NULL};
    int status = graph_load(path, &options, &graph, &error);
    if (status == STATUS_OK)
        REQUIRE(strncmp(graph.name, "graph", 5) == 0 && strchr(graph.name, '.') == NULL);
    else
        REQUIRE(strncmp(error.text, path, strlen(path)) == 0 || strncmp(error.text, "out of memory", 13) == 0);
    check_graph(status, &graph, &error);
}
