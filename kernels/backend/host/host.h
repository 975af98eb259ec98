/* host.h: declarations shared by the files of this folder. */
#pragma once

#include "../backend.h"

namespace BACKEND
{

#define MAX_DEVICES 64

/* The record of the memory allocated on a device. It is valid until the program ends. */
struct device_memory *memory_of_device(int device);

extern const struct device_arrays gpu_arrays; /* arrays.cu */

/* Each struct device of a device opens its stage (transfer.cu) and closes it; the last one frees it. */
void stage_open(int device);
void stage_close(int device);

} // namespace BACKEND
