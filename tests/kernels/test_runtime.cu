/* test_runtime.cu: launches, copies, device memory and events, as the host asks for them, on the GPU and on the
 * emulator. */
#include <string.h>

#include "words.h"

namespace BACKEND
{

__global__ void count_threads(word_t *words)
{
    atomicAdd(&words[0], 1ull);
}

static void check_launches(void)
{
    struct grid wide = gpu_wide_grid();
    expect(
        "start_kernel on the wide grid", count_threads, wide, 0, 1, zeros(),
        [wide](size_t) { return wide.blocks * wide.threads; }, PLAIN);
    expect(
        "start_kernel: 300 blocks", count_threads, {300, 32}, 0, 1, zeros(), [](size_t) { return 9600; }, PLAIN);
    struct error error = {};
    run_kernel(count_threads, PLAIN, {1, 2048}, 0, 1, zeros(), &error);
    check(error.status == STATUS_DEVICE, "a launch of 2048 threads a block is refused", "status %d", error.status);
    error = {};
    run_kernel(count_threads, PERSISTENT, {0, 32}, 0, 1, zeros(), &error);
    check(error.status == STATUS_DEVICE, "a launch of no block is refused", "status %d", error.status);
    cudaGetLastError();
    expect("the device works after a refused launch", count_threads, {2, 32}, 0, 1, zeros(),
           [](size_t) { return 64; });
}

/* Copies and fills of odd sizes and offsets, at once and through a stream. */
static void check_copies(bool async)
{
    const size_t size = 1000;
    unsigned char host[size], back[size], wanted[size];
    unsigned char *a = NULL, *b = NULL;
    struct error error = {};
    cudaStream_t stream;
    for (size_t i = 0; i < size; i++)
        host[i] = wanted[i] = (unsigned char)(i * 7);
    memset(back, 0xee, size);
    memset(wanted + 101, 0xab, 333);
    memmove(wanted + 600, host + 7, 301);
    gpu_allocate(&a, size, "a", &error);
    gpu_allocate(&b, size, "b", &error);
    gpu_check(cudaStreamCreate(&stream), "a stream", &error);
    if (async) {
        gpu_check(cudaMemcpyAsync(a, host, size, cudaMemcpyHostToDevice, stream), "to the device", &error);
        gpu_check(cudaMemcpyAsync(b, a, size, cudaMemcpyDeviceToDevice, stream), "on the device", &error);
        gpu_check(cudaMemsetAsync(b + 101, 0xab, 333, stream), "filling", &error);
        gpu_check(cudaMemcpyAsync(b + 600, a + 7, 301, cudaMemcpyDeviceToDevice, stream), "on the device", &error);
        gpu_check(cudaMemcpyAsync(back, b, size, cudaMemcpyDeviceToHost, stream), "to the host", &error);
        gpu_check(cudaStreamSynchronize(stream), "waiting", &error);
    } else {
        gpu_check(cudaMemcpy(a, host, size, cudaMemcpyHostToDevice), "to the device", &error);
        gpu_check(cudaMemcpy(b, a, size, cudaMemcpyDeviceToDevice), "on the device", &error);
        gpu_check(cudaMemset(b + 101, 0xab, 333), "filling", &error);
        gpu_check(cudaMemcpy(b + 600, a + 7, 301, cudaMemcpyDeviceToDevice), "on the device", &error);
        gpu_check(cudaMemcpy(back, b, size, cudaMemcpyDeviceToHost), "to the host", &error);
        gpu_check(cudaMemcpy(back, b, 0, cudaMemcpyDeviceToHost), "nothing", &error);
    }
    gpu_check(cudaStreamDestroy(stream), "a stream", &error);
    check(error.status == STATUS_OK && memcmp(back, wanted, size) == 0,
          async ? "cudaMemcpyAsync, cudaMemsetAsync, streams" : "cudaMemcpy, cudaMemset", "%s", error.text);
    gpu_free(a);
    gpu_free(b);
    gpu_free(NULL);
}

static void check_memory(const struct device_memory *in_use)
{
    const size_t bytes = (size_t)64 << 20;
    char *memory = NULL;
    struct error error = {};
    size_t before = 0, during = 0, after = 0, total = 0;
    gpu_check(cudaMemGetInfo(&before, &total), "asking", &error);
    const struct device_memory first = *in_use;
    gpu_allocate(&memory, bytes, "64 MB", &error);
    const struct device_memory then = *in_use;
    gpu_check(cudaMemGetInfo(&during, &total), "asking", &error);
    gpu_free(memory);
    check(then.bytes == first.bytes + bytes && then.peak_bytes >= then.bytes && in_use->bytes == first.bytes &&
              in_use->peak_bytes == then.peak_bytes,
          "memory in use is counted", "%llu, %llu, %llu bytes", (unsigned long long)first.bytes,
          (unsigned long long)then.bytes, (unsigned long long)in_use->bytes);
    gpu_check(cudaMemGetInfo(&after, &total), "asking", &error);
    check(error.status == STATUS_OK && total >= before && before >= during + bytes && after >= during + bytes,
          "cudaMemGetInfo", "%zu, %zu, %zu of %zu; %s", before, during, after, total, error.text);
    gpu_allocate(&memory, (size_t)1 << 50, "a petabyte", &error);
    check(error.status == STATUS_DEVICE && memory == NULL && strstr(error.text, "needed for a petabyte") != NULL,
          "memory that does not fit: the message says so", "status %d: %s", error.status, error.text);
    check(in_use->bytes == first.bytes, "and it is not counted", "%llu bytes", (unsigned long long)in_use->bytes);
    error = {};
    check(gpu_allocate(&memory, 0, "nothing", &error) == STATUS_OK && memory != NULL,
          "an empty allocation, after one that failed", "%s", error.text);
    gpu_free(memory);
}

static void check_events(void)
{
    cudaEvent_t from, to;
    struct error error = {};
    float ms = -1, none = -1;
    word_t *word = NULL;
    gpu_check(cudaEventCreate(&from), "an event", &error);
    gpu_check(cudaEventCreate(&to), "an event", &error);
    gpu_allocate(&word, 1, "a word", &error);
    gpu_check(cudaMemset(word, 0, sizeof *word), "clearing", &error);
    gpu_check(cudaEventRecord(from), "recording", &error);
    for (unsigned i = 0; i < 10; i++)
        gpu_launch(count_threads, {64, 64}, 0, &error, word);
    gpu_check(cudaEventRecord(to), "recording", &error);
    gpu_check(cudaEventSynchronize(to), "waiting", &error);
    gpu_check(cudaEventElapsedTime(&ms, from, to), "timing", &error);
    gpu_check(cudaEventElapsedTime(&none, from, from), "timing", &error);
    gpu_check(cudaDeviceSynchronize(), "waiting", &error);
    check(error.status == STATUS_OK && ms > 0 && ms < 60000 && none == 0, "events", "%g ms, %g ms; %s", (double)ms,
          (double)none, error.text);
    gpu_check(cudaEventDestroy(from), "an event", &error);
    gpu_check(cudaEventDestroy(to), "an event", &error);
    gpu_free(word);
}

static void check_all(struct device *device)
{
    check_launches();
    check_copies(false);
    check_copies(true);
    check_memory(device->memory);
    check_events();
}

} // namespace BACKEND
