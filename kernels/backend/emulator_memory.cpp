/* emulator_memory.cpp: see emulator_memory.h. */
#include "emulator_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <map>

namespace emulator
{

namespace
{

constexpr size_t ADDRESS_RANGE = (size_t)1 << 36;  /* reserved; only what is touched takes memory */
constexpr size_t ALIGNMENT = 256;                  /* of an allocation, as cudaMalloc's */
constexpr size_t GAP = 256;                        /* between allocations */
constexpr size_t DEFAULT_MEMORY = (size_t)4 << 30; /* of the device */

enum shadow : uint8_t { NOBODYS, UNWRITTEN, WRITTEN };

struct allocation {
    size_t bytes, counted; /* counted: of the device's memory */
};

struct memory {
    char *base = nullptr;
    uint8_t *shadow = nullptr;
    size_t used = 0; /* of the range, so far */
    size_t taken = 0, limit = DEFAULT_MEMORY;
    unsigned long long calls = 0, fail_at = 0;       /* allocations asked for; which of them fails, 0: none */
    std::map<size_t, struct allocation> allocations; /* by offset */
};
memory memory;

size_t rounded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t offset_of(const volatile void *address)
{
    return (size_t)((const volatile char *)address - memory.base);
}

bool open_memory(void)
{
    if (memory.base != nullptr)
        return true;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *base = mmap(nullptr, ADDRESS_RANGE, PROT_READ | PROT_WRITE, flags, -1, 0);
    void *shadow = mmap(nullptr, ADDRESS_RANGE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (base == MAP_FAILED || shadow == MAP_FAILED)
        return false;
    memory.base = (char *)base;
    memory.shadow = (uint8_t *)shadow;
    const char *limit = getenv("GTRAV_EMULATOR_MB"), *fail_at = getenv("GTRAV_EMULATOR_FAIL_AT");
    if (limit != nullptr)
        memory.limit = strtoull(limit, nullptr, 10) << 20;
    if (fail_at != nullptr)
        memory.fail_at = strtoull(fail_at, nullptr, 10);
    return true;
}

bool has_shadow(const volatile void *address, size_t bytes, shadow least)
{
    const uint8_t *shadow = memory.shadow + offset_of(address);
    if (!is_device(address) || bytes > ADDRESS_RANGE - offset_of(address))
        return bytes == 0;
    for (size_t i = 0; i < bytes; i++)
        if (shadow[i] < least)
            return false;
    return true;
}

} // namespace

static void *take(size_t bytes, bool counts)
{
    if (memory.used + rounded(bytes) + GAP > ADDRESS_RANGE)
        return nullptr;
    size_t offset = memory.used;
    memory.allocations[offset] = {bytes, counts ? rounded(bytes) : 0};
    memory.used += rounded(bytes) + GAP;
    memory.taken += memory.allocations[offset].counted;
    memset(memory.shadow + offset, UNWRITTEN, bytes);
    return memory.base + offset;
}

void *take_memory(size_t bytes)
{
    if (!open_memory() || ++memory.calls == memory.fail_at || bytes > memory.limit ||
        memory.taken + rounded(bytes) > memory.limit)
        return nullptr;
    return take(bytes, true);
}

void *take_shared_memory(size_t bytes)
{
    return open_memory() ? take(bytes, false) : nullptr;
}

bool give_back_memory(void *address)
{
    auto found = is_device(address) ? memory.allocations.find(offset_of(address)) : memory.allocations.end();
    if (found == memory.allocations.end())
        return false;
    memset(memory.shadow + found->first, NOBODYS, found->second.bytes);
    memory.taken -= found->second.counted;
    memory.allocations.erase(found);
    if (memory.allocations.empty()) {
        madvise(memory.base, memory.used, MADV_DONTNEED);
        madvise(memory.shadow, memory.used, MADV_DONTNEED);
        memory.used = 0;
    }
    return true;
}

size_t memory_mark(void)
{
    return memory.used;
}

void reuse_memory_from(size_t mark)
{
    memory.used = memory.used < mark ? memory.used : mark;
}

void memory_left(size_t *free_bytes, size_t *total_bytes)
{
    open_memory();
    *total_bytes = memory.limit;
    *free_bytes = memory.limit - memory.taken;
}

bool is_device(const volatile void *address)
{
    return memory.base != nullptr && offset_of(address) < ADDRESS_RANGE;
}

bool is_allocated(const volatile void *address, size_t bytes)
{
    return has_shadow(address, bytes, UNWRITTEN);
}

bool is_written(const volatile void *address, size_t bytes)
{
    return has_shadow(address, bytes, WRITTEN);
}

void mark_written(const volatile void *address, size_t bytes)
{
    memset(memory.shadow + offset_of(address), WRITTEN, bytes);
}

} // namespace emulator

size_t emulated_bytes_in_use(void)
{
    size_t free_bytes, all_bytes;
    emulator::memory_left(&free_bytes, &all_bytes);
    return all_bytes - free_bytes;
}
