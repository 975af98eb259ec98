/* graphs.c: small graphs, each of which has something that algorithms get wrong. */
#include "graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/graph/builder.h"
#include "../../src/graph/random.h"
#include "../../src/graph/statistics.h"

/* Graphs that no generator makes. */
enum drawing {
    NOTHING,
    LOOPS_AND_DUPLICATES,
    TWO_COMPONENTS,
    STAR_OUT,
    STAR_IN,
    CHAIN_AND_CLIQUE,
    CYCLE,
    SINKS,    /* vertices without children that many vertices of a cycle lead to: the last is the parent in a DFS */
    LAYERS,   /* of 31, 32 and 33 vertices, each joined to all of the next */
    DIAMONDS, /* many ways of the same length to every vertex, all found at once */
    BACK_EDGES
};

struct drawn_graph {
    const char *name;
    vertex_t num_vertices;
    bool symmetric;
    enum drawing drawing;
};

typedef void push_function(struct edge_writer *writer, vertex_t from, vertex_t to);

/* Joins a vertex to all from first to end - 1. */
static void push_all(vertex_t v, vertex_t first, vertex_t end, struct edge_writer *writer, push_function *push)
{
    for (vertex_t to = first; to < end; to++)
        push(writer, v, to);
}

/* Pushes the edges of one vertex. */
static void draw_vertex(enum drawing drawing, vertex_t v, struct edge_writer *writer, push_function *push)
{
    switch (drawing) {
    case NOTHING:
        break;
    case LOOPS_AND_DUPLICATES:
        for (int i = 0; i < 3 && v < 40; i++)
            push(writer, v, i == 0 ? v : (v * 7 + 1) % 40);
        break;
    case TWO_COMPONENTS:
        if (v < 69)
            push(writer, v, v < 30 ? (v + 1) % 30 : v + 1);
        break;
    case STAR_OUT:
        push_all(v, 1, v == 0 ? 130 : 0, writer, push);
        break;
    case STAR_IN:
        push_all(v, 0, v > 0, writer, push);
        break;
    case CHAIN_AND_CLIQUE:
        push_all(v, v + 1, v < 66 ? v + 2 : 106, writer, push);
        break;
    case CYCLE:
        push(writer, v, (v + 1) % 65);
        break;
    case SINKS:
        if (v < 35) {
            push(writer, v, (v + 1) % 35);
            push(writer, v, 35 + v % 4);
        }
        break;
    case LAYERS:
        if (v < 63)
            push_all(v, v < 31 ? 31 : 63, v < 31 ? 63 : 96, writer, push);
        break;
    case DIAMONDS:
        if (v % 6 == 0)
            push_all(v, v + 1, v < 90 ? v + 6 : 0, writer, push);
        else
            push(writer, v, v / 6 * 6 + 6);
        break;
    case BACK_EDGES: /* from everywhere to the start, and short cuts */
        if (v < 66) {
            push(writer, v, v + 1);
            push(writer, v + 1, v / 2);
        }
    }
}

static const struct drawn_graph drawn_graphs[] = {
    {"isolated vertices", 70, false, NOTHING},
    {"self-loops and duplicates", 41, false, LOOPS_AND_DUPLICATES},
    {"self-loops and duplicates, undirected", 41, true, LOOPS_AND_DUPLICATES},
    {"two components", 70, true, TWO_COMPONENTS},
    {"two components, directed", 71, false, TWO_COMPONENTS},
    {"star out", 130, false, STAR_OUT},
    {"star in", 130, false, STAR_IN},
    {"chain with a clique at its end", 106, true, CHAIN_AND_CLIQUE},
    {"chain with a clique at its end, directed", 106, false, CHAIN_AND_CLIQUE},
    {"directed cycle", 65, false, CYCLE},
    {"directed cycle with sinks", 39, false, SINKS},
    {"layers", 96, false, LAYERS},
    {"layers, undirected", 96, true, LAYERS},
    {"diamonds", 91, false, DIAMONDS},
    {"back edges", 67, false, BACK_EDGES},
};

static const char *const generated_graphs[] = {
    "dag:0:0.5",   "path:1",      "path:2",    "path:300", "path:33",   "cycle:3",  "cycle:64",   "star:2",
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
    for (vertex_t v = 0; v < drawn->num_vertices; v++)
        draw_vertex(drawn->drawing, v, &builder.writers[0], drawn->symmetric ? push_undirected_edge : push_edge);
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

/* Weights of one type each: 1 to 255, the same in both directions; 0 to 3, so that there are cycles of weight 0; up
 * to 2^22, whose sums nearly fill 32 bits; floats that vanish in sums; doubles. symmetric: all as in the reverse. */
static double draw_weight(uint64_t kind, bool symmetric, vertex_t u, vertex_t v)
{
    uint64_t both = random_bits((uint64_t)(u < v ? u : v) << 32 | (u < v ? v : u)),
             one = symmetric ? both : random_bits((uint64_t)u << 32 | v);
    const double weights[] = {1 + (double)(both % 255), (double)(one % 4), (double)(one % (1 << 22)),
                              one % 4 == 0 ? 1e-12 : (double)(both % 1000) / 10, one % 5 == 0 ? 0 : random_unit(both)};
    return weights[kind];
}

void weigh(struct graph *graph, uint64_t number)
{
    static const enum weight_type types[] = {WEIGHTS_UINT32, WEIGHTS_UINT32, WEIGHTS_UINT32, WEIGHTS_FLOAT,
                                             WEIGHTS_DOUBLE};
    uint64_t num_types = sizeof types / sizeof types[0], kind = number % num_types;
    bool symmetric = graph->symmetric && (kind == 0 || number / num_types % 2 == 0);
    graph->weight_type = types[kind];
    graph->symmetric_weights = symmetric;
    graph->weights = malloc(graph->num_edges * weight_bytes(types[kind]) + 1);
    for (vertex_t u = 0; u < graph->num_vertices; u++)
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            double weight = draw_weight(kind, symmetric, u, graph->targets[e]);
            if (types[kind] == WEIGHTS_UINT32)
                ((uint32_t *)graph->weights)[e] = (uint32_t)weight;
            else if (types[kind] == WEIGHTS_FLOAT)
                ((float *)graph->weights)[e] = (float)weight;
            else
                ((double *)graph->weights)[e] = weight;
        }
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
