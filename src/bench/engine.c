#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "../progress.h"

/* ---- results ---- */

int outputs_allocate(const struct graph *graph, unsigned wanted, uint32_t batch_size, struct traversal *outputs,
                     struct error *error)
{
    size_t n = graph->num_vertices;
    if (wanted & OUTPUT_VISITED)
        allocate(&outputs->visited, n, sizeof *outputs->visited, "the result", error);
    if (wanted & OUTPUT_PARENT)
        allocate(&outputs->parent, n, sizeof *outputs->parent, "the result", error);
    if (wanted & OUTPUT_LEVEL)
        allocate(&outputs->level, n, sizeof *outputs->level, "the result", error);
    if (wanted & OUTPUT_ORDER)
        allocate(&outputs->order, n, sizeof *outputs->order, "the result", error);
    if (wanted & OUTPUT_TASKS)
        allocate(&outputs->tasks, MAX_BLOCKS, sizeof *outputs->tasks, "the result", error);
    if (wanted & OUTPUT_FINISH)
        allocate(&outputs->finish, n, sizeof *outputs->finish, "the result", error);
    if (wanted & OUTPUT_SUMS)
        allocate(&outputs->sums, batch_size, sizeof *outputs->sums, "the result", error);
    if (wanted & OUTPUT_FAR) {
        allocate(&outputs->far, n, sizeof *outputs->far, "the result", error);
        allocate(&outputs->far_count, n, sizeof *outputs->far_count, "the result", error);
    }
    return error->status;
}

void outputs_release(struct traversal *outputs)
{
    free(outputs->visited);
    free(outputs->parent);
    free(outputs->level);
    free(outputs->order);
    free(outputs->tasks);
    free(outputs->finish);
    free(outputs->sums);
    free(outputs->far);
    free(outputs->far_count);
    free(outputs->trace);
    free(outputs->work);
    *outputs = (struct traversal){0};
}

/* Fills the arrays with garbage, so that verification finds entries that the algorithm does not write. */
static void poison(const struct engine *engine, uint32_t num_sources, struct traversal *outputs)
{
    size_t n = engine->request->graph->num_vertices;
    if (outputs->visited != NULL)
        memset(outputs->visited, 0xa5, n * sizeof *outputs->visited);
    if (outputs->parent != NULL)
        memset(outputs->parent, 0xa5, n * sizeof *outputs->parent);
    if (outputs->level != NULL)
        memset(outputs->level, 0xa5, n * sizeof *outputs->level);
    if (outputs->order != NULL)
        memset(outputs->order, 0xa5, n * sizeof *outputs->order);
    if (outputs->tasks != NULL)
        memset(outputs->tasks, 0xa5, MAX_BLOCKS * sizeof *outputs->tasks);
    if (outputs->finish != NULL)
        memset(outputs->finish, 0xa5, n * sizeof *outputs->finish);
    if (outputs->sums != NULL)
        memset(outputs->sums, 0xa5, num_sources * sizeof *outputs->sums);
    if (outputs->far != NULL) {
        memset(outputs->far, 0xa5, n * sizeof *outputs->far);
        memset(outputs->far_count, 0xa5, n * sizeof *outputs->far_count);
    }
    if (outputs->length != NULL)
        memset(outputs->length, 0xa5, engine->num_destinations * sizeof *outputs->length);
    outputs->num_ordered = 0;
    outputs->num_blocks = 0;
    outputs->unordered = false;
    free(outputs->trace);
    free(outputs->work);
    outputs->trace = NULL;
    outputs->work = NULL;
    outputs->num_trace = outputs->num_work = 0;
}

/* ---- preparing ---- */

/* The most memory that was in use on the device since the last call. */
static uint64_t peak_of_memory(const struct device *device)
{
    struct device_memory *memory = device->memory;
    uint64_t peak = memory != NULL ? memory->peak_bytes : 0;
    if (memory != NULL)
        memory->peak_bytes = memory->bytes;
    return peak;
}

int engine_open(struct engine *engine, const struct bench_request *request, struct device *device, unsigned outputs,
                int num_sources, struct error *error)
{
    const struct graph *graph = request->reordered != NULL ? request->reordered : request->graph;
    *engine = (struct engine){.request = request, .device = device};
    struct run *run = &engine->run;
    *run =
        (struct run){.graph = graph, .device = device, .outputs = outputs, .num_trials = num_sources, .error = error};
    memcpy(run->options, request->options, sizeof run->options);
    if (translation_init(&engine->translation, request, error) != STATUS_OK)
        return error->status;
    progress_begin("preparing", 0);
    peak_of_memory(device);
    double begin = now_ms();
    engine->prepared = true;
    int status = request->algorithm->prepare(run);
    engine->prepare_ms = now_ms() - begin;
    engine->peak_device_bytes = peak_of_memory(device);
    progress_end();
    engine->batch_size = run->batch_size > 0 ? run->batch_size : 1;
    if (status == STATUS_OK && request->reordered != NULL)
        outputs_allocate(graph, outputs & ~(unsigned)(OUTPUT_SUMS | OUTPUT_TASKS), 0, &engine->translation.fetched,
                         error);
    return allocate(&engine->sources, engine->batch_size, sizeof *engine->sources, "the sources", error);
}

void engine_close(struct engine *engine)
{
    const struct bench_request *request = engine->request;
    engine->device_bytes = peak_of_memory(engine->device);
    if (engine->device_bytes > engine->peak_device_bytes)
        engine->peak_device_bytes = engine->device_bytes;
    if (engine->prepared)
        request->algorithm->release(&engine->run);
    free(engine->sources);
    free(engine->destinations);
    outputs_release(&engine->translation.fetched);
    translation_release(&engine->translation);
}

/* ---- at work ---- */

static int translate_query(struct engine *engine, const struct query *query, struct query *translated)
{
    *translated = *query;
    for (uint32_t i = 0; i < query->num_sources; i++)
        engine->sources[i] = translate_source(&engine->translation, query->sources[i]);
    translated->sources = engine->sources;
    translated->source = engine->sources[0];
    engine->num_destinations = query->destinations != NULL ? query->num_destinations : 0;
    free(engine->destinations);
    engine->destinations = NULL;
    if (query->destinations == NULL || engine->request->reordered == NULL)
        return STATUS_OK;
    if (allocate(&engine->destinations, query->num_destinations, sizeof *engine->destinations, "destinations",
                 engine->run.error) != STATUS_OK)
        return engine->run.error->status;
    for (uint64_t i = 0; i < query->num_destinations; i++)
        engine->destinations[i] = (struct destination){
            query->destinations[i].which, translate_source(&engine->translation, query->destinations[i].vertex)};
    translated->destinations = engine->destinations;
    return STATUS_OK;
}

int engine_traverse(struct engine *engine, const struct query *query, double *time_ms, double *kernel_ms)
{
    struct device *device = engine->device;
    struct query translated;
    if (translate_query(engine, query, &translated) != STATUS_OK)
        return engine->run.error->status;
    device->mark(device, MARK_BEGIN);
    int status = engine->request->algorithm->traverse(&engine->run, &translated);
    device->mark(device, MARK_END);
    return status == STATUS_OK ? device->elapsed(device, time_ms, kernel_ms, engine->run.error) : status;
}

/* The arrays of `room` that are wanted. Arrays without an entry for each vertex need no translation; the algorithm
 * writes them where they are wanted. */
static struct traversal pick_arrays(const struct traversal *wanted, const struct traversal *room)
{
    struct traversal picked = *wanted;
    picked.visited = wanted->visited != NULL ? room->visited : NULL;
    picked.parent = wanted->parent != NULL ? room->parent : NULL;
    picked.level = wanted->level != NULL ? room->level : NULL;
    picked.order = wanted->order != NULL ? room->order : NULL;
    picked.finish = wanted->finish != NULL ? room->finish : NULL;
    picked.far = wanted->far != NULL ? room->far : NULL;
    picked.far_count = wanted->far_count != NULL ? room->far_count : NULL;
    return picked;
}

int engine_fetch(struct engine *engine, uint32_t num_sources, struct traversal *result)
{
    const struct bench_request *request = engine->request;
    if (request->reordered == NULL) {
        poison(engine, num_sources, result);
        return request->algorithm->fetch(&engine->run, result);
    }
    struct traversal fetched = pick_arrays(result, &engine->translation.fetched);
    poison(engine, num_sources, &fetched);
    int status = request->algorithm->fetch(&engine->run, &fetched);
    result->num_ordered = fetched.num_ordered;
    result->num_blocks = fetched.num_blocks;
    result->unordered = fetched.unordered;
    result->trace = fetched.trace;
    result->num_trace = fetched.num_trace;
    result->work = fetched.work;
    result->num_work = fetched.num_work;
    if (status == STATUS_OK)
        translate_result(&engine->translation, &fetched, result);
    return status;
}
