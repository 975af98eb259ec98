/* named_edges.h: collects edges whose vertex ids are arbitrary whole numbers or texts, and builds their graph.
 *
 * The vertices are the distinct ids in ascending order, so the graph does not depend on the order of the file's
 * lines. The graph keeps the ids. */
#pragma once

#include "dictionary.h"
#include "text_input.h"

struct named_edge_list;

struct named_edges {
    struct dictionary ids;
    struct named_edge_list *lists; /* one list per thread */
    int num_lists;
    bool weighted; /* the edges have weights; set before the first is added */
};

/* Makes a list for each OpenMP thread. The caller calls named_edges_release(), even after a failure. */
int named_edges_init(struct named_edges *edges, bool of_texts, struct error *error);
void named_edges_release(struct named_edges *edges);

/* Adds an edge to the list of the calling OpenMP thread, with its weight if the edges have any. Its texts must stay
 * until the thread calls named_edges_flush(), which adds the latest ids to the dictionary. Both return false if memory
 * is short. */
bool named_edges_append(struct named_edges *edges, const struct id ends[2], double weight);
bool named_edges_flush(struct named_edges *edges);

/* Builds the graph of all edges, or of all edges and their reverses, like finish_reading(), and sets its ids. On
 * failure *graph does not change. input: for messages. */
int named_edges_finish(struct named_edges *edges, const struct text_input *input, bool undirected, const char *origin,
                       struct graph *graph, struct error *error);
