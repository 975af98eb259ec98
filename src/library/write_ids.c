/* write_ids.c: writes a graph with ids from arrays of the caller, such as a graph that was made from arrays. */
#include "../graph/reorder.h"
#include "internal.h"

/* Ids in the order of the handle's vertices; one of the two arrays is not NULL. */
struct given {
    const uint64_t *numbers;
    uint64_t flip; /* XORed with each id, so that negative ids sort first */
    const char *const *texts;
};

static int compare(const void *left, const void *right, void *context)
{
    const struct given *given = context;
    vertex_t a = *(const vertex_t *)left, b = *(const vertex_t *)right;
    if (given->texts != NULL)
        return strcmp(given->texts[a], given->texts[b]);
    uint64_t x = given->numbers[a] ^ given->flip, y = given->numbers[b] ^ given->flip;
    return (x > y) - (x < y);
}

/* Copies the ids to a graph without ids; order[k] is the vertex with the k-th id. */
static int take_ids(const struct given *given, const vertex_t *order, struct graph *named, struct error *error)
{
    vertex_t n = named->num_vertices;
    size_t bytes = 0;
    for (vertex_t v = 0; v < n && given->texts != NULL; v++)
        bytes += strlen(given->texts[v]) + 1;
    if (given->texts == NULL)
        allocate(&named->ids, n, sizeof *named->ids, "the ids", error);
    else if (allocate_zeroed(&named->name_at, (size_t)n + 1, sizeof *named->name_at, "the ids", error) == STATUS_OK)
        allocate(&named->names, bytes, 1, "the ids", error);
    for (vertex_t k = 0; k < n && error->status == STATUS_OK; k++)
        if (given->texts == NULL)
            named->ids[k] = given->numbers[order[k]];
        else
            named->name_at[k + 1] =
                (uint64_t)(stpcpy(named->names + named->name_at[k], given->texts[order[k]]) + 1 - named->names);
    named->signed_ids = error->status == STATUS_OK && n > 0 && named->ids != NULL && (named->ids[0] & given->flip);
    return error->status;
}

/* Writes the graph with these ids. A file needs ascending ids, so the graph is put into the order of its ids; the
 * file keeps its own order as a permutation if the graph is reordered. */
static int write_named(const struct graph *own, struct given *given, const char *path, struct error *error)
{
    struct graph named = *own, restored = {0};
    vertex_t n = own->num_vertices, *order = NULL;
    named.ids = named.name_at = NULL;
    named.names = NULL;
    named.permutation = NULL;
    allocate(&order, n, sizeof *order, "the ids", error);
    allocate(&named.permutation, n, sizeof *named.permutation, "the ids", error);
    for (vertex_t v = 0; v < n && error->status == STATUS_OK; v++)
        order[v] = v;
    if (error->status == STATUS_OK)
        qsort_r(order, n, sizeof *order, compare, given);
    for (vertex_t k = 0; k < n && error->status == STATUS_OK; k++) {
        named.permutation[order[k]] = k;
        if (k > 0 && compare(&order[k - 1], &order[k], given) == 0)
            error_set(error, STATUS_INPUT, "vertices %u and %u have the same id", order[k - 1], order[k]);
    }
    bool restores = !is_reordering(own->reordering);
    if (error->status == STATUS_OK && take_ids(given, order, &named, error) == STATUS_OK &&
        (!restores || graph_restore(&named, &restored, error) == STATUS_OK))
        graph_write(restores ? &restored : &named, path, error);
    graph_release(&restored);
    free(named.ids);
    free(named.name_at);
    free(named.names);
    free(named.permutation);
    free(order);
    return error->status;
}

int gtrav_graph_write_ids(const gtrav_graph *graph, const char *path, const uint64_t *numbers, bool are_signed,
                          const char *const *texts, gtrav_error *public_error)
{
    struct library_call call;
    struct given given = {numbers, are_signed ? UINT64_C(1) << 63 : 0, texts};
    REQUIRE(public_error, graph != NULL && path != NULL);
    bool begun = call_begin(&call, graph->context, NULL, public_error);
    if (begun && (numbers != NULL) == (texts != NULL))
        error_set(&call.error, STATUS_INPUT, "give ids as numbers or as texts, one of the two");
    else if (begun)
        write_named(&graph->graph, &given, path, &call.error);
    return call_end(&call);
}
