/* threads.cpp: the threads of a kernel on the emulated GPU: their stacks, their start and their end. */
#include <sys/mman.h>

#include "machine.h"

#ifdef __SANITIZE_ADDRESS__
extern "C" void __asan_unpoison_memory_region(const volatile void *memory, size_t bytes);
#endif

using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace emulator
{

/* Stacks begin at different offsets, so that their busy cache lines fall into different cache sets. */
constexpr size_t STACK_COLOURS = 61, STACK_SHIFT = 320;

static void exit_thread(void)
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
    /* Barriers do not wait for threads that have ended. */
    if (home->alive > 0 && home->barrier.waiting.size() == home->alive)
        complete_block_barrier(home);
    if (group->alive > 0 && group->barrier.waiting.size() == group->alive)
        release(&group->barrier);
}

static void thread_main(transfer_t from)
{
    gpu->scheduler = from.fctx;
    current->home->of->body();
    exit_thread();
    switch_to_scheduler();
}

static void *take_stack(void)
{
    if (!gpu->stacks.empty()) {
        void *stack = gpu->stacks.back();
        gpu->stacks.pop_back();
#ifdef __SANITIZE_ADDRESS__
        /* needed after a fault, when the thread's variables are still guarded */
        __asan_unpoison_memory_region(stack, STACK_BYTES);
#endif
        return stack;
    }
    void *stack =
        mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return stack == MAP_FAILED ? nullptr : stack;
}

/* Returns whether the seed picks the thread or warp with this number, as it does one in `one_in`. */
static bool picks(uint64_t seed, uint64_t number, unsigned one_in)
{
    return gpu->seed != 0 && random_bits(seed ^ random_bits(number)) % one_in == 0;
}

bool set_up(launch *of)
{
    const shape &shape = of->shape;
    see_as(of->device);
    of->memory_before = memory_mark();
    of->blocks.assign(shape.blocks, {});
    of->clusters.assign(shape.blocks / shape.cluster, {});
    of->threads.assign((size_t)shape.blocks * shape.threads, {});
    gpu->alive += shape.blocks * shape.threads;
    for (unsigned b = 0; b < shape.blocks; b++) {
        block *home = &of->blocks[b];
        home->of = of;
        home->group = &of->clusters[b / shape.cluster];
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
            uint64_t number = (uint64_t)b * shape.threads + t;
            thread *who = &of->threads[number];
            who->position = {{t, 0, 0}, {b, 0, 0}, {shape.threads, 1, 1}, {shape.blocks, 1, 1}};
            who->home = home;
            who->is_slow = picks(gpu->seed, number, 8);        /* so that others get far ahead of it */
            who->stalls = picks(~gpu->seed, number / WARP, 3); /* so that other warps get far ahead */
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

void tear_down(launch *of)
{
    see_as(of->device);
    release_stores();
    for (thread &who : of->threads)
        if (who.stack != nullptr)
            gpu->stacks.push_back(who.stack);
    for (block &home : of->blocks)
        if (home.shared != nullptr)
            give_back_memory(home.shared);
    reuse_memory_from(of->memory_before);
    *of = {};
}

} // namespace emulator
