/* transfer.cu: copies between the memories of the host and the device.
 *
 * CUDA copies ordinary (pageable) memory through a small pinned buffer of its own, on one thread: 9 GB/s on a bus of
 * 50 GB/s. So a large copy goes through several pinned buffers here, the stage. To the device: while the device
 * fetches the last chunk, all threads copy the next one into the next buffer. To the host: while the threads empty
 * one buffer, the device fills the others. Small copies, and all copies without memory for a stage, are direct.
 *
 * Why no buffer is used too early. Chunks are copied in the order of the stream. After the copy of a chunk, an event
 * is recorded for its buffer. The host waits for the event before it writes the next chunk into the buffer (to the
 * device) or reads the chunk (to the host). The buffer's next copy is submitted after that. At the end all copies are
 * complete, so the next transfer finds every buffer free.
 *
 * The stage of a device is allocated when its first struct device is opened, and freed when the last one is closed:
 * pinning takes milliseconds, which would otherwise count in the first search. Only the device's thread uses it. */
#include <pthread.h>

#include "../../../src/device.h"
#include "host.h"

namespace BACKEND
{

/* The fastest sizes of those that were tried (../NOTES.md). */
#define CHUNK_BYTES ((size_t)4 << 20)
#define NUM_CHUNKS  3u
#define LEAST_BYTES ((size_t)2 << 20) /* smaller copies are direct */

struct stage {
    int users;    /* number of open struct devices; guarded by the lock */
    char *memory; /* NUM_CHUNKS chunks, pinned; NULL: all copies are direct */
    cudaEvent_t copied[NUM_CHUNKS];
};
static struct stage stages[MAX_DEVICES];
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;

static struct stage *own_stage(void)
{
    int device = 0;
    cudaGetDevice(&device);
    return &stages[device];
}

/* ---- the stage ---- */

static void free_stage(struct stage *stage)
{
    for (unsigned i = 0; i < NUM_CHUNKS; i++) {
        if (stage->copied[i] != NULL)
            cudaEventDestroy(stage->copied[i]);
        stage->copied[i] = NULL;
    }
    if (stage->memory != NULL)
        cudaFreeHost(stage->memory);
    stage->memory = NULL;
}

/* Allocates the buffers on the device in use. A failure is no error: all copies are then direct. */
static void make_stage(struct stage *stage)
{
    bool made = cudaMallocHost((void **)&stage->memory, NUM_CHUNKS * CHUNK_BYTES) == cudaSuccess;
    if (!made)
        stage->memory = NULL;
    for (unsigned i = 0; made && i < NUM_CHUNKS; i++)
        made = cudaEventCreate(&stage->copied[i]) == cudaSuccess;
    if (made)
        return;
    cudaGetLastError(); /* clears the error: the device is still usable */
    free_stage(stage);
}

void stage_open(int device)
{
    pthread_mutex_lock(&users_lock);
    if (stages[device].users++ == 0)
        make_stage(&stages[device]);
    pthread_mutex_unlock(&users_lock);
}

void stage_close(int device)
{
    pthread_mutex_lock(&users_lock);
    if (--stages[device].users == 0)
        free_stage(&stages[device]);
    pthread_mutex_unlock(&users_lock);
}

static bool pays(const struct stage *stage, size_t bytes)
{
    return stage->memory != NULL && bytes >= LEAST_BYTES;
}

/* ---- copying ---- */

/* A chunk of a copy, and its buffer. */
struct chunk {
    size_t at, bytes;
    char *buffer;
    cudaEvent_t copied;
};

static struct chunk chunk_of(const struct stage *stage, size_t bytes, size_t number)
{
    size_t at = number * CHUNK_BYTES, slot = number % NUM_CHUNKS, left = bytes - at;
    return {at, left < CHUNK_BYTES ? left : CHUNK_BYTES, stage->memory + slot * CHUNK_BYTES, stage->copied[slot]};
}

static void upload_staged(const struct stage *stage, char *to, const char *from, size_t bytes, struct error *error)
{
    const char *what = "copying to the GPU";
    size_t count = bytes / CHUNK_BYTES + (bytes % CHUNK_BYTES != 0);
    for (size_t i = 0; i < count && error->status == STATUS_OK; i++) {
        struct chunk chunk = chunk_of(stage, bytes, i);
        if (i >= NUM_CHUNKS)
            gpu_check(cudaEventSynchronize(chunk.copied), what, error);
        copy_by_all_threads(chunk.buffer, from + chunk.at, chunk.bytes);
        gpu_check(cudaMemcpyAsync(to + chunk.at, chunk.buffer, chunk.bytes, cudaMemcpyHostToDevice, 0), what, error);
        gpu_check(cudaEventRecord(chunk.copied, 0), what, error);
    }
    gpu_check(cudaStreamSynchronize(0), what, error);
}

static void download_staged(const struct stage *stage, char *to, const char *from, size_t bytes, struct error *error)
{
    const char *what = "copying a result";
    size_t count = bytes / CHUNK_BYTES + (bytes % CHUNK_BYTES != 0);
    for (size_t i = 0; i < count + NUM_CHUNKS && error->status == STATUS_OK; i++) {
        if (i >= NUM_CHUNKS) {
            struct chunk done = chunk_of(stage, bytes, i - NUM_CHUNKS);
            if (done.at < bytes && gpu_check(cudaEventSynchronize(done.copied), what, error) == STATUS_OK)
                copy_by_all_threads(to + done.at, done.buffer, done.bytes);
        }
        if (i < count) {
            struct chunk next = chunk_of(stage, bytes, i);
            gpu_check(cudaMemcpyAsync(next.buffer, from + next.at, next.bytes, cudaMemcpyDeviceToHost, 0), what, error);
            gpu_check(cudaEventRecord(next.copied, 0), what, error);
        }
    }
    gpu_check(cudaStreamSynchronize(0), what, error); /* even after an error: no copy may still use the buffers */
}

int gpu_upload_bytes(void *to, const void *from, size_t bytes, struct error *error)
{
    int device = 0;
    const struct stage *stage = own_stage();
    if (error->status != STATUS_OK || gpu_counting())
        return error->status;
    cudaGetDevice(&device);
    struct device_memory *memory = memory_of_device(device);
    if (memory->times_uploads) /* excludes earlier work from the time of the upload */
        gpu_wait("the work before a copy", error);
    double begin = memory->times_uploads ? now_ms() : 0;
    ++*gpu_work();
    if (pays(stage, bytes))
        upload_staged(stage, (char *)to, (const char *)from, bytes, error);
    else
        gpu_check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying to the GPU", error);
    if (memory->times_uploads && error->status == STATUS_OK)
        memory->upload_ms += now_ms() - begin;
    return error->status;
}

int gpu_download_bytes(void *to, const void *from, size_t bytes, struct error *error)
{
    const struct stage *stage = own_stage();
    if (error->status != STATUS_OK)
        return error->status;
    if (gpu_counting())
        return gpu_cannot_count(error);
    ++*gpu_work();
    if (!pays(stage, bytes))
        return gpu_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying a result", error);
    download_staged(stage, (char *)to, (const char *)from, bytes, error);
    return error->status;
}

int gpu_fetch_bytes(void *to, const void *from, size_t bytes, struct error *error)
{
    cudaPointerAttributes facts = {};
    gpu_wait("the work before a result", error); /* waits also for the caller's work in other streams */
    if (error->status != STATUS_OK || gpu_counting() || cudaPointerGetAttributes(&facts, to) != cudaSuccess ||
        facts.type == cudaMemoryTypeUnregistered)
        return gpu_download_bytes(to, from, bytes, error);
    bool stays = facts.type != cudaMemoryTypeHost;
    ++*gpu_work();
    gpu_check(cudaMemcpy(to, from, bytes, stays ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost),
              "copying a result", error);
    return gpu_wait("copying a result", error);
}

int gpu_copy_bytes(void *to, const void *from, size_t bytes, struct error *error)
{
    if (error->status != STATUS_OK || gpu_counting())
        return error->status;
    ++*gpu_work();
    return gpu_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice), "copying on the GPU", error);
}

int gpu_copy_between_bytes(void *to, int to_device, const void *from, int from_device, size_t bytes,
                           struct error *error)
{
    if (error->status != STATUS_OK || gpu_counting())
        return error->status;
    ++*gpu_work();
    return gpu_check(cudaMemcpyPeer(to, to_device, from, from_device, bytes), "copying between GPUs", error);
}

} // namespace BACKEND
