/* suggest.h: suggestions for misspelled names. */
#pragma once

#include <stddef.h>

#include "error.h"

/* The index of a word in "random|load-aware"; -1: it is none of them. */
int index_of_word(const char *words, const char *word, size_t length);

/* Appends a name to a list of names, behind ", " unless the list is empty. Cuts what has no room in `size` bytes. */
void append_name(char *list, size_t size, const char *name);

/* The candidate nearest to word, or NULL if none is near enough to be a likely correction. */
const char *suggest(const char *word, const char *const *candidates, int count);

/* STATUS_INPUT: "unknown algorithm 'bsf'; did you mean 'bfs'?", or, if none is near, a list of all. */
int error_unknown(const char *what, const char *word, const char *const *candidates, int count, struct error *error);
