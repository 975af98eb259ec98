/* test_rcm_jaccard.c: reverse Cuthill-McKee and JaccardWithWindows against plain code that follows their definitions.
 */
#include "reordered.h"

#include <omp.h>

/* ---- reverse Cuthill-McKee ---- */

/* A vertex on the next level. */
struct candidate {
    vertex_t parent; /* place of its first parent */
    edge_t degree;
    vertex_t id;
};

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (a->degree != b->degree)
        return a->degree < b->degree ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* The order of root's component, level by level, each sorted as a whole. Returns its size; *last: where its last
 * level begins, *levels: how many there are. */
static vertex_t plain_cuthill_mckee(const struct graph *graph, vertex_t root, vertex_t *order, vertex_t *last,
                                    vertex_t *levels)
{
    vertex_t n = graph->num_vertices, begin = 0, end = 1;
    struct candidate *next = malloc((n + (size_t)1) * sizeof *next);
    bool *reached = calloc(n, sizeof *reached);
    assert_true(next != NULL && reached != NULL);
    order[0] = root;
    reached[root] = true;
    for (*levels = 0; begin < end; ++*levels) {
        vertex_t count = 0;
        for (vertex_t p = begin; p < end; p++)
            for (edge_t e = graph->offsets[order[p]]; e < graph->offsets[order[p] + 1]; e++) {
                vertex_t v = graph->targets[e];
                if (!reached[v])
                    next[count++] = (struct candidate){p, graph_degree(graph, v), v};
                reached[v] = true;
            }
        qsort(next, count, sizeof *next, compare_candidates);
        *last = begin;
        begin = end;
        for (vertex_t i = 0; i < count; i++)
            order[end++] = next[i].id;
    }
    free(next);
    free(reached);
    return end;
}

static vertex_t least_of(const struct graph *graph, const vertex_t *vertices, vertex_t count)
{
    vertex_t best = vertices[0];
    for (vertex_t i = 1; i < count; i++) {
        edge_t degree = graph_degree(graph, vertices[i]), least = graph_degree(graph, best);
        if (degree < least || (degree == least && vertices[i] < best))
            best = vertices[i];
    }
    return best;
}

static void plain_rcm(const struct graph *graph, vertex_t *order)
{
    vertex_t n = graph->num_vertices, placed = 0, *left = malloc((n + (size_t)1) * sizeof *left);
    bool *done = calloc(n + (size_t)1, sizeof *done);
    assert_true(left != NULL && done != NULL);
    while (placed < n) {
        vertex_t num_left = 0, size, last, levels = 0, before;
        for (vertex_t v = 0; v < n; v++)
            if (!done[v])
                left[num_left++] = v;
        vertex_t root = least_of(graph, left, num_left);
        int sweeps = 0;
        do {
            before = levels;
            size = plain_cuthill_mckee(graph, root, order + placed, &last, &levels);
            root = least_of(graph, order + placed + last, size - last);
        } while (levels > before && size > 1 && ++sweeps < 5);
        for (vertex_t i = 0; i < size; i++)
            done[order[placed + i]] = true;
        placed += size;
    }
    for (vertex_t i = 0; i < n / 2; i++) {
        vertex_t swap = order[i];
        order[i] = order[n - 1 - i];
        order[n - 1 - i] = swap;
    }
    free(left);
    free(done);
}

static void assert_rcm(const char *text, vertex_t vertices, int threads)
{
    GRAPH graph = make_graph(text, vertices), both = {0};
    vertex_t *expected = malloc((graph.num_vertices + (size_t)1) * sizeof *expected);
    assert_non_null(expected);
    if (!graph.symmetric) /* by definition, with the reverse of every edge */
        assert_ok(graph_symmetrize(&graph, &both, &error));
    plain_rcm(graph.symmetric ? &graph : &both, expected);
    omp_set_num_threads(threads);
    GRAPH reordered = reordered_by(&graph, "rcm");
    if (memcmp(reordered.permutation, expected, graph.num_vertices * sizeof *expected) != 0)
        fail_msg("\"%s\", %d threads", text, threads);
    free(expected);
}

TEST(rcm_is_the_serial_one)
{
    static const int threads[] = {1, 2, 4, 7};
    int before = omp_get_max_threads();
    for (size_t t = 0; t < COUNT(threads); t++) {
        for (size_t i = 0; i < COUNT(graphs); i++)
            assert_rcm(graphs[i].text, graphs[i].vertices, threads[t]);
        assert_rcm("star:70000", 0, threads[t]); /* levels with enough edges to be shared */
        assert_rcm("kron:12", 0, threads[t]);
    }
    for (int again = 0; again < 20; again++) /* the first parent gets the child, whatever the order of events */
        assert_rcm("urand:13", 0, 7);
    omp_set_num_threads(before);
}

/* Time is linear in the vertices, however many components there are. */
TEST(rcm_of_many_components)
{
    const vertex_t pairs = 200000;
    struct builder builder;
    GRAPH graph;
    assert_ok(builder_init(&builder, 2 * pairs, &error));
    for (vertex_t i = 0; i < pairs; i++)
        push_undirected_edge(&builder.writers[0], i, 2 * pairs - 1 - i);
    assert_ok(builder_finish(&builder, 2 * pairs, &graph, &error));
    graph.symmetric = true;
    graph.name = strdup("pairs");
    GRAPH reordered = reordered_by(&graph, "rcm");
    for (vertex_t v = 0; v < 2 * pairs; v++)
        assert_true(reordered.targets[reordered.offsets[v]] == (v ^ 1));
}

/* ---- JaccardWithWindows ---- */

static bool same_neighbours(const struct graph *graph, vertex_t a, vertex_t b)
{
    return graph_degree(graph, a) == graph_degree(graph, b) &&
           memcmp(graph->targets + graph->offsets[a], graph->targets + graph->offsets[b],
                  graph_degree(graph, a) * sizeof *graph->targets) == 0;
}

/* The window's columns by degree, descending, then by the first with the same neighbours, then by id. */
static void rank_columns(const struct graph *graph, vertex_t begin, vertex_t end, vertex_t *ranked)
{
    struct candidate *columns = malloc((end - begin) * sizeof *columns);
    assert_non_null(columns);
    for (vertex_t j = begin; j < end; j++) {
        vertex_t first = begin;
        while (!same_neighbours(graph, first, j))
            first++;
        columns[j - begin] = (struct candidate){UINT32_MAX - (vertex_t)graph_degree(graph, j), first, j};
    }
    qsort(columns, end - begin, sizeof *columns, compare_candidates);
    for (vertex_t i = 0; i < end - begin; i++)
        ranked[i] = columns[i].id;
    free(columns);
}

/* Algorithm 1, line by line, except that inter is counted again each time. ranked[i] = NO_VERTEX: it is in C. */
static void plain_jaccard(const struct graph *graph, vertex_t width, vertex_t *inverse)
{
    vertex_t n = graph->num_vertices, *ranked = malloc((n + (size_t)1) * sizeof *ranked);
    bool *in_rows = malloc((n + (size_t)1) * sizeof *in_rows);
    assert_true(ranked != NULL && in_rows != NULL);
    for (vertex_t ws = 0, we; ws < n; ws = we) {
        we = n - ws > width ? ws + width : n;
        rank_columns(graph, ws, we, ranked);
        uint64_t num_rows = 0;
        for (vertex_t place = ws; place < we; place++) {
            if ((place - ws) % 8 == 0) {
                memset(in_rows, 0, n * sizeof *in_rows);
                num_rows = 0;
            }
            vertex_t best = NO_VERTEX; /* a rank */
            uint64_t best_inter = 0, best_union = 1;
            for (vertex_t i = 0; i < we - ws; i++) {
                uint64_t inter = 0;
                if (ranked[i] == NO_VERTEX)
                    continue;
                for (edge_t e = graph->offsets[ranked[i]]; e < graph->offsets[ranked[i] + 1]; e++)
                    inter += in_rows[graph->targets[e]];
                uint64_t united = num_rows + graph_degree(graph, ranked[i]) - inter;
                if (best == NO_VERTEX || inter * best_union > best_inter * united) {
                    best = i;
                    best_inter = inter;
                    best_union = united > 0 ? united : 1;
                }
            }
            vertex_t column = ranked[best];
            ranked[best] = NO_VERTEX;
            inverse[place] = column;
            for (edge_t e = graph->offsets[column]; e < graph->offsets[column + 1]; e++) {
                num_rows += !in_rows[graph->targets[e]];
                in_rows[graph->targets[e]] = true;
            }
        }
    }
    free(ranked);
    free(in_rows);
}

TEST(jaccard_is_algorithm_1)
{
    static const vertex_t widths[] = {1, 2, 8, 12, 64, 100, 65536, 1048576};
    for (size_t i = 0; i < COUNT(graphs); i++)
        for (size_t w = 0; w < COUNT(widths); w++) {
            GRAPH graph = make_graph(graphs[i].text, graphs[i].vertices);
            vertex_t *expected = malloc((graph.num_vertices + (size_t)1) * sizeof *expected);
            char spec[32];
            assert_non_null(expected);
            snprintf(spec, sizeof spec, "jaccard:%u", widths[w]);
            GRAPH reordered = reordered_by(&graph, spec);
            plain_jaccard(&graph, widths[w], expected);
            if (memcmp(reordered.permutation, expected, graph.num_vertices * sizeof *expected) != 0)
                fail_msg("\"%s\" by %s", graphs[i].text, spec);
            assert_string_equal(reordered.reordering, spec);
            free(expected);
        }
}

TESTS(NULL, NULL)
