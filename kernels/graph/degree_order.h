/* degree_order.h: a graph on the device, relabelled by degree class. The order helps searches that look for
 * reached neighbours: each list begins with the neighbours of the highest degree.
 *
 * A class is a power of two of the degree. Relabelled ids ascend from the highest class to the lowest. Then
 * come the vertices that have only out-neighbours, if the degree is the in-degree, and last the isolated ones.
 * Within a class, vertices keep the order of their input ids. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

#define NUM_CLASSES WARP_SIZE         /* one per lane */
#define ONLY_OUT    (NUM_CLASSES - 2) /* the class of vertices of degree 0 that have out-neighbours */
#define ISOLATED    (NUM_CLASSES - 1)

/* A class holds the degrees from 2^power to 2^(power + 1) - 1. Class 0 also holds all higher degrees. */
#define HIGHEST_POWER         (ONLY_OUT - 1)
#define CLASS_OF_POWER(power) (HIGHEST_POWER - (power))

enum relabelling { RELABEL_AUTO, RELABEL_NO, RELABEL_YES };

/* Whether to relabel, and by which degree. */
struct relabelling_policy {
    enum relabelling wanted;
    bool (*pays_off)(const vertex_t starts[NUM_CLASSES], vertex_t num_vertices); /* decides if `wanted` is auto */
    bool both_degrees;               /* classify by in-degree plus out-degree; otherwise by in-degree */
    struct gpu_arena *inputs = NULL; /* owns input_of; NULL: the arena that owns id_of */
};

/* The result of relabelling: the vertices by class. */
struct degree_order {
    bool relabelled;
    vertex_t num_ids;             /* if relabelled, the first isolated id; otherwise the number of vertices */
    vertex_t starts[NUM_CLASSES]; /* the first id of each class; if not relabelled, class 0 has all vertices */
    vertex_t *id_of;              /* num_vertices; the id of each input id; padded with NO_VERTEX to a multiple of 4 */
    vertex_t *input_of;           /* num_vertices; the inverse of id_of. Both are NULL if not relabelled */
};

/* Numbers the vertices as the policy says. in, out: the neighbours; equal if the graph is symmetric. The ids are in
 * device memory of the arena. Error: out of memory (STATUS_DEVICE). */
int degree_order_find(const struct gpu_graph *in, const struct gpu_graph *out, const struct relabelling_policy *policy,
                      struct gpu_arena *arena, struct degree_order *order, struct error *error);

/* Writes the sums of the degrees in the order of ids, each degree rounded up to a multiple of `alignment`, a power of
 * two. places: num_vertices + 1, in device memory. */
int degree_order_places(const struct degree_order *order, const struct gpu_graph *graph, unsigned alignment,
                        edge_t *places, struct error *error);

/* Gives offsets in device memory to a graph, which must have its width, and narrows them if it is not wide. Takes
 * ownership of the offsets, also after an error. */
void degree_order_set_offsets(edge_t *offsets, struct gpu_graph *graph, struct error *error);

/* Replaces a graph by the relabelled graph: each list holds the ids of the neighbours, ordered by class. Within
 * a class they keep their order. So if the lists of the input ascend, those of the result also ascend. Each
 * list begins at a multiple of `alignment`, and is padded with the vertex's own id; num_edges
 * includes the padding. Offsets get 64 bits if they had 64 bits, if `wide` is set, or if padding requires it.
 * The old graph is freed, also after an error. */
int degree_order_apply(const struct degree_order *order, unsigned alignment, bool wide, struct gpu_graph *graph,
                       struct error *error);

/* The same for some lists in device memory, which are in the order of ids already: writes them to `ordered`, of the
 * size of `targets`, which is overwritten. offsets: number + 1, of both. */
int degree_order_lists(const struct degree_order *order, vertex_t number, const edge_t *offsets, vertex_t *targets,
                       vertex_t *ordered, struct error *error);

/* Returns about the id of an input id of n, from its degrees: vertices of a class are numbered by their input ids. */
vertex_t degree_order_guess(const struct degree_order *order, vertex_t input, vertex_t n, edge_t degree, edge_t out);

} // namespace BACKEND
