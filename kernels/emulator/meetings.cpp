/* meetings.cpp: places where threads of the emulated GPU wait for each other: barriers and warp primitives. */
#include "machine.h"

namespace emulator
{

void release(rendezvous *place)
{
    for (thread *who : place->waiting)
        if (who != current) {
            who->state = RUNNABLE;
            gpu->runnable.push_back(who);
        }
    place->waiting.clear();
}

/* Adds the current thread to the place. The last of `all` threads releases the others and continues; the function
 * then returns true. */
static bool arrive(rendezvous *place, size_t all, const char *name, const std::source_location &where)
{
    thread *self = current;
    if (!place->waiting.empty() &&
        (place->where.line() != where.line() || strcmp(place->where.file_name(), where.file_name()) != 0)) {
        const thread *other = place->waiting.front();
        fault(self, "diverged: it is at %s in line %u, while block %u, thread %u is in line %u", name,
              (unsigned)where.line(), other->position.block.x, other->position.thread.x, (unsigned)place->where.line());
    }
    place->where = where;
    place->waiting.push_back(self);
    self->waits_for = name;
    self->waits_at = where;
    return place->waiting.size() == all;
}

static void wait_for_others(void)
{
    current->state = WAITING;
    switch_to_scheduler();
}

void complete_block_barrier(block *home)
{
    for (thread *who : home->barrier.waiting) {
        size_t count = home->votes, all = home->barrier.waiting.size();
        who->result = home->vote == VOTE_AND ? count == all : count > 0;
    }
    home->votes = 0;
    release(&home->barrier);
}

/* Returns the meeting of these lanes, or a free one. Groups that share lanes may meet one after another. If two such
 * groups wait at the same time, they have diverged. */
static warp_meeting *find_meeting(warp *mine, unsigned lane, uint32_t mask, const meeting &what)
{
    warp_meeting *found = nullptr;
    for (warp_meeting &other : mine->meetings) {
        if (other.arrived == 0) {
            found = found != nullptr ? found : &other;
            continue;
        }
        if ((other.mask == mask && other.what != &what) ||
            (other.mask != mask && other.mask >> lane & 1 && other.arrived & mask))
            fault(current,
                  "diverged: it is at %s (mask %08x), while lanes of its warp are at %s (mask %08x) in line %u",
                  what.name, mask, other.what->name, other.mask, (unsigned)other.lanes.where.line());
        if (other.mask == mask)
            return &other;
    }
    return found;
}

void cluster_barrier(const std::source_location &where)
{
    cluster *group = current->home->group;
    preempt();
    if (arrive(&group->barrier, group->alive, "a cluster barrier", where))
        release(&group->barrier);
    else
        wait_for_others();
}

int block_barrier(vote vote, int predicate, const std::source_location &where)
{
    thread *self = current;
    block *home = self->home;
    preempt();
    home->vote = vote;
    home->votes += predicate != 0;
    if (arrive(&home->barrier, home->alive, "a block barrier", where))
        complete_block_barrier(home);
    else
        wait_for_others();
    return (int)self->result;
}

uint64_t meet(uint32_t mask, const meeting &what, uint64_t first, uint64_t second, const std::source_location &where)
{
    thread *self = current;
    unsigned lane = self->position.thread.x % WARP;
    warp *mine = &self->home->warps[self->position.thread.x / WARP];
    preempt();
    if (!(mask >> lane & 1))
        fault(self, "%s with a mask (%08x) that leaves out the caller", what.name, mask);
    if (mask & mine->gone)
        fault(self, "%s with a mask (%08x) that names lanes which have ended (%08x)", what.name, mask,
              mask & mine->gone);
    warp_meeting *meeting = find_meeting(mine, lane, mask, what);
    meeting->mask = mask;
    meeting->what = &what;
    meeting->arrived |= 1u << lane;
    meeting->given[lane][0] = first;
    meeting->given[lane][1] = second;
    if (!arrive(&meeting->lanes, (size_t)__builtin_popcount(mask), what.name, where)) {
        wait_for_others();
        return self->result;
    }
    for (thread *who : meeting->lanes.waiting) {
        unsigned other = who->position.thread.x % WARP;
        if (&what == &meet_shuffle && !(mask >> (meeting->given[other][1] % WARP) & 1))
            fault(who, "a shuffle from lane %u, which is not in its mask (%08x)", (unsigned)meeting->given[other][1],
                  mask);
        who->result = what.combine(meeting->given, mask, other);
    }
    meeting->arrived = 0;
    release(&meeting->lanes);
    return self->result;
}

} // namespace emulator

using namespace emulator;

/* ---- warp primitives ---- */

using given_t = const uint64_t (&)[32][2];

const meeting meet_sync = {"__syncwarp", [](given_t, uint32_t, unsigned) -> uint64_t { return 0; }};
const meeting meet_ballot = {"a warp vote", [](given_t given, uint32_t mask, unsigned) -> uint64_t {
                                 uint64_t bits = 0;
                                 for (unsigned lane = 0; lane < WARP; lane++)
                                     bits |= (mask >> lane & 1) && given[lane][0] ? 1ull << lane : 0;
                                 return bits;
                             }};
const meeting meet_shuffle = {
    "a shuffle", [](given_t given, uint32_t, unsigned lane) -> uint64_t { return given[given[lane][1] % WARP][0]; }};
/* A lane passes its words of A and B and gets two sums, one in each half. cuda/instructions.h has the layout. */
const meeting meet_binary_mma = {
    "a binary mma", [](given_t given, uint32_t, unsigned lane) -> uint64_t {
        uint64_t sums = 0;
        for (unsigned i = 0; i < 2; i++)
            for (unsigned chunk = 0, row = lane / 4, column = 2 * (lane % 4) + i; chunk < 4; chunk++)
                sums += (uint64_t)__builtin_popcountll(given[row * 4 + chunk][0] & given[column * 4 + chunk][1])
                        << 32 * i;
        return sums;
    }};
/* Folds the numbers of the lanes into a and b. */
#define MEET_REDUCE(operation, start, folded)                                                                          \
    const meeting meet_reduce_##operation = {"__reduce_" #operation "_sync",                                           \
                                             [](given_t given, uint32_t mask, unsigned) -> uint64_t {                  \
                                                 uint64_t a = start;                                                   \
                                                 for (; mask != 0; mask &= mask - 1) {                                 \
                                                     uint64_t b = given[__builtin_ctz(mask)][0];                       \
                                                     a = folded;                                                       \
                                                 }                                                                     \
                                                 return a;                                                             \
                                             }};
MEET_REDUCE(add, 0, a + b)
MEET_REDUCE(min, UINT32_MAX, std::min(a, b))
MEET_REDUCE(max, 0, std::max(a, b))
MEET_REDUCE(or, 0, a | b)
