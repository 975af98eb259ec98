/* cuda/primitives.h: the algorithms of primitives.cu, by CUB. emulator/primitives.h has the same names for the
 * emulator. */
#ifndef GTRAV_CUDA_PRIMITIVES_H
#define GTRAV_CUDA_PRIMITIVES_H

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace BACKEND
{

template <typename type>
static int exclusive_scan(type *values, size_t count, struct error *error)
{
    char *scratch = NULL;
    size_t bytes = 0;
    if (gpu_check(cub::DeviceScan::ExclusiveSum(NULL, bytes, values, values, count), "a scan", error) == STATUS_OK &&
        gpu_allocate(&scratch, bytes, "a scan", error) == STATUS_OK &&
        gpu_check(cub::DeviceScan::ExclusiveSum(scratch, bytes, values, values, count), "a scan", error) == STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "a scan", error);
    gpu_free(scratch);
    return error->status;
}

static int sort_keys(uint64_t **keys, uint64_t **other, size_t count, unsigned bits, struct error *error)
{
    cub::DoubleBuffer<uint64_t> buffers(*keys, *other);
    char *scratch = NULL;
    size_t bytes = 0;
    if (gpu_check(cub::DeviceRadixSort::SortKeys(NULL, bytes, buffers, count, 0, (int)bits), "a sort", error) ==
            STATUS_OK &&
        gpu_allocate(&scratch, bytes, "a sort", error) == STATUS_OK &&
        gpu_check(cub::DeviceRadixSort::SortKeys(scratch, bytes, buffers, count, 0, (int)bits), "a sort", error) ==
            STATUS_OK)
        gpu_check(cudaDeviceSynchronize(), "a sort", error);
    gpu_free(scratch);
    *keys = buffers.Current();
    *other = buffers.Alternate();
    return error->status;
}

} // namespace BACKEND

#endif
