/* share_graph.c: sends a graph from rank 0 to the others, array by array. */
#include "../graph/graph.h"
#include "ranks.h"

/* Rank 0 sends this first. Of the graph's pointers, the other ranks use only whether they are NULL. */
struct shape {
    struct graph graph;
    uint64_t name_bytes, id_text_bytes; /* id_text_bytes 0: the ids are not text */
};

static int make_room(const struct shape *shape, struct graph *graph, struct error *error)
{
    static const char what[] = "a copy of rank 0's graph";
    size_t n = shape->graph.num_vertices;
    *graph = shape->graph;
    graph->name = graph->names = graph->read_as = NULL;
    graph->offsets = graph->ids = graph->name_at = NULL;
    graph->targets = graph->permutation = NULL;
    graph->weights = NULL;
    size_t weights = weight_bytes(graph->weight_type);
    if (require_memory((double)graph_bytes(graph) + (double)(graph->num_edges * weights), what, error) != STATUS_OK)
        return error->status;
    if (shape->name_bytes > 0)
        allocate(&graph->name, shape->name_bytes, 1, what, error);
    if (shape->graph.permutation != NULL)
        allocate(&graph->permutation, n, sizeof *graph->permutation, what, error);
    if (shape->graph.ids != NULL)
        allocate(&graph->ids, n, sizeof *graph->ids, what, error);
    if (shape->id_text_bytes > 0) {
        allocate(&graph->name_at, n + 1, sizeof *graph->name_at, what, error);
        allocate(&graph->names, shape->id_text_bytes, 1, what, error);
    }
    if (weights > 0)
        allocate(&graph->weights, graph->num_edges, weights, what, error);
    allocate(&graph->offsets, n + 1, sizeof *graph->offsets, what, error);
    return allocate(&graph->targets, graph->num_edges, sizeof *graph->targets, what, error);
}

int share_graph(struct graph *graph, struct error *error)
{
    bool is_first = ranks()->rank == 0;
    struct shape shape = {0};
    if (ranks()->size == 1)
        return error->status;
    if (is_first && graph->offsets != NULL)
        shape = (struct shape){.graph = *graph,
                               .name_bytes = graph->name != NULL ? strlen(graph->name) + 1 : 0,
                               .id_text_bytes = graph->names != NULL ? graph->name_at[graph->num_vertices] : 0};
    ranks_share(&shape, sizeof shape);
    bool is_there = shape.graph.offsets != NULL;
    if (is_there && !is_first)
        make_room(&shape, graph, error);
    if (ranks_agree(error) == STATUS_OK && is_there) {
        size_t n = shape.graph.num_vertices;
        ranks_share(graph->name, shape.name_bytes);
        ranks_share(graph->offsets, (n + 1) * sizeof *graph->offsets);
        ranks_share(graph->targets, shape.graph.num_edges * sizeof *graph->targets);
        ranks_share(graph->weights, shape.graph.num_edges * weight_bytes(shape.graph.weight_type));
        ranks_share(graph->permutation, shape.graph.permutation != NULL ? n * sizeof *graph->permutation : 0);
        ranks_share(graph->ids, shape.graph.ids != NULL ? n * sizeof *graph->ids : 0);
        ranks_share(graph->name_at, shape.id_text_bytes > 0 ? (n + 1) * sizeof *graph->name_at : 0);
        ranks_share(graph->names, shape.id_text_bytes);
        ranks_agree(error); /* sets an error if the ranks have stopped answering */
    }
    if (error->status != STATUS_OK && !is_first)
        graph_release(graph);
    return error->status;
}
