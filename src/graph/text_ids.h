/* text_ids.h: a dictionary of texts that many threads add to at once, and that then numbers them.
 *
 * The vertices are the distinct texts in the order of their bytes, so their numbers depend neither on the order of
 * the input nor on the threads. */
#pragma once

#include "graph.h"

struct text_shard;

struct text_ids {
    struct text_shard *shards;
};

/* The caller calls text_ids_release(), even after a failure. */
int text_ids_init(struct text_ids *ids, struct error *error);
void text_ids_release(struct text_ids *ids);

/* Adds a text of 1 to 2^31 bytes without a NUL, unless it is there. *place: where it is. False: out of memory. */
bool text_ids_add(struct text_ids *ids, const char *text, size_t length, uint64_t *place);

/* How many texts there are. */
uint64_t text_ids_count(const struct text_ids *ids);

/* Numbers the texts, fewer than 2^32, and gives them to the graph: names, name_at and num_vertices, no other field.
 * Nothing can be added afterwards. On failure the graph does not change. */
int text_ids_number(struct text_ids *ids, struct graph *graph, struct error *error);

/* The vertex of the text at a place. */
vertex_t text_ids_vertex(const struct text_ids *ids, uint64_t place);
