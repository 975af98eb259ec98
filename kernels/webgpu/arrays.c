/* arrays.c: arrays on the device, and their downloads. */

#include "../../src/progress.h"
#include "backend.h"

#define WORD         sizeof(uint32_t)
#define LEAST_WORDS  4           /* minimal words of a buffer, as a binding must not be empty */
#define MOST_STAGING (64u << 20) /* bytes that a download copies at a time */

static uint64_t words_of_part(const struct webgpu_device *device, const struct webgpu_array *array, uint32_t part)
{
    uint64_t left = array->count - part * device->part_words;
    uint64_t words = array->num_parts == 1 || left < device->part_words ? left : device->part_words;
    return words < LEAST_WORDS ? LEAST_WORDS : words;
}

static void count_bytes(struct webgpu_device *device, uint64_t bytes)
{
    device->memory.bytes += bytes;
    if (device->memory.peak_bytes < device->memory.bytes)
        device->memory.peak_bytes = device->memory.bytes;
}

static int too_little(struct webgpu_device *device, uint64_t count, const char *what, struct error *error)
{
    device->failure = (struct error){0};
    return error_set(error, STATUS_DEVICE, "WebGPU: the device has no room for %.6g MB of %s",
                     1e-6 * (double)count * WORD, what);
}

static int allocate_parts(struct webgpu_device *device, struct webgpu_array *array, WGPUBufferUsage usage,
                          const char *what, struct error *error)
{
    device->no_memory = false;
    array->usage = usage;
    for (uint32_t part = 0; part < array->num_parts && !device->no_memory; part++) {
        WGPUBufferDescriptor descriptor = {.usage = usage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
                                           .size = words_of_part(device, array, part) * WORD};
        array->parts[part] = wgpu.DeviceCreateBuffer(device->device, &descriptor);
        count_bytes(device, descriptor.size);
    }
    if (!device->no_memory)
        return STATUS_OK;
    uint64_t count = array->count;
    webgpu_free(device, array, 1);
    return too_little(device, count, what, error);
}

int webgpu_allocate(struct webgpu_device *device, struct webgpu_array *array, uint64_t count, const char *what,
                    struct error *error)
{
    *array = (struct webgpu_array){0};
    uint64_t parts = count > 0 ? (count - 1) / device->part_words + 1 : 1;
    if (error->status != STATUS_OK)
        return error->status;
    if (parts > MAX_PARTS)
        return error_set(error, STATUS_DEVICE,
                         "WebGPU: %.6g MB of %s need %llu bindings of %.6g MB; gtrav takes %d at most",
                         1e-6 * (double)count * WORD, what, (unsigned long long)parts,
                         1e-6 * (double)device->part_words * WORD, MAX_PARTS);
    *array = (struct webgpu_array){.count = count, .num_parts = (uint32_t)parts};
    return allocate_parts(device, array, WGPUBufferUsage_Storage, what, error);
}

int webgpu_allocate_whole(struct webgpu_device *device, struct webgpu_array *array, uint64_t count,
                          WGPUBufferUsage usage, const char *what, struct error *error)
{
    *array = (struct webgpu_array){0};
    if (error->status != STATUS_OK)
        return error->status;
    if (count > device->most_words)
        return error_set(error, STATUS_DEVICE, "WebGPU: %.6g MB of %s do not fit into one binding",
                         1e-6 * (double)count * WORD, what);
    *array = (struct webgpu_array){.count = count, .num_parts = 1};
    return allocate_parts(device, array, usage, what, error);
}

void webgpu_free(struct webgpu_device *device, struct webgpu_array arrays[], uint32_t number)
{
    for (struct webgpu_array *array = arrays; array < arrays + number; array++) {
        for (uint32_t part = 0; part < array->num_parts; part++)
            if (array->parts[part] != NULL) {
                device->memory.bytes -= words_of_part(device, array, part) * WORD;
                wgpu.BufferDestroy(array->parts[part]);
                wgpu.BufferRelease(array->parts[part]);
            }
        *array = (struct webgpu_array){0};
    }
}

int webgpu_write(struct webgpu_device *device, struct webgpu_array *array, const void *words, uint64_t count,
                 struct error *error)
{
    if (error->status == STATUS_OK && count > 0)
        wgpu.QueueWriteBuffer(device->queue, array->parts[0], 0, words, count * WORD);
    return error->status;
}

uint32_t webgpu_piece(const struct webgpu_device *device, const struct webgpu_array *array, uint64_t first,
                      uint64_t left, uint64_t most, uint64_t *in_part, uint64_t *piece)
{
    uint64_t part_words = array->num_parts > 1 ? device->part_words : array->count;
    *in_part = first % part_words;
    *piece = most < part_words - *in_part ? most : part_words - *in_part;
    *piece = *piece < left ? *piece : left;
    return (uint32_t)(first / part_words);
}

/* ---- downloads ---- */

static void on_mapped(WGPUMapAsyncStatus status, UNUSED WGPUStringView message, void *data, UNUSED void *unused)
{
    struct webgpu_device *device = data;
    device->mapped = status;
    device->is_done = true;
}

static int grow_staging(struct webgpu_device *device, uint64_t bytes, struct error *error)
{
    if (bytes <= device->staging_bytes)
        return error->status;
    if (device->staging != NULL)
        wgpu.BufferRelease(device->staging);
    device->no_memory = false;
    device->staging_bytes = bytes;
    device->staging = wgpu.DeviceCreateBuffer(
        device->device,
        &(WGPUBufferDescriptor){.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, .size = bytes});
    if (!device->no_memory)
        return error->status;
    device->staging_bytes = 0;
    return too_little(device, bytes / WORD, "a download", error);
}

static uint64_t bytes_of(const struct webgpu_reading readings[], int number)
{
    uint64_t bytes = 0;
    for (int i = 0; i < number; i++)
        bytes += readings[i].bytes;
    return bytes;
}

int webgpu_submit_reading(struct webgpu_commands *commands, const struct webgpu_reading wanted[], int number,
                          struct error *error)
{
    struct webgpu_device *device = commands->device;
    struct webgpu_reading *readings = device->readings;
    for (int i = 0; i < number; i++)
        readings[i] = wanted[i];
    number += webgpu_add_stamps(commands, &readings[number]);
    device->num_readings = number;
    if (grow_staging(device, bytes_of(readings, number), error) == STATUS_OK)
        for (int i = 0; i < number; i++)
            webgpu_copy(commands, readings[i].from, readings[i].at, device->staging, bytes_of(readings, i),
                        readings[i].bytes);
    webgpu_submit(commands);
    if (error->status != STATUS_OK || webgpu_report(device, error) != STATUS_OK)
        return error->status;
    device->is_done = false;
    wgpu.BufferMapAsync(device->staging, WGPUMapMode_Read, 0, bytes_of(readings, number),
                        (WGPUBufferMapCallbackInfo){
                            .mode = WGPUCallbackMode_AllowSpontaneous, .callback = on_mapped, .userdata1 = device});
    return STATUS_OK;
}

int webgpu_finish_reading(struct webgpu_device *device, struct error *error)
{
    const struct webgpu_reading *readings = device->readings;
    if (error->status != STATUS_OK || webgpu_wait_for(device, &device->is_done, error) != STATUS_OK)
        return error->status;
    if (device->mapped != WGPUMapAsyncStatus_Success)
        return error_set(error, STATUS_DEVICE, "WebGPU: a download failed");
    const char *from = wgpu.BufferGetConstMappedRange(device->staging, 0, bytes_of(readings, device->num_readings));
    for (int i = 0; i < device->num_readings; from += readings[i++].bytes)
        memcpy(readings[i].to, from, readings[i].bytes);
    wgpu.BufferUnmap(device->staging);
    return stop_requested() ? error_set(error, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

int webgpu_submit_and_read(struct webgpu_commands *commands, const struct webgpu_reading readings[], int number,
                           struct error *error)
{
    struct webgpu_device *device = commands->device;
    webgpu_submit_reading(commands, readings, number, error);
    return webgpu_finish_reading(device, error);
}

int webgpu_download(struct webgpu_device *device, const struct webgpu_array *array, uint64_t first, uint32_t *words,
                    uint64_t count, struct error *error)
{
    uint64_t piece;
    for (uint64_t done = 0; done < count && error->status == STATUS_OK; done += piece) {
        struct webgpu_commands commands;
        uint64_t in_part;
        uint32_t part = webgpu_piece(device, array, first + done, count - done, MOST_STAGING / WORD, &in_part, &piece);
        webgpu_begin(device, &commands);
        struct webgpu_reading reading = {array->parts[part], in_part * WORD, piece * WORD, words + done};
        webgpu_submit_and_read(&commands, &reading, 1, error);
    }
    return error->status;
}

/* ---- turns ---- */

int webgpu_make_turns(struct webgpu_device *device, struct webgpu_array turns[TURNS], struct error *error)
{
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        webgpu_allocate_whole(device, &turns[turn], 1, WGPUBufferUsage_Uniform, "the turns", error);
        webgpu_write(device, &turns[turn], &turn, 1, error);
    }
    return error->status;
}
