/* two_ended.c: bidirectional search (Pohl, "Bi-directional search", Machine Intelligence 6, 1971), level by level,
 * always from the end whose frontier has fewer edges.
 *
 *   mark    which end has found a vertex: 0 if none, or 1 << end; never both
 *   queue   vertices found by the first end, from the left; vertices found by the second end, from the right
 *
 * The first edge found between vertices of different ends is on a shortest path. Proof: suppose that all vertices
 * within a steps of the first end and within b steps of the second have been found, but no such edge. Then no path
 * has a + b edges or fewer: one of its vertices would be within a of the first end and within b of the second, and
 * the later of the two levels would have found the edge. An edge found while one end goes a level farther completes a
 * path of at most a + 1 + b edges. */
#include "two_ended.h"

struct end {
    vertex_t head, tail, step; /* the frontier is queue[head .. tail), in steps of 1 or -1 */
    edge_t edges;              /* out-edges of the frontier */
};

/* Finds the next level of an end. Returns whether it met the other end; then search->meeting is the edge. */
static bool go_farther(struct two_ended *search, const struct graph *graph, struct end *end, unsigned which)
{
    const uint8_t own = (uint8_t)(1u << which);
    vertex_t head = end->head, last = end->tail, tail = last;
    uint8_t *mark = search->mark;
    search->scanned += end->edges;
    end->edges = 0;
    end->head = last;
    for (; head != last; head += end->step) {
        vertex_t u = search->queue[head];
        for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            vertex_t v = graph->targets[e];
            if (mark[v] == own)
                continue;
            if (mark[v] != 0) {
                search->meeting[which] = u;
                search->meeting[!which] = v;
                end->tail = tail;
                return true;
            }
            mark[v] = own;
            search->queue[tail] = v;
            tail += end->step;
            end->edges += graph_degree(graph, v);
            if (search->parent != NULL)
                search->parent[v] = u;
        }
    }
    end->tail = tail;
    return false;
}

static void begin_end(struct two_ended *search, const struct graph *graph, struct end *end, unsigned which,
                      vertex_t first)
{
    end->step = which == 0 ? 1 : (vertex_t)-1;
    end->head = which == 0 ? 0 : graph->num_vertices - 1;
    end->tail = end->head + end->step;
    end->edges = graph_degree(graph, first);
    search->queue[end->head] = first;
    search->mark[first] = (uint8_t)(1u << which);
    if (search->parent != NULL)
        search->parent[first] = first;
}

uint32_t two_ended_length(struct two_ended *search, vertex_t from, vertex_t to)
{
    const struct graph *graphs[] = {search->out, search->in != NULL ? search->in : search->out};
    vertex_t n = search->out->num_vertices;
    struct end ends[2];
    search->meeting[0] = from;
    search->meeting[1] = to;
    if (from == to) {
        if (search->parent != NULL)
            search->parent[from] = from;
        return 0;
    }
    begin_end(search, graphs[0], &ends[0], 0, from);
    begin_end(search, graphs[1], &ends[1], 1, to);
    uint32_t length = 0;
    bool met = false;
    while (!met) {
        unsigned which = search->in != NULL && ends[1].edges < ends[0].edges;
        if (ends[which].head == ends[which].tail)
            break;
        length++;
        met = go_farther(search, graphs[which], &ends[which], which);
    }
    for (vertex_t i = 0; i != ends[0].tail; i++)
        search->mark[search->queue[i]] = 0;
    for (vertex_t i = n - 1; i != ends[1].tail; i--)
        search->mark[search->queue[i]] = 0;
    return met ? length : UNREACHED;
}

void two_ended_path(const struct two_ended *search, uint32_t length, vertex_t *path)
{
    uint32_t place = 0;
    for (vertex_t v = search->meeting[0]; search->parent[v] != v; v = search->parent[v])
        place++;
    uint32_t next = place + 1;
    for (vertex_t v = search->meeting[0]; place != UINT32_MAX; v = search->parent[v])
        path[place--] = v;
    for (vertex_t v = search->meeting[1]; next <= length; v = search->parent[v])
        path[next++] = v;
}
