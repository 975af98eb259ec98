/* emulator/primitives.h: the names of cuda/primitives.h, on the emulator. They copy the values to the host, compute
 * there, and copy the result back. */
#pragma once

#include <stdlib.h>

#include <algorithm>

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
        gpu_upload(values, host, count, error);
    }
    free(host);
    return error->status;
}

static int sort_keys(uint64_t **keys, uint64_t **, size_t count, unsigned bits, struct error *error)
{
    uint64_t *host = NULL, mask = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
    if (allocate(&host, count, sizeof *host, "a sort", error) == STATUS_OK &&
        gpu_download(host, *keys, count, error) == STATUS_OK) {
        std::stable_sort(host, host + count, [mask](uint64_t a, uint64_t b) { return (a & mask) < (b & mask); });
        gpu_upload(*keys, host, count, error);
    }
    free(host);
    return error->status;
}

} // namespace BACKEND
