/* named_edges.h: collects edges whose vertex ids are arbitrary whole numbers or texts, and builds their graph.
 *
 * The vertices are the distinct ids in ascending order, so the graph does not depend on the order of the file's
 * lines. The graph keeps the ids. */
#pragma once

#include "text_ids.h"
#include "text_input.h"

struct named_edge_list;

struct named_edges {
    struct named_edge_list *lists; /* one list per thread */
    int num_lists;
    bool has_negative, has_huge; /* there are numbers below 0; there are numbers above INT64_MAX; not both */
};

/* Makes a list for each OpenMP thread. The caller calls named_edges_release(), even after a failure. */
int named_edges_init(struct named_edges *edges, struct error *error);
void named_edges_release(struct named_edges *edges);

/* Adds an edge to the list of the calling OpenMP thread. The ids are numbers (negative ones as of int64_t), or the
 * places of texts in a dictionary. Returns false if memory is short. */
bool named_edges_append(struct named_edges *edges, uint64_t source, uint64_t target);

/* Notes that a number is negative, or above INT64_MAX. Any thread may call it. */
void named_edges_note(struct named_edges *edges, bool negative, bool huge);

/* Returns whether all numbers are at least 0 and less than the bound. */
bool named_edges_are_below(const struct named_edges *edges, uint64_t bound);

/* Builds the graph of all edges, or of all edges and their reverses, like finish_reading(), and sets its ids. On
 * failure *graph does not change. input: for messages. texts: the dictionary; NULL: ids are numbers. */
int named_edges_finish(const struct named_edges *edges, const struct text_input *input, struct text_ids *texts,
                       bool undirected, const char *origin, struct graph *graph, struct error *error);
