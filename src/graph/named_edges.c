#include "named_edges.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "radix.h"
#include "readers.h"

/* The edges that one thread has read. */
struct named_edge_list {
    uint64_t (*pairs)[2]; /* source, target */
    uint64_t count, capacity;
};

int named_edges_init(struct named_edges *edges, struct error *error)
{
    *edges = (struct named_edges){.num_lists = omp_get_max_threads()};
    return allocate_zeroed(&edges->lists, (size_t)edges->num_lists, sizeof *edges->lists, "the input", error);
}

void named_edges_release(struct named_edges *edges)
{
    for (int i = 0; edges->lists != NULL && i < edges->num_lists; i++)
        free(edges->lists[i].pairs);
    free(edges->lists);
    *edges = (struct named_edges){0};
}

bool named_edges_append(struct named_edges *edges, uint64_t source, uint64_t target)
{
    struct named_edge_list *list = &edges->lists[omp_get_thread_num()];
    struct error unused = {0};
    if (list->count == list->capacity && allocate_more(&list->pairs, list->count, 1, &list->capacity,
                                                       sizeof *list->pairs, "edges", &unused) != STATUS_OK)
        return false;
    list->pairs[list->count][0] = source;
    list->pairs[list->count++][1] = target;
    return true;
}

void named_edges_note(struct named_edges *edges, bool negative, bool huge)
{
    if (negative && !__atomic_load_n(&edges->has_negative, __ATOMIC_RELAXED))
        __atomic_store_n(&edges->has_negative, true, __ATOMIC_RELAXED);
    if (huge && !__atomic_load_n(&edges->has_huge, __ATOMIC_RELAXED))
        __atomic_store_n(&edges->has_huge, true, __ATOMIC_RELAXED);
}

bool named_edges_are_below(const struct named_edges *edges, uint64_t bound)
{
    bool below = !edges->has_negative;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : below)
    for (int i = 0; i < edges->num_lists; i++)
        for (uint64_t k = 0; k < edges->lists[i].count; k++)
            below = below && edges->lists[i].pairs[k][0] < bound && edges->lists[i].pairs[k][1] < bound;
    return below;
}

/* Makes the sorted array of the distinct ids. The caller frees *ids, which is NULL on failure. */
static int collect_ids(const struct named_edges *edges, const char *path, uint64_t **ids, uint64_t *count,
                       struct error *error)
{
    struct radix radix = {0};
    uint64_t num_edges = 0, filled = 0;
    uint64_t flip = edges->has_negative ? UINT64_C(1) << 63 : 0; /* the sign bit: negative numbers come first */
    *ids = NULL;
    *count = 0;
    for (int i = 0; i < edges->num_lists; i++)
        num_edges += edges->lists[i].count;
    if (!radix_reserve(&radix, 2 * num_edges)) {
        error_set(error, STATUS_INPUT, "%s: out of memory: sorting the ids", path);
        goto end;
    }
    for (int i = 0; i < edges->num_lists; i++)
        for (uint64_t k = 0; k < edges->lists[i].count; k++) {
            radix.keys[filled++] = edges->lists[i].pairs[k][0] ^ flip;
            radix.keys[filled++] = edges->lists[i].pairs[k][1] ^ flip;
        }
    radix_sort(&radix, filled, 0, 64);
    for (uint64_t i = 0; i < filled; i++)
        if (*count == 0 || radix.keys[i] != radix.keys[*count - 1])
            radix.keys[(*count)++] = radix.keys[i];
    if (allocate(ids, *count, sizeof **ids, "the ids", error) == STATUS_OK)
        for (uint64_t i = 0; i < *count; i++)
            (*ids)[i] = radix.keys[i] ^ flip;
end:
    radix_release(&radix);
    return error->status;
}

/* Returns the vertex of an id, which must be an id of the graph. */
static vertex_t vertex_of(const struct graph *named, const struct text_ids *texts, uint64_t id)
{
    vertex_t vertex = 0;
    if (texts != NULL)
        return text_ids_vertex(texts, id);
    graph_find(named, id, &vertex);
    return vertex;
}

static void push_named(const struct named_edges *edges, const struct graph *named, const struct text_ids *texts,
                       bool undirected, struct builder *builder)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < edges->num_lists; i++)
        for (uint64_t k = 0; k < edges->lists[i].count; k++) {
            vertex_t u = vertex_of(named, texts, edges->lists[i].pairs[k][0]);
            vertex_t v = vertex_of(named, texts, edges->lists[i].pairs[k][1]);
            push_edge_as(&builder->writers[omp_get_thread_num()], u, v, undirected);
        }
}

/* Sets the ids and the number of vertices of `named`. */
static int number_ids(const struct named_edges *edges, const struct text_input *input, struct text_ids *texts,
                      struct graph *named, struct error *error)
{
    uint64_t num_ids = texts != NULL ? text_ids_count(texts) : 0;
    if (edges->has_negative && edges->has_huge)
        return error_set(error, STATUS_INPUT, "%s: ids below 0 and above 2^63 - 1 in one file; --ids text takes both",
                         input->path);
    if (texts == NULL && collect_ids(edges, input->path, &named->ids, &num_ids, error) != STATUS_OK)
        return error->status;
    if (check_counts(input, num_ids, 0, error) != STATUS_OK)
        return error->status;
    named->signed_ids = edges->has_negative;
    named->num_vertices = (vertex_t)num_ids;
    return texts != NULL ? text_ids_number(texts, named, error) : STATUS_OK;
}

int named_edges_finish(const struct named_edges *edges, const struct text_input *input, struct text_ids *texts,
                       bool undirected, const char *origin, struct graph *graph, struct error *error)
{
    struct builder builder = {0};
    struct graph named = {0}; /* has only ids and their number */
    if (number_ids(edges, input, texts, &named, error) == STATUS_OK &&
        builder_init(&builder, named.num_vertices, error) == STATUS_OK)
        push_named(edges, &named, texts, undirected, &builder);
    if (finish_reading(&builder, named.num_vertices, undirected, origin, graph, error) != STATUS_OK) {
        graph_release(&named);
        return error->status;
    }
    graph->ids = named.ids;
    graph->signed_ids = named.signed_ids;
    graph->name_at = named.name_at;
    graph->names = named.names;
    return STATUS_OK;
}
