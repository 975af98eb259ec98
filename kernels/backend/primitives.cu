/* primitives.cu: algorithms over whole arrays in device memory: CUB's on the GPU, plain loops on the emulator. */
#include "backend.h"

#ifdef EMULATED
#include "../emulator/primitives.h"
#else
#include "cuda/primitives.h"
#endif

namespace BACKEND
{

int gpu_exclusive_scan(uint32_t *values, size_t count, struct error *error)
{
    ++*gpu_work();
    return exclusive_scan(values, count, error);
}

int gpu_exclusive_scan(uint64_t *values, size_t count, struct error *error)
{
    ++*gpu_work();
    return exclusive_scan(values, count, error);
}

int gpu_sort(uint64_t **keys, uint64_t **other, size_t count, unsigned bits, struct error *error)
{
    ++*gpu_work();
    return sort_keys(keys, other, count, bits, error);
}

} // namespace BACKEND
