/* adapters.h: the adapters of this machine. */
#pragma once

#include "library.h"

#define MAX_ADAPTERS 16

struct webgpu_adapter {
    WGPUAdapter handle;
    char name[128]; /* "NVIDIA H200" */
    char driver[128];
    const char *backend; /* "Vulkan" */
    const char *type;    /* "discrete GPU" */
    int rank;            /* the lower, the sooner it is numbered */
    bool is_software;    /* it runs on the CPU */
    bool has_timestamps;
    WGPULimits limits;
};

/* Takes the adapters: GPUs first, and those that run on the CPU last. They are asked for unless somebody has them.
 * Returns their number: 0, with no message, if there is none; with one, if WebGPU cannot be asked. Even then
 * webgpu_release_adapters() follows; *found is not valid after it. */
int webgpu_take_adapters(const struct webgpu_adapter **found, struct error *error);
/* Releases them if nobody else has them. */
void webgpu_release_adapters(void);
