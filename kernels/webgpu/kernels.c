/* kernels.c: compiles, binds and runs kernels. */

#include "backend.h"

static WGPUStringView view(const char *text)
{
    return (WGPUStringView){text, WGPU_STRLEN};
}

/* ---- compiling ---- */

/* Writes a name that is unique to the kernel: module, entry point, features, constants, and the number of parts of
 * its arrays. */
static void name_kernel(const struct webgpu_kernel *kernel, const struct webgpu_bindings *bindings, char *name,
                        size_t size)
{
    snprintf(name, size, "%s %s%s", kernel->module, kernel->entry, kernel->features);
    for (size_t i = 0; i < kernel->num_constants; i++)
        text_append(name, size, " ", "%.0f", kernel->constants[i].value);
    for (int i = 0; i < MAX_BINDINGS; i++)
        if (bindings->names[i] != NULL && bindings->arrays[i]->num_parts > 1)
            text_append(name, size, " ", "%d:%u", i, bindings->arrays[i]->num_parts);
}

static char *split_text(const struct webgpu_device *device, const struct webgpu_kernel *kernel,
                        const struct webgpu_bindings *bindings, struct error *error)
{
    struct split splits[MAX_BINDINGS + 1] = {0};
    unsigned shift = (unsigned)__builtin_ctzll(device->part_words), count = 0;
    for (int i = 0; i < MAX_BINDINGS; i++)
        if (bindings->names[i] != NULL)
            splits[count++] = (struct split){bindings->names[i], bindings->arrays[i]->num_parts, shift};
    return split_shader(kernel->sources, splits, kernel->features, error);
}

/* Compiles a shader. The library adds checks of indices and loops to it, unless GTRAV_WEBGPU_CHECKS is 0. */
static WGPUShaderModule make_module(const struct webgpu_device *device, const char *name, const char *text)
{
    const char *checks = getenv("GTRAV_WEBGPU_CHECKS");
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = view(text)};
    WGPUShaderModuleDescriptor descriptor = {.nextInChain = &source.chain, .label = view(name)};
    return checks != NULL && strcmp(checks, "0") == 0
               ? wgpu.DeviceCreateShaderModuleTrusted(device->device, &descriptor, WGPUShaderRuntimeChecks_None)
               : wgpu.DeviceCreateShaderModule(device->device, &descriptor);
}

static int compile(struct webgpu_device *device, const struct webgpu_kernel *kernel,
                   const struct webgpu_bindings *bindings, struct webgpu_pipeline *made, struct error *error)
{
    char *text = split_text(device, kernel, bindings, error);
    if (text == NULL)
        return error->status;
    WGPUShaderModule module = make_module(device, kernel->module, text);
    free(text);
    if (device->failure.status == STATUS_OK)
        made->pipeline = wgpu.DeviceCreateComputePipeline(
            device->device, &(WGPUComputePipelineDescriptor){.label = view(kernel->entry),
                                                             .compute = {.module = module,
                                                                         .entryPoint = view(kernel->entry),
                                                                         .constantCount = kernel->num_constants,
                                                                         .constants = kernel->constants}});
    if (device->failure.status == STATUS_OK)
        made->layout = wgpu.ComputePipelineGetBindGroupLayout(made->pipeline, 0);
    if (module != NULL)
        wgpu.ShaderModuleRelease(module);
    return webgpu_wait(device, error);
}

static void release_pipeline(struct webgpu_pipeline *pipeline)
{
    if (pipeline->layout != NULL)
        wgpu.BindGroupLayoutRelease(pipeline->layout);
    if (pipeline->pipeline != NULL)
        wgpu.ComputePipelineRelease(pipeline->pipeline);
}

/* Fills *found with the kernel's pipeline, which the device owns. */
static int find_pipeline(struct webgpu_device *device, const struct webgpu_kernel *kernel,
                         const struct webgpu_bindings *bindings, struct webgpu_pipeline *found, struct error *error)
{
    *found = (struct webgpu_pipeline){0};
    name_kernel(kernel, bindings, found->name, sizeof found->name);
    for (int i = 0; i < device->num_pipelines; i++)
        if (strcmp(device->pipelines[i].name, found->name) == 0) {
            *found = device->pipelines[i];
            return STATUS_OK;
        }
    if (compile(device, kernel, bindings, found, error) != STATUS_OK ||
        allocate_more(&device->pipelines, (uint64_t)device->num_pipelines, 1, &device->pipeline_capacity, sizeof *found,
                      "the kernels", error) != STATUS_OK)
        release_pipeline(found);
    else
        device->pipelines[device->num_pipelines++] = *found;
    return error->status;
}

/* ---- binding ---- */

static int count_storage(const struct webgpu_device *device, unsigned uses, const struct webgpu_bindings *bindings,
                         struct error *error)
{
    unsigned count = 0;
    for (int i = 0; i < MAX_BINDINGS; i++)
        if (uses >> i & 1 && (bindings->arrays[i]->usage & WGPUBufferUsage_Uniform) == 0)
            count += bindings->arrays[i]->num_parts;
    if (count > device->limits.maxStorageBuffersPerShaderStage)
        return error_set(
            error, STATUS_DEVICE,
            "WebGPU: the graph's arrays need %u bindings of at most %.6g MB, and the device has %u for a kernel", count,
            1e-6 * (double)device->part_words * sizeof(uint32_t), device->limits.maxStorageBuffersPerShaderStage);
    return error->status;
}

int webgpu_bind(struct webgpu_device *device, const struct webgpu_kernel *kernel,
                const struct webgpu_bindings *bindings, struct webgpu_launch *launch, struct error *error)
{
    WGPUBindGroupEntry entries[MAX_BINDINGS * MAX_PARTS] = {0};
    size_t count = 0;
    *launch = (struct webgpu_launch){0};
    if (error->status != STATUS_OK || count_storage(device, kernel->uses, bindings, error) != STATUS_OK)
        return error->status;
    struct webgpu_pipeline pipeline;
    if (find_pipeline(device, kernel, bindings, &pipeline, error) != STATUS_OK)
        return error->status;
    for (uint32_t i = 0; i < MAX_BINDINGS; i++)
        for (uint32_t part = 0; kernel->uses >> i & 1 && part < bindings->arrays[i]->num_parts; part++)
            entries[count++] = (WGPUBindGroupEntry){
                .binding = i + PART_STRIDE * part, .buffer = bindings->arrays[i]->parts[part], .size = WGPU_WHOLE_SIZE};
    launch->pipeline = pipeline.pipeline;
    launch->group = wgpu.DeviceCreateBindGroup(
        device->device, &(WGPUBindGroupDescriptor){.layout = pipeline.layout, .entryCount = count, .entries = entries});
    if (device->failure.status != STATUS_OK)
        webgpu_wait(device, error);
    return error->status;
}

void webgpu_unbind(struct webgpu_launch *launch)
{
    if (launch->group != NULL)
        wgpu.BindGroupRelease(launch->group);
    *launch = (struct webgpu_launch){0};
}

/* ---- commands ---- */

void webgpu_begin(struct webgpu_device *device, struct webgpu_commands *commands)
{
    bool is_timed = device->in_kernel && device->stamps != NULL;
    *commands = (struct webgpu_commands){.device = device,
                                         .encoder = wgpu.DeviceCreateCommandEncoder(device->device, NULL),
                                         .is_timed = is_timed,
                                         .has_begun = is_timed};
}

static void end_pass(struct webgpu_commands *commands)
{
    if (commands->pass != NULL) {
        wgpu.ComputePassEncoderEnd(commands->pass);
        wgpu.ComputePassEncoderRelease(commands->pass);
    }
    commands->pass = NULL;
}

void webgpu_clear(struct webgpu_commands *commands, const struct webgpu_array *array)
{
    end_pass(commands);
    for (uint32_t part = 0; part < array->num_parts; part++)
        wgpu.CommandEncoderClearBuffer(commands->encoder, array->parts[part], 0, WGPU_WHOLE_SIZE);
}

void webgpu_copy(struct webgpu_commands *commands, WGPUBuffer from, uint64_t at, WGPUBuffer to, uint64_t to_at,
                 uint64_t bytes)
{
    end_pass(commands);
    wgpu.CommandEncoderCopyBufferToBuffer(commands->encoder, from, at, to, to_at, bytes);
}

int webgpu_add_stamps(struct webgpu_commands *commands, struct webgpu_reading *reading)
{
    struct webgpu_device *device = commands->device;
    if (!commands->has_begun && !device->has_new_stamps)
        return 0;
    end_pass(commands);
    wgpu.CommandEncoderResolveQuerySet(commands->encoder, device->stamps, 0, NUM_STAMPS, device->resolved, 0);
    *reading = (struct webgpu_reading){device->resolved, 0, sizeof device->ticks, device->ticks};
    commands->has_begun = device->has_new_stamps = false;
    return 1;
}

/* Returns the pass for kernels. A search's first pass writes the first timestamp, and each pass the second. */
static WGPUComputePassEncoder pass_of(struct webgpu_commands *commands)
{
    struct webgpu_device *device = commands->device;
    WGPUPassTimestampWrites stamps = {.querySet = device->stamps,
                                      .beginningOfPassWriteIndex =
                                          commands->has_begun ? WGPU_QUERY_SET_INDEX_UNDEFINED : 0,
                                      .endOfPassWriteIndex = 1};
    if (commands->pass == NULL) {
        commands->pass = wgpu.CommandEncoderBeginComputePass(
            commands->encoder, &(WGPUComputePassDescriptor){.timestampWrites = commands->is_timed ? &stamps : NULL});
        commands->has_begun = commands->has_begun || commands->is_timed;
    }
    return commands->pass;
}

void webgpu_before_kernels(struct webgpu_commands *commands)
{
    struct webgpu_device *device = commands->device;
    end_pass(commands);
    if (device->stamps == NULL) {
        webgpu_submit(commands);
        webgpu_begin(device, commands);
    }
    commands->is_timed = device->stamps != NULL;
    commands->has_begun = false;
}

#define MANY_WORKGROUPS 4096 /* workgroups per dispatch if the device cannot determine the number */

static WGPUComputePassEncoder set_kernel(struct webgpu_commands *commands, const struct webgpu_launch *launch)
{
    WGPUComputePassEncoder pass = pass_of(commands);
    wgpu.ComputePassEncoderSetPipeline(pass, launch->pipeline);
    wgpu.ComputePassEncoderSetBindGroup(pass, 0, launch->group, 0, NULL);
    return pass;
}

void webgpu_dispatch(struct webgpu_commands *commands, const struct webgpu_launch *launch, uint32_t x, uint32_t y)
{
    wgpu.ComputePassEncoderDispatchWorkgroups(set_kernel(commands, launch), x, y, 1);
}

void webgpu_dispatch_indirect(struct webgpu_commands *commands, const struct webgpu_launch *launch, uint32_t x,
                              const struct webgpu_array *args, uint32_t first)
{
    if (wgpu.is_dawn)
        webgpu_dispatch(commands, launch, x, commands->device->is_software ? CPU_WORKGROUPS : MANY_WORKGROUPS / x);
    else
        wgpu.ComputePassEncoderDispatchWorkgroupsIndirect(set_kernel(commands, launch), args->parts[0],
                                                          first * sizeof(uint32_t));
}

void webgpu_finish(struct webgpu_commands *commands)
{
    end_pass(commands);
    commands->finished = wgpu.CommandEncoderFinish(commands->encoder, NULL);
    wgpu.CommandEncoderRelease(commands->encoder);
    commands->encoder = NULL;
}

void webgpu_go_on(struct webgpu_commands *commands)
{
    commands->encoder = wgpu.DeviceCreateCommandEncoder(commands->device->device, NULL);
}

void webgpu_drop(struct webgpu_commands *commands)
{
    if (commands->finished != NULL)
        wgpu.CommandBufferRelease(commands->finished);
    *commands = (struct webgpu_commands){0};
}

void webgpu_submit(struct webgpu_commands *commands)
{
    struct webgpu_device *device = commands->device;
    WGPUCommandBuffer before = commands->finished;
    webgpu_finish(commands);
    const WGPUCommandBuffer buffers[] = {before, commands->finished};
    size_t first = before == NULL;
    if (commands->finished != NULL && device->failure.status == STATUS_OK) {
        wgpu.QueueSubmit(device->queue, 2 - first, buffers + first);
        device->has_new_stamps = device->has_new_stamps || commands->has_begun;
    }
    if (before != NULL)
        wgpu.CommandBufferRelease(before);
    webgpu_drop(commands);
}
