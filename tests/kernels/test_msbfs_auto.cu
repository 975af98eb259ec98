/* test_msbfs_auto.cu: what msbfs auto samples of searches, on the GPU or the emulator, against searches on the host;
 * and what it chooses by such figures, by table. */
#include <math.h>
#include <stdlib.h>

#include <memory>
#include <vector>

#include "../../kernels/msbfs/auto.h"
#include "checks.h"
#include "graphs.h"

namespace BACKEND
{

using namespace automatic_msbfs;
using std::vector;

/* ---- the sample ---- */

/* Each level's means over the sources that were taken, all of which have out-neighbours. */
static bool is_mean(const struct graph &graph, const struct estimate_of_searches &found)
{
    vector<double> vertices(SAMPLED_LEVELS), edges(SAMPLED_LEVELS), alive(SAMPLED_LEVELS);
    const lists_t lists = lists_of(graph);
    double searches = found.num_searches, levels = 0;
    uint32_t deepest = 0;
    bool right = found.num_searches > 0 && found.num_searches <= SAMPLED_SEARCHES;
    for (uint32_t i = 0; i < found.num_searches; i++) {
        vector<uint32_t> level = plain_levels(lists, found.sources[i]);
        uint32_t last = 0;
        for (vertex_t v = 0; v < graph.num_vertices; v++)
            if (level[v] < SAMPLED_LEVELS) {
                vertices[level[v]] += 1 / searches;
                edges[level[v]] += (double)graph_degree(&graph, v) / searches;
                last = level[v] > last ? level[v] : last;
            }
        right = right && (graph_degree(&graph, found.sources[i]) > 0 || graph.num_edges == 0);
        for (uint32_t l = 0; l <= last && l < SAMPLED_LEVELS; l++)
            alive[l] += 1 / searches;
        deepest = last > deepest ? last : deepest;
        levels += (last + 1) / searches;
    }
    right = right && found.num_levels == deepest + 1 && found.levels_beyond == 0 && close(found.mean_levels, levels) &&
            found.vertices == graph.num_vertices && found.edges == (double)graph.num_edges;
    for (uint32_t l = 0; right && l <= deepest; l++)
        right = close(found.found[l], vertices[l]) && close(found.left[l], edges[l]) && close(found.alive[l], alive[l]);
    return right;
}

static void check_means(const struct graph &graph, bool wide)
{
    char what[64];
    struct error error = {};
    struct gpu_graph gpu_graph = {};
    struct estimate_of_searches found = {};
    if (gpu_graph_upload(&graph, wide, &gpu_graph, &error) == STATUS_OK)
        searches_sample(&graph, &gpu_graph, SAMPLED_SEARCHES, &found, &error);
    snprintf(what, sizeof what, "a sample of %s, %s offsets", graph.name, wide ? "64-bit" : "32-bit");
    check(error.status == STATUS_OK && is_mean(graph, found), what, "%u levels, %.3f in the mean; %s", found.num_levels,
          found.mean_levels, error.text);
    gpu_graph_free(&gpu_graph);
}

/* All leaves at all of so many high-degree vertices, which share blocks or have several. */
static void check_high_degree(vertex_t num_high_degree, vertex_t num_leaves)
{
    char name[32];
    vector<edge_t> offsets(1, 0);
    vector<vertex_t> targets;
    for (vertex_t v = 0; v < num_high_degree + num_leaves; v++) {
        for (vertex_t u = v < num_high_degree ? num_high_degree : 0;
             u < (v < num_high_degree ? num_high_degree + num_leaves : num_high_degree); u++)
            targets.push_back(u);
        offsets.push_back(targets.size());
    }
    snprintf(name, sizeof name, "%u high-degree vertices", num_high_degree);
    check_means(graph_over(name, offsets, targets), false);
}

/* Searches that are not followed to their end are expected to go on as balls grow in the graph. */
static void check_beyond(const char *spec, double least, double most)
{
    struct error error = {};
    struct estimate_of_searches found = {};
    with_generated(spec, [&](const struct graph &graph) {
        struct gpu_graph gpu_graph = {};
        gpu_graph_upload(&graph, false, &gpu_graph, &error);
        searches_sample(&graph, &gpu_graph, SAMPLED_SEARCHES, &found, &error);
        gpu_graph_free(&gpu_graph);
    });
    double levels = found.num_levels + found.levels_beyond, reached = found.levels_beyond * found.found_beyond;
    for (uint32_t l = 0; l < found.num_levels; l++)
        reached += found.found[l];
    check(error.status == STATUS_OK && found.num_levels == SAMPLED_LEVELS && levels >= least && levels <= most &&
              reached <= found.vertices * 1.000001,
          spec, "%.0f levels, not %.0f to %.0f; %.0f vertices; %s", levels, least, most, reached, error.text);
}

/* ---- the choice ---- */

#define MULTIPROCESSORS 132
#define SHARED_BYTES    (227 << 10)

/* Figures of a graph in which levels are all alike, but for a core: so many levels have almost all. Some searches end
 * before the core. */
struct figures {
    const char *graph;
    double vertices, edges, levels, core; /* core 0: none */
    double sources;
    unsigned outputs;
    enum msbfs_design best;
    double share = 1; /* of the searches, that reach the core */
};

static const struct figures TABLE[] = {
    {"kron:22", 4.2e6, 128e6, 7, 2, 256, OUTPUT_LEVEL, DESIGN_BITPARALLEL},
    {"kron:22, sums", 4.2e6, 128e6, 7, 2, 64, OUTPUT_SUMS, DESIGN_BITPARALLEL},
    {"kron:22, closeness", 4.2e6, 128e6, 7, 2, 4.2e6, OUTPUT_FARNESS, DESIGN_BITPARALLEL},
    {"kron:22, lengths of few", 4.2e6, 128e6, 7, 2, 3, OUTPUT_LENGTH, DESIGN_BITPARALLEL},
    {"kron:22, lengths of many", 4.2e6, 128e6, 7, 2, 4096, OUTPUT_LENGTH, DESIGN_BITPARALLEL},
    {"snb:1, 1000 pairs", 10620, 438900, 5, 2, 956, OUTPUT_LENGTH, DESIGN_IBFS},
    {"snb:1, 100 pairs", 10620, 438900, 5, 2, 99, OUTPUT_LENGTH, DESIGN_BITPARALLEL},
    {"snb:1, levels", 10620, 438900, 5, 2, 956, OUTPUT_LEVEL, DESIGN_BITPARALLEL},
    {"snb:3, 4096 pairs", 25870, 1336862, 5, 2, 3794, OUTPUT_LENGTH, DESIGN_IBFS},
    {"snb:10, 1000 pairs", 70800, 4609902, 5, 2, 991, OUTPUT_LENGTH, DESIGN_BITPARALLEL},
    {"snb:100, 4096 pairs", 448626, 46233610, 6, 2, 4078, OUTPUT_LENGTH, DESIGN_BITPARALLEL},
    {"road:17, lengths of many", 1.5e6, 3.1e6, 2100, 0, 4096, OUTPUT_LENGTH, DESIGN_PERBLOCK},
    {"kron:22, two sources", 4.2e6, 128e6, 7, 2, 2, OUTPUT_LEVEL, DESIGN_SINGLE},
    {"urand:22", 4.2e6, 134e6, 7, 2, 256, OUTPUT_LEVEL, DESIGN_BITPARALLEL},
    {"kron:27", 134e6, 4.2e9, 8, 2, 64, OUTPUT_LEVEL, DESIGN_BITPARALLEL},
    {"grid:1024x1024", 1.05e6, 4.2e6, 1500, 0, 256, OUTPUT_LEVEL, DESIGN_PERBLOCK},
    {"grid:1024x1024, sums", 1.05e6, 4.2e6, 1500, 0, 64, OUTPUT_SUMS, DESIGN_PERBLOCK},
    {"grid:1024x1024, one source", 1.05e6, 4.2e6, 1500, 0, 1, OUTPUT_LEVEL, DESIGN_PERBLOCK},
    {"road:17", 1.5e6, 3.1e6, 2100, 0, 256, OUTPUT_LEVEL, DESIGN_PERBLOCK},
    {"road:17, closeness", 1.5e6, 3.1e6, 2100, 0, 1.5e6, OUTPUT_FARNESS, DESIGN_PERBLOCK},
    {"rgg:20", 1.05e6, 13.8e6, 770, 0, 256, OUTPUT_LEVEL, DESIGN_PERBLOCK},
    {"europe_osm", 51e6, 108e6, 20000, 0, 256, OUTPUT_LEVEL, DESIGN_PERBLOCK},
    {"a mesh", 133e3, 795e3, 437, 0, 256, OUTPUT_LEVEL, DESIGN_PERBLOCK},
    {"a mesh in space", 1e6, 26e6, 300, 0, 256, OUTPUT_LEVEL, DESIGN_PERBLOCK},
    {"cnr-2000", 326e3, 5.5e6, 36, 6, 256, OUTPUT_LEVEL, DESIGN_BITPARALLEL},
    {"web-NotreDame", 326e3, 1.5e6, 60, 6, 256, OUTPUT_LEVEL, DESIGN_BITPARALLEL, 0.4},
    {"cnr-2000, one way", 326e3, 3.1e6, 36, 6, 256, OUTPUT_LEVEL, DESIGN_BITPARALLEL, 0.3},
    {"a crawl of which a third is searched", 326e3, 1.2e6, 80, 6, 256, OUTPUT_LEVEL, DESIGN_BITPARALLEL, 0.3},
    {"a history", 849e3, 271e6, 93, 4, 256, OUTPUT_LEVEL, DESIGN_BITPARALLEL},
    {"a social network of 1500 levels of tails", 10e6, 400e6, 1500, 4, 256, OUTPUT_SUMS, DESIGN_BITPARALLEL},
};

static void check_choice(const struct figures &figures)
{
    auto estimate = std::make_unique<struct estimate_of_searches>();
    double core = figures.core > 0 ? 0.999 : 0, thin = figures.levels - figures.core;
    *estimate = {figures.vertices, figures.edges, SAMPLED_SEARCHES};
    estimate->num_levels = (uint32_t)fmin(figures.levels, SAMPLED_LEVELS);
    estimate->mean_levels = estimate->num_levels;
    for (uint32_t l = 0; l < estimate->num_levels; l++) {
        bool in_core = l >= 2 && l < 2 + figures.core;
        double share = in_core ? core / figures.core : (1 - core) / thin;
        estimate->alive[l] = l < 2 ? 1 : figures.share;
        estimate->found[l] = estimate->alive[l] * share * figures.vertices;
        estimate->left[l] = estimate->alive[l] * share * figures.edges;
    }
    if (figures.levels > SAMPLED_LEVELS)
        searches_expect(estimate.get(), 1);
    struct use_of_searches use = {figures.sources, figures.outputs, MULTIPROCESSORS, SHARED_BYTES};
    enum msbfs_design design = msbfs_fastest(estimate.get(), &use);
    check(
        design == figures.best, figures.graph, "design %u: bitparallel %.3g ms, perblock %.3g, single %.3g, ibfs %.3g",
        design, msbfs_predicted_ms(DESIGN_BITPARALLEL, estimate.get(), &use),
        msbfs_predicted_ms(DESIGN_PERBLOCK, estimate.get(), &use),
        msbfs_predicted_ms(DESIGN_SINGLE, estimate.get(), &use), msbfs_predicted_ms(DESIGN_IBFS, estimate.get(), &use));
}

static void check_all(struct device *)
{
    /* Searches that meet, end at once or have the same source, edges one way; high-degree vertices, fewer than blocks
     * and more. */
    for (const char *spec : {"path:1", "path:2", "path:70", "cycle:65", "complete:40", "star:70", "kron:8", "urand:8:2",
                             "grid:9x7", "dag:100:0.05", "road:4"})
        with_generated(spec, [](const struct graph &graph) {
            check_means(graph, false);
            check_means(graph, true);
        });
    for (vertex_t num_high_degree : {1, 2, 5})
        check_high_degree(num_high_degree, 2100);
    check_beyond("cycle:5000", 2400, 2600);
    for (const struct figures &figures : TABLE)
        check_choice(figures);
}

} // namespace BACKEND
