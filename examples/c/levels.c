/* levels.c: a graph from arrays of the program, without a copy, and a breadth-first search in it that shows its
 * progress and can be stopped by Ctrl-C, with libgtrav.
 *
 *     cc levels.c -o levels $(pkg-config --cflags --libs gtrav)
 *     ./levels
 */
#include <signal.h>
#include <stdio.h>

#include <gtrav.h>

/* 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3, 3 -> 4; nothing leads to 5 */
static const uint64_t offsets[] = {0, 2, 3, 4, 5, 5, 5};
static const uint32_t targets[] = {1, 2, 3, 3, 4};
#define NUM_VERTICES 6

static gtrav_query *running; /* what Ctrl-C cancels */

static void cancel(int signal_number)
{
    (void)signal_number;
    gtrav_query_cancel(running);
}

static bool show(void *context, const char *phase, uint64_t done, uint64_t total)
{
    (void)context;
    fprintf(stderr, "%s: %llu of %llu\n", phase, (unsigned long long)done, (unsigned long long)total);
    return false; /* true would cancel the search */
}

/* Searches from vertex 0 and prints what was found. */
static int search(gtrav_graph *graph, gtrav_query *query, gtrav_error *error)
{
    uint32_t level[NUM_VERTICES], parent[NUM_VERTICES];
    gtrav_times times = {.size = sizeof times};
    running = query;
    signal(SIGINT, cancel);
    gtrav_query_on_progress(query, show, NULL);
    gtrav_query_set(query, "variant", "serial", error);
    gtrav_query_set(query, "verify", "yes", error);
    if (gtrav_bfs(graph, query, 0, level, parent, error) != GTRAV_OK) /* or one of the calls before it */
        return error->status;
    for (uint32_t v = 0; v < NUM_VERTICES; v++)
        if (level[v] == GTRAV_UNREACHED)
            printf("%u: not reached\n", v);
        else
            printf("%u: level %u, by way of %u\n", v, level[v], parent[v]);
    gtrav_query_times(query, &times);
    fprintf(stderr, "%s: %.3f ms, of it searching %.3f ms\n", gtrav_query_ran(query), times.total_ms,
            times.kernel_ms);
    return GTRAV_OK;
}

int main(void)
{
    gtrav_error error = {0};
    gtrav_context *context = NULL;
    gtrav_graph *graph = NULL;
    gtrav_query *query = NULL;
    gtrav_context_new(&context, "cpu", 0, &error);
    gtrav_query_new(&query, &error);
    if (error.status == GTRAV_OK && gtrav_graph_from_csr(context, NUM_VERTICES, offsets, 64, targets, 32,
                                                         GTRAV_BORROW, &graph, &error) == GTRAV_OK)
        search(graph, query, &error);
    if (error.status != GTRAV_OK)
        fprintf(stderr, "levels: %s\n", error.text);
    gtrav_query_free(query);
    gtrav_graph_free(graph);
    gtrav_context_free(context);
    return error.status;
}
