/* text_ids.h: a dictionary of texts that many threads add to at once, and that then numbers them.
 *
 * The vertices are the distinct texts in the order of their bytes, so their numbers depend neither on the order of
 * the input nor on the threads. */
#pragma once

#include "graph.h"

#define TEXTS_OF_BATCH 32768u

/* Texts that one thread adds together, which is much faster than one by one. */
struct text_batch {
    uint32_t count;
    struct batch_text {
        const char *text; /* the caller's, until the batch is added */
        uint32_t length;
        uint64_t place; /* the text's hash; once it is added, its place in the dictionary */
    } texts[TEXTS_OF_BATCH];
    uint32_t order[TEXTS_OF_BATCH]; /* work space */
};

struct text_shard;

struct text_ids {
    struct text_shard *shards;
    struct text_batch **batches; /* num_batches: of the OpenMP threads, allocated when they are used */
    int num_batches;
};

/* The caller calls text_ids_release(), even after a failure. */
int text_ids_init(struct text_ids *ids, struct error *error);
void text_ids_release(struct text_ids *ids);

/* The batch of the calling OpenMP thread; NULL if memory is short. */
struct text_batch *text_ids_batch(struct text_ids *ids);

/* Appends a text, of 1 to 2^31 bytes without a NUL, to a batch that has room. */
void text_batch_append(struct text_batch *batch, const char *text, size_t length);

/* Adds the texts of a batch to the dictionary, and sets their places. False: out of memory. The caller empties it. */
bool text_ids_add(struct text_ids *ids, struct text_batch *batch);

/* How many texts there are. */
uint64_t text_ids_count(const struct text_ids *ids);

/* Numbers the texts, fewer than 2^32, and gives them to the graph: names, name_at and num_vertices, no other field.
 * Nothing can be added afterwards. On failure the graph does not change. */
int text_ids_number(struct text_ids *ids, struct graph *graph, struct error *error);

/* The vertex of the text at a place. */
vertex_t text_ids_vertex(const struct text_ids *ids, uint64_t place);
