/* specs.h: the texts that name graphs and orders, and suggestions for misspelt ones. */
#pragma once

#include <stddef.h>

#include "reorder.h"

/* Writes the spec that a word probably means: "kron:10" for "krn:10" and "kron10", the generator's syntax for "kron".
 * Returns false if the word is like no generator. */
bool suggest_spec(const char *word, char *text, size_t size);

/* STATUS_INPUT if the spec names no graph: an unknown generator, or a missing file whose name resembles a generator
 * ("kron10"). graph_load() checks whether a file can be read and whether a spec's numbers are valid. */
int check_graph_spec(const char *spec, struct error *error);

/* Parses the spec of an order. STATUS_INPUT, with a suggestion, for an unknown one. */
int parse_order(const char *spec, struct reorder *reorder, struct error *error);
