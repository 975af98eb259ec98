/* benchmark_program.h: what the benchmark programs (transfer.c, enqueue.c) share. */
#pragma once

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../src/device.h"

/* A function for the GPU, or the same for the emulator. NULL if this build lacks it, where open_device() fails. */
#ifdef GTRAV_CUDA
#define ON_GPU(function) function
#else
#define ON_GPU(function) NULL
#endif
#ifdef GTRAV_EMULATOR
#define ON_EMULATOR(function) function##_emulated
#else
#define ON_EMULATOR(function) NULL
#endif

static inline int open_device(bool emulated, struct device *device, struct error *error)
{
    return emulated ? device_open_emulator(device, 0, error) : device_open_gpu(device, 0, error);
}

/* Parses a whole number from 1 to most. Returns 0 if the text is not such a number. */
static inline uint64_t parse_number(const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    return text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number > most ? 0 : number;
}
