/* suggest.h: what the user probably meant by a name that does not exist. */
#ifndef GTRAV_SUGGEST_H
#define GTRAV_SUGGEST_H

#include "../error.h"

/* The candidate nearest to word, or NULL where none is near enough to have been meant. */
const char *suggest(const char *word, const char *const *candidates, int count);

/* STATUS_INPUT: "unknown algorithm 'bsf'; did you mean 'bfs'?", or where nothing is near, the list of what there is.
 */
int error_unknown(const char *what, const char *word, const char *const *candidates, int count, struct error *error);

#endif
