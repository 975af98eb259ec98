/* nvml.h: reads the state of a GPU through NVML, a library that comes with the driver. GTRAV_NVML names another
 * library, e.g. for the emulator. Any thread may call these functions. */
#pragma once

#include "device.h"

C_NAMES_BEGIN

/* Returns NVML's handle of the GPU with this id on the PCI bus, for the functions below. The first call loads NVML.
 * The handle is valid until the program ends. NULL: there is no NVML, or it does not know the GPU; with NULL, the
 * functions below report everything as unknown. */
void *nvml_find(const char *bus);

/* Sets the device's machine and driver. */
void nvml_identify(void *gpu, struct device *device);

void nvml_sense(void *gpu, struct device_state *state);

/* Returns the energy that the GPU has used since a fixed moment, in mJ; 0: unknown. */
uint64_t nvml_millijoules(void *gpu);

C_NAMES_END
