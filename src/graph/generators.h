/* generators.h: the interface between generate.c, which runs a generator, and the files that define generators.
 *
 * A generator's work is a range of items (blocks of edges, rows, cells). An item pushes the same edges on any thread.
 * prepare sets the number of items; push generates some of them, and many threads call it at once. */
#pragma once

#include "builder.h"
#include "generate.h"

/* A graph that is being generated. */
struct generation {
    const char *spec;
    uint64_t numbers[MAX_SPEC_NUMBERS]; /* of the spec; 0 if left out */
    double probability;
    bool undirected;
    /* Set by prepare. */
    uint64_t num_vertices, num_items;
    const char *origin;               /* NULL: "generated" */
    double num_edges;                 /* the approximate number of edges, to estimate memory */
    void *data;                       /* the generator's own */
    void (*release_data)(void *data); /* NULL: data is not set */
};

/* STATUS_INPUT if this machine has too little memory to generate the graph with extra_bytes in addition. */
int require_room(const struct generation *generation, double extra_bytes, struct error *error);

/* generate_random.c */
int prepare_gap(struct generation *generation, struct error *error);
void push_kron(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);
void push_urand(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);
int prepare_dag(struct generation *generation, struct error *error);
void push_dag(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);

/* generate_web.c */
int prepare_web(struct generation *generation, struct error *error);
void push_web(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);

/* generate_kmer.c */
int prepare_kmer(struct generation *generation, struct error *error);
void push_kmer(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);

/* generate_traffic.c */
int prepare_mawi(struct generation *generation, struct error *error);
void push_mawi(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);

/* generate_snb.c */
int prepare_snb(struct generation *generation, struct error *error);
void push_snb(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);

/* generate_plane.c and generate_delaunay.c */
int prepare_road(struct generation *generation, struct error *error);
void push_road(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);
int prepare_rgg(struct generation *generation, struct error *error);
void push_rgg(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);
int prepare_delaunay(struct generation *generation, struct error *error);
void push_delaunay(const struct generation *generation, struct edge_writer *writer, uint64_t first, uint64_t end);
