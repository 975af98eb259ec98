/* host.h: what the host side of the backend shares. */
#ifndef GTRAV_BACKEND_HOST_H
#define GTRAV_BACKEND_HOST_H

#include "../backend.h"

namespace BACKEND
{

#define MAX_DEVICES 64

/* The memory that is allocated on a device. Valid as long as the program runs. */
struct device_memory *memory_of_device(int device);

} // namespace BACKEND

#endif
