/* schedule.cpp: which thread of the emulated GPU runs next.
 *
 * All threads of a grid exist at once, each as a fiber, so persistent kernels work. A thread is runnable, asleep,
 * waiting (for its warp, its block or its cluster; the last thread to arrive makes the others runnable), or done.
 * Without a seed, the runnable threads take turns in order. A thread keeps its turn unless it seems to poll. With a
 * seed, the next thread is drawn at random, some threads are drawn rarely, and a thread may lose its turn at every
 * access that others can see. The seed also sets the probabilities. If no thread is runnable, or if memory has not
 * changed for very long, the kernel is deadlocked. */
#include "../../src/progress.h"
#include "machine.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>

namespace emulator
{

/* A stalling thread stalls at one access in ACCESSES_OF_A_STALL, for up to LONGEST_STALL accesses of all threads. */
constexpr unsigned ACCESSES_OF_A_STALL = 2048, LONGEST_STALL = 1u << 15;

/* A step is an access that others can see, or a yielded turn. These limits count steps since memory last changed.
 * After STEPS_OF_A_POLL a thread yields its turn even without a seed. After STEPS_BEFORE_FAIR per living thread,
 * turns go round, so that every thread gets one. After STEPS_BEFORE_DEADLOCK and THREAD_STEPS_BEFORE_DEADLOCK per
 * living thread, the kernel is deadlocked. */
constexpr uint64_t STEPS_OF_A_POLL = 64, STEPS_BEFORE_FAIR = 64, STEPS_BEFORE_DEADLOCK = 5000000,
                   THREAD_STEPS_BEFORE_DEADLOCK = 20000;

constexpr uint64_t STEPS_OF_A_LOOK =
    1u << 16; /* steps of all threads between two checks whether the user wants to stop */

static machine machines[DEVICES];
constinit thread_local machine *gpu = &machines[0];
constinit thread_local thread *current = nullptr;

/* Writes the kernel's name, if the program's symbols contain it. */
static void kernel_name(const void *kernel, char *name, size_t size)
{
    Dl_info info;
    snprintf(name, size, "kernel");
    if (dladdr(kernel, &info) == 0 || info.dli_sname == nullptr || info.dli_saddr != kernel)
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

void fault(const thread *who, const char *format, ...)
{
    if (!gpu->failed) {
        char kernel[256], what[384], device[32] = "";
        const launch *of = who->home->of;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(what, sizeof what, format, arguments);
        va_end(arguments);
        kernel_name(of->kernel, kernel, sizeof kernel);
        if (gpu->launches.size() > 1)
            snprintf(device, sizeof device, ", device %d", of->device);
        snprintf(gpu->fault_message, sizeof gpu->fault_message, "%s%s, block %u, thread %u: %s (seed %llu)", kernel,
                 device, who->position.block.x, who->position.thread.x, what, (unsigned long long)gpu->seed);
        gpu->failed = true;
    }
    if (current != nullptr)
        switch_to_scheduler();
}

static thread *take_next(void)
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

/* Makes runnable the threads whose sleep is over. If all other threads wait, the first sleeper wakes at once. */
static void wake_sleepers(void)
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

/* Reports a deadlock at a polling thread if there is one: it waits for something outside of its warp or block. */
static void report_deadlock(void)
{
    for (launch &of : gpu->launches)
        for (thread &who : of.threads)
            if (who.state == RUNNABLE)
                fault(&who, "deadlock: it polls, and nothing changes any more");
    for (launch &of : gpu->launches)
        for (thread &who : of.threads)
            if (who.state == WAITING)
                fault(&who, "deadlock: it waits at %s in line %u of %s for threads that never come", who.waits_for,
                      (unsigned)who.waits_at.line(), who.waits_at.file_name());
}

static void schedule(void)
{
    while (gpu->alive > 0 && !gpu->failed) {
        wake_sleepers();
        if (gpu->runnable.empty() || gpu->steps > STEPS_BEFORE_DEADLOCK + THREAD_STEPS_BEFORE_DEADLOCK * gpu->alive) {
            report_deadlock();
            break;
        }
        thread *next = take_next();
        current = next;
        if (next->home->of->device != gpu->seen_by)
            see_as(next->home->of->device);
        next->context = jump_fcontext(next->context, nullptr).fctx;
        current = nullptr;
        if (next->state == RUNNABLE && next->wakes_at > gpu->ticks) {
            gpu->next_wake = gpu->asleep.empty() ? next->wakes_at : std::min(gpu->next_wake, next->wakes_at);
            gpu->asleep.push_back(next);
        } else if (next->state == RUNNABLE)
            gpu->runnable.push_back(next);
    }
}

/* The launches of this host thread that wait until there are num_together. */
static thread_local std::vector<launch> collected;
static thread_local size_t num_together = 1;

void start_together(unsigned number)
{
    collected.clear();
    num_together = number;
}

cudaError_t run(const void *kernel, const shape &shape, const std::function<void(void)> &body)
{
    do_copies();
    cudaError_t refused = check_launch(kernel, shape);
    collected.push_back({kernel, shape, body, device_in_use});
    if (refused == cudaSuccess && collected.size() < num_together)
        return cudaSuccess;
    num_together = 1;
    gpu->launches = {gpu->places, collected.size()};
    std::move(collected.begin(), collected.end(), gpu->places);
    collected.clear();
    gpu->failed = false;
    gpu->draws = gpu->steps = 0;
    gpu->host_frame = (const char *)__builtin_frame_address(0);
    gpu->fault_message[0] = '\0';
    if (refused != cudaSuccess)
        return refused;
    gpu->alive = 0;
    bool ready = std::all_of(gpu->launches.begin(), gpu->launches.end(), [](launch &of) { return set_up(&of); });
    if (ready)
        schedule();
    gpu->runnable.clear();
    gpu->asleep.clear();
    gpu->copies.clear();
    for (launch &of : gpu->launches)
        tear_down(&of);
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

void set_schedule(uint64_t seed)
{
    gpu->seed = seed;
}

const position &here(void)
{
    return current->position;
}

/* Counts a step of the current thread. The kernel fails if the user wants to stop. */
static void step(void)
{
    gpu->ticks++;
    gpu->steps++;
    if (++gpu->all_steps % STEPS_OF_A_LOOK == 0 && stop_requested()) {
        gpu->failed = true;
        switch_to_scheduler();
    }
}

void preempt(void)
{
    if (current == nullptr)
        return;
    step();
    static const unsigned one_in[] = {2, 4, 16, 64}; /* the seed chooses one */
    if (current->stalls && draw() % ACCESSES_OF_A_STALL == 0)
        current->wakes_at = gpu->ticks + (long long)(draw() % LONGEST_STALL);
    if (current->wakes_at > gpu->ticks)
        switch_to_scheduler();
    else if (gpu->seed == 0 ? gpu->steps % STEPS_OF_A_POLL == 0 : draw() % one_in[gpu->seed % 4] == 0)
        switch_to_scheduler();
}

void wait_turn(void)
{
    step();
    switch_to_scheduler();
}

void sleep(unsigned nanoseconds)
{
    static const unsigned ticks_of_one[] = {32, 8, 128, 1}; /* the seed chooses one */
    step();
    current->wakes_at = gpu->ticks + (long long)nanoseconds * ticks_of_one[gpu->seed / 4 % 4];
    switch_to_scheduler();
}

long long clock(void)
{
    return gpu->ticks;
}

} // namespace emulator
