/* specs.h: the texts that name graphs, and suggestions for misspelt ones. */
#pragma once

#include "generate.h"

/* Writes the spec that a word probably means: "kron:10" for "krn:10" and "kron10", the generator's syntax for "kron".
 * Returns false if no generator has a similar name. */
bool suggest_spec(const char *word, char *text, size_t size);

/* Reads a whole number of a spec, and moves *text past it. Returns false if there is none, or if it is out of
 * range. */
bool spec_number(const char **text, uint64_t minimum, uint64_t maximum, uint64_t *number);

/* Returns the generator that the spec names. NULL: there is none; the error suggests one. */
const struct generator *find_generator(const char *spec, struct error *error);

/* STATUS_INPUT if the spec names no graph: an unknown generator, or a missing file whose name resembles a generator
 * ("kron10"). graph_load() checks whether a file can be read and whether a spec's numbers are valid. */
int check_graph_spec(const char *spec, struct error *error);
