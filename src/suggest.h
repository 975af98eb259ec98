/* suggest.h: suggestions for misspelled names. */
#pragma once

#include "error.h"

/* The candidate nearest to word, or NULL if none is near enough to be a likely correction. */
const char *suggest(const char *word, const char *const *candidates, int count);

/* STATUS_INPUT: "unknown algorithm 'bsf'; did you mean 'bfs'?", or, if no candidate is near, the list of all
 * candidates. */
int error_unknown(const char *what, const char *word, const char *const *candidates, int count, struct error *error);
