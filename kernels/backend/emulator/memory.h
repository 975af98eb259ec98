/* memory.h: the emulated devices' memory.
 *
 * Each device has a stretch of one reserved range of addresses; a thread of the host has that of the device that it
 * uses, and no two threads use the same. cudaMalloc hands out stretches of that, each followed by a gap that belongs
 * to nobody; a shadow byte for every byte tells whether it may be touched, and whether it was ever written. Blocks'
 * shared memory comes from there too. Addresses are used again only when nothing is allocated, so that stale pointers
 * are noticed; those of shared memory by the next kernel. */
#ifndef GTRAV_EMULATOR_MEMORY_H
#define GTRAV_EMULATOR_MEMORY_H

#include <stddef.h>

/* Bytes allocated now on all devices, for tests of leaks. */
extern "C" size_t emulated_bytes_in_use(void);

namespace emulator
{

/* From the environment, for tests: GTRAV_EMULATOR_MB is how much memory each device has; GTRAV_EMULATOR_FAIL_AT=N
 * lets the N-th allocation of a device fail. */

/* Which device this thread of the host uses. */
void use_memory(int number);
int memory_in_use(void);

void *take_memory(size_t bytes);        /* NULL: the device has no more */
void *take_shared_memory(size_t bytes); /* a block's; it does not count as the device's */
bool give_back_memory(void *address);   /* false: no allocation begins there */
/* What was taken since the mark, all of it given back, lies at addresses that may be used again at once. */
size_t memory_mark(void);
void reuse_memory_from(size_t mark);
void memory_left(size_t *free_bytes, size_t *total_bytes);

bool is_device(const volatile void *address); /* some device's */
bool is_own(const volatile void *address);    /* that of the device in use */
bool is_allocated(const volatile void *address, size_t bytes);
bool is_written(const volatile void *address, size_t bytes);
void mark_written(const volatile void *address, size_t bytes);

/* The devices that are emulated: small, so that few threads run where a kernel fills the GPU. */
constexpr int DEVICES = 4;
constexpr int MULTIPROCESSORS = 3, BLOCKS_PER_MULTIPROCESSOR = 1, MAX_THREADS_PER_BLOCK = 64;
constexpr int MAX_SHARED_BYTES = 227 << 10; /* as Hopper's */

} // namespace emulator

#endif
