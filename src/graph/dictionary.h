/* dictionary.h: the distinct ids of a file, all of them numbers or all of them texts. Many threads add ids at once.
 * At the end the ids in ascending order (of numbers, or of bytes) become the vertices 0, 1, 2, ... So the vertices
 * depend neither on the order of the input nor on the threads. */
#pragma once

#include "graph.h"
#include "radix.h"

struct id {
    const char *text; /* 1 to 2^31 bytes without a NUL; not owned. NULL: the id is a number */
    size_t length;    /* of the text */
    uint64_t number;  /* as int64_t if it is negative */
    bool negative;    /* the number is below 0 */
    uint64_t place;   /* set by dictionary_add(): the place of the id in the dictionary */
};

struct shard;

struct dictionary {
    struct shard *shards;
    bool of_texts;
    bool has_negative, has_huge; /* a number is below 0; a number is above INT64_MAX */
};

/* The caller calls dictionary_release(), even after a failure. */
int dictionary_init(struct dictionary *dictionary, bool of_texts, struct error *error);
void dictionary_release(struct dictionary *dictionary);

/* Adds ids, and sets their places. Thousands of ids together take much less time than one by one. radix: the calling
 * thread's. Returns false if memory is short. */
bool dictionary_add(struct dictionary *dictionary, struct id *ids, uint32_t count, struct radix *radix);

/* Returns the number of distinct ids. */
uint64_t dictionary_count(const struct dictionary *dictionary);

/* Returns whether all numbers are below the bound, and none is below 0. */
bool dictionary_is_below(const struct dictionary *dictionary, uint64_t bound);

/* Numbers the ids, fewer than 2^32, and gives them to the graph: num_vertices, and ids and signed_ids, or names and
 * name_at. Nothing can be added afterwards. On failure the caller releases the graph. */
int dictionary_number(struct dictionary *dictionary, struct graph *graph, struct error *error);

/* Returns the vertex of the id at a place. */
vertex_t dictionary_vertex(const struct dictionary *dictionary, uint64_t place);
