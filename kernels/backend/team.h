/* team.h: several devices that run one kernel together. Part of backend.h, whose rule for errors holds here. */
#pragma once

#include <tuple>

namespace BACKEND
{

#define MOST_IN_TEAM 8u

struct team_barrier; /* ../device/team_barrier.cuh */

/* Devices whose kernels meet (team_wait) and access each other's memory. A zeroed team is closed. */
struct gpu_team {
    unsigned size;
    int devices[MOST_IN_TEAM];
    struct team_barrier *barriers[MOST_IN_TEAM]; /* one in the memory of each device, for the kernel there */
};

/* Lets the kernels of each of these devices access the memory of the others, and makes their barriers. Returns false
 * if that is impossible, without an error if the only reason is that a device cannot access another's memory. The
 * caller closes the team. Like the functions below, it leaves the first device in use. */
bool gpu_open_team(struct gpu_team *team, const int *devices, unsigned size, struct error *error);
void gpu_close_team(struct gpu_team *team);

/* Waits for the work of all devices of the team. STATUS_DEVICE if a device failed, or did not come to a meeting; the
 * message names it. */
int gpu_check_team(const struct gpu_team *team, const char *kernel, struct error *error);

/* Ends the launch of a kernel on all devices of a team. code: the result on device `last`, the first that failed. Later
 * devices of the team have been launched; after a failure their kernels are told to stop, since the others are missing.
 */
int gpu_end_launch(const struct gpu_team *team, unsigned last, cudaError_t code, struct error *error);

/* Launches a persistent kernel on all devices of the team; the kernels run at the same time. grid: fits on each device,
 * for which it is planned. arguments_of(i): returns the arguments on device i of the team, a std::tuple<parameters...>.
 * The kernel should end with a meeting, so that the first device's clock does not stop before the others' work ends. */
template <typename... parameters>
static int gpu_launch_team(const struct gpu_team *team, void (*kernel)(parameters...), struct grid grid,
                           size_t shared_bytes, struct error *error, auto arguments_of)
{
    if (error->status != STATUS_OK || gpu_counting())
        return error->status;
    if (stop_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    ++*gpu_work();
    cudaError_t code = cudaSuccess;
    unsigned device = team->size;
    start_together(team->size);
    while (device > 0 && code == cudaSuccess) {
        code = cudaSetDevice(team->devices[--device]);
        if (code == cudaSuccess)
            code = std::apply(
                [&](parameters... arguments) {
                    return start_kernel<parameters...>(true, kernel, grid, shared_bytes, arguments...);
                },
                std::tuple<parameters...>(arguments_of(device)));
    }
    return gpu_end_launch(team, device, code, error);
}

} // namespace BACKEND
