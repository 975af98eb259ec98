/* hash.h: hashes of bytes, arrays and graphs; the same on every machine. */
#pragma once

#include "graph.h"

#define HASH_DIGITS 16 /* number of digits of a hash as text: */
#define HASH_FORMAT "%016" PRIx64

/* Adds bytes, or a text, to a hash. NULL differs from every text. */
uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t count);
uint64_t hash_text(uint64_t hash, const char *text);

/* Hashes an array of whole numbers of 4 or 8 bytes each. Parallel; any number of threads gives the same result. */
uint64_t hash_array(const void *numbers, size_t bytes_each, uint64_t count);

/* Returns a hash of the graph's content: offsets, targets and weights, but not name and ids. */
uint64_t graph_hash(const struct graph *graph);
