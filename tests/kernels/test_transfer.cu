/* test_transfer.cu: copies between the memories of the host and the device, straight and through the stage of pinned
 * buffers (kernels/backend/host/transfer.cu), on the GPU and on the emulator. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"

namespace BACKEND
{

#define MOST_BYTES 5000

static unsigned char byte_at(size_t at, unsigned turn)
{
    return (unsigned char)(at * 31 + at / 251 + turn * 7);
}

/* To the device and back, both through the plan in use. */
static bool arrives(size_t bytes, unsigned turn, struct error *error)
{
    unsigned char from[MOST_BYTES], to[MOST_BYTES + 1], *on_device = NULL;
    for (size_t i = 0; i < bytes; i++)
        from[i] = byte_at(i, turn);
    memset(to, 0xee, sizeof to);
    gpu_allocate(&on_device, bytes, "bytes", error);
    gpu_upload(on_device, from, bytes, error);
    memset(from, 0, sizeof from); /* the caller may change it at once */
    gpu_download(to, on_device, bytes, error);
    gpu_free(on_device);
    bool right = error->status == STATUS_OK && to[bytes] == 0xee;
    for (size_t i = 0; i < bytes; i++)
        right = right && to[i] == byte_at(i, turn);
    return right;
}

static void check_plan(const char *what, const struct stage_plan *plan)
{
    static const size_t sizes[] = {0, 1, 99, 100, 101, 200, 201, 300, 301, 1000, 4999};
    struct error error = {};
    unsigned turn = 0;
    gpu_plan_stage(plan);
    for (size_t bytes : sizes)
        check(arrives(bytes, turn++, &error), what, "%zu bytes: %s", bytes, error.text);
    gpu_plan_stage(NULL);
}

/* What was copied before is visible to a kernel after it, and the other way round. */
__global__ void add_one(unsigned char *bytes, unsigned count)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        bytes[i]++;
}

static void check_order(const struct stage_plan *plan)
{
    unsigned char bytes[1000], *on_device = NULL;
    struct error error = {};
    bool right = true;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = byte_at(i, 0);
    gpu_plan_stage(plan);
    gpu_allocate(&on_device, sizeof bytes, "bytes", &error);
    gpu_upload(on_device, bytes, sizeof bytes, &error);
    gpu_launch(add_one, gpu_wide_grid(sizeof bytes), 0, &error, on_device, (unsigned)sizeof bytes);
    gpu_download(bytes, on_device, sizeof bytes, &error);
    for (size_t i = 0; i < sizeof bytes; i++)
        right = right && bytes[i] == (unsigned char)(byte_at(i, 0) + 1);
    check(error.status == STATUS_OK && right, "a kernel between staged copies", "%s", error.text);
    gpu_free(on_device);
    gpu_plan_stage(NULL);
}

static void check_times(struct device_memory *memory)
{
    const size_t bytes = 1000000;
    struct error error = {};
    char *on_device = NULL, *on_host = NULL;
    allocate_zeroed(&on_host, bytes, 1, "bytes", &error);
    gpu_allocate(&on_device, bytes, "bytes", &error);
    memory->upload_ms = 0;
    gpu_upload(on_device, on_host, bytes, &error);
    check(memory->upload_ms == 0, "an upload that nobody times", "%g ms", memory->upload_ms);
    memory->times_uploads = true;
    gpu_upload(on_device, on_host, bytes, &error);
    double first_ms = memory->upload_ms;
    gpu_download(on_host, on_device, bytes, &error);
    check(first_ms > 0 && memory->upload_ms == first_ms, "a timed upload, and a download, which is none",
          "%g, then %g ms", first_ms, memory->upload_ms);
    memory->times_uploads = false;
    gpu_free(on_device);
    free(on_host);
}

static void check_all(struct device *device)
{
    struct stage_plan staged = {.chunk_bytes = 100, .num_chunks = 3};
    struct stage_plan late = {.chunk_bytes = 100, .num_chunks = 2, .least_bytes = 150};
    struct stage_plan one = {.chunk_bytes = 100, .num_chunks = 1};
    struct stage_plan none = {.chunk_bytes = 100, .num_chunks = 0};
    check_plan("through three buffers", &staged);
    check_plan("through two buffers, small copies straight", &late);
    check_plan("through one buffer", &one);
    check_plan("straight", &none);
    check_order(&staged);
    check_times(device->memory);
#ifdef EMULATED
    setenv("GTRAV_EMULATOR_PINNED", "0", 1);
    check_plan("without memory for buffers", &staged);
    unsetenv("GTRAV_EMULATOR_PINNED");
#endif
}

} // namespace BACKEND
