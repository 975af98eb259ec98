/* arrays.c: makes graphs from arrays of the caller, after checking every entry, in parallel. Arrays in the library's
 * form are borrowed or copied; all others go through the builder, which sorts. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "../graph/builder.h"
#include "internal.h"

#define ROWS_A_CHUNK 1024
#define FEW          (UINT64_C(1) << 20) /* vertices and edges of a graph that one thread sorts */

/* An array of 32- or 64-bit integers. Negative integers are read as large unsigned ones. */
struct numbers {
    const void *entries;
    bool wide;
};

static inline uint64_t number_at(const struct numbers *numbers, uint64_t i)
{
    return numbers->wide ? ((const uint64_t *)numbers->entries)[i] : ((const uint32_t *)numbers->entries)[i];
}

static int read_width(int bits, const char *what, bool *wide, struct error *error)
{
    *wide = bits == 64;
    return bits == 32 || bits == 64 ? STATUS_OK
                                    : error_set(error, STATUS_INPUT, "%s of %d bits; they have 32 or 64", what, bits);
}

static int check_flags(unsigned flags, struct error *error)
{
    unsigned unknown = flags & ~(unsigned)(GTRAV_UNDIRECTED | GTRAV_BORROW);
    return unknown == 0 ? STATUS_OK : error_set(error, STATUS_INPUT, "unknown flags 0x%x of a graph", unknown);
}

static int check_count(uint64_t num_vertices, struct error *error)
{
    return num_vertices <= MAX_VERTICES ? STATUS_OK
                                        : error_set(error, STATUS_INPUT, "%llu vertices; a graph has fewer than 2^32",
                                                    (unsigned long long)num_vertices);
}

/* A graph that is being made. */
struct made {
    struct graph graph;
    struct borrowed borrowed;
};

/* Gives the graph its name, and adds reverse edges if requested. */
static int complete(struct made *made, unsigned flags, struct error *error)
{
    struct graph *graph = &made->graph;
    graph->symmetric = graph_test_symmetry(graph);
    graph->symmetric_weights = graph_test_symmetric_weights(graph);
    if (!graph->symmetric && flags & GTRAV_UNDIRECTED) {
        struct graph directed = *graph;
        graph_symmetrize(&directed, graph, error);
        graph_release_own(&directed, &made->borrowed);
    }
    strcpy(graph->origin, "arrays");
    if (error->status == STATUS_OK && (graph->name = strdup("arrays")) == NULL)
        error_set(error, STATUS_INPUT, "out of memory: the graph's name");
    return error->status;
}

/* Makes the handle of the graph, unless there was an error. */
static int hand_over(struct library_call *call, gtrav_context *context, struct made *made, gtrav_graph **graph)
{
    if (call->error.status == STATUS_OK)
        graph_adopt(context, &made->graph, &made->borrowed, graph, &call->error);
    graph_release_own(&made->graph, &made->borrowed);
    return graph_call_end(call, graph);
}

/* ---- compressed sparse rows ---- */

struct rows {
    uint64_t num_vertices;
    struct numbers offsets, targets;
    bool clean; /* each row is ascending, without duplicates and self-loops */
};

static int check_offsets(const struct rows *rows, struct error *error)
{
    const struct numbers *offsets = &rows->offsets;
    uint64_t n = rows->num_vertices, bad = UINT64_MAX, most = offsets->wide ? INT64_MAX : INT32_MAX;
    if (number_at(offsets, 0) != 0)
        return error_set(error, STATUS_INPUT, "the first offset is %lld, not 0", (long long)number_at(offsets, 0));
#pragma omp parallel for reduction(min : bad)
    for (uint64_t v = 0; v < n; v++)
        if (number_at(offsets, v + 1) < number_at(offsets, v) || number_at(offsets, v + 1) > most)
            bad = v < bad ? v : bad;
    if (bad != UINT64_MAX)
        return error_set(error, STATUS_INPUT, "offset %llu is less than the one before it, or negative",
                         (unsigned long long)bad + 1);
    return STATUS_OK;
}

static bool is_clean_row(const struct rows *rows, uint64_t v, uint64_t begin, uint64_t end)
{
    for (uint64_t e = begin; e < end; e++)
        if (number_at(&rows->targets, e) == v ||
            (e > begin && number_at(&rows->targets, e) <= number_at(&rows->targets, e - 1)))
            return false;
    return true;
}

/* Checks that all targets are vertices. Sets rows->clean. */
static int check_targets(struct rows *rows, struct error *error)
{
    uint64_t bad = UINT64_MAX, n = rows->num_vertices;
    bool clean = true;
    if (rows->targets.entries == NULL && number_at(&rows->offsets, n) > 0)
        return error_set(error, STATUS_INPUT, "gtrav_graph_from_csr: targets is NULL");
#pragma omp parallel for schedule(dynamic, ROWS_A_CHUNK) reduction(min : bad) reduction(&& : clean)
    for (uint64_t v = 0; v < n; v++) {
        uint64_t begin = number_at(&rows->offsets, v), end = number_at(&rows->offsets, v + 1);
        for (uint64_t e = begin; e < end; e++)
            if (number_at(&rows->targets, e) >= n && e < bad)
                bad = e;
        clean = clean && is_clean_row(rows, v, begin, end);
    }
    rows->clean = clean;
    if (bad == UINT64_MAX)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "target %llu is vertex %lld; the graph has %llu", (unsigned long long)bad,
                     (long long)number_at(&rows->targets, bad), (unsigned long long)n);
}

/* Uses the caller's arrays if their types are the graph's, and copies them otherwise. */
static int take_rows(const struct rows *rows, struct graph *graph, struct error *error)
{
    uint64_t n = rows->num_vertices, m = number_at(&rows->offsets, n);
    graph->num_vertices = (vertex_t)n;
    graph->num_edges = m;
    if (graph->offsets == NULL &&
        allocate(&graph->offsets, n + 1, sizeof *graph->offsets, "the offsets", error) == STATUS_OK) {
#pragma omp parallel for
        for (uint64_t v = 0; v <= n; v++)
            graph->offsets[v] = number_at(&rows->offsets, v);
    }
    if (graph->targets == NULL &&
        allocate(&graph->targets, m, sizeof *graph->targets, "the targets", error) == STATUS_OK) {
#pragma omp parallel for
        for (uint64_t e = 0; e < m; e++)
            graph->targets[e] = (vertex_t)number_at(&rows->targets, e);
    }
    return error->status;
}

static int build_rows(const struct rows *rows, struct graph *graph, struct error *error)
{
    struct builder builder;
    if (builder_init(&builder, rows->num_vertices, error) != STATUS_OK)
        return error->status;
#pragma omp parallel
    {
        struct edge_writer *writer = &builder.writers[omp_get_thread_num()];
#pragma omp for schedule(dynamic, ROWS_A_CHUNK)
        for (uint64_t v = 0; v < rows->num_vertices; v++)
            for (uint64_t e = number_at(&rows->offsets, v); e < number_at(&rows->offsets, v + 1); e++)
                push_edge(writer, (vertex_t)v, (vertex_t)number_at(&rows->targets, e));
    }
    return builder_finish(&builder, (vertex_t)rows->num_vertices, graph, error);
}

static int make_from_rows(struct rows *rows, unsigned flags, struct made *made, struct error *error)
{
    if (check_count(rows->num_vertices, error) != STATUS_OK || check_offsets(rows, error) != STATUS_OK ||
        check_targets(rows, error) != STATUS_OK)
        return error->status;
    if (rows->clean && flags & GTRAV_BORROW) {
        made->borrowed.offsets = rows->offsets.wide ? rows->offsets.entries : NULL;
        made->borrowed.targets = rows->targets.wide ? NULL : rows->targets.entries;
        made->graph.offsets = (edge_t *)made->borrowed.offsets;
        made->graph.targets = (vertex_t *)made->borrowed.targets;
    }
    (rows->clean ? take_rows : build_rows)(rows, &made->graph, error);
    return error->status == STATUS_OK ? complete(made, flags, error) : error->status;
}

int gtrav_graph_from_csr(gtrav_context *context, uint64_t num_vertices, const void *offsets, int offset_bits,
                         const void *targets, int target_bits, unsigned flags, gtrav_graph **graph,
                         gtrav_error *public_error)
{
    struct library_call call;
    struct made made = {0};
    struct rows rows = {.num_vertices = num_vertices, .offsets.entries = offsets, .targets.entries = targets};
    if (graph != NULL)
        *graph = NULL;
    REQUIRE(public_error, graph != NULL && context != NULL && offsets != NULL);
    if (!call_begin(&call, context, NULL, public_error))
        return call_end(&call);
    call_expect(num_vertices, 1); /* only vertices: the number of edges is not checked yet */
    if (check_flags(flags, &call.error) == STATUS_OK &&
        read_width(offset_bits, "offsets", &rows.offsets.wide, &call.error) == STATUS_OK &&
        read_width(target_bits, "targets", &rows.targets.wide, &call.error) == STATUS_OK)
        make_from_rows(&rows, flags, &made, &call.error);
    return hand_over(&call, context, &made, graph);
}

/* ---- edges ---- */

struct edges {
    uint64_t num_edges;
    struct numbers sources, targets;
    const void *weights; /* NULL: none */
    enum weight_type weight_type;
};

static inline double weight_at(const struct edges *edges, uint64_t i)
{
    return edges->weight_type == WEIGHTS_FLOAT ? ((const float *)edges->weights)[i]
                                               : ((const double *)edges->weights)[i];
}

/* Checks that all weights are finite and not negative. */
static int check_weights(const struct edges *edges, struct error *error)
{
    uint64_t bad = UINT64_MAX;
#pragma omp parallel for reduction(min : bad)
    for (uint64_t i = 0; i < edges->num_edges; i++)
        if (!(weight_at(edges, i) >= 0 && isfinite(weight_at(edges, i))))
            bad = i < bad ? i : bad;
    return bad == UINT64_MAX
               ? STATUS_OK
               : error_set(error, STATUS_INPUT, "edge %llu has the weight %g; weights are finite, 0 or more",
                           (unsigned long long)bad, weight_at(edges, bad));
}

/* Checks that all ends of edges are vertices. If *num_vertices is 0, sets it to the largest end + 1. */
static int check_edges(const struct edges *edges, uint64_t *num_vertices, struct error *error)
{
    uint64_t most = *num_vertices > 0 ? *num_vertices : MAX_VERTICES, bad = UINT64_MAX, largest = 0;
#pragma omp parallel for reduction(min : bad) reduction(max : largest)
    for (uint64_t i = 0; i < edges->num_edges; i++) {
        uint64_t source = number_at(&edges->sources, i), target = number_at(&edges->targets, i);
        uint64_t larger = source > target ? source : target;
        largest = larger > largest ? larger : largest;
        bad = larger >= most && i < bad ? i : bad;
    }
    if (bad != UINT64_MAX)
        return error_set(error, STATUS_INPUT, "edge %llu goes from %lld to %lld; vertices are numbered from 0 to %llu",
                         (unsigned long long)bad, (long long)number_at(&edges->sources, bad),
                         (long long)number_at(&edges->targets, bad), (unsigned long long)most - 1);
    if (*num_vertices == 0 && edges->num_edges > 0)
        *num_vertices = largest + 1;
    return STATUS_OK;
}

static int sort_few(const struct edges *edges, vertex_t num_vertices, bool undirected, struct graph *graph,
                    struct error *error)
{
    struct radix keys = {0};
    uint64_t count = 0;
    if (!radix_reserve(&keys, edges->num_edges << undirected))
        return error_set(error, STATUS_INPUT, "out of memory: sorting the edges");
    for (uint64_t i = 0; i < edges->num_edges; i++) {
        uint64_t source = number_at(&edges->sources, i), target = number_at(&edges->targets, i);
        keys.keys[count++] = source << 32 | target;
        if (undirected && source != target)
            keys.keys[count++] = target << 32 | source;
    }
    build_few(&keys, count, num_vertices, graph, error);
    radix_release(&keys);
    return error->status;
}

static int build_edges(const struct edges *edges, vertex_t num_vertices, bool undirected, struct graph *graph,
                       struct error *error)
{
    struct builder builder;
    if (builder_init(&builder, num_vertices, error) != STATUS_OK)
        return error->status;
    builder.weight_type = edges->weight_type;
#pragma omp parallel
    {
        struct edge_writer *writer = &builder.writers[omp_get_thread_num()];
        const struct numbers sources = edges->sources, targets = edges->targets;
#pragma omp for
        for (uint64_t i = 0; i < edges->num_edges; i++) {
            vertex_t source = (vertex_t)number_at(&sources, i), target = (vertex_t)number_at(&targets, i);
            if (edges->weights != NULL)
                push_weighted_edge(writer, source, target, weight_at(edges, i) + 0.0, undirected); /* -0 becomes 0 */
            else
                push_edge_as(writer, source, target, undirected);
        }
    }
    builder.weight_type = builder_least_type(&builder);
    return builder_finish(&builder, num_vertices, graph, error);
}

uint64_t least_edges_on[NUM_DEVICES] = {UINT64_MAX, UINT64_C(1) << 22, UINT64_MAX, UINT64_MAX};

/* Builds many edges on the context's GPU. If the host must do it, returns false, and the graph has no lists. */
static bool build_on_gpu(gtrav_context *context, const struct edges *edges, bool undirected, struct graph *graph)
{
    const enum device_kind kind = device_of_choice(context->place.choice);
    const void *const ends[] = {edges->sources.entries, edges->targets.entries};
    struct error error = {0};
    struct device *device =
        edges->num_edges >= least_edges_on[kind] ? machine_device(&context->gpu->machine, kind) : NULL;
    if (device == NULL || shared_gpu_enter(context->gpu, kind, &error) != STATUS_OK)
        return false;
    device->build(ends, edges->sources.wide, edges->num_edges, undirected, graph, &error);
    shared_gpu_leave(context->gpu, kind);
    if (error.status != STATUS_OK)
        graph_release(graph);
    return error.status == STATUS_OK;
}

static int make_from_edges(gtrav_context *context, const struct edges *edges, uint64_t num_vertices, unsigned flags,
                           struct made *made, struct error *error)
{
    bool undirected = flags & GTRAV_UNDIRECTED;
    if (check_count(num_vertices, error) != STATUS_OK || check_edges(edges, &num_vertices, error) != STATUS_OK ||
        (edges->weights != NULL && check_weights(edges, error) != STATUS_OK))
        return error->status;
    bool is_small = edges->weights == NULL && num_vertices + edges->num_edges <= FEW;
    made->graph.num_vertices = (vertex_t)num_vertices;
    if ((edges->weights == NULL && build_on_gpu(context, edges, undirected, &made->graph)) ||
        (is_small ? sort_few : build_edges)(edges, (vertex_t)num_vertices, undirected, &made->graph, error) ==
            STATUS_OK)
        complete(made, flags, error);
    return error->status;
}

static int from_edges(gtrav_context *context, uint64_t num_vertices, struct edges edges, int id_bits, unsigned flags,
                      gtrav_graph **graph, gtrav_error *public_error)
{
    struct library_call call;
    struct made made = {0};
    if (!call_begin(&call, context, NULL, public_error))
        return call_end(&call);
    call_expect(num_vertices + edges.num_edges, 1);
    if (check_flags(flags, &call.error) == STATUS_OK &&
        read_width(id_bits, "ids", &edges.sources.wide, &call.error) == STATUS_OK) {
        edges.targets.wide = edges.sources.wide;
        make_from_edges(context, &edges, num_vertices, flags, &made, &call.error);
    }
    return hand_over(&call, context, &made, graph);
}

int gtrav_graph_from_edges(gtrav_context *context, uint64_t num_vertices, const void *sources, const void *targets,
                           int id_bits, uint64_t num_edges, unsigned flags, gtrav_graph **graph,
                           gtrav_error *public_error)
{
    const struct edges edges = {num_edges, {.entries = sources}, {.entries = targets}};
    if (graph != NULL)
        *graph = NULL;
    REQUIRE(public_error, graph != NULL && context != NULL && (num_edges == 0 || (sources != NULL && targets != NULL)));
    return from_edges(context, num_vertices, edges, id_bits, flags, graph, public_error);
}

int gtrav_graph_from_weighted_edges(gtrav_context *context, uint64_t num_vertices, const void *sources,
                                    const void *targets, int id_bits, const void *weights, int weight_bits,
                                    uint64_t num_edges, unsigned flags, gtrav_graph **graph, gtrav_error *public_error)
{
    const struct edges edges = {num_edges,
                                {.entries = sources},
                                {.entries = targets},
                                weights,
                                weight_bits == 32 ? WEIGHTS_FLOAT : WEIGHTS_DOUBLE};
    if (graph != NULL)
        *graph = NULL;
    REQUIRE(public_error, graph != NULL && context != NULL && (weight_bits == 32 || weight_bits == 64) &&
                              (num_edges == 0 || (sources != NULL && targets != NULL && weights != NULL)));
    return from_edges(context, num_vertices, edges, id_bits, flags, graph, public_error);
}
