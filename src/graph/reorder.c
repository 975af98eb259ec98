/* reorder.c: the table of reorderings, the simple ones, and how a graph is put into a new order. */
#include "reorder.h"

#include "../progress.h"
#include "../suggest.h"
#include "radix.h"
#include "random.h"
#include "specs.h"
#include "tail.h"
#include "weights.h"

#define VERTICES_A_CHUNK 1024  /* vertices that a thread takes at a time */
#define MAX_NAMES        16    /* of reorderings */
#define DEFAULT_WINDOW   65536 /* Blest, section 7.1: "In all our experiments, we set W = 2^16" */

/* ---- simple orders ---- */

static int arrange_naturally(const struct graph *graph, UNUSED uint64_t parameter, vertex_t *order,
                             UNUSED struct error *error)
{
#pragma omp parallel for
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        order[v] = v;
    return STATUS_OK;
}

/* A Fisher-Yates shuffle. Each draw is scaled to its range (Lemire 2019), with a bias of less than 2^-32. */
static int arrange_at_random(const struct graph *graph, uint64_t seed, vertex_t *order, UNUSED struct error *error)
{
    struct mt64 mt;
    mt64_seed(&mt, seed);
    for (vertex_t v = 0; v < graph->num_vertices; v++) {
        vertex_t k = (vertex_t)((unsigned __int128)mt64_draw(&mt) * ((uint64_t)v + 1) >> 64);
        order[v] = order[k];
        order[k] = v;
    }
    return STATUS_OK;
}

/* ---- the table ---- */

#define NATURAL "natural"
#define AUTO    "auto"

/* clang-format off */
const struct reordering reorderings[] = {
    {NATURAL, "natural", "as the input numbers them", 0, 0, 0, arrange_naturally},
    {"rcm", "rcm", "reverse Cuthill-McKee, puts neighbours near each other; for meshes and road networks",
     0, 0, 0, arrange_rcm},
    {"jaccard", "jaccard[:W]", "Blest's JaccardWithWindows, windows of W vertices (65536): groups of eight vertices "
     "that share most neighbours; for scale-free graphs", DEFAULT_WINDOW, 1, MAX_VERTICES, arrange_jaccard},
    {"random", "random[:SEED]", "shuffled", GAP_SEED, 0, UINT32_MAX, arrange_at_random},
    {AUTO, "auto[:D]", "jaccard for a scale-free-like graph (Blest, footnote 2), or with more than D edges per vertex "
     "(18 in the authors' code; 0: without this rule), else rcm", 0, 0, UINT32_MAX, NULL},
    {0},
};
/* clang-format on */

int reorder_parse(const char *spec, struct reorder *reorder, struct error *error)
{
    const char *names[MAX_NAMES];
    char name[64];
    size_t length = strcspn(spec, ":");
    int count = 0;
    const struct reordering *how = reorderings;
    snprintf(name, sizeof name, "%.*s", (int)length, spec);
    for (; how->name != NULL && strcmp(how->name, name) != 0; how++)
        names[count++] = how->name;
    if (how->name == NULL)
        return error_unknown("order", name, names, count, error);
    *reorder = (struct reorder){how, how->preset};
    if (spec[length] == '\0')
        return STATUS_OK;
    const char *end = spec + length + 1;
    if (how->maximum == 0)
        return error_set(error, STATUS_INPUT, "bad reordering \"%.40s\": %s takes no parameter", spec, how->name);
    if (!spec_number(&end, how->minimum, how->maximum, &reorder->parameter) || *end != '\0')
        return error_set(error, STATUS_INPUT,
                         "bad reordering \"%.40s\": a whole number from %" PRIu64 " to %" PRIu64 " goes into %s", spec,
                         how->minimum, how->maximum, how->syntax);
    return STATUS_OK;
}

void reorder_format(const struct reorder *reorder, char *text, size_t size)
{
    if (reorder->how->maximum > 0)
        snprintf(text, size, "%s:%" PRIu64, reorder->how->name, reorder->parameter);
    else
        snprintf(text, size, "%s", reorder->how->name);
}

bool reorder_changes(const struct reorder *reorder)
{
    return strcmp(reorder->how->name, NATURAL) != 0;
}

bool is_reordering(const char *text)
{
    struct reorder reorder;
    struct error unused = {0};
    char again[MAX_REORDERING];
    if (reorder_parse(text, &reorder, &unused) != STATUS_OK || reorder.how->arrange == NULL ||
        !reorder_changes(&reorder))
        return false;
    reorder_format(&reorder, again, sizeof again);
    return strcmp(text, again) == 0;
}

/* Blest, section 4.2: "If so [scale-free-like], we apply JaccardWithWindows [...]. Otherwise, we apply RCM." */
static int settle(const struct graph *graph, struct reorder *reorder, struct error *error)
{
    bool scale_free;
    if (strcmp(reorder->how->name, AUTO) != 0)
        return STATUS_OK;
    if (is_scale_free_like(graph, reorder->parameter, &scale_free, error) != STATUS_OK)
        return error->status;
    return reorder_parse(scale_free ? "jaccard" : "rcm", reorder, error);
}

/* ---- a graph in an order ---- */

int test_permutation(const vertex_t *order, vertex_t count, bool *yes, struct error *error)
{
    uint8_t *seen;
    bool right = true;
    if (allocate_zeroed(&seen, count, sizeof *seen, "checking the permutation", error) != STATUS_OK)
        return error->status;
#pragma omp parallel for reduction(&& : right)
    for (vertex_t k = 0; k < count; k++) {
        right = right && order[k] < count;
        if (order[k] < count)
            __atomic_store_n(&seen[order[k]], 1, __ATOMIC_RELAXED);
    }
#pragma omp parallel for reduction(&& : right)
    for (vertex_t v = 0; v < count; v++) /* if none of `count` values is missing, each occurs once */
        right = right && seen[v];
    free(seen);
    *yes = right;
    return STATUS_OK;
}

static int invert(const vertex_t *order, vertex_t count, vertex_t **inverse, struct error *error)
{
    if (allocate(inverse, count, sizeof **inverse, "the permutation", error) != STATUS_OK)
        return error->status;
    vertex_t *place = *inverse;
#pragma omp parallel for
    for (vertex_t k = 0; k < count; k++)
        place[order[k]] = k;
    return STATUS_OK;
}

/* Returns false if memory is short. */
static bool sort_row(vertex_t *row, edge_t length, struct radix *radix, unsigned id_bits)
{
    if (length <= SHORT_ROW) {
        sort_short_row(row, length);
        return true;
    }
    if (!radix_reserve(radix, length))
        return false;
    for (edge_t i = 0; i < length; i++)
        radix->keys[i] = row[i];
    radix_sort(radix, length, 0, id_bits);
    for (edge_t i = 0; i < length; i++)
        row[i] = (vertex_t)radix->keys[i];
    return true;
}

/* Fills row k of `permuted` with row order[k] of `graph`, in new ids. Returns false if memory is short. */
static bool permute_rows(const struct graph *graph, const vertex_t *order, const vertex_t *new_id,
                         struct graph *permuted)
{
    struct progress_listener *listener = progress_listener;
    bool complete = true;
    unsigned id_bits = bits_below(graph->num_vertices);
    const size_t bytes = weight_bytes(graph->weight_type);
#pragma omp parallel reduction(&& : complete)
    {
        progress_join(listener);
        struct radix radix = {0};
        bool stopped = false;
#pragma omp for schedule(dynamic, VERTICES_A_CHUNK)
        for (vertex_t k = 0; k < graph->num_vertices; k++) {
            stopped = stopped || (k % VERTICES_A_CHUNK == 0 && stop_requested());
            if (stopped)
                continue;
            vertex_t *row = permuted->targets + permuted->offsets[k];
            const vertex_t *old = graph->targets + graph->offsets[order[k]];
            edge_t length = graph_degree(graph, order[k]);
            for (edge_t i = 0; i < length; i++)
                row[i] = new_id[old[i]];
            if (bytes > 0) {
                char *weights = (char *)permuted->weights + permuted->offsets[k] * bytes;
                memcpy(weights, (char *)graph->weights + graph->offsets[order[k]] * bytes, length * bytes);
                complete = sort_weighted_row(row, weights, bytes, length, &radix, id_bits) && complete;
            } else {
                complete = sort_row(row, length, &radix, id_bits) && complete;
            }
        }
        radix_release(&radix);
    }
    return complete;
}

/* Makes the graph whose vertex k is vertex order[k] of `graph`. Sets every field but permutation and reordering. */
static int permute_graph(const struct graph *graph, const vertex_t *order, struct graph *permuted, struct error *error)
{
    vertex_t *new_id = NULL;
    vertex_t n = graph->num_vertices;
    *permuted = (struct graph){.num_vertices = n, .num_edges = graph->num_edges, .weight_type = graph->weight_type};
    if (graph->weights != NULL)
        allocate(&permuted->weights, graph->num_edges, weight_bytes(graph->weight_type), "the weights", error);
    if (error->status == STATUS_OK && graph_describe(permuted, graph, "", error) == STATUS_OK &&
        invert(order, n, &new_id, error) == STATUS_OK &&
        allocate(&permuted->offsets, (size_t)n + 1, sizeof *permuted->offsets, "the reordered graph's offsets",
                 error) == STATUS_OK &&
        allocate(&permuted->targets, graph->num_edges, sizeof *permuted->targets, "the reordered graph's edges",
                 error) == STATUS_OK) {
        edge_t *offsets = permuted->offsets;
        offsets[0] = 0;
#pragma omp parallel for
        for (vertex_t k = 0; k < n; k++)
            offsets[k + 1] = graph_degree(graph, order[k]);
        for (vertex_t k = 0; k < n; k++)
            offsets[k + 1] += offsets[k];
        if (!permute_rows(graph, order, new_id, permuted))
            error_set(error, STATUS_INPUT, "out of memory: sorting the reordered graph's rows");
        else if (stop_requested())
            error_set(error, STATUS_INTERRUPTED, "interrupted");
    }
    free(new_id);
    if (error->status != STATUS_OK)
        graph_release(permuted);
    return error->status;
}

int graph_reorder(const struct graph *graph, const struct reorder *wanted, struct graph *reordered, struct error *error)
{
    struct reorder reorder = *wanted;
    vertex_t *order = NULL;
    *reordered = (struct graph){0};
    if (settle(graph, &reorder, error) != STATUS_OK ||
        allocate(&order, graph->num_vertices, sizeof *order, "the permutation", error) != STATUS_OK)
        return error->status;
    progress_begin("reordering", graph->num_vertices);
    int status = reorder.how->arrange(graph, reorder.parameter, order, error);
    progress_end();
    if (status == STATUS_OK)
        status = permute_graph(graph, order, reordered, error);
    if (status != STATUS_OK) {
        free(order);
        return status;
    }
    reordered->permutation = order;
    reorder_format(&reorder, reordered->reordering, sizeof reordered->reordering);
    return STATUS_OK;
}

int graph_restore(const struct graph *reordered, struct graph *graph, struct error *error)
{
    vertex_t *place = NULL;
    *graph = (struct graph){0};
    if (invert(reordered->permutation, reordered->num_vertices, &place, error) == STATUS_OK)
        permute_graph(reordered, place, graph, error);
    free(place);
    return error->status;
}
