/* device.c: makes a device of a WebGPU adapter: opening it, what it reports, and its clock. */

#include "backend.h"

#define LEAST_PART_WORDS 64

/* ---- what WebGPU reports ---- */

static void on_error(UNUSED WGPUDevice const *handle, WGPUErrorType type, WGPUStringView message, void *data,
                     UNUSED void *unused)
{
    struct webgpu_device *device = data;
    device->no_memory = device->no_memory || type == WGPUErrorType_OutOfMemory;
    webgpu_note_failure(device,
                        type == WGPUErrorType_OutOfMemory  ? "out of memory"
                        : type == WGPUErrorType_Validation ? "refused"
                                                           : "failed",
                        message);
}

static void on_lost(UNUSED WGPUDevice const *handle, WGPUDeviceLostReason reason, WGPUStringView message, void *data,
                    UNUSED void *unused)
{
    struct webgpu_device *device = data;
    if (reason == WGPUDeviceLostReason_Destroyed)
        return;
    device->is_lost = true;
    webgpu_note_failure(device, "the device was lost", message);
}

/* ---- the clock ---- */

/* Opens a new device if the last one was lost. close_device() says why nobody frees the lost one. */
static int use(struct device *of, struct error *error)
{
    struct webgpu_device *lost = of->backend;
    struct device device;
    if (!lost->is_lost || device_open(DEVICE_WEBGPU, &device, of->number, error) != STATUS_OK)
        return error->status;
    device.seed = of->seed;
    device.generation = of->generation + 1;
    device.memory->bytes = lost->memory.bytes; /* counted until the runs that use this memory are released */
    *of = device;
    return STATUS_OK;
}

static void mark(struct device *of, enum mark mark)
{
    struct webgpu_device *device = of->backend;
    struct error ignored = {0};
    bool inner = mark == MARK_KERNEL_BEGIN || mark == MARK_KERNEL_END;
    if (mark == MARK_BEGIN) {
        device->at[MARK_KERNEL_BEGIN] = device->at[MARK_KERNEL_END] = -1;
        device->has_new_stamps = false;
        memset(device->ticks, 0, sizeof device->ticks);
    }
    if (!inner || device->stamps == NULL) { /* the algorithm's next wait reports any failure */
        struct error kept = device->failure;
        webgpu_wait(device, &ignored);
        device->failure = kept.status != STATUS_OK ? kept : ignored;
    }
    device->in_kernel = mark == MARK_KERNEL_BEGIN;
    device->at[mark] = now_ms();
}

/* Returns the times of the last search. The timestamps usually came with the last data that the host read. */
static int elapsed(struct device *of, double *time_ms, double *kernel_ms, struct error *error)
{
    struct webgpu_device *device = of->backend;
    const double *at = device->at;
    const uint64_t *ticks = device->ticks;
    bool marked = at[MARK_KERNEL_END] >= 0;
    *time_ms = at[MARK_END] - at[MARK_BEGIN];
    *kernel_ms = marked ? at[MARK_KERNEL_END] - at[MARK_KERNEL_BEGIN] : *time_ms;
    of->reset_ms = marked ? at[MARK_KERNEL_BEGIN] - at[MARK_BEGIN] : 0;
    if (marked && device->has_new_stamps) {
        struct webgpu_commands commands;
        webgpu_begin(device, &commands);
        webgpu_submit_and_read(&commands, NULL, 0, error);
    }
    if (marked && ticks[0] > 0)
        *kernel_ms = ticks[1] > ticks[0] ? (double)(ticks[1] - ticks[0]) * device->ms_per_tick : 0;
    return error->status;
}

static void make_clock(struct webgpu_device *device)
{
    device->stamps = wgpu.DeviceCreateQuerySet(
        device->device, &(WGPUQuerySetDescriptor){.type = WGPUQueryType_Timestamp, .count = NUM_STAMPS});
    device->resolved = wgpu.DeviceCreateBuffer(
        device->device, &(WGPUBufferDescriptor){.usage = WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc,
                                                .size = sizeof device->ticks});
    device->ms_per_tick = 1e-6 * (double)wgpu.QueueGetTimestampPeriod(device->queue);
}

/* ---- opening and closing ---- */

/* Waits until WebGPU has answered all requests. Returns false if the device was lost, before or while waiting. */
static bool is_idle(struct webgpu_device *device)
{
    struct error ignored = {0};
    if (device->device == NULL || device->is_lost)
        return !device->is_lost;
    device->failure = (struct error){0};
    webgpu_wait(device, &ignored);
    for (int i = 0; i < NUM_STAGES; i++)
        if (device->stages[i].buffer != NULL)
            webgpu_wait_for(device, &device->stages[i].is_answered, &ignored);
    return !device->is_lost;
}

/* Frees a device. A callback writes only to the struct webgpu_device that it was given, and WebGPU calls back only
 * within our calls for a device and its objects. So the struct may be freed when everything is answered and the
 * device is released. A lost device may answer late, e.g. when a run's arrays are released, and the library ends the
 * process if a queue with unfinished work is released. So the struct and the adapters of a lost device are kept. */
static void close_device(struct device *of)
{
    struct webgpu_device *device = of->backend;
    *of = (struct device){0};
    if (!is_idle(device))
        return;
    for (int i = 0; i < device->num_pipelines; i++) {
        wgpu.BindGroupLayoutRelease(device->pipelines[i].layout);
        wgpu.ComputePipelineRelease(device->pipelines[i].pipeline);
    }
    free(device->pipelines);
    if (device->stamps != NULL) {
        wgpu.QuerySetRelease(device->stamps);
        wgpu.BufferRelease(device->resolved);
    }
    if (device->staging != NULL)
        wgpu.BufferRelease(device->staging);
    for (int i = 0; i < NUM_STAGES; i++)
        if (device->stages[i].buffer != NULL)
            wgpu.BufferRelease(device->stages[i].buffer);
    if (device->device != NULL) {
        wgpu.QueueRelease(device->queue);
        wgpu.DeviceRelease(device->device);
    }
    webgpu_release_adapters();
    free(device);
}

static void on_device(WGPURequestDeviceStatus status, WGPUDevice handle, WGPUStringView message, void *data,
                      UNUSED void *unused)
{
    struct webgpu_device *device = data;
    if (status == WGPURequestDeviceStatus_Success)
        device->device = handle;
    else
        webgpu_note_failure(device, "the adapter gives no device", message);
}

static uint64_t most_bytes(const WGPULimits *limits)
{
    return limits->maxStorageBufferBindingSize < limits->maxBufferSize ? limits->maxStorageBufferBindingSize
                                                                       : limits->maxBufferSize;
}

/* Returns the words in a binding: the largest power of two that fits. Tests set GTRAV_WEBGPU_BINDING_BYTES. */
static uint64_t words_of_part(uint64_t most_words)
{
    const char *text = getenv("GTRAV_WEBGPU_BINDING_BYTES");
    uint64_t lowered = text != NULL ? strtoull(text, NULL, 10) / sizeof(uint32_t) : 0, words = LEAST_PART_WORDS;
    if (lowered > 0 && lowered < most_words)
        most_words = lowered;
    while (words * 2 <= most_words && words < 1ull << 31)
        words *= 2;
    return words;
}

static int request_device(struct webgpu_device *device, const struct webgpu_adapter *adapter, struct error *error)
{
    WGPUFeatureName features[2];
    size_t num_features = 0;
    if (adapter->has_timestamps)
        features[num_features++] = WGPUFeatureName_TimestampQuery;
    if (adapter->has_subgroups)
        features[num_features++] = (WGPUFeatureName)WGPUNativeFeature_Subgroup;
    device->limits = adapter->limits;
    WGPUDeviceDescriptor descriptor = {
        .requiredFeatureCount = num_features,
        .requiredFeatures = features,
        .requiredLimits = &device->limits,
        .deviceLostCallbackInfo = {.mode = WGPUCallbackMode_AllowSpontaneous, .callback = on_lost, .userdata1 = device},
        .uncapturedErrorCallbackInfo = {.callback = on_error, .userdata1 = device},
    };
    wgpu.AdapterRequestDevice(adapter->handle, &descriptor,
                              (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_AllowSpontaneous,
                                                              .callback = on_device,
                                                              .userdata1 = device});
    if (webgpu_report(device, error) != STATUS_OK)
        return error->status;
    if (device->device == NULL)
        return error_set(error, STATUS_DEVICE, "WebGPU: %s did not answer", adapter->name);
    device->queue = wgpu.DeviceGetQueue(device->device);
    device->most_words = most_bytes(&adapter->limits) / sizeof(uint32_t);
    device->part_words = words_of_part(device->most_words);
    device->has_stages = !device->is_software || getenv("GTRAV_WEBGPU_BINDING_BYTES") != NULL;
    if (adapter->has_timestamps)
        make_clock(device);
    return webgpu_report(device, error);
}

/* Takes the adapters and returns the one with this number. NULL: the error is set, and no adapters are taken. */
static const struct webgpu_adapter *take_adapter(int number, struct error *error)
{
    const struct webgpu_adapter *adapters;
    int count = webgpu_take_adapters(&adapters, error);
    if (error->status == STATUS_OK && count == 0)
        error_set(error, STATUS_DEVICE,
                  "WebGPU found no adapter; install the GPU's Vulkan driver, or, to run on the CPU, "
                  "mesa-vulkan-drivers (scripts/setup.sh webgpu)");
    if (error->status == STATUS_OK && number >= count)
        error_set(error, STATUS_DEVICE, "WebGPU has %d adapter%s here, so none has the number %d", count,
                  count == 1 ? "" : "s", number);
    if (error->status == STATUS_OK)
        return &adapters[number];
    webgpu_release_adapters();
    return NULL;
}

static int open_device(struct device *device, int number, struct error *error)
{
    struct webgpu_device *backend;
    const struct webgpu_adapter *adapter = take_adapter(number, error);
    *device = (struct device){0};
    if (adapter == NULL)
        return error->status;
    if (allocate_zeroed(&backend, 1, sizeof *backend, "the WebGPU device", error) != STATUS_OK) {
        webgpu_release_adapters();
        return error->status;
    }
    *device = (struct device){.kind = DEVICE_WEBGPU,
                              .number = number,
                              .is_software = adapter->is_software,
                              .backend = backend,
                              .memory = &backend->memory,
                              .use = use,
                              .mark = mark,
                              .elapsed = elapsed,
                              .close = close_device};
    snprintf(device->name, sizeof device->name, "%s", adapter->name);
    device_slug(adapter->is_software ? "software-" : "", device->name, device->slug, sizeof device->slug);
    backend->is_software = adapter->is_software;
    backend->has_subgroups = adapter->has_subgroups;
    backend->shares_memory = adapter->shares_memory;
    if (request_device(backend, adapter, error) != STATUS_OK)
        close_device(device);
    return error->status;
}

static int count(void)
{
    const struct webgpu_adapter *adapters;
    struct error ignored = {0};
    int count = webgpu_take_adapters(&adapters, &ignored);
    webgpu_release_adapters();
    return count;
}

static int describe(int number, char *text, size_t size, struct error *error)
{
    const struct webgpu_adapter *adapter = take_adapter(number, error);
    if (adapter == NULL)
        return error->status;
    snprintf(text, size,
             "%s (%s, Vulkan, %s; bindings of %.0f MiB, buffers of %.0f MiB, workgroups of %u threads, times by %s)",
             adapter->name, adapter->type, adapter->driver,
             (double)adapter->limits.maxStorageBufferBindingSize / (1 << 20),
             (double)adapter->limits.maxBufferSize / (1 << 20), adapter->limits.maxComputeInvocationsPerWorkgroup,
             adapter->has_timestamps ? "the device" : "the host");
    webgpu_release_adapters();
    return STATUS_OK;
}

static int find(const char *name, int *number, struct error *error)
{
    const struct webgpu_adapter *adapters = take_adapter(0, error);
    if (adapters == NULL)
        return error->status;
    int known = count(), i = 0;
    char *end;
    long asked = strtol(name, &end, 10);
    bool by_number = *name != '\0' && *end == '\0';
    while (i < known && (by_number ? asked != i : *name == '\0' || strcasestr(adapters[i].name, name) == NULL))
        i++;
    webgpu_release_adapters();
    if (i == known)
        return error_set(error, STATUS_INPUT,
                         "--device webgpu:%s: no adapter has this number or these letters in its name; gtrav --list "
                         "--long shows them",
                         name);
    *number = i;
    return STATUS_OK;
}

const struct device_driver webgpu_driver = {.open = open_device, .count = count, .find = find, .describe = describe};
