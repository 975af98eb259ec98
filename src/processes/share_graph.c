/* share_graph.c: sends a graph from rank 0 to the others, array by array. ranks_share() splits arrays into pieces
 * that MPI can count. */
#include "share_graph.h"

#include <stdlib.h>
#include <string.h>

#include "../graph/random.h"
#include "ranks.h"

/* A graph's fields without its arrays. */
struct shape {
    bool is_there, is_symmetric, has_permutation, has_ids, has_signed_ids;
    vertex_t num_vertices;
    edge_t num_edges;
    uint64_t self_loops_dropped, duplicates_dropped, name_bytes;
    uint64_t id_text_bytes; /* 0: the ids are not text */
    char origin[sizeof((struct graph){0}.origin)], reordering[MAX_REORDERING];
};

static struct shape shape_of(const struct graph *graph)
{
    struct shape shape = {.is_there = graph->offsets != NULL};
    if (!shape.is_there)
        return shape;
    shape.is_symmetric = graph->symmetric;
    shape.has_permutation = graph->permutation != NULL;
    shape.has_ids = graph->ids != NULL;
    shape.has_signed_ids = graph->signed_ids;
    shape.id_text_bytes = graph->names != NULL ? graph->name_at[graph->num_vertices] : 0;
    shape.num_vertices = graph->num_vertices;
    shape.num_edges = graph->num_edges;
    shape.self_loops_dropped = graph->self_loops_dropped;
    shape.duplicates_dropped = graph->duplicates_dropped;
    shape.name_bytes = graph->name != NULL ? strlen(graph->name) + 1 : 0;
    memcpy(shape.origin, graph->origin, sizeof shape.origin);
    memcpy(shape.reordering, graph->reordering, sizeof shape.reordering);
    return shape;
}

static int make_room(const struct shape *shape, struct graph *graph, struct error *error)
{
    static const char what[] = "a copy of rank 0's graph";
    size_t n = shape->num_vertices;
    *graph = (struct graph){.num_vertices = shape->num_vertices,
                            .num_edges = shape->num_edges,
                            .symmetric = shape->is_symmetric,
                            .signed_ids = shape->has_signed_ids,
                            .self_loops_dropped = shape->self_loops_dropped,
                            .duplicates_dropped = shape->duplicates_dropped};
    memcpy(graph->origin, shape->origin, sizeof graph->origin);
    memcpy(graph->reordering, shape->reordering, sizeof graph->reordering);
    if (require_memory((double)graph_bytes(graph), what, error) != STATUS_OK)
        return error->status;
    if (shape->name_bytes > 0)
        allocate(&graph->name, shape->name_bytes, 1, what, error);
    if (shape->has_permutation)
        allocate(&graph->permutation, n, sizeof *graph->permutation, what, error);
    if (shape->has_ids)
        allocate(&graph->ids, n, sizeof *graph->ids, what, error);
    if (shape->id_text_bytes > 0) {
        allocate(&graph->name_at, n + 1, sizeof *graph->name_at, what, error);
        allocate(&graph->names, shape->id_text_bytes, 1, what, error);
    }
    allocate(&graph->offsets, n + 1, sizeof *graph->offsets, what, error);
    return allocate(&graph->targets, graph->num_edges, sizeof *graph->targets, what, error);
}

int share_graph(struct graph *graph, struct error *error)
{
    bool is_first = ranks()->rank == 0;
    struct shape shape = {0};
    if (ranks()->size == 1)
        return error->status;
    if (is_first)
        shape = shape_of(graph);
    ranks_share(&shape, sizeof shape);
    if (shape.is_there && !is_first)
        make_room(&shape, graph, error);
    if (ranks_agree(error) == STATUS_OK && shape.is_there) {
        size_t n = shape.num_vertices;
        ranks_share(graph->name, shape.name_bytes);
        ranks_share(graph->offsets, (n + 1) * sizeof *graph->offsets);
        ranks_share(graph->targets, shape.num_edges * sizeof *graph->targets);
        ranks_share(graph->permutation, shape.has_permutation ? n * sizeof *graph->permutation : 0);
        ranks_share(graph->ids, shape.has_ids ? n * sizeof *graph->ids : 0);
        ranks_share(graph->name_at, shape.id_text_bytes > 0 ? (n + 1) * sizeof *graph->name_at : 0);
        ranks_share(graph->names, shape.id_text_bytes);
        ranks_agree(error); /* an error if the ranks have stopped answering */
    }
    if (error->status != STATUS_OK && !is_first)
        graph_release(graph);
    return error->status;
}

uint64_t hash_text(uint64_t hash, const char *text)
{
    hash = random_bits(hash + (text != NULL));
    for (; text != NULL && *text != '\0'; text++)
        hash = random_bits(hash ^ (unsigned char)*text);
    return hash;
}
