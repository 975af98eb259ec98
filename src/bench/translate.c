#include "translate.h"

#include <stdlib.h>
#include <string.h>

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

void translate_result(const struct translation *translation, const struct traversal *reordered,
                      struct traversal *result)
{
#pragma omp parallel for
    for (vertex_t v = 0; v < translation->num_vertices; v++) {
        vertex_t k = translation->new_id[v];
        if (result->visited != NULL)
            result->visited[v] = reordered->visited[k];
        if (result->level != NULL)
            result->level[v] = reordered->level[k];
        if (result->parent != NULL)
            result->parent[v] = input_id_of(translation, reordered->parent[k]);
        if (result->order != NULL) /* beyond num_ordered too, where nothing is meant */
            result->order[v] = input_id_of(translation, reordered->order[v]);
        if (result->finish != NULL)
            result->finish[v] = input_id_of(translation, reordered->finish[v]);
        if (result->far != NULL) {
            result->far[v] = reordered->far[k];
            result->far_count[v] = reordered->far_count[k];
        }
    }
}
