/* machine.h: the emulated GPU: its threads, warps, blocks and clusters, for all parts of the emulator.
 *
 *   schedule.cpp   which thread runs next; faults and deadlocks
 *   threads.cpp    the threads of a kernel, their stacks, and how they start and end
 *   meetings.cpp   barriers and warp primitives: threads that wait for each other
 *   accesses.cpp   checks of every access of memory
 *   peers.cpp      stores to the memory of other devices
 *   memory.cpp     the memory of the devices
 *   runtime.cpp    the part of CUDA's runtime that host code calls */
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <deque>
#include <span>
#include <vector>

#include "../../src/graph/random.h"
#include "emulator.h"
#include "memory.h"

namespace emulator
{

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;

constexpr size_t STACK_BYTES = (size_t)128 << 10; /* bytes of a thread's stack */
constexpr unsigned WARP = 32;

enum progress { RUNNABLE, WAITING, DONE };

struct block;
struct launch;

struct thread {
    fcontext_t context = nullptr;
    void *stack = nullptr;
    struct position position;
    block *home = nullptr;
    progress state = RUNNABLE;
    const char *waits_for = "";
    std::source_location waits_at;
    uint64_t result = 0; /* result of the meeting that the thread waited for */
    bool is_slow = false, stalls = false;
    long long wakes_at = 0; /* tick at which the thread wakes */
};

/* A place where threads wait for each other: the threads that have arrived, and the line at which they wait. */
struct rendezvous {
    std::vector<thread *> waiting;
    std::source_location where;
};

/* A warp primitive that some lanes have called. */
struct warp_meeting {
    uint32_t mask = 0, arrived = 0;
    const meeting *what = nullptr;
    rendezvous lanes;
    uint64_t given[WARP][2] = {};
};

struct warp {
    uint32_t gone = 0;           /* lanes that have ended or never existed */
    warp_meeting meetings[WARP]; /* a meeting with arrivals is in progress; a lane is in at most one */
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
    enum vote vote = VOTE_NONE;
    size_t votes = 0;
    std::vector<warp> warps;
    cluster *group = nullptr;
    unsigned rank = 0; /* number of this block in the cluster */
    launch *of = nullptr;
};

/* A kernel that runs on a device. */
struct launch {
    const void *kernel;
    struct shape shape;
    std::function<void(void)> body;
    int device;
    size_t memory_before = SIZE_MAX; /* memory_mark() before the kernel's shared memory was taken */
    std::vector<thread> threads = {};
    std::vector<block> blocks = {};
    std::vector<cluster> clusters = {};
};

/* A bulk copy that no thread has waited for yet. */
struct pending_copy {
    const void *ticket;
    void *to;
    const void *from;
    size_t bytes;
};

/* A store to another device's memory that is held back. */
struct held_store {
    char *address;
    size_t bytes;
    char other[16]; /* what was stored, while memory has what was there before; otherwise what was there before */
};

struct machine {
    /* The kernels that run together, on a device each. In static memory, where threads may read their bodies. */
    launch places[DEVICES];
    std::span<launch> launches; /* those in use */
    fcontext_t scheduler = nullptr;
    std::deque<thread *> runnable;
    std::vector<thread *> asleep;
    long long next_wake = 0; /* time in ticks when the first sleeping thread wakes */
    std::vector<pending_copy> copies;
    std::vector<held_store> held[DEVICES]; /* the stores of each device, in order */
    int seen_by = 0;                       /* the device whose held stores are in memory */
    std::vector<void *> stacks;            /* reused by the next kernel */
    const char *host_frame = nullptr;      /* stack frame of run() */
    unsigned alive = 0;
    bool failed = false;
    uint64_t seed = 0, draws = 0; /* seed of the schedule; number of random draws so far */
    uint64_t steps = 0;           /* since memory last changed */
    uint64_t all_steps = 0;
    long long ticks = 0;
    char fault_message[768] = "";
};

/* The machine of the device that this host thread uses (memory.h); so kernels of several host threads run at once. */
extern constinit thread_local machine *gpu;

/* The emulated thread that this host thread runs; nullptr outside of kernels, and in OpenMP threads of host code. */
extern constinit thread_local thread *current;

static inline uint64_t draw(void)
{
    return random_bits(gpu->seed * 0x9e3779b97f4a7c15u + gpu->draws++);
}

static inline void switch_to_scheduler(void)
{
    gpu->scheduler = jump_fcontext(gpu->scheduler, nullptr).fctx;
}

/* Records what a thread did wrong and ends the kernel. The thread does not continue. */
__attribute__((format(printf, 2, 3))) void fault(const thread *who, const char *format, ...);

/* Creates the threads, blocks and clusters of a kernel. Returns false if memory is short. Always call tear_down. */
bool set_up(launch *of);
void tear_down(launch *of);

/* Holds back the store of the running thread that comes next. */
void hold_store(volatile void *address, size_t bytes);
/* Makes a device the one in use, and memory what its threads see. */
void see_as(int device);

/* Makes all threads that wait there runnable. */
void release(rendezvous *place);
void complete_block_barrier(block *home);

} // namespace emulator
