/* peers.cpp: holds back the stores of kernels to the memory of other devices.
 *
 * The threads of a device see its own stores at once; the threads of other devices see them after a release of system
 * scope on the device that stores, by whichever thread. With a seed, some become visible earlier, in any order, but for
 * those to the same address. The end of the kernels releases all. Stores of a device to its own memory are visible to
 * all at once.
 *
 * Memory always has what the device of the running thread sees. Before a thread of another device runs, the held stores
 * are taken out of memory, the latest first, and those of the other device are put in. */
#include <string.h>

#include <utility>

#include "machine.h"

namespace emulator
{

/* Exchanges what is in memory with what is beside it. */
static void exchange(held_store *store)
{
    char before[sizeof store->other];
    memcpy(before, store->address, store->bytes);
    memcpy(store->address, store->other, store->bytes);
    memcpy(store->other, before, store->bytes);
}

static bool overlap(const held_store &a, const held_store &b)
{
    return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

/* Makes one of the stores visible, which are out of memory, after those before it that overlap it. */
static void show_one(std::vector<held_store> *stores, size_t which)
{
    const held_store shown = (*stores)[which];
    size_t number = 0;
    std::erase_if(*stores, [&](held_store &store) {
        const bool shows = number++ <= which && overlap(store, shown);
        if (shows)
            memcpy(store.address, store.other, store.bytes);
        return shows;
    });
}

void hold_store(volatile void *address, size_t bytes)
{
    held_store store = {(char *)address, bytes, {}};
    memcpy(store.other, store.address, bytes);
    gpu->held[device_in_use].push_back(store);
}

void see_as(int device)
{
    constexpr unsigned one_in = 8; /* how often a store becomes visible without a release */
    device_in_use = device;
    if (device == gpu->seen_by)
        return;
    std::vector<held_store> *before = &gpu->held[gpu->seen_by];
    for (size_t i = before->size(); i-- > 0;)
        exchange(&(*before)[i]);
    if (gpu->seed != 0 && !before->empty() && draw() % one_in == 0)
        show_one(before, draw() % before->size());
    for (held_store &store : gpu->held[device])
        exchange(&store);
    gpu->seen_by = device;
}

void release_stores(void)
{
    gpu->held[device_in_use].clear();
}

void release_stores_to(volatile void *address, size_t bytes)
{
    const held_store shown = {(char *)address, bytes, {}};
    std::erase_if(gpu->held[device_in_use], [&](const held_store &store) { return overlap(store, shown); });
}

} // namespace emulator
