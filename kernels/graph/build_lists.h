/* build_lists.h: builds the neighbour lists of a graph on the device, from its input edges.
 *
 * The input edges are generated as often as they are read, so they take no memory. A first pass counts the degree of
 * each vertex and relabels the vertices by degree class (degree_order.h). Then the lists are built in pieces of
 * consecutive ids: a piece has as many edges as the free memory can sort. A sink takes each finished piece. So the
 * result and the input are never in memory together, and the sink may keep the lists in a form of its own.
 *
 * Both directions of an edge are stored, each neighbour once, self-loops never. Threads count and append in any
 * order, but sums do not depend on it, and sorting undoes it. So the result is the same in every run. */
#pragma once

#include "../../src/graph/graph500_list.h"
#include "degree_order.h"

namespace BACKEND
{

/* The degrees with duplicates, the room that each list needs before it is cleaned. */
struct raw_lists {
    vertex_t num_ids;    /* vertices that get lists: the other ids have no neighbours */
    edge_t num_targets;  /* of all lists; the finished lists have at most so many */
    edge_t *places;      /* num_ids + 1, in device memory: the sums of the degrees in the order of ids */
    uint64_t sink_bytes; /* device memory that the sink may take while the lists are built; the caller sets it */
};

/* A piece of the finished lists, in device memory that is valid during the call of the sink. */
struct built_lists {
    vertex_t first, number; /* the ids first .. first + number - 1; pieces come in the order of ids */
    edge_t num_targets;
    const edge_t *offsets;   /* number + 1, from 0 to num_targets */
    const vertex_t *targets; /* num_targets; each list ascends and has every id once */
};

/* Takes a piece. context: what the caller gave for it. Errors are sticky, as for all functions of backend.h. */
typedef void list_sink(void *context, const struct built_lists *lists, struct error *error);

/* Counts the degrees of a list of Graph500 and numbers the vertices as degree_order_find() does. Classes count
 * duplicate edges, which are known only when lists are sorted. For a search this only moves a few vertices to a
 * class above their own: the ids still name every vertex once, those without neighbours come last, and lists
 * ascend. Free raw->places by gpu_free(), also after an error. */
int graph500_count(const struct graph500_list *list, const struct relabelling_policy *policy, struct gpu_arena *arena,
                   struct degree_order *order, struct raw_lists *raw, struct error *error);

/* Builds the lists of the counted vertices, piece by piece, in the memory that is then free, less what the sink
 * may take. Frees raw->places. Error: no memory for the longest list (STATUS_DEVICE). */
int graph500_build(const struct graph500_list *list, const struct degree_order *order, struct raw_lists *raw,
                   list_sink *sink, void *context, struct error *error);

/* Does both, and collects the lists in a graph by id, which gets offsets of 64 bits if it is `wide` or needs them.
 * Its targets have room for duplicates, too. Call gpu_graph_free(), also after an error. */
int graph500_build_graph(const struct graph500_list *list, const struct relabelling_policy *policy, bool wide,
                         struct gpu_arena *arena, struct degree_order *order, struct gpu_graph *graph,
                         struct error *error);

extern unsigned build_least_pieces; /* the fewest pieces, unless there are fewer ids; tests set it */

} // namespace BACKEND
