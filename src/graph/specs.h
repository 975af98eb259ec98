/* specs.h: the texts that name graphs, and suggestions for misspelt ones. */
#pragma once

#include <stddef.h>

#include "generate.h"

/* Writes the spec that a word probably means: "kron:10" for "krn:10" and "kron10", the generator's syntax for "kron".
 * Returns false if no generator has a similar name. */
bool suggest_spec(const char *word, char *text, size_t size);

/* Returns the generator that the spec names. NULL: there is none; the error suggests one. */
const struct generator *find_generator(const char *spec, struct error *error);

/* STATUS_INPUT if the spec names no graph: an unknown generator, or a missing file whose name resembles a generator
 * ("kron10"). graph_load() checks whether a file can be read and whether a spec's numbers are valid. */
int check_graph_spec(const char *spec, struct error *error);
