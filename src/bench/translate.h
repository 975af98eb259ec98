/* translate.h: from the input's vertex ids, which sources and results use, to those of the reordered graph that an
 * algorithm runs on, and back. */
#ifndef GTRAV_TRANSLATE_H
#define GTRAV_TRANSLATE_H

#include "request.h"

struct translation {
    vertex_t num_vertices;
    const vertex_t *input_id; /* of each vertex of the reordered graph; NULL: there is none, nothing to translate */
    vertex_t *new_id;         /* of each vertex of the input */
    struct traversal fetched; /* room for a result of the reordered graph; engine.c makes and frees it */
};

/* For the request's graphs. translation_release() in every case. */
int translation_init(struct translation *translation, const struct bench_request *request, struct error *error);
void translation_release(struct translation *translation);

/* The reordered graph's id of a source; NO_VERTEX stays. */
vertex_t translate_source(const struct translation *translation, vertex_t source);

/* Translates a result on the reordered graph into the arrays that the other result has. A value that is not the id of
 * a vertex stays as it is; verification finds it. */
void translate_result(const struct translation *translation, const struct traversal *reordered,
                      struct traversal *result);

#endif
