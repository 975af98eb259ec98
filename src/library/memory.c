/* memory.c: result arrays in GPU memory or pinned host memory, and levels as bytes. */
#include "internal.h"

#define MOST_LEVEL 254u /* the highest level that fits into a byte; 255 means unreached */

/* Begins a call, and enters the context's GPU or the emulator. leave() ends it. NULL: call->error says why. */
static const struct device_arrays *enter(struct library_call *call, gtrav_context *context, gtrav_error *public_error)
{
    struct error *error = &call->error;
    bool may = context->place.choice != CHOICE_CPU && context->place.choice != CHOICE_WEBGPU;
    if (!call_begin(call, NULL, NULL, public_error) || refuse_fork(context->process, error) != STATUS_OK)
        return NULL;
    struct device *device =
        may ? machine_device(&context->gpu->machine, device_of_choice(context->place.choice)) : NULL;
    if (device == NULL)
        error_set(error, STATUS_INPUT, "results can stay on a GPU or on the emulator; the device here is %.64s",
                  context->device);
    bool entered = error->status == STATUS_OK && shared_gpu_enter(context->gpu, device->kind, error) == STATUS_OK;
    return entered ? device->arrays : NULL;
}

/* Leaves the device and ends the call. arrays: what enter() returned. */
static int leave(struct library_call *call, gtrav_context *context, const struct device_arrays *arrays)
{
    if (arrays != NULL)
        shared_gpu_leave(context->gpu, device_of_choice(context->place.choice));
    return call_end(call);
}

int gtrav_memory_new(gtrav_context *context, size_t bytes, bool on_device, void **memory, gtrav_error *public_error)
{
    struct library_call call;
    REQUIRE(public_error, context != NULL && memory != NULL);
    const struct device_arrays *arrays = enter(&call, context, public_error);
    *memory = arrays != NULL ? arrays->take(bytes > 0 ? bytes : 1, on_device, &call.error) : NULL;
    return leave(&call, context, arrays);
}

void gtrav_memory_free(gtrav_context *context, void *memory, bool on_device)
{
    struct library_call call;
    if (memory == NULL)
        return;
    const struct device_arrays *arrays = enter(&call, context, NULL);
    if (arrays != NULL)
        arrays->give(memory, on_device);
    leave(&call, context, arrays);
}

int gtrav_download(gtrav_context *context, void *to, const void *from, size_t bytes, gtrav_error *public_error)
{
    struct library_call call;
    REQUIRE(public_error, context != NULL && ((to != NULL && from != NULL) || bytes == 0));
    const struct device_arrays *arrays = enter(&call, context, public_error);
    if (arrays != NULL)
        arrays->fetch(to, from, bytes, &call.error);
    return leave(&call, context, arrays);
}

/* ---- for searches ---- */

static const struct device_arrays *arrays_of(const struct search *search)
{
    const struct prepared *prepared = search->prepared;
    bool is_for_host = verifies(search) || prepared->request.reordered != NULL; /* the host reads the levels */
    return is_for_host ? NULL : prepared->engine.device->arrays;
}

int begin_levels(struct search *search, uint32_t *wanted, uint32_t **level)
{
    const struct device_arrays *arrays = arrays_of(search);
    const gtrav_query *query = search->query;
    struct prepared *prepared = search->prepared;
    size_t n = search->graph->graph.num_vertices;
    bool to_bytes = narrows(search) && wanted != NULL;
    *level = !to_bytes ? wanted : arrays != NULL ? prepared->wide_levels : NULL;
    if (query != NULL && query->on_device && arrays == NULL)
        return error_set(&search->call.error, STATUS_INPUT,
                         "a result can stay on a GPU or the emulator, without verify and reorder; this is %s",
                         query->ran);
    if (to_bytes && *level == NULL && arrays != NULL)
        *level = prepared->wide_levels =
            arrays->take(n * (sizeof(uint32_t) + 1) + sizeof(uint32_t), true, &search->call.error);
    return search->call.error.status;
}

int end_levels(struct search *search, uint32_t *level, uint32_t *wanted)
{
    const struct device_arrays *arrays = arrays_of(search);
    size_t n = search->graph->graph.num_vertices;
    uint32_t highest = 0;
    double begin_ms = now_ms();
    if (level == wanted || wanted == NULL)
        return search->call.error.status;
    if (arrays != NULL)
        arrays->narrow((uint8_t *)wanted, level, n, &highest, &search->call.error);
    for (size_t i = 0; arrays == NULL && i < n; i++) {
        highest = level[i] != UNREACHED && level[i] > highest ? level[i] : highest;
        ((uint8_t *)wanted)[i] = (uint8_t)level[i];
    }
    search->times.download_ms += now_ms() - begin_ms;
    if (highest > MOST_LEVEL)
        error_set(&search->call.error, STATUS_INPUT, "level %u does not fit into a byte, which holds 0 to %u", highest,
                  MOST_LEVEL);
    return search->call.error.status;
}
