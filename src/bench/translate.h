/* translate.h: between the input's vertex ids, in which sources and results are told, and those of the reordered
 * graph that an algorithm runs on. */
#ifndef GTRAV_TRANSLATE_H
#define GTRAV_TRANSLATE_H

#include "request.h"

struct translation {
    vertex_t num_vertices;
    const vertex_t
        *input_id;    /* of each vertex of the reordered graph; NULL: there is none, and nothing to translate */
    vertex_t *new_id; /* of each vertex of the input */
    struct traversal fetched; /* room for a result of the reordered graph; engine.c makes and frees it */
};

/* For the request's graphs. translation_release() in every case. */
int translation_init(struct translation *translation, const struct bench_request *request, struct error *error);
void translation_release(struct translation *translation);

/* The reordered graph's id of a source; NO_VERTEX stays. */
vertex_t translate_source(const struct translation *translation, vertex_t source);

/* The entries of every vertex of a result on the reordered graph -> of the result on the input, in the arrays that it
 * has. What is no vertex's id stays as it is, for verification to find. */
void translate_result(const struct translation *translation, const struct traversal *reordered,
                      struct traversal *result);

#endif
