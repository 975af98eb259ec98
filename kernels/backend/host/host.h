/* host.h: declarations shared by the files of this folder. */
#pragma once

#include "../backend.h"

namespace BACKEND
{

#define MAX_DEVICES 64

/* Returns the record of the memory allocated on a device. It is valid until the program ends. */
struct device_memory *memory_of_device(int device);

/* cudaMalloc, for memory that is not counted; on failure NULL, with a message that says how much is free. */
void *allocate_on_device(size_t bytes, const char *what, struct error *error);

extern const struct device_arrays gpu_arrays; /* memory.cu */

/* Opening a device opens its stage (transfer.cu), and closing it closes the stage; the last close frees it. */
void stage_open(int device);
void stage_close(int device);

} // namespace BACKEND
