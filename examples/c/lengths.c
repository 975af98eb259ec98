/* lengths.c: shortest paths between pairs of vertices, with libgtrav.
 *
 *     cc lengths.c -o lengths $(pkg-config --cflags --libs gtrav)
 *     ./lengths GRAPH SOURCE DESTINATION [SOURCE DESTINATION...]
 *
 * GRAPH: a file, or a generator's spec such as kron:16. Vertices are named as in the file. */
#include <stdio.h>
#include <stdlib.h>

#include <gtrav.h>

/* Finds the vertices that the words name, alternately a source and a destination. Returns false for a word that names
 * no vertex. */
static bool find_pairs(const gtrav_graph *graph, char **words, uint64_t num_pairs, uint32_t *sources,
                       uint32_t *destinations)
{
    for (uint64_t i = 0; i < 2 * num_pairs; i++)
        if (!gtrav_graph_find(graph, words[i], i % 2 == 0 ? &sources[i / 2] : &destinations[i / 2])) {
            fprintf(stderr, "lengths: %s is not a vertex of %s\n", words[i], gtrav_graph_name(graph));
            return false;
        }
    return true;
}

/* Prints "1 -> 5: 2 edges: 1 3 5". */
static void print_path(const gtrav_graph *graph, char **words, const uint32_t *path, uint64_t num_vertices)
{
    char id[64];
    if (num_vertices == 0) {
        printf("%s -> %s: no path\n", words[0], words[1]);
        return;
    }
    printf("%s -> %s: %llu edges:", words[0], words[1], (unsigned long long)num_vertices - 1);
    for (uint64_t k = 0; k < num_vertices; k++) {
        gtrav_graph_id(graph, path[k], id, sizeof id);
        printf(" %s", id);
    }
    printf("\n");
}

/* Prints a shortest path for each pair. Returns a status. */
static int answer(gtrav_graph *graph, char **words, uint64_t num_pairs, gtrav_error *error)
{
    uint32_t *sources = malloc(num_pairs * sizeof *sources), *destinations = malloc(num_pairs * sizeof *destinations);
    gtrav_path_list paths = {0};
    int status = GTRAV_INPUT;
    if (sources != NULL && destinations != NULL && find_pairs(graph, words, num_pairs, sources, destinations))
        status = gtrav_paths(graph, NULL, sources, destinations, num_pairs, &paths, error);
    for (uint64_t i = 0; i < paths.num_paths; i++)
        print_path(graph, words + 2 * i, paths.vertices + paths.offsets[i], paths.offsets[i + 1] - paths.offsets[i]);
    gtrav_path_list_free(&paths);
    free(sources);
    free(destinations);
    return status;
}

int main(int argc, char **argv)
{
    gtrav_error error = {0};
    gtrav_context *context = NULL;
    gtrav_graph *graph = NULL;
    int status = GTRAV_INPUT;
    if (argc < 4 || argc % 2 != 0) {
        fprintf(stderr, "usage: lengths GRAPH SOURCE DESTINATION [SOURCE DESTINATION...]\n");
        return GTRAV_INPUT;
    }
    if (gtrav_context_new(&context, "auto", 0, &error) == GTRAV_OK &&
        gtrav_graph_load(context, argv[1], NULL, &graph, &error) == GTRAV_OK)
        status = answer(graph, argv + 2, (uint64_t)(argc - 2) / 2, &error);
    if (error.status != GTRAV_OK)
        fprintf(stderr, "lengths: %s\n", error.text);
    gtrav_graph_free(graph);
    gtrav_context_free(context);
    return error.status != GTRAV_OK ? error.status : status;
}
