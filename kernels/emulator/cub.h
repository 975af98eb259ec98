/* emulator/cub.h: the CUB algorithms that the backend calls, on the emulator. As in CUB, a call without scratch
 * memory returns how much is needed. The functions copy the values to the host, compute there, and copy the result
 * back. */
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace cub
{

/* Replaces `count` values in device memory by the result of change(values), which runs on the host. */
template <typename type, typename change_t>
static cudaError_t on_host(const char *scratch, size_t *bytes, type *memory, size_t count, change_t change)
{
    std::vector<type> values(count);
    *bytes = 1;
    if (scratch == nullptr)
        return cudaSuccess;
    cudaError_t code = cudaMemcpy(values.data(), memory, count * sizeof(type), cudaMemcpyDeviceToHost);
    change(values);
    return code != cudaSuccess ? code : cudaMemcpy(memory, values.data(), count * sizeof(type), cudaMemcpyHostToDevice);
}

struct DeviceScan {
    template <typename type>
    static cudaError_t ExclusiveSum(char *scratch, size_t &bytes, type *values, type *, size_t count)
    {
        return on_host(scratch, &bytes, values, count, [](std::vector<type> &all) {
            std::exclusive_scan(all.begin(), all.end(), all.begin(), (type)0);
        });
    }
};

template <typename type>
struct DoubleBuffer {
    type *current, *other;
    type *Current(void) const
    {
        return current;
    }
    type *Alternate(void) const
    {
        return other;
    }
};

struct DeviceRadixSort {
    template <typename type>
    static cudaError_t SortKeys(char *scratch, size_t &bytes, DoubleBuffer<type> &keys, size_t count, int, int bits)
    {
        const type mask = bits < 64 ? ((type)1 << bits) - 1 : ~(type)0;
        return on_host(scratch, &bytes, keys.current, count, [mask](std::vector<type> &all) {
            std::stable_sort(all.begin(), all.end(), [mask](type a, type b) { return (a & mask) < (b & mask); });
        });
    }
};

} // namespace cub
