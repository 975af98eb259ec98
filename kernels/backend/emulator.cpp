/* emulator.cpp: a GPU made of fibers.
 *
 * All threads of a grid exist at once, so persistent kernels work. A thread is runnable, asleep, waiting (for its
 * warp, its block or its cluster; whoever completes the meeting makes all of it runnable), or done. With no seed the
 * runnable ones take turns in order and keep their turn unless they seem to poll; with one, the next is drawn at
 * random, some threads are drawn rarely, and a thread may lose its turn at every access that others can see. The seed
 * also sets how often. When nobody is runnable, or nothing has changed in memory for very long, the kernel is
 * deadlocked. */
#include "emulator.h"

#include "emulator_memory.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <deque>
#include <vector>

#include "../../src/graph/random.h"

/* There in a build with AddressSanitizer. */
extern "C" __attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *memory, size_t bytes);

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;
using emulator::give_back_memory;
using emulator::is_device;
using emulator::is_own;
using emulator::take_shared_memory;

namespace
{

constexpr size_t STACK_BYTES = (size_t)128 << 10; /* of a thread */
/* Stacks begin apart, lest all hot lines fall into one cache set. */
constexpr size_t STACK_COLOURS = 61, STACK_SHIFT = 320;
constexpr unsigned WARP = 32;
/* A thread that stalls does so at one access in so many, for up to so many ticks: accesses of all threads. */
constexpr unsigned ACCESSES_OF_A_STALL = 2048, LONGEST_STALL = 1u << 15;

/* Steps are accesses that others can see, and turns given away. So many in which nothing changes: a thread gives up
 * its turn even without a seed; per living thread: turns go round, so that whom the others wait for gets one; in all
 * and per living thread: it is a deadlock. */
constexpr uint64_t STEPS_OF_A_POLL = 64, STEPS_BEFORE_FAIR = 64, STEPS_BEFORE_DEADLOCK = 5000000,
                   THREAD_STEPS_BEFORE_DEADLOCK = 20000;

/* ---- threads ---- */

enum progress { RUNNABLE, WAITING, DONE };

struct block;

struct thread {
    fcontext_t context = nullptr;
    void *stack = nullptr;
    emulator::position position;
    block *home = nullptr;
    progress state = RUNNABLE;
    const char *waits_for = "";
    std::source_location waits_at;
    uint64_t result = 0; /* of the meeting that it waited for */
    bool is_slow = false, stalls = false;
    long long wakes_at = 0; /* in ticks */
};

/* A place where threads wait for each other: those who came, and where from. */
struct rendezvous {
    std::vector<thread *> waiting;
    std::source_location where;
};

struct warp_meeting {
    uint32_t mask = 0, arrived = 0;
    const emulator::meeting *what = nullptr;
    rendezvous lanes;
    uint64_t given[WARP][2] = {};
};

struct warp {
    uint32_t gone = 0;           /* lanes that have exited, or never were */
    warp_meeting meetings[WARP]; /* those with arrivals are going on: a lane is in one at most */
};

struct cluster {
    rendezvous barrier;
    unsigned alive = 0;
    std::vector<block *> blocks;
};

struct block {
    char *shared = nullptr;
    unsigned alive = 0;
    rendezvous barrier;
    emulator::vote vote = emulator::VOTE_NONE;
    int votes = 0;
    std::vector<warp> warps;
    cluster *group = nullptr;
    unsigned rank = 0; /* in the cluster */
};

struct pending_copy {
    const void *ticket;
    void *to;
    const void *from;
    size_t bytes;
};

struct machine {
    const void *kernel = nullptr;
    const std::function<void(void)> *body = nullptr;
    fcontext_t scheduler = nullptr;
    std::vector<thread> threads;
    std::vector<block> blocks;
    std::vector<cluster> clusters;
    std::deque<thread *> runnable;
    std::vector<thread *> asleep;
    long long next_wake = 0; /* of the first of them */
    std::vector<pending_copy> copies;
    std::vector<void *> stacks;       /* kept for the next kernel */
    const char *host_frame = nullptr; /* of run() */
    size_t memory_before = 0;         /* the kernel's shared memory */
    unsigned alive = 0;
    bool failed = false;
    uint64_t seed = 0, draws = 0; /* the schedule's random stream */
    uint64_t steps = 0;           /* since anything changed */
    long long ticks = 0;
    char fault_message[768] = "";
};
/* One for each device. A thread of the host uses one at a time (cudaSetDevice), and no two threads the same: so their
 * kernels run side by side. current is the fiber that this thread of the host is in: a thread of a team that works
 * for the host is in none, whatever others run. */
machine machines[emulator::DEVICES];
constinit thread_local machine *gpu = &machines[0];
constinit thread_local thread *current = nullptr;

uint64_t draw(void)
{
    return random_bits(gpu->seed * 0x9e3779b97f4a7c15u + gpu->draws++);
}

void switch_to_scheduler(void)
{
    gpu->scheduler = jump_fcontext(gpu->scheduler, nullptr).fctx;
}

/* The kernel's name, as far as the program's symbols tell. */
void kernel_name(char *name, size_t size)
{
    Dl_info info;
    snprintf(name, size, "kernel");
    if (dladdr(gpu->kernel, &info) == 0 || info.dli_sname == nullptr || info.dli_saddr != gpu->kernel)
        return;
    int status;
    char *readable = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    const char *text = readable != nullptr ? readable : info.dli_sname;
    const char *scope = strstr(text, "::");
    text = scope != nullptr ? scope + 2 : text;
    const char *parameters = strrchr(text, '(');
    snprintf(name, size, "%.*s", (int)(parameters != nullptr ? (size_t)(parameters - text) : strlen(text)), text);
    free(readable);
}

/* Notes what a thread did wrong and ends the kernel; the thread never goes on. */
__attribute__((format(printf, 2, 3))) void fault(const thread *who, const char *format, ...)
{
    if (!gpu->failed) {
        char kernel[256], what[384];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(what, sizeof what, format, arguments);
        va_end(arguments);
        kernel_name(kernel, sizeof kernel);
        snprintf(gpu->fault_message, sizeof gpu->fault_message, "%s, block %u, thread %u: %s (seed %llu)", kernel,
                 who->position.block.x, who->position.thread.x, what, (unsigned long long)gpu->seed);
        gpu->failed = true;
    }
    if (current != nullptr)
        switch_to_scheduler();
}

void make_runnable(thread *who)
{
    who->state = RUNNABLE;
    gpu->runnable.push_back(who);
}

/* Lets all go on who waited. */
void release(rendezvous *place)
{
    for (thread *who : place->waiting)
        if (who != current)
            make_runnable(who);
    place->waiting.clear();
}

/* The current thread comes to a place; true: it is the last of `all` and goes on at once, having released the others.
 */
bool arrive(rendezvous *place, size_t all, const char *name, const std::source_location &where)
{
    thread *self = current;
    if (!place->waiting.empty() &&
        (place->where.line() != where.line() || strcmp(place->where.file_name(), where.file_name()) != 0)) {
        const thread *other = place->waiting.front();
        fault(self, "diverged: it is at %s in line %u, while block %u, thread %u is in line %u", name,
              (unsigned)where.line(), other->position.block.x, other->position.thread.x,
              (unsigned)place->where.line());
    }
    place->where = where;
    place->waiting.push_back(self);
    self->waits_for = name;
    self->waits_at = where;
    return place->waiting.size() == all;
}

void wait_for_others(void)
{
    current->state = WAITING;
    switch_to_scheduler();
}

void complete_block_barrier(block *home)
{
    for (thread *who : home->barrier.waiting) {
        int count = home->votes, all = (int)home->barrier.waiting.size();
        who->result = home->vote == emulator::VOTE_OR    ? count > 0
                      : home->vote == emulator::VOTE_AND ? count == all
                                                         : (uint64_t)count;
    }
    home->votes = 0;
    release(&home->barrier);
}

/* Whose shared memory it is; NULL: no block's. Their stretches lie one after the other, all of one length. */
const block *owner_of_shared(const volatile void *address)
{
    const char *first = gpu->blocks.front().shared, *at = (const char *)address;
    size_t length = gpu->blocks.size() > 1 ? (size_t)(gpu->blocks[1].shared - first) : SIZE_MAX;
    return at >= first && (size_t)(at - first) / length < gpu->blocks.size() ? &gpu->blocks[(at - first) / length]
                                                                             : nullptr;
}

/* The meeting of these lanes, or a place for it. Groups of lanes that share some may meet one after the other; two
 * that wait for each other have diverged. */
warp_meeting *find_meeting(warp *mine, unsigned lane, uint32_t mask, const emulator::meeting &what)
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

/* ---- the life of a thread ---- */

void exit_thread(void)
{
    thread *self = current;
    block *home = self->home;
    cluster *group = home->group;
    uint32_t lane = self->position.thread.x % WARP;
    warp *mine = &home->warps[self->position.thread.x / WARP];
    self->state = DONE;
    gpu->alive--;
    gpu->steps = 0;
    home->alive--;
    group->alive--;
    mine->gone |= 1u << lane;
    for (const warp_meeting &meeting : mine->meetings)
        if (meeting.arrived != 0 && meeting.mask >> lane & 1)
            fault(self, "it ends while lanes of its warp wait for it at %s in line %u", meeting.what->name,
                  (unsigned)meeting.lanes.where.line());
    for (const pending_copy &copy : gpu->copies)
        if (copy.ticket == &self->position)
            fault(self, "it ends before a bulk store of %zu bytes that it has not waited for", copy.bytes);
    if (home->alive > 0 && home->barrier.waiting.size() == home->alive) /* those who ended are not waited for */
        complete_block_barrier(home);
    if (group->alive > 0 && group->barrier.waiting.size() == group->alive)
        release(&group->barrier);
}

void thread_main(transfer_t from)
{
    gpu->scheduler = from.fctx;
    (*gpu->body)();
    exit_thread();
    switch_to_scheduler();
}

void *take_stack(void)
{
    if (!gpu->stacks.empty()) {
        void *stack = gpu->stacks.back();
        gpu->stacks.pop_back();
        if (__asan_unpoison_memory_region != nullptr) /* a thread stopped by a fault left its variables guarded */
            __asan_unpoison_memory_region(stack, STACK_BYTES);
        return stack;
    }
    void *stack =
        mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return stack == MAP_FAILED ? nullptr : stack;
}

/* One thread in eight is drawn rarely, so that others get far ahead of it. */
bool draws_slow(const thread &who)
{
    uint64_t number = (uint64_t)who.position.block.x * who.position.block_size.x + who.position.thread.x;
    return gpu->seed != 0 && random_bits(gpu->seed ^ random_bits(number)) % 8 == 0;
}

/* One warp in three stalls now and then: whoever needs it waits, and the other warps get far ahead. */
bool draws_stalls(const thread &who)
{
    uint64_t warp = ((uint64_t)who.position.block.x * who.position.block_size.x + who.position.thread.x) / WARP;
    return gpu->seed != 0 && random_bits(~gpu->seed ^ random_bits(warp)) % 3 == 0;
}

bool set_up(const emulator::shape &shape)
{
    gpu->memory_before = emulator::memory_mark();
    gpu->blocks.assign(shape.blocks, {});
    gpu->clusters.assign((shape.blocks + shape.cluster - 1) / shape.cluster, {});
    gpu->threads.assign((size_t)shape.blocks * shape.threads, {});
    gpu->alive = shape.blocks * shape.threads;
    for (unsigned b = 0; b < shape.blocks; b++) {
        block *home = &gpu->blocks[b];
        home->group = &gpu->clusters[b / shape.cluster];
        home->rank = b % shape.cluster;
        home->group->blocks.push_back(home);
        home->group->alive += shape.threads;
        home->alive = shape.threads;
        home->warps.resize((shape.threads + WARP - 1) / WARP);
        if (shape.threads % WARP != 0)
            home->warps.back().gone = ~0u << shape.threads % WARP;
        home->shared = (char *)take_shared_memory(shape.shared_bytes);
        if (home->shared == nullptr)
            return false;
        for (unsigned t = 0; t < shape.threads; t++) {
            thread *who = &gpu->threads[(size_t)b * shape.threads + t];
            who->position = {{t, 0, 0}, {b, 0, 0}, {shape.threads, 1, 1}, {shape.blocks, 1, 1}};
            who->home = home;
            who->is_slow = draws_slow(*who);
            who->stalls = draws_stalls(*who);
            who->stack = take_stack();
            if (who->stack == nullptr)
                return false;
            char *top = (char *)who->stack + STACK_BYTES - gpu->runnable.size() % STACK_COLOURS * STACK_SHIFT;
            who->context = make_fcontext(top, STACK_BYTES / 2, thread_main);
            gpu->runnable.push_back(who);
        }
    }
    return true;
}

void tear_down(void)
{
    for (thread &who : gpu->threads)
        if (who.stack != nullptr)
            gpu->stacks.push_back(who.stack);
    for (block &home : gpu->blocks)
        if (home.shared != nullptr)
            give_back_memory(home.shared);
    emulator::reuse_memory_from(gpu->memory_before);
    gpu->threads.clear();
    gpu->blocks.clear();
    gpu->clusters.clear();
    gpu->runnable.clear();
    gpu->asleep.clear();
    gpu->copies.clear();
}

thread *take_next(void)
{
    size_t index = 0;
    if (gpu->seed != 0 && gpu->steps < STEPS_BEFORE_FAIR * gpu->alive) {
        constexpr int tries = 4;
        index = draw() % gpu->runnable.size();
        for (int i = 0; i < tries && gpu->runnable[index]->is_slow; i++)
            index = draw() % gpu->runnable.size();
    }
    thread *next = gpu->runnable[index];
    if (index == 0) {
        gpu->runnable.pop_front();
    } else {
        gpu->runnable[index] = gpu->runnable.back();
        gpu->runnable.pop_back();
    }
    return next;
}

/* Lets those go on whose sleep is over. When all others wait, the first to wake comes at once. */
void wake_sleepers(void)
{
    if (gpu->asleep.empty() || (gpu->ticks < gpu->next_wake && !gpu->runnable.empty()))
        return;
    gpu->ticks = std::max(gpu->ticks, gpu->next_wake);
    gpu->next_wake = LLONG_MAX;
    std::erase_if(gpu->asleep, [](thread *who) {
        if (who->wakes_at <= gpu->ticks)
            gpu->runnable.push_back(who);
        else
            gpu->next_wake = std::min(gpu->next_wake, who->wakes_at);
        return who->wakes_at <= gpu->ticks;
    });
}

void fall_asleep(thread *who)
{
    gpu->next_wake = gpu->asleep.empty() ? who->wakes_at : std::min(gpu->next_wake, who->wakes_at);
    gpu->asleep.push_back(who);
}

/* Whoever polls waits for something outside of its warp or block: name it rather than those who wait for it. */
void report_deadlock(void)
{
    for (thread &who : gpu->threads)
        if (who.state == RUNNABLE)
            fault(&who, "deadlock: it polls, and nothing changes any more");
    for (thread &who : gpu->threads)
        if (who.state == WAITING)
            fault(&who, "deadlock: it waits at %s in line %u of %s for threads that never come", who.waits_for,
                  (unsigned)who.waits_at.line(), who.waits_at.file_name());
}

void schedule(void)
{
    while (gpu->alive > 0 && !gpu->failed) {
        wake_sleepers();
        if (gpu->runnable.empty() || gpu->steps > STEPS_BEFORE_DEADLOCK + THREAD_STEPS_BEFORE_DEADLOCK * gpu->alive) {
            report_deadlock();
            break;
        }
        thread *next = take_next();
        current = next;
        next->context = jump_fcontext(next->context, nullptr).fctx;
        current = nullptr;
        if (next->state == RUNNABLE && next->wakes_at > gpu->ticks)
            fall_asleep(next);
        else if (next->state == RUNNABLE)
            gpu->runnable.push_back(next);
    }
}

} // namespace

/* ---- what kernels ask for ---- */

namespace emulator
{

cudaError_t run(const void *kernel, const shape &shape, const std::function<void(void)> &body)
{
    gpu->kernel = kernel;
    gpu->body = &body;
    gpu->failed = false;
    gpu->draws = gpu->steps = 0;
    gpu->host_frame = (const char *)__builtin_frame_address(0);
    gpu->fault_message[0] = '\0';
    if (shape.blocks == 0 || shape.threads == 0 || shape.threads > 1024 || shape.cluster == 0 ||
        shape.shared_bytes > (size_t)MAX_SHARED_BYTES || shape.blocks % shape.cluster != 0)
        return cudaErrorInvalidValue;
    bool ready = set_up(shape);
    if (ready)
        schedule();
    tear_down();
    return !ready ? cudaErrorMemoryAllocation : gpu->failed ? cudaErrorLaunchFailure : cudaSuccess;
}

const char *fault_text(void)
{
    return gpu->fault_message;
}

void use_machine(int number)
{
    gpu = &machines[number];
}

void set_seed(uint64_t seed)
{
    gpu->seed = seed;
}

const position &here(void)
{
    return current->position;
}

void preempt(void)
{
    if (current == nullptr)
        return;
    gpu->ticks++;
    gpu->steps++;
    static const unsigned one_in[] = {2, 4, 16, 64}; /* how often differs from seed to seed */
    if (current->stalls && draw() % ACCESSES_OF_A_STALL == 0)
        current->wakes_at = gpu->ticks + (long long)(draw() % LONGEST_STALL);
    if (current->wakes_at > gpu->ticks)
        switch_to_scheduler();
    else if (gpu->seed == 0 ? gpu->steps % STEPS_OF_A_POLL == 0 : draw() % one_in[gpu->seed % 4] == 0)
        switch_to_scheduler();
}

void wait_turn(void)
{
    gpu->ticks++;
    gpu->steps++;
    switch_to_scheduler();
}

void sleep(unsigned nanoseconds)
{
    static const unsigned ticks_of_one[] = {32, 8, 128, 1}; /* differs from seed to seed */
    gpu->steps++;
    current->wakes_at = ++gpu->ticks + (long long)nanoseconds * ticks_of_one[gpu->seed / 4 % 4];
    switch_to_scheduler();
}

long long clock(void)
{
    return gpu->ticks;
}

void check_access(const volatile void *address, size_t bytes, bool is_write, bool is_atomic)
{
    const char *verb = is_atomic ? "atomic access" : is_write ? "write" : "read";
    if (current == nullptr) {
        fputs("gtrav: host code touches device memory; on a GPU this is a segmentation fault\n", stderr);
        abort();
    }
    if (!is_device(address))
        fault(current, "%s of %zu bytes that are not the device's", verb, bytes);
    if (!is_own(address))
        fault(current, "%s of %zu bytes of another device", verb, bytes);
    if (!is_allocated(address, bytes))
        fault(current, "%s of %zu bytes outside of any allocation", verb, bytes);
    const block *owner = owner_of_shared(address);
    if (owner != nullptr && (owner->group != current->home->group || owner->alive == 0))
        fault(current, "%s of %zu bytes in the shared memory of block %u, which %s", verb, bytes,
              (unsigned)(owner - gpu->blocks.data()), owner->alive == 0 ? "has ended" : "is in another cluster");
    if ((uintptr_t)address % bytes != 0)
        fault(current, "misaligned %s of %zu bytes", verb, bytes);
    if ((!is_write || is_atomic) && !is_written(address, bytes))
        fault(current, "%s of %zu bytes that nobody has written", verb, bytes);
    if (is_write)
        mark_written(address, bytes);
    if (is_write && !is_atomic)
        note_change(); /* an atomic access may be a poll: it is counted when it changes something */
}

void note_change(void)
{
    gpu->steps = 0;
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

} // namespace emulator

/* ---- warp primitives ---- */

using given_t = const uint64_t (&)[32][2];

template <typename change_t>
static uint64_t fold(given_t given, uint32_t mask, uint64_t start, change_t change)
{
    for (; mask != 0; mask &= mask - 1)
        start = change(start, given[__builtin_ctz(mask)][0]);
    return start;
}

const emulator::meeting meet_sync = {"__syncwarp", [](given_t, uint32_t, unsigned) -> uint64_t { return 0; }};
const emulator::meeting meet_ballot = {"a warp vote", [](given_t given, uint32_t mask, unsigned) -> uint64_t {
                                           uint64_t bits = 0;
                                           for (unsigned lane = 0; lane < WARP; lane++)
                                               bits |= (mask >> lane & 1) && given[lane][0] ? 1ull << lane : 0;
                                           return bits;
                                       }};
const emulator::meeting meet_shuffle = {
    "a shuffle", [](given_t given, uint32_t, unsigned lane) -> uint64_t { return given[given[lane][1] % WARP][0]; }};
const emulator::meeting meet_match = {"__match_sync", [](given_t given, uint32_t mask, unsigned lane) -> uint64_t {
                                          uint64_t bits = 0;
                                          for (unsigned other = 0; other < WARP; other++)
                                              bits |= (mask >> other & 1) && given[other][0] == given[lane][0]
                                                          ? 1ull << other
                                                          : 0;
                                          return bits;
                                      }};
/* A lane gives its words of A and of B, and gets its two sums, one in each half (device_cuda.h has the layout). */
const emulator::meeting meet_binary_mma = {
    "a binary mma", [](given_t given, uint32_t, unsigned lane) -> uint64_t {
        uint64_t sums = 0;
        for (unsigned i = 0; i < 2; i++)
            for (unsigned chunk = 0, row = lane / 4, column = 2 * (lane % 4) + i; chunk < 4; chunk++)
                sums += (uint64_t)__popcll(given[row * 4 + chunk][0] & given[column * 4 + chunk][1]) << 32 * i;
        return sums;
    }};
/* Numbers come sign-extended or not, so that minima and maxima of signed and unsigned ones compare alike. */
const emulator::meeting meet_reduce_add = {
    "__reduce_add_sync", [](given_t given, uint32_t mask, unsigned) -> uint64_t {
        return fold(given, mask, 0, [](uint64_t a, uint64_t b) { return a + b; });
    }};
const emulator::meeting meet_reduce_min = {
    "__reduce_min_sync", [](given_t given, uint32_t mask, unsigned) -> uint64_t {
        return fold(given, mask, INT64_MAX, [](uint64_t a, uint64_t b) { return (int64_t)a < (int64_t)b ? a : b; });
    }};
const emulator::meeting meet_reduce_max = {
    "__reduce_max_sync", [](given_t given, uint32_t mask, unsigned) -> uint64_t {
        return fold(given, mask, (uint64_t)INT64_MIN,
                    [](uint64_t a, uint64_t b) { return (int64_t)a > (int64_t)b ? a : b; });
    }};
const emulator::meeting meet_reduce_and = {
    "__reduce_and_sync", [](given_t given, uint32_t mask, unsigned) -> uint64_t {
        return fold(given, mask, UINT64_MAX, [](uint64_t a, uint64_t b) { return a & b; });
    }};
const emulator::meeting meet_reduce_or = {"__reduce_or_sync", [](given_t given, uint32_t mask, unsigned) -> uint64_t {
                                              return fold(given, mask, 0,
                                                          [](uint64_t a, uint64_t b) { return a | b; });
                                          }};
const emulator::meeting meet_reduce_xor = {
    "__reduce_xor_sync", [](given_t given, uint32_t mask, unsigned) -> uint64_t {
        return fold(given, mask, 0, [](uint64_t a, uint64_t b) { return a ^ b; });
    }};

/* ---- the compiler's calls around every plain access ---- */

extern "C" char __executable_start, _end; /* of the program, from the linker */

/* Whether the running thread may touch memory of the host: its own variables, constants, and a launch's arguments. */
static bool is_threads_own(const volatile void *address)
{
    constexpr size_t host_stack = (size_t)8 << 20;
    const char *at = (const char *)address, *stack = (const char *)current->stack;
    const char *position = (const char *)&current->position; /* threadIdx and the like */
    return (at >= position && at < position + sizeof current->position) ||
           (at >= stack && at < stack + STACK_BYTES) || (at >= &__executable_start && at < &_end) ||
           (at >= gpu->host_frame && at < gpu->host_frame + host_stack);
}

static void plain_access(const volatile void *address, size_t bytes, bool is_write)
{
    if (!is_device(address) && (current == nullptr || is_threads_own(address)))
        return;
    constexpr unsigned one_in = 32; /* a plain access seldom loses the turn: it is no meeting point */
    if (gpu->seed != 0 && current != nullptr && draw() % one_in == 0)
        emulator::preempt();
    emulator::check_access(address, bytes, is_write, false);
}

static void unaligned_access(const volatile void *address, size_t bytes, bool is_write)
{
    for (size_t i = 0; i < bytes; i++)
        plain_access((const volatile char *)address + i, 1, is_write);
}

#define ACCESS_HOOKS(bytes)                                                                                          \
    void __tsan_read##bytes(void *address)                                                                           \
    {                                                                                                                \
        plain_access(address, bytes, false);                                                                         \
    }                                                                                                                \
    void __tsan_write##bytes(void *address)                                                                          \
    {                                                                                                                \
        plain_access(address, bytes, true);                                                                          \
    }                                                                                                                \
    void __tsan_unaligned_read##bytes(void *address)                                                                 \
    {                                                                                                                \
        unaligned_access(address, bytes, false);                                                                     \
    }                                                                                                                \
    void __tsan_unaligned_write##bytes(void *address)                                                                \
    {                                                                                                                \
        unaligned_access(address, bytes, true);                                                                      \
    }                                                                                                                \
    void __tsan_volatile_read##bytes(void *address)                                                                  \
    {                                                                                                                \
        emulator::preempt();                                                                                         \
        plain_access(address, bytes, false);                                                                         \
    }                                                                                                                \
    void __tsan_volatile_write##bytes(void *address)                                                                 \
    {                                                                                                                \
        emulator::preempt();                                                                                         \
        plain_access(address, bytes, true);                                                                          \
    }

extern "C" {
ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)
void __tsan_init(void)
{
}
void __tsan_func_entry(void *)
{
}
void __tsan_func_exit(void)
{
}
void __tsan_read_range(void *address, unsigned long bytes)
{
    unaligned_access(address, bytes, false);
}
void __tsan_write_range(void *address, unsigned long bytes)
{
    unaligned_access(address, bytes, true);
}
}
