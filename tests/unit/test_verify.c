/* test_verify.c: the certificates of verify.c against plain definitions, on every result that differs from a
 * correct one in one entry. */
#include "support.h"

#include <omp.h>

#include "../../src/distance.h"
#include "../harness.h"

extern const struct algorithm sssp_serial;
static struct device cpu;

#define MAX_SIZE 16 /* vertices of the graphs here */

/* Edges written out are directed; the rest is undirected. */
static const struct {
    const char *edges;
    vertex_t vertices;
} graphs[] = {
    {"", 1},
    {"", 3},
    {"0>1", 2},
    {"0>1 1>0 2>3", 5},
    {"0>1 1>2 2>3 3>4", 5},
    {"0>1 1>2 2>0", 3},
    {"0>1 1>2 2>1 2>3", 4},
    {"0>3 0>1 1>2 2>1 3>2 3>0", 4},
    {"0>1 0>2 1>3 2>3 3>4 3>5 4>6 5>6", 7},         /* two diamonds */
    {"0>1 0>2 1>3 2>4 4>3 3>5", 6},                 /* a short way and a long one */
    {"0>5 5>4 4>0 0>2 2>3 3>2 3>1 1>5", 6},         /* cycles within cycles */
    {"1>0 2>0 3>0 4>0 5>0", 6},                     /* into one */
    {"0>4 4>1 1>5 5>2 2>6 6>3 0>1 1>2 2>3 4>5", 7}, /* a ladder */
    {"path:6", 6},
    {"star:6", 6},
    {"cycle:7", 7},
    {"complete:5", 5},
    {"tree:7", 7},
    {"grid:3x3", 9},
};

/* ---- the definitions, in the simplest code ---- */

struct truth {
    uint32_t level[MAX_SIZE];
    struct traversal dfs; /* the lexicographic DFS */
    uint8_t visited[MAX_SIZE];
    vertex_t parent[MAX_SIZE], order[MAX_SIZE], finish[MAX_SIZE];
};

/* Visits u. finished: how many vertices were finished before; returns how many are after. */
static vertex_t visit(const struct graph *graph, vertex_t u, struct traversal *dfs, vertex_t finished)
{
    dfs->visited[u] = 1;
    dfs->order[dfs->num_ordered++] = u;
    for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
        if (!dfs->visited[graph->targets[e]]) {
            dfs->parent[graph->targets[e]] = u;
            finished = visit(graph, graph->targets[e], dfs, finished);
        }
    dfs->finish[finished] = u;
    return finished + 1;
}

static void find_truth(const struct graph *graph, vertex_t source, struct truth *truth)
{
    vertex_t n = graph->num_vertices;
    *truth = (struct truth){
        .dfs = {.visited = truth->visited, .parent = truth->parent, .order = truth->order, .finish = truth->finish}};
    memset(truth->parent, 0xff, sizeof truth->parent);
    memset(truth->level, 0xff, sizeof truth->level);
    truth->parent[source] = source;
    visit(graph, source, &truth->dfs, 0);
    truth->level[source] = 0; /* Bellman-Ford */
    for (vertex_t round = 0; round < n; round++)
        for (vertex_t u = 0; u < n; u++)
            for (vertex_t v = 0; v < n; v++)
                if (has_edge(graph, u, v) && truth->level[u] != UNREACHED && truth->level[v] > truth->level[u] + 1)
                    truth->level[v] = truth->level[u] + 1;
}

static bool bfs_is_right(const struct graph *graph, vertex_t source, unsigned outputs, const struct traversal *result)
{
    struct truth truth;
    find_truth(graph, source, &truth);
    if (memcmp(result->level, truth.level, graph->num_vertices * sizeof *truth.level) != 0)
        return false;
    for (vertex_t v = 0; outputs & OUTPUT_PARENT && v < graph->num_vertices; v++) {
        vertex_t parent = result->parent[v];
        if (v == source                   ? parent != source
            : truth.level[v] == UNREACHED ? parent != NO_VERTEX
                                          : parent >= graph->num_vertices || !has_edge(graph, parent, v) ||
                                                truth.level[parent] + 1 != truth.level[v])
            return false;
    }
    return true;
}

/* An ordered DFS is the lexicographic one. Another one visits what is reachable, and parents, where it gives them,
 * lead to the source along edges. */
static bool dfs_is_right(const struct graph *graph, vertex_t source, unsigned outputs, const struct traversal *result)
{
    struct truth truth;
    vertex_t n = graph->num_vertices;
    find_truth(graph, source, &truth);
    if (memcmp(result->visited, truth.visited, n) != 0)
        return false;
    if (outputs & OUTPUT_ORDER)
        return result->num_ordered == truth.dfs.num_ordered &&
               memcmp(result->order, truth.order, truth.dfs.num_ordered * sizeof *truth.order) == 0 &&
               memcmp(result->parent, truth.parent, n * sizeof *truth.parent) == 0 &&
               (!(outputs & OUTPUT_FINISH) ||
                memcmp(result->finish, truth.finish, truth.dfs.num_ordered * sizeof *truth.finish) == 0);
    if (!(outputs & OUTPUT_PARENT))
        return true;
    for (vertex_t v = 0; v < n; v++) {
        vertex_t at = v, steps = 0;
        if (!truth.visited[v] && result->parent[v] != NO_VERTEX)
            return false;
        for (; truth.visited[v] && at != source; at = result->parent[at])
            if (++steps > n || result->parent[at] >= n || !has_edge(graph, result->parent[at], at))
                return false;
    }
    return result->parent[source] == source;
}

static bool topo_is_right(const struct graph *graph, vertex_t source, unsigned outputs, const struct traversal *result)
{
    vertex_t n = graph->num_vertices;
    bool seen[MAX_SIZE] = {false};
    if (result->num_ordered != n)
        return false;
    for (vertex_t i = 0; i < n; i++) {
        if (result->order[i] >= n || seen[result->order[i]])
            return false;
        for (vertex_t v = 0; v < n; v++)
            if (seen[v] && has_edge(graph, result->order[i], v))
                return false;
        seen[result->order[i]] = true;
    }
    return true;
}

static bool scc_is_right(const struct graph *graph, vertex_t source, unsigned outputs, const struct traversal *result)
{
    for (vertex_t v = graph->num_vertices; v-- > 0;) { /* v and a reach each other */
        struct truth from_v, from_a;
        vertex_t a = 0;
        for (find_truth(graph, v, &from_v); find_truth(graph, a, &from_a), !from_v.visited[a] || !from_a.visited[v];)
            a++;
        if (result->component[v] != a)
            return false;
    }
    return true;
}

static bool wcc_is_right(const struct graph *graph, vertex_t source, unsigned outputs, const struct traversal *result)
{
    GRAPH both;
    assert_ok(graph_symmetrize(graph, &both, &error));
    return scc_is_right(&both, source, outputs, result);
}

/* By Bellman and Ford in doubles, which are exact for these small integers. Parents form a tree of tight edges. */
static bool sssp_is_right(const struct graph *graph, vertex_t source, unsigned outputs, const struct traversal *result)
{
    double distance[MAX_SIZE];
    vertex_t n = graph->num_vertices;
    for (vertex_t v = 0; v < n; v++)
        distance[v] = v == source ? 0 : NO_PATH;
    for (vertex_t round = 0; round < n; round++)
        for (vertex_t u = 0; u < n; u++)
            for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
                distance[graph->targets[e]] = fmin(distance[graph->targets[e]], distance[u] + graph_weight(graph, e));
    if (memcmp(distance, result->distance, n * sizeof *distance) != 0)
        return false;
    for (vertex_t v = 0; outputs & OUTPUT_PARENT && v < n; v++) {
        vertex_t at = v, steps = 0;
        if (distance[v] == NO_PATH && result->parent[v] != NO_VERTEX)
            return false;
        for (; distance[v] != NO_PATH && at != source; at = result->parent[at]) {
            vertex_t parent = result->parent[at];
            edge_t e = parent < n && ++steps <= n ? find_edge(graph, parent, at) : NO_EDGE;
            if (e == NO_EDGE || distance[parent] + graph_weight(graph, e) != distance[at])
                return false;
        }
    }
    return !(outputs & OUTPUT_PARENT) || result->parent[source] == source;
}

static const struct definition {
    const char *family;
    bool (*is_right)(const struct graph *graph, vertex_t source, unsigned outputs, const struct traversal *result);
} definitions[] = {{"bfs", bfs_is_right},   {"dfs", dfs_is_right}, {"topo", topo_is_right},
                   {"sssp", sssp_is_right}, {"scc", scc_is_right}, {"wcc", wcc_is_right}};

static const struct definition *definition_of(const char *family)
{
    for (size_t i = 0; i < COUNT(definitions); i++)
        if (strcmp(definitions[i].family, family) == 0)
            return &definitions[i];
    fail_msg("%s: no definition here; write one", family);
    return NULL;
}

/* ---- every mutation ---- */

/* A result that is being changed, and how often it was right and wrong since. */
struct subject {
    const struct graph *graph;
    vertex_t source;
    struct algorithm algorithm; /* a fake: only family and outputs are used */
    struct traversal result;
    int right, wrong;
};

static struct error judge(struct subject *subject)
{
    const char *family = subject->algorithm.family;
    bool right =
        definition_of(family)->is_right(subject->graph, subject->source, subject->algorithm.outputs, &subject->result);
    int status =
        family_of(family)->verify(subject->graph, subject->source, &subject->algorithm, &subject->result, &error);
    if (status != error.status || status != (right ? STATUS_OK : STATUS_WRONG) || right != (error.text[0] == '\0')) {
        char *edges = edges_of(subject->graph);
        fail_msg("%s from %u on %sis %s, and is found %s (%s)", family, subject->source, edges,
                 right ? "right" : "wrong", status == STATUS_OK ? "right" : "wrong", error.text);
    }
    *(right ? &subject->right : &subject->wrong) += 1;
    struct error found = error;
    error = (struct error){0};
    return found;
}

/* Sets every entry of an array of 32-bit numbers to every vertex, and to values that are not vertices. */
static void mutate_words(struct subject *subject, uint32_t *words)
{
    static const uint32_t wild[] = {UINT32_MAX, UINT32_MAX - 1, 0xa5a5a5a5, 1u << 31};
    vertex_t n = subject->graph->num_vertices;
    for (vertex_t v = 0; words != NULL && v < n; v++) {
        uint32_t before = words[v];
        for (size_t value = 0; value <= n + COUNT(wild); value++) {
            words[v] = value <= n ? (uint32_t)value : wild[value - n - 1];
            judge(subject);
        }
        words[v] = before;
    }
}

static void mutate_visited(struct subject *subject)
{
    static const uint8_t values[] = {0, 1, 2, 0xa5, 0xff};
    uint8_t *visited = subject->result.visited;
    for (vertex_t v = 0; visited != NULL && v < subject->graph->num_vertices; v++) {
        uint8_t before = visited[v];
        for (size_t i = 0; i < COUNT(values); i++) {
            visited[v] = values[i];
            judge(subject);
        }
        visited[v] = before;
    }
}

static void mutate_length(struct subject *subject)
{
    uint64_t length = subject->result.num_ordered;
    const uint64_t lengths[] = {0, length - 1, length + 1, UINT64_MAX, (uint64_t)1 << 32 | length};
    for (size_t i = 0; subject->result.order != NULL && i < COUNT(lengths); i++) {
        subject->result.num_ordered = lengths[i];
        judge(subject);
    }
    subject->result.num_ordered = length;
}

/* Exchanges every two entries; a permutation stays a permutation. */
static void mutate_order(struct subject *subject, vertex_t *order)
{
    for (vertex_t i = 0; order != NULL && i < subject->result.num_ordered; i++)
        for (vertex_t j = 0; j < subject->result.num_ordered; j++) {
            vertex_t before = order[i];
            order[i] = order[j];
            order[j] = before;
            judge(subject);
            order[j] = order[i];
            order[i] = before;
        }
}

static void judge_mutations(struct subject *subject)
{
    judge(subject);
    mutate_words(subject, subject->result.level);
    mutate_words(subject, subject->result.parent);
    mutate_words(subject, subject->result.order);
    mutate_words(subject, subject->result.finish);
    mutate_words(subject, subject->result.component);
    mutate_visited(subject);
    mutate_length(subject);
    mutate_order(subject, subject->result.order);
    mutate_order(subject, subject->result.finish);
}

typedef void (*subject_test)(struct subject *subject, struct truth *truth);

/* Runs a test on every graph from every source; both correct and wrong results must have occurred. */
static void for_every_source(const char *family, unsigned outputs, subject_test test)
{
    int right = 0, wrong = 0, all_threads = omp_get_max_threads();
    omp_set_num_threads(1); /* tens of thousands of graphs of a few vertices */
    for (size_t i = 0; i < COUNT(graphs); i++) {
        GRAPH graph = make_graph(graphs[i].edges, graphs[i].vertices);
        for (vertex_t source = 0; source < graph.num_vertices; source++) {
            struct subject subject = {
                .graph = &graph, .source = source, .algorithm = {.family = family, .outputs = outputs}};
            struct truth truth;
            find_truth(&graph, source, &truth);
            test(&subject, &truth);
            right += subject.right;
            wrong += subject.wrong;
        }
    }
    omp_set_num_threads(all_threads);
    assert_true(right > 100);
    assert_true(wrong > 1000);
}

/* The parents of a BFS: the first or the last there are. */
static void bfs_parents(const struct subject *subject, const struct truth *truth, bool last, vertex_t *parent)
{
    const struct graph *graph = subject->graph;
    memset(parent, 0xff, MAX_SIZE * sizeof *parent);
    for (vertex_t u = 0; u < graph->num_vertices; u++)
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (truth->level[u] != UNREACHED && truth->level[v] == truth->level[u] + 1 &&
                (last || parent[v] == NO_VERTEX))
                parent[v] = u;
        }
    parent[subject->source] = subject->source;
}

static void test_one_bfs(struct subject *subject, struct truth *truth)
{
    vertex_t parent[MAX_SIZE];
    for (int last = 0; last <= 1; last++) {
        bfs_parents(subject, truth, last, parent);
        subject->result = (struct traversal){.level = truth->level, .parent = parent};
        judge_mutations(subject);
    }
}

/* What the definitions give, as far as it is among the outputs. */
static void test_one_as_defined(struct subject *subject, struct truth *truth)
{
    unsigned outputs = subject->algorithm.outputs;
    subject->result = (struct traversal){.level = outputs & OUTPUT_LEVEL ? truth->level : NULL,
                                         .visited = outputs & OUTPUT_VISITED ? truth->visited : NULL,
                                         .parent = outputs & OUTPUT_PARENT ? truth->parent : NULL,
                                         .order = outputs & OUTPUT_ORDER ? truth->order : NULL,
                                         .num_ordered = outputs & OUTPUT_ORDER ? truth->dfs.num_ordered : 0,
                                         .finish = outputs & OUTPUT_FINISH ? truth->finish : NULL};
    judge_mutations(subject);
}

TEST(bfs)
{
    for_every_source("bfs", OUTPUT_LEVEL | OUTPUT_PARENT, test_one_bfs);
    for_every_source("bfs", OUTPUT_LEVEL, test_one_as_defined);
}

/* A BFS's tree will do as well as that of the serial DFS. */
static void test_one_tree_of_levels(struct subject *subject, struct truth *truth)
{
    vertex_t parent[MAX_SIZE];
    bfs_parents(subject, truth, true, parent);
    subject->result = (struct traversal){.visited = truth->visited, .parent = parent};
    judge_mutations(subject);
}

static void visit_backwards(const struct graph *graph, vertex_t u, struct traversal *dfs)
{
    dfs->visited[u] = 1;
    dfs->order[dfs->num_ordered++] = u;
    for (edge_t e = graph->offsets[u + 1]; e-- > graph->offsets[u];)
        if (!dfs->visited[graph->targets[e]]) {
            dfs->parent[graph->targets[e]] = u;
            visit_backwards(graph, graph->targets[e], dfs);
        }
}

/* A DFS that takes neighbours in another order: right as a set, wrong as an order. */
static void test_one_dfs_backwards(struct subject *subject, struct truth *truth)
{
    memset(truth->visited, 0, sizeof truth->visited);
    memset(truth->parent, 0xff, sizeof truth->parent);
    truth->parent[subject->source] = subject->source;
    truth->dfs.num_ordered = 0;
    truth->dfs.finish = NULL;
    visit_backwards(subject->graph, subject->source, &truth->dfs);
    subject->result = truth->dfs;
    judge_mutations(subject);
}

#define TREE (OUTPUT_VISITED | OUTPUT_PARENT)

TEST(dfs)
{
    static const struct {
        unsigned outputs;
        subject_test test;
    } cases[] = {
        {OUTPUT_VISITED, test_one_as_defined},
        {TREE, test_one_as_defined},
        {TREE, test_one_tree_of_levels},
        {TREE, test_one_dfs_backwards},
        {TREE | OUTPUT_ORDER, test_one_as_defined},
        {TREE | OUTPUT_ORDER, test_one_dfs_backwards},
        {TREE | OUTPUT_ORDER | OUTPUT_FINISH, test_one_as_defined},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        for_every_source("dfs", cases[i].outputs, cases[i].test);
}

/* The order of an acyclic graph that always takes the lowest vertex that may come next, or the highest; the identity
 * where there is a cycle. */
static void test_one_topo(struct subject *subject, struct truth *truth)
{
    const struct graph *graph = subject->graph;
    vertex_t n = graph->num_vertices;
    for (int highest = 0; highest <= 1; highest++) {
        bool placed[MAX_SIZE] = {false};
        vertex_t count = 0;
        for (vertex_t round = 0; round < n; round++)
            for (vertex_t i = 0; i < n; i++) {
                vertex_t v = highest ? n - 1 - i : i;
                bool ready = !placed[v];
                for (vertex_t u = 0; u < n; u++)
                    ready = ready && (placed[u] || !has_edge(graph, u, v));
                if (ready) {
                    truth->order[count++] = v;
                    placed[v] = true;
                    break;
                }
            }
        for (vertex_t v = 0; v < n; v++)
            if (!placed[v])
                truth->order[count++] = v;
        subject->result = (struct traversal){.order = truth->order, .num_ordered = n};
        judge_mutations(subject);
    }
}

TEST(topo)
{
    for_every_source("topo", OUTPUT_ORDER, test_one_topo);
}

/* The source and all behind it are one component, those before it alone. */
static void test_one_labelling(struct subject *subject, struct truth *truth)
{
    for (vertex_t v = 0; v < MAX_SIZE; v++)
        truth->parent[v] = v < subject->source ? v : subject->source;
    subject->result = (struct traversal){.component = truth->parent};
    judge_mutations(subject);
}

TEST(components)
{
    for_every_source("wcc", OUTPUT_COMPONENT, test_one_labelling);
    for_every_source("scc", OUTPUT_COMPONENT, test_one_labelling);
}

/* Sets every distance to every small number and to others, and every distance and its parent together. */
static void mutate_distances(struct subject *subject)
{
    static const double values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0.5, -1, 1e300, INFINITY, -INFINITY, NAN};
    double *distance = subject->result.distance;
    for (vertex_t v = 0; v < subject->graph->num_vertices; v++) {
        double before = distance[v];
        for (size_t i = 0; i < COUNT(values); i++) {
            distance[v] = values[i];
            judge(subject);
        }
        distance[v] = before;
    }
}

/* Distances by Dijkstra's algorithm: weights are 0 to 2, so that cycles of weight 0 occur, in and out of reach. */
static void test_one_sssp(struct subject *subject, UNUSED struct truth *truth)
{
    static const vertex_t moduli[] = {1, 2, 3, 5};
    const struct graph *graph = subject->graph;
    double distance[MAX_SIZE];
    vertex_t parent[MAX_SIZE];
    uint32_t weights[MAX_SIZE * MAX_SIZE];
    struct graph weighted = *graph;
    weighted.weight_type = WEIGHTS_UINT32;
    weighted.weights = weights;
    subject->graph = &weighted;
    for (size_t i = 0; i < COUNT(moduli); i++) {
        for (edge_t e = 0; e < graph->num_edges; e++)
            weights[e] = (uint32_t)(e * 7 % moduli[i]) % 3;
        struct run run = {.graph = &weighted, .device = &cpu, .error = &error};
        assert_ok(run_begin(&sssp_serial, &run));
        assert_ok(sssp_serial.prepare(&run));
        assert_ok(sssp_serial.traverse(&run, &(struct query){.sources = &subject->source, .num_sources = 1}));
        subject->result = (struct traversal){.distance = distance,
                                             .parent = subject->algorithm.outputs & OUTPUT_PARENT ? parent : NULL};
        assert_ok(sssp_serial.fetch(&run, &subject->result));
        run_release(&sssp_serial, &run);
        judge_mutations(subject);
        mutate_distances(subject);
    }
    subject->graph = graph;
}

TEST(sssp)
{
    assert_ok(device_open(DEVICE_CPU, &cpu, 0, &error));
    for_every_source("sssp", OUTPUT_DISTANCE | OUTPUT_PARENT, test_one_sssp);
    for_every_source("sssp", OUTPUT_DISTANCE, test_one_sssp);
    cpu.close(&cpu);
}

TESTS(NULL, NULL)
