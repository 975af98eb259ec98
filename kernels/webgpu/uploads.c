/* uploads.c: large copies from the host to the device, and the graph on the device.
 *
 * The library's own function (queueWriteBuffer) copies on one thread, to newly allocated memory each time. So a large
 * copy goes through several permanent buffers, the stages: while the device copies from one stage, all threads fill
 * the next. A stage is mapped, which lets the host write to it, until its copy is submitted. Then mapping is
 * requested again, and granted when the device has finished copying. So a stage is never written while the device
 * reads it. */

#include "../../src/device.h"
#include "backend.h"

#define WORD         sizeof(uint32_t)
#define STAGE_WORDS  (2u << 20)
#define OFFSET_SLACK (1u << 16) /* a kernel may add this to the number of edges without overflow */

/* Returns the words of a stage. Tests that split arrays get small stages, so that copies are also split. */
static uint64_t words_of_stage(const struct webgpu_device *device)
{
    return device->part_words < STAGE_WORDS ? device->part_words : STAGE_WORDS;
}

static void on_answer(WGPUMapAsyncStatus status, UNUSED WGPUStringView message, void *data, UNUSED void *unused)
{
    struct webgpu_stage *stage = data;
    stage->is_mapped = status == WGPUMapAsyncStatus_Success;
    stage->is_answered = true;
}

/* Makes a stage, mapped from the start. Returns false if there is not enough memory. */
static bool make_stage(struct webgpu_device *device, struct webgpu_stage *stage)
{
    WGPUBufferDescriptor descriptor = {.usage = WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc,
                                       .size = words_of_stage(device) * WORD,
                                       .mappedAtCreation = true};
    device->no_memory = false;
    stage->buffer = wgpu.DeviceCreateBuffer(device->device, &descriptor);
    stage->is_answered = stage->is_mapped = true;
    if (!device->no_memory)
        return true;
    device->failure = (struct error){0};
    wgpu.BufferRelease(stage->buffer);
    *stage = (struct webgpu_stage){0};
    return false;
}

/* Submits a copy of the stage's first bytes to a buffer, and requests the stage again. */
static void submit_stage(struct webgpu_device *device, struct webgpu_stage *stage, WGPUBuffer to, uint64_t at,
                         uint64_t bytes)
{
    struct webgpu_commands commands;
    wgpu.BufferUnmap(stage->buffer);
    webgpu_begin(device, &commands);
    wgpu.CommandEncoderCopyBufferToBuffer(commands.encoder, stage->buffer, 0, to, at, bytes);
    webgpu_submit(&commands);
    stage->is_answered = stage->is_mapped = false;
    wgpu.BufferMapAsync(stage->buffer, WGPUMapMode_Write, 0, words_of_stage(device) * WORD,
                        (WGPUBufferMapCallbackInfo){
                            .mode = WGPUCallbackMode_AllowSpontaneous, .callback = on_answer, .userdata1 = stage});
}

static int write_staged(struct webgpu_device *device, struct webgpu_stage *stage, WGPUBuffer to, uint64_t at,
                        const uint32_t *words, uint64_t bytes, struct error *error)
{
    if (webgpu_wait_for(device, &stage->is_answered, error) != STATUS_OK)
        return error->status;
    if (!stage->is_mapped)
        return error_set(error, STATUS_DEVICE, "WebGPU: an upload failed");
    copy_by_all_threads(wgpu.BufferGetMappedRange(stage->buffer, 0, bytes), words, bytes);
    submit_stage(device, stage, to, at, bytes);
    return STATUS_OK;
}

/* Returns whether a copy goes through the stages; makes them if so. */
static bool is_staged(struct webgpu_device *device, uint64_t count)
{
    bool made = device->has_stages && count > words_of_stage(device);
    for (int i = 0; i < NUM_STAGES && made; i++)
        made = device->stages[i].buffer != NULL || make_stage(device, &device->stages[i]);
    return made;
}

int webgpu_upload(struct webgpu_device *device, struct webgpu_array *array, const uint32_t *words, uint64_t count,
                  const char *what, struct error *error)
{
    if (webgpu_allocate(device, array, count, what, error) != STATUS_OK)
        return error->status;
    double begin = now_ms();
    bool staged = is_staged(device, count);
    uint64_t piece, number = 0;
    for (uint64_t first = 0; first < count && error->status == STATUS_OK; first += piece) {
        uint64_t in_part;
        uint32_t part = webgpu_piece(device, array, first, count - first, words_of_stage(device), &in_part, &piece);
        if (staged)
            write_staged(device, &device->stages[number++ % NUM_STAGES], array->parts[part], in_part * WORD,
                         words + first, piece * WORD, error);
        else
            wgpu.QueueWriteBuffer(device->queue, array->parts[part], in_part * WORD, words + first, piece * WORD);
    }
    wgpu.QueueSubmit(device->queue, 0, NULL); /* makes the library free its copy early */
    webgpu_wait(device, error);
    if (device->memory.times_uploads)
        device->memory.upload_ms += now_ms() - begin;
    return error->status;
}

/* ---- the graph ---- */

int webgpu_graph_upload(struct webgpu_device *device, const struct graph *graph, struct webgpu_array copy[2],
                        struct error *error)
{
    size_t num_offsets = (size_t)graph->num_vertices + 1;
    uint32_t *narrow;
    if (graph->num_edges > UINT32_MAX - OFFSET_SLACK)
        return error_set(error, STATUS_DEVICE, "WebGPU: %s has %llu edges, but WGSL's 32-bit numbers end at %u",
                         graph->name, (unsigned long long)graph->num_edges, UINT32_MAX - OFFSET_SLACK);
    if (allocate(&narrow, num_offsets, sizeof *narrow, "32-bit offsets", error) != STATUS_OK)
        return error->status;
#pragma omp parallel for
    for (size_t v = 0; v < num_offsets; v++)
        narrow[v] = (uint32_t)graph->offsets[v];
    webgpu_upload(device, &copy[0], narrow, num_offsets, "offsets", error);
    free(narrow);
    return webgpu_upload(device, &copy[1], graph->targets, graph->num_edges, "edges", error);
}

double webgpu_upload_in_edges(struct webgpu_device *device, const struct graph *graph, struct webgpu_array in_edges[2],
                              struct error *error)
{
    struct graph transpose = {0};
    double begin = now_ms();
    if (error->status == STATUS_OK && graph_transpose(graph, &transpose, error) == STATUS_OK) {
        webgpu_graph_upload(device, &transpose, in_edges, error);
        graph_release(&transpose);
    }
    return now_ms() - begin;
}

uint64_t webgpu_high_degrees(const struct graph *graph, uint64_t edges)
{
    uint64_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        count += graph->offsets[v + 1] - graph->offsets[v] > edges;
    return count;
}
