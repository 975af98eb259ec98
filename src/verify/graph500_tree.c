/* graph500_tree.c: validates a tree by Graph500's rules on the CPU, and says which rule a tree breaks. */
#include "graph500_tree.h"

static unsigned check_edges(const struct graph500_edge *edges, unsigned count, void *tree)
{
    unsigned counted = 0;
    for (unsigned i = 0; i < count; i++)
        counted += graph500_check_edge(tree, edges[i]);
    return counted;
}

#define CHUNK_EDGES ((uint64_t)1 << 16)

static void run_passes(const struct graph500_list *list, const vertex_t *parent, struct graph500_tree *tree)
{
    vertex_t n = tree->num_vertices;
    uint64_t num_edges = 0, num_placed = 1;
#pragma omp parallel for
    for (vertex_t v = 0; v < n; v++)
        graph500_place_vertex(tree, v, parent[v]);
    for (uint32_t level = 0; num_placed > 0; level++) {
        num_placed = 0;
#pragma omp parallel for reduction(+ : num_placed)
        for (vertex_t v = 0; v < n; v++)
            num_placed += graph500_place_below(tree, v, level);
    }
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : num_edges)
    for (uint64_t begin = 0; begin < list->num_edges; begin += CHUNK_EDGES) {
        uint64_t rest = list->num_edges - begin, count = rest < CHUNK_EDGES ? rest : CHUNK_EDGES;
        num_edges += graph500_visit(list, begin, begin + count, check_edges, tree);
    }
    tree->findings->num_edges = num_edges;
#pragma omp parallel for
    for (vertex_t v = 0; v < n; v++)
        graph500_check_vertex(tree, v);
}

int graph500_validate(const struct graph500_list *list, vertex_t root, const vertex_t *parent, const double *distance,
                      struct graph500_findings *findings, struct error *error)
{
    struct graph500_tree tree = {
        .root = root, .num_vertices = (vertex_t)1 << list->scale, .distance = distance, .findings = findings};
    memset(findings, 0xff, sizeof *findings);
    if (allocate(&tree.places, tree.num_vertices, sizeof *tree.places, "the validation", error) == STATUS_OK)
        run_passes(list, parent, &tree);
    free(tree.places);
    return error->status;
}

int graph500_judge(const struct graph500_findings *findings, vertex_t root, struct error *error)
{
    static const char *const forms[NUM_RULES] = {
        "rules 1 and 2: vertex %u, whose parent is %u, is in no tree from %u",
        "rule 2: vertex %u, whose parent is %u, has a distance that is wrong in the tree from %u",
        "rule 3: the levels of the input edge between %u and %u differ by more than 1 in the tree from %u",
        "rule 3: the distances of the input edge between %u and %u differ by more than its weight in the tree from %u",
        "rule 4: the input edge between %u and %u has only one vertex in the tree from %u",
        "rule 5: no input edge joins vertex %u and its parent %u in the tree from %u",
        "rules 2 and 5: no input edge from the parent gives vertex %u, whose parent is %u, its distance from %u",
    };
    for (int rule = 0; rule < NUM_RULES; rule++)
        if (findings->bad[rule] != UINT64_MAX)
            return error_set(error, STATUS_WRONG, forms[rule], (unsigned)(findings->bad[rule] >> 32),
                             (unsigned)findings->bad[rule], root);
    return STATUS_OK;
}
