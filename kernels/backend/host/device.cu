/* device.cu: the harness's interface to the device: choosing one, and timing by events. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../src/nvml.h"
#include "host.h"

graph500_validation BACKEND_NAME(graph500_validate_gpu); /* ../../graph/graph500_tree.cu */
graph500_marking BACKEND_NAME(graph500_mark_ends_gpu);   /* ../../graph/build_lists.cu */
building_from_arrays BACKEND_NAME(build_from_arrays_gpu);

namespace BACKEND
{

/* An event takes the device more than a microsecond, in which nothing else runs. So a mark gets an event of its own
 * only if there was work since the mark before it; otherwise it shares that mark's event. A search that resets inside
 * its kernel thus needs only two events; no time passes between its first two marks. */
struct gpu_clock {
    cudaEvent_t events[NUM_MARKS];
    cudaEvent_t at[NUM_MARKS]; /* the event of each mark, one of the above */
    enum mark last;            /* the latest mark */
    uint64_t work;             /* gpu_work() at the latest mark */
    bool kernel_marked;
    bool nvml_asked;
    void *sweep; /* twice the L2 cache's size of device memory; NULL before gpu_cool() */
    void *nvml;  /* NVML's handle of the GPU; NULL: unknown, or not asked */
};

static void gpu_mark(struct device *device, enum mark mark)
{
    struct gpu_clock *clock = (struct gpu_clock *)device->clock;
    bool begins = mark == MARK_BEGIN;
    if (begins)
        set_schedule(device->seed);
    clock->kernel_marked = !begins && (clock->kernel_marked || mark == MARK_KERNEL_END);
    if (!begins && clock->work == *gpu_work()) {
        clock->at[mark] = clock->at[clock->last];
    } else {
        clock->at[mark] = clock->events[mark];
        cudaEventRecord(clock->at[mark], 0);
    }
    clock->last = mark;
    clock->work = *gpu_work();
}

/* Returns the ms between two events, which must both have completed. */
static double between(cudaEvent_t from, cudaEvent_t to, struct error *error)
{
    float milliseconds = 0;
    if (error->status == STATUS_OK)
        gpu_check(cudaEventElapsedTime(&milliseconds, from, to), "timing", error);
    return milliseconds;
}

static int gpu_elapsed(struct device *device, double *time_ms, double *kernel_ms, struct error *error)
{
    struct gpu_clock *clock = (struct gpu_clock *)device->clock;
    if (error->status == STATUS_OK)
        gpu_check(cudaEventSynchronize(clock->at[MARK_END]), "the traversal", error);
    *time_ms = *kernel_ms = between(clock->at[MARK_BEGIN], clock->at[MARK_END], error);
    device->reset_ms = 0;
    if (clock->kernel_marked) {
        device->reset_ms = between(clock->at[MARK_BEGIN], clock->at[MARK_KERNEL_BEGIN], error);
        *kernel_ms = between(clock->at[MARK_KERNEL_BEGIN], clock->at[MARK_KERNEL_END], error);
    }
    return error->status;
}

/* Makes the device current for this thread. Also succeeds after an error, so that memory on it can be freed. */
static int gpu_use(struct device *device, struct error *error)
{
    cudaError_t code = cudaSetDevice(device->number);
    return code == cudaSuccess ? STATUS_OK : gpu_check(code, "selecting the device", error);
}

/* Returns NVML's handle of the device. */
static void *nvml_of(struct device *device)
{
    struct gpu_clock *clock = (struct gpu_clock *)device->clock;
    char bus[32] = "";
#ifndef EMULATED
    cudaDeviceGetPCIBusId(bus, sizeof bus, device->number);
#endif
    if (!clock->nvml_asked)
        clock->nvml = nvml_find(bus);
    clock->nvml_asked = true;
    return clock->nvml;
}

static void gpu_identify(struct device *device)
{
    if (device->machine[0] == '\0')
        nvml_identify(nvml_of(device), device);
}

static void gpu_sense(struct device *device, struct device_state *state)
{
    nvml_sense(nvml_of(device), state);
}

static uint64_t gpu_millijoules(struct device *device)
{
    return nvml_millijoules(nvml_of(device));
}

static int gpu_cool(struct device *device, struct error *error)
{
    struct gpu_clock *clock = (struct gpu_clock *)device->clock;
    int cache_bytes = 0;
    gpu_check(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, device->number), "querying the cache",
              error);
    size_t bytes = 2 * (size_t)cache_bytes;
    if (clock->sweep == NULL && error->status == STATUS_OK)
        clock->sweep = allocate_on_device(bytes, "emptying the caches", error);
    gpu_fill_bytes(clock->sweep, 0, bytes, error);
    return gpu_wait("emptying the caches", error);
}

static void gpu_close(struct device *device)
{
    struct gpu_clock *clock = (struct gpu_clock *)device->clock;
    for (int mark = 0; mark < NUM_MARKS; mark++)
        cudaEventDestroy(clock->events[mark]);
    cudaFree(clock->sweep);
    free(clock);
    stage_close(device->number);
    *device = {};
}

static int gpu_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        return 0;
    return count < MAX_DEVICES ? count : MAX_DEVICES;
}

/* Sets the limit of the device's memory from the environment. */
static void read_limit(struct device_memory *memory, struct error *error)
{
    const char *text = getenv("GTRAV_GPU_MEMORY");
    char *end;
    errno = 0;
    memory->limit = text != NULL ? strtoull(text, &end, 10) : 0;
    if (text != NULL && (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || memory->limit == 0))
        error_set(error, STATUS_INPUT, "GTRAV_GPU_MEMORY=%s: expected a number of bytes, at least 1", text);
}

static int gpu_open(struct device *device, int number, struct error *error)
{
    int count = 0;
    cudaDeviceProp facts;
    *device = {};
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0)
        return error_set(error, STATUS_DEVICE, "no GPU found (%s); GPU algorithms need an NVIDIA GPU and its driver",
                         code != cudaSuccess ? cudaGetErrorString(code) : "the driver lists none");
    if (number >= gpu_count())
        return error_set(error, STATUS_DEVICE, "no GPU %d: this machine has %d, numbered from 0", number, count);
    struct gpu_clock *clock;
    device->number = number;
    if (gpu_use(device, error) != STATUS_OK ||
        gpu_check(cudaGetDeviceProperties(&facts, number), "querying the device", error) != STATUS_OK ||
        allocate_zeroed(&clock, 1, sizeof *clock, "the clock", error) != STATUS_OK)
        return error->status;
    device->kind = DEVICE_KIND;
    snprintf(device->name, sizeof device->name, "%.127s", facts.name);
    device_slug("", facts.name, device->slug, sizeof device->slug);
    device->clock = clock;
    device->memory = memory_of_device(number);
    device->memory_left = gpu_memory_left;
    read_limit(device->memory, error);
    device->arrays = &gpu_arrays;
    device->use = gpu_use;
    device->mark = gpu_mark;
    device->elapsed = gpu_elapsed;
    device->identify = gpu_identify;
    device->sense = gpu_sense;
    device->millijoules = gpu_millijoules;
    device->cool = gpu_cool;
    device->close = gpu_close;
    device->validate = BACKEND_NAME(graph500_validate_gpu);
    device->mark_ends = BACKEND_NAME(graph500_mark_ends_gpu);
    device->build = BACKEND_NAME(build_from_arrays_gpu);
    stage_open(number);
    for (int mark = 0; mark < NUM_MARKS; mark++)
        gpu_check(cudaEventCreate(&clock->events[mark]), "making an event", error);
    if (error->status != STATUS_OK)
        gpu_close(device);
    return error->status;
}

} // namespace BACKEND

extern "C" const struct device_driver DRIVER = {.open = BACKEND::gpu_open, .count = BACKEND::gpu_count};
