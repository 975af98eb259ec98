/* test_library_graphs.c: the interface of the library, include/gtrav.h: contexts, errors, graphs. What Python sees of
 * it is tested in tests/python/test_graph.py. */
#include "library.h"

#include <math.h>
#include <pthread.h>
#include <sys/wait.h>

static gtrav_context *context; /* of most tests */

/* ---- the library ---- */

TEST(version_and_variants)
{
    gtrav_variant variant;
    int count = 0;
    bool gap = false;
    assert_true(strspn(gtrav_version(), "0123456789.") == strlen(gtrav_version()));
    for (; gtrav_variant_at(count, &variant); count++)
        gap = gap || (strcmp(variant.family, "bfs") == 0 && strcmp(variant.variant, "gap") == 0 &&
                      strcmp(variant.device, "cpu") == 0 && variant.title[0] != '\0' && variant.citation[0] != '\0');
    assert_true(gap && count >= 5);
    assert_false(gtrav_variant_at(-1, &variant));
}

TEST(an_earlier_error_is_kept)
{
    gtrav_error earlier = {GTRAV_DEVICE, "earlier"};
    gtrav_query *query;
    assert_int_equal(gtrav_query_new(&query, &earlier), GTRAV_DEVICE);
    assert_string_equal(earlier.text, "earlier");
    assert_null(query);
    assert_int_equal(gtrav_query_new(NULL, NULL), GTRAV_INPUT);
}

TEST(contexts)
{
    OWN(gtrav_context) *other = open_context(NULL, 0), *none;
    assert_true(gtrav_context_device(context)[0] != '\0');
    gtrav_context_free(NULL);
    assert_fails(gtrav_context_new(&none, "tpu", 0, &error), GTRAV_INPUT, "no device 'tpu'");
    assert_null(none);
    assert_fails(gtrav_context_new(&none, "gpu:x", 0, &error), GTRAV_INPUT, "no device");
    assert_fails(gtrav_context_new(&none, "cpu", -1, &error), GTRAV_INPUT, "-1 threads");
    assert_int_equal(gtrav_context_new(&none, "tpu", 0, NULL), GTRAV_INPUT);
}

/* A function that gets an error with a message does nothing. */
TEST(errors_are_sticky)
{
    gtrav_context *none;
    OWN(gtrav_graph) * graph;
    gtrav_query *query;
    uint32_t level[5] = {7};
    assert_int_equal(gtrav_graph_load(context, "nonsense:3", NULL, &graph, &error), GTRAV_INPUT);
    assert_null(graph);
    char text[sizeof error.text];
    strcpy(text, error.text);
    assert_int_equal(gtrav_context_new(&none, "cpu", 0, &error), GTRAV_INPUT);
    assert_int_equal(gtrav_query_new(&query, &error), GTRAV_INPUT);
    assert_null(query);
    gtrav_error earlier = error;
    error = (gtrav_error){0};
    graph = make_small(context, GTRAV_DIRECTED);
    assert_int_equal(gtrav_bfs(graph, NULL, 0, level, NULL, &earlier), GTRAV_INPUT);
    assert_int_equal(level[0], 7);
    assert_string_equal(earlier.text, text);
}

/* ---- graphs from arrays ---- */

TEST(bad_csr)
{
    gtrav_graph *graph;
    const uint64_t late[] = {1, 2}, falling[] = {0, 2, 1}, one_edge[] = {0, 1, 1};
    const int32_t negative_offset[] = {0, -1};
    const int32_t negative[] = {-1, 0};
    const uint64_t far[] = {2, 0};
    assert_fails(gtrav_graph_from_csr(context, 1, late, 64, far, 64, 0, &graph, &error), GTRAV_INPUT,
                 "first offset is 1");
    assert_null(graph);
    assert_fails(gtrav_graph_from_csr(context, 2, falling, 64, far, 64, 0, &graph, &error), GTRAV_INPUT, "offset 2");
    assert_fails(gtrav_graph_from_csr(context, 1, negative_offset, 32, far, 64, 0, &graph, &error), GTRAV_INPUT,
                 "negative");
    assert_fails(gtrav_graph_from_csr(context, 2, one_edge, 64, far, 64, 0, &graph, &error), GTRAV_INPUT,
                 "target 0 is vertex 2; the graph has 2");
    assert_fails(gtrav_graph_from_csr(context, 2, one_edge, 64, negative, 32, 0, &graph, &error), GTRAV_INPUT,
                 "target 0");
    assert_fails(gtrav_graph_from_csr(context, 2, one_edge, 64, NULL, 64, 0, &graph, &error), GTRAV_INPUT,
                 "targets is NULL");
    assert_fails(gtrav_graph_from_csr(context, 2, one_edge, 64, far, 64, 4, &graph, &error), GTRAV_INPUT, "0x4");
    assert_fails(gtrav_graph_from_csr(context, 2, one_edge, 16, far, 64, 0, &graph, &error), GTRAV_INPUT, "16 bits");
    assert_fails(gtrav_graph_from_csr(context, UINT64_C(1) << 32, one_edge, 64, far, 64, 0, &graph, &error),
                 GTRAV_INPUT, "fewer than 2^32");
    assert_fails(gtrav_graph_from_edges(context, 0, far, late, 64, 2, 1u << 31, &graph, &error), GTRAV_INPUT,
                 "unknown flags 0x80000000");
}

/* What a call needs is told. */
TEST(null_arguments)
{
    OWN(gtrav_graph) *graph = make_small(context, GTRAV_DIRECTED), *none = NULL;
    uint32_t ends[1] = {0};
    gtrav_path_list paths;
#define NEEDS(what, call) assert_fails(gtrav_##call, GTRAV_INPUT, what " != NULL")
    NEEDS("gtrav_context_new needs context", context_new(NULL, "cpu", 1, &error));
    NEEDS("spec", graph_load(context, NULL, NULL, &none, &error));
    NEEDS("offsets", graph_from_csr(context, 0, NULL, 64, NULL, 64, 0, &none, &error));
    NEEDS("targets", graph_from_edges(context, 0, ends, NULL, 32, 1, 0, &none, &error));
    NEEDS("reordered", graph_reorder(graph, "rcm", NULL, &error));
    NEEDS("path", graph_write(graph, NULL, &error));
    NEEDS("gtrav_bfs needs graph", bfs(NULL, NULL, 0, ends, NULL, &error));
    NEEDS("graph", reach(NULL, NULL, 0, NULL, NULL, &error));
    NEEDS("graph", closeness(NULL, NULL, NULL, 0, NULL, &error));
    NEEDS("graph", harmonic(NULL, NULL, NULL, 0, NULL, &error));
    NEEDS("graph", betweenness(NULL, NULL, NULL, 0, NULL, NULL, &error));
    NEEDS("graph", count_paths(NULL, NULL, 0, NULL, NULL, &error));
    NEEDS("sources", msbfs(graph, NULL, NULL, 1, ends, NULL, &error));
    NEEDS("length", lengths(graph, NULL, ends, ends, 1, NULL, &error));
    NEEDS("destinations", paths(graph, NULL, ends, NULL, 1, &paths, &error));
    NEEDS("graph", components(NULL, NULL, false, ends, NULL, &error));
    assert_int_equal(gtrav_topo(NULL, NULL, ends, NULL), GTRAV_INPUT);
}

static void *search_anew(void *found)
{
    OWN(gtrav_context) *own = open_context("cpu", 2);
    OWN(gtrav_graph) *graph = make_small(own, GTRAV_DIRECTED);
    assert_levels(graph);
    return found;
}

/* A forked process is told, and does not hang; a new thread of it can search. */
TEST(forked)
{
    OWN(gtrav_graph) *graph = make_small(context, GTRAV_DIRECTED), *none = NULL;
    uint32_t level[5];
    int status;
    assert_levels(graph);
    if (fork() == 0) {
        pthread_t thread;
        void *found;
        alarm(60);
        assert_fails(gtrav_bfs(graph, NULL, 0, level, NULL, &error), GTRAV_INPUT, "forked");
        assert_fails(gtrav_graph_load(open_context("cpu", 2), "path:9", NULL, &none, &error), GTRAV_INPUT, "forked");
        pthread_create(&thread, NULL, search_anew, &status);
        pthread_join(thread, &found);
        _exit(found == &status ? 0 : 1);
    }
    assert_true(wait(&status) > 0 && status == 0);
}

/* ---- graphs from files ---- */

TEST(load_options)
{
    gtrav_graph *graph;
    const char *const any[] = {"ids=any", "undirected", NULL}, *const wrong[] = {"ids=some", NULL};
    const char *const unknown[] = {"undirectd", NULL}, *const valued[] = {"cache=much", NULL};
    char text[32];
    uint32_t vertex;
    put_text("a.txt", "100 7\n7 3000000000\n");
    assert_ok(gtrav_graph_load(context, "a.txt", any, &graph, &error));
    assert_string_equal(gtrav_graph_name(graph), "a+undirected");
    assert_int_equal(gtrav_graph_num_vertices(graph), 3);
    assert_true(gtrav_graph_is_symmetric(graph));
    assert_int_equal(gtrav_graph_id(graph, 2, text, sizeof text), 10);
    assert_string_equal(text, "3000000000");
    assert_int_equal(gtrav_graph_id(graph, 2, text, 4), 10);
    assert_string_equal(text, "300");
    assert_int_equal(gtrav_graph_id(graph, 3, text, sizeof text), 0);
    assert_true(gtrav_graph_find(graph, "100", &vertex) && vertex == 1);
    assert_false(gtrav_graph_find(graph, "8", &vertex) || gtrav_graph_find(graph, "x", &vertex));
    assert_int_equal(gtrav_graph_ids(graph)[1], 100);

    OWN(gtrav_graph) * reversed;
    assert_ok(gtrav_graph_reorder(graph, "rcm", &reversed, &error));
    const uint32_t *permutation = gtrav_graph_permutation(reversed);
    for (uint32_t v = 0; v < 3; v++) {
        assert_int_equal(gtrav_graph_ids(reversed)[v], gtrav_graph_ids(graph)[permutation[v]]);
        gtrav_graph_id(reversed, v, text, sizeof text);
        assert_true(gtrav_graph_find(reversed, text, &vertex) && vertex == v);
    }
    gtrav_graph_free(graph);

    assert_fails(gtrav_graph_load(context, "a.txt", wrong, &graph, &error), GTRAV_INPUT, "auto|any|dense");
    assert_fails(gtrav_graph_load(context, "a.txt", unknown, &graph, &error), GTRAV_INPUT,
                 "unknown option 'undirectd' of loading");
    assert_fails(gtrav_graph_load(context, "a.txt", valued, &graph, &error), GTRAV_INPUT, "cache takes yes|no");
    assert_fails(gtrav_graph_load(context, "none.mtx", NULL, &graph, &error), GTRAV_INPUT, "none.mtx");
    assert_fails(gtrav_graph_load(context, "krn:4", NULL, &graph, &error), GTRAV_INPUT, "did you mean 'kron:4'?");
    assert_fails(gtrav_graph_load(context, "kron4", NULL, &graph, &error), GTRAV_INPUT, "did you mean 'kron:4'?");
}

/* Also after a detour through a file and other orders. */
TEST(weights_are_told)
{
    put_text("weighted.el", "0 1 5\n1 2 6\n");
    put_text("equal.el", "0 1 5\n1 2 5\n");
    OWN(gtrav_graph) *weighted = load("weighted.el"), *equal = load("equal.el"), *reversed, *ordered, *read;
    assert_ok(gtrav_graph_reverse(weighted, &reversed, &error));
    assert_ok(gtrav_graph_reorder(weighted, "random", &ordered, &error));
    assert_ok(gtrav_graph_write(ordered, "weighted.gtrav", &error));
    assert_ok(gtrav_graph_load(context, "weighted.gtrav", NULL, &read, &error));
    assert_true(gtrav_graph_weights_ignored(weighted));
    assert_false(gtrav_graph_weights_ignored(equal));
    assert_true(gtrav_graph_weights_ignored(reversed));
    assert_true(gtrav_graph_weights_ignored(ordered));
    assert_true(gtrav_graph_weights_ignored(read));
}

TEST(weighted_edges)
{
    static const uint32_t sources[] = {0, 1, 0, 2, 2}, targets[] = {1, 2, 1, 2, 0};
    static const double wide[] = {5, 7, 3, 9, -0.0};
    static const float narrow[] = {0.5f, 7, 0.1f, 9, 1};
    OWN(gtrav_graph) * whole, *real, *both, *reversed, *none;
    assert_ok(gtrav_graph_from_weighted_edges(context, 0, sources, targets, 32, wide, 64, 5, 0, &whole, &error));
    assert_int_equal(gtrav_graph_weight_type(whole), GTRAV_UINT32);
    assert_memory_equal(gtrav_graph_weights(whole), ((uint32_t[]){3, 7, 0}), 3 * sizeof(uint32_t));
    assert_ok(gtrav_graph_from_weighted_edges(context, 0, sources, targets, 32, narrow, 32, 5, 0, &real, &error));
    assert_int_equal(gtrav_graph_weight_type(real), GTRAV_FLOAT);
    assert_memory_equal(gtrav_graph_weights(real), ((float[]){0.1f, 7, 1}), 3 * sizeof(float));
    assert_ok(gtrav_graph_reverse(real, &reversed, &error));
    assert_memory_equal(gtrav_graph_weights(reversed), ((float[]){1, 0.1f, 7}), 3 * sizeof(float));
    assert_ok(gtrav_graph_from_weighted_edges(context, 3, sources, targets, 32, wide, 64, 5, GTRAV_UNDIRECTED, &both,
                                              &error));
    assert_memory_equal(gtrav_graph_weights(both), ((uint32_t[]){3, 0, 3, 7, 0, 7}), 6 * sizeof(uint32_t));
    for (int i = 0; i < 3; i++) {
        const double bad[] = {1, (double[]){-1, INFINITY, NAN}[i]};
        assert_fails(gtrav_graph_from_weighted_edges(context, 0, sources, targets, 32, bad, 64, 2, 0, &none, &error),
                     GTRAV_INPUT, "weights are finite, 0 or more");
        assert_null(none);
    }
    assert_fails(gtrav_graph_from_weighted_edges(context, 0, sources, targets, 32, wide, 16, 5, 0, &none, &error),
                 GTRAV_INPUT, "gtrav_graph_from_weighted_edges");
    gtrav_graph *unweighted = load("path:3");
    assert_null(gtrav_graph_weights(unweighted));
    assert_int_equal(gtrav_graph_weight_type(unweighted), GTRAV_NO_WEIGHTS);
    gtrav_graph_free(unweighted);
}

TEST(write_and_reorder)
{
    OWN(gtrav_graph) *graph = load("kron:8"), *ordered, *read;
    gtrav_graph *twice;
    assert_ok(gtrav_graph_reorder(graph, "rcm", &ordered, &error));
    assert_fails(gtrav_graph_reorder(ordered, "rcm", &twice, &error), GTRAV_INPUT, "already reordered");
    assert_fails(gtrav_graph_reorder(graph, "best", &twice, &error), GTRAV_INPUT, "best");
    assert_string_equal(gtrav_graph_reordering(ordered), "rcm");
    assert_null(gtrav_graph_reordering(graph));
    assert_ok(gtrav_graph_reorder(ordered, "natural", &twice, &error)); /* the input's order again */
    assert_null(gtrav_graph_reordering(twice));
    assert_null(gtrav_graph_permutation(twice));
    assert_string_equal(gtrav_graph_name(twice), gtrav_graph_name(graph));
    assert_memory_equal(gtrav_graph_targets(twice), gtrav_graph_targets(graph),
                        gtrav_graph_num_edges(graph) * sizeof(uint32_t));
    gtrav_graph_free(twice);
    assert_ok(gtrav_graph_write(ordered, "ordered.gtrav", &error));
    assert_fails(gtrav_graph_write(ordered, "ordered.txt", &error), GTRAV_INPUT, "ordered.txt");
    assert_ok(gtrav_graph_load(context, "ordered.gtrav", NULL, &read, &error));
    assert_null(gtrav_graph_permutation(read)); /* it has its own order again */
    assert_memory_equal(gtrav_graph_targets(read), gtrav_graph_targets(graph),
                        gtrav_graph_num_edges(graph) * sizeof(uint32_t));
    const char *const as_stored[] = {"stored", NULL};
    assert_ok(gtrav_graph_load(context, "ordered.gtrav", as_stored, &twice, &error));
    assert_string_equal(gtrav_graph_reordering(twice), "rcm");
    assert_memory_equal(gtrav_graph_permutation(twice), gtrav_graph_permutation(ordered),
                        gtrav_graph_num_vertices(graph) * sizeof(uint32_t));
    assert_memory_equal(gtrav_graph_targets(twice), gtrav_graph_targets(ordered),
                        gtrav_graph_num_edges(graph) * sizeof(uint32_t));
    gtrav_graph_free(twice);
    FREED uint32_t *level = array_of(graph), *same = array_of(graph), *other = array_of(graph);
    assert_ok(gtrav_bfs(graph, NULL, 5, level, NULL, &error));
    assert_ok(gtrav_bfs(read, NULL, 5, same, NULL, &error));
    assert_memory_equal(level, same, gtrav_graph_num_vertices(graph) * sizeof *level);
    uint32_t source = 0;
    while (gtrav_graph_permutation(ordered)[source] != 5)
        source++;
    assert_ok(gtrav_bfs(ordered, NULL, source, other, NULL, &error));
    for (uint32_t v = 0; v < gtrav_graph_num_vertices(graph); v++)
        assert_int_equal(other[v], level[gtrav_graph_permutation(ordered)[v]]);
    assert_ok(gtrav_graph_write(read, "again.gtrav", &error)); /* in the file's order */
    assert_ok(gtrav_graph_write(read, "again.mtx", &error));
    assert_fails(gtrav_graph_write_ids(read, "ids.gtrav", NULL, false, NULL, &error), GTRAV_INPUT, "one of the two");
    OWN(gtrav_graph) *small = make_small(context, GTRAV_DIRECTED);
    assert_fails(gtrav_graph_write_ids(small, "ids.gtrav", wide_offsets, false, NULL, &error), GTRAV_INPUT,
                 "vertices 3 and 4 have the same id");
}

/* A caller of an older version has a smaller struct. */
TEST(info)
{
    OWN(gtrav_graph) *graph = load("path:10");
    gtrav_info part = {.size = offsetof(gtrav_info, bytes), .bytes = 77};
    assert_ok(gtrav_graph_info(graph, &part, &error));
    assert_int_equal(part.num_edges, 18);
    assert_int_equal(part.bytes, 77);
}

static int enter(void **state)
{
    context = open_context("cpu", 2);
    return enter_folder(state);
}

static int leave(void **state)
{
    gtrav_context_free(context);
    return leave_folder(state);
}

TESTS(enter, leave)
