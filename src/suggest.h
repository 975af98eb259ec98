/* suggest.h: suggestions for misspelled names. */
#pragma once

#include "error.h"

/* Returns the index of a word in "random|load-aware"; -1: it is not there. */
int index_of_word(const char *words, const char *word, size_t length);

/* Appends a name to a list of names, after ", " unless the list is empty. Cuts the list off at `size` bytes. */
void append_name(char *list, size_t size, const char *name);

/* Returns the candidate nearest to word; NULL: none is a likely correction. */
const char *suggest(const char *word, const char *const *candidates, int count);

/* Fails with STATUS_INPUT: "unknown algorithm 'bsf'; did you mean 'bfs'?", or a list of all if none is near. */
int error_unknown(const char *what, const char *word, const char *const *candidates, int count, struct error *error);
