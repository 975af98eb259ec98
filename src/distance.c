#include "distance.h"

double mean_delta(const struct graph *graph, double times)
{
    double sum = 0, num_edges = (double)graph->num_edges;
#pragma omp parallel for reduction(+ : sum) if (graph->weights != NULL)
    for (edge_t e = 0; e < (graph->weights != NULL ? graph->num_edges : 0); e++)
        sum += graph_weight(graph, e) / num_edges;
    double delta = sum * graph->num_vertices / num_edges;
    return delta > 0 ? delta * (is_flat(graph) ? times : 1) : 1;
}
