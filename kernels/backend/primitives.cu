/* primitives.cu: algorithms over whole arrays in device memory, by CUB. */
#include "backend.h"

#ifdef EMULATED
#include "../emulator/cub.h"
#else
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#endif

namespace BACKEND
{

/* Calls call(scratch, bytes) twice, as CUB requires: the first call only returns how much scratch memory it needs. */
template <typename call_t>
static int with_scratch(const char *what, struct error *error, call_t call)
{
    struct gpu_arena memory = {};
    size_t bytes = 0;
    ++*gpu_work();
    if (error->status == STATUS_OK)
        gpu_check(call((char *)NULL, bytes), what, error);
    char *scratch = gpu_take<char>(&memory, bytes, what, error);
    if (error->status == STATUS_OK && !gpu_counting())
        gpu_check(call(scratch, bytes), what, error);
    gpu_wait(what, error);
    gpu_arena_free(&memory);
    return error->status;
}

template <typename type>
static int exclusive_scan(type *values, size_t count, struct error *error)
{
    return with_scratch("a scan", error, [=](char *scratch, size_t &bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, values, values, count);
    });
}

int gpu_exclusive_scan(uint32_t *values, size_t count, struct error *error)
{
    return exclusive_scan(values, count, error);
}

int gpu_exclusive_scan(uint64_t *values, size_t count, struct error *error)
{
    return exclusive_scan(values, count, error);
}

int gpu_sort(uint64_t **keys, uint64_t **other, size_t count, unsigned bits, struct error *error)
{
    cub::DoubleBuffer<uint64_t> buffers(*keys, *other);
    with_scratch("a sort", error, [&](char *scratch, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, buffers, count, 0, (int)bits);
    });
    *keys = buffers.Current();
    *other = buffers.Alternate();
    return error->status;
}

} // namespace BACKEND
