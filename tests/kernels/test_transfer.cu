/* test_transfer.cu: copies between the memories of the host and the device, direct and through the stage of pinned
 * buffers (kernels/backend/host/transfer.cu), on the GPU and on the emulator. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"

namespace BACKEND
{

#define MB ((size_t)1 << 20)

static unsigned char byte_at(size_t at, unsigned turn)
{
    return (unsigned char)(at * 31 + at / 251 + turn * 7);
}

/* To the device and back. */
static bool arrives(size_t bytes, unsigned turn, struct error *error)
{
    struct test_memory memory;
    std::vector<unsigned char> from(bytes), to(bytes + 1, 0xee);
    for (size_t i = 0; i < bytes; i++)
        from[i] = byte_at(i, turn);
    unsigned char *on_device = memory.put(from);
    from.assign(bytes, 0); /* the caller may change it at once */
    gpu_download(to.data(), on_device, bytes, &memory.error);
    *error = memory.error;
    bool right = error->status == STATUS_OK && to[bytes] == 0xee;
    for (size_t i = 0; i < bytes; i++)
        right = right && to[i] == byte_at(i, turn);
    return right;
}

/* Copies of 2 MB and more go through three buffers of 4 MB. */
static void check_sizes(const char *what)
{
    struct error error = {};
    unsigned turn = 0;
    for (size_t bytes : {(size_t)0, (size_t)1, 2 * MB - 1, 2 * MB, 4 * MB - 1, 4 * MB, 4 * MB + 1, 8 * MB, 8 * MB + 1,
                         12 * MB, 12 * MB + 1, 33 * MB - 5})
        check(arrives(bytes, turn++, &error), what, "%zu bytes: %s", bytes, error.text);
}

/* What was copied before is visible to a kernel after it, and the other way round. */
__global__ void add_one(unsigned char *bytes, unsigned count)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        bytes[i]++;
}

static void check_order(void)
{
    struct test_memory memory;
    std::vector<unsigned char> bytes(5 * MB), wanted(bytes.size());
    for (size_t i = 0; i < bytes.size(); i++) {
        bytes[i] = byte_at(i, 0);
        wanted[i] = (unsigned char)(bytes[i] + 1);
    }
    unsigned char *on_device = memory.put(bytes);
    gpu_launch(add_one, gpu_wide_grid(bytes.size()), 0, &memory.error, on_device, (unsigned)bytes.size());
    memory.check(memory.get(on_device, bytes.size()) == wanted, "a kernel between staged copies", " ");
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

#ifdef EMULATED
static void check_between(struct device *device, struct device *other)
{
    struct test_memory own;
    std::vector<int> values = {3, 1, 4};
    int *to = own.room<int>(values.size());
    other->use(other, &own.error);
    {
        struct test_memory theirs;
        int *from = theirs.put(values);
        gpu_copy_between(to, device->number, from, other->number, values.size(), &theirs.error);
        theirs.check(true, "a copy between devices", " ");
        gpu_copy_between(to, other->number, from, other->number, values.size(), &theirs.error);
        check(theirs.error.status == STATUS_DEVICE, "a copy that names the wrong device", "it is made");
    }
    device->use(device, &own.error);
    own.check(own.get(to, values.size()) == values, "the copy on the other device", " ");
}
#endif

static void check_all(struct device *device)
{
    check_sizes("direct and through the buffers");
    check_order();
    check_times(device->memory);
#ifdef EMULATED
    struct device other;
    struct error error = {};
    setenv("GTRAV_EMULATOR_PINNED", "0", 1);
    if (check(device_open(DEVICE_EMULATOR, &other, 1, &error) == STATUS_OK, "another device", "%s", error.text)) {
        other.use(&other, &error);
        check_sizes("without memory for buffers");
        device->use(device, &error);
        check_between(device, &other);
        other.use(&other, &error);
        other.close(&other);
        device->use(device, &error);
    }
    unsetenv("GTRAV_EMULATOR_PINNED");
#endif
}

} // namespace BACKEND
