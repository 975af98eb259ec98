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
    struct test_memory memory;
    std::vector<unsigned char> from(bytes);
    unsigned char to[MOST_BYTES + 1];
    for (size_t i = 0; i < bytes; i++)
        from[i] = byte_at(i, turn);
    memset(to, 0xee, sizeof to);
    unsigned char *on_device = memory.put(from);
    from.assign(bytes, 0); /* the caller may change it at once */
    gpu_download(to, on_device, bytes, &memory.error);
    *error = memory.error;
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
    struct test_memory memory;
    std::vector<unsigned char> bytes(1000), wanted(1000);
    for (size_t i = 0; i < bytes.size(); i++) {
        bytes[i] = byte_at(i, 0);
        wanted[i] = (unsigned char)(bytes[i] + 1);
    }
    gpu_plan_stage(plan);
    unsigned char *on_device = memory.put(bytes);
    gpu_launch(add_one, gpu_wide_grid(bytes.size()), 0, &memory.error, on_device, (unsigned)bytes.size());
    memory.check(memory.get(on_device, bytes.size()) == wanted, "a kernel between staged copies", " ");
    gpu_plan_stage(NULL);
}

static void check_times(struct device_memory *times)
{
    struct test_memory memory;
    std::vector<char> bytes(1000000);
    times->upload_ms = 0;
    memory.put(bytes);
    check(times->upload_ms == 0, "an upload that nobody times", "%g ms", times->upload_ms);
    times->times_uploads = true;
    char *on_device = memory.put(bytes);
    double first_ms = times->upload_ms;
    memory.get(on_device, bytes.size());
    memory.check(first_ms > 0 && times->upload_ms == first_ms, "a timed upload, and a download, which is none",
                 "%g, then %g ms", first_ms, times->upload_ms);
    times->times_uploads = false;
}

static void check_all(struct device *device)
{
    const struct stage_plan staged = {100, 3, 0}, late = {100, 2, 150}, one = {100, 1, 0}, none = {100, 0, 0};
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
