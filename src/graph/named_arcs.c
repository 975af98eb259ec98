#include "named_arcs.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "radix.h"
#include "readers.h"

/* The arcs that one thread has read. */
struct named_arc_list {
    uint64_t (*pairs)[2]; /* source, target */
    uint64_t count, capacity;
};

int named_arcs_init(struct named_arcs *arcs, struct error *error)
{
    arcs->num_lists = omp_get_max_threads();
    return allocate_zeroed(&arcs->lists, (size_t)arcs->num_lists, sizeof *arcs->lists, "the input", error);
}

void named_arcs_release(struct named_arcs *arcs)
{
    for (int i = 0; arcs->lists != NULL && i < arcs->num_lists; i++)
        free(arcs->lists[i].pairs);
    free(arcs->lists);
    *arcs = (struct named_arcs){0};
}

bool named_arcs_append(struct named_arcs *arcs, uint64_t source, uint64_t target)
{
    struct named_arc_list *list = &arcs->lists[omp_get_thread_num()];
    if (list->count == list->capacity) {
        uint64_t capacity = 2 * list->capacity + 256;
        void *larger = realloc(list->pairs, capacity * sizeof *list->pairs);
        if (larger == NULL)
            return false;
        list->pairs = larger;
        list->capacity = capacity;
    }
    list->pairs[list->count][0] = source;
    list->pairs[list->count++][1] = target;
    return true;
}

/* Makes the sorted array of the distinct ids. The caller frees *ids, which is NULL on failure. */
static int collect_ids(const struct named_arcs *arcs, const char *path, uint64_t **ids, uint64_t *count,
                       struct error *error)
{
    struct radix radix = {0};
    uint64_t num_arcs = 0, filled = 0;
    *ids = NULL;
    *count = 0;
    for (int i = 0; i < arcs->num_lists; i++)
        num_arcs += arcs->lists[i].count;
    if (!radix_reserve(&radix, 2 * num_arcs)) {
        error_set(error, STATUS_INPUT, "%s: out of memory: sorting the ids", path);
        goto end;
    }
    for (int i = 0; i < arcs->num_lists; i++)
        for (uint64_t k = 0; k < arcs->lists[i].count; k++) {
            radix.keys[filled++] = arcs->lists[i].pairs[k][0];
            radix.keys[filled++] = arcs->lists[i].pairs[k][1];
        }
    radix_sort(&radix, filled, 0, 64);
    for (uint64_t i = 0; i < filled; i++)
        if (*count == 0 || radix.keys[i] != radix.keys[*count - 1])
            radix.keys[(*count)++] = radix.keys[i];
    if (allocate(ids, *count, sizeof **ids, "the ids", error) == STATUS_OK)
        memcpy(*ids, radix.keys, *count * sizeof **ids);
end:
    radix_release(&radix);
    return error->status;
}

static void push_named(const struct named_arcs *arcs, const struct graph *named, bool undirected,
                       struct builder *builder)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < arcs->num_lists; i++)
        for (uint64_t k = 0; k < arcs->lists[i].count; k++) {
            vertex_t u, v;
            graph_find(named, arcs->lists[i].pairs[k][0], &u);
            graph_find(named, arcs->lists[i].pairs[k][1], &v);
            if (undirected)
                push_edge(&builder->writers[omp_get_thread_num()], u, v);
            else
                push_arc(&builder->writers[omp_get_thread_num()], u, v);
        }
}

int named_arcs_finish(const struct named_arcs *arcs, const struct text_input *input, bool undirected,
                      const char *origin, struct graph *graph, struct error *error)
{
    struct builder builder = {0};
    struct graph named = {0}; /* only ids and their number, for graph_find() */
    uint64_t num_ids = 0;
    if (collect_ids(arcs, input->path, &named.ids, &num_ids, error) == STATUS_OK &&
        check_vertex_count(input, num_ids, error) == STATUS_OK &&
        builder_init(&builder, num_ids, error) == STATUS_OK) {
        named.num_vertices = (vertex_t)num_ids;
        push_named(arcs, &named, undirected, &builder);
    }
    if (finish_reading(&builder, num_ids, undirected, origin, graph, error) == STATUS_OK)
        graph->ids = named.ids;
    else
        free(named.ids);
    return error->status;
}
