/* test_library_gpu.c: the interface of the library: searches on a GPU, or on the emulator. */
#include "library.h"

#include <pthread.h>

/* ---- on the emulator ---- */

TEST(emulator)
{
    OWN(gtrav_context) * context;
    if (gtrav_context_new(&context, "emulator", 0, &error) == GTRAV_DEVICE) {
        error = (gtrav_error){0};
        skip();
    }
    OWN(gtrav_graph) * graph;
    assert_ok(gtrav_graph_load(context, "kron:6", NULL, &graph, &error));
    OWN(gtrav_query) *query = query_of("verify", "yes"), *cpu = query_of("device", "cpu");
    FREED uint32_t *level = array_of(graph), *parent = array_of(graph), *expected = array_of(graph);
    assert_ok(gtrav_query_set(query, "set", "seed=3", &error));
    assert_ok(gtrav_bfs(graph, query, 2, level, parent, &error));
    assert_string_equal(gtrav_query_ran(query), "bfs auto on emulator");
    assert_ok(gtrav_bfs(graph, cpu, 2, expected, NULL, &error));
    assert_memory_equal(level, expected, gtrav_graph_num_vertices(graph) * sizeof *level);
    assert_ok(gtrav_dfs(graph, query, 2, parent, NULL, NULL, &error));
    assert_string_equal(gtrav_query_ran(query), "dfs auto on emulator");
    assert_fails(gtrav_query_set(cpu, "variant", "auto", &error) + gtrav_bfs(graph, cpu, 2, level, NULL, &error),
                 GTRAV_INPUT, "runs on the GPU");
    assert_ok(gtrav_query_set(cpu, "variant", "msbfs:auto", &error)); /* hands few pairs to the CPU */
    assert_ok(gtrav_query_set(cpu, "device", "auto", &error));
    assert_ok(gtrav_lengths(graph, cpu, (uint32_t[]){2}, (uint32_t[]){3}, 1, level, &error));
    assert_int_equal(level[0], expected[3]);
    assert_string_equal(gtrav_query_ran(cpu), "msbfs adaptive on cpu");
    assert_memory_equal(gtrav_query_note(cpu), "few pairs: adaptive", strlen("few pairs: adaptive"));
}

/* Whichever of the results is left out. 0 -> 1 -> 2 -> 3 and 0 -> 2 have one order. */
TEST(an_order_alone_on_the_emulator)
{
    static const char *const variants[] = {"auto", "v1", "v2", "v3", "v4", "handoff", "nvg", NULL};
    gtrav_context *context;
    if (gtrav_context_new(&context, "emulator", 0, NULL) != GTRAV_OK)
        skip();
    OWN(gtrav_graph) *graph = make_small(context, GTRAV_DIRECTED);
    gtrav_context_free(context);
    for (size_t i = 0; i < COUNT(variants); i++) {
        bool gives_order = variants[i] == NULL || strcmp(variants[i], "nvg") == 0;
        OWN(gtrav_query) *query = query_of(variants[i] != NULL ? "variant" : NULL, variants[i]);
        uint32_t order[5];
        uint64_t count = 0;
        assert_fails(gtrav_dfs(graph, query, 0, NULL, order, NULL, &error), gives_order ? GTRAV_OK : GTRAV_INPUT, "");
        for (uint32_t v = 0; gives_order && v < 4; v++)
            assert_int_equal(order[v], v);
        assert_ok(gtrav_dfs(graph, query, 0, NULL, NULL, &count, &error));
        assert_int_equal(count, 4);
    }
}

/* No engine is prepared where there is nothing to search: its kernels would read what is not there. */
static void search_nothing(const char *device, const char *spec)
{
    OWN(gtrav_context) *context = open_context(device, 2);
    OWN(gtrav_graph) * graph;
    OWN(gtrav_query) *query = query_of("device", device);
    uint64_t count = 7;
    gtrav_path_list paths;
    if (spec != NULL)
        assert_ok(gtrav_graph_load(context, spec, NULL, &graph, &error));
    else
        assert_ok(gtrav_graph_from_edges(context, 0, NULL, NULL, 32, 0, GTRAV_DIRECTED, &graph, &error));
    assert_ok(gtrav_msbfs(graph, query, NULL, 0, &(uint32_t){0}, &(gtrav_sums){0}, &error));
    assert_memory_equal(gtrav_query_ran(query), "msbfs ", strlen("msbfs "));
    assert_ok(gtrav_lengths(graph, query, NULL, NULL, 0, NULL, &error));
    assert_ok(gtrav_paths(graph, query, NULL, NULL, 0, &paths, &error));
    assert_true(paths.num_paths == 0 && paths.offsets[0] == 0);
    gtrav_path_list_free(&paths);
    assert_fails(gtrav_msbfs(graph, query, (uint32_t[]){9}, 1, NULL, NULL, &error), GTRAV_INPUT, "9 is not a vertex");
    assert_fails(gtrav_paths(graph, query, (uint32_t[]){9}, (uint32_t[]){9}, 1, &paths, &error), GTRAV_INPUT,
                 "9 is not a vertex");
    if (spec == NULL) {
        assert_ok(gtrav_closeness(graph, query, NULL, 0, NULL, &error));
        assert_ok(gtrav_topo(graph, query, NULL, &error));
        assert_ok(gtrav_components(graph, query, false, NULL, &count, &error));
        assert_int_equal(count, 0);
        assert_fails(gtrav_bfs(graph, query, 0, NULL, NULL, &error), GTRAV_INPUT, "0 is not a vertex");
        assert_fails(gtrav_reach(graph, query, 0, NULL, NULL, &error), GTRAV_INPUT, "0 is not a vertex");
    }
    assert_ok(gtrav_query_set(query, "reorder", "upside-down", &error));
    assert_fails(gtrav_msbfs(graph, query, NULL, 0, NULL, NULL, &error), GTRAV_INPUT, "upside-down");
}

TEST(nothing_to_search)
{
    gtrav_context *context;
    search_nothing("cpu", NULL);
    search_nothing("cpu", "path:3");
    if (gtrav_context_new(&context, "emulator", 0, NULL) != GTRAV_OK)
        skip();
    gtrav_context_free(context);
    search_nothing("emulator", NULL);
    search_nothing("emulator", "path:3");
}

TEST(results_stay_on_the_device)
{
    gtrav_context *context;
    if (gtrav_context_new(&context, "emulator", 0, NULL) != GTRAV_OK)
        skip();
    OWN(gtrav_graph) *graph = load("path:300"), *ordered = NULL, *of_file = NULL;
    OWN(gtrav_query) *query = query_of("on-device", "yes");
    size_t size = 300 * sizeof(uint32_t);
    uint32_t *there, level[300];
    uint8_t byte[300];
    assert_ok(gtrav_memory_new(context, size, true, (void **)&there, &error));
    assert_fails(gtrav_bfs(graph, query, 45, there, NULL, &error), GTRAV_INPUT, "this is bfs"); /* on the CPU */
    assert_ok(gtrav_query_set(query, "device", "emulator", &error));
    assert_ok(gtrav_bfs(graph, query, 45, there, NULL, &error));
    assert_ok(gtrav_download(context, level, there, size, &error));
    assert_ok(gtrav_query_set(query, "bytes", "yes", &error));
    assert_ok(gtrav_bfs(graph, query, 45, there, NULL, &error));
    assert_ok(gtrav_download(context, byte, there, sizeof byte, &error));
    for (uint32_t v = 0; v < 300; v++)
        assert_true(level[v] == (v < 45 ? 45 - v : v - 45) && byte[v] == level[v]);
    assert_fails(gtrav_bfs(graph, query, 44, there, NULL, &error), GTRAV_INPUT, "level 255");
    assert_ok(gtrav_graph_reorder(graph, "random", &ordered, &error)); /* a file's order is no obstacle */
    assert_ok(gtrav_graph_write(ordered, "random.gtrav", &error));
    assert_ok(gtrav_graph_load(context, "random.gtrav", NULL, &of_file, &error));
    assert_ok(gtrav_bfs(of_file, query, 45, there, NULL, &error));
    assert_ok(gtrav_download(context, level, there, sizeof byte, &error));
    assert_memory_equal(level, byte, sizeof byte);
    assert_fails(gtrav_query_set(query, "verify", "yes", &error) + gtrav_bfs(graph, query, 45, there, NULL, &error),
                 GTRAV_INPUT, "without verify");
    gtrav_memory_free(context, there, true);
    gtrav_context_free(context);
}

/* Calls count 1 ms each there, and steps what they are predicted to take, at least 4 ms. All steps are taken, none
 * before it is due, and each result is verified. */
TEST(preparing_in_steps)
{
    gtrav_context *context;
    if (gtrav_context_new(&context, "emulator", 0, NULL) != GTRAV_OK)
        skip();
    gtrav_context_free(context);
    OWN(gtrav_graph) *graph = load_with("emulator", 0, "kron:6");
    OWN(gtrav_query) *query = query_of("verify", "yes");
    FREED uint32_t *level = array_of(graph);
    const char until[] = "once searches have taken ", *due = until;
    double due_ms = 0; /* rounded */
    int latest = -4;
    for (int calls = 0; due != NULL && calls < 400; calls++) {
        gtrav_times times = {.size = sizeof times};
        assert_ok(gtrav_bfs(graph, query, (uint32_t)calls % 60, level, NULL, &error));
        gtrav_query_times(query, &times);
        assert_true(times.prepare_ms > 0 ? calls > due_ms - 0.05 && calls >= latest + 4 : calls < due_ms + 0.05);
        latest = times.prepare_ms > 0 ? calls : latest;
        assert_true(calls > 0 || strstr(gtrav_query_note(query), "dobfs unprepared, 0 ms of steps") != NULL);
        due = strstr(gtrav_query_note(query), until);
        due_ms = due != NULL ? atof(due + strlen(until)) : 0;
    }
    assert_non_null(strstr(gtrav_query_note(query), "nothing is left to try"));
}

/* After a loss a context searches on, also with what was prepared before. */
TEST(webgpu_after_a_loss)
{
    OWN(gtrav_context) * context;
    if (gtrav_context_new(&context, "webgpu", 0, NULL) != GTRAV_OK)
        skip();
    OWN(gtrav_graph) *small = load_with("webgpu", 0, "path:9"), *large = load_with("webgpu", 0, "kron:14");
    FREED uint32_t *level = array_of(large);
    assert_ok(gtrav_bfs(small, NULL, 3, level, NULL, &error));
    setenv("GTRAV_WEBGPU_TIMEOUT", "1e-9", 1);
    int status = gtrav_bfs(large, NULL, 3, level, NULL, &error);
    unsetenv("GTRAV_WEBGPU_TIMEOUT");
    assert_fails(status, GTRAV_DEVICE, "did not answer");
    OWN(gtrav_query) *query = query_of("verify", "yes");
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(gtrav_bfs(small, query, 3, level, NULL, &error));
        assert_int_equal(level[8], 5);
        assert_ok(gtrav_bfs(large, query, 3, level, NULL, &error));
    }
}

/* ---- two graphs on a GPU ---- */

#define USERS 3

/* A thread that searches two graphs in turns. They use the same kernels, each graph with sizes of its own. */
struct user {
    gtrav_graph *graphs[2];
    const char *device;
    unsigned begins_with;
    pthread_t thread;
    gtrav_error error; /* of the first search that failed */
};

static int search_as(const gtrav_variant *variant, gtrav_graph *graph, gtrav_query *query, gtrav_error *own)
{
    const uint32_t sources[] = {1, 2}, destinations[] = {3, 4};
    uint32_t *level = malloc(2 * sizeof *level * gtrav_graph_num_vertices(graph));
    int status;
    if (strcmp(variant->family, "wcc") == 0)
        status = gtrav_components(graph, query, false, level, NULL, own);
    else if (strcmp(variant->family, "sssp") == 0)
        status = gtrav_sssp(graph, query, 1, NULL, level, own);
    else if (strcmp(variant->family, "betweenness") == 0)
        status = gtrav_betweenness(graph, query, NULL, 9, NULL, NULL, own);
    else if (strcmp(variant->family, "msbfs") != 0)
        status = gtrav_reach(graph, query, 1, NULL, &(uint64_t){0}, own);
    else if (strncmp(variant->variant, "ibfs", strlen("ibfs")) != 0)
        status = gtrav_msbfs(graph, query, sources, 2, level, NULL, own);
    else
        status = gtrav_lengths(graph, query, sources, destinations, 2, level, own);
    free(level);
    return status;
}

static void *search_in_turns(void *context)
{
    struct user *user = context;
    gtrav_variant variant;
    for (int i = 0; gtrav_variant_at(i, &variant) && user->error.status == GTRAV_OK; i++) {
        char name[64];
        bool is_slow = strcmp(variant.variant, "nvg") == 0; /* on the emulator */
        if (strcmp(variant.device, "gpu") != 0 || strcmp(variant.family, "topo") == 0 || is_slow)
            continue;
        snprintf(name, sizeof name, "%s:%s", variant.family, variant.variant);
        OWN(gtrav_query) *query = query_of("verify", "yes");
        gtrav_query_set(query, "variant", name, NULL);
        gtrav_query_set(query, "device", user->device, NULL);
        gtrav_query_set(query, "count-edges", "yes", NULL);
        for (unsigned turn = 0; turn < 3 && user->error.status == GTRAV_OK; turn++)
            search_as(&variant, user->graphs[(user->begins_with + turn) % 2], query, &user->error);
        if (user->error.status != GTRAV_OK)
            print_error("%s on %s\n", name, user->device);
    }
    return NULL;
}

TEST(two_graphs_share_a_gpu)
{
    gtrav_context *context = NULL;
    const char *device = "gpu", *const weighted[] = {"weights=auto", NULL};
    if (gtrav_context_new(&context, device, 0, NULL) != GTRAV_OK &&
        gtrav_context_new(&context, device = "emulator", 0, NULL) != GTRAV_OK)
        skip();
    gtrav_context_free(context);
    context = open_context("cpu", 2);
    for (int threads = 1; threads <= USERS; threads += USERS - 1) {
        struct user users[USERS] = {{.device = device}};
        assert_ok(gtrav_graph_load(context, "kron:8", weighted, &users[0].graphs[0], &error));
        assert_ok(gtrav_graph_load(context, "kron:4", weighted, &users[0].graphs[1], &error));
        for (int i = 0; i < threads; i++) {
            users[i] = users[0];
            users[i].begins_with = (unsigned)i;
            assert_int_equal(pthread_create(&users[i].thread, NULL, search_in_turns, &users[i]), 0);
        }
        for (int i = 0; i < threads; i++)
            pthread_join(users[i].thread, NULL);
        for (int i = 0; i < threads; i++)
            assert_string_equal(users[i].error.text, "");
        gtrav_graph_free(users[0].graphs[0]);
        gtrav_graph_free(users[0].graphs[1]);
    }
    gtrav_context_free(context);
}

TESTS(enter_folder, leave_folder)
