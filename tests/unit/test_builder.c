/* test_builder.c: edges in any order become the CSR that sorting them gives; validity. */
#include "support.h"

#include <omp.h>

#include "../../src/graph/random.h"

/* ---- against qsort ---- */

enum arrival { ANY_ORDER, ASCENDING, DESCENDING };

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

/* Row v of the graph begins at offset `expected`. Not cmocka's assertion: there are millions of rows. */
static void assert_row(const struct graph *graph, vertex_t v, edge_t expected)
{
    if (graph->offsets[v] != expected)
        fail_msg("row %u of %u begins at %llu, not %llu", v, graph->num_vertices, (unsigned long long)graph->offsets[v],
                 (unsigned long long)expected);
}

/* Sorts the edges and checks that the graph holds just those, without self-loops and duplicates. */
static void assert_built_of(const struct graph *graph, struct edge *edges, size_t count)
{
    edge_t kept = 0, self_loops = 0;
    vertex_t row = 0;
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; i < count; i++) {
        self_loops += edges[i].source == edges[i].target;
        if (edges[i].source == edges[i].target || (i > 0 && compare_edges(&edges[i - 1], &edges[i]) == 0))
            continue;
        for (; row <= edges[i].source; row++)
            assert_row(graph, row, kept);
        assert_true(kept < graph->num_edges);
        assert_int_equal(graph->targets[kept++], edges[i].target);
    }
    for (; row < graph->num_vertices; row++)
        assert_row(graph, row, kept);
    assert_row(graph, graph->num_vertices, kept);
    assert_int_equal(graph->num_edges, kept);
    assert_int_equal(graph->self_loops_dropped, self_loops);
    assert_int_equal(graph->duplicates_dropped, count - self_loops - kept);
}

/* Draws from 0 .. vertices - 1, in the given order of sources. high_degree: vertex 0 has a quarter of the edges. */
static struct edge *draw_edges(uint64_t vertices, size_t count, bool high_degree, enum arrival arrival)
{
    struct edge *edges = malloc((count + 1) * sizeof *edges);
    assert_non_null(edges);
    for (size_t i = 0; i < count; i++)
        edges[i] =
            (struct edge){(vertex_t)(random_bits(2 * i) % vertices), (vertex_t)(random_bits(2 * i + 1) % vertices)};
    for (size_t i = 0; high_degree && i < count; i += 4)
        edges[i].source = 0;
    if (arrival != ANY_ORDER)
        qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0; arrival == DESCENDING && i < count / 2; i++) {
        struct edge swap = edges[i];
        edges[i] = edges[count - 1 - i];
        edges[count - 1 - i] = swap;
    }
    return edges;
}

static void build_and_check(uint64_t vertices, size_t count, bool high_degree, bool known, int writers,
                            enum arrival arrival)
{
    struct builder builder;
    GRAPH graph;
    struct edge *edges = draw_edges(vertices, count, high_degree, arrival);
    vertex_t largest = 0;
    int all_threads = omp_get_max_threads();
    omp_set_num_threads(writers);
    assert_ok(builder_init(&builder, known ? vertices : 0, &error));
    assert_int_equal(builder.num_writers, writers);
#pragma omp parallel for schedule(static, 7)
    for (size_t i = 0; i < count; i++)
        push_edge(&builder.writers[omp_get_thread_num()], edges[i].source, edges[i].target);
    for (size_t i = 0; i < count; i++) {
        largest = edges[i].source > largest ? edges[i].source : largest;
        largest = edges[i].target > largest ? edges[i].target : largest;
    }
    uint64_t seen = builder_vertices_seen(&builder);
    assert_int_equal(seen, count > 0 ? (uint64_t)largest + 1 : 0);
    assert_ok(builder_finish(&builder, (vertex_t)(known ? vertices : seen), &graph, &error));
    omp_set_num_threads(all_threads);
    assert_int_equal(graph.num_vertices, known ? vertices : seen);
    assert_null(builder.writers);
    assert_built_of(&graph, edges, count);
    assert_ok(graph_validate(&graph, "built", &error));
    free(edges);
}

/* Around the numbers of buckets (512) and of a digit's values (2048), and so many edges that buckets have several
 * blocks (8190 edges each). */
TEST(edges_in_any_order)
{
    static const struct {
        uint64_t vertices;
        size_t edges;
        bool high_degree;
    } sizes[] = {
        {1, 0, false},     {1, 9, false},       {2, 1, false},        {2, 40, false},        {3, 20000, false},
        {511, 900, false}, {512, 900, false},   {513, 900, true},     {2048, 9000, true},    {2049, 9000, false},
        {9, 50000, true},  {1025, 70000, true}, {70000, 60000, true}, {300000, 1000, false},
    };
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int known = 0; known <= 1; known++)
            for (int writers = 1; writers <= 3; writers += 2)
                for (enum arrival arrival = ANY_ORDER; arrival <= DESCENDING; arrival++)
                    build_and_check(sizes[i].vertices, sizes[i].edges, sizes[i].high_degree, known, writers, arrival);
}

/* Targets of 22 and of 23 bits: two digits and three. */
TEST(many_vertices)
{
    for (uint64_t extra = 0; extra <= 1; extra++) {
        build_and_check(((uint64_t)1 << 22) + extra, 50000, true, true, 2, ANY_ORDER);
        build_and_check(((uint64_t)1 << 22) + extra, 50000, true, false, 2, ASCENDING);
    }
}

static bool add_up(const struct edge *edge, void *context)
{
    uint64_t *sums = context;
    sums[0]++;
    sums[1] += edge->source;
    sums[2] += edge->target;
    return sums[0] < 1000;
}

/* All pushed edges are visited, also after the buckets were widened, and more can be pushed afterwards. */
TEST(builder_visits_what_was_pushed)
{
    struct builder builder;
    GRAPH graph;
    uint64_t sums[3] = {0}, all[3] = {0};
    assert_ok(builder_init(&builder, 0, &error));
    for (vertex_t v = 0; v < 100; v++)
        push_edge(&builder.writers[0], v * v, v + 10000);
    builder_visit(&builder, add_up, sums);
    assert_int_equal(sums[0], 100);
    assert_int_equal(sums[1], 99u * 100 * 199 / 6);
    assert_int_equal(sums[2], 99 * 50 + 100 * 10000);
    for (vertex_t v = 0; v < 2000; v++)
        push_edge(&builder.writers[0], v, v + 1);
    builder_visit(&builder, add_up, all);
    assert_int_equal(all[0], 1000); /* add_up stops there */
    assert_ok(builder_finish(&builder, 10100, &graph, &error));
    assert_int_equal(graph.num_edges + graph.duplicates_dropped, 2100);
}

/* ---- out of memory ---- */

#define ROOM_FOR_SMALL_GRAPHS ((rlim_t)8 << 30) /* bytes of address space; 2^32 vertices need 34e9 */

/* ThreadSanitizer cannot live with a limit; what it sees of such failures, make test-sanitize injects. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define NO_LIMITS
#endif
#endif

static struct rlimit limit_memory(rlim_t bytes)
{
#ifdef NO_LIMITS
    skip();
#endif
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    return before;
}

/* Two edges between the first and the last of the ids there can be: 32 GB of offsets. */
TEST(largest_ids_want_memory)
{
    struct builder builder;
    struct graph graph;
    assert_ok(builder_init(&builder, 0, &error));
    push_undirected_edge(&builder.writers[0], 0, MAX_VERTICES - 1);
    push_undirected_edge(&builder.writers[0], MAX_VERTICES - 2, 1);
    struct rlimit before = limit_memory(ROOM_FOR_SMALL_GRAPHS);
    int status = builder_finish(&builder, MAX_VERTICES, &graph, &error);
    setrlimit(RLIMIT_AS, &before);
    assert_error(status, STATUS_INPUT,
                 "out of memory: the graph's offsets needs 34359.7 MB; free some, or use a smaller graph");
    assert_null(builder.writers);
    assert_null(graph.offsets);
    assert_int_equal(graph.num_vertices, 0);
}

TEST(lost_edges_are_reported)
{
    struct builder builder;
    struct graph graph;
    assert_ok(builder_init(&builder, 4, &error));
    struct rlimit before = limit_memory(1);
    push_edge(&builder.writers[0], 0, 1);
    setrlimit(RLIMIT_AS, &before);
    assert_error(builder_finish(&builder, 4, &graph, &error), STATUS_INPUT,
                 "out of memory while reading edges; free some, or use a smaller graph");
    assert_null(graph.offsets);
}

TEST(ctrl_c_while_building)
{
    struct builder builder;
    struct graph graph;
    assert_ok(builder_init(&builder, 4, &error));
    push_edge(&builder.writers[0], 0, 1);
    ctrl_c_pressed = true;
    assert_fails(builder_finish(&builder, 4, &graph, &error), STATUS_INTERRUPTED, "");
    ctrl_c_pressed = false;
    assert_null(graph.offsets);
}

/* ---- whole graphs ---- */

/* What struct graph promises, said plainly. */
static bool is_valid(const struct graph *graph)
{
    if (graph->offsets[0] != 0 || graph->offsets[graph->num_vertices] != graph->num_edges)
        return false;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (graph->offsets[v] > graph->offsets[v + 1])
            return false;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            if (graph->targets[e] >= graph->num_vertices || graph->targets[e] == v ||
                (e > graph->offsets[v] && graph->targets[e - 1] >= graph->targets[e]))
                return false;
    return true;
}

static void assert_judged(const struct graph *graph)
{
    bool valid = is_valid(graph);
    assert_error(graph_validate(graph, "x.gtrav", &error), valid ? STATUS_OK : STATUS_INPUT,
                 valid ? "" : "x.gtrav: not a valid graph (offsets or neighbours out of order); write it anew");
}

/* Every entry of both arrays, set to every value in range and some beyond; a few leave another valid graph. */
TEST(every_damage_is_seen)
{
    static const edge_t wild_offsets[] = {UINT64_MAX, (uint64_t)1 << 63, (uint64_t)1 << 32, 1000000};
    static const vertex_t wild_targets[] = {UINT32_MAX, 1u << 31, 1000000};
    GRAPH graph = make_graph("0>1 0>3 1>2 1>5 2>0 3>1 3>2 5>0 5>4", 6);
    int all_threads = omp_get_max_threads();
    omp_set_num_threads(1);
    assert_judged(&graph);
    for (vertex_t v = 0; v <= graph.num_vertices; v++) {
        edge_t offset = graph.offsets[v];
        for (size_t value = 0; value < graph.num_edges + 2 + COUNT(wild_offsets); value++) {
            graph.offsets[v] = value < graph.num_edges + 2 ? value : wild_offsets[value - graph.num_edges - 2];
            assert_judged(&graph);
        }
        graph.offsets[v] = offset;
    }
    for (edge_t e = 0; e < graph.num_edges; e++) {
        vertex_t target = graph.targets[e];
        for (size_t value = 0; value < graph.num_vertices + 1u + COUNT(wild_targets); value++) {
            graph.targets[e] =
                value <= graph.num_vertices ? (vertex_t)value : wild_targets[value - graph.num_vertices - 1u];
            assert_judged(&graph);
        }
        graph.targets[e] = target;
    }
    graph.symmetric = true; /* it is not */
    assert_error(graph_validate(&graph, "x", &error), STATUS_INPUT,
                 "x: not a valid graph (an edge lacks its reverse); write it anew");
    omp_set_num_threads(all_threads);
}

TESTS(NULL, NULL)
