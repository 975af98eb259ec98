#include "arrange.h"

#include <string.h>

#include "../processes/ranks.h"
#include "../processes/share_graph.h"
#include "terminal.h"

int put_in_order(gtrav_graph *graph, const char *wanted, gtrav_graph **reordered, double *reorder_ms,
                 struct error *error)
{
    gtrav_error public_error = {0};
    double began_ms = now_ms();
    if (gtrav_graph_reorder(graph, wanted, reordered, &public_error) != GTRAV_OK)
        return take_error(error, &public_error);
    *reorder_ms = now_ms() - began_ms;
    notice("%s: reordered by %s in %.3f s", gtrav_graph_name(graph), gtrav_graph_reordering(*reordered),
           *reorder_ms / 1e3);
    return STATUS_OK;
}

int share_handle(gtrav_context *context, gtrav_graph **graph, struct error *error)
{
    struct graph copy = {0};
    if (ranks()->size == 1)
        return error->status;
    if (*graph != NULL)
        copy = *graph_of(*graph);
    if (share_graph(&copy, error) == STATUS_OK && *graph == NULL && copy.offsets != NULL &&
        graph_adopt(context, &copy, NULL, graph, error) != STATUS_OK)
        graph_release(&copy);
    return ranks_agree(error);
}

/* If all ranks want this order, rank 0 makes it and shares it; otherwise each rank makes its own. */
static int make_arrangement(struct job *job, gtrav_graph *graph, const char *spec, bool shared,
                            struct arrangement *own, struct error *error)
{
    own->spec = NULL;
    gtrav_graph_free(own->graph);
    own->graph = NULL;
    if (is_first() || !shared)
        put_in_order(graph, spec, &own->graph, &own->ms, error);
    if (shared && ranks_agree(error) == STATUS_OK)
        share_handle(job->context, &own->graph, error);
    if (error->status == STATUS_OK)
        own->spec = spec;
    return error->status;
}

int arrange(struct job *job, gtrav_graph *graph, struct bench_request *request, struct arrangement *own,
            struct error *error)
{
    const struct algorithm *algorithm = request->algorithm;
    const char *spec = algorithm->reorder_by != NULL ? algorithm->reorder_by(request->options) : algorithm->reorder;
    bool shared = ranks_have_same(hash_text(hash_text(0, spec), own->spec));
    request->reordered = NULL;
    request->reorder_ms = 0;
    if (spec == NULL)
        return STATUS_OK;
    if ((own->spec == NULL || strcmp(own->spec, spec) != 0) &&
        make_arrangement(job, graph, spec, shared, own, error) != STATUS_OK) {
        error->of_algorithm = true; /* it asks for this order */
        return error->status;
    }
    request->reordered = graph_of(own->graph);
    request->reorder_ms = own->ms;
    return STATUS_OK;
}
