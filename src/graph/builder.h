/* builder.h: from edges in any order, pushed by many threads at once, to a graph in CSR.
 *
 * Every reader and every generator pushes its edges here; nothing else builds a graph. builder.c explains how it
 * works, and why its peak memory is about twice the finished graph. */
#pragma once

#include "graph.h"

#define BUILDER_BUCKETS 512u
#define WEIGHT_BYTES    64u /* bytes of a weight's text; longer weights count as different from others */

struct edge {
    vertex_t source, target;
};

struct edge_block;

/* One thread's edges, in buckets by the high bits of their source. */
struct edge_writer {
    struct edge *next[BUILDER_BUCKETS];         /* place of a bucket's next edge */
    struct edge *limit[BUILDER_BUCKETS];        /* end of the bucket's current block; == next: it needs a new one */
    struct edge_block *newest[BUILDER_BUCKETS]; /* the bucket's blocks, newest first */
    unsigned shift;                             /* bucket of v: v >> shift */
    uint64_t vertices_seen;                     /* the largest id, plus 1 */
    char weight[WEIGHT_BYTES];                  /* text of the first weight read; "": none was */
    bool weights_differ;                        /* not all weights read are equal */
    bool failed;                                /* out of memory; edges were lost */
    struct edge_slab *slabs;
};

struct builder {
    int num_writers; /* one per thread: omp_get_max_threads() at builder_init */
    struct edge_writer *writers;
};

/* num_vertices: of the graph, or 0 if that is not known yet; the buckets then widen as larger ids are pushed. */
int builder_init(struct builder *builder, uint64_t num_vertices, struct error *error);
void builder_release(struct builder *builder);

/* Slow paths of push_edge. */
void writer_widen(struct edge_writer *writer, vertex_t source);
bool writer_new_block(struct edge_writer *writer, unsigned bucket);

/* Adds the edge source -> target. A writer belongs to one thread at a time. */
static inline void push_edge(struct edge_writer *writer, vertex_t source, vertex_t target)
{
    vertex_t larger = source > target ? source : target;
    if (larger >= writer->vertices_seen)
        writer->vertices_seen = (uint64_t)larger + 1;
    if (source >> writer->shift >= BUILDER_BUCKETS)
        writer_widen(writer, source);
    unsigned bucket = source >> writer->shift;
    if (writer->next[bucket] == writer->limit[bucket] && !writer_new_block(writer, bucket))
        return;
    *writer->next[bucket]++ = (struct edge){source, target};
}

/* Adds an edge. If it is undirected and no self-loop, adds the reverse edge, too. */
static inline void push_edge_as(struct edge_writer *writer, vertex_t source, vertex_t target, bool undirected)
{
    push_edge(writer, source, target);
    if (undirected && source != target)
        push_edge(writer, target, source);
}

static inline void push_undirected_edge(struct edge_writer *writer, vertex_t u, vertex_t v)
{
    push_edge_as(writer, u, v, true);
}

/* The largest id pushed so far, plus 1; 0 if nothing was pushed. */
uint64_t builder_vertices_seen(const struct builder *builder);

/* Notes the weight of an edge, the text from start to end. The graph does not keep it. */
void compare_weight(struct edge_writer *writer, const char *start, const char *end);
static inline void note_weight(struct edge_writer *writer, const char *start, const char *end)
{
    if (!writer->weights_differ)
        compare_weight(writer, start, end);
}

/* Whether not all weights that were noted are equal. */
bool builder_weights_differ(const struct builder *builder);

/* Calls visit(edge, context), on this thread, for each edge pushed so far, in any order, until it returns false. */
void builder_visit(struct builder *builder, bool (*visit)(const struct edge *edge, void *context), void *context);

/* Builds the graph of num_vertices vertices (more than every id pushed) and frees the edges as it goes; the
 * builder is empty afterwards. Self-loops and duplicates are dropped and counted. Sets every field but name,
 * symmetric and origin. */
int builder_finish(struct builder *builder, vertex_t num_vertices, struct graph *graph, struct error *error);
