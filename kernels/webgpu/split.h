/* split.h: shaders for arrays that are too large for one binding (split.c). */
#pragma once

#include "../../src/error.h"

#define PART_STRIDE 32u /* between the bindings of an array's parts */

struct split {
    const char *name; /* of the array in the shader; NULL ends a list */
    unsigned parts;
    unsigned shift; /* a part has 1 << shift words */
};

/* The sources, which a NULL ends, one after the other, with the arrays split. The caller frees the text. NULL after
 * an error. */
char *split_shader(const char *const *sources, const struct split *splits, struct error *error);
