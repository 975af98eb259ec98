/* primitives_emulated.h: primitives_cuda.h's names, on the emulator: on the host, between two copies. */
#ifndef GTRAV_PRIMITIVES_EMULATED_H
#define GTRAV_PRIMITIVES_EMULATED_H

#include <stdlib.h>

namespace BACKEND
{

template <typename type>
static int exclusive_scan(type *values, size_t count, struct error *error)
{
    type *host = NULL, sum = 0;
    if (allocate(&host, count, sizeof *host, "a scan", error) == STATUS_OK &&
        gpu_download(host, values, count, error) == STATUS_OK) {
        for (size_t i = 0; i < count; i++) {
            type value = host[i];
            host[i] = sum;
            sum += value;
        }
        gpu_check(cudaMemcpy(values, host, count * sizeof *host, cudaMemcpyHostToDevice), "a scan", error);
    }
    free(host);
    return error->status;
}

} // namespace BACKEND

#endif
