/* memory.cpp: the functions of memory.h. */
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <map>
#include <utility>

namespace emulator
{

constinit thread_local int device_in_use = 0;

namespace
{

constexpr size_t ADDRESS_RANGE = (size_t)1 << 36; /* bytes reserved for a device; only used pages take memory */
constexpr size_t ALL_RANGES = DEVICES * ADDRESS_RANGE;
constexpr size_t ALIGNMENT = 256;                  /* alignment of allocations, as in cudaMalloc */
constexpr size_t GAP = 256;                        /* bytes between allocations */
constexpr size_t DEFAULT_MEMORY = (size_t)4 << 30; /* bytes of a device's memory */

enum shadow : uint8_t { NOBODYS, UNWRITTEN, WRITTEN };

struct allocation {
    size_t bytes, counted; /* counted: bytes charged to the device's memory */
};

/* Shared by all devices; constant after it is reserved. */
struct ranges {
    char *base = nullptr; /* ALL_RANGES bytes; nullptr if they could not be reserved */
    uint8_t *shadow = nullptr;
    size_t limit = DEFAULT_MEMORY;
    unsigned long long fail_at = 0; /* number of the device's allocation that fails; 0: none */
};

struct memory {
    bool peers[DEVICES] = {}; /* the devices whose memory it may access */
    size_t used = 0;          /* bytes of the device's range that were ever used */
    size_t taken = 0;
    unsigned long long calls = 0;                    /* number of allocations requested */
    uint64_t accessed = 0;                           /* bytes that were read or written */
    std::map<size_t, struct allocation> allocations; /* by offset from the base of all ranges */
};
memory memories[DEVICES];

ranges reserve(void)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *base = mmap(nullptr, ALL_RANGES, PROT_READ | PROT_WRITE, flags, -1, 0);
    void *shadow = mmap(nullptr, ALL_RANGES, PROT_READ | PROT_WRITE, flags, -1, 0);
    struct ranges made;
    if (base == MAP_FAILED || shadow == MAP_FAILED)
        return made;
    made.base = (char *)base;
    made.shadow = (uint8_t *)shadow;
    const char *limit = getenv("GTRAV_EMULATOR_MB"), *fail_at = getenv("GTRAV_EMULATOR_FAIL_AT");
    if (limit != nullptr)
        made.limit = strtoull(limit, nullptr, 10) << 20;
    if (fail_at != nullptr)
        made.fail_at = strtoull(fail_at, nullptr, 10);
    return made;
}
const ranges ranges = reserve();

size_t rounded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t offset_of(const volatile void *address)
{
    return (size_t)((const volatile char *)address - ranges.base);
}

/* Returns the first offset of the device in use. */
size_t first_offset(void)
{
    return (size_t)device_in_use * ADDRESS_RANGE;
}

bool has_shadow(const volatile void *address, size_t bytes, shadow least)
{
    const uint8_t *shadow = ranges.shadow + offset_of(address);
    if (!is_device(address) || bytes > ALL_RANGES - offset_of(address))
        return bytes == 0;
    for (size_t i = 0; i < bytes; i++)
        if (shadow[i] < least)
            return false;
    return true;
}

} // namespace

static void *take(size_t bytes, bool counts)
{
    struct memory *memory = &memories[device_in_use];
    if (memory->used + rounded(bytes) + GAP > ADDRESS_RANGE)
        return nullptr;
    size_t offset = first_offset() + memory->used;
    memory->allocations[offset] = {bytes, counts ? rounded(bytes) : 0};
    memory->used += rounded(bytes) + GAP;
    memory->taken += memory->allocations[offset].counted;
    memset(ranges.shadow + offset, UNWRITTEN, bytes);
    return ranges.base + offset;
}

void *take_memory(size_t bytes)
{
    struct memory *memory = &memories[device_in_use];
    if (ranges.base == nullptr || ++memory->calls == ranges.fail_at || bytes > ranges.limit ||
        memory->taken + rounded(bytes) > ranges.limit)
        return nullptr;
    return take(bytes, true);
}

void *take_shared_memory(size_t bytes)
{
    return ranges.base != nullptr ? take(bytes, false) : nullptr;
}

bool give_back_memory(void *address)
{
    struct memory *memory = &memories[device_in_use];
    auto found = is_device(address) ? memory->allocations.find(offset_of(address)) : memory->allocations.end();
    if (found == memory->allocations.end())
        return false;
    memset(ranges.shadow + found->first, NOBODYS, found->second.bytes);
    memory->taken -= found->second.counted;
    memory->allocations.erase(found);
    if (memory->allocations.empty()) {
        madvise(ranges.base + first_offset(), memory->used, MADV_DONTNEED);
        madvise(ranges.shadow + first_offset(), memory->used, MADV_DONTNEED);
        memory->used = 0;
    }
    return true;
}

size_t memory_mark(void)
{
    return memories[device_in_use].used;
}

void reuse_memory_from(size_t mark)
{
    size_t *used = &memories[device_in_use].used;
    *used = *used < mark ? *used : mark;
}

void memory_left(size_t *free_bytes, size_t *total_bytes)
{
    *total_bytes = ranges.limit;
    *free_bytes = ranges.limit - memories[device_in_use].taken;
}

bool is_device(const volatile void *address)
{
    return ranges.base != nullptr && offset_of(address) < ALL_RANGES;
}

bool is_of(const volatile void *address, int device)
{
    return is_device(address) && offset_of(address) / ADDRESS_RANGE == (size_t)device;
}

bool is_own(const volatile void *address)
{
    return is_of(address, device_in_use);
}

bool is_of_peer(const volatile void *address)
{
    return memories[device_in_use].peers[offset_of(address) / ADDRESS_RANGE];
}

bool enable_peer(int other)
{
    return std::exchange(memories[device_in_use].peers[other], true);
}

bool is_allocated(const volatile void *address, size_t bytes)
{
    return has_shadow(address, bytes, UNWRITTEN);
}

bool is_written(const volatile void *address, size_t bytes)
{
    memories[device_in_use].accessed += bytes;
    return has_shadow(address, bytes, WRITTEN);
}

void mark_written(const volatile void *address, size_t bytes)
{
    memories[device_in_use].accessed += bytes;
    memset(ranges.shadow + offset_of(address), WRITTEN, bytes);
}

} // namespace emulator

size_t emulated_bytes_in_use(void)
{
    size_t bytes = 0;
    for (const emulator::memory &memory : emulator::memories)
        bytes += memory.taken;
    return bytes;
}

uint64_t emulated_bytes_accessed(void)
{
    return emulator::memories[emulator::device_in_use].accessed;
}
