/* components.c: verifies labels of components by a certificate: conditions that hold if and only if they are right.
 *
 * Vertices with the same label form a set; the label is one of them. Strong components: inside the set, paths lead
 * (1) from the label to every vertex and (2) from every vertex to the label; (3) the sets have a topological order,
 * so no component is split. Weak components: (1) and (3), with edges in both directions: no edge joins two sets. */
#include "verify.h"

/* Checks (1) and (3) for the edges of two graphs: takes each set once all edges into it come from taken sets. */
static int take_sets(const struct graph *first, const struct graph *second, const vertex_t *label, struct error *error)
{
    const struct graph *const graphs[] = {first, second};
    vertex_t n = first->num_vertices, *queue = NULL, tail = 0;
    uint64_t *waiting = NULL; /* edges into the set of each label from vertices that are not taken */
    uint8_t *taken = NULL;
    allocate(&queue, n, sizeof *queue, "verification", error);
    allocate_zeroed(&waiting, n, sizeof *waiting, "verification", error);
    allocate_zeroed(&taken, n, sizeof *taken, "verification", error);
    for (int i = 0; i < 2 && error->status == STATUS_OK; i++)
        for (vertex_t u = 0; u < n; u++)
            for (edge_t e = graphs[i]->offsets[u]; e < graphs[i]->offsets[u + 1]; e++)
                waiting[label[graphs[i]->targets[e]]] += label[graphs[i]->targets[e]] != label[u];
    for (vertex_t v = 0; v < n && error->status == STATUS_OK; v++)
        if (label[v] == v && waiting[v] == 0)
            taken[queue[tail++] = v] = 1;
    for (vertex_t head = 0; head < tail; head++)
        for (uint32_t i = 0; i < 2; i++)
            for (edge_t e = graphs[i]->offsets[queue[head]]; e < graphs[i]->offsets[queue[head] + 1]; e++) {
                vertex_t v = graphs[i]->targets[e];
                if (label[v] != label[queue[head]] && --waiting[v = label[v]] > 0)
                    continue;
                if (!taken[v])
                    taken[queue[tail++] = v] = 1;
            }
    for (vertex_t v = 0; v < n && error->status == STATUS_OK; v++)
        if (!taken[v])
            error_set(error, STATUS_WRONG, "vertex %u has the label %u, which labels no component", v, label[v]);
    free(queue);
    free(waiting);
    free(taken);
    return error->status;
}

int verify_components(const struct graph *graph, UNUSED vertex_t source, const struct algorithm *algorithm,
                      const struct traversal *result, struct error *error)
{
    const vertex_t *label = result->component;
    bool strong = strcmp(algorithm->family, "scc") == 0;
    struct graph transpose = {0};
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (label[v] > v || label[label[v]] != label[v])
            return error_set(error, STATUS_WRONG,
                             "the label of vertex %u is %d, which is not the smallest vertex of a component", v,
                             (int)label[v]);
    if (graph_transpose(graph, &transpose, error) == STATUS_OK &&
        take_sets(graph, strong ? graph : &transpose, label, error) == STATUS_OK && strong)
        take_sets(&transpose, &transpose, label, error);
    graph_release(&transpose);
    return error->status;
}
