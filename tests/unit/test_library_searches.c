/* test_library_searches.c: the interface of the library: searches, progress, cancellation, threads. What Python sees
 * of it is tested in tests/python/test_searches.py. */
#include "library.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

/* ---- searches ---- */

TEST(bfs)
{
    OWN(gtrav_graph) *graph = load("grid:20x30");
    OWN(gtrav_query) *query = query_of("verify", "yes");
    FREED uint32_t *level = array_of(graph), *parent = array_of(graph);
    assert_ok(gtrav_bfs(graph, query, 0, level, NULL, &error));
    assert_int_equal(level[599], 48);
    assert_string_equal(gtrav_query_ran(query), "bfs gap on cpu");
    gtrav_times times = {.size = sizeof times};
    gtrav_query_times(query, &times);
    assert_true(times.total_ms >= times.kernel_ms && times.kernel_ms > 0 && times.prepare_ms > 0);
    assert_ok(gtrav_bfs(graph, query, 599, level, NULL, &error)); /* the graph is prepared */
    assert_int_equal(level[0], 48);
    gtrav_query_times(query, &times);
    assert_true(times.prepare_ms == 0);
    gtrav_graph_forget(graph);
    assert_ok(gtrav_bfs(graph, query, 7, NULL, NULL, &error));
    gtrav_query_times(query, &times);
    assert_true(times.prepare_ms > 0);
    assert_ok(gtrav_bfs(graph, query, 3, level, parent, &error));
    assert_int_equal(parent[3], 3);
    assert_int_equal(level[parent[599]] + 1, level[599]);
    assert_ok(gtrav_bfs(graph, query, 3, NULL, parent, &error));
    assert_fails(gtrav_bfs(graph, query, 600, level, NULL, &error), GTRAV_INPUT, "source 600 is not a vertex");
}

TEST(variants_and_options)
{
    OWN(gtrav_graph) *graph = load("kron:8");
    FREED uint32_t *level = array_of(graph), *parent = array_of(graph);
    OWN(gtrav_query) *query = query_of("variant", "gap");
    gtrav_times times = {.size = sizeof times};
    assert_ok(gtrav_bfs(graph, query, 1, level, NULL, &error));
    assert_ok(gtrav_query_set(query, "set", "alpha=3", &error));
    assert_ok(gtrav_bfs(graph, query, 1, level, NULL, &error));
    gtrav_query_times(query, &times);
    assert_true(times.prepare_ms > 0); /* not what was prepared with other options */
    assert_fails(gtrav_dfs(graph, query, 1, parent, NULL, NULL, &error), GTRAV_INPUT, "unknown dfs variant 'gap'");
    assert_ok(gtrav_query_set(query, "variant", "dfs:ckl", &error));
    assert_fails(gtrav_dfs(graph, query, 0, parent, NULL, NULL, &error), GTRAV_INPUT,
                 "dfs ckl gives no parent; those of dfs that do: ");
    assert_fails(gtrav_dfs(graph, query, 0, NULL, parent, NULL, &error), GTRAV_INPUT, "dfs ckl gives no order");
    assert_fails(gtrav_query_set(query, "optional", "parent", &error), GTRAV_INPUT, "optional (order)");
    assert_ok(gtrav_query_set(query, "variant", "bfs:serial", &error));
    assert_fails(gtrav_bfs(graph, query, 1, level, parent, &error), GTRAV_INPUT, "alpha");
    assert_ok(gtrav_query_set(query, "set", NULL, &error));
    assert_ok(gtrav_bfs(graph, query, 1, level, parent, &error));
    assert_string_equal(gtrav_query_ran(query), "bfs serial on cpu");
    assert_ok(gtrav_query_set(query, "variant", NULL, &error));
    assert_ok(gtrav_query_set(query, "reorder", "rcm", &error));
    assert_ok(gtrav_bfs(graph, query, 1, parent, NULL, &error));
    assert_memory_equal(level, parent, gtrav_graph_num_vertices(graph) * sizeof *level);
    assert_ok(gtrav_query_set(query, "reorder", "none", &error));
    assert_fails(gtrav_bfs(graph, query, 1, level, NULL, &error), GTRAV_INPUT, "none");
    assert_fails(gtrav_query_set(query, "colour", "red", &error), GTRAV_INPUT, "no 'colour'");
    assert_fails(gtrav_query_set(query, "verify", "maybe", &error), GTRAV_INPUT, "yes or no");
    assert_ok(gtrav_query_set(query, "reorder", NULL, &error));
    assert_ok(gtrav_query_set(query, "device", "moon", &error));
    assert_fails(gtrav_bfs(graph, query, 1, level, NULL, &error), GTRAV_INPUT, "no device 'moon'");
    gtrav_query_free(NULL);
}

TEST(bfs_within)
{
    OWN(gtrav_graph) *graph = load("grid:20x30"), *reversed = NULL;
    OWN(gtrav_query) *query = query_of("verify", "yes");
    FREED uint32_t *level = array_of(graph), *reached = array_of(graph);
    uint32_t sources[] = {0, 599, 0}, targets[] = {2, 40};
    uint64_t count;
    gtrav_limits limits = {sizeof limits, sources, 3, .num_levels = 4};
    assert_ok(gtrav_bfs_within(graph, query, &limits, level, NULL, reached, &count, &error));
    assert_true(count == 20 && level[599] == 0 && level[596] == 3 && level[4] == GTRAV_UNREACHED);
    assert_ok(gtrav_query_set(query, "reorder", "rcm", &error));
    assert_fails(gtrav_bfs_within(graph, query, &limits, level, NULL, NULL, NULL, &error), GTRAV_INPUT, "natural");
    limits = (gtrav_limits){sizeof limits, sources, 1, targets, 2}; /* both at level 2, which is complete */
    assert_ok(gtrav_bfs_within(graph, query, &limits, level, NULL, reached, &count, &error));
    assert_true(count == 6 && level[21] == 2);
    limits.size = offsetof(gtrav_limits, targets); /* of a version that has no targets */
    assert_ok(gtrav_bfs_within(graph, query, &limits, NULL, NULL, NULL, &count, &error));
    assert_int_equal(count, 600);
    assert_ok(gtrav_graph_reverse(graph, &reversed, &error));
    assert_memory_equal(gtrav_graph_targets(graph), gtrav_graph_targets(reversed), 100 * sizeof *targets);
}

/* Finds distances by relaxing all edges until none changes. */
static void relax_all(const gtrav_graph *graph, uint32_t source, double *distance)
{
    const uint64_t *offsets = gtrav_graph_offsets(graph);
    const uint32_t *whole = gtrav_graph_weights(graph), *targets = gtrav_graph_targets(graph);
    const double *real = gtrav_graph_weights(graph);
    bool is_whole = gtrav_graph_weight_type(graph) == GTRAV_UINT32, changed = true;
    for (uint32_t v = 0; v < gtrav_graph_num_vertices(graph); v++)
        distance[v] = v == source ? 0 : INFINITY;
    while (changed) {
        changed = false;
        for (uint32_t u = 0; u < gtrav_graph_num_vertices(graph); u++)
            for (uint64_t e = offsets[u]; e < offsets[u + 1]; e++)
                if (distance[u] + (is_whole ? whole[e] : real[e]) < distance[targets[e]]) {
                    distance[targets[e]] = distance[u] + (is_whole ? whole[e] : real[e]);
                    changed = true;
                }
    }
}

static void search_weighted(gtrav_graph *graph, const char *variant, const char *order)
{
    enum { SOURCE = 3 };
    OWN(gtrav_query) *query = query_of("variant", variant);
    uint32_t n = gtrav_graph_num_vertices(graph);
    FREED double *distance = calloc(n, sizeof *distance), *expected = calloc(n, sizeof *expected);
    FREED uint32_t *parent = array_of(graph);
    assert_ok(gtrav_query_set(query, "verify", "yes", &error));
    assert_ok(gtrav_query_set(query, "reorder", order, &error));
    relax_all(graph, SOURCE, expected);
    assert_ok(gtrav_sssp(graph, query, SOURCE, distance, NULL, &error));
    assert_memory_equal(distance, expected, n * sizeof *distance);
    assert_ok(gtrav_sssp(graph, query, SOURCE, NULL, parent, &error));
    assert_int_equal(parent[SOURCE], SOURCE);
    for (uint32_t v = 0; v < n; v++) {
        assert_int_equal(parent[v] == GTRAV_NO_VERTEX, isinf(expected[v]));
        assert_true(v == SOURCE || parent[v] == GTRAV_NO_VERTEX || expected[parent[v]] <= expected[v]);
    }
}

TEST(sssp)
{
    static const char *const variants[] = {"serial", "delta"}, *const weighted[] = {"weights=auto", NULL};
    static const uint32_t sources[] = {3, 0, 1, 3, 2}, targets[] = {0, 1, 2, 2, 3};
    static const double real[] = {0.1, 0.2, 0.3, 0.7, 0}, heavy[] = {1, 1.5e308, 1.5e308, 1.6e308, 1};
    gtrav_context *context = open_context("cpu", 2);
    OWN(gtrav_graph) * kron, *small, *far, *unweighted = load("path:4");
    double distance[4];
    assert_ok(gtrav_graph_load(context, "kron:8", weighted, &kron, &error));
    assert_ok(gtrav_graph_from_weighted_edges(context, 6, sources, targets, 32, real, 64, 5, 0, &small, &error));
    assert_ok(gtrav_graph_from_weighted_edges(context, 0, sources, targets, 32, heavy, 64, 3, 0, &far, &error));
    gtrav_context_free(context);
    for (size_t i = 0; i < COUNT(variants); i++) {
        search_weighted(kron, variants[i], NULL);
        search_weighted(kron, variants[i], "random");
        search_weighted(small, variants[i], NULL);
    }
    assert_ok(gtrav_sssp(far, NULL, 1, distance, NULL, &error));
    assert_true(distance[2] == 1.5e308 && isinf(distance[0]));
    assert_fails(gtrav_sssp(far, NULL, 3, distance, NULL, &error), GTRAV_INPUT,
                 "the distance of vertex 2 is 1.797693135e+308 or more; divide all weights by a number");
    assert_fails(gtrav_sssp(far, NULL, 4, distance, NULL, &error), GTRAV_INPUT, "source 4 is not a vertex");
    assert_fails(gtrav_sssp(unweighted, NULL, 0, distance, NULL, &error), GTRAV_INPUT,
                 "path:4: the graph has no weights, which sssp needs");
}

/* The calls that count edges refuse a graph with weights, unless the query says that they may. */
TEST(weights_are_not_ignored)
{
    static const uint32_t ends[] = {0, 1, 2}, *const sources = ends, *const targets = ends + 1;
    static const double weights[] = {5, 7};
    static const char message[] = "arrays: the graph has weights, which this search would ignore; count-edges=yes";
    gtrav_context *context = open_context("cpu", 1);
    OWN(gtrav_graph) * graph;
    OWN(gtrav_query) *query = query_of("count-edges", "yes");
    gtrav_path_list paths;
    uint32_t length[2];
    double values[3];
    assert_ok(gtrav_graph_from_weighted_edges(context, 0, sources, targets, 32, weights, 64, 2, 0, &graph, &error));
    gtrav_context_free(context);
    assert_fails(gtrav_lengths(graph, NULL, sources, targets, 2, length, &error), GTRAV_INPUT, message);
    assert_fails(gtrav_paths(graph, NULL, sources, targets, 2, &paths, &error), GTRAV_INPUT, message);
    assert_fails(gtrav_closeness(graph, NULL, NULL, 0, values, &error), GTRAV_INPUT, message);
    assert_fails(gtrav_harmonic(graph, NULL, NULL, 0, values, &error), GTRAV_INPUT, message);
    assert_fails(gtrav_betweenness(graph, NULL, NULL, 0, values, NULL, &error), GTRAV_INPUT, message);
    assert_fails(gtrav_count_paths(graph, NULL, 0, NULL, values, &error), GTRAV_INPUT, message);
    assert_ok(gtrav_lengths(graph, query, sources, targets, 2, length, &error));
    assert_true(length[0] == 1 && length[1] == 1);
    assert_ok(gtrav_count_paths(graph, query, 0, NULL, values, &error));
    assert_ok(gtrav_bfs(graph, NULL, 0, NULL, NULL, &error)); /* levels are not lengths */
    assert_ok(gtrav_query_set(query, "count-edges", NULL, &error));
    assert_fails(gtrav_lengths(graph, query, sources, targets, 2, length, &error), GTRAV_INPUT, message);
    assert_fails(gtrav_query_set(query, "count-edges", "1", &error), GTRAV_INPUT, "count-edges is yes or no");
}

TEST(other_centralities) /* more of them in tests/python/test_searches.py */
{
    static const double of_path[] = {0, 3, 4, 3, 0}, of_edges[] = {4, 4, 6, 6, 6, 6, 4, 4}, paths[] = {1, 1, 1, 2};
    OWN(gtrav_graph) *graph = load("path:5"), *square = load("grid:2x2"), *grid = load("grid:1100x1100");
    OWN(gtrav_query) *query = query_of("verify", "yes");
    static const double from_end[] = {0, 7.5, 5, 2.5, 0}; /* 5 / 2 times 0, 3, 2, 1, 0 */
    static const uint32_t sources[] = {0, 5};
    double vertex[5], edge[8];
    assert_ok(gtrav_betweenness(graph, query, NULL, 0, vertex, edge, &error));
    assert_memory_equal(vertex, of_path, sizeof of_path);
    assert_memory_equal(edge, of_edges, sizeof of_edges);
    assert_ok(gtrav_betweenness(graph, query, NULL, 3, vertex, NULL, &error)); /* with the same engine */
    assert_fails(gtrav_betweenness(graph, query, sources, 2, vertex, NULL, &error), GTRAV_INPUT, "source 5 is not");
    assert_fails(gtrav_betweenness(graph, query, NULL, 6, vertex, NULL, &error), GTRAV_INPUT,
                 "6 sources, but path:5 has only 5 vertices");
    assert_fails(gtrav_closeness(graph, query, NULL, UINT64_MAX, vertex, &error), GTRAV_INPUT,
                 "18446744073709551615 sources");
    assert_fails(gtrav_betweenness(grid, NULL, NULL, 1, NULL, NULL, &error), GTRAV_INPUT, "over 2^1000 shortest paths");
    assert_ok(gtrav_harmonic(graph, query, NULL, 2, vertex, &error));
    assert_ok(gtrav_harmonic(graph, query, NULL, 0, vertex, &error));
    assert_float_equal(vertex[2], 3, 1e-12);
    assert_ok(gtrav_count_paths(square, query, 0, NULL, vertex, &error));
    assert_memory_equal(vertex, paths, sizeof paths);
    assert_ok(gtrav_query_set(query, "reorder", "random", &error));
    assert_ok(gtrav_betweenness(graph, query, NULL, 0, vertex, NULL, &error));
    assert_memory_equal(vertex, of_path, sizeof of_path);
    assert_ok(gtrav_betweenness(graph, query, sources, 1, vertex, NULL, &error));
    assert_memory_equal(vertex, from_end, sizeof from_end);
    assert_fails(gtrav_betweenness(graph, query, NULL, 0, NULL, edge, &error), GTRAV_INPUT, "reorder natural");
}

/* ---- progress and cancellation ---- */

struct watch {
    int reports, stop_at; /* stop_at: the report that ends the call; 0: none */
    char phases[1024];
    pthread_t thread;
};

static bool watched(void *context, const char *phase, uint64_t done, uint64_t total)
{
    struct watch *watch = context;
    assert_true(pthread_equal(pthread_self(), watch->thread));
    assert_true(total == 0 || done <= total);
    if (strstr(watch->phases, phase) == NULL)
        strncat(watch->phases, phase, sizeof watch->phases - strlen(watch->phases) - 1);
    return ++watch->reports == watch->stop_at;
}

TEST(progress)
{
    OWN(gtrav_context) *context = open_context("cpu", 2);
    OWN(gtrav_graph) * graph;
    struct watch making = {.thread = pthread_self()}, searching = {.thread = pthread_self()};
    gtrav_context_on_progress(context, watched, &making);
    assert_ok(gtrav_graph_load(context, "kron:10", NULL, &graph, &error));
    assert_non_null(strstr(making.phases, "generating"));
    assert_non_null(strstr(making.phases, "building"));
    FREED uint32_t *level = array_of(graph);
    OWN(gtrav_query) *query = query_of(NULL, NULL);
    gtrav_query_on_progress(query, watched, &searching);
    assert_ok(gtrav_bfs(graph, query, 0, level, NULL, &error));
    assert_non_null(strstr(searching.phases, "bfs gap"));
    searching.stop_at = searching.reports + 1;
    assert_fails(gtrav_bfs(graph, query, 0, level, NULL, &error), GTRAV_INTERRUPTED, "interrupted");
    assert_ok(gtrav_bfs(graph, query, 0, level, NULL, &error));
    making.stop_at = making.reports + 2;
    gtrav_graph *none;
    assert_fails(gtrav_graph_load(context, "kron:10", NULL, &none, &error), GTRAV_INTERRUPTED, "interrupted");
    assert_null(none);
}

/* A search within a report, of vertex 99 an error. */
struct nested {
    gtrav_graph *graph;
    uint32_t source;
    char phase[64];
};

static bool searches(void *context, const char *phase, uint64_t done, uint64_t total)
{
    struct nested *nested = context;
    uint32_t level[5];
    snprintf(nested->phase, sizeof nested->phase, "%s", phase);
    return gtrav_bfs(nested->graph, NULL, nested->source, level, NULL, &error) != GTRAV_OK;
}

/* A call leaves its thread as it was: the outer call's reports go on after a search within one, and the caller's own
 * parallel regions keep their number of threads. Of two errors the first stays. */
TEST(calls_within_reports)
{
    OWN(gtrav_graph) *graph = load("kron:8");
    OWN(gtrav_context) *context = open_context("cpu", 1);
    struct nested nested = {.graph = make_small(context, GTRAV_DIRECTED)};
    OWN(gtrav_query) *query = query_of("variant", "gap");
    FREED uint32_t *level = array_of(graph);
    omp_set_num_threads(5);
    gtrav_query_on_progress(query, searches, &nested);
    assert_ok(gtrav_bfs(graph, query, 0, level, NULL, &error));
    assert_string_equal(nested.phase, "bfs gap"); /* after "preparing" */
    assert_int_equal(omp_get_max_threads(), 5);
    nested.source = 99;
    assert_int_equal(gtrav_bfs(graph, query, 0, level, NULL, &error), GTRAV_INTERRUPTED);
    assert_fails(error.status, GTRAV_INPUT, "source 99 is not a vertex");
    gtrav_graph_free(nested.graph);
}

static bool forgets(void *context, const char *phase, uint64_t done, uint64_t total)
{
    gtrav_graph_forget(context);
    return false;
}

/* What is in use while the graph forgets is not kept afterwards. */
TEST(forgotten_during_a_search)
{
    OWN(gtrav_graph) *graph = load("kron:8");
    OWN(gtrav_query) *query = query_of(NULL, NULL);
    gtrav_times times = {.size = sizeof times};
    FREED uint32_t *level = array_of(graph);
    assert_ok(gtrav_bfs(graph, query, 0, level, NULL, &error));
    gtrav_query_on_progress(query, forgets, graph);
    assert_ok(gtrav_bfs(graph, query, 0, level, NULL, &error));
    gtrav_query_on_progress(query, NULL, NULL);
    assert_ok(gtrav_bfs(graph, query, 0, level, NULL, &error));
    gtrav_query_times(query, &times);
    assert_true(times.prepare_ms > 0);
}

TEST(cancelled_before)
{
    OWN(gtrav_graph) *graph = load("kron:8");
    OWN(gtrav_query) *query = query_of(NULL, NULL);
    FREED uint32_t *level = array_of(graph);
    gtrav_query_cancel(query);
    assert_fails(gtrav_bfs(graph, query, 0, level, NULL, &error), GTRAV_INTERRUPTED, "interrupted");
    assert_ok(gtrav_bfs(graph, query, 0, level, NULL, &error));
}

/* A call on a thread of its own, which another thread cancels. */
struct canceller {
    gtrav_query *query;
    gtrav_context *context;
    atomic_bool begun;
};

static bool has_begun(void *context, const char *phase, uint64_t done, uint64_t total)
{
    struct canceller *canceller = context;
    atomic_store(&canceller->begun, true);
    return false;
}

static void *cancel_soon(void *context)
{
    struct canceller *canceller = context;
    while (!atomic_load(&canceller->begun))
        usleep(1000);
    usleep(20000);
    if (canceller->query != NULL)
        gtrav_query_cancel(canceller->query);
    else
        gtrav_context_cancel(canceller->context);
    return NULL;
}

TEST(cancelled_by_another_thread)
{
    OWN(gtrav_context) *context = open_context("cpu", 2);
    OWN(gtrav_graph) * graph, *none;
    struct canceller search = {.query = query_of(NULL, NULL)}, making = {.context = context};
    pthread_t thread;
    assert_ok(gtrav_graph_load(context, "road:15", NULL, &graph, &error));
    FREED double *closeness = malloc(gtrav_graph_num_vertices(graph) * sizeof *closeness);
    gtrav_query_on_progress(search.query, has_begun, &search);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &search), 0);
    assert_fails(gtrav_closeness(graph, search.query, NULL, 0, closeness, &error), GTRAV_INTERRUPTED, "interrupted");
    pthread_join(thread, NULL);

    atomic_store(&search.begun, false);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &search), 0);
    assert_fails(gtrav_betweenness(graph, search.query, NULL, 0, closeness, NULL, &error), GTRAV_INTERRUPTED,
                 "interrupted");
    pthread_join(thread, NULL);

    gtrav_context_on_progress(context, has_begun, &making);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &making), 0);
    assert_fails(gtrav_graph_load(context, "kron:24", NULL, &none, &error), GTRAV_INTERRUPTED, "interrupted");
    pthread_join(thread, NULL);
    gtrav_query_free(search.query);
}

/* ---- threads ---- */

#define THREADS         8
#define DEFAULT_SECONDS 0.6 /* of both tests together; GTRAV_TEST_SECONDS: so long instead */

/* OpenMP threads of each search. LLVM's libomp does not tell ThreadSanitizer of the end of all parallel regions if
 * several threads have teams at the same time. */
#if defined(__SANITIZE_THREAD__)
#define TEAM 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEAM 1
#endif
#endif
#ifndef TEAM
#define TEAM 2
#endif

struct client {
    gtrav_graph *graph;
    const uint32_t *expected; /* levels from vertex 0 */
    gtrav_query *query;
    uint32_t seed;
    double until_ms;
    pthread_t thread;
    int searches, right, interrupted;
};

static double clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Each call of the library that a graph's users share, with results that are known; GTRAV_WRONG: one is not. */
static int search_in_all_ways(gtrav_graph *graph, gtrav_query *query, const uint32_t *expected, uint32_t seed)
{
    gtrav_error own = {0};
    FREED uint32_t *level = array_of(graph);
    uint32_t n = gtrav_graph_num_vertices(graph), length[2], found;
    uint32_t sources[] = {0, 0}, destinations[] = {seed % n, (seed + 1) % n};
    size_t bytes = n * sizeof *level;
    uint64_t reached = 0, count = 0;
    gtrav_sums sums;
    gtrav_info info = {.size = sizeof info};
    char id[16];
    for (uint32_t v = 0; v < n; v++)
        reached += expected[v] != GTRAV_UNREACHED;
    bool right = gtrav_bfs(graph, NULL, 0, level, NULL, &own) == GTRAV_OK && memcmp(level, expected, bytes) == 0;
    right = right && gtrav_bfs(graph, query, 0, level, NULL, &own) == GTRAV_OK && memcmp(level, expected, bytes) == 0;
    right = right && gtrav_lengths(graph, NULL, sources, destinations, 2, length, &own) == GTRAV_OK &&
            length[0] == expected[destinations[0]] && length[1] == expected[destinations[1]];
    right = right && gtrav_msbfs(graph, NULL, sources, 1, level, &sums, &own) == GTRAV_OK &&
            memcmp(level, expected, bytes) == 0 && sums.reached == reached;
    right = right && gtrav_dfs(graph, NULL, 0, level, NULL, &count, &own) == GTRAV_OK && count == reached;
    right = right && gtrav_reach(graph, NULL, 0, NULL, &count, &own) == GTRAV_OK && count == reached;
    right = right && gtrav_graph_info(graph, &info, &own) == GTRAV_OK && info.num_vertices == n;
    gtrav_graph_id(graph, seed % n, id, sizeof id);
    right = right && gtrav_graph_find(graph, id, &found) && found == seed % n;
    return right ? GTRAV_OK : own.status != GTRAV_OK ? own.status : GTRAV_WRONG;
}

static void *search_often(void *context)
{
    struct client *client = context;
    do {
        int status = search_in_all_ways(client->graph, client->query, client->expected,
                                        client->seed + (uint32_t)client->searches);
        client->right += status == GTRAV_OK;
        client->interrupted += status == GTRAV_INTERRUPTED;
        if (++client->searches % 4 == 0)
            gtrav_graph_forget(client->graph);
    } while (clock_ms() < client->until_ms);
    return NULL;
}

/* Cancels a search, or now and then all of the context, at random moments. */
static void cancel_often(gtrav_context *context, const struct client *clients)
{
    for (uint32_t random = 1; clock_ms() < clients[0].until_ms; random = random * 1664525u + 1013904223u) {
        usleep(random >> 20); /* up to 4 ms */
        if (random >> 28 == 0)
            gtrav_context_cancel(context);
        else
            gtrav_query_cancel(clients[random >> 8 & (THREADS - 1)].query);
    }
}

/* Each search is right, or was interrupted because somebody cancels. */
static void share_a_graph(bool cancels)
{
    OWN(gtrav_context) *context = open_context("cpu", TEAM);
    OWN(gtrav_graph) * graph;
    assert_ok(gtrav_graph_load(context, "kron:9", NULL, &graph, &error));
    FREED uint32_t *expected = array_of(graph);
    struct client clients[THREADS];
    const char *seconds = getenv("GTRAV_TEST_SECONDS");
    double until_ms = clock_ms() + 500 * (seconds != NULL ? strtod(seconds, NULL) : DEFAULT_SECONDS);
    int interrupted = 0;
    assert_ok(gtrav_bfs(graph, NULL, 0, expected, NULL, &error));
    for (uint32_t i = 0; i < THREADS; i++)
        clients[i] = (struct client){.graph = graph,
                                     .expected = expected,
                                     .query = query_of("reorder", "rcm"),
                                     .seed = 13 * i,
                                     .until_ms = until_ms};
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&clients[i].thread, NULL, search_often, &clients[i]), 0);
    if (cancels)
        cancel_often(context, clients);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(clients[i].thread, NULL);
        assert_int_equal(clients[i].right + clients[i].interrupted, clients[i].searches);
        interrupted += clients[i].interrupted;
        gtrav_query_free(clients[i].query);
    }
    assert_int_equal(interrupted > 0, cancels);
    assert_ok(gtrav_bfs(graph, NULL, 0, expected, NULL, &error));
}

TEST(threads_share_a_graph)
{
    share_a_graph(false);
}

TEST(threads_are_cancelled)
{
    share_a_graph(true);
}

TESTS(enter_folder, leave_folder)
