/* hash.h: hashes of bytes, arrays and graphs; the same on every machine. */
#pragma once

#include <inttypes.h>

#include "graph.h"

#define HASH_DIGITS 16 /* digits of a hash as text: */
#define HASH_FORMAT "%016" PRIx64

/* Adds bytes, or a text, to a hash. NULL is like no text. */
uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t count);
uint64_t hash_text(uint64_t hash, const char *text);

/* Hashes of arrays. Parallel; any number of threads gives the same. */
uint64_t hash_words(const uint64_t *words, uint64_t count);
uint64_t hash_vertices(const vertex_t *vertices, uint64_t count);

/* A hash of the graph's content: offsets and targets, without name and ids. */
uint64_t graph_hash(const struct graph *graph);
