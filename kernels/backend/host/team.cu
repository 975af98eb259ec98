/* team.cu: makes teams of devices (team.h). */

#include <algorithm>

#include "../../device/team_barrier.cuh"
#include "host.h"

namespace BACKEND
{

/* Calls work(i, error) with each device of the team in use. An error names the device. */
static int on_each(const struct gpu_team *team, struct error *error, auto work)
{
    for (unsigned i = team->size; i-- > 0;) {
        struct error own = {};
        if (gpu_check(cudaSetDevice(team->devices[i]), "selecting the device", &own) == STATUS_OK)
            work(i, &own);
        if (own.status == STATUS_DEVICE)
            error_set(error, own.status, "device %d: %s", team->devices[i], own.text);
        else if (own.status != STATUS_OK)
            error_set(error, own.status, "%s", own.text);
    }
    return error->status;
}

/* Lets kernels of the device in use access the memory of another one. Returns whether they can. */
static bool enable_access(int device, int other, struct error *error)
{
    int can = 0;
    gpu_check(cudaDeviceCanAccessPeer(&can, device, other), "asking for access to another device", error);
    cudaError_t code = can ? cudaDeviceEnablePeerAccess(other, 0) : cudaSuccess;
    if (code == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError(); /* clears the error */
    else
        gpu_check(code, "access to another device's memory", error);
    return can && error->status == STATUS_OK;
}

bool gpu_open_team(struct gpu_team *team, const int *devices, unsigned size, struct error *error)
{
    *team = {};
    if (error->status != STATUS_OK || size > MOST_IN_TEAM)
        return false;
    bool can = true;
    team->size = size;
    std::copy_n(devices, size, team->devices);
    on_each(team, error, [&](unsigned i, struct error *own) {
        for (unsigned other = 0; other < size; other++)
            can = can && (other == i || enable_access(devices[i], devices[other], own));
        if (can)
            gpu_allocate(&team->barriers[i], 1, "the barrier of several devices", own);
    });
    on_each(team, error, [&](unsigned i, struct error *own) {
        struct team_barrier barrier = {.size = size, .rank = i, .patience = TEAM_PATIENCE};
        std::copy_n(team->barriers, size, barrier.peers);
        if (can && !gpu_counting())
            gpu_upload(team->barriers[i], &barrier, 1, own);
    });
    if (!can)
        gpu_close_team(team);
    return can && error->status == STATUS_OK;
}

void gpu_close_team(struct gpu_team *team)
{
    struct error ignored = {};
    on_each(team, &ignored, [&](unsigned i, struct error *) { gpu_free(team->barriers[i]); });
    *team = {};
}

int gpu_check_team(const struct gpu_team *team, const char *kernel, struct error *error)
{
    uint64_t missing = 0;
    on_each(team, error, [&](unsigned i, struct error *own) {
        uint64_t broken = 0;
        gpu_wait(kernel, own);
        gpu_download(&broken, &team->barriers[i]->broken, 1, own);
        missing = broken != 0 ? broken : missing;
    });
    if (missing != 0)
        error_set(error, STATUS_DEVICE, "GPU: %s: device %d did not come to a meeting of the devices; stopped", kernel,
                  team->devices[missing - 1]);
    return error->status;
}

/* Tells the kernel of the device in use that another device will not come. Its stream does not wait for the kernel. */
static void tell_missing(struct team_barrier *barrier, unsigned missing)
{
#ifdef EMULATED
    (void)barrier, (void)missing; /* has not started any kernel */
#else
    const uint64_t broken = missing + 1;
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return;
    cudaMemcpyAsync(&barrier->broken, &broken, sizeof broken, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
#endif
}

int gpu_end_launch(const struct gpu_team *team, unsigned last, cudaError_t code, struct error *error)
{
    if (code == cudaSuccess)
        return error->status;
    start_together(1);
    char what[64] = "a kernel"; /* of any device, if the emulator has stopped it */
    if (code != cudaErrorLaunchFailure)
        snprintf(what, sizeof what, "launching on device %d", team->devices[last]);
    gpu_check(code, what, error);
    for (unsigned i = last + 1; i < team->size; i++)
        if (cudaSetDevice(team->devices[i]) == cudaSuccess)
            tell_missing(team->barriers[i], last);
    cudaSetDevice(team->devices[0]);
    return error->status;
}

} // namespace BACKEND
