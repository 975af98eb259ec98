/* tail.c: Blest, section 4, footnote 2: "We classify a graph as scale-free-like if either its in- or out-degree
 * distribution is heavy-tailed: the top 1% and 10% of vertices account for at least 5% and 40% of total degree,
 * respectively, or a log-log degree-histogram fit for k >= 5 has slope -gamma, R^2 >= 0.70, and gamma in [1, 5]." */
#include "tail.h"

#include <math.h>

#define MIN_TOP1_SHARE  0.05
#define MIN_TOP10_SHARE 0.40
#define FIT_FROM        5 /* smallest degree k of the fit */
#define MIN_FIT_POINTS  3 /* a line always fits two points */
#define MIN_FIT_R2      0.70
#define MIN_GAMMA       1.0
#define MAX_GAMMA       5.0

struct degree_counts {
    vertex_t *vertices; /* max_degree + 1 */
    edge_t max_degree;
};

/* The share of the total degree of this fraction of the vertices, those with the highest degrees. The last vertex may
 * count in part, so that in a regular graph the share equals the fraction. */
static double top_share(const struct degree_counts *counts, const struct graph *graph, double fraction)
{
    double wanted = fraction * (double)graph->num_vertices, sum = 0;
    for (edge_t k = counts->max_degree; k > 0 && wanted > 0; k--) {
        double taken = fmin((double)counts->vertices[k], wanted);
        sum += taken * (double)k;
        wanted -= taken;
    }
    return graph->num_edges > 0 ? sum / (double)graph->num_edges : 0;
}

/* A least-squares fit of log(vertices) over log(degree), with a point for every degree that occurs. */
static void fit_line(const struct degree_counts *counts, struct degree_tail *tail)
{
    double points = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_yy = 0, sum_xy = 0;
    for (edge_t k = FIT_FROM; k <= counts->max_degree; k++) {
        if (counts->vertices[k] == 0)
            continue;
        double x = log((double)k), y = log((double)counts->vertices[k]);
        points++;
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_yy += y * y;
        sum_xy += x * y;
    }
    if (points < MIN_FIT_POINTS)
        return;
    double spread_x = points * sum_xx - sum_x * sum_x, spread_y = points * sum_yy - sum_y * sum_y;
    double covariance = points * sum_xy - sum_x * sum_y;
    tail->fit_slope = covariance / spread_x;
    tail->fit_r2 =
        spread_y > 0 ? covariance * covariance / (spread_x * spread_y) : 0; /* a horizontal line explains nothing */
}

int examine_tail(const struct graph *graph, struct degree_tail *tail, struct error *error)
{
    struct degree_counts counts = {0};
    *tail = (struct degree_tail){0};
    if (graph_count_degrees(graph, &counts.vertices, &counts.max_degree, error) == STATUS_OK) {
        tail->top1_share = top_share(&counts, graph, 0.01);
        tail->top10_share = top_share(&counts, graph, 0.10);
        fit_line(&counts, tail);
        double gamma = -tail->fit_slope;
        tail->heavy = (tail->top1_share >= MIN_TOP1_SHARE && tail->top10_share >= MIN_TOP10_SHARE) ||
                      (tail->fit_r2 >= MIN_FIT_R2 && gamma >= MIN_GAMMA && gamma <= MAX_GAMMA);
    }
    free(counts.vertices);
    return error->status;
}

int is_scale_free_like(const struct graph *graph, uint64_t mean_degree, bool *yes, struct error *error)
{
    struct degree_tail tail = {0};
    struct graph transpose = {0};
    *yes = mean_degree > 0 && graph->num_edges > mean_degree * graph->num_vertices;
    if (*yes || examine_tail(graph, &tail, error) != STATUS_OK)
        return error->status;
    if (!tail.heavy && !graph->symmetric && graph_transpose(graph, &transpose, error) == STATUS_OK)
        examine_tail(&transpose, &tail, error);
    graph_release(&transpose);
    *yes = tail.heavy;
    return error->status;
}
