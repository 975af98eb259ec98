/* library.h: the WebGPU library, loaded when first needed, so that gtrav starts without it; and its adapters. */
#pragma once

#include <wgpu.h>

#include "../../src/error.h"

/* The functions in use, without their prefix "wgpu". */
#define WEBGPU_CALLS(CALL)                                                                                           \
    CALL(AdapterGetInfo)                                                                                             \
    CALL(AdapterGetLimits)                                                                                           \
    CALL(AdapterHasFeature)                                                                                          \
    CALL(AdapterInfoFreeMembers)                                                                                     \
    CALL(AdapterRelease)                                                                                             \
    CALL(AdapterRequestDevice)                                                                                       \
    CALL(BindGroupLayoutRelease)                                                                                     \
    CALL(BindGroupRelease)                                                                                           \
    CALL(BufferDestroy)                                                                                              \
    CALL(BufferGetConstMappedRange)                                                                                  \
    CALL(BufferGetMappedRange)                                                                                       \
    CALL(BufferMapAsync)                                                                                             \
    CALL(BufferRelease)                                                                                              \
    CALL(BufferUnmap)                                                                                                \
    CALL(CommandBufferRelease)                                                                                       \
    CALL(CommandEncoderBeginComputePass)                                                                             \
    CALL(CommandEncoderClearBuffer)                                                                                  \
    CALL(CommandEncoderCopyBufferToBuffer)                                                                           \
    CALL(CommandEncoderFinish)                                                                                       \
    CALL(CommandEncoderRelease)                                                                                      \
    CALL(CommandEncoderResolveQuerySet)                                                                              \
    CALL(ComputePassEncoderDispatchWorkgroups)                                                                       \
    CALL(ComputePassEncoderDispatchWorkgroupsIndirect)                                                               \
    CALL(ComputePassEncoderEnd)                                                                                      \
    CALL(ComputePassEncoderRelease)                                                                                  \
    CALL(ComputePassEncoderSetBindGroup)                                                                             \
    CALL(ComputePassEncoderSetPipeline)                                                                              \
    CALL(ComputePipelineGetBindGroupLayout)                                                                          \
    CALL(ComputePipelineRelease)                                                                                     \
    CALL(CreateInstance)                                                                                             \
    CALL(DeviceCreateBindGroup)                                                                                      \
    CALL(DeviceCreateBuffer)                                                                                         \
    CALL(DeviceCreateCommandEncoder)                                                                                 \
    CALL(DeviceCreateComputePipeline)                                                                                \
    CALL(DeviceCreateQuerySet)                                                                                       \
    CALL(DeviceCreateShaderModule)                                                                                   \
    CALL(DeviceCreateShaderModuleTrusted)                                                                            \
    CALL(DeviceGetQueue)                                                                                             \
    CALL(DevicePoll)                                                                                                 \
    CALL(DeviceRelease)                                                                                              \
    CALL(InstanceEnumerateAdapters)                                                                                  \
    CALL(InstanceRelease)                                                                                            \
    CALL(QuerySetRelease)                                                                                            \
    CALL(QueueGetTimestampPeriod)                                                                                    \
    CALL(QueueOnSubmittedWorkDone)                                                                                   \
    CALL(QueueRelease)                                                                                               \
    CALL(QueueSubmit)                                                                                                \
    CALL(QueueWriteBuffer)                                                                                           \
    CALL(ShaderModuleRelease)

struct webgpu_library {
#define WEBGPU_MEMBER(name) __typeof__(wgpu##name) *name;
    WEBGPU_CALLS(WEBGPU_MEMBER)
#undef WEBGPU_MEMBER
    bool is_dawn; /* the members that webgpu.h does not have are gtrav's then */
};
extern struct webgpu_library wgpu; /* filled by webgpu_load() */

/* Loads the library that GTRAV_WEBGPU_LIBRARY names, or the one that config.mk found, or the system's. It stays
 * loaded. STATUS_DEVICE, with what to install, if there is none or if it is another version than the headers. */
int webgpu_load(struct error *error);

/* ---- the adapters of this machine ---- */

#define MAX_ADAPTERS 16

struct webgpu_adapter {
    WGPUAdapter handle;
    char name[128]; /* "NVIDIA H200" */
    char driver[128];
    const char *type;   /* "discrete GPU" */
    int rank;           /* the lower, the sooner it is numbered */
    bool is_software;   /* it runs on the CPU */
    bool shares_memory; /* with the CPU */
    bool has_timestamps, has_subgroups;
    WGPULimits limits;
};

/* Takes the adapters: GPUs first, those that run on the CPU last. WebGPU is asked for them unless somebody has them
 * already. Returns how many there are. If it returns 0, the error says why WebGPU cannot be asked, or is empty if
 * there is no adapter. The caller calls webgpu_release_adapters() in any case; *found is not valid after it. */
int webgpu_take_adapters(const struct webgpu_adapter **found, struct error *error);
/* Releases them if nobody else has them. */
void webgpu_release_adapters(void);
