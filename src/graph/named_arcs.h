/* named_arcs.h: arcs of files whose vertex ids are arbitrary whole numbers, and the graph of these arcs.
 *
 * The vertices are the distinct ids in ascending order, so the graph does not depend on the order of the file's
 * lines. graph->ids keeps the ids. */
#ifndef GTRAV_NAMED_ARCS_H
#define GTRAV_NAMED_ARCS_H

#include "text_input.h"

struct named_arc_list;

struct named_arcs {
    struct named_arc_list *lists; /* one for each thread */
    int num_lists;
};

/* Makes a list for each OpenMP thread. The caller calls named_arcs_release(), even after a failure. */
int named_arcs_init(struct named_arcs *arcs, struct error *error);
void named_arcs_release(struct named_arcs *arcs);

/* Adds an arc to the list of the calling OpenMP thread. Returns false if memory is short. */
bool named_arcs_append(struct named_arcs *arcs, uint64_t source, uint64_t target);

/* Builds the graph of all arcs, or of all arcs and their reverses, like finish_reading(), and sets graph->ids. On
 * failure *graph does not change. input: for messages. */
int named_arcs_finish(const struct named_arcs *arcs, const struct text_input *input, bool undirected,
                      const char *origin, struct graph *graph, struct error *error);

#endif
