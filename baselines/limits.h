/* limits.h: limits of breadth-first searches on the CPU. A search goes level by level, and checks before each level
 * whether it may end. Masks are checked only for vertices that are not reached yet. */
#pragma once

#include "../src/algorithm.h"

static inline struct limits limits_of(const struct query *query)
{
    return query->limits != NULL ? *query->limits : (struct limits){.max_level = UNREACHED};
}

/* Returns whether vertex v, or the edge e that leads to it, is masked out. */
static inline bool is_left_out(const struct limits *limits, vertex_t v, edge_t e)
{
    return (limits->vertices != NULL && !limits->vertices[v]) || (limits->edges != NULL && !limits->edges[e]);
}

/* Returns whether there are destinations and all are reached. *found: the number known to be reached; 0 at first. */
static inline bool has_found_all(const struct query *query, const uint32_t *level, uint64_t *found)
{
    while (query->destinations != NULL && *found < query->num_destinations &&
           level[query->destinations[*found].vertex] != UNREACHED)
        ++*found;
    return query->destinations != NULL && *found == query->num_destinations;
}

/* Puts each distinct source into the empty queue. Returns their number. */
static inline vertex_t seed_queue(const struct query *query, uint32_t *level, vertex_t *queue)
{
    vertex_t tail = 0;
    for (uint32_t i = 0; i < query->num_sources; i++)
        if (level[query->sources[i]] == UNREACHED)
            level[queue[tail++] = query->sources[i]] = 0;
    return tail;
}
