/* graphs.c: small graphs, each of which has something that algorithms get wrong. */
#include "graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/graph/builder.h"
#include "../../src/graph/statistics.h"

/* A graph that no generator makes: num_vertices, and pairs of ends up to a pair of equal ones at the end (0, 0). */
struct drawn_graph {
    const char *name;
    vertex_t num_vertices;
    bool symmetric;
    void (*draw)(struct edge_writer *writer, void (*push)(struct edge_writer *, vertex_t, vertex_t));
};
typedef void (*push_function)(struct edge_writer *, vertex_t, vertex_t);

static void draw_nothing(struct edge_writer *writer, push_function push)
{
    (void)writer;
    (void)push;
}

static void draw_loops_and_duplicates(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 0; v < 40; v++) {
        push(writer, v, v);
        push(writer, v, (v * 7 + 1) % 40);
        push(writer, v, (v * 7 + 1) % 40);
    }
}

static void draw_two_components(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 0; v < 30; v++)
        push(writer, v, (v + 1) % 30);
    for (vertex_t v = 30; v < 69; v++)
        push(writer, v, v + 1);
}

static void draw_star_out(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 1; v < 130; v++)
        push(writer, 0, v);
}

static void draw_star_in(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 1; v < 130; v++)
        push(writer, v, 0);
}

static void draw_chain_and_clique(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 0; v < 66; v++)
        push(writer, v, v + 1);
    for (vertex_t v = 66; v < 106; v++)
        for (vertex_t w = v + 1; w < 106; w++)
            push(writer, v, w);
}

static void draw_cycle(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 0; v < 65; v++)
        push(writer, v, (v + 1) % 65);
}

/* Layers of 31, 32, 33, ... vertices, each joined to all of the next. */
static void draw_layers(struct edge_writer *writer, push_function push)
{
    for (vertex_t layer = 0, first = 0; layer < 2; first += 31 + layer++)
        for (vertex_t v = first; v < first + 31 + layer; v++)
            for (vertex_t w = first + 31 + layer; w < first + 63 + 2 * layer; w++)
                push(writer, v, w);
}

/* Many ways of the same length to every vertex, all found at once. */
static void draw_diamonds(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 0; v < 90; v += 6)
        for (vertex_t middle = v + 1; middle < v + 6; middle++) {
            push(writer, v, middle);
            push(writer, middle, v + 6);
        }
}

/* Back edges from everywhere to the start, and short cuts. */
static void draw_back_edges(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 0; v < 66; v++) {
        push(writer, v, v + 1);
        push(writer, v + 1, v / 2);
    }
}

/* Vertices without children that many vertices of a cycle lead to: the last of these is the parent in a DFS. */
static void draw_sinks(struct edge_writer *writer, push_function push)
{
    for (vertex_t v = 0; v < 35; v++) {
        push(writer, v, (v + 1) % 35);
        push(writer, v, 35 + v % 4);
    }
}

static const struct drawn_graph drawn_graphs[] = {
    {"isolated vertices", 70, false, draw_nothing},
    {"self-loops and duplicates", 41, false, draw_loops_and_duplicates},
    {"self-loops and duplicates, undirected", 41, true, draw_loops_and_duplicates},
    {"two components", 70, true, draw_two_components},
    {"two components, directed", 71, false, draw_two_components},
    {"star out", 130, false, draw_star_out},
    {"star in", 130, false, draw_star_in},
    {"chain with a clique at its end", 106, true, draw_chain_and_clique},
    {"chain with a clique at its end, directed", 106, false, draw_chain_and_clique},
    {"directed cycle", 65, false, draw_cycle},
    {"directed cycle with sinks", 39, false, draw_sinks},
    {"layers", 96, false, draw_layers},
    {"layers, undirected", 96, true, draw_layers},
    {"diamonds", 91, false, draw_diamonds},
    {"back edges", 67, false, draw_back_edges},
};

static const char *const generated_graphs[] = {
    "dag:0:0.5",   "path:1",      "path:2",    "path:33",  "path:70",   "cycle:3",  "cycle:64",   "star:2",
    "star:32",     "star:33",     "star:34",   "star:64",  "star:65",   "star:66",  "star:530",   "complete:2",
    "complete:33", "complete:65", "tree:63",   "tree:200", "grid:1x40", "grid:7x9", "grid:8x33",  "kron:5",
    "kron:8",      "urand:6",     "urand:8:2", "rgg:8",    "road:4",    "dag:33:1", "dag:60:0.2", "dag:200:0.02",
};

static void check(const struct error *error, const char *what)
{
    if (error->status == STATUS_OK)
        return;
    fprintf(stderr, "conformance: %s: %s\n", what, error->text);
    exit(STATUS_INPUT);
}

static void make_drawn(const struct drawn_graph *drawn, struct graph *graph)
{
    struct builder builder;
    struct error error = {0};
    builder_init(&builder, drawn->num_vertices, &error);
    check(&error, drawn->name);
    drawn->draw(&builder.writers[0], drawn->symmetric ? push_undirected_edge : push_edge);
    builder_finish(&builder, drawn->num_vertices, graph, &error);
    check(&error, drawn->name);
    graph->symmetric = drawn->symmetric || graph_test_symmetry(graph);
    graph->name = strdup(drawn->name);
}

bool make_graph(size_t n, struct graph *graph)
{
    const size_t num_drawn = sizeof drawn_graphs / sizeof drawn_graphs[0];
    const size_t num_generated = sizeof generated_graphs / sizeof generated_graphs[0];
    struct error error = {0};
    if (n < num_drawn) {
        make_drawn(&drawn_graphs[n], graph);
        return true;
    }
    if (n - num_drawn >= num_generated)
        return false;
    struct load_options options = {0};
    graph_load(generated_graphs[n - num_drawn], &options, graph, &error);
    check(&error, generated_graphs[n - num_drawn]);
    return true;
}

int choose_sources(const struct graph *graph, vertex_t sources[MAX_SOURCES])
{
    vertex_t n = graph->num_vertices, most = 0, fewest = 0;
    for (vertex_t v = 0; v < n; v++) {
        most = graph_degree(graph, v) > graph_degree(graph, most) ? v : most;
        fewest = graph_degree(graph, v) < graph_degree(graph, fewest) ? v : fewest;
    }
    const vertex_t wanted[MAX_SOURCES] = {0, n / 2, n - 1, most, fewest};
    int count = 0;
    for (int i = 0; i < MAX_SOURCES && n > 0; i++) {
        bool known = false;
        for (int j = 0; j < count; j++)
            known = known || sources[j] == wanted[i];
        if (!known)
            sources[count++] = wanted[i];
    }
    return count;
}

int choose_batch(const struct graph *graph, vertex_t sources[BATCH_SOURCES])
{
    for (int i = choose_sources(graph, sources); i > 0 && i < BATCH_SOURCES; i++)
        sources[i] = (vertex_t)(7 * i) % graph->num_vertices;
    return graph->num_vertices > 0 ? BATCH_SOURCES : 0;
}

bool is_acyclic(const struct graph *graph)
{
    gtrav_info statistics;
    struct error error = {0};
    graph_statistics(graph, &statistics, &error);
    check(&error, graph->name);
    return statistics.acyclic;
}
