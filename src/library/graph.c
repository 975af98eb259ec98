/* graph.c: handles of graphs: loading, reordering, writing, properties. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../graph/load_options.h"
#include "../graph/reorder.h"
#include "../graph/specs.h"
#include "../graph/statistics.h"
#include "../graph/table_layout.h"
#include "../run/memory.h"
#include "internal.h"

/* ---- making and freeing ---- */

/* Copies the ids of a reordered graph from the order of its input to the graph's own order. */
static int permute_ids(const struct graph *own, uint64_t **ids, struct error *error)
{
    if (own->ids == NULL || own->permutation == NULL)
        return STATUS_OK;
    if (allocate(ids, own->num_vertices, sizeof **ids, "the ids", error) == STATUS_OK)
        for (vertex_t v = 0; v < own->num_vertices; v++)
            (*ids)[v] = own->ids[own->permutation[v]];
    return error->status;
}

int graph_adopt(gtrav_context *context, struct graph *own, const struct borrowed *borrowed, gtrav_graph **graph,
                struct error *error)
{
    uint64_t *ids = NULL;
    if (permute_ids(own, &ids, error) != STATUS_OK ||
        allocate_zeroed(graph, 1, sizeof **graph, "the graph", error) != STATUS_OK) {
        free(ids);
        return error->status;
    }
    (*graph)->graph = *own;
    *own = (struct graph){0};
    if (borrowed != NULL)
        (*graph)->borrowed = *borrowed;
    (*graph)->ids = ids;
    (*graph)->context = context;
    atomic_fetch_add(&context->references, 1);
    pthread_mutex_init(&(*graph)->lock, NULL);
    orders_open(&(*graph)->orders);
    return STATUS_OK;
}

void graph_release_own(struct graph *graph, const struct borrowed *borrowed)
{
    if (graph->offsets == borrowed->offsets)
        graph->offsets = NULL;
    if (graph->targets == borrowed->targets)
        graph->targets = NULL;
    graph_release(graph);
}

int graph_call_end(struct library_call *call, gtrav_graph **graph)
{
    if (call_end(call) != STATUS_OK) {
        gtrav_graph_free(*graph);
        *graph = NULL;
    }
    return call->error.status;
}

void gtrav_graph_free(gtrav_graph *graph)
{
    if (graph == NULL || graph->context->process != getpid())
        return;
    gtrav_graph_forget(graph);
    orders_close(&graph->orders);
    graph_release(&graph->of_file);
    graph_release_own(&graph->graph, &graph->borrowed);
    free(graph->ids);
    free(graph->place_of);
    pthread_mutex_destroy(&graph->lock);
    gtrav_context_free(graph->context);
    free(graph);
}

/* ---- loading ---- */

/* Sets an option such as "ids=any" or "undirected". */
static int set_option(struct load_options *options, const char *setting, struct error *error)
{
    char name[64];
    size_t length = strcspn(setting, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, setting);
    return load_options_set(options, name, setting[length] == '=' ? setting + length + 1 : NULL, error);
}

/* Makes the handle of a graph that its file holds in another order than its input's. The handle uses the input's
 * order; searches use the file's order, unless the user names one. */
static int adopt_with_own_order(gtrav_context *context, struct graph *loaded, gtrav_graph **graph, struct error *error)
{
    struct graph own = {0};
    if (graph_restore(loaded, &own, error) == STATUS_OK &&
        graph_adopt(context, &own, NULL, graph, error) == STATUS_OK) {
        (*graph)->of_file = *loaded;
        *loaded = (struct graph){0};
    }
    graph_release(&own);
    return error->status;
}

static int load_graph(gtrav_context *context, const char *spec, const struct load_options *options, bool as_stored,
                      gtrav_graph **graph, struct error *error)
{
    struct graph loaded = {0};
    if (check_graph_spec(spec, error) == STATUS_OK && graph_load(spec, options, &loaded, error) == STATUS_OK) {
        if (as_stored || loaded.permutation == NULL)
            graph_adopt(context, &loaded, NULL, graph, error);
        else
            adopt_with_own_order(context, &loaded, graph, error);
    }
    graph_release(&loaded);
    return error->status;
}

int gtrav_graph_load(gtrav_context *context, const char *spec, const char *const *settings, gtrav_graph **graph,
                     gtrav_error *public_error)
{
    struct load_options options = {0};
    struct library_call call;
    bool as_stored = false;
    if (graph != NULL)
        *graph = NULL;
    REQUIRE(public_error, graph != NULL && context != NULL && spec != NULL);
    bool begun = call_begin(&call, context, NULL, public_error);
    for (; begun && settings != NULL && *settings != NULL; settings++)
        if (strcmp(*settings, "stored") == 0 || strcmp(*settings, "stored=yes") == 0)
            as_stored = true;
        else
            set_option(&options, *settings, &call.error);
    if (call.error.status == STATUS_OK)
        load_graph(context, spec, &options, as_stored, graph, &call.error);
    return graph_call_end(&call, graph);
}

/* ---- reordering and writing ---- */

/* Reorders a graph. An already reordered graph can only return to the order of its input. */
static int reorder(const struct graph *graph, const struct reorder *wanted, struct graph *reordered,
                   struct error *error)
{
    if (graph->permutation == NULL)
        return graph_reorder(graph, wanted, reordered, error);
    if (!reorder_changes(wanted))
        return graph_restore(graph, reordered, error);
    return error_set(error, STATUS_INPUT, "%s is already reordered (%s)", graph->name, graph->reordering);
}

/* Makes the reordered graph of a spec; spec NULL: the reversed graph. */
static int derive(gtrav_graph *graph, const char *spec, gtrav_graph **derived, gtrav_error *public_error)
{
    struct library_call call;
    struct reorder wanted;
    struct graph own = {0};
    bool begun = call_begin(&call, graph->context, NULL, public_error);
    if (begun && spec == NULL)
        graph_reverse(&graph->graph, &own, &call.error);
    else if (begun && reorder_parse(spec, &wanted, &call.error) == STATUS_OK)
        reorder(&graph->graph, &wanted, &own, &call.error);
    if (call.error.status == STATUS_OK)
        graph_adopt(graph->context, &own, NULL, derived, &call.error);
    graph_release(&own);
    return graph_call_end(&call, derived);
}

int gtrav_graph_reorder(gtrav_graph *graph, const char *spec, gtrav_graph **reordered, gtrav_error *public_error)
{
    if (reordered != NULL)
        *reordered = NULL;
    REQUIRE(public_error, reordered != NULL && graph != NULL && spec != NULL);
    return derive(graph, spec, reordered, public_error);
}

int gtrav_graph_reverse(gtrav_graph *graph, gtrav_graph **reversed, gtrav_error *public_error)
{
    if (reversed != NULL)
        *reversed = NULL;
    REQUIRE(public_error, reversed != NULL && graph != NULL);
    return derive(graph, NULL, reversed, public_error);
}

int gtrav_graph_write(const gtrav_graph *graph, const char *path, gtrav_error *public_error)
{
    struct library_call call;
    REQUIRE(public_error, graph != NULL && path != NULL);
    bool keeps_order = graph->of_file.permutation != NULL && is_binary_name(path);
    if (call_begin(&call, graph->context, NULL, public_error))
        graph_write(keeps_order ? &graph->of_file : &graph->graph, path, &call.error);
    return call_end(&call);
}

/* ---- properties ---- */

/* Defines the function gtrav_graph_NAME(), which returns a property of the graph. */
#define ASK(type, name, answer)                                                                                        \
    type gtrav_graph_##name(const gtrav_graph *graph)                                                                  \
    {                                                                                                                  \
        return answer;                                                                                                 \
    }

ASK(const char *, name, graph->graph.name)
ASK(const char *, read_as, graph->graph.read_as != NULL ? graph->graph.read_as : graph->of_file.read_as)
ASK(const char *, origin, graph->graph.origin)
ASK(const char *, reordering, graph->graph.permutation != NULL ? graph->graph.reordering : NULL)
ASK(uint64_t, self_loops_dropped, graph->graph.self_loops_dropped)
ASK(uint64_t, duplicates_dropped, graph->graph.duplicates_dropped)
ASK(bool, weights_ignored, graph->graph.weights_ignored)
ASK(uint32_t, weight_type, graph->graph.weight_type)
ASK(const void *, weights, graph->graph.weights)
ASK(uint32_t, num_vertices, graph->graph.num_vertices)
ASK(uint64_t, num_edges, graph->graph.num_edges)
ASK(bool, is_symmetric, graph->graph.symmetric)
ASK(const uint64_t *, offsets, graph->graph.offsets)
ASK(const uint32_t *, targets, graph->graph.targets)
ASK(const uint32_t *, permutation, graph->graph.permutation)
ASK(const uint64_t *, ids, graph->ids != NULL ? graph->ids : graph->graph.ids)

size_t gtrav_graph_id(const gtrav_graph *graph, uint32_t vertex, char *text, size_t size)
{
    if (vertex >= graph->graph.num_vertices)
        return 0;
    const vertex_t *in_input = graph->graph.permutation;
    return graph_put_id(&graph->graph, in_input != NULL ? in_input[vertex] : vertex, text, size);
}

/* Returns the inverse of the permutation, which is made when first needed; NULL: memory is short. */
static const vertex_t *places(gtrav_graph *graph)
{
    const struct graph *own = &graph->graph;
    pthread_mutex_lock(&graph->lock);
    if (graph->place_of == NULL && (graph->place_of = malloc(own->num_vertices * sizeof *graph->place_of)) != NULL)
        for (vertex_t v = 0; v < own->num_vertices; v++)
            graph->place_of[own->permutation[v]] = v;
    pthread_mutex_unlock(&graph->lock);
    return graph->place_of;
}

bool gtrav_graph_find(const gtrav_graph *graph, const char *id, uint32_t *vertex)
{
    if (!graph_find_text(&graph->graph, id, strlen(id), vertex))
        return false;
    if (graph->graph.permutation == NULL)
        return true;
    const vertex_t *place_of = places((gtrav_graph *)graph); /* places() caches its result, under the lock */
    vertex_t found = *vertex;
    for (vertex_t v = 0; place_of == NULL && v < graph->graph.num_vertices; v++)
        *vertex = graph->graph.permutation[v] == found ? v : *vertex;
    *vertex = place_of != NULL ? place_of[found] : *vertex;
    return true;
}

bool gtrav_edge_columns(const char *header, unsigned columns[2])
{
    return table_has_known_header(header, columns);
}

int gtrav_estimate(gtrav_graph *graph, int index, gtrav_memory *memory, gtrav_error *public_error)
{
    struct library_call call;
    gtrav_memory found;
    REQUIRE(public_error, graph != NULL && memory != NULL && index >= 0 && index < num_algorithms);
    const enum device_kind kind = device_of_choice(graph->context->place.choice);
    struct shared_gpu *gpu = graph->context->gpu;
    if (call_begin(&call, graph->context, NULL, public_error) && machine_device(&gpu->machine, kind) == NULL)
        call.error = gpu->machine.errors[kind];
    else if (call.error.status == STATUS_OK && shared_gpu_enter(gpu, kind, &call.error) == STATUS_OK) {
        if (memory_estimate(algorithms[index], &graph->graph, &gpu->machine.devices[kind], 0, &found, &call.error) ==
            STATUS_OK) {
            found.size = memory->size;
            memcpy(memory, &found, memory->size < sizeof found ? memory->size : sizeof found);
        }
        shared_gpu_leave(gpu, kind);
    }
    return call_end(&call);
}

int gtrav_graph_info(const gtrav_graph *graph, gtrav_info *info, gtrav_error *public_error)
{
    struct library_call call;
    gtrav_info found;
    REQUIRE(public_error, graph != NULL && info != NULL);
    if (call_begin(&call, graph->context, NULL, public_error) &&
        graph_statistics(&graph->graph, &found, &call.error) == STATUS_OK) {
        found.size = info->size;
        memcpy(info, &found, info->size < sizeof found ? info->size : sizeof found);
    }
    return call_end(&call);
}
