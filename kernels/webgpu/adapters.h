/* adapters.h: the adapters of this machine. */
#ifndef GTRAV_WEBGPU_ADAPTERS_H
#define GTRAV_WEBGPU_ADAPTERS_H

#include "library.h"

#define MAX_ADAPTERS 16

struct webgpu_adapter {
    WGPUAdapter handle; /* never released */
    char name[128];     /* "NVIDIA H200" */
    char driver[128];
    const char *backend; /* "Vulkan" */
    const char *type;    /* "discrete GPU" */
    bool is_software;    /* it runs on the CPU */
    bool has_timestamps;
    WGPULimits limits;
};

/* The adapters, GPUs first and those that run on the CPU last, and their number. 0, with no message, if there is
 * none; with one, if WebGPU cannot be asked. */
int webgpu_adapters(const struct webgpu_adapter **found, struct error *error);

#endif
