/* generators.h: between generate.c, which runs a generator, and the files that define them.
 *
 * A generator's work is a range of items (blocks of edges, rows, cells), each of which pushes the same arcs whoever
 * makes it. prepare sets how many there are; push makes some of them, from many threads at once. */
#ifndef GTRAV_GENERATORS_H
#define GTRAV_GENERATORS_H

#include "builder.h"
#include "generate.h"

/* One graph in the making. */
struct generation {
    const char *spec;
    uint64_t numbers[2]; /* as the spec gives them; 0 where one is left out */
    double probability;
    bool undirected;
    /* Set by prepare. */
    uint64_t num_vertices, num_items;
    const char *origin;               /* NULL: "generated" */
    double num_arcs;                  /* about how many are pushed: for the memory they need */
    void *data;                       /* the generator's own */
    void (*release_data)(void *data); /* NULL: data is not set */
};

/* STATUS_INPUT when this machine has too little memory for the graph in the making and for extra_bytes beside it. */
int require_room(const struct generation *generation, double extra_bytes, struct error *error);

/* generate_random.c */
int prepare_gap(struct generation *generation, struct error *error);
void push_kron(const struct generation *generation, struct arc_writer *writer, uint64_t first, uint64_t end);
void push_urand(const struct generation *generation, struct arc_writer *writer, uint64_t first, uint64_t end);
int prepare_dag(struct generation *generation, struct error *error);
void push_dag(const struct generation *generation, struct arc_writer *writer, uint64_t first, uint64_t end);

/* generate_snb.c */
int prepare_snb(struct generation *generation, struct error *error);
void push_snb(const struct generation *generation, struct arc_writer *writer, uint64_t first, uint64_t end);

/* generate_plane.c */
int prepare_road(struct generation *generation, struct error *error);
void push_road(const struct generation *generation, struct arc_writer *writer, uint64_t first, uint64_t end);
int prepare_rgg(struct generation *generation, struct error *error);
void push_rgg(const struct generation *generation, struct arc_writer *writer, uint64_t first, uint64_t end);
int prepare_delaunay(struct generation *generation, struct error *error);
void push_delaunay(const struct generation *generation, struct arc_writer *writer, uint64_t first, uint64_t end);

#endif
