#include "betweenness.h"

#include <math.h>

/* The largest relative difference that rounding can cause. No term is negative, so each of the N additions that lead
 * to a value changes it by at most 2^-53 of it. N (neighbours, levels and sources together) is below 2^26 for every
 * graph whose betweenness can be computed in reasonable time. A value of 0 is exact. */
#define TOLERANCE 1e-8

int betweenness_refuse(const struct graph *graph, struct error *error)
{
    return error_set(error, STATUS_INPUT,
                     "%s: there are over 2^1000 shortest paths between two vertices, too many for betweenness",
                     graph->name);
}

void betweenness_finish(const struct graph *graph, uint32_t num_sources, double *vertex, double *edge)
{
    double factor = (double)graph->num_vertices / num_sources;
    for (vertex_t v = 0; vertex != NULL && v < graph->num_vertices; v++)
        vertex[v] *= graph->symmetric ? factor / 2 : factor;
    for (edge_t e = 0; edge != NULL && e < graph->num_edges; e++)
        edge[e] *= factor;
}

/* The state of a serial search. Entry i holds the state of vertex i, and the vertex at place i of the queue. */
struct place {
    double sigma, delta;
    uint32_t level;
    vertex_t queued;
};

/* Adds one source's dependencies to the sums over all sources. edge: NULL if not wanted. */
static void add_dependencies(const struct graph *graph, vertex_t source, struct place *at, double *vertex, double *edge)
{
    vertex_t head = 0, tail = 1;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        at[v] = (struct place){.level = v == source ? 0 : UNREACHED, .sigma = v == source};
    for (at[0].queued = source; head < tail; head++)
        for (edge_t e = graph->offsets[at[head].queued]; e < graph->offsets[at[head].queued + 1]; e++) {
            const struct place *from = &at[at[head].queued];
            struct place *to = &at[graph->targets[e]];
            if (to->level == UNREACHED) {
                to->level = from->level + 1;
                at[tail++].queued = graph->targets[e];
            }
            to->sigma += to->level == from->level + 1 ? from->sigma : 0;
        }
    while (tail-- > 0) {
        vertex_t v = at[tail].queued;
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            const struct place *to = &at[graph->targets[e]];
            double part = to->level == at[v].level + 1 ? at[v].sigma / to->sigma * (1 + to->delta) : 0;
            at[v].delta += part;
            if (edge != NULL)
#pragma omp atomic
                edge[e] += part;
        }
        if (v != source)
#pragma omp atomic
            vertex[v] += at[v].delta;
    }
}

static int compare(const double *found, const double *truth, uint64_t count, const char *what, struct error *error)
{
    for (uint64_t i = 0; found != NULL && i < count; i++)
        if (!(fabs(found[i] - truth[i]) <= TOLERANCE * truth[i]))
            return error_set(error, STATUS_WRONG, "betweenness of %s %llu is %.12g, by serial searches %.12g", what,
                             (unsigned long long)i, found[i], truth[i]);
    return STATUS_OK;
}

int verify_betweenness(const struct graph *graph, const vertex_t *sources, uint32_t num_sources,
                       const struct traversal *result, struct error *error)
{
    double *vertex, *edge = NULL;
    allocate_zeroed(&vertex, graph->num_vertices, sizeof *vertex, "verification", error);
    if (result->edge_betweenness != NULL)
        allocate_zeroed(&edge, graph->num_edges, sizeof *edge, "verification", error);
#pragma omp parallel for schedule(dynamic, 1)
    for (uint32_t i = 0; i < (error->status == STATUS_OK ? num_sources : 0); i++) {
        struct error failed = {0};
        struct place *places;
        if (allocate(&places, graph->num_vertices, sizeof *places, "verification", &failed) == STATUS_OK)
            add_dependencies(graph, sources[i], places, vertex, edge);
        free(places);
#pragma omp critical
        if (failed.status != STATUS_OK)
            error_set(error, failed.status, "%s", failed.text);
    }
    if (error->status == STATUS_OK) {
        betweenness_finish(graph, num_sources, vertex, edge);
        compare(result->betweenness, vertex, graph->num_vertices, "vertex", error);
        compare(result->edge_betweenness, edge, graph->num_edges, "edge", error);
    }
    free(vertex);
    free(edge);
    return error->status;
}
