/* prepared.c: the engines and orders that a graph keeps, so that a second query of the same kind starts at once. Each
 * search has an engine to itself; several threads that search in the same way have as many engines. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../graph/specs.h"
#include "internal.h"

/* ---- orders ---- */

static void order_release(struct order *order)
{
    graph_release(&order->graph);
    free(order);
}

void order_put(gtrav_graph *graph, struct order *order)
{
    pthread_mutex_lock(&graph->lock);
    bool is_last = order != NULL && --order->users == 0;
    pthread_mutex_unlock(&graph->lock);
    if (is_last)
        order_release(order);
}

static struct order *find_order(gtrav_graph *graph, const char *spec)
{
    struct order *order;
    pthread_mutex_lock(&graph->lock);
    for (order = graph->orders; order != NULL && strcmp(order->spec, spec) != 0; order = order->next)
        continue;
    if (order != NULL)
        order->users++;
    pthread_mutex_unlock(&graph->lock);
    return order;
}

static struct order *make_order(const gtrav_graph *graph, const char *spec, struct error *error)
{
    struct reorder wanted;
    struct order *order;
    if (parse_order(spec, &wanted, error) != STATUS_OK ||
        allocate_zeroed(&order, 1, sizeof *order, "the order", error) != STATUS_OK)
        return NULL;
    snprintf(order->spec, sizeof order->spec, "%s", spec);
    if (!reorder_changes(&wanted) || graph_reorder(&graph->graph, &wanted, &order->graph, error) == STATUS_OK)
        return order;
    order_release(order);
    return NULL;
}

int order_take(gtrav_graph *graph, const char *spec, struct order **order, struct error *error)
{
    *order = NULL;
    if (graph->graph.permutation != NULL)
        return error_set(error, STATUS_INPUT, "%s is already reordered (%s)", graph->graph.name,
                         graph->graph.reordering);
    pthread_mutex_lock(&graph->ordering);
    if ((*order = find_order(graph, spec)) == NULL && (*order = make_order(graph, spec, error)) != NULL) {
        pthread_mutex_lock(&graph->lock);
        (*order)->users = 2;
        (*order)->next = graph->orders;
        graph->orders = *order;
        pthread_mutex_unlock(&graph->lock);
    }
    pthread_mutex_unlock(&graph->ordering);
    return error->status;
}

/* ---- engines ---- */

/* How many sources follow, as far as an engine's preparation depends on it. */
static int class_of(uint64_t num_sources)
{
    int class = 0;
    for (; num_sources > 1; num_sources = num_sources / 4 + (num_sources % 4 != 0))
        class ++;
    return class;
}

static bool suits(const struct prepared *prepared, const struct preparation *wanted)
{
    return prepared->request.algorithm == wanted->choice.algorithm && prepared->on == wanted->choice.on &&
           (prepared->on == DEVICE_CPU ||
            (prepared->gpu == wanted->gpu &&
             prepared->generation == wanted->gpu->machine.devices[wanted->choice.on].generation)) &&
           prepared->request.reordered == wanted->reordered && prepared->outputs == wanted->outputs &&
           prepared->class_of_sources == class_of(wanted->num_sources) &&
           memcmp(prepared->options, wanted->choice.options, sizeof prepared->options) == 0;
}

/* Closes an engine; its device is entered. */
static void close_engine(gtrav_graph *graph, struct prepared *prepared)
{
    prepared->error = (struct error){0};
    prepared->engine.run.error = &prepared->error;
    if (prepared->engine.request != NULL)
        engine_close(&prepared->engine);
    if (prepared->wide_levels != NULL)
        prepared->gpu->machine.devices[prepared->on].arrays->give(prepared->wide_levels, true);
    outputs_release(&prepared->room);
    if (prepared->cpu.close != NULL)
        prepared->cpu.close(&prepared->cpu);
    order_put(graph, prepared->order);
}

static void prepared_free(struct prepared *prepared)
{
    shared_gpu_put(prepared->gpu);
    free(prepared);
}

void prepared_discard(gtrav_graph *graph, struct prepared *prepared)
{
    close_engine(graph, prepared);
    if (prepared->gpu != NULL)
        shared_gpu_leave(prepared->gpu, prepared->on);
    prepared_free(prepared);
}

void prepared_put(gtrav_graph *graph, struct prepared *prepared)
{
    struct shared_gpu *gpu = prepared->gpu;
    pthread_mutex_lock(&graph->lock);
    bool keeps = prepared->forgotten == graph->forgotten;
    if (keeps) {
        prepared->next = graph->idle;
        graph->idle = prepared;
    }
    pthread_mutex_unlock(&graph->lock);
    if (!keeps)
        prepared_discard(graph, prepared);
    else if (gpu != NULL)
        shared_gpu_leave(gpu, prepared->on);
}

static struct prepared *take_idle(gtrav_graph *graph, const struct preparation *wanted)
{
    struct prepared *found = NULL;
    pthread_mutex_lock(&graph->lock);
    for (struct prepared **link = &graph->idle; *link != NULL && found == NULL; link = &(*link)->next)
        if (suits(*link, wanted)) {
            found = *link;
            *link = found->next;
            break;
        }
    pthread_mutex_unlock(&graph->lock);
    return found;
}

/* Detaches the idle engines on a GPU that the caller has entered, or, with NULL, all of them. */
static struct prepared *detach_idle(gtrav_graph *graph, const struct shared_gpu *gpu)
{
    struct prepared *detached = NULL;
    for (struct prepared **link = &graph->idle; *link != NULL;) {
        struct prepared *each = *link;
        if (gpu != NULL && each->gpu != gpu) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        each->next = detached;
        detached = each;
    }
    return detached;
}

/* Frees the memory of idle engines on the device that the caller has entered. Returns false if there were none. */
static bool make_room(gtrav_graph *graph, const struct shared_gpu *gpu)
{
    if (gpu == NULL)
        return false;
    pthread_mutex_lock(&graph->lock);
    struct prepared *each = detach_idle(graph, gpu), *next;
    pthread_mutex_unlock(&graph->lock);
    bool any = each != NULL;
    for (; each != NULL; each = next) {
        next = each->next;
        close_engine(graph, each);
        prepared_free(each);
    }
    return any;
}

static int open_engine(struct prepared *prepared, uint64_t num_sources)
{
    struct device *device = prepared->gpu != NULL ? &prepared->gpu->machine.devices[prepared->on] : &prepared->cpu;
    prepared->request.device = device;
    prepared->request.num_devices = 1;
    prepared->generation = device->generation;
    if (prepared->gpu == NULL && prepared->cpu.close == NULL &&
        device_open_cpu(&prepared->cpu, 0, &prepared->error) != STATUS_OK)
        return prepared->error.status;
    return engine_open(&prepared->engine, &prepared->request, device, prepared->outputs,
                       num_sources == SOURCES_UNKNOWN ? -1
                       : num_sources < INT_MAX        ? (int)num_sources
                                                      : INT_MAX,
                       &prepared->error);
}

/* Prepares an engine; a device whose memory is full of idle engines is cleared, and the engine prepared again. */
static int prepare(gtrav_graph *graph, struct prepared *prepared, uint64_t num_sources)
{
    if (open_engine(prepared, num_sources) != STATUS_DEVICE || !make_room(graph, prepared->gpu))
        return prepared->error.status;
    struct error ignored = {0};
    prepared->engine.run.error = &ignored;
    engine_close(&prepared->engine);
    prepared->error = (struct error){0};
    return open_engine(prepared, num_sources);
}

/* Fills in what does not need the device. */
static void describe(const gtrav_graph *graph, const struct preparation *wanted, struct prepared *prepared)
{
    prepared->on = wanted->choice.on;
    prepared->order = wanted->order;
    prepared->outputs = wanted->outputs;
    prepared->class_of_sources = class_of(wanted->num_sources);
    memcpy(prepared->options, wanted->choice.options, sizeof prepared->options);
    prepared->request = (struct bench_request){.algorithm = wanted->choice.algorithm,
                                               .family = family_of(wanted->choice.algorithm->family),
                                               .graph = &graph->graph,
                                               .reordered = wanted->reordered,
                                               .options = prepared->options};
}

struct prepared *prepared_take(gtrav_graph *graph, const struct preparation *wanted, struct error *error)
{
    struct prepared *prepared = take_idle(graph, wanted);
    if (prepared != NULL) {
        order_put(graph, wanted->order); /* it has its own reference */
        prepared->is_new = false;
        prepared->error = (struct error){0};
        prepared->engine.run.error = &prepared->error;
        return prepared;
    }
    if (allocate_zeroed(&prepared, 1, sizeof *prepared, "the search", error) != STATUS_OK) {
        order_put(graph, wanted->order);
        if (wanted->choice.on != DEVICE_CPU)
            shared_gpu_leave(wanted->gpu, wanted->choice.on);
        return NULL;
    }
    describe(graph, wanted, prepared);
    pthread_mutex_lock(&graph->lock);
    prepared->forgotten = graph->forgotten;
    pthread_mutex_unlock(&graph->lock);
    if (wanted->choice.on != DEVICE_CPU)
        prepared->gpu = shared_gpu_take(wanted->gpu->machine.number, error); /* it exists, so this succeeds */
    prepared->is_new = true;
    if (prepare(graph, prepared, wanted->num_sources) == STATUS_OK)
        return prepared;
    *error = prepared->error;
    prepared_discard(graph, prepared);
    return NULL;
}

void gtrav_graph_forget(gtrav_graph *graph)
{
    struct order *orders, *kept = NULL;
    pthread_mutex_lock(&graph->lock);
    graph->forgotten++;
    struct prepared *each = detach_idle(graph, NULL), *next;
    orders = graph->orders;
    graph->orders = NULL;
    pthread_mutex_unlock(&graph->lock);
    for (; each != NULL; each = next) {
        struct error ignored = {0};
        next = each->next;
        if (each->gpu == NULL || shared_gpu_enter(each->gpu, each->on, &ignored) == STATUS_OK)
            prepared_discard(graph, each);
        else
            prepared_free(each); /* the device has failed, and its memory is lost */
    }
    for (; orders != NULL; orders = kept) {
        kept = orders->next;
        order_put(graph, orders);
    }
}
