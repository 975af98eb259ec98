/* grid_barrier.cu: the host's check for a broken grid barrier. */
#include "grid_barrier.cuh"

namespace BACKEND
{

int gpu_check_barrier(const struct grid_barrier *barrier, const char *kernel, struct error *error)
{
    struct grid_barrier now;
    if (gpu_download(&now, barrier, 1, error) == STATUS_OK && now.broken)
        error_set(error, STATUS_DEVICE, "GPU: %s: a block waited too long at the grid barrier (round %llu); stopped",
                  kernel, (unsigned long long)now.arrived);
    return error->status;
}

} // namespace BACKEND
