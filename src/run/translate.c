#include "translate.h"

#include <stdlib.h>
#include <string.h>

#include "outputs.h"

int translation_init(struct translation *translation, const struct bench_request *request, struct error *error)
{
    *translation = (struct translation){.num_vertices = request->graph->num_vertices};
    if (request->reordered == NULL)
        return STATUS_OK;
    if (allocate(&translation->new_id, translation->num_vertices, sizeof *translation->new_id, "the permutation",
                 error) != STATUS_OK)
        return error->status;
    translation->input_id = request->reordered->permutation;
#pragma omp parallel for
    for (vertex_t k = 0; k < translation->num_vertices; k++)
        translation->new_id[translation->input_id[k]] = k;
    return STATUS_OK;
}

void translation_release(struct translation *translation)
{
    free(translation->new_id);
    *translation = (struct translation){0};
}

vertex_t translate_source(const struct translation *translation, vertex_t source)
{
    return translation->input_id != NULL && source != NO_VERTEX ? translation->new_id[source] : source;
}

static vertex_t input_id_of(const struct translation *translation, vertex_t vertex)
{
    return vertex < translation->num_vertices ? translation->input_id[vertex] : vertex;
}

/* to[v] = from[k], for entries of this size. */
static void copy_entry(void *to, vertex_t v, const void *from, vertex_t k, size_t bytes)
{
    if (bytes == sizeof(uint32_t))
        ((uint32_t *)to)[v] = ((const uint32_t *)from)[k];
    else
        memcpy((char *)to + v * bytes, (const char *)from + k * bytes, bytes);
}

/* In an order, this includes the unused places beyond num_ordered. */
static void translate_array(const struct translation *translation, const struct output_array *array, const void *from,
                            void *to)
{
    bool by_vertex = array->extent == PER_VERTEX;
#pragma omp parallel for
    for (vertex_t v = 0; v < translation->num_vertices; v++) {
        vertex_t k = by_vertex ? translation->new_id[v] : v;
        copy_entry(to, v, from, k, array->entry_bytes);
        if (array->holds_vertices)
            ((vertex_t *)to)[v] = input_id_of(translation, ((vertex_t *)to)[v]);
    }
}

void translate_result(const struct translation *translation, const struct traversal *reordered,
                      struct traversal *result)
{
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (is_translated(array) && entries_of(result, array) != NULL)
            translate_array(translation, array, entries_of(reordered, array), entries_of(result, array));
}
