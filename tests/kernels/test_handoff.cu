/* test_handoff.cu: searches by hand-off one after the other, each of which leaves its marks and the queue to the
 * next; and that one which reaches few vertices costs no more in a large graph. */
#include <string.h>

#include <vector>

extern "C" {
#include "../../src/algorithm_options.h"
#include "../../src/families.h"
}
#include "checks.h"
#include "graphs.h"
#ifdef EMULATED
#include "../../kernels/emulator/memory.h"
#endif

GPU_ALGORITHM(dfs_handoff);

namespace BACKEND
{

using std::vector;

/* ---- graphs of parts, which are numbered one after the other ---- */

struct parts {
    char name[8] = "parts";
    vector<edge_t> offsets{0};
    vector<vertex_t> targets;

    /* A vertex and its neighbours, so many numbers after it. */
    void vertex(const vector<vertex_t> &steps)
    {
        vertex_t v = (vertex_t)offsets.size() - 1;
        for (vertex_t step : steps)
            targets.push_back(v + step);
        offsets.push_back(targets.size());
    }
    void path(vertex_t vertices)
    {
        for (vertex_t v = 1; v < vertices; v++)
            vertex({1});
        vertex({});
    }
    /* A vertex with edges to so many that follow it, each so far from the one before. */
    void hub(vertex_t neighbours, vertex_t distance = 1)
    {
        vector<vertex_t> steps;
        for (vertex_t i = 1; i <= neighbours; i++)
            steps.push_back(i * distance);
        vertex(steps);
    }
    void fan(vertex_t vertices)
    {
        hub(vertices - 1);
        path(vertices - 1);
    }
    void star(vertex_t leaves)
    {
        hub(leaves);
        isolated(leaves);
    }
    void isolated(vertex_t vertices)
    {
        offsets.resize(offsets.size() + vertices, targets.size());
    }

    struct graph graph()
    {
        return graph_over(name, offsets, targets);
    }
};

/* ---- searches ---- */

/* dfs handoff at work on a graph, with some of its options set. */
struct searcher {
    const struct algorithm *algorithm = &BACKEND_NAME(dfs_handoff);
    const struct graph *graph;
    struct error error = {};
    struct run run = {};

    searcher(const struct graph *where, struct device *device, const vector<const char *> &settings) : graph(where)
    {
        run.graph = graph;
        run.device = device;
        run.error = &error;
        run.outputs = algorithm->outputs;
        if (options_parse(algorithm, settings.data(), (int)settings.size(), run.options, &error) == STATUS_OK &&
            run_begin(algorithm, &run) == STATUS_OK)
            algorithm->prepare(&run);
    }
    ~searcher()
    {
        run_release(algorithm, &run);
    }
    searcher(const searcher &) = delete;

    int search(vertex_t source)
    {
        struct query query = {&source, 1};
        return algorithm->traverse(&run, &query);
    }
    int search_and_verify(vertex_t source)
    {
        vector<uint8_t> visited(graph->num_vertices, 2);
        vector<vertex_t> parent(graph->num_vertices, 0);
        struct traversal result = {};
        result.visited = visited.data();
        result.parent = parent.data();
        if (search(source) == STATUS_OK && algorithm->fetch(&run, &result) == STATUS_OK)
            family_of(algorithm->family)->verify(graph, source, algorithm, &result, &error);
        return error.status;
    }
};

static const char *const LISTS[] = {"lists=plain", "lists=packed"};

/* Small stacks, so that much goes through the queue, and positions of chunks that pass 2^32. Searches from parts far
 * apart alternate with those that reach nearly nothing. */
static void check_searches_in_a_row(struct device *device)
{
    struct parts parts;
    parts.fan(200);
    parts.isolated(32000);
    parts.fan(900);
    parts.path(20);
    parts.isolated(33000);
    parts.fan(300);
    parts.star(400);
    struct graph graph = parts.graph();
    vertex_t second = 200 + 32000, third = second + 900 + 20 + 33000, star = third + 300;
    const vertex_t sources[] = {0,      second,     second + 900, second + 899, third, third, 0,   199,
                                second, second - 1, third,        third + 150,  star,  0,     star};
    for (const char *lists : LISTS) {
        searcher searcher(&graph, device, {lists, "cold-size=1", "ring-size=128", "first-position=4294967290"});
        for (vertex_t source : sources)
            if (searcher.error.status == STATUS_OK && searcher.search_and_verify(source) != STATUS_OK)
                printf("from source %u: ", source);
        check(searcher.error.status == STATUS_OK, "searches in a row", "%s: %s", lists, searcher.error.text);
    }
}

#ifdef EMULATED
/* What the last search accesses of those from these vertices. */
static uint64_t bytes_of_search(struct parts &parts, struct device *device, const vector<const char *> &settings,
                                const vector<vertex_t> &sources)
{
    struct graph graph = parts.graph();
    searcher searcher(&graph, device, settings);
    uint64_t before = 0;
    for (vertex_t source : sources) {
        before = emulated_bytes_accessed();
        searcher.search(source);
    }
    check(searcher.error.status == STATUS_OK, "a search", "%s", searcher.error.text);
    return emulated_bytes_accessed() - before;
}

/* 50 vertices are reached of a graph that is small or large. But for a bit of each vertex that is cleared, the search
 * accesses as much, whatever earlier searches have reached. */
static void check_work_of_small_searches(struct device *device)
{
    for (const char *lists : LISTS) {
        uint64_t bytes[2];
        for (unsigned i = 0; i < 2; i++) {
            struct parts parts;
            parts.path(50);
            parts.hub(i == 0 ? 1 : 64, 4096);
            parts.isolated(i == 0 ? 1 << 13 : 1 << 19);
            bytes[i] = bytes_of_search(parts, device, {lists, "lanes=4", "warps-per-block=2"}, {50, 50, 0, 0, 0}) -
                       parts.offsets.size() / 8;
        }
        check(bytes[1] < bytes[0] + bytes[0] / 4, "a small search in a large graph", "%s: %llu bytes, not %llu", lists,
              (unsigned long long)bytes[1], (unsigned long long)bytes[0]);
    }
}

/* The leaves of a batch take one step together, and their lists are not looked up. */
static void check_work_on_leaves(struct device *device)
{
    const uint32_t leaves = 3000, bytes_of_leaf = 32; /* a leaf claimed in a step of its own takes 72 */
    struct parts parts;
    parts.star(leaves);
    uint64_t bytes = bytes_of_search(parts, device, {"lists=plain", "lanes=8"}, {0});
    check(bytes < leaves * bytes_of_leaf, "leaves of a star", "%llu bytes", (unsigned long long)bytes);
}
#endif

static void check_all(struct device *device)
{
    check_searches_in_a_row(device);
#ifdef EMULATED
    check_work_of_small_searches(device);
    check_work_on_leaves(device);
#endif
}

} // namespace BACKEND
