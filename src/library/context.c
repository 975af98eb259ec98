/* context.c: contexts. A context has a device and a number of threads. */
#include <unistd.h>

#include "../cores.h"
#include "internal.h"

/* Opens the context's device. auto: the first GPU, or else the CPU. */
static int open_device(gtrav_context *context, struct error *error)
{
    struct machine *machine = &context->gpu->machine;
    enum device_kind kind = device_of_choice(context->place.choice);
    struct device *device = machine_device(machine, kind);
    if (device == NULL && context->place.choice == CHOICE_AUTO)
        device = machine_device(machine, kind = DEVICE_CPU);
    if (device != NULL)
        snprintf(context->device, sizeof context->device, "%s", device->name);
    else
        error_set(error, machine->errors[kind].status, "%s", machine->errors[kind].text);
    return error->status;
}

static int fill_context(gtrav_context *context, const char *device, int threads, struct error *error)
{
    context->references = 1;
    context->process = getpid();
    context->threads = threads > 0 ? threads : cores_default_threads(1);
    pthread_mutex_init(&context->lock, NULL);
    if (threads < 0 || threads > MAX_THREADS)
        return error_set(error, STATUS_INPUT, "%d threads: expected 0 to %d; 0 is one for each free core", threads,
                         MAX_THREADS);
    if (place_parse(device != NULL ? device : "auto", &context->place, error) != STATUS_OK ||
        (context->gpu = shared_gpu_take(context->place.number, error)) == NULL)
        return error->status;
    return open_device(context, error);
}

int gtrav_context_new(gtrav_context **context, const char *device, int threads, gtrav_error *public_error)
{
    struct library_call call;
    if (context != NULL)
        *context = NULL;
    REQUIRE(public_error, context != NULL);
    if (call_begin(&call, NULL, NULL, public_error) &&
        allocate_zeroed(context, 1, sizeof **context, "the context", &call.error) == STATUS_OK &&
        fill_context(*context, device, threads, &call.error) != STATUS_OK) {
        gtrav_context_free(*context);
        *context = NULL;
    }
    return call_end(&call);
}

void gtrav_context_free(gtrav_context *context)
{
    if (context == NULL || atomic_fetch_sub(&context->references, 1) > 1)
        return;
    shared_gpu_put(context->gpu);
    pthread_mutex_destroy(&context->lock);
    free(context);
}

const char *gtrav_context_device(const gtrav_context *context)
{
    return context->device;
}

void gtrav_context_on_progress(gtrav_context *context, gtrav_progress *report, void *with)
{
    pthread_mutex_lock(&context->lock);
    context->reporter = (struct reporter){report, with};
    pthread_mutex_unlock(&context->lock);
}

void gtrav_context_cancel(gtrav_context *context)
{
    atomic_fetch_add(&context->cancels, 1);
}
