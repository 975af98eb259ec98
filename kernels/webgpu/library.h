/* library.h: the WebGPU library and its adapters. The library is loaded when needed, so gtrav starts without it. */
#pragma once

#include <wgpu.h>

#include "../../src/error.h"

/* The functions used, without their prefix "wgpu". */
/* clang-format off */
#define WEBGPU_CALLS(CALL)                                                                                           \
    CALL(AdapterGetInfo) CALL(AdapterGetLimits) CALL(AdapterHasFeature) CALL(AdapterInfoFreeMembers)                 \
    CALL(AdapterRelease) CALL(AdapterRequestDevice) CALL(BindGroupLayoutRelease) CALL(BindGroupRelease)              \
    CALL(BufferDestroy) CALL(BufferGetConstMappedRange) CALL(BufferGetMappedRange) CALL(BufferMapAsync)              \
    CALL(BufferRelease) CALL(BufferUnmap) CALL(CommandBufferRelease) CALL(CommandEncoderBeginComputePass)            \
    CALL(CommandEncoderClearBuffer) CALL(CommandEncoderCopyBufferToBuffer) CALL(CommandEncoderFinish)                \
    CALL(CommandEncoderRelease) CALL(CommandEncoderResolveQuerySet) CALL(ComputePassEncoderDispatchWorkgroups)       \
    CALL(ComputePassEncoderDispatchWorkgroupsIndirect) CALL(ComputePassEncoderEnd)                                   \
    CALL(ComputePassEncoderRelease) CALL(ComputePassEncoderSetBindGroup) CALL(ComputePassEncoderSetPipeline)         \
    CALL(ComputePipelineGetBindGroupLayout) CALL(ComputePipelineRelease) CALL(CreateInstance)                        \
    CALL(DeviceCreateBindGroup) CALL(DeviceCreateBuffer) CALL(DeviceCreateCommandEncoder)                            \
    CALL(DeviceCreateComputePipeline) CALL(DeviceCreateQuerySet) CALL(DeviceCreateShaderModule)                      \
    CALL(DeviceCreateShaderModuleTrusted) CALL(DeviceGetQueue) CALL(DevicePoll) CALL(DeviceRelease)                  \
    CALL(InstanceEnumerateAdapters) CALL(InstanceRelease) CALL(QuerySetRelease) CALL(QueueGetTimestampPeriod)        \
    CALL(QueueOnSubmittedWorkDone) CALL(QueueRelease) CALL(QueueSubmit) CALL(QueueWriteBuffer)                       \
    CALL(ShaderModuleRelease)
/* clang-format on */

struct webgpu_library {
#define WEBGPU_MEMBER(name) __typeof__(wgpu##name) *name;
    WEBGPU_CALLS(WEBGPU_MEMBER)
#undef WEBGPU_MEMBER
    bool is_dawn; /* members that webgpu.h does not have are then gtrav's own functions */
};
extern struct webgpu_library wgpu; /* set by webgpu_load() */

/* Loads the library named by GTRAV_WEBGPU_LIBRARY, found by config.mk, or installed in the system. It stays loaded.
 * Returns STATUS_DEVICE, with what to install, if there is none or its release does not match the headers. */
int webgpu_load(struct error *error);

/* ---- the adapters of this machine ---- */

#define MAX_ADAPTERS 16

struct webgpu_adapter {
    WGPUAdapter handle;
    char name[128]; /* e.g. "NVIDIA H200" */
    char driver[128];
    const char *type;   /* e.g. "discrete GPU" */
    int rank;           /* adapters of lower ranks get lower numbers */
    bool is_software;   /* it runs on the CPU */
    bool shares_memory; /* its memory is the CPU's memory */
    bool has_timestamps, has_subgroups;
    WGPULimits limits;
};

/* Takes the list of adapters: GPUs first, CPUs last. Asks WebGPU unless somebody else has the list already. Returns
 * its length. If that is 0, the error says why WebGPU cannot be used, or is empty if there is no adapter. The caller
 * must call webgpu_release_adapters() in any case; *found is invalid after that. */
int webgpu_take_adapters(const struct webgpu_adapter **found, struct error *error);
/* Releases the list; the last user frees it. */
void webgpu_release_adapters(void);
