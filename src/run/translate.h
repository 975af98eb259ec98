/* translate.h: translates between the input's vertex ids, which sources and results use, and those of the reordered
 * graph on which an algorithm runs. */
#pragma once

#include "../records/request.h"

struct translation {
    vertex_t num_vertices;
    const vertex_t *input_id; /* the input's id of each vertex of the reordered graph; NULL: not reordered, nothing to
                                 translate */
    vertex_t *new_id;         /* the reordered graph's id of each vertex of the input */
    struct traversal fetched; /* memory for a result on the reordered graph; engine.c allocates and frees it */
};

/* Makes the translation for the request's graphs. Call translation_release() in every case. */
int translation_init(struct translation *translation, const struct bench_request *request, struct error *error);
void translation_release(struct translation *translation);

/* The reordered graph's id of a source; NO_VERTEX is not changed. */
vertex_t translate_source(const struct translation *translation, vertex_t source);

/* Translates a result on the reordered graph into the arrays that the other result has. A value that is not a
 * vertex id is copied unchanged; verification finds it. */
void translate_result(const struct translation *translation, const struct traversal *reordered,
                      struct traversal *result);
