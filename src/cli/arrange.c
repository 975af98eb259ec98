#include "arrange.h"

#include <string.h>

#include "../bench/ranks.h"
#include "../bench/share_graph.h"
#include "job.h"
#include "terminal.h"

int put_in_order(const struct graph *graph, const struct reorder *wanted, struct graph *reordered, double *reorder_ms,
                 struct error *error)
{
    double began_ms = now_ms();
    if (graph_reorder(graph, wanted, reordered, error) != STATUS_OK)
        return error->status;
    *reorder_ms = now_ms() - began_ms;
    notice("%s: reordered by %s in %.3f s", graph->name, reordered->reordering, *reorder_ms / 1e3);
    return STATUS_OK;
}

/* If all ranks want this order, rank 0 makes it and shares it; otherwise each rank makes its own. */
static int make_arrangement(const struct graph *graph, const char *spec, bool shared, struct arrangement *own,
                            struct error *error)
{
    struct reorder wanted;
    bool makes = is_first() || !shared;
    own->spec = NULL;
    graph_release(&own->graph);
    if (makes && reorder_parse(spec, &wanted, error) == STATUS_OK)
        put_in_order(graph, &wanted, &own->graph, &own->ms, error);
    if (shared && ranks_agree(error) == STATUS_OK)
        share_graph(&own->graph, error);
    if (error->status == STATUS_OK)
        own->spec = spec;
    return error->status;
}

int arrange(struct bench_request *request, struct arrangement *own, struct error *error)
{
    const struct algorithm *algorithm = request->algorithm;
    const char *spec = algorithm->reorder_by != NULL ? algorithm->reorder_by(request->options) : algorithm->reorder;
    bool shared = ranks_have_same(hash_text(hash_text(0, spec), own->spec));
    request->reordered = NULL;
    request->reorder_ms = 0;
    if (spec == NULL)
        return STATUS_OK;
    if ((own->spec == NULL || strcmp(own->spec, spec) != 0) &&
        make_arrangement(request->graph, spec, shared, own, error) != STATUS_OK) {
        error->of_algorithm = true; /* it asks for this order */
        return error->status;
    }
    request->reordered = own->graph.permutation != NULL ? &own->graph : NULL;
    request->reorder_ms = own->ms;
    return STATUS_OK;
}
