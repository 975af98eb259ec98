/* test_generate.c: generators: figures that are known, fingerprints, and small graphs written out. */
#include "support.h"

#include <omp.h>

#include "../../src/graph/graph500_list.h"

static struct graph generated(const char *spec, bool undirected)
{
    struct graph graph;
    assert_ok(graph_generate(spec, undirected, false, &graph, &error));
    assert_ok(graph_validate(&graph, spec, &error));
    assert_string_equal(graph.origin, strncmp(spec, "snb", 3) == 0 ? "generated, synthetic" : "generated");
    assert_true(!graph.symmetric || graph_test_symmetry(&graph));
    return graph;
}

/* FNV-1a over both arrays. */
static uint64_t fingerprint(const struct graph *graph)
{
    const uint64_t prime = 0x100000001b3u;
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint64_t v = 0; v <= graph->num_vertices; v++)
        hash = (hash ^ graph->offsets[v]) * prime;
    for (edge_t e = 0; e < graph->num_edges; e++)
        hash = (hash ^ graph->targets[e]) * prime;
    return hash;
}

/* ---- what is known of the graphs: at least and at most ---- */

enum { VERTICES, EDGES, PER_1000, NO_EDGE, ONE_EDGE, TWO_EDGES, HIGHEST, SQUARES, NUM_FACTS };
static const char *const fact_names[NUM_FACTS] = {
    "vertices", "edges",    "edges of 1000 vertices", "degree 0",
    "degree 1", "degree 2", "highest degree",         "sum of squared degrees"};
#define IS(number)                                                                                                     \
    {                                                                                                                  \
        number, number                                                                                                 \
    }
#define SOME                                                                                                           \
    {                                                                                                                  \
        0, UINT64_MAX                                                                                                  \
    }

/* Of kron, urand and grid what the GAP Benchmark Suite makes; of mesh, rgg (fewer neighbours along the rim) and
 * delaunay (3n - 3 - h edges, h of them on the rim, about 8/3 ln n) what follows from the definition; of snb LDBC's
 * counts; and of the others what they share with the graphs that they stand for. */
static const struct known {
    const char *spec;
    uint64_t facts[NUM_FACTS][2];
} known[] = {
    {"kron:10", {IS(1024), IS(20992), SOME, IS(126), SOME, SOME, IS(471), IS(2025140)}},
    {"kron:16", {IS(65536), IS(1819292), SOME, IS(18821), SOME, SOME, IS(9869), IS(1246745530)}},
    {"urand:10", {IS(1024), IS(32250), SOME, IS(0), SOME, SOME, IS(50), IS(1048642)}},
    {"urand:16", {IS(65536), IS(2096552), SOME, IS(0), SOME, SOME, IS(59), IS(69157406)}},
    {"grid:100x37", {IS(3700), IS(14526), SOME, IS(0), SOME, SOME, IS(4), IS(57290)}},
    {"mesh:7x5x4:7", {IS(140), IS(674), SOME, IS(0), SOME, SOME, IS(6), SOME}},
    {"mesh:7x5x4", {IS(140), IS(2330), SOME, IS(0), SOME, SOME, IS(26), SOME}},
    {"mesh:6", {IS(216), IS(3880), SOME, IS(0), SOME, SOME, IS(26), SOME}},
    {"snb:1", {IS(10620), IS(438900), SOME, SOME, SOME, SOME, {414, 1239}, SOME}},
    {"snb:3", {IS(25870), IS(1336862), SOME, SOME, SOME, SOME, {517, 1550}, SOME}},
    {"snb:10", {IS(70800), IS(4609902), SOME, SOME, SOME, SOME, {652, 1953}, SOME}},
    {"rgg:16", {IS(65536), {656186, 690722}, SOME, SOME, SOME, SOME, SOME, SOME}},
    {"delaunay:12", {IS(4096), {24490, 24550}, SOME, IS(0), IS(0), SOME, SOME, SOME}},
    {"road:13", {{91751, 96665}, SOME, {2060, 2080}, SOME, SOME, SOME, SOME, SOME}},
    {"kmer:16", {{393216, 412876}, SOME, {2110, 2190}, IS(0), SOME, {289014, 412876}, {6, 20}, SOME}},
    {"mawi:16", {IS(65536), SOME, {2100, 2140}, SOME, {59638, 62259}, SOME, {56034, 58654}, SOME}},
    {"web:18:10", {IS(262144), SOME, {8800, 11200}, {55051, 86507}, SOME, SOME, {500, 4096}, SOME}},
};

TEST(facts)
{
    for (size_t i = 0; i < COUNT(known); i++) {
        GRAPH graph = generated(known[i].spec, false);
        uint64_t found[NUM_FACTS] = {graph.num_vertices, graph.num_edges, 1000 * graph.num_edges / graph.num_vertices};
        for (vertex_t v = 0; v < graph.num_vertices; v++) {
            edge_t degree = graph_degree(&graph, v);
            if (degree <= 2)
                found[NO_EDGE + degree]++;
            found[HIGHEST] = degree > found[HIGHEST] ? degree : found[HIGHEST];
            found[SQUARES] += degree * degree;
        }
        for (int k = 0; k < NUM_FACTS; k++)
            if (found[k] < known[i].facts[k][0] || found[k] > known[i].facts[k][1])
                fail_msg("%s: %s: %llu", known[i].spec, fact_names[k], (unsigned long long)found[k]);
    }
}

/* The same graph on every machine, and for every number of threads. */
TEST(fingerprints)
{
    static const struct {
        const char *spec;
        uint64_t fingerprint;
    } pinned[] = {
        {"kron:10", 0xf6686a5e53326cc3u},
        {"urand:10", 0xeb17c7331f62e7b5u},
        {"road:10", 0x489ea1b60ef1fdc7u},
        {"rgg:10", 0xb40b4a7d02e4921du},
        {"dag:1000:0.01", 0x635b3d8cf5876419u},
        {"dag:2000:0.4", 0x8617c1abcfd100b9u},
        {"dag:1000:0.999", 0xdaefdd182400aa05u},
        {"dag:100000:1e-5", 0xca9c296691fc7efeu},
        {"dag:3000:0.2500001", 0xad056d6900c37834u},
        {"dag:1000:1e-300", 0x5644ae0159313a3fu},
        {"delaunay:6", 0xeaf5384f962afc5bu},
        {"snb:1", 0x2d12c030afa3a6b9u},
        {"mesh:9x8x7", 0x8351dc76e3205da9u},
        {"web:18:4", 0xeb3ee726029ab32cu},
        {"kmer:13", 0x2494ac6d546ac76bu},
        {"mawi:14", 0x5617cc796a0b1465u},
        {"delaunay:10", 0xd34c4c7808cea947u},
    };
    int all_threads = omp_get_max_threads();
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        for (size_t i = 0; i < COUNT(pinned); i++) {
            GRAPH graph = generated(pinned[i].spec, false);
            if (fingerprint(&graph) != pinned[i].fingerprint)
                fail_msg("%s with %d threads: 0x%016llx", pinned[i].spec, threads,
                         (unsigned long long)fingerprint(&graph));
        }
    }
    omp_set_num_threads(all_threads);
}

/* Small graphs, every edge written out: "source>target ". */
TEST(shapes)
{
    static const struct {
        const char *spec;
        bool undirected;
        vertex_t vertices;
        const char *edges;
    } shapes[] = {
        {"path:0", false, 0, ""},
        {"path:1", false, 1, ""},
        {"path:3", false, 3, "0>1 1>0 1>2 2>1 "},
        {"cycle:1", false, 1, ""},
        {"cycle:2", false, 2, "0>1 1>0 "},
        {"cycle:3", false, 3, "0>1 0>2 1>0 1>2 2>0 2>1 "},
        {"star:4", false, 4, "0>1 0>2 0>3 1>0 2>0 3>0 "},
        {"complete:3", false, 3, "0>1 0>2 1>0 1>2 2>0 2>1 "},
        {"tree:6", false, 6, "0>1 0>2 1>0 1>3 1>4 2>0 2>5 3>1 4>1 5>2 "},
        {"grid:1x1", false, 1, ""},
        {"grid:3x2", false, 6, "0>1 0>3 1>0 1>2 1>4 2>1 2>5 3>0 3>4 4>1 4>3 4>5 5>2 5>4 "},
        {"dag:0:1", false, 0, ""},
        {"dag:3:0", false, 3, ""},
        {"dag:4:1", false, 4, "0>1 0>2 0>3 1>2 1>3 2>3 "},
        {"dag:3:1e0", true, 3, "0>1 0>2 1>0 1>2 2>0 2>1 "},
        {"kron:0", false, 1, ""},
        {"rgg:0", false, 1, ""},
        {"road:0", false, 1, ""},
        {"mesh:3x1x1", false, 3, "0>1 1>0 1>2 2>1 "},
        {"mesh:1x2x2:7", false, 4, "0>1 0>2 1>0 1>3 2>0 2>3 3>1 3>2 "},
        {"mesh:2x1x2:27", false, 4, "0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 3>2 "},
        {"mawi:1", false, 2, "0>1 1>0 "},
        {"delaunay:0", false, 1, ""},
        {"delaunay:1", false, 2, "0>1 1>0 "},
        {"delaunay:2", false, 4, "0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 3>2 "},
    };
    for (size_t i = 0; i < COUNT(shapes); i++) {
        GRAPH graph = generated(shapes[i].spec, shapes[i].undirected);
        assert_int_equal(graph.num_vertices, shapes[i].vertices);
        assert_edges(&graph, shapes[i].edges);
    }
}

/* Sums up edges that the reference program of Graph500 prints, too. */
static unsigned append_edges(const struct graph500_edge *edges, unsigned count, void *hash)
{
    for (unsigned i = 0; i < count; i++)
        *(uint64_t *)hash = *(uint64_t *)hash * 0x9e3779b97f4a7c15u + ((uint64_t)edges[i].u << 32 | edges[i].v);
    return count;
}

static unsigned append_weights(const struct graph500_edge *edges, unsigned count, void *hash)
{
    for (unsigned i = 0; i < count; i++) {
        float weight = graph500_weight(edges[i]);
        uint32_t bits;
        memcpy(&bits, &weight, sizeof bits);
        *(uint64_t *)hash = *(uint64_t *)hash * 0x9e3779b97f4a7c15u + bits;
    }
    return count;
}

TEST(graph500_list)
{
    static const struct {
        unsigned scale;
        uint64_t begin, count, hash, weights;
    } ranges[] = {{20, 0, 1000000, 0x1a25687ec9ab11a3u, 0x5088a594c121c01fu},
                  {29, 8588934592, 1000000, 0xba900ecb0f043c7au, 0xc44c802cc935febbu},
                  {31, 34359000000, 1000, 0x2fff644eaf9c018fu, 0xdc4fecf0dbd88ae2u},
                  {1, 0, 100, 0x7aefcd9b9b229a2cu, 0xd723ba14a7cabad1u}};
    for (size_t i = 0; i < COUNT(ranges); i++) {
        struct graph500_list list;
        uint64_t hash = 0, begin = ranges[i].begin;
        assert_ok(graph500_list_init(&list, ranges[i].scale, 16, &error));
        assert_int_equal(graph500_visit(&list, begin, begin + ranges[i].count, append_edges, &hash), ranges[i].count);
        assert_true(hash == ranges[i].hash);
        hash = 0;
        graph500_visit(&list, begin, begin + ranges[i].count, append_weights, &hash);
        assert_true(hash == ranges[i].weights);
    }
}

TEST(graph500_keys)
{
    GRAPH graph = generated("graph500:16", false);
    vertex_t keys[64];
    uint64_t hash = 0;
    assert_ok(graph500_keys(&graph, 64, keys, &error));
    for (int i = 0; i < 64; i += 2)
        append_edges(&(struct graph500_edge){keys[i], keys[i + 1], 0}, 1, &hash);
    assert_true(hash == 0x7016c277a38a112au);
}

/* When memory is short, the graph is generated in parts. */
TEST(graph500_parts)
{
    GRAPH whole = generated("graph500:12", false);
    graph500_least_parts = 4;
    GRAPH parts = generated("graph500:12", false);
    graph500_least_parts = 1;
    assert_true(fingerprint(&parts) == fingerprint(&whole) && parts.num_edges == whole.num_edges);
    assert_int_equal(parts.duplicates_dropped, whole.duplicates_dropped);
    GRAPH weighted, in_parts;
    assert_ok(graph_generate("graph500:12", false, true, &weighted, &error));
    graph500_least_parts = 4;
    assert_ok(graph_generate("graph500:12", false, true, &in_parts, &error));
    graph500_least_parts = 1;
    assert_true(fingerprint(&in_parts) == fingerprint(&whole) && fingerprint(&weighted) == fingerprint(&whole));
    assert_memory_equal(in_parts.weights, weighted.weights, weighted.num_edges * sizeof(float));
}

TEST(bad_specs)
{
    static const struct {
        const char *spec, *message; /* what the message contains */
    } bad[] = {
        {"nope:3", "unknown generator 'nope'; there are kron, urand, "},
        {"krone:3", "unknown generator 'krone'; did you mean 'kron:3'?"},
        {"kron", "SCALE must be a whole number from 0 to 31"},
        {"kron:", "SCALE must be a whole number from 0 to 31"},
        {"kron:-1", "SCALE must be a whole number from 0 to 31"},
        {"kron:32", "SCALE must be a whole number from 0 to 31"},
        {"kron: 5", "SCALE must be a whole number from 0 to 31"},
        {"kron:5:0", "EDGEFACTOR must be a whole number from 1"},
        {"kron:5:16:1", "\":1\" has no place in kron:SCALE[:EDGEFACTOR]"},
        {"kron:5x", "has no place"},
        {"graph500:0", "SCALE must be a whole number from 1 to 31"},
        {"graph500:30:64", "2^36 undirected edges or more"},
        {"road:29", "SCALE must be a whole number from 0 to 28"},
        {"grid:0x5", "W must be a whole number from 1"},
        {"grid:5X5", "H must be a whole number from 1"},
        {"grid:65536x65536", "4294967296 vertices; a graph has fewer than 2^32"},
        {"path:18446744073709551617", "N must be a whole number from 0 to 4294967295"},
        {"dag:5", "P must be a number from 0 to 1 in dag:N:P"},
        {"dag:5:1.5", "P must be a number from 0 to 1"},
        {"dag:5:nan", "P must be a number from 0 to 1"},
        {"dag:5:0x1p-1", "P must be a number from 0 to 1"},
        {"dag:5:0.5x", "P must be a number from 0 to 1"},
        {"mesh:0", "X must be a whole number from 1 to 2097152"},
        {"mesh:5x6", "Z must be a whole number from 1"},
        {"mesh:5:6", "STENCIL must be a whole number from 7 to 27"},
        {"mesh:5:8", "STENCIL must be 7 or 27"},
        {"mesh:5:7x3x3", "\"x3x3\" has no place"},
        {"mesh:2000x2000x2000", "8000000000 vertices; a graph has fewer than 2^32"},
        {"mesh:1500", "GB of memory"},
        {"web:5:0", "EDGEFACTOR must be a whole number from 1 to 1024"},
        {"kmer:30", "SCALE must be a whole number from 0 to 29"},
        {"complete:4294967295", "GB of memory"},
        {"delaunay:28", "SCALE must be a whole number from 0 to 27"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct graph graph;
        assert_fails(graph_generate(bad[i].spec, false, false, &graph, &error), STATUS_INPUT, bad[i].message);
        assert_null(graph.offsets);
    }
}

TEST(spec_form)
{
    for (const struct generator *generator = generators; generator->name != NULL; generator++)
        assert_true(is_generator_spec(generator->syntax));
    assert_true(is_generator_spec("krno:5"));
    assert_false(is_generator_spec("kron"));
    assert_false(is_generator_spec(":5"));
    assert_false(is_generator_spec("folder/kron:5"));
    assert_false(is_generator_spec("web-Google.mtx"));
}

TESTS(NULL, NULL)
