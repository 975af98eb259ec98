/* generators.h: the interface between generate.c, which runs a generator, and the files that define generators.
 *
 * A generator's work is a range of items (blocks of edges, rows, cells). The edges of an item do not depend on the
 * thread. prepare sets the number of items. push generates an item; many threads call it at the same time. */
#pragma once

#include "builder.h"
#include "generate.h"

/* A graph that is being generated. */
struct generation {
    const char *spec;
    uint64_t numbers[MAX_SPEC_NUMBERS]; /* the numbers in the spec; 0 if left out */
    double probability;
    bool undirected;
    bool weighted; /* push() gives every edge a weight */
    /* Set by prepare. */
    uint64_t num_vertices, num_items;
    const char *origin;               /* NULL: "generated" */
    double num_edges;                 /* the approximate number of edges, to estimate memory */
    unsigned num_parts;               /* the vertices are built in this many equal parts; usually 1 */
    double log_absent;                /* dag: ln(1 - probability) */
    void *data;                       /* private to the generator */
    void (*release_data)(void *data); /* NULL: data is not set */
    unsigned part;                    /* the part whose edges push() generates; prepare() does not set it */
};

/* STATUS_INPUT if this machine has too little memory for generating the graph and for extra_bytes. */
int require_room(const struct generation *generation, double extra_bytes, struct error *error);

/* The generators of the files generate_*.c */
prepare_generator prepare_gap, prepare_graph500, prepare_dag, prepare_web, prepare_kmer, prepare_mawi, prepare_snb,
    prepare_road, prepare_rgg, prepare_delaunay;
push_generator push_kron, push_graph500, push_urand, push_dag, push_web, push_kmer, push_mawi, push_snb, push_road,
    push_rgg, push_delaunay;
