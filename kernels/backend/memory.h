/* memory.h: device memory: arenas, fills and copies. Part of backend.h, whose rule for errors holds here. */
#pragma once

#include <string.h>

namespace BACKEND
{

/* Owns blocks of device memory; a zeroed arena owns none. An algorithm's state holds an arena for its arrays; a
 * function may have a local arena for temporary ones. Copying the struct moves the arena: only one of the two may be
 * used then. */
struct gpu_arena {
    struct gpu_block *latest;
    bool in_host; /* takes pinned host memory, which kernels access over the bus, but never by atomics */
};

/* Takes count * size bytes, uninitialised, from the device. Returns NULL after an error. If they do not fit, the
 * message says how much is needed for what, and how much is free. The memory is valid until gpu_arena_free. */
void *gpu_take_bytes(struct gpu_arena *arena, size_t count, size_t size, const char *what, struct error *error);

/* Frees everything that was taken from the arena, which is then empty. */
void gpu_arena_free(struct gpu_arena *arena);

int gpu_fill_bytes(void *memory, int byte, size_t bytes, struct error *error);

template <typename type>
static type *gpu_take(struct gpu_arena *arena, size_t count, const char *what, struct error *error)
{
    return (type *)gpu_take_bytes(arena, count, sizeof(type), what, error);
}

/* The same, filled with zeros. */
template <typename type>
static type *gpu_take_zeroed(struct gpu_arena *arena, size_t count, const char *what, struct error *error)
{
    type *memory = gpu_take<type>(arena, count, what, error);
    gpu_fill_bytes(memory, 0, count * sizeof(type), error);
    return memory;
}

/* The same for memory outside of arenas. The caller frees it with gpu_free, which accepts NULL. */
int gpu_allocate_bytes(void **memory, size_t count, size_t size, const char *what, struct error *error);
void gpu_free(const void *memory);

template <typename type>
static int gpu_allocate(type **memory, size_t count, const char *what, struct error *error)
{
    return gpu_allocate_bytes((void **)memory, count, sizeof(type), what, error);
}

/* Returns the bytes of device memory that can still be taken; 0 after an error. */
uint64_t gpu_memory_left(struct error *error);

/* Returns the record of the device's memory if the device only counts memory, otherwise NULL. Downloads then fail,
 * and the sum is unknown: code that needs a size gets it from the host instead. */
struct device_memory *gpu_counting(void);
int gpu_cannot_count(struct error *error); /* ends preparing then, as a download does */

int gpu_copy_bytes(void *to, const void *from, size_t bytes, struct error *error);
int gpu_copy_between_bytes(void *to, int to_device, const void *from, int from_device, size_t bytes,
                           struct error *error);
int gpu_upload_bytes(void *to, const void *from, size_t bytes, struct error *error);
int gpu_download_bytes(void *to, const void *from, size_t bytes, struct error *error);
int gpu_fetch_bytes(void *to, const void *from, size_t bytes, struct error *error);

/* Sets all bytes of `count` elements, after all earlier work. If memory is NULL, does nothing. */
template <typename type>
static int gpu_fill(type *memory, int byte, size_t count, struct error *error)
{
    return gpu_fill_bytes(memory, byte, count * sizeof(type), error);
}

template <typename type>
static int gpu_clear(type *memory, size_t count, struct error *error)
{
    return gpu_fill(memory, 0, count, error);
}

/* Copies `count` elements within the device, after all earlier work. */
template <typename type>
static int gpu_copy(type *to, const type *from, size_t count, struct error *error)
{
    return gpu_copy_bytes(to, from, count * sizeof(type), error);
}

/* Copies `count` elements from one device to another, or within one. It waits for all earlier work of both, and their
 * later work waits for it. The driver takes the link between the devices, or else the host's memory. */
template <typename type>
static int gpu_copy_between(type *to, int to_device, const type *from, int from_device, size_t count,
                            struct error *error)
{
    return gpu_copy_between_bytes(to, to_device, from, from_device, count * sizeof(type), error);
}

/* Waits for all earlier work, then copies `count` elements from the host to the device. */
template <typename type>
static int gpu_upload(type *device, const type *host, size_t count, struct error *error)
{
    return gpu_upload_bytes(device, host, count * sizeof(type), error);
}

/* Waits for all earlier work, then copies `count` elements from the device to the host. After an error, the elements
 * on the host are zero. If host is NULL, does nothing. */
template <typename type>
static int gpu_download(type *host, const type *device, size_t count, struct error *error)
{
    if (host != NULL && gpu_download_bytes(host, device, count * sizeof(type), error) != STATUS_OK)
        memset((void *)host, 0, count * sizeof(type));
    return error->status;
}

/* The same for a result, which may be in pinned memory or stay on the device. Sets nothing to zero after an error. */
template <typename type>
static int gpu_fetch(type *result, const type *device, size_t count, struct error *error)
{
    return result != NULL ? gpu_fetch_bytes(result, device, count * sizeof(type), error) : error->status;
}

} // namespace BACKEND
