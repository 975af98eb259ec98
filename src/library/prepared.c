/* prepared.c: the engines that a graph keeps, so that a second query of the same kind starts at once. No two searches
 * share an engine at the same time, so several threads that search in the same way need an engine each. */
#include <limits.h>
#include <unistd.h>

#include "internal.h"

/* Returns the class of a number of sources. Engines for the same class are prepared alike. */
static int class_of(uint64_t num_sources)
{
    int class = 0;
    for (; num_sources > 1; num_sources = num_sources / 4 + (num_sources % 4 != 0))
        class ++;
    return class;
}

/* Returns the device of a preparation. own_cpu: the CPU device of its engine. */
static struct device *device_of(const struct preparation *preparation, struct device *own_cpu)
{
    return preparation->gpu != NULL ? &preparation->gpu->machine.devices[preparation->choice.on] : own_cpu;
}

static bool suits(struct prepared *prepared, const struct preparation *wanted)
{
    const struct preparation *is = &prepared->preparation;
    return is->choice.algorithm == wanted->choice.algorithm && is->choice.on == wanted->choice.on &&
           is->gpu == wanted->gpu && prepared->generation == device_of(wanted, &prepared->cpu)->generation &&
           is->reordered == wanted->reordered && is->outputs == wanted->outputs &&
           (is->num_sources == wanted->num_sources || class_of(is->num_sources) == class_of(wanted->num_sources)) &&
           memcmp(is->choice.options, wanted->choice.options, sizeof is->choice.options) == 0;
}

/* Closes an engine. The caller has entered its device. */
static void discard(struct prepared *prepared)
{
    struct error ignored = {0};
    struct engine *engine = &prepared->engine;
    engine->run.error = &ignored;
    if (prepared->wide_levels != NULL)
        engine->device->arrays->give(prepared->wide_levels, true);
    if (engine->request != NULL)
        engine_close(engine);
    outputs_release(&prepared->room);
    if (prepared->cpu.close != NULL)
        prepared->cpu.close(&prepared->cpu);
    order_put(prepared->preparation.order);
    shared_gpu_put(prepared->preparation.gpu);
    free(prepared);
}

void prepared_put(gtrav_graph *graph, struct prepared *prepared, int status)
{
    pthread_mutex_lock(&graph->lock);
    bool keeps = prepared->forgotten == graph->forgotten;
    keeps = keeps && (status == STATUS_OK || status == STATUS_WRONG);
    if (keeps) {
        prepared->next = graph->idle;
        graph->idle = prepared;
    }
    pthread_mutex_unlock(&graph->lock);
    if (!keeps)
        discard(prepared);
}

/* Takes an idle engine that is prepared in this way; wanted NULL: one on this GPU; both NULL: any. NULL: none. */
static struct prepared *take_idle(gtrav_graph *graph, const struct preparation *wanted, const struct shared_gpu *gpu)
{
    pthread_mutex_lock(&graph->lock);
    struct prepared **link = &graph->idle;
    while (*link != NULL && !(wanted != NULL ? suits(*link, wanted) : gpu == NULL || (*link)->preparation.gpu == gpu))
        link = &(*link)->next;
    struct prepared *found = *link;
    if (found != NULL)
        *link = found->next;
    pthread_mutex_unlock(&graph->lock);
    return found;
}

static int open_engine(struct prepared *prepared, struct error *error)
{
    const struct preparation *preparation = &prepared->preparation;
    struct device *device = device_of(preparation, &prepared->cpu);
    uint64_t num_sources = preparation->num_sources;
    if (preparation->gpu == NULL && device->close == NULL && device_open(DEVICE_CPU, device, 0, error) != STATUS_OK)
        return error->status;
    prepared->request.device = device;
    prepared->generation = device->generation;
    int known = num_sources < INT_MAX ? (int)num_sources : INT_MAX;
    return engine_open(&prepared->engine, &prepared->request, device, preparation->outputs,
                       num_sources == SOURCES_UNKNOWN ? -1 : known, error);
}

/* Opens the engine. If memory is short, closes the idle engines on the device (it is entered), and tries again. */
static int open_with_room(gtrav_graph *graph, struct prepared *prepared, struct error *error)
{
    const struct shared_gpu *gpu = prepared->preparation.gpu;
    struct prepared *idle = NULL;
    bool is_short = open_engine(prepared, error) == STATUS_DEVICE || prepared->engine.run.memory_step;
    if (!is_short || gpu == NULL || (idle = take_idle(graph, NULL, gpu)) == NULL)
        return error->status;
    for (; idle != NULL; idle = take_idle(graph, NULL, gpu))
        discard(idle);
    engine_close(&prepared->engine);
    *error = (struct error){0};
    return open_engine(prepared, error);
}

static struct prepared *make(gtrav_graph *graph, const struct preparation *wanted, struct error *error)
{
    struct prepared *prepared;
    if (allocate_zeroed(&prepared, 1, sizeof *prepared, "the search", error) != STATUS_OK)
        return NULL;
    prepared->is_new = true;
    prepared->preparation = *wanted;
    order_share(wanted->order);
    if (wanted->gpu != NULL)
        shared_gpu_take(wanted->gpu->machine.number, error); /* cannot fail, since this GPU is in use */
    prepared->request = (struct bench_request){.algorithm = wanted->choice.algorithm,
                                               .family = family_of(wanted->choice.algorithm->family),
                                               .graph = &graph->graph,
                                               .reordered = wanted->reordered,
                                               .num_devices = 1,
                                               .options = prepared->preparation.choice.options};
    snprintf(prepared->phase, sizeof prepared->phase, "%s %s", wanted->choice.algorithm->family,
             wanted->choice.algorithm->variant);
    pthread_mutex_lock(&graph->lock);
    prepared->forgotten = graph->forgotten;
    pthread_mutex_unlock(&graph->lock);
    if (open_with_room(graph, prepared, error) == STATUS_OK)
        return prepared;
    discard(prepared);
    return NULL;
}

struct prepared *prepared_take(gtrav_graph *graph, const struct preparation *wanted, struct error *error)
{
    struct prepared *prepared = take_idle(graph, wanted, NULL);
    if (prepared == NULL)
        return make(graph, wanted, error);
    prepared->is_new = false;
    prepared->engine.run.error = error;
    return prepared;
}

void gtrav_graph_forget(gtrav_graph *graph)
{
    if (graph->context->process != getpid())
        return;
    pthread_mutex_lock(&graph->lock);
    graph->forgotten++;
    pthread_mutex_unlock(&graph->lock);
    for (struct prepared *each; (each = take_idle(graph, NULL, NULL)) != NULL;) {
        struct shared_gpu *gpu = each->preparation.gpu;
        enum device_kind on = each->preparation.choice.on;
        struct error ignored = {0};
        each->preparation.gpu = NULL; /* the GPU must be left before it is given back */
        if (shared_gpu_enter(gpu, on, &ignored) == STATUS_OK) {
            discard(each);
            shared_gpu_leave(gpu, on);
        } else {
            free(each); /* the device has failed, and its memory is lost */
        }
        shared_gpu_put(gpu);
    }
    orders_forget(&graph->orders);
}
