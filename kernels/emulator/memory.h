/* memory.h: the memory of the emulated devices.
 *
 * One range of addresses is reserved, and each device has a part of it. A host thread uses the part of its device; no
 * two host threads use the same device. Kernels access the memory of other devices only if their device may
 * (enable_peer). cudaMalloc returns pieces of that part, with gaps between them that are not
 * allocated. Every byte has a shadow byte, which says whether the byte is allocated and whether it was ever written.
 * The shared memory of blocks also comes from there. Addresses are reused only when nothing is allocated, so that
 * stale pointers are detected. The next kernel reuses the addresses of shared memory. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns the bytes allocated on all devices, for tests of leaks. */
extern "C" size_t emulated_bytes_in_use(void);
/* Returns the bytes of the device in use that were read or written so far, also by fills and copies; for tests. */
extern "C" uint64_t emulated_bytes_accessed(void);

namespace emulator
{

/* Environment variables for tests: GTRAV_EMULATOR_MB is the memory of each device; with GTRAV_EMULATOR_FAIL_AT=N, the
 * N-th allocation of a device fails. GTRAV_EMULATOR_SHARED_KB is the largest shared memory of a block, 99 on an RTX
 * 40, and GTRAV_EMULATOR_SMS the number of multiprocessors. With GTRAV_EMULATOR_COOPERATIVE=0 there are no
 * cooperative launches, and with GTRAV_EMULATOR_PEERS=0 no device can access another's memory; after
 * GTRAV_EMULATOR_POLLS polls, kernels give up a wait. */

extern constinit thread_local int device_in_use; /* the device that this host thread uses, or of the running thread */

/* Lets the device in use access the memory of another one. Returns whether it could before. */
bool enable_peer(int other);

void *take_memory(size_t bytes);        /* NULL if the device has not enough memory */
void *take_shared_memory(size_t bytes); /* memory of a block, not charged to the device */
bool give_back_memory(void *address);   /* false if no allocation begins there */
/* reuse_memory_from() makes the addresses taken since the mark available again. All must have been given back. */
size_t memory_mark(void);
void reuse_memory_from(size_t mark);
void memory_left(size_t *free_bytes, size_t *total_bytes);

bool is_device(const volatile void *address); /* whether it is memory of any device */
bool is_of(const volatile void *address, int device);
bool is_own(const volatile void *address);     /* whether it is memory of the device in use */
bool is_of_peer(const volatile void *address); /* whether it is memory of a device that enable_peer() has named */
bool is_allocated(const volatile void *address, size_t bytes);
bool is_pinned(const volatile void *address, size_t bytes); /* whether it is pinned host memory */
bool is_written(const volatile void *address, size_t bytes);
void mark_written(const volatile void *address, size_t bytes);

/* The emulated devices. They are small, so that few threads run when a kernel fills the GPU. */
constexpr int DEVICES = 4;
constexpr int BLOCKS_PER_MULTIPROCESSOR = 1, MAX_THREADS_PER_BLOCK = 64; /* values reported to plans of grids */

} // namespace emulator
