/* components.c: verifies labels of components by searches on one thread: from every vertex along edges in both
 * directions, or, of strong components, by Kosaraju's two depth-first searches (Sharir, 1981). */
#include <stdlib.h>
#include <string.h>

#include "families.h"

/* Labels what the root reaches among the unlabelled vertices, along the edges of two graphs, with the smallest of it.
 * label: NO_VERTEX where there is none; queue: num_vertices. */
static void label_reached(const struct graph *const graphs[2], vertex_t root, vertex_t *label, vertex_t *queue)
{
    vertex_t tail = 1, smallest = root;
    label[root] = root;
    queue[0] = root;
    for (vertex_t head = 0; head < tail; head++)
        for (int i = 0; i < 2; i++)
            for (edge_t e = graphs[i]->offsets[queue[head]]; e < graphs[i]->offsets[queue[head] + 1]; e++) {
                vertex_t v = graphs[i]->targets[e];
                if (label[v] != NO_VERTEX)
                    continue;
                label[v] = root;
                queue[tail++] = v;
                smallest = v < smallest ? v : smallest;
            }
    while (tail > 0)
        label[queue[--tail]] = smallest;
}

/* Sets order to the vertices as depth-first searches finish them. path: num_vertices; next: the offsets, which are
 * counted up; met: zeroed. */
static void finish_order(const struct graph *graph, vertex_t *path, edge_t *next, uint8_t *met, vertex_t *order)
{
    vertex_t finished = 0, depth = 0;
    for (vertex_t root = 0; root < graph->num_vertices; root++) {
        if (!met[root])
            path[depth++] = root;
        for (met[root] = 1; depth > 0;) {
            vertex_t u = path[depth - 1], v;
            if (next[u] == graph->offsets[u + 1])
                order[finished++] = path[--depth];
            else if (!met[v = graph->targets[next[u]++]]) {
                met[v] = 1;
                path[depth++] = v;
            }
        }
    }
}

/* The labels by a serial search. The caller frees *label, on failure too. */
static int serial_labels(const struct graph *graph, bool strong, vertex_t **label, struct error *error)
{
    struct graph transpose = {0};
    vertex_t n = graph->num_vertices, *queue = NULL, *order = NULL;
    edge_t *next = NULL;
    uint8_t *met = NULL;
    allocate(label, n, sizeof **label, "verification", error);
    allocate(&queue, n, sizeof *queue, "verification", error);
    allocate(&order, n, sizeof *order, "verification", error);
    allocate(&next, n, sizeof *next, "verification", error);
    allocate_zeroed(&met, n, sizeof *met, "verification", error);
    if (error->status == STATUS_OK && graph_transpose(graph, &transpose, error) == STATUS_OK) {
        const struct graph *const graphs[] = {strong ? &transpose : graph, &transpose};
        memset(*label, 0xff, n * sizeof **label); /* NO_VERTEX */
        memcpy(next, graph->offsets, n * sizeof *next);
        if (strong)
            finish_order(graph, queue, next, met, order);
        for (vertex_t i = n; i-- > 0;)
            if ((*label)[strong ? order[i] : i] == NO_VERTEX)
                label_reached(graphs, strong ? order[i] : i, *label, queue);
    }
    graph_release(&transpose);
    free(queue);
    free(order);
    free(next);
    free(met);
    return error->status;
}

int verify_components(const struct graph *graph, vertex_t source, const struct algorithm *algorithm,
                      const struct traversal *result, struct error *error)
{
    (void)source;
    vertex_t *truth = NULL;
    if (serial_labels(graph, strcmp(algorithm->family, "scc") == 0, &truth, error) == STATUS_OK)
        for (vertex_t v = 0; v < graph->num_vertices && error->status == STATUS_OK; v++)
            if (result->component[v] != truth[v])
                error_set(error, STATUS_WRONG, "the component of vertex %u is %d, by a serial search it is %u", v,
                          (int)result->component[v], truth[v]);
    free(truth);
    return error->status;
}
