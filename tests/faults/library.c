/* library.c: calls every function of include/gtrav.h that can fail, for test_injection.py: something fails under
 * it. The first error is printed, as the program prints its own, and is the exit status. Without one, sums over all
 * results are printed. Usage: library FOLDER, in which it may write. */
#include <stdio.h>

#include "../../include/gtrav.h"

#define N 40u /* vertices of the graph */

static gtrav_error error;

static unsigned long long sum_of(const uint32_t *numbers, uint64_t count)
{
    unsigned long long sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += (i + 1) * (unsigned long long)(numbers[i] + 1u);
    return sum;
}

/* Sums over the results of all searches. */
static unsigned long long search(gtrav_graph *graph, gtrav_query *query)
{
    static uint32_t level[N], parent[N], order[N], rows[3 * N], length[3];
    static const uint32_t sources[] = {0, 7, 9}, destinations[] = {5, 39, 9};
    uint8_t visited[N] = {0};
    double closeness[N] = {0}, others[3][4 * N] = {0};
    gtrav_sums sums[3] = {0};
    gtrav_path_list paths = {0};
    uint64_t count = 0, reached = 0;
    gtrav_limits limits = {sizeof limits, sources, 3, destinations, 3, .num_levels = 3};
    gtrav_bfs(graph, NULL, 0, level, parent, &error);
    gtrav_bfs(graph, query, 3, level, NULL, &error);
    gtrav_bfs_within(graph, NULL, &limits, level, parent, order, &count, &error);
    gtrav_dfs(graph, NULL, 0, parent, order, &count, &error);
    gtrav_reach(graph, NULL, 0, visited, &reached, &error);
    gtrav_msbfs(graph, NULL, sources, 3, rows, sums, &error);
    gtrav_lengths(graph, NULL, sources, destinations, 3, length, &error);
    gtrav_paths(graph, query, sources, destinations, 3, &paths, &error);
    gtrav_closeness(graph, NULL, NULL, 0, closeness, &error);
    gtrav_harmonic(graph, NULL, NULL, 0, others[0], &error);
    gtrav_betweenness(graph, NULL, NULL, 0, others[1], others[2], &error);
    gtrav_count_paths(graph, query, 0, NULL, others[1], &error);
    unsigned long long sum = sum_of(level, N) + sum_of(parent, N) + sum_of(order, count) + sum_of(rows, 3 * N) +
                             sum_of(length, 3) + reached + sums[2].level_sum +
                             (unsigned long long)(1000 * (closeness[0] + others[0][0] + others[1][9] + others[2][9]));
    if (error.status == GTRAV_OK)
        sum += sum_of(paths.vertices, paths.offsets[3]);
    gtrav_path_list_free(&paths);
    return sum;
}

/* Graphs from arrays, of the arrays of another one. */
static unsigned long long build(gtrav_context *context, const gtrav_graph *graph)
{
    static const uint32_t sources[] = {3, 0, 1, 1}, targets[] = {1, 2, 2, 2};
    static const uint64_t offsets[] = {0, 2, 3, 4}, disorder[] = {2, 1, 2, 2};
    uint32_t order[4] = {0};
    static const double weights[] = {1, 2.5, 0, 4};
    gtrav_graph *edges, *borrowed, *sorted, *weighted = NULL;
    gtrav_graph_from_edges(context, 0, sources, targets, 32, 4, GTRAV_DIRECTED, &edges, &error);
    if (error.status == GTRAV_OK)
        gtrav_topo(edges, NULL, order, &error);
    if (error.status == GTRAV_OK)
        gtrav_components(edges, NULL, true, NULL, NULL, &error);
    gtrav_graph_from_csr(context, 3, offsets, 64, disorder, 64, GTRAV_UNDIRECTED, &sorted, &error);
    if (error.status == GTRAV_OK)
        gtrav_graph_from_weighted_edges(context, 0, sources, targets, 32, weights, 64, 4, GTRAV_DIRECTED, &weighted,
                                        &error);
    if (error.status == GTRAV_OK)
        gtrav_sssp(weighted, NULL, 0, NULL, order, &error);
    borrowed = NULL;
    if (error.status == GTRAV_OK)
        gtrav_graph_from_csr(context, gtrav_graph_num_vertices(graph), gtrav_graph_offsets(graph), 64,
                             gtrav_graph_targets(graph), 32, GTRAV_BORROW, &borrowed, &error);
    unsigned long long sum = sum_of(order, 4);
    gtrav_graph_free(borrowed);
    gtrav_graph_free(weighted);
    gtrav_graph_free(sorted);
    gtrav_graph_free(edges);
    return sum;
}

/* Reordering, writing, reading. */
static unsigned long long keep(gtrav_context *context, gtrav_graph *graph, const char *folder)
{
    static const char *const options[] = {"undirected", NULL};
    char path[4096], plain[4096];
    gtrav_info info = {.size = sizeof info};
    gtrav_graph *reordered, *read = NULL, *restored = NULL, *reversed = NULL;
    snprintf(path, sizeof path, "%s/new.gtrav", folder);
    snprintf(plain, sizeof plain, "%s/plain.gtrav", folder);
    if (gtrav_graph_reorder(graph, "rcm", &reordered, &error) == GTRAV_OK &&
        gtrav_graph_reverse(reordered, &reversed, &error) == GTRAV_OK &&
        gtrav_graph_reorder(reordered, "natural", &restored, &error) == GTRAV_OK &&
        gtrav_graph_write(reordered, plain, &error) == GTRAV_OK &&
        gtrav_graph_write_ids(restored, path, gtrav_graph_offsets(graph), false, NULL, &error) == GTRAV_OK)
        gtrav_graph_load(context, path, options, &read, &error);
    if (error.status == GTRAV_OK)
        gtrav_graph_info(read, &info, &error);
    gtrav_graph_free(read);
    gtrav_graph_free(restored);
    gtrav_graph_free(reversed);
    gtrav_graph_free(reordered);
    return info.num_edges + info.components;
}

int main(int argc, char **argv)
{
    gtrav_context *context;
    gtrav_graph *graph = NULL;
    gtrav_query *query = NULL;
    unsigned long long sum = 0;
    if (argc != 2)
        return GTRAV_INPUT;
    if (gtrav_context_new(&context, "cpu", 2, &error) == GTRAV_OK)
        gtrav_graph_load(context, "grid:5x8", NULL, &graph, &error);
    gtrav_query_new(&query, &error);
    if (error.status == GTRAV_OK) {
        gtrav_query_set(query, "variant", "bfs:gap", &error);
        gtrav_query_set(query, "reorder", "random", &error);
        gtrav_query_set(query, "verify", "yes", &error);
        gtrav_query_set(query, "set", "alpha=9", &error);
        sum = search(graph, query) + build(context, graph) + keep(context, graph, argv[1]);
    }
    gtrav_query_free(query);
    gtrav_graph_free(graph);
    gtrav_context_free(context);
    if (error.status == GTRAV_OK)
        printf("%llu\n", sum);
    else
        fprintf(stderr, "gtrav: %s\n", error.text);
    return error.status;
}
