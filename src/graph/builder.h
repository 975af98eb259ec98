/* builder.h: builds a graph in CSR from edges that many threads push at once, in any order.
 *
 * Every reader and every generator pushes its edges here; nothing else builds a graph. builder.c explains how it
 * works, and why its peak memory is about twice the finished graph. */
#pragma once

#include "graph.h"
#include "weights.h"

#define BUILDER_BUCKETS 512u
#define WEIGHT_BYTES    64u /* size of a weight's text; a longer weight differs from all others */

/* If the graph gets weights, the place after each edge holds its weight, a double, which has the same size. */
struct edge {
    vertex_t source, target;
};
_Static_assert(sizeof(struct edge) == sizeof(double), "an edge's weight takes the place after it");

struct edge_block;

/* One thread's edges, in buckets by the high bits of their source. */
struct edge_writer {
    struct edge *next[BUILDER_BUCKETS];         /* for each bucket, the place of its next edge */
    struct edge *limit[BUILDER_BUCKETS];        /* for each bucket, the end of its newest block */
    struct edge_block *newest[BUILDER_BUCKETS]; /* for each bucket, a list of its blocks, newest first */
    unsigned shift;                             /* the bucket of v is v >> shift */
    uint64_t vertices_seen;                     /* the largest id pushed, plus 1 */
    char weight[WEIGHT_BYTES];                  /* text of the first weight read; "": none was read */
    bool weights_differ;                        /* not all weights read are equal */
    bool has_fractions;                         /* WEIGHTS_UINT32 cannot hold all weights pushed */
    bool failed;                                /* out of memory; edges were lost */
    struct edge_slab *slabs;
};

struct builder {
    int num_writers; /* one per thread: omp_get_max_threads() in builder_init() */
    /* WEIGHTS_NONE, or the type of the graph's weights: set after builder_init(); then all edges are weighted. */
    enum weight_type weight_type;
    struct edge_writer *writers;
};

/* num_vertices: the graph's number of vertices, or 0 if unknown; then buckets widen as larger ids are pushed. */
int builder_init(struct builder *builder, uint64_t num_vertices, struct error *error);
void builder_release(struct builder *builder);

/* The slow paths of push_edge(). */
void writer_widen(struct edge_writer *writer, vertex_t source);
bool writer_new_block(struct edge_writer *writer, unsigned bucket);

/* Puts an edge into its bucket, where it takes one place, or two with a weight. Returns it; NULL: memory is short. */
static inline struct edge *place_edge(struct edge_writer *writer, vertex_t source, vertex_t target, unsigned places)
{
    vertex_t larger = source > target ? source : target;
    if (larger >= writer->vertices_seen)
        writer->vertices_seen = (uint64_t)larger + 1;
    if (source >> writer->shift >= BUILDER_BUCKETS)
        writer_widen(writer, source);
    unsigned bucket = source >> writer->shift;
    if (writer->next[bucket] == writer->limit[bucket] && !writer_new_block(writer, bucket))
        return NULL;
    struct edge *place = writer->next[bucket];
    writer->next[bucket] += places;
    *place = (struct edge){source, target};
    return place;
}

/* Adds the edge source -> target. A writer belongs to one thread at a time. */
static inline void push_edge(struct edge_writer *writer, vertex_t source, vertex_t target)
{
    place_edge(writer, source, target, 1);
}

/* Adds an edge. If it is undirected and no self-loop, also adds the reverse edge. */
static inline void push_edge_as(struct edge_writer *writer, vertex_t source, vertex_t target, bool undirected)
{
    push_edge(writer, source, target);
    if (undirected && source != target)
        push_edge(writer, target, source);
}

/* Adds a weighted edge, as push_edge_as(). Of several edges between the same vertices, the smallest weight counts. */
static inline void push_weighted_edge(struct edge_writer *writer, vertex_t source, vertex_t target, double weight,
                                      bool undirected)
{
    struct edge *edge = place_edge(writer, source, target, 2);
    if (edge != NULL)
        memcpy(edge + 1, &weight, sizeof weight);
    writer->has_fractions = writer->has_fractions || !is_whole_weight(weight);
    if (undirected && source != target)
        push_weighted_edge(writer, target, source, weight, false);
}

static inline void push_undirected_edge(struct edge_writer *writer, vertex_t u, vertex_t v)
{
    push_edge_as(writer, u, v, true);
}

/* Returns the largest id pushed so far, plus 1; 0 if nothing was pushed. */
uint64_t builder_vertices_seen(const struct builder *builder);

/* Compares the weight of an edge, the text from start to end, with the first one. The graph does not keep weights. */
void compare_weight(struct edge_writer *writer, const char *start, const char *end);
static inline void note_weight(struct edge_writer *writer, const char *start, const char *end)
{
    if (!writer->weights_differ)
        compare_weight(writer, start, end);
}

/* Returns WEIGHTS_UINT32 if that holds all weights pushed so far, else the builder's type. */
enum weight_type builder_least_type(const struct builder *builder);

/* Returns whether some of the weights differ. */
bool builder_weights_differ(const struct builder *builder);

/* Calls visit(edge, context), on this thread, for each edge pushed so far, in any order, until it returns false. */
void builder_visit(struct builder *builder, bool (*visit)(const struct edge *edge, void *context), void *context);

/* Builds the graph of num_vertices vertices (more than every id pushed) and frees the edges as it goes. The builder
 * is empty afterwards, and so is the graph after an error; an earlier error also ends the work. Self-loops and
 * duplicates are dropped and counted. Sets every field but name, origin, symmetric, and two about weights:
 * symmetric_weights and weight_source. */
int builder_finish(struct builder *builder, vertex_t num_vertices, struct graph *graph, struct error *error);

/* Builds the graph of `count` edges, each the key `source << 32 | target`, on this thread. Sets the same fields as
 * builder_finish(), without weights, and sorts the keys by target. STATUS_INPUT: memory is short; the graph is then
 * empty. */
int build_few(struct radix *keys, uint64_t count, vertex_t num_vertices, struct graph *graph, struct error *error);
