/* named_arcs.h: arcs of files whose vertex ids are arbitrary whole numbers or texts, and the graph of these arcs.
 *
 * The vertices are the distinct ids in ascending order, so the graph does not depend on the order of the file's
 * lines. The graph keeps the ids. */
#ifndef GTRAV_NAMED_ARCS_H
#define GTRAV_NAMED_ARCS_H

#include "text_ids.h"
#include "text_input.h"

struct named_arc_list;

struct named_arcs {
    struct named_arc_list *lists; /* one for each thread */
    int num_lists;
    bool has_negative, has_huge; /* numbers below 0 and above INT64_MAX; not both */
};

/* Makes a list for each OpenMP thread. The caller calls named_arcs_release(), even after a failure. */
int named_arcs_init(struct named_arcs *arcs, struct error *error);
void named_arcs_release(struct named_arcs *arcs);

/* Adds an arc to the list of the calling OpenMP thread. The ids are numbers (negative ones as of int64_t), or the
 * places of texts in a dictionary. Returns false if memory is short. */
bool named_arcs_append(struct named_arcs *arcs, uint64_t source, uint64_t target);

/* Tells that a number is negative, or above INT64_MAX. Any thread may call it. */
void named_arcs_note(struct named_arcs *arcs, bool negative, bool huge);

/* Whether all numbers are at least 0 and less than the bound. */
bool named_arcs_are_below(const struct named_arcs *arcs, uint64_t bound);

/* Builds the graph of all arcs, or of all arcs and their reverses, like finish_reading(), and sets its ids. On
 * failure *graph does not change. input: for messages. texts: the dictionary, which is numbered; NULL: ids are
 * numbers. */
int named_arcs_finish(const struct named_arcs *arcs, const struct text_input *input, struct text_ids *texts,
                      bool undirected, const char *origin, struct graph *graph, struct error *error);

#endif
