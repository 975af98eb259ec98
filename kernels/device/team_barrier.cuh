/* team_barrier.cuh: a barrier of all threads of a team of devices, which also adds up two numbers per device.
 *
 * Only kernels started by gpu_launch_team may use it. It has three steps:
 *
 * 1. The blocks of each device arrive by an atomic of gpu scope. The last one to arrive leads.
 * 2. The leader stores its device's sums and the number of the round in the inbox of every other device: the number by
 * a release of system scope. Then it polls its own inbox, by acquires of system scope, for the others' messages.
 * 3. It stores the sums over all devices and then, by a release of gpu scope, the number of the round in `passed`,
 * which the other blocks of its device poll.
 *
 * Why every write before the barrier, also one to another device's memory, is visible to every thread after it. Each
 * step is a release and an acquire that observes it, with a scope that includes both threads, so it orders in PTX's
 * memory model (causality order, which is transitive). The path from a thread of device A to one of device B:
 *
 *     thread of A -> thread 0 of its block      __syncthreads
 *                 -> leader of A                the atomics on A's `arrived`: acquire and release, gpu scope
 *                 -> leader of B                release and acquire of B's inbox, system scope
 *                 -> thread 0 of a block of B   release and acquire of B's `passed`, gpu scope
 *                 -> thread of B                __syncthreads
 *
 * Thread 0 of the leading block takes part itself, so nothing is passed on by a thread that has not observed it.
 *
 * The words, and who writes them. `sums`: only the leader writes it, before `passed`; the others read it after
 * `passed` and before they arrive again. The inbox has two messages per device, for even and odd rounds: a device sends
 * the message of round r + 2 only after it has got this device's message of round r + 1, which the leader here sends
 * after it has read the messages of round r. So no word is overwritten while somebody may still read it.
 *
 * A device that never comes. The leaders that miss it give up after `patience` nanoseconds; blocks that miss a block of
 * their own device after twice that time. They store the missing device in `broken` of all devices, which polls look
 * at, so the whole team stops. */
#pragma once

#include "grid_barrier.cuh"

namespace BACKEND
{

#define TEAM_PATIENCE 30000000000u /* nanoseconds */

struct team_sums {
    uint64_t first, second;
};

/* What a device tells another one in a round. */
struct __align__(32) team_message
{
    struct team_sums sums;
    uint64_t round; /* rounds count from 1 */
};

/* In device memory, one for each device of a team; gpu_open_team makes it. */
struct team_barrier {
    uint32_t size, rank; /* number of devices, number of this device */
    uint64_t patience;
    struct team_barrier *peers[MOST_IN_TEAM]; /* the barriers of all devices */
    uint64_t broken;                          /* 1 + the device that did not come; 0: all came */
    struct team_message inbox[2][MOST_IN_TEAM];
    __align__(128) uint64_t arrived; /* blocks that have arrived, summed over all rounds */
    __align__(128) uint64_t passed;  /* the round that has ended */
    struct team_sums sums;
};

/* Polls until is_ready(). Returns false if the team is broken, or if that took longer than `patience`. */
DEVICE bool team_poll(const struct team_barrier *barrier, uint64_t patience, auto is_ready)
{
    uint64_t start = 0;
    for (uint32_t polls = 1; !is_ready(); polls++) {
        if (polls % POLLS_PER_CHECK != 0)
            continue;
        const uint64_t now = nanoseconds();
        start = start == 0 ? now : start;
        if (now - start > patience || load_acquire_system(&barrier->broken) != 0)
            return false;
    }
    return true;
}

/* Stores in all devices that this one did not come, unless they know of another one. */
DEVICE void break_team(struct team_barrier *barrier, uint32_t missing)
{
    if (load_acquire_system(&barrier->broken) != 0)
        return;
    for (uint32_t i = 0; i < barrier->size; i++)
        store_release_system(&barrier->peers[i]->broken, (uint64_t)missing + 1);
}

/* Steps 2 and 3, by one thread of the block that arrived last. Returns false if a device did not come. */
DEVICE bool lead_team(struct team_barrier *barrier, uint64_t round, auto numbers)
{
    struct team_sums sums = numbers();
    struct team_message(&inbox)[MOST_IN_TEAM] = barrier->inbox[round % 2];
    for (uint32_t i = 0; i < barrier->size; i++) {
        struct team_message *message = &barrier->peers[i]->inbox[round % 2][barrier->rank];
        if (i == barrier->rank)
            continue;
        message->sums = sums;
        store_release_system(&message->round, round);
    }
    for (uint32_t i = 0; i < barrier->size; i++) {
        if (i == barrier->rank)
            continue;
        if (!team_poll(barrier, barrier->patience, [&]() { return load_acquire_system(&inbox[i].round) == round; })) {
            break_team(barrier, i);
            return false;
        }
        sums = {sums.first + __ldcg(&inbox[i].sums.first), sums.second + __ldcg(&inbox[i].sums.second)};
    }
    __stcg(&barrier->sums.first, sums.first);
    __stcg(&barrier->sums.second, sums.second);
    store_release(&barrier->passed, round);
    return true;
}

/* Waits until all threads of all devices have arrived. One thread of each device calls numbers() once all threads of
 * the device have arrived, so it may read what they have counted. Returns the sums of these numbers over all devices to
 * every thread. `first` is UINT64_MAX if the team is broken; the kernel must then return. broadcast: shared memory that
 * nothing else uses. */
DEVICE struct team_sums team_wait(struct team_barrier *barrier, auto numbers, struct team_sums *broadcast)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const uint64_t before = add_acquire_release(&barrier->arrived, 1), round = before / gridDim.x + 1;
        bool came;
        if (before + 1 == round * gridDim.x) {
            came = lead_team(barrier, round, numbers);
        } else {
            came = team_poll(barrier, 2 * barrier->patience, [&]() { return load_acquire(&barrier->passed) == round; });
            if (!came)
                break_team(barrier, barrier->rank);
        }
        *broadcast = {came ? __ldcg(&barrier->sums.first) : UINT64_MAX, __ldcg(&barrier->sums.second)};
    }
    __syncthreads();
    return *broadcast;
}

} // namespace BACKEND
