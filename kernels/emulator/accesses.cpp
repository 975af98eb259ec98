/* accesses.cpp: checks of memory accesses on the emulated GPU. Kernels are compiled with ThreadSanitizer's
 * instrumentation, and the functions that it calls around every plain access are defined here. */
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

namespace emulator
{

/* Returns the block of a kernel that owns this shared memory, or NULL. Blocks have contiguous pieces of equal
 * length. */
static const block *owner_of_shared(const launch *of, const volatile void *address)
{
    const char *first = of->blocks.front().shared, *at = (const char *)address;
    size_t length = of->shape.blocks > 1 ? (size_t)(of->blocks[1].shared - first) : SIZE_MAX;
    return at >= first && (size_t)(at - first) / length < of->shape.blocks ? &of->blocks[(at - first) / length]
                                                                           : nullptr;
}

void note_change(void)
{
    gpu->steps = 0;
}

/* Checks an access of another device's memory, and holds stores back. */
static void access_peer(const volatile void *address, size_t bytes, bool is_write, const char *verb)
{
    if (!is_of_peer(address))
        fault(current, "%s of %zu bytes of another device", verb, bytes);
    if (is_write)
        hold_store((volatile void *)address, bytes);
}

void check_access(const volatile void *address, size_t bytes, bool is_write, bool is_atomic)
{
    const char *verb = is_atomic ? "atomic access" : is_write ? "write" : "read";
    if (current == nullptr) {
        fputs("gtrav: host code touches device memory; on a GPU this is a segmentation fault\n", stderr);
        abort();
    }
    const bool in_host = !is_device(address) && is_pinned(address, bytes);
    if (in_host && is_atomic)
        fault(current, "%s of %zu bytes in host memory", verb, bytes);
    if (!in_host && !is_device(address))
        fault(current, "%s of %zu bytes that are not the device's", verb, bytes);
    if (!in_host && !is_own(address))
        access_peer(address, bytes, is_write, verb);
    if (!in_host && !is_allocated(address, bytes))
        fault(current, "%s of %zu bytes outside of any allocation", verb, bytes);
    const block *owner = owner_of_shared(current->home->of, address);
    if (owner != nullptr && (owner->group != current->home->group || owner->alive == 0))
        fault(current, "%s of %zu bytes in the shared memory of block %u, which %s", verb, bytes,
              (unsigned)(owner - current->home->of->blocks.data()),
              owner->alive == 0 ? "has ended" : "is in another cluster");
    if ((uintptr_t)address % bytes != 0)
        fault(current, "misaligned %s of %zu bytes", verb, bytes);
    if (!in_host && (!is_write || is_atomic) && !is_written(address, bytes))
        fault(current, "%s of %zu bytes that nobody has written", verb, bytes);
    if (is_write && !in_host)
        mark_written(address, bytes);
    if (is_write && !is_atomic)
        note_change(); /* atomics may be polls: emulated_atomic() reports a change of the value */
}

void *shared_memory(void)
{
    return current->home->shared;
}

unsigned cluster_rank(void)
{
    return current->home->rank;
}

unsigned cluster_size(void)
{
    return (unsigned)current->home->group->blocks.size();
}

void *shared_memory_of(const void *own, unsigned rank)
{
    const block *home = current->home;
    if (rank >= home->group->blocks.size())
        fault(current, "shared memory of block %u in a cluster of %zu", rank, home->group->blocks.size());
    return home->group->blocks[rank]->shared + ((const char *)own - home->shared);
}

void defer_copy(const void *ticket, void *to, const void *from, size_t bytes)
{
    constexpr size_t unit = 16;
    if ((uintptr_t)to % unit != 0 || (uintptr_t)from % unit != 0 || bytes % unit != 0)
        fault(current, "a bulk copy of %zu bytes that is not aligned to 16 bytes at both ends", bytes);
    gpu->copies.push_back({ticket, to, from, bytes});
}

void finish_copies(const void *ticket)
{
    preempt();
    for (size_t c = 0; c < gpu->copies.size(); c++) {
        pending_copy copy = gpu->copies[c];
        for (size_t i = 0; copy.ticket == ticket && i < copy.bytes; i++) {
            check_access((const char *)copy.from + i, 1, false, false);
            check_access((char *)copy.to + i, 1, true, false);
            ((char *)copy.to)[i] = ((const char *)copy.from)[i];
        }
    }
    std::erase_if(gpu->copies, [ticket](const pending_copy &copy) { return copy.ticket == ticket; });
}

/* ---- the compiler's calls around every plain access ---- */

/* Beginning and end of the program or library that contains this code; set by the linker. */
extern "C" __attribute__((visibility("hidden"))) char __ehdr_start, _end;

/* Returns whether the running thread may access this host memory: its variables, constants, the kernel's
 * arguments. */
static bool is_threads_own(const volatile void *address)
{
    constexpr size_t host_stack = (size_t)8 << 20;
    const char *at = (const char *)address, *stack = (const char *)current->stack;
    const char *position = (const char *)&current->position; /* threadIdx and similar variables */
    return (at >= position && at < position + sizeof current->position) || (at >= stack && at < stack + STACK_BYTES) ||
           (at >= &__ehdr_start && at < &_end) || (at >= gpu->host_frame && at < gpu->host_frame + host_stack);
}

static void plain_access(const volatile void *address, size_t bytes, bool is_write)
{
    if (!is_device(address) && (current == nullptr || is_threads_own(address)))
        return;
    constexpr unsigned one_in = 32; /* low, since plain accesses are no synchronisation points */
    if (gpu->seed != 0 && current != nullptr && draw() % one_in == 0)
        preempt();
    check_access(address, bytes, is_write, false);
}

static void unaligned_access(const volatile void *address, size_t bytes, bool is_write)
{
    for (size_t i = 0; i < bytes; i++)
        plain_access((const volatile char *)address + i, 1, is_write);
}

} // namespace emulator

using namespace emulator;

#define HOOK(name, body, ...)                                                                                          \
    void __tsan_##name(__VA_ARGS__)                                                                                    \
    {                                                                                                                  \
        body;                                                                                                          \
    }
#define ACCESS_HOOKS(bytes)                                                                                            \
    HOOK(read##bytes, plain_access(address, bytes, false), void *address)                                              \
    HOOK(write##bytes, plain_access(address, bytes, true), void *address)                                              \
    HOOK(unaligned_read##bytes, unaligned_access(address, bytes, false), void *address)                                \
    HOOK(unaligned_write##bytes, unaligned_access(address, bytes, true), void *address)                                \
    HOOK(volatile_read##bytes, (preempt(), plain_access(address, bytes, false)), void *address)                        \
    HOOK(volatile_write##bytes, (preempt(), plain_access(address, bytes, true)), void *address)

extern "C" {
ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)
HOOK(init, (void)0, void)
HOOK(func_entry, (void)0, void *)
HOOK(func_exit, (void)0, void)
HOOK(read_range, unaligned_access(address, bytes, false), void *address, unsigned long bytes)
HOOK(write_range, unaligned_access(address, bytes, true), void *address, unsigned long bytes)
}
